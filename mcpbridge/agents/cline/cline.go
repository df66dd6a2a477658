// Package cline knows Cline.
package cline

import "github.com/choicetui/choicetui/mcpbridge/agents/agent"

// Agent returns what is known of it.
func Agent() agent.Agent {
	return agent.Agent{Shared: shared, Client: agent.Client{
		Name: "Cline", ID: "cline", Program: "cline",
		File: "~/.cline/data/settings/cline_mcp_settings.json",
		Config: `{"mcpServers": {"choicetui": {"command": PROGRAM, "args": ["mcp"],
                              "timeout": 3600}}}`,
		Timeout: "Gives up after 60 seconds; timeout, in seconds, sets the limit, to an hour at most.",
		Server: agent.Target{File: "~/.cline/data/settings/cline_mcp_settings.json", Sets: []agent.Setting{
			{Path: []string{"mcpServers", "choicetui"},
				Value: `{"command": PROGRAM, "args": ["mcp"], "timeout": 3600}`}}},
		ByHand: "Cline inside an editor has a file of its own: add choicetui there under MCP Servers, Configure.",
	}}
}
