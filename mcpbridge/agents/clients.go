package agents

import (
	"strings"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/call"
)

// ClientOf returns what is known of a client of MCP, by its whole name. What a call says of itself is read for every
// client: forks of an agent write the same under another name.
func ClientOf(name string) (found call.Client) {
	name = strings.ToLower(name)
	for _, a := range All() {
		if a.Calls.Is(name) {
			found = a.Calls
		}
	}
	for _, a := range All() {
		if found.Thread == nil {
			found.Thread = a.Calls.Thread
		}
		if found.ToolUse == nil {
			found.ToolUse = a.Calls.ToolUse
		}
	}
	return found
}

// Patience returns how long an agent must be able to wait without hearing from a call; see call.Client.
func Patience(s config.Settings, id string) time.Duration {
	if c := Of(id).Calls; c.Name != "" {
		return c.Patience(s, c.Name)
	}
	return call.Client{}.Patience(s, id)
}
