package e2e

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The whole way: an agent's call, the person's keys in another terminal, the result in the agent's hands.

func TestAgentAsksAndThePersonAnswersInTheDashboard(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	p := r.tmux().dashboard(80, 24)
	a := r.connect("claude-code", "--queue", r.queue)
	call := a.ask(which())
	p.meet("Which database?", "shop · claude", "⏎ Send PostgreSQL")
	id := r.only().ID

	p.press("j")
	p.opens("n", "Done")
	p.write("only until March")
	p.press("Enter")
	p.see("⏎ Send SQLite + “only until March”")
	p.press("Enter")

	got := call.answer()
	assert.Equal(t, "selected", got.status())
	assert.Equal(t, object{"selected_ids": []any{"sqlite"}, "option_annotations": object{"sqlite": "only until March"},
		"summary": got.selection()["summary"], "transport": "terminal"}, got.selection())
	assert.Equal(t, id, got.structured["session_id"])
	assert.Equal(t, "human", got.structured["settled_by"])
	assert.Contains(t, got.text, "SQLite")
	assert.Contains(t, got.text, "only until March")
	assert.Contains(t, got.selection()["summary"], "SQLite")
	p.see("nothing is waiting", "SQLite → shop · claude", "delivered")
	assert.Empty(t, r.list())
	assert.Contains(t, a.ask(object{"session_id": id}).refusal(), "fetched before")
}

func TestAnotherBridgeGoesOnWithTheSameQuestion(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	p := r.tmux().dashboard(80, 24)
	first := r.connect("claude-code", "--queue", r.queue)
	lost := first.ask(which())
	p.meet("Which database?")
	id := r.only().ID
	first.kill()
	assert.Error(t, lost.wait().err)
	p.see("gone")

	second := r.connect("claude-code", "--queue", r.queue)
	call := second.ask(which())
	p.lose("gone")
	require.Equal(t, id, r.only().ID, "the same ask joins")
	p.press("Enter")
	got := call.answer()
	assert.Equal(t, []any{"pg"}, got.selection()["selected_ids"])
	assert.Equal(t, id, got.structured["session_id"])
}

func TestAnotherBridgePollsBySessionID(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	p := r.tmux().dashboard(80, 24)
	first := r.connect("claude-code", "--queue", r.queue)
	first.ask(which())
	p.meet("Which database?")
	id := r.only().ID
	first.kill()
	p.see("gone")

	second := r.connect("claude-code", "--queue", r.queue)
	now := second.ask(object{"session_id": id, "wait_seconds": 0}).answer()
	assert.Equal(t, "pending_terminal_launch", now.status())
	call := second.ask(object{"session_id": strings.ToUpper(id), "wait_seconds": 60})
	p.lose("gone")
	p.press("Enter")
	got := call.answer()
	assert.Equal(t, "selected", got.status())
	assert.Equal(t, []any{"pg"}, got.selection()["selected_ids"])
	assert.Equal(t, id, got.structured["session_id"])
}

func TestAnswerGivenWhileNoBridgeRanIsFetchedByID(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	p := r.tmux().dashboard(80, 24)
	first := r.connect("claude-code", "--queue", r.queue)
	first.ask(which())
	p.meet("Which database?")
	id := r.only().ID
	first.kill()
	p.see("gone", "claude disconnected; answer kept 10 min")
	p.press("Enter")
	p.see("nothing is waiting", "PostgreSQL → shop · claude: not delivered yet")
	assert.Empty(t, r.list())

	second := r.connect("another-agent", "--queue", r.queue)
	got := second.ask(object{"session_id": id}).answer()
	assert.Equal(t, "selected", got.status())
	assert.Equal(t, []any{"pg"}, got.selection()["selected_ids"])
	assert.Contains(t, second.ask(object{"session_id": id}).refusal(), "fetched before")
	p.see("delivered")
}

func TestWithoutADashboardTheAgentIsHandedACommandThatWorks(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	m := r.tmux()
	a := r.connect("claude-code")
	got := a.ask(which()).answer()
	require.Equal(t, "pending_terminal_launch", got.status())
	id, _ := got.structured["session_id"].(string)
	command, _ := got.selection()["url"].(string)
	assert.Equal(t, "choicetui --queue "+r.queue+" attach "+id, command)
	assert.Contains(t, got.text, command)
	assert.Contains(t, got.selection()["summary"], "works once")

	p := m.shell(80, 24)
	p.line("clear; " + command)
	p.meet("Which database?", "⏎ Send PostgreSQL and close")
	p.press("Enter")
	p.see("PostgreSQL\n$")
	assert.Equal(t, []any{"pg"}, a.ask(object{"session_id": id}).answer().selection()["selected_ids"])
}
