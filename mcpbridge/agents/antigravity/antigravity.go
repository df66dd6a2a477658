// Package antigravity knows Antigravity, the successor of Gemini CLI.
package antigravity

import "github.com/choicetui/choicetui/mcpbridge/agents/agent"

// Agent returns what is known of Antigravity.
func Agent() agent.Agent {
	return agent.Agent{Client: agent.Client{
		Name: "Antigravity", ID: "antigravity", Program: "agy",
		Command: "agy mcp add choicetui PROGRAM mcp",
		File:    "~/.gemini/config/mcp_config.json",
		Config:  `{"mcpServers": {"choicetui": {"command": PROGRAM, "args": ["mcp"]}}}`,
		Instead: true,
		Timeout: "Some report that it gives up after 180 seconds; its documentation mentions no setting for that. " +
			"It has replaced Gemini CLI for most people.",
		Server: agent.Target{File: "~/.gemini/config/mcp_config.json",
			Sets: []agent.Setting{{Path: []string{"mcpServers", "choicetui"}, Value: agent.PlainServer}}},
	}}
}
