package agents

import (
	"strings"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/agents/claude"
	"github.com/choicetui/choicetui/mcpbridge/agents/codex"
	"github.com/choicetui/choicetui/mcpbridge/agents/gemini"
	"github.com/choicetui/choicetui/mcpbridge/agents/opencode"
	"github.com/choicetui/choicetui/mcpbridge/call"
)

// mcpClient is a client of MCP of which something is known, and the id of its agent.
type mcpClient struct {
	id string
	call.Client
}

// mcpClients returns the clients of MCP of which something is known.
func mcpClients() []mcpClient {
	return []mcpClient{{"claude", claude.Client}, {"codex", codex.Client}, {"gemini", gemini.Client},
		{"opencode", opencode.Client}}
}

// ClientOf returns what is known of a client of MCP, by its whole name. What a call says of itself is read for every
// client: forks of an agent write the same under another name.
func ClientOf(name string) (found call.Client) {
	name = strings.ToLower(name)
	for _, c := range mcpClients() {
		if strings.HasPrefix(name, c.Name) {
			found = c.Client
		}
	}
	for _, c := range mcpClients() {
		if found.Thread == nil {
			found.Thread = c.Thread
		}
		if found.ToolUse == nil {
			found.ToolUse = c.ToolUse
		}
	}
	return found
}

// Patience returns how long an agent must be able to wait without hearing from a call; see call.Client.
func Patience(s config.Settings, id string) time.Duration {
	for _, c := range mcpClients() {
		if c.id == id {
			return c.Patience(s, c.Name)
		}
	}
	return call.Client{}.Patience(s, id)
}
