package e2e

import (
	"context"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestComplaintsAboutTime(t *testing.T) {
	answered(t,
		complaint{"1 it decided for me when the time was up", theClockDecidesNothing},
		complaint{"1 unattended runs want the clock to decide", theClockDecidesWhereThePersonSaidSo},
		complaint{"1 I cannot set how long it waits", thePersonSetsTheTime},
		complaint{"1 the time ran out while I was answering", typingHoldsTheClock},
		complaint{"2 the client saw no sign of life and gave up", aSignOfLife},
		complaint{"2 the client gave up and took the question along", theClientGaveUp},
		complaint{"2 the call ended and the agent went on by itself", theAgentIsToldToCallAgain},
		complaint{"2 the agent gave me one second", theLeastTime},
		complaint{"9 everything was restarted and the question was gone", everythingRestarts},
		complaint{"9 nothing shows how long I have", theCountdown},
		complaint{"9 my answer came late and went nowhere", tooLate},
	)
}

func theClockDecidesNothing(r *room) {
	p := r.tmux().dashboard(80, 24)
	call := r.connect("claude-code").ask(with(object{"timeout_seconds": 3, "default_selection_ids": []string{"sqlite"}}))
	p.see("⏎ Send SQLite · expires at 0:00")
	got := call.answer()
	assert.Equal(r, "timeout", got.status())
	assert.Equal(r, "clock", got.structured["settled_by"])
	assert.Equal(r, []any{}, got.selection()["selected_ids"], "neither the default nor the recommended")
	assert.Contains(r, got.text, "Nobody answered in time and nothing was chosen")
	assert.Contains(r, got.text, "Do not choose for the person.")
	p.see(" timed out ", "! Timed out: no answer")
}

func theClockDecidesWhereThePersonSaidSo(r *room) {
	r.settings(`{"timeout_action": "defaults"}`)
	p := r.tmux().dashboard(80, 24)
	call := r.connect("claude-code").ask(with(object{"timeout_seconds": 3, "default_selection_ids": []string{"sqlite"}}))
	p.see("⏎ Send SQLite · at 0:00 sends SQLite")
	got := call.answer()
	assert.Equal(r, "timeout", got.status(), "it never passes for a person's answer")
	assert.Equal(r, "clock", got.structured["settled_by"])
	assert.Equal(r, []any{"sqlite"}, got.selection()["selected_ids"])
	assert.Contains(r, got.text, "Nobody answered in time: ")
}

func thePersonSetsTheTime(r *room) {
	p := r.tmux().dashboard(80, 24)
	p.press("s")
	p.meet("▸ transport")
	p.press("s")
	p.walk("j", "▸ my own time limit")
	p.press("Enter", "BSpace", "BSpace", "BSpace") // off
	p.write("86400")
	p.press("Enter")
	p.see("‹ 24 h ›", "saved")
	p.press("Escape")
	p.see("nothing is waiting")
	r.connect("claude-code").ask(with(object{"timeout_seconds": 1}))
	p.see("Which database?", " 24h ─")
	assert.Greater(r, time.Until(r.only().Deadline), 23*time.Hour)
}

func typingHoldsTheClock(r *room) {
	p := r.tmux().dashboard(80, 24)
	call := r.connect("claude-code").ask(with(object{"timeout_seconds": 5}))
	p.meet("Which database?", "expires at 0:00")
	end := r.only().Deadline
	p.opens("n", "Done")
	p.write("slowly")
	p.see("slowly", " extended ─")
	until(r, "the time the agent gave is over", func() bool { return time.Now().After(end) })
	call.waits()
	p.press("Enter", "Enter")
	got := call.answer()
	assert.Equal(r, "selected", got.status())
	assert.Equal(r, object{"pg": "slowly"}, got.selection()["option_annotations"])
}

func aSignOfLife(r *room) {
	p := r.tmux().dashboard(80, 24)
	a := r.connect("some-client")
	require.NoError(r, a.client.Start(context.Background()))
	heard := make(chan mcp.JSONRPCNotification, 10)
	a.client.OnNotification(func(n mcp.JSONRPCNotification) { heard <- n })
	call := a.use(request{tool: "provide_choice", args: which(), token: "the call"})
	select {
	case n := <-heard:
		assert.Equal(r, "notifications/progress", n.Method)
		assert.Equal(r, "the call", n.Params.AdditionalFields["progressToken"])
		assert.Regexp(r, `^waiting for the person: Which database\?, 59\d s left$`, n.Params.AdditionalFields["message"])
	case <-time.After(patience):
		require.Fail(r, "no progress")
	}
	p.meet("Which database?")
	p.press("Enter")
	assert.Equal(r, "selected", call.answer().status())
}

func theClientGaveUp(r *room) {
	p := r.tmux().dashboard(80, 24)
	a := r.connect("some-client")
	lost := a.use(request{tool: "provide_choice", args: which(), giving: "McpError: MCP error -32001: Request timed out"})
	p.meet("Which database?")
	id := r.only().ID
	lost.stop()
	assert.Error(r, lost.wait().err)
	p.see("some disconnected; answer kept 10 min", "gone")
	again := a.ask(which())
	p.lose("gone")
	require.Equal(r, id, r.only().ID, "the same ask goes on with the same question")
	p.press("Enter")
	assert.Equal(r, []any{"pg"}, again.answer().selection()["selected_ids"])
}

func theAgentIsToldToCallAgain(r *room) {
	r.settings(`{"soft_limits": {"hasty": 1}}`)
	p := r.tmux().dashboard(80, 24)
	a := r.connect("hasty-client")
	yet := a.ask(which()).answer()
	assert.Equal(r, "pending_terminal_launch", yet.status())
	assert.Contains(r, yet.text, "No answer yet")
	assert.Contains(r, yet.text, "do not choose yourself")
	assert.Equal(r, []any{}, yet.selection()["selected_ids"])
	screen := p.meet("Which database?", "⏎ Send PostgreSQL")
	assert.NotContains(r, screen, "gone")
	id := yet.structured["session_id"]
	p.press("j", "Enter")
	got := a.ask(object{"session_id": id}).answer()
	assert.Equal(r, []any{"sqlite"}, got.selection()["selected_ids"])
	assert.Equal(r, id, got.structured["session_id"])
}

func theLeastTime(r *room) {
	r.settings(`{"timeout_override": 120}`)
	p := r.tmux().dashboard(80, 24)
	call := r.connect("claude-code").ask(with(object{"timeout_seconds": 1}))
	p.meet("Which database?", " 1:")
	p.press("Enter")
	assert.Equal(r, "selected", call.answer().status())
}

func everythingRestarts(r *room) {
	m := r.tmux()
	p := m.dashboard(80, 24)
	a := r.connect("claude-code")
	a.ask(which())
	p.typeNote("only until March")
	id := r.only().ID
	r.drafted(id, "only until March")
	a.kill()
	pid := p.process()
	require.NoError(r, syscall.Kill(pid, syscall.SIGKILL))
	gone(r, pid, patience)

	p = m.dashboard(80, 24)
	p.see("Which database?", "✎ only until March", "claude disconnected")
	call := r.connect("claude-code").ask(which())
	p.lose("gone")
	time.Sleep(guarded)
	p.press("Enter")
	got := call.answer()
	assert.Equal(r, id, got.structured["session_id"])
	assert.Equal(r, object{"pg": "only until March"}, got.selection()["option_annotations"])
}

func theCountdown(r *room) {
	p := r.tmux().dashboard(80, 24)
	r.connect("claude-code").ask(with(object{"timeout_seconds": 300}))
	p.see("Which database?")
	left := func() string { return strings.TrimSpace(countdown.FindString(p.rows()[0])) }
	for range 2 {
		before := left()
		until(r, "less time", func() bool { return left() < before })
	}
	assert.Regexp(r, `^4:\d\d ─$`, left())
	p.press("+")
	until(r, "a minute more", func() bool { return strings.HasPrefix(left(), "5:") })
	p.press("-", "-")
	until(r, "two minutes less", func() bool { return strings.HasPrefix(left(), "3:") })
}

func tooLate(r *room) {
	p := r.tmux().dashboard(80, 24)
	a := r.connect("claude-code")
	call := a.ask(with(object{"timeout_seconds": 2}))
	p.see("Which database?")
	assert.Equal(r, "timeout", call.answer().status())
	p.see(" timed out ", "! Timed out: ")
	p.opens("i", "type a line to shop · claude")
	p.write("SQLite, please")
	p.press("Enter")
	p.see("✓ “", "delivered when it next asks") // the composer says the latter before it is sent, too
	got := a.use(request{tool: "next_message", args: object{}}).answer()
	assert.Equal(r, "SQLite, please", got.structured["text"])
	p.see("“SQLite, please” → shop", "delivered")
}
