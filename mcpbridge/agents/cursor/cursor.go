// Package cursor knows the editor Cursor.
package cursor

import "github.com/choicetui/choicetui/mcpbridge/agents/agent"

// Agent returns what is known of Cursor.
func Agent() agent.Agent {
	return agent.Agent{Client: agent.Client{
		Name: "Cursor", ID: "cursor", Program: "cursor", Project: ".cursor/mcp.json",
		File:    "~/.cursor/mcp.json",
		Config:  `{"mcpServers": {"choicetui": {"command": PROGRAM, "args": ["mcp"]}}}`,
		Timeout: "Its documentation mentions no timeout, and no setting for one; some people see 60 seconds.",
		Server: agent.Target{File: "~/.cursor/mcp.json",
			Sets: []agent.Setting{{Path: []string{"mcpServers", "choicetui"}, Value: agent.PlainServer}}},
		ByHand: "Switch choicetui on in Cursor's settings, under MCP, if it is off there.",
		Gate: agent.Gate{Event: "beforeSubmitPrompt", InJSON: true, Target: agent.Target{File: "~/.cursor/hooks.json",
			Sets: []agent.Setting{{Path: []string{"version"}, Value: "1", Shared: true},
				{Path: []string{"hooks", "beforeSubmitPrompt"}, Listed: true,
					Value: `{"command": COMMAND, "timeout": 10}`}}}},
	}}
}
