// Package continuedev knows Continue's command-line agent, cn.
package continuedev

import "github.com/choicetui/choicetui/mcpbridge/agents/agent"

// Agent returns what is known of Continue.
func Agent() agent.Agent {
	return agent.Agent{
		Client: agent.Client{
			Name: "Continue", ID: "continue", Program: "cn",
			File: "~/.continue/config.yaml",
			Config: `mcpServers: # if the file has this line already, add the rest below it
  - name: choicetui
    command: PROGRAM
    args: ["mcp"]`,
			Timeout: "Gives up after 60 seconds, and has no setting for that: its model calls again each time.",
			Server: agent.Target{File: "~/.continue/config.yaml", Format: agent.YAML,
				Sets: []agent.Setting{{Path: []string{"mcpServers", agent.ByName + "choicetui"},
					Value: `{"name": "choicetui", "command": PROGRAM, "args": ["mcp"]}`}}},
			ByHand: "Continue asks whether a tool of choicetui may be called: “Continue + don't ask again” " +
				"(Shift-Tab) allows that tool for good.",
		},
	}
}
