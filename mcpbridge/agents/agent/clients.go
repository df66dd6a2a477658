package agent

// server is the name of this program among an agent's servers.
const server = "choicetui"

// Rule is the permission rule of Claude Code that allows the tools of this server without a prompt: a question does no
// harm.
const Rule = "mcp__" + server

// AllRule is another way to write Rule.
const AllRule = Rule + "__*"

// The effects of missing settings.
const (
	toolsHidden = "its model has to search for the tools before it can ask"
	asksFirst   = "it asks for your permission before each question"
)

// RuleKinds lists the kinds of permission rules that keep Claude Code's model from asking freely, with their effects.
var RuleKinds = []struct{ Name, So string }{{"deny", "it refuses each question"}, {"ask", asksFirst}}

// plainServer is the entry of a server in most agents' settings.
const plainServer = `{"command": PROGRAM, "args": ["mcp"]}`

// opencodeServer is the server entry for opencode 1, and for agents built on it, as the person pastes it.
const opencodeServer = `{"mcp": {"choicetui": {"type": "local", "command": [PROGRAM, "mcp"],
                       "enabled": true, "timeout": 86400000}}}`

// opencodeEntry is the same entry as `choicetui setup` writes it, below mcp.choicetui.
const opencodeEntry = `{"type": "local", "command": [PROGRAM, "mcp"], "enabled": true, "timeout": 86400000}`

// promptHook is the hook before a prompt, in the format of Claude Code, which other agents use too.
var promptHook = Setting{Path: []string{"hooks", "UserPromptSubmit"}, Listed: true,
	Value: `{"hooks": [{"type": "command", "command": COMMAND, "timeout": 10}]}`}

// clients lists the known agents, those with a Command first. PROGRAM stands for this program, quoted for a shell or a
// file. Another agent is another row.
var clients = []Client{
	{
		Name: "Claude Code", ID: "claude", Program: "claude", Project: ".mcp.json", Local: "projects",
		Command: "claude mcp add --scope user choicetui -- PROGRAM mcp",
		File:    "~/.claude/settings.json",
		Config:  `{"env": {"CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS": "0"}}`,
		Timeout: "Waits as long as needed, but moves a call to the background after 2 minutes (since 2.1.212); " +
			"CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS=0 prevents that, for all your MCP servers (2.1.330 has no such " +
			"setting for just one).",
		Add:    []string{"claude", "mcp", "add-json", "--scope", "user", server, "ENTRY"},
		Remove: []string{"claude", "mcp", "remove", "--scope", "user", server},
		Server: Target{File: "~/.claude.json", Env: "CLAUDE_CONFIG_DIR", Sets: []Setting{
			{Path: []string{"mcpServers", server}, Value: `{"type": "stdio", "command": PROGRAM, "args": ["mcp"],
				"alwaysLoad": true, "timeout": 86400000}`}}}, // see Lack
		Also: []Target{{File: "~/.claude/settings.json", Env: "CLAUDE_CONFIG_DIR", Off: "disableAllHooks",
			Sets: append([]Setting{
				{Path: []string{"env", "CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS"}, Value: `"0"`,
					Lack: "a question moves to the background after 2 minutes",
					Note: "CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS=0 keeps the long calls of all your MCP servers out of " +
						"the background; there is no setting for just one server."},
				{Path: []string{"permissions", "allow"}, Listed: true, Value: `"` + Rule + `"`,
					Lack: asksFirst},
			}, nativeHooks...)}},
		Lack: map[string]string{"alwaysLoad": toolsHidden},
		Layers: Layers{Project: []string{".claude/settings.local.json", ".claude/settings.json"},
			Managed: "/etc/claude-code/managed-settings.json",
			Apple:   "/Library/Application Support/ClaudeCode/managed-settings.json"},
		Gate: Gate{Event: "UserPromptSubmit",
			Target: Target{File: "~/.claude/settings.json", Env: "CLAUDE_CONFIG_DIR", Sets: []Setting{promptHook}}},
	},
	{
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
		Add:    []string{"codex", "mcp", "add", server, "--", "PROGRAM", "mcp"},
		Remove: []string{"codex", "mcp", "remove", server},
		Writer: []string{"codex", "app-server"},
		Server: Target{File: "~/.codex/config.toml", Env: "CODEX_HOME", Format: TOML, Sets: []Setting{
			{Path: []string{"mcp_servers", server}, Value: `{"command": PROGRAM, "args": ["mcp"],
				"env_vars": ["TMUX", "TMUX_PANE", "CHOICETUI_QUEUE", "XDG_STATE_HOME", "XDG_CONFIG_HOME"],
				"tool_timeout_sec": 86400}`}}},
		Gate: Gate{Event: "UserPromptSubmit",
			Target: Target{File: "~/.codex/hooks.json", Env: "CODEX_HOME", Sets: []Setting{promptHook}},
			ByHand: trustCodex},
		Native: codexNative,
	},
	{
		Name: "Gemini CLI", ID: "gemini", Program: "gemini", Project: ".gemini/settings.json",
		Command: "gemini mcp add -s user choicetui PROGRAM mcp",
		File:    "~/.gemini/settings.json",
		Config: `{"mcpServers": {"choicetui": {"command": PROGRAM, "args": ["mcp"],
                              "timeout": 86400000, "trust": true}}}`,
		Timeout: "Gives up after 600 seconds, even while there is progress; timeout, in milliseconds, sets the " +
			"limit. trust avoids a confirmation before each question.",
		Add: []string{"gemini", "mcp", "add", "-s", "user", "--timeout", "86400000", "--trust", server, "PROGRAM",
			"mcp"},
		Remove: []string{"gemini", "mcp", "remove", "-s", "user", server},
		Server: Target{File: "~/.gemini/settings.json", Sets: []Setting{{Path: []string{"mcpServers", server},
			Value: `{"command": PROGRAM, "args": ["mcp"], "timeout": 86400000, "trust": true}`}, geminiNotice}},
		Lack: map[string]string{"trust": asksFirst},
		Gate: Gate{Event: "BeforeAgent", Target: Target{File: "~/.gemini/settings.json",
			Sets: []Setting{{Path: []string{"hooks", "BeforeAgent"}, Listed: true, Value: `{"hooks": [
				{"name": "choicetui", "type": "command", "command": COMMAND, "timeout": 10000}]}`}}}},
		Native: geminiNative,
	},
	{
		Name: "Antigravity", ID: "antigravity", Program: "agy",
		Command: "agy mcp add choicetui PROGRAM mcp",
		File:    "~/.gemini/config/mcp_config.json",
		Config:  `{"mcpServers": {"choicetui": {"command": PROGRAM, "args": ["mcp"]}}}`,
		Instead: true,
		Timeout: "It has replaced Gemini CLI for most people. Some report that it gives up after 180 " +
			"seconds; its documentation mentions no setting for that.",
		Server: Target{File: "~/.gemini/config/mcp_config.json",
			Sets: []Setting{{Path: []string{"mcpServers", server}, Value: plainServer}}},
	},
	{
		Name: "Qwen Code", ID: "qwen", Program: "qwen", Project: ".qwen/settings.json",
		Command: "qwen mcp add -s user choicetui PROGRAM mcp",
		File:    "~/.qwen/settings.json",
		Config: `{"mcpServers": {"choicetui": {"command": PROGRAM, "args": ["mcp"],
                              "timeout": 86400000, "trust": true,
                              "alwaysLoadTools": true}}}`,
		Timeout: "Gives up after 600 seconds; timeout, in milliseconds, sets the limit. " +
			"trust avoids a confirmation before each question, and alwaysLoadTools avoids a search for the tools.",
		Add: []string{"qwen", "mcp", "add", "-s", "user", "--timeout", "86400000", "--trust", server, "PROGRAM",
			"mcp"},
		Remove: []string{"qwen", "mcp", "remove", "-s", "user", server},
		Server: Target{File: "~/.qwen/settings.json", Sets: []Setting{{Path: []string{"mcpServers", server},
			Value: `{"command": PROGRAM, "args": ["mcp"], "timeout": 86400000, "trust": true,
				"alwaysLoadTools": true}`}}},
		Lack:   map[string]string{"alwaysLoadTools": toolsHidden, "trust": asksFirst},
		Native: qwenNative,
	},
	{
		Name: "Amp", ID: "amp", Program: "amp", Project: ".amp/settings.json",
		Command: "amp mcp add choicetui -- PROGRAM mcp",
		File:    "~/.config/amp/settings.json",
		Config:  `{"amp.mcpServers": {"choicetui": {"command": PROGRAM, "args": ["mcp"]}}}`,
		Instead: true,
		Timeout: "Its documentation mentions no timeout, and no setting for one.",
		Add:     []string{"amp", "mcp", "add", server, "--", "PROGRAM", "mcp"},
		Remove:  []string{"amp", "mcp", "remove", server},
		Server: Target{File: "~/.config/amp/settings.json", Others: []string{"settings.jsonc"},
			Sets: []Setting{{Path: []string{"amp.mcpServers", server}, Value: plainServer}}},
	},
	{
		Name: "Pi", ID: "pi", Program: "pi", Project: ".pi/mcp.json",
		Command: "pi mcp add --exposure direct choicetui -- PROGRAM mcp",
		File:    "~/.pi/agent/mcp.json",
		Config: `{"mcpServers": {"choicetui": {"command": PROGRAM, "args": ["mcp"],
                              "exposure": "direct"}}}`,
		Instead: true,
		Timeout: "Gives up after 60 seconds without progress; choicetui reports progress every 10 seconds. " +
			"With exposure = direct its model has the tools at once.",
		Add:    []string{"pi", "mcp", "add", "--exposure", "direct", server, "--", "PROGRAM", "mcp"},
		Remove: []string{"pi", "mcp", "remove", server},
		Server: Target{File: "~/.pi/agent/mcp.json", Env: "PI_CODING_AGENT_DIR", Sets: []Setting{
			{Path: []string{"mcpServers", server}, Value: `{"command": PROGRAM, "args": ["mcp"], "exposure": "direct"}`}}},
		Lack: map[string]string{"exposure": toolsHidden},
	},
	{
		Name: "opencode 1", ID: "opencode", Program: "opencode", Project: "opencode.json",
		File: "~/.config/opencode/opencode.json", Config: opencodeServer,
		Timeout: "Gives up after 60 seconds without progress; choicetui reports progress every 10 " +
			"seconds. To raise the limit, set \"timeout\" (in milliseconds).",
		Server: Target{File: "~/.config/opencode/opencode.json", Others: []string{"opencode.jsonc"},
			Sets: []Setting{{Path: []string{"mcp", server},
				Value: opencodeEntry}}},
		Also: []Target{{File: "~/.config/opencode/plugins/choicetui.js", Whole: opencodePlugin}},
	},
	{
		Name: "opencode 2", ID: "opencode2", Program: "opencode", Project: "opencode.json",
		File: "~/.config/opencode/opencode.json",
		Config: `{"mcp": {"servers": {"choicetui": {"type": "local",
                                   "command": [PROGRAM, "mcp"],
                                   "timeout": {"request": 86400000}}}}}`,
		Timeout: "Expects servers under mcp.servers, and ignores one whose timeout is a number as in version 1.",
		Server: Target{File: "~/.config/opencode/opencode.json", Others: []string{"opencode.jsonc"},
			Sets: []Setting{{Path: []string{"mcp", "servers", server},
				Value: `{"type": "local", "command": [PROGRAM, "mcp"], "timeout": {"request": 86400000}}`},
				{Path: []string{"mcp", server}, Value: opencodeEntry, Before: true}}},
		Also: []Target{{File: "~/.config/opencode/plugins/choicetui.js", Whole: opencodePlugin}},
	},
	{
		Name: "Kilo Code", ID: "kilo", Program: "kilo", Project: "kilo.json",
		File: "~/.config/kilo/kilo.json", Config: opencodeServer,
		Timeout: "It is built on opencode 1, and has its settings; timeout, in milliseconds, sets the limit.",
		Server: Target{File: "~/.config/kilo/kilo.json", Others: []string{"kilo.jsonc"},
			Sets: []Setting{{Path: []string{"mcp", server},
				Value: opencodeEntry}}},
		Also: []Target{{File: "~/.config/kilo/plugin/choicetui.js", Whole: opencodePlugin}},
	},
	{
		Name: "MiMo Code", ID: "mimo", Program: "mimo", Project: ".mimocode/mimocode.json",
		File: "~/.config/mimocode/mimocode.json", Config: opencodeServer,
		Timeout: "It is built on opencode 1, and has its settings; timeout, in milliseconds, sets the limit.",
		Server: Target{File: "~/.config/mimocode/mimocode.json", Others: []string{"mimocode.jsonc"},
			Sets: []Setting{{Path: []string{"mcp", server},
				Value: opencodeEntry}}},
		Also: []Target{{File: "~/.config/mimocode/plugins/choicetui.js", Whole: opencodePlugin}},
	},
	{
		Name: "Cursor", ID: "cursor", Program: "cursor", Project: ".cursor/mcp.json",
		File:    "~/.cursor/mcp.json",
		Config:  `{"mcpServers": {"choicetui": {"command": PROGRAM, "args": ["mcp"]}}}`,
		Timeout: "Its documentation mentions no timeout, and no setting for one; some people see 60 seconds.",
		Server: Target{File: "~/.cursor/mcp.json",
			Sets: []Setting{{Path: []string{"mcpServers", server}, Value: plainServer}}},
		ByHand: "Switch choicetui on in Cursor's settings, under MCP, if it is off there.",
		Gate: Gate{Event: "beforeSubmitPrompt", InJSON: true, Target: Target{File: "~/.cursor/hooks.json",
			Sets: []Setting{{Path: []string{"version"}, Value: "1", Shared: true},
				{Path: []string{"hooks", "beforeSubmitPrompt"}, Listed: true,
					Value: `{"command": COMMAND, "timeout": 10}`}}}},
	},
	{
		Name: "VS Code", ID: "vscode", Program: "code", Project: ".vscode/mcp.json",
		File: "~/.config/Code/User/mcp.json",
		Config: `{"servers": {"choicetui": {"type": "stdio", "command": PROGRAM,
                           "args": ["mcp"]}}}`,
		Timeout: "Has no setting for a timeout; some people see 5 minutes.",
		Server: Target{File: "~/.config/Code/User/mcp.json", Sets: []Setting{{Path: []string{"servers", server},
			Value: `{"type": "stdio", "command": PROGRAM, "args": ["mcp"]}`}}},
		ByHand: "VS Code asks once whether you trust the server.",
	},
	{
		Name: "Copilot CLI", ID: "copilot", Program: "copilot",
		File: "~/.copilot/mcp-config.json",
		Config: `{"mcpServers": {"choicetui": {"type": "local", "command": PROGRAM,
                              "args": ["mcp"], "tools": ["*"],
                              "timeout": 86400000}}}`,
		Timeout: "Gives up after 60 seconds; timeout, in milliseconds, sets the limit.",
		Add:     []string{"copilot", "mcp", "add", "--timeout", "86400000", server, "--", "PROGRAM", "mcp"},
		Remove:  []string{"copilot", "mcp", "remove", server},
		Server: Target{File: "~/.copilot/mcp-config.json", Sets: []Setting{{Path: []string{"mcpServers", server},
			Value: `{"type": "local", "command": PROGRAM, "args": ["mcp"], "tools": ["*"], "timeout": 86400000}`}}},
		Native: copilotNative,
	},
	{
		Name: "Cline", ID: "cline", Program: "cline",
		File: "~/.cline/data/settings/cline_mcp_settings.json",
		Config: `{"mcpServers": {"choicetui": {"command": PROGRAM, "args": ["mcp"],
                              "timeout": 3600}}}`,
		Timeout: "Gives up after 60 seconds; timeout, in seconds, sets the limit, to an hour at most. Where you have " +
			"switched off its auto-approval, the plugin of choicetui setup avoids a confirmation before each question.",
		Server: Target{File: "~/.cline/data/settings/cline_mcp_settings.json", Sets: []Setting{
			{Path: []string{"mcpServers", server}, Value: `{"command": PROGRAM, "args": ["mcp"], "timeout": 3600}`}}},
		Also:   []Target{{File: "~/.cline/plugins/choicetui.js", Whole: clinePlugin, Lack: asksFirst}},
		ByHand: "Cline inside an editor has a file of its own: add choicetui there under MCP Servers, Configure.",
	},
	{
		Name: "Continue", ID: "continue", Program: "cn",
		File: "~/.continue/config.yaml",
		Config: `mcpServers: # if the file has this line already, add the rest below it
  - name: choicetui
    command: PROGRAM
    args: ["mcp"]`,
		Timeout: "Gives up after 60 seconds, and has no setting for that: its model calls again each time.",
		Server: Target{File: "~/.continue/config.yaml", Format: YAML, Sets: []Setting{
			{Path: []string{"mcpServers", ByName + server}, Value: `{"name": "choicetui", "command": PROGRAM,
				"args": ["mcp"]}`}}},
		ByHand: "Continue asks whether a tool of choicetui may be called: “Continue + don't ask again” (Shift-Tab) " +
			"allows that tool for good.",
	},
	{
		Name: "Crush", ID: "crush", Program: "crush", Project: "crush.json",
		File: "~/.config/crush/crush.json",
		Config: `{"mcp": {"choicetui": {"type": "stdio", "command": PROGRAM,
                       "args": ["mcp"], "timeout": 86400}}}`,
		Timeout: "Gives up after 15 seconds; timeout, in seconds, sets the limit.",
		Server: Target{File: "~/.config/crush/crush.json", Sets: []Setting{{Path: []string{"mcp", server},
			Value: `{"type": "stdio", "command": PROGRAM, "args": ["mcp"], "timeout": 86400}`}}},
	},
	{
		Name: "Goose", ID: "goose", Program: "goose",
		File: "~/.config/goose/config.yaml",
		Config: `extensions: # if the file has this line already, add the rest below it
  choicetui:
    name: choicetui
    type: stdio
    cmd: PROGRAM
    args: ["mcp"]
    enabled: true
    timeout: 86400`,
		Timeout: "Gives up after 300 seconds; timeout, in seconds, sets the limit.",
		Server: Target{File: "~/.config/goose/config.yaml", Format: YAML, Sets: []Setting{
			{Path: []string{"extensions", server}, Value: `{"name": "choicetui", "type": "stdio", "cmd": PROGRAM,
				"args": ["mcp"], "enabled": true, "timeout": 86400}`}}},
	},
	{
		Name: "Zed", ID: "zed", Program: "zed", Project: ".zed/settings.json",
		File: "~/.config/zed/settings.json",
		Config: `{"context_servers": {"choicetui": {"command": PROGRAM,
                                   "args": ["mcp"], "env": {}}}}`,
		Timeout: "Gives up after 60 seconds; its documentation names no setting for one server.",
		Server: Target{File: "~/.config/zed/settings.json", Sets: []Setting{{Path: []string{"context_servers", server},
			Value: `{"command": PROGRAM, "args": ["mcp"], "env": {}}`}}},
	},
}
