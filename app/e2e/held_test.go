package e2e

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// An answer that the setting undo_seconds holds back, when its dashboard ends or stands still.

// holding has an answer held back, longer than any test takes, and returns its session and the dashboard's pid.
func (p *pane) holding() (queue.Session, int) {
	p.Helper()
	p.settings(`{"undo_seconds": 60}`)
	s := p.put(database())
	pid := p.running("pid")
	p.press("j")
	p.see("⏎ Send SQLite")
	p.press("Enter")
	p.see("sends SQLite in ", "u takes it back")
	require.Len(p, p.list(), 1, "nothing is sent yet")
	return s, pid
}

// stored waits until a session has its answer, and checks that it is the one that was held.
func (r *room) stored(id string) {
	r.Helper()
	until(r, "the postponed answer is stored", func() bool {
		v, err := r.store().Get(r.Context(), id)
		return err == nil && v.Outcome != nil
	})
	v, err := r.store().Get(r.Context(), id)
	require.NoError(r, err)
	assert.Equal(r, []string{"sqlite"}, v.Outcome.Answer.Replies[0].Selected)
}

func TestAHeldAnswerIsSentBeforeTheDashboardEnds(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(p *pane, pid int)
		code string
	}{
		"SIGTERM": {func(p *pane, pid int) { require.NoError(p, syscall.Kill(pid, syscall.SIGTERM)) }, "code 143"},
		"SIGHUP":  {func(p *pane, pid int) { require.NoError(p, syscall.Kill(pid, syscall.SIGHUP)) }, "code 129"},
		"Ctrl-C":  {func(p *pane, _ int) { p.press("C-c") }, "code 0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newRoom(t).tmux().shell(80, 24)
			s, pid := p.holding()
			c.end(p, pid)
			p.see(c.code)
			p.stored(s.ID)
		})
	}
}

func TestAHeldAnswerIsSentBeforeTheDashboardStandsStill(t *testing.T) {
	for name, stop := range map[string]func(p *pane, pid int){
		"Ctrl-Z":  func(p *pane, _ int) { p.press("C-z") },
		"SIGTSTP": func(p *pane, pid int) { require.NoError(p, syscall.Kill(pid, syscall.SIGTSTP)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newRoom(t).tmux().shell(80, 24)
			s, pid := p.holding()
			stop(p, pid)
			p.see("Stopped")
			require.Equal(t, "T", state(pid))
			p.stored(s.ID)
			p.line("clear; fg")
			p.see("nothing is waiting", "SQLite")
			p.quit()
			p.lose("nothing is waiting")
			p.line("echo code $?")
			p.see("code 0")
		})
	}
}

func TestAHeldAnswerIsTheDraftAfterKill9(t *testing.T) {
	t.Parallel()
	p := newRoom(t).tmux().shell(80, 24)
	s, pid := p.holding()
	require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
	gone(t, pid, patience)
	require.Equal(t, s.ID, p.only().ID, "nothing was sent")
	again := p.dashboard(80, 24)
	again.meet("Which database?", "● SQLite", "⏎ Send SQLite", "draft restored")
	again.press("Enter")
	again.see("sends SQLite in ")
	again.press("u")
	again.see("taken back; nothing was sent", "⏎ Send SQLite")
	require.Len(t, p.list(), 1)
}
