package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/assert"
)

func TestComplaintsAboutKeys(t *testing.T) {
	answered(t,
		complaint{"3 keys pressed before it came up answered it", keysInFlight},
		complaint{"3 my second Enter answered the next question", theSecondEnter},
		complaint{"3 it came up while I was typing and took my keys", theArrivalTakesNoKeys},
		complaint{"3 the click that focused the window picked an option", aClick},
		complaint{"3 space accepted what was preselected", spaceAcceptsNothing},
		complaint{"3 what I typed for another pane answered it", typedForAnotherPane},
		complaint{"3 a paste answered it", aPaste},
		complaint{"10 one Esc destroyed the question and what I had typed", escDestroysNothing},
		complaint{"10 skipping was taken for no preference", cancelledIsNoPreference},
		complaint{"10 there is no way to dismiss it", cancelIsAlwaysThere},
		complaint{"12 space should mark, Enter send, digits pick", theUsualKeys},
		complaint{"12 Enter twice unmarked my choice and sent nothing", enterTwice},
		complaint{"12 a digit should answer at once", aDigitAnswers},
		complaint{"12 I cannot type a second line", secondLine},
	)
}

// inFlight asks with ask until keys pressed at once were quick enough to count as pressed before the question was seen,
// and returns that call.
func (c *console) inFlight(keys string, ask func(title string) *call) *call {
	c.Helper()
	for i := 0; ; i++ {
		title := fmt.Sprintf("Question %d?", i)
		call := ask(title)
		shown := c.when(title, func(v *wire) bool { return v.rows()[1] == title })
		c.press(keys)
		if time.Since(shown) < guarded/4 {
			return call
		}
		call.stop() // this machine was slow, and they may have answered it
		call.wait()
		c.when("another row than "+title, func(v *wire) bool { return v.rows()[1] != title })
	}
}

func keysInFlight(r *room) {
	c := r.console(80, 24, r.command())
	c.see("? keys")
	a := r.connect("claude-code")
	c.press("2 \r")
	call := c.inFlight("2\r", func(title string) *call {
		return a.ask(with(object{"title": title, "single_submit_mode": true}))
	})
	c.see("2 was ignored")
	time.Sleep(guarded)
	call.waits()
	c.press("2")
	assert.Equal(r, []any{"sqlite"}, call.answer().selection()["selected_ids"])
}

func theSecondEnter(r *room) {
	c := r.console(80, 24, r.command())
	c.see("? keys")
	a := r.connect("claude-code")
	call := c.inFlight("\r", func(title string) *call {
		first := a.ask(which())
		c.see("⏎ Send PostgreSQL")
		second := a.ask(with(object{"title": title}))
		c.see("─ 2 waiting")
		time.Sleep(guarded)
		c.press("\r")
		assert.Equal(r, "selected", first.answer().status())
		return second
	})
	time.Sleep(guarded)
	call.waits()
	c.press("j", "\r")
	assert.Equal(r, []any{"sqlite"}, call.answer().selection()["selected_ids"])
}

func theArrivalTakesNoKeys(r *room) {
	p := r.tmux().dashboard(80, 24)
	a := r.connect("claude-code")
	first := a.ask(which())
	p.typeNote("if it stays")
	second := a.ask(with(object{"title": "Delete the staging data?", "timeout_seconds": 100, "single_submit_mode": true}))
	p.see("Delete the staging data?", "2 waiting")
	p.write(" cheap 1 2 y x")
	p.see("Which database?", "if it stays cheap 1 2 y x", "Done")
	p.press("Enter", "Enter")
	got := first.answer()
	assert.Equal(r, object{"pg": "if it stays cheap 1 2 y x"}, got.selection()["option_annotations"])
	p.see("─ 1 waiting", "Delete the staging data?")
	second.waits()
}

func aClick(r *room) {
	m := r.tmux()
	m.do("set", "-g", "mouse", "on")
	p, person := m.elsewhere("split-window")
	call := r.connect("claude-code").ask(with(object{"single_submit_mode": true, "timeout_seconds": 200}))
	screen := p.meet("2 ○ SQLite", "⏎ Send PostgreSQL")
	before, _, _ := strings.Cut(screen, "2 ○ SQLite")
	row, column := strings.Count(before, "\n")+1, uniseg.StringWidth(before[strings.LastIndex(before, "\n")+1:])+5
	assert.Equal(r, "0", p.told("#{pane_active}"))
	person.press(fmt.Sprintf("\x1b[<0;%d;%dM\x1b[<0;%[1]d;%[2]dm", column, row))
	until(r, "the click gives it the focus", func() bool { return p.told("#{pane_active}") == "1" })
	p.press("+") // a key behind the click has come
	p.see(" 4:", "⏎ Send PostgreSQL")
	call.waits()
}

func spaceAcceptsNothing(r *room) {
	p := r.tmux().dashboard(80, 24)
	call := r.connect("claude-code").ask(which())
	p.meet("⏎ Send PostgreSQL")
	p.press("Space", "Space", "j")
	p.see("⏎ Send SQLite")
	call.waits()
	p.press("Enter")
	assert.Equal(r, []any{"sqlite"}, call.answer().selection()["selected_ids"])
}

func typedForAnotherPane(r *room) {
	p := r.tmux().dashboard(80, 24)
	call := r.connect("claude-code").ask(which())
	p.meet("⏎ Send PostgreSQL")
	p.press("m", "w", "Enter")
	p.see("Was this meant for claude? ⏎ Ask with it")
	call.waits()
	p.press("Escape")
	p.meet("⏎ Send PostgreSQL")
	p.press("b", "f", "Enter")
	p.see("Not yet: press Enter again")
	call.waits()
	assert.Equal(r, "Which database?", r.only().Title)
}

func aPaste(r *room) {
	m := r.tmux()
	p := m.dashboard(80, 24)
	call := r.connect("claude-code").ask(with(object{"single_submit_mode": true}))
	p.meet("⏎ Send PostgreSQL")
	m.do("set-buffer", "2\ny\n\n")
	m.do("paste-buffer", "-p", "-t", p.id)
	p.see("pasting needs a text field: press")
	call.waits()
	p.opens("n", "Done")
	m.do("set-buffer", "first line\nsecond line\n")
	m.do("paste-buffer", "-p", "-r", "-t", p.id)
	p.see("first line", "second line", "Done")
	call.waits()
}

func escDestroysNothing(r *room) {
	p := r.tmux().dashboard(80, 24)
	call := r.connect("claude-code").ask(which())
	p.typeNote("only the managed offering")
	for range 4 {
		p.press("Escape")
		p.see("✎ only the managed offering", "⏎ Send PostgreSQL + “only the managed offering”")
		time.Sleep(reported)
	}
	p.walk("j", "⏎ Send SQLite") // an Esc and a key right behind it are one key
	p.press("k")
	p.see("⏎ Send PostgreSQL + “only the managed offering”")
	call.waits()
	p.press("x")
	p.see("⏎ Cancel and tell claude")
	p.press("Escape")
	p.see("⏎ Send PostgreSQL + “only the managed offering”")
	p.press("Enter")
	assert.Equal(r, object{"pg": "only the managed offering"}, call.answer().selection()["option_annotations"])
}

func cancelledIsNoPreference(r *room) {
	p := r.tmux().dashboard(80, 24)
	call := r.connect("claude-code").ask(which())
	p.meet("Which database?")
	p.opens("x", "⏎ Cancel and tell claude")
	p.press("Down", "Down")
	p.see("none of these: ask again with different options")
	p.press("Enter")
	got := call.answer()
	assert.Equal(r, "cancelled", got.status())
	assert.Equal(r, "human", got.structured["settled_by"])
	assert.Equal(r, "none of these: ask again with different options", got.structured["reason"])
	assert.Equal(r, []any{}, got.selection()["selected_ids"])
	assert.Contains(r, got.text, "Nothing was chosen: ")
	assert.Contains(r, got.text, "Do not continue with any of the options.")
}

func cancelIsAlwaysThere(r *room) {
	r.settings(`{"keys": {"cancel": []}}`) // not even the person can take it away
	p := r.tmux().open(30, 10, r.bin)
	p.see("nothing is waiting")
	call := r.connect("claude-code").ask(with(object{"allow_cancel": false, "disable_cancel": true, "hide_cancel": true}))
	p.meet("Which database?", "x cancel", "? keys")
	p.opens("x", "⏎ Cancel and tell claude")
	p.press("Enter")
	assert.Equal(r, "cancelled", call.answer().status())
}

// several is the question which where one or both may be chosen.
func several() object { return with(object{"selection_mode": "multi"}) }

func theUsualKeys(r *room) {
	p := r.tmux().dashboard(80, 24)
	call := r.connect("claude-code").ask(several())
	p.meet("1 □ PostgreSQL", "2 □ SQLite", "space mark")
	p.press("Space")
	p.see("▸1 ■ PostgreSQL", "⏎ Send PostgreSQL")
	p.press("2")
	p.see(" 1 ■ PostgreSQL", "▸2 ■ SQLite", "⏎ Send 2: PostgreSQL, SQLite")
	p.press("1")
	p.see("▸1 □ PostgreSQL", "⏎ Send SQLite")
	p.press("2")
	p.see("1 □ PostgreSQL", "2 □ SQLite", "Not yet: mark 1 or more (0 marked)")
	p.press("1", "2")
	p.see("⏎ Send 2: PostgreSQL, SQLite")
	p.press("Enter")
	assert.Equal(r, []any{"pg", "sqlite"}, call.answer().selection()["selected_ids"])
}

func enterTwice(r *room) {
	p := r.tmux().dashboard(80, 24)
	call := r.connect("claude-code").ask(several())
	p.meet("▸1 □ PostgreSQL", "Not yet: mark 1 or more (0 marked)")
	p.press("Enter", "Enter", "Enter")
	p.press("G")
	p.see("▸2 □ SQLite", "Not yet: mark 1 or more (0 marked)")
	call.waits()
	p.press("Space", "Enter", "Enter")
	assert.Equal(r, []any{"sqlite"}, call.answer().selection()["selected_ids"])
}

func aDigitAnswers(r *room) {
	r.settings(`{"single_submit_mode": true}`)
	p := r.tmux().dashboard(80, 24)
	call := r.connect("claude-code").ask(which())
	p.meet("2 ○ SQLite")
	p.press("2")
	assert.Equal(r, []any{"sqlite"}, call.answer().selection()["selected_ids"])
}

func secondLine(r *room) {
	p := r.tmux().dashboard(80, 24)
	call := r.connect("claude-code").ask(with(object{"selection_mode": "text_input", "options": nil}))
	p.meet("Type your answer")
	p.write("first")
	p.see("^J new line")
	p.press("C-j")
	p.write("second")
	p.press("M-Enter")
	p.write("third")
	p.see("first", "second", "third")
	p.sendWords()
	got := call.answer()
	assert.Equal(r, "custom_input", got.status())
	assert.Equal(r, strings.Join([]string{"first", "second", "third"}, "\n"), got.selection()["custom_input"])
}
