// Package pi knows Pi (earendil-works/pi).
package pi

import (
	_ "embed"

	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/mcpbridge/call"
)

// Agent returns what is known of Pi.
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
			Lack:   map[string]string{"exposure": agent.ToolsHidden},
			Native: native,
		},
		Hook:  &agent.Hook{Brings: "tool calls of Pi that may do harm", Read: Read, Following: prompt.ByTurns},
		Calls: call.Client{Name: "pi", Whole: true, WaitsOnProgress: true},
		Variables: []agent.Variable{
			{Names: "PI_CODING_AGENT_DIR", Means: "Where Pi keeps its files. Default: ~/.pi/agent."}},
	}
}

// native is an extension, since Pi has no hooks of another kind.
var native = agent.Native{
	Target: agent.Target{Brings: "its calls that may do harm",
		File: "~/.pi/agent/extensions/choicetui.js", Env: "PI_CODING_AGENT_DIR", Below: "extensions",
		Whole: extension},
	But: "Pi itself asks about nothing. You are asked here and in Pi about commands that may destroy something, " +
		"reach outside the project or use the network, and about changes of files outside the project.",
}

// extension is the source of the extension that asks before Pi does what may do harm.
//
//go:embed extension.js
var extension string
