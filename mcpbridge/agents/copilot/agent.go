package copilot

import (
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
)

// Agent returns what is known of Copilot CLI.
func Agent() agent.Agent {
	return agent.Agent{
		Client: agent.Client{
			Name: "Copilot CLI", ID: "copilot", Program: "copilot",
			File: "~/.copilot/mcp-config.json",
			Config: `{"mcpServers": {"choicetui": {"type": "local", "command": PROGRAM,
                              "args": ["mcp"], "tools": ["*"],
                              "timeout": 86400000}}}`,
			Timeout: "Gives up after 60 seconds; timeout, in milliseconds, sets the limit.",
			Server: agent.Target{File: "~/.copilot/mcp-config.json",
				Sets: []agent.Setting{{Path: []string{"mcpServers", "choicetui"},
					Value: `{"type": "local", "command": PROGRAM, "args": ["mcp"], "tools": ["*"],
						"timeout": 86400000}`}}},
			Native: native,
		},
		Hook: &agent.Hook{Brings: "every tool call in Copilot CLI", Read: Read, Following: prompt.ByTurns,
			Stopped: stopped},
		Variables: []agent.Variable{
			{Names: "COPILOT_HOME", Means: "Where Copilot CLI keeps its files. Default: ~/.copilot."}},
	}
}

// native is the hook that brings its own prompts, where the person wants that.
var native = agent.Native{
	Target: agent.Target{Brings: "its tool calls",
		File: "~/.copilot/hooks/choicetui.json", Sets: []agent.Setting{
			{Path: []string{"version"}, Value: "1", Shared: true},
			{Path: []string{"hooks", "permissionRequest"}, Listed: true,
				Value: `{"type": "command", "bash": COMMAND, "timeoutSec": 86400}`}}},
	But: "You are asked about each call, also where Copilot CLI would not have asked you.",
}
