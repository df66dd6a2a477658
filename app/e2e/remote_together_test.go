package e2e

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDashboardsOnSeveralMachinesShareAHost(t *testing.T) {
	t.Parallel()
	first, second := newRoom(t), newRoom(t)
	h := first.sshd().host("box")
	first.adds(h)
	second.adds(h)
	one, two, own := first.tmux().dashboard(120, 40), second.tmux().dashboard(120, 40), h.tmux().dashboard(120, 40)
	until(t, "three dashboards are open on the host", func() bool {
		relays, _ := filepath.Glob(filepath.Join(h.queue, "present", "*"))
		return len(relays) >= 3 && len(h.processes("choicetui relay")) >= 2
	})
	a := h.connect("claude-code")
	call := a.ask(which())
	for _, p := range []*pane{one, two, own} {
		p.meet("Which database?", "⏎ Send PostgreSQL")
	}
	two.press("j", "Enter")
	require.Equal(t, "sqlite", call.selected())
	two.see("nothing is waiting", "✓ SQLite → shop · claude @box")
	for _, p := range []*pane{one, own} {
		p.lose("1 waiting")
		p.see("answered", "SQLite")
	}

	call = a.ask(which())
	for _, p := range []*pane{one, two, own} {
		p.meet("Which database?", "⏎ Send PostgreSQL")
	}
	id := h.only().ID
	one.opens("n", "Done")
	one.write("if it stays cheap")
	const theirs = "drafted in another dashboard"
	two.meet("⏎ Send PostgreSQL + “if it stays cheap”", theirs)
	own.meet("⏎ Send PostgreSQL + “if it stays cheap”", theirs)
	two.press("j")
	two.opens("n", "Done")
	two.write("it is on every machine")
	h.drafted("it is on every machine")
	h.drafted("if it stays cheap")
	one.see("✎ if it stays cheap")
	own.see("it is on every machine")

	own.meet("⏎ Send SQLite")
	own.press("k", "Enter")
	require.Equal(t, "pg", call.selected())
	own.see("nothing is waiting")
	one.see(" answered ", "if it stays cheap")
	two.see(" answered ", "it is on every machine")
	assert.Equal(t, 1, h.settled(id))
	for _, p := range []*pane{one, two} {
		for _, key := range []string{"Enter", "Escape", "Escape"} { // the first one may only end the typing
			p.press(key)
			time.Sleep(guarded) // two escapes that come together may be one key
		}
		p.see("nothing is waiting")
	}
}
