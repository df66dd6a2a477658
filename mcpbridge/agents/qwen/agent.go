package qwen

import (
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
)

// Agent returns what is known of Qwen Code.
func Agent() agent.Agent {
	return agent.Agent{
		Client: agent.Client{
			Name: "Qwen Code", ID: "qwen", Program: "qwen", Project: ".qwen/settings.json",
			Command: "qwen mcp add -s user choicetui PROGRAM mcp",
			File:    "~/.qwen/settings.json",
			Config: `{"mcpServers": {"choicetui": {"command": PROGRAM, "args": ["mcp"],
                              "timeout": 86400000, "trust": true,
                              "alwaysLoadTools": true}}}`,
			Timeout: "Gives up after 600 seconds; timeout, in milliseconds, sets the limit. " +
				"trust avoids a confirmation before each question, and alwaysLoadTools avoids a search for the tools.",
			Server: agent.Target{File: "~/.qwen/settings.json",
				Sets: []agent.Setting{{Path: []string{"mcpServers", "choicetui"},
					Value: `{"command": PROGRAM, "args": ["mcp"], "timeout": 86400000, "trust": true,
				"alwaysLoadTools": true}`}}},
			Lack:   map[string]string{"alwaysLoadTools": agent.ToolsHidden, "trust": agent.AsksFirst},
			Native: native,
		},
		Hook: &agent.Hook{Brings: "questions and permission prompts from Qwen Code", Read: Read,
			Following: prompt.ByTurns},
	}
}

// native is the hook that brings its own prompts, where the person wants that.
var native = agent.Native{
	Target: agent.Target{Brings: "its questions and permission prompts",
		File: "~/.qwen/settings.json", Sets: []agent.Setting{
			{Path: []string{"hooks", "PermissionRequest"}, Listed: true, Value: `{"hooks": [` +
				`{"name": "choicetui", "type": "command", "command": COMMAND, "timeout": 86400000}]}`}}},
	But: "The model gets the answer to a question as the reason why its tool was refused. " +
		"Qwen Code shows no prompt of its own meanwhile.",
}
