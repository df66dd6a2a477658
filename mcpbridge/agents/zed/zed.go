// Package zed knows the editor Zed.
package zed

import "github.com/choicetui/choicetui/mcpbridge/agents/agent"

// Agent returns what is known of Zed.
func Agent() agent.Agent {
	return agent.Agent{Client: agent.Client{
		Name: "Zed", ID: "zed", Program: "zed", Project: ".zed/settings.json",
		File: "~/.config/zed/settings.json",
		Config: `{"context_servers": {"choicetui": {"command": PROGRAM,
                                   "args": ["mcp"], "env": {}}}}`,
		Timeout: "Gives up after 60 seconds; its documentation names no setting for one server.",
		Server: agent.Target{File: "~/.config/zed/settings.json",
			Sets: []agent.Setting{{Path: []string{"context_servers", "choicetui"},
				Value: `{"command": PROGRAM, "args": ["mcp"], "env": {}}`}}},
	}}
}
