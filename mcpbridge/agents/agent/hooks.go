package agent

import (
	_ "embed"
	"slices"
	"strings"
)

// gateCommand returns the command line for an agent's prompt hook. Pending questions of this agent in the same
// directory hold its prompts back.
func gateCommand(program, id string) string { return ShellQuoted(program) + " gate --hook " + id }

// WithGate returns the client with its prompt hook added to its settings. A client without such a hook is returned
// unchanged.
func (c Client) WithGate(program string) Client { return c.withGate(gateCommand(program, c.ID)) }

// WithGateForAll does the same with a hook for which pending questions of every agent hold the prompts back.
func (c Client) WithGateForAll(program string) Client {
	return c.withGate(gateCommand(program, c.ID) + " --all")
}

// withGate adds a prompt hook that runs a command.
func (c Client) withGate(command string) Client {
	if c.Gate.File == "" {
		return c
	}
	gate := c.Gate.Target
	gate.Sets = fillIn(gate.Sets, strings.NewReplacer("COMMAND", Quoted(command)))
	return c.withSettings(gate)
}

// withSettings returns the client with more settings. They are added to the file if settings for it exist already.
func (c Client) withSettings(more Target) Client {
	c.Also = slices.Clone(c.Also)
	if c.Server.File == more.File {
		c.Server.Sets = slices.Concat(c.Server.Sets, more.Sets)
		return c
	}
	for i := range c.Also {
		if c.Also[i].File == more.File {
			c.Also[i].Sets = slices.Concat(c.Also[i].Sets, more.Sets)
			return c
		}
	}
	c.Also = append(c.Also, more)
	return c
}

// Native describes the hook of an agent that brings only a part of the agent's own prompts here, or more than the agent
// would ask. It is added only if the person chooses that.
type Native struct {
	Target        // the file of the hook, in which COMMAND is replaced by the command line
	Brings string // the prompts that it brings
	But    string // a fact that the person has to know before; a sentence
	ByHand string // a step that the person has to do before it works; a sentence, or empty
	// Trust is the text that follows the name of the hook's file in the agent's settings once the person has done
	// ByHand. Empty: the settings do not tell.
	Trust string
}

// NativeCommand returns the command line for the hook. It replaces the shell that runs it (exec), so that the agent is
// its parent process.
func NativeCommand(program, id string) string {
	return "exec " + ShellQuoted(program) + " hook " + id + " --timeout 86400"
}

// WithNative returns the client with the hook for its own prompts added to its settings. A client without such a hook
// is returned unchanged.
func (c Client) WithNative(program string) Client {
	if c.Native.File == "" {
		return c
	}
	own := c.Native.Target
	own.Sets = fillIn(own.Sets, strings.NewReplacer("COMMAND", Quoted(NativeCommand(program, c.ID))))
	return c.withSettings(own)
}

var (
	codexNative = Native{
		Target: Target{File: "~/.codex/hooks.json", Env: "CODEX_HOME", Sets: []Setting{
			{Path: []string{"hooks", "PreToolUse"}, Listed: true, Value: `{"matcher": "^request_user_input$", ` +
				`"hooks": [{"type": "command", "command": COMMAND, "timeout": 86400}]}`},
			{Path: []string{"hooks", "PostToolUse"}, Listed: true, Value: `{"matcher": "^request_user_input_async$", ` +
				`"hooks": [{"type": "command", "command": COMMAND, "timeout": 10}]}`},
			{Path: []string{"hooks", "PermissionRequest"}, Listed: true,
				Value: `{"hooks": [{"type": "command", "command": COMMAND, "timeout": 86400}]}`}}},
		Brings: "its own prompts when it runs without its app server",
		But: "The model gets the answer to a question as the reason why its tool was blocked. " +
			"Codex shows no prompt of its own meanwhile, and Esc there ends the wait.",
		ByHand: trustCodex,
		Trust:  ":permission_request:",
	}
	geminiNative = Native{
		Target: Target{File: "~/.gemini/settings.json", Sets: []Setting{
			{Path: []string{"hooks", "BeforeTool"}, Listed: true, Value: `{"matcher": "^ask_user$", "hooks": [` +
				`{"name": "choicetui", "type": "command", "command": COMMAND, "timeout": 86400000}]}`}}},
		Brings: "its questions",
		But: "The model gets the answer as the reason why its tool was blocked. Gemini CLI shows no prompt of its " +
			"own meanwhile, and Esc there ends the wait.",
	}
	qwenNative = Native{
		Target: Target{File: "~/.qwen/settings.json", Sets: []Setting{
			{Path: []string{"hooks", "PermissionRequest"}, Listed: true, Value: `{"hooks": [` +
				`{"name": "choicetui", "type": "command", "command": COMMAND, "timeout": 86400000}]}`}}},
		Brings: "its questions and permission prompts",
		But: "The model gets the answer to a question as the reason why its tool was refused. " +
			"Qwen Code shows no prompt of its own meanwhile.",
	}
	copilotNative = Native{
		Target: Target{File: "~/.copilot/hooks/choicetui.json", Sets: []Setting{
			{Path: []string{"version"}, Value: "1", Shared: true},
			{Path: []string{"hooks", "permissionRequest"}, Listed: true,
				Value: `{"type": "command", "bash": COMMAND, "timeoutSec": 86400}`}}},
		Brings: "its tool calls",
		But:    "You are asked about each call, also where Copilot CLI would not have asked you.",
	}
)

// trustCodex says what the person has to do before a hook of Codex runs.
const trustCodex = "Codex runs a new hook once you trust it: type /hooks there."

// nativeHooks lists the hooks of Claude Code. The first three bring its own questions, its permission prompts and
// plans, and the forms of its other MCP servers to the dashboard; each waits as long as a question may. Notification
// reports prompts that can be answered only in Claude Code's own pane, and ends at once. SessionStart delays Claude's
// first request until it has our tools, for two seconds at most.
var nativeHooks = []Setting{
	{Path: []string{"hooks", "PreToolUse"}, Listed: true,
		Value: `{"matcher": "AskUserQuestion", "hooks": [` + claudeHook + `]}`},
	{Path: []string{"hooks", "PermissionRequest"}, Listed: true, Value: `{"hooks": [` + claudeHook + `]}`},
	{Path: []string{"hooks", "Elicitation"}, Listed: true, Value: `{"hooks": [` + claudeHook + `]}`},
	{Path: []string{"hooks", "Notification"}, Listed: true, Value: `{"matcher": ` +
		`"permission_prompt|idle_prompt|agent_needs_input|elicitation_dialog|elicitation_url_dialog", "hooks": [` +
		`{"type": "command", "command": PROGRAM, "args": ["hook", "claude"], "timeout": 10}]}`},
	{Path: []string{"hooks", "SessionStart"}, Listed: true, Value: `{"matcher": "startup|resume", "hooks": [` +
		`{"type": "command", "command": PROGRAM, "args": ["hook", "claude"], "timeout": 10}]}`},
}

// geminiNotice is the hook with which Gemini CLI reports that it waits for its person. It ends at once and answers
// nothing.
var geminiNotice = Setting{Path: []string{"hooks", "Notification"}, Listed: true, Value: `{"matcher": "ToolPermission",
	"hooks": [{"name": "choicetui", "type": "command", "command": COMMAND, "timeout": 10000}]}`}

// claudeHook is started without a shell, so that Claude Code is its parent process.
const claudeHook = `{"type": "command", "command": PROGRAM, "args": ["hook", "claude", "--timeout", "86400"],
	"timeout": 86400, "statusMessage": "waiting in choicetui"}`

// opencodePlugin is the source of the plugin that brings the own questions and permission prompts of opencode, and of
// agents built on it, to the dashboard.
//
//go:embed opencode.js
var opencodePlugin string

// clinePlugin is the source of the plugin that lets Cline's model ask without a prompt of Cline's own before each
// question: no setting of Cline does that for one server.
//
//go:embed cline.js
var clinePlugin string
