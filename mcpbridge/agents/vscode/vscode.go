// Package vscode knows the editor VS Code.
package vscode

import "github.com/choicetui/choicetui/mcpbridge/agents/agent"

// Agent returns what is known of VS Code.
func Agent() agent.Agent {
	return agent.Agent{Client: agent.Client{
		Name: "VS Code", ID: "vscode", Program: "code", Project: ".vscode/mcp.json",
		File: "~/.config/Code/User/mcp.json",
		Config: `{"servers": {"choicetui": {"type": "stdio", "command": PROGRAM,
                           "args": ["mcp"]}}}`,
		Timeout: "Has no setting for a timeout; some people see 5 minutes.",
		Server: agent.Target{File: "~/.config/Code/User/mcp.json",
			Sets: []agent.Setting{{Path: []string{"servers", "choicetui"},
				Value: `{"type": "stdio", "command": PROGRAM, "args": ["mcp"]}`}}},
		ByHand: "VS Code asks once whether you trust the server.",
	}}
}
