package prompt

import (
	"testing"
)

func FuzzClaudeHook(f *testing.F)  { fuzzHook(f, "claude", Claude) }
func FuzzCodexHook(f *testing.F)   { fuzzHook(f, "codex-hook", CodexHook) }
func FuzzGeminiHook(f *testing.F)  { fuzzHook(f, "gemini", Gemini) }
func FuzzQwenHook(f *testing.F)    { fuzzHook(f, "qwen", Qwen) }
func FuzzCopilotHook(f *testing.F) { fuzzHook(f, "copilot", Copilot) }
