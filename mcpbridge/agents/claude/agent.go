package claude

import (
	"os"
	"strings"

	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
)

// Agent returns what is known of Claude Code.
func Agent() agent.Agent {
	return agent.Agent{
		Client: agent.Client{
			Name: "Claude Code", ID: "claude", Program: "claude", Project: ".mcp.json", Local: "projects",
			Command: "claude mcp add --scope user choicetui -- PROGRAM mcp",
			File:    "~/.claude/settings.json",
			Config:  `{"env": {"CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS": "0"}}`,
			Timeout: "Waits as long as needed, but moves a call to the background after 2 minutes (since 2.1.212). " +
				"CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS=0 prevents that, for all your MCP servers (2.1.330 has no such " +
				"setting for just one).",
			Server: agent.Target{File: "~/.claude.json", Env: "CLAUDE_CONFIG_DIR", Sets: []agent.Setting{
				{Path: []string{"mcpServers", "choicetui"},
					Value: `{"type": "stdio", "command": PROGRAM, "args": ["mcp"],
				"alwaysLoad": true, "timeout": 86400000}`}}}, // see Lack
			Also: []agent.Target{{File: "~/.claude/settings.json", Env: "CLAUDE_CONFIG_DIR", Off: "disableAllHooks",
				Sets: append([]agent.Setting{
					{Path: []string{"env", "CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS"}, Value: `"0"`,
						Lack: "a question moves to the background after 2 minutes",
						Note: "Claude keeps waiting for slow tools instead of moving them to the background, for all " +
							"MCP servers: there is no setting for just one (CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS=0)."},
					{Path: []string{"permissions", "allow"}, Listed: true, Value: `"` + allowRule + `"`,
						Lack: agent.AsksFirst, Rule: agent.Rule{Alike: allowRule + "__*",
							Managed: "allowManagedPermissionRulesOnly",
							Against: []agent.Against{
								{Path: []string{"permissions", "deny"}, So: "it refuses each question"},
								{Path: []string{"permissions", "ask"}, So: agent.AsksFirst}}}},
				}, hooks...)}},
			Lack: map[string]string{"alwaysLoad": agent.ToolsHidden},
			Layers: agent.Layers{Project: []string{".claude/settings.local.json", ".claude/settings.json"},
				Managed: "/etc/claude-code/managed-settings.json",
				Apple:   "/Library/Application Support/ClaudeCode/managed-settings.json",
				HookOff: []string{"allowManagedHooksOnly", "strictPluginOnlyCustomization"}},
			LocalRemove: "claude mcp remove --scope local choicetui",
			Gate: agent.Gate{Event: "UserPromptSubmit",
				Target: agent.Target{File: "~/.claude/settings.json", Env: "CLAUDE_CONFIG_DIR",
					Sets: []agent.Setting{agent.PromptHook}}},
		},
		Hook: &agent.Hook{
			Brings: "questions, permission prompts, plans, and forms from other servers",
			Read:   Read, Notice: ReadNotice, Following: Following,
			Starts: func(raw []byte) bool { return attended() && Starts(raw) }, // claude -p waits on its own
			PID:    pid, Shows: shows, Headless: headless,
		},
		Sessions: agent.Sessions{Reader: Transcripts{}, Subagent: subagentOf,
			Homes:   func() []string { return []string{os.Getenv("CLAUDE_CONFIG_DIR")} },
			OwnCall: func(id string) bool { return strings.HasPrefix(id, "toolu_") }},
		Calls: mcpClient, Variables: variables, ProjectDir: projectDir, WaitsForTools: startedServer,
	}
}

// allowRule is the permission rule that allows the tools of this server without a prompt: a question does no harm.
const allowRule = "mcp__choicetui"

// hooks lists the hooks of Claude Code. The first three bring its own questions, its permission prompts and
// plans, and the forms of its other MCP servers to the dashboard; each waits as long as a question may. Notification
// reports prompts that can be answered only in Claude Code's own pane, and ends at once. SessionStart delays Claude's
// first request until it has our tools, for two seconds at most.
var hooks = []agent.Setting{
	{Path: []string{"hooks", "PreToolUse"}, Listed: true, Brings: "its questions",
		Value: `{"matcher": "AskUserQuestion", "hooks": [` + waitingHook + `]}`},
	{Path: []string{"hooks", "PermissionRequest"}, Listed: true, Brings: "its permission prompts and plans",
		Value: `{"hooks": [` + waitingHook + `]}`},
	{Path: []string{"hooks", "Elicitation"}, Listed: true, Brings: "the forms of its other servers",
		Value: `{"hooks": [` + waitingHook + `]}`},
	{Path: []string{"hooks", "Notification"}, Listed: true, Brings: agent.OwnPane,
		Value: `{"matcher": ` +
			`"permission_prompt|idle_prompt|agent_needs_input|elicitation_dialog|elicitation_url_dialog", "hooks": [` +
			`{"type": "command", "command": PROGRAM, "args": ["hook", "claude"], "timeout": 10}]}`},
	{Path: []string{"hooks", "SessionStart"}, Listed: true, Value: `{"matcher": "startup|resume", "hooks": [` +
		`{"type": "command", "command": PROGRAM, "args": ["hook", "claude"], "timeout": 10}]}`},
}

// waitingHook is started without a shell, so that Claude Code is its parent process.
const waitingHook = `{"type": "command", "command": PROGRAM, "args": ["hook", "claude", "--timeout", "86400"],
	"timeout": 86400, "statusMessage": "waiting in choicetui"}`
