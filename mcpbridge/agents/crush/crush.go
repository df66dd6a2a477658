// Package crush knows Crush.
package crush

import "github.com/choicetui/choicetui/mcpbridge/agents/agent"

// Agent returns what is known of Crush.
func Agent() agent.Agent {
	return agent.Agent{Client: agent.Client{
		Name: "Crush", ID: "crush", Program: "crush", Project: "crush.json",
		File: "~/.config/crush/crush.json",
		Config: `{"mcp": {"choicetui": {"type": "stdio", "command": PROGRAM,
                       "args": ["mcp"], "timeout": 86400}}}`,
		Timeout: "Gives up after 15 seconds; timeout, in seconds, sets the limit.",
		Server: agent.Target{File: "~/.config/crush/crush.json",
			Sets: []agent.Setting{{Path: []string{"mcp", "choicetui"},
				Value: `{"type": "stdio", "command": PROGRAM, "args": ["mcp"], "timeout": 86400}`}}},
	}}
}
