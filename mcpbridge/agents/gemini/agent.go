package gemini

import "github.com/choicetui/choicetui/mcpbridge/agents/agent"

// Agent returns what is known of Gemini CLI.
func Agent() agent.Agent {
	return agent.Agent{
		Client: agent.Client{
			Name: "Gemini CLI", ID: "gemini", Program: "gemini", Project: ".gemini/settings.json",
			Command: "gemini mcp add -s user choicetui PROGRAM mcp",
			File:    "~/.gemini/settings.json",
			Config: `{"mcpServers": {"choicetui": {"command": PROGRAM, "args": ["mcp"],
                              "timeout": 86400000, "trust": true}}}`,
			Timeout: "Gives up after 600 seconds, even while there is progress; timeout, in milliseconds, sets the " +
				"limit. trust avoids a confirmation before each question.",
			Server: agent.Target{File: "~/.gemini/settings.json",
				Sets: []agent.Setting{{Path: []string{"mcpServers", "choicetui"},
					Value: `{"command": PROGRAM, "args": ["mcp"], "timeout": 86400000, "trust": true}`}, noticeHook}},
			Lack: map[string]string{"trust": agent.AsksFirst},
			Gate: agent.Gate{Event: "BeforeAgent", Target: agent.Target{File: "~/.gemini/settings.json",
				Sets: []agent.Setting{{Path: []string{"hooks", "BeforeAgent"}, Listed: true, Value: `{"hooks": [
				{"name": "choicetui", "type": "command", "command": COMMAND, "timeout": 10000}]}`}}}},
			Native: native,
		},
		Hook: &agent.Hook{Brings: "questions from Gemini CLI", Read: Read, Notice: ReadNotice,
			Following: Following},
		Sessions: agent.Sessions{Reader: Transcripts{}},
		Calls:    mcpClient,
		Variables: []agent.Variable{
			{Names: "GEMINI_CLI_HOME", Means: "The directory in which Gemini CLI keeps .gemini. Default: ~."}},
	}
}

// native is the hook that brings its own prompts, where the person wants that.
var native = agent.Native{
	Target: agent.Target{Brings: "its questions",
		File: "~/.gemini/settings.json", Sets: []agent.Setting{
			{Path: []string{"hooks", "BeforeTool"}, Listed: true, Value: `{"matcher": "^ask_user$", "hooks": [` +
				`{"name": "choicetui", "type": "command", "command": COMMAND, "timeout": 86400000}]}`}}},
	But: "The model gets the answer as the reason why its tool was blocked. Gemini CLI shows no prompt of its " +
		"own meanwhile, and Esc there ends the wait.",
}

// noticeHook is the hook with which Gemini CLI reports that it waits for its person. It ends at once and answers
// nothing.
var noticeHook = agent.Setting{Path: []string{"hooks", "Notification"}, Listed: true, Brings: agent.OwnPane,
	Value: `{"matcher": "ToolPermission",
	"hooks": [{"name": "choicetui", "type": "command", "command": COMMAND, "timeout": 10000}]}`}
