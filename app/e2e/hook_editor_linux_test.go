package e2e

import (
	"fmt"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// runsClaude starts a program that looks like a Claude Code with these arguments, which says that it has no terminal.
func (r *room) runsClaude(args ...string) *exec.Cmd {
	r.Helper()
	claude := exec.Command("sh", append([]string{"-c", "sleep 3600; :", "claude"}, args...)...)
	require.NoError(r, claude.Start())
	r.Cleanup(func() { _, _ = claude.Process.Kill(), claude.Wait() })
	r.env = append(r.env, fmt.Sprintf("CLAUDE_PID=%d", claude.Process.Pid), "CLAUDE_CODE_SESSION_ATTENDED=0")
	return claude
}

func TestAPromptThatAnEditorAnswersIsFollowedLikeThatOfATerminal(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"claude-agent-acp": {"--output-format", "stream-json", "--permission-prompt-tool", "stdio"},
		"in one word":      {"-p", "--permission-prompt-tool=mcp__mine__allow"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRoom(t)
			b := besideClaude{room: r, Recording: ofClaude(r, "permission_once"), claude: r.runsClaude(args...)}
			b.starts()
			q := queue.New(r.store())
			s := r.asked(q) // no dashboard is open: the editor shows the prompt
			require.True(t, s.Ask.NoClock)
			b.writes(allowedThere)
			began := time.Now()
			s = r.ended(q, s.ID)
			require.Less(t, time.Since(began), 3*time.Second, "a second, on a machine that is not busy")
			require.Equal(t, "answered in claude", s.Summary())
		})
	}
}

func TestAPromptThatNobodySeesIsLeftToClaudeWithoutADashboard(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.dashboard()()
	b := besideClaude{room: r, Recording: ofClaude(r, "permission_once"), claude: r.runsClaude("-p", "do it")}
	b.starts()
	began := time.Now()
	require.Equal(t, result{}, b.hook.wait())
	require.Less(t, time.Since(began), 3*time.Second)
}

func TestAPromptThatNobodySeesEndsByTheTranscript(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.dashboard()
	b := besideClaude{room: r, Recording: ofClaude(r, "permission_once"), claude: r.runsClaude("-p", "do it")}
	b.starts()
	q := queue.New(r.store())
	s := r.asked(q)
	require.False(t, s.Ask.NoClock)
	b.writes(deniedByHook)
	require.Equal(t, "decided by another hook", r.ended(q, s.ID).Summary())
	require.Equal(t, result{}, b.hook.wait())
}
