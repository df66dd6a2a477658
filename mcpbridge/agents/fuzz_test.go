package agents

import (
	"testing"

	"github.com/choicetui/choicetui/mcpbridge/agents/agenttest"
	"github.com/choicetui/choicetui/mcpbridge/agents/claude"
	"github.com/choicetui/choicetui/mcpbridge/agents/codex"
	"github.com/choicetui/choicetui/mcpbridge/agents/copilot"
	"github.com/choicetui/choicetui/mcpbridge/agents/gemini"
	"github.com/choicetui/choicetui/mcpbridge/agents/pi"
	"github.com/choicetui/choicetui/mcpbridge/agents/qwen"
)

func FuzzClaudeHook(f *testing.F)  { agenttest.FuzzHook(f, "claude", claude.Read) }
func FuzzCodexHook(f *testing.F)   { agenttest.FuzzHook(f, "codex-hook", codex.ReadHook) }
func FuzzGeminiHook(f *testing.F)  { agenttest.FuzzHook(f, "gemini", gemini.Read) }
func FuzzQwenHook(f *testing.F)    { agenttest.FuzzHook(f, "qwen", qwen.Read) }
func FuzzPiHook(f *testing.F)      { agenttest.FuzzHook(f, "pi", pi.Read) }
func FuzzCopilotHook(f *testing.F) { agenttest.FuzzHook(f, "copilot", copilot.Read) }
