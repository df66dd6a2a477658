package agents

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/queue"
)

// Servers returns the servers of many agents.
func Servers() (all queue.SharedServers) {
	for _, a := range All() {
		if a.Shared.Kind != "" {
			all = append(all, a.Shared)
		}
	}
	return all
}

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
	name := cmp.Or(Of(id).Calls.Name, id)
	return ClientOf(name).Patience(s, name)
}

// Example is the agent in the examples of the help.
const Example = "codex"

// Variables returns the environment variables of all agents.
func Variables() (all []agent.Variable) {
	for _, a := range All() {
		all = append(all, a.Variables...)
	}
	return all
}

// ProjectDir returns the directory of the project in which an agent runs this hook; empty: the agent does not say it.
func ProjectDir() string {
	for _, a := range All() {
		if a.ProjectDir != nil {
			if dir := a.ProjectDir(); dir != "" {
				return dir
			}
		}
	}
	return ""
}

// WaitsForTools reports whether the agent that started this MCP server holds back its first request until it has our
// tools.
func WaitsForTools() bool {
	return slices.ContainsFunc(All(), func(a agent.Agent) bool { return a.WaitsForTools != nil && a.WaitsForTools() })
}
