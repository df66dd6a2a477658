package agents

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
)

func TestClientOf_HowLongItWaits(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		soft  time.Duration
		waits bool
	}{
		"codex-mcp-client": {soft: 280 * time.Second}, "Codex": {soft: 280 * time.Second},
		"gemini-cli-mcp-client-choicetui": {soft: 570 * time.Second}, "claude-code": {waits: true}, "opencode": {waits: true},
		"pi": {waits: true}, "pine": {},
		"claude": {}, "qwen-cli-mcp-client": {}, "mine": {}, "": {},
	} {
		c := ClientOf(name)
		require.Equal(t, want.soft, c.SoftLimit, name)
		require.Equal(t, want.waits, c.WaitsOnProgress, name)
		require.Equal(t, want.soft == 570*time.Second, c.Stopped != nil, name)
	}
}

func TestClientOf_ReadsTheNamesOfEveryClient(t *testing.T) {
	t.Parallel()
	meta := map[string]any{"threadId": "t1", "claudecode/toolUseId": "toolu_1"}
	for _, name := range []string{"codex-mcp-client", "claude-code", "gemini-cli", "mine"} {
		c := ClientOf(name)
		require.Equal(t, "t1", c.Thread(meta), name)
		require.Equal(t, "toolu_1", c.ToolUse(meta), name)
	}
}

func TestPatience(t *testing.T) {
	t.Parallel()
	s := config.Default()
	for id, want := range map[string]time.Duration{"claude": 10 * time.Second, "codex": 280 * time.Second,
		"gemini": 570 * time.Second, "opencode": 10 * time.Second, "opencode2": 10 * time.Second, "qwen": 50 * time.Second} {
		require.Equal(t, want, Patience(s, id), id)
	}
	s.SoftLimits = map[string]int{"claude-code": 20, "codex": 0, "qwen": 30}
	for id, want := range map[string]time.Duration{"claude": 20 * time.Second, "codex": 10 * time.Second,
		"qwen": 30 * time.Second} {
		require.Equal(t, want, Patience(s, id), id)
	}
}

func TestProjectDir(t *testing.T) {
	t.Setenv("CLAUDE_PROJECT_DIR", "")
	require.Empty(t, ProjectDir())
	t.Setenv("CLAUDE_PROJECT_DIR", "/src/shop")
	require.Equal(t, "/src/shop", ProjectDir())
}

func TestWaitsForTools(t *testing.T) {
	t.Setenv("CLAUDE_CODE_SESSION_ID", "")
	require.False(t, WaitsForTools())
	t.Setenv("CLAUDE_CODE_SESSION_ID", "5f0e")
	require.True(t, WaitsForTools())
}
