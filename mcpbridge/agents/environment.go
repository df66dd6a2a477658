package agents

import (
	"slices"

	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
	"github.com/choicetui/choicetui/mcpbridge/agents/claude"
	"github.com/choicetui/choicetui/mcpbridge/agents/codex"
	"github.com/choicetui/choicetui/mcpbridge/agents/copilot"
	"github.com/choicetui/choicetui/mcpbridge/agents/gemini"
)

// Example is the agent in the examples of the help.
const Example = "codex"

// Variables returns the environment variables of all agents.
func Variables() []agent.Variable {
	return slices.Concat(claude.Variables, codex.Variables, gemini.Variables, copilot.Variables)
}

// ProjectDir returns the directory of the project in which an agent runs this hook; empty: the agent does not say it.
func ProjectDir() string { return claude.ProjectDir() }

// WaitsForTools reports whether the agent that started this MCP server runs a hook that holds back its first request
// until it has our tools.
func WaitsForTools() bool { return claude.StartedServer() }
