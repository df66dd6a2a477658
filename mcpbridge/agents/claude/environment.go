package claude

import (
	"os"

	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
)

// variables lists the environment variables of Claude Code.
var variables = []agent.Variable{
	{Names: "CLAUDE_CONFIG_DIR",
		Means: "Where Claude Code keeps its settings. Default: ~/.claude, and ~ for .claude.json."},
	{Names: "CLAUDE_PID, CLAUDE_CODE_SESSION_ATTENDED",
		Means: "Set by Claude Code for its hooks: its process id, and whether it shows its own prompts to a person."},
	{Names: "CLAUDE_CODE_SESSION_ID",
		Means: "Set by Claude Code for its MCP servers. If it is set, Claude Code's first request can wait until " +
			"choicetui's tools are ready."},
	{Names: "CLAUDE_PROJECT_DIR", Means: "Set by Claude Code for its hooks: the project that a prompt belongs to."},
}

// projectDir returns the directory of the project in which Claude Code runs this hook; empty: another agent runs it.
func projectDir() string { return os.Getenv("CLAUDE_PROJECT_DIR") }

// startedServer reports whether Claude Code started this MCP server.
func startedServer() bool { return os.Getenv("CLAUDE_CODE_SESSION_ID") != "" }
