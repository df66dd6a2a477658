package connect

import _ "embed"

// nativeHooks are the hooks by which Claude Code's own questions, permission prompts and plans, and the forms of its
// other servers, are answered in the dashboard. Each waits as long as a question may.
var nativeHooks = []Setting{
	{Path: []string{"hooks", "PreToolUse"}, Listed: true,
		Value: `{"matcher": "AskUserQuestion", "hooks": [` + claudeHook + `]}`},
	{Path: []string{"hooks", "PermissionRequest"}, Listed: true, Value: `{"hooks": [` + claudeHook + `]}`},
	{Path: []string{"hooks", "Elicitation"}, Listed: true, Value: `{"hooks": [` + claudeHook + `]}`},
}

// claudeHook is started without a shell, so that it knows its agent.
const claudeHook = `{"type": "command", "command": PROGRAM, "args": ["hook", "claude", "--timeout", "86400"],
	"timeout": 86400, "statusMessage": "waiting in choicetui"}`

// opencodePlugin is the plugin by which opencode's own questions and permission prompts are answered in the dashboard.
//
//go:embed opencode.js
var opencodePlugin string
