package e2e

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// Several processes on one queue, any of which may die.

func TestTwoDashboardsShowTheSameQueue(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	m := r.tmux()
	here, there := m.dashboard(80, 24), m.dashboard(60, 20)
	a := r.connect("claude-code")
	call := a.ask(which())
	there.meet("Which database?")
	there.opens("n", "Done")
	there.write("if it stays cheap")
	here.meet("⏎ Send PostgreSQL + “if it stays cheap”", "drafted in another dashboard", "✎ if it stays cheap") // the guard is armed anew
	here.press("j", "Enter")

	there.see(" answered ", "Answered", "SQLite", "Close the text field (sends nothing)", "if it stays cheap")
	assert.Equal(t, []any{"sqlite"}, call.answer().selection()["selected_ids"])
	here.see("nothing is waiting")
	there.write(", and more") // typing goes on
	there.see("if it stays cheap, and more")
	there.press("Enter")
	there.see("y copy my text")
	there.press("Enter", "Escape")
	there.see("nothing is waiting")
}

func TestAnswersRacingFromTwoDashboardsGiveOneOutcome(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	m := r.tmux()
	here, there := m.dashboard(80, 24), m.dashboard(60, 20)
	s := r.put(database())
	here.meet("⏎ Send PostgreSQL")
	there.meet("⏎ Send PostgreSQL")
	there.press("j")
	there.see("⏎ Send SQLite")
	m.do("send-keys", "-t", here.id, "Enter", ";", "send-keys", "-t", there.id, "Enter")
	until(t, "it is settled", func() bool { return len(r.list()) == 0 })
	v, err := r.store().Get(t.Context(), s.ID)
	require.NoError(t, err)
	settled := 0
	for _, e := range v.Events {
		if e.Kind == queue.EventSettled {
			settled++
		}
	}
	assert.Equal(t, 1, settled)
	winner, loser := here, there
	if v.Outcome.Answer.Replies[0].Selected[0] == "sqlite" {
		winner, loser = there, here
	}
	winner.see("nothing is waiting", "sent")
	loser.see(" answered ", v.Summary())
}

// typeNote types a note on the first option of the question on screen.
func (p *pane) typeNote(text string) {
	p.Helper()
	p.meet("Which database?")
	p.opens("n", "Done")
	p.write(text)
	p.see(text)
}

// drafted waits until a draft with this note is kept.
func (r *room) drafted(id, note string) {
	r.Helper()
	until(r, "the draft is kept", func() bool {
		drafts, err := r.store().Drafts(r.Context(), id)
		return err == nil && len(drafts) > 0 && drafts[0].Answer.Replies[0].Notes["pg"] == note
	})
}

func TestANoteBeingTypedSurvivesKill9(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	m := r.tmux()
	s := r.put(database())
	p := m.dashboard(80, 24)
	p.typeNote("only the managed offering")
	r.drafted(s.ID, "only the managed offering")
	pid := p.process()
	require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
	gone(t, pid, patience)

	again := m.dashboard(80, 24)
	again.meet("✎ only the managed offering", "⏎ Send PostgreSQL + “only the managed offering”")
	again.press("Enter")
	again.see("nothing is waiting")
	assert.Equal(t, "only the managed offering", r.connect("claude-code").ask(object{"session_id": s.ID}).answer().
		selection()["option_annotations"].(object)["pg"])
}

func TestANoteBeingTypedSurvivesTheEndOfTheDashboard(t *testing.T) {
	for name, end := range map[string]func(p *pane, pid int){
		"Ctrl-C":          func(p *pane, _ int) { p.press("C-c"); p.lose("Done"); time.Sleep(guarded); p.press("C-c") },
		"q":               func(p *pane, _ int) { p.press("Enter"); p.quit() },
		"SIGTERM":         func(p *pane, pid int) { require.NoError(p, syscall.Kill(pid, syscall.SIGTERM)) },
		"the pane closed": func(p *pane, _ int) { p.do("kill-pane", "-t", p.id) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRoom(t)
			m := r.tmux()
			s := r.put(database())
			p := m.dashboard(80, 24)
			p.typeNote("only the managed offering")
			pid := p.process()
			p.write("!") // and at once
			p.see("only the managed offering!")
			end(p, pid)
			gone(t, pid, patience)
			drafts, err := r.store().Drafts(t.Context(), s.ID)
			require.NoError(t, err)
			require.Len(t, drafts, 1)
			assert.Equal(t, map[string]string{"pg": "only the managed offering!"}, drafts[0].Answer.Replies[0].Notes)
			m.dashboard(80, 24).see("✎ only the managed offering!")
		})
	}
}

func TestAnAnswerIsStoredWhenTheDashboardIsLeftAtOnce(t *testing.T) {
	for name, leave := range map[string]func(p *pane){
		"Ctrl-C": func(p *pane) { p.press("Enter", "C-c") },
		"q":      func(p *pane) { p.press("Enter", "q", "q") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRoom(t)
			s := r.put(database())
			p := r.tmux().script(80, 24, "choicetui")
			p.meet("Which database?", "⏎ Send PostgreSQL")
			leave(p)
			assert.Zero(t, p.ended())
			v, err := r.store().Get(t.Context(), s.ID)
			require.NoError(t, err)
			assert.Equal(t, "PostgreSQL", v.Summary())
		})
	}
}

func TestADeadAgentIsShownAsGoneAndItsAnswerIsKept(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	p := r.tmux().dashboard(100, 24)
	a := r.connect("claude-code")
	a.ask(which())
	alive := which()
	alive["title"] = "Which cache?"
	other := r.connect("codex-mcp-client")
	other.ask(alive)
	p.see("2 waiting", "Which database?", "Which cache?")
	a.kill()
	p.press("K", "K")
	p.when("the dead agent's question below the living one's", func(s string) bool {
		rows, cache, base := p.rows(), -1, -1
		for i, row := range rows {
			if cut := []rune(row); len(cut) > 40 {
				row = string(cut[:40])
			}
			switch {
			case cache < 0 && strings.Contains(row, "Which cache?"):
				cache = i
			case base < 0 && strings.Contains(row, "Which database?"):
				base = i
			}
		}
		return strings.Contains(s, "gone") && cache >= 0 && base > cache
	})
	for _, l := range r.list() {
		assert.Equal(t, l.Title == "Which database?", l.Gone, l.Title)
	}
	p.press("J", "J")
	p.see("⏎ Send PostgreSQL · claude disconnected", "gone · 9:")
}
