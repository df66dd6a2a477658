// Package amp knows Amp.
package amp

import "github.com/choicetui/choicetui/mcpbridge/agents/agent"

// Agent returns what is known of Amp.
func Agent() agent.Agent {
	return agent.Agent{Client: agent.Client{
		Name: "Amp", ID: "amp", Program: "amp", Project: ".amp/settings.json",
		Command: "amp mcp add choicetui -- PROGRAM mcp",
		File:    "~/.config/amp/settings.json",
		Config:  `{"amp.mcpServers": {"choicetui": {"command": PROGRAM, "args": ["mcp"]}}}`,
		Instead: true,
		Timeout: "Its documentation mentions no timeout, and no setting for one.",
		Server: agent.Target{File: "~/.config/amp/settings.json", Others: []string{"settings.jsonc"},
			Sets: []agent.Setting{{Path: []string{"amp.mcpServers", "choicetui"}, Value: agent.PlainServer}}},
	}}
}
