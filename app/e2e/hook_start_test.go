package e2e

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/require"
)

// TestClaudeCodeIsHeldAtItsStartUntilItHasOurTools plays Claude Code: this process starts the hook and our server.
func TestClaudeCodeIsHeldAtItsStartUntilItHasOurTools(t *testing.T) {
	t.Parallel()
	const start = `{"session_id":"s","hook_event_name":"SessionStart","source":%q}`
	took := func(r *room, source string, meanwhile func()) time.Duration {
		t.Helper()
		began := time.Now()
		p := r.hook(fmt.Appendf(nil, start, source))
		meanwhile()
		require.Equal(t, result{}, p.wait())
		return time.Since(began)
	}
	nothing := func() {}
	claudes := func() *room {
		r := newRoom(t)
		r.env = append(r.env, fmt.Sprintf("CLAUDE_PID=%d", os.Getpid()), "CLAUDE_CODE_SESSION_ATTENDED=1",
			"CLAUDE_CODE_SESSION_ID=s")
		return r
	}
	r := claudes()
	require.Less(t, took(r, "startup", nothing), time.Second, "nothing was ever asked here")
	r.dashboard()
	require.Greater(t, took(r, "startup", nothing), 1900*time.Millisecond, "our server does not come")
	require.Less(t, took(r, "clear", nothing), time.Second, "Claude has had the tools for long")
	require.Greater(t, took(r, "resume", func() {
		time.Sleep(500 * time.Millisecond)
		a := r.connect("claude-code")
		_, err := a.client.ListTools(t.Context(), mcp.ListToolsRequest{})
		require.NoError(t, err)
	}), time.Second, "as long again as the list took")
	require.Less(t, took(r, "startup", nothing), time.Second, "the server is there")
	r.env = append(r.env, "CLAUDE_CODE_SESSION_ATTENDED=0", "CLAUDE_PID=1")
	require.Less(t, took(r, "startup", nothing), time.Second, "claude -p waits itself")
}
