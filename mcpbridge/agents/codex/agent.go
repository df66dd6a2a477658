package codex

import (
	"strings"

	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
)

// Agent returns what is known of Codex.
func Agent() agent.Agent {
	return agent.Agent{
		Client: agent.Client{
			Name: "Codex", ID: "codex", Program: "codex", Project: ".codex/config.toml",
			Passes:  []string{"HOME", "LOGNAME", "PATH", "SHELL", "USER", "LANG", "LC_ALL", "TERM", "TMPDIR", "TZ"},
			Command: "codex mcp add choicetui -- PROGRAM mcp",
			File:    "~/.codex/config.toml",
			Place:   "below the args line that the command wrote",
			Head:    "[mcp_servers.choicetui]\ncommand = PROGRAM\nargs = [\"mcp\"]\n",
			Config: `env_vars = ["TMUX", "TMUX_PANE", "CHOICETUI_QUEUE",
            "XDG_STATE_HOME", "XDG_CONFIG_HOME"]
tool_timeout_sec = 86400`,
			Timeout: "Gives up after 300 seconds, even while there is progress; tool_timeout_sec sets the limit. " +
				"It hides the environment from its servers; env_vars lets these variables through.",
			Add:    []string{"codex", "mcp", "add", "choicetui", "--", "PROGRAM", "mcp"},
			Remove: []string{"codex", "mcp", "remove", "choicetui"},
			Writer: agent.Writer{Command: []string{"codex", "app-server"}, Method: "config/batchWrite", Params: edits},
			Server: agent.Target{File: "~/.codex/config.toml", Env: "CODEX_HOME", Format: agent.TOML,
				Sets: []agent.Setting{
					{Path: []string{"mcp_servers", "choicetui"}, Value: `{"command": PROGRAM, "args": ["mcp"],
				"env_vars": ["TMUX", "TMUX_PANE", "CHOICETUI_QUEUE", "XDG_STATE_HOME", "XDG_CONFIG_HOME"],
				"tool_timeout_sec": 86400}`}}},
			Gate: agent.Gate{Event: "UserPromptSubmit",
				Target: agent.Target{File: "~/.codex/hooks.json", Env: "CODEX_HOME",
					Sets: []agent.Setting{agent.PromptHook}},
				ByHand: trust},
			Native: native,
		},
		Hook: &agent.Hook{Brings: "questions and permission prompts from Codex without its app server", Read: ReadHook,
			Elsewhere: asksBySocket, Following: prompt.ByTurns},
		Watch:    &agent.Watch{Home: usualHome, Listens: listens, Run: watchHome},
		Sessions: agent.Sessions{Reader: Transcripts{}, Homes: func() []string { return []string{usualHome()} }},
		Lines:    linesOf, Shared: shared, Calls: mcpClient,
		Variables: []agent.Variable{{Names: "CODEX_HOME", Means: "Where Codex keeps its files. Default: ~/.codex."}},
	}
}

// native is the hook that brings its own prompts, where the person wants that.
var native = agent.Native{
	Target: agent.Target{Brings: "its own prompts without its app server",
		File: "~/.codex/hooks.json", Env: "CODEX_HOME", Sets: []agent.Setting{
			{Path: []string{"hooks", "PreToolUse"}, Listed: true, Value: `{"matcher": "^request_user_input$", ` +
				`"hooks": [{"type": "command", "command": COMMAND, "timeout": 86400}]}`},
			{Path: []string{"hooks", "PostToolUse"}, Listed: true, Value: `{"matcher": "^request_user_input_async$", ` +
				`"hooks": [{"type": "command", "command": COMMAND, "timeout": 10}]}`},
			{Path: []string{"hooks", "PermissionRequest"}, Listed: true,
				Value: `{"hooks": [{"type": "command", "command": COMMAND, "timeout": 86400}]}`}}},
	But: "The model gets the answer to a question as the reason why its tool was blocked. " +
		"Codex shows no prompt of its own meanwhile, and Esc there ends the wait.",
	ByHand: trust,
	Trust:  ":permission_request:",
}

// trust says what the person has to do before a hook of Codex runs.
const trust = "Codex runs a new hook once you trust it: type /hooks there."

// edits returns the parameters of Codex's request that sets values.
func edits(values []agent.Value) any {
	var edits []map[string]any
	for _, v := range values {
		edits = append(edits, map[string]any{"keyPath": strings.Join(v.Path, "."), "value": v.Raw,
			"mergeStrategy": "replace"})
	}
	return map[string]any{"edits": edits}
}
