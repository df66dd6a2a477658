// Package pi knows Pi (earendil-works/pi).
package pi

import (
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
	"github.com/choicetui/choicetui/mcpbridge/call"
)

// Agent returns what is known of it.
func Agent() agent.Agent {
	return agent.Agent{
		Client: agent.Client{
			Name: "Pi", ID: "pi", Program: "pi", Project: ".pi/mcp.json",
			Command: "pi mcp add --exposure direct choicetui -- PROGRAM mcp",
			File:    "~/.pi/agent/mcp.json",
			Config: `{"mcpServers": {"choicetui": {"command": PROGRAM, "args": ["mcp"],
                              "exposure": "direct"}}}`,
			Instead: true,
			Timeout: "Gives up after 60 seconds without progress; choicetui reports progress every 10 seconds. " +
				"With exposure = direct its model has the tools at once.",
			Server: agent.Target{File: "~/.pi/agent/mcp.json", Env: "PI_CODING_AGENT_DIR",
				Sets: []agent.Setting{{Path: []string{"mcpServers", "choicetui"},
					Value: `{"command": PROGRAM, "args": ["mcp"], "exposure": "direct"}`}}},
			Lack: map[string]string{"exposure": agent.ToolsHidden},
		},
		Calls: call.Client{Name: "pi", Whole: true, WaitsOnProgress: true},
		Variables: []agent.Variable{
			{Names: "PI_CODING_AGENT_DIR", Means: "Where Pi keeps its files. Default: ~/.pi/agent."}},
	}
}
