package e2e

import (
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/agents/agenttest"
	"github.com/choicetui/choicetui/queue"
)

// others are the agents beside Claude Code that run hooks, by the name of their recordings.
var others = map[string]string{"codex-hook": "codex", "gemini": "gemini", "qwen": "qwen", "copilot": "copilot",
	"pi": "pi"}

func TestAHookAnswersEachOtherAgentInItsOwnForm(t *testing.T) {
	t.Parallel()
	for recorded, agent := range others {
		for _, c := range agenttest.All(t, recorded) {
			t.Run(recorded+"/"+c.Name, func(t *testing.T) {
				t.Parallel()
				r := newRoom(t)
				r.dashboard()
				q := queue.New(r.store())
				p := r.hookOf(agent, c.Stdin)
				if c.IsLeft() {
					r.leavesRecorded(q, p, c)
					return
				}
				s := r.asked(q)
				require.True(t, s.EndsWithCall())
				r.passesOn(q, p, s, c)
			})
		}
	}
}

func TestAHookOfAnotherAgentSaysNothingWithoutADashboardOrToTooMuch(t *testing.T) {
	t.Parallel()
	for recorded, agent := range others {
		r := newRoom(t)
		all := agenttest.All(t, recorded)
		c := all[slices.IndexFunc(all, func(c agenttest.Recording) bool { return c.Stdout != nil })]
		require.Equal(t, result{}, r.hookOf(agent, c.Stdin).wait())
		require.NoDirExists(t, r.queue, "looking makes nothing")
		r.dashboard()
		much := strings.Replace(string(c.Stdin), `{`, `{"x":"`+strings.Repeat("y", 17<<20)+`",`, 1)
		require.Equal(t, result{}, r.hookOf(agent, []byte(much)).wait())
	}
}

// Pi shows a dialog of our extension beside the question, as soon as the hook says that it asks.
func TestAHookOfPiIsToldThatThePersonAnsweredThere(t *testing.T) {
	t.Parallel()
	for sig, says := range map[syscall.Signal]string{syscall.SIGUSR1: "answered in pi", syscall.SIGTERM: "interrupted in pi"} {
		r := newRoom(t)
		r.dashboard()
		q := queue.New(r.store())
		all := agenttest.All(t, "pi")
		c := all[slices.IndexFunc(all, func(c agenttest.Recording) bool { return c.Stdout != nil })]
		p := r.hookOf("pi", c.Stdin, "--tell")
		s := r.asked(q)
		until(t, "it says so", func() bool { return p.err.String() == "asking\n" })
		require.NoError(t, p.cmd.Process.Signal(sig))
		require.Equal(t, result{err: "asking\n"}, p.wait())
		require.Equal(t, says, r.ended(q, s.ID).Summary())
	}
}

// Codex kills a hook that it waits for without a word when the person presses Esc there.
func TestTheQuestionOfAKilledHookIsWithdrawnInFiveSeconds(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	c := r.lines("--plain")
	q := queue.New(r.store())
	until(t, "the dashboard is there", func() bool {
		present, err := q.Store.Present(t.Context())
		return err == nil && len(present) > 0
	})
	for _, one := range agenttest.All(t, "codex-hook") {
		if one.Name != "permission_once" {
			continue
		}
		p := r.hookOf("codex", one.Stdin)
		s := r.asked(q)
		c.readable("touch ./proof")
		killed := time.Now()
		require.NoError(t, p.cmd.Process.Kill())
		p.wait()
		until(t, "it is withdrawn", func() bool {
			got, err := q.Store.Get(t.Context(), s.ID)
			require.NoError(t, err)
			s = got
			return !s.Pending()
		})
		require.Less(t, time.Since(killed), 5*time.Second)
		require.Equal(t, queue.StatusCancelled, s.Status())
		require.Equal(t, queue.CallerGone, s.Outcome.Reason)
	}
}
