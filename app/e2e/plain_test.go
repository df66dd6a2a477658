package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// readable waits until a terminal got this text, and returns all it got; nothing in it may steer a terminal.
func (c *console) readable(want string) string {
	c.Helper()
	text := ""
	until(c, "written: "+want, func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		text = strings.ReplaceAll(string(c.raw), "\r\n", "\n")
		return strings.Contains(text, want)
	})
	assert.NotRegexp(c, `[\x00-\x09\x0b-\x1f\x7f]`, text)
	return text
}

// lines starts a command on a terminal that can do nothing but print.
func (r *room) lines(args ...string) *console {
	r.Helper()
	cmd := r.command(args...)
	cmd.Env = append(cmd.Env, "TERM=dumb")
	return r.console(80, 24, cmd)
}

func TestPlainAttachOnADumbTerminal(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	s := r.put(database())
	c := r.lines("attach", "--plain", s.ID)
	c.readable("Type a number.")
	time.Sleep(guarded)
	c.press("2\n")
	c.readable("Send SQLite to shop · claude? Press Enter to send it")
	time.Sleep(guarded)
	c.press("\n")
	text := c.readable("Sent: SQLite to shop · claude.\nSQLite\n")
	assert.Zero(t, c.ended())
	assert.Equal(t, 1, strings.Count(text, "Question "+s.ID))
	assert.NotNil(t, r.show(s.ID)["attached"])
	assert.Equal(t, 5, r.run("attach", "--plain", s.ID).code)
}

func TestPlainTypeAheadOnATerminalAnswersNothing(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	ask := database()
	ask.Questions[0].SingleSubmit = true
	s := r.put(ask)
	c := r.lines("attach", "--plain", s.ID)
	c.press("1\n\n") // while it starts
	c.readable(`Not taken: "1" came too soon. Type it again.`)
	assert.Len(t, r.list(), 1)
	time.Sleep(guarded)
	c.press("2\n")
	c.readable("Sent: SQLite")
	assert.Zero(t, c.ended())
}

func TestPlainDashboardOnATerminalTakesQuestionsAsTheyCome(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	c := r.lines("--plain")
	c.readable("Nothing is waiting.")
	call := r.connect("claude-code").ask(object{"title": "Which database?", "prompt": "p", "selection_mode": "hybrid",
		"options": []object{{"id": "pg", "label": "PostgreSQL", "recommended": true}, {"id": "lite"}}})
	c.readable("Type the numbers of all your choices")
	time.Sleep(guarded)
	c.press("1\n")
	c.readable("Send PostgreSQL to")
	c.press("t two\\\nlines\n")
	c.readable("Send PostgreSQL, “two lines” to shop · claude? Press Enter to send it")
	time.Sleep(guarded)
	c.press("\n")
	got := call.answer().selection()
	assert.Equal(t, []any{"pg"}, got["selected_ids"])
	assert.Equal(t, "two\nlines", got["custom_input"])
	c.readable("Delivered to shop · claude.")
	c.press("\x04") // Ctrl-D
	assert.Zero(t, c.ended())
}

func TestPlainEndsWithCtrlCAndKeepsTheQuestion(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	s := r.put(database())
	c := r.lines("attach", "--plain", s.ID)
	c.readable("Type a number.")
	c.press("\x03")
	assert.Equal(t, 6, c.ended())
	assert.Len(t, r.list(), 1)
	require.Equal(t, queue.StatusPending, r.list()[0].Status)
}

func TestPlainAttachWithoutATerminalReadsItsPipeAndDoesNotWait(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	s := r.put(database())
	got := r.run("attach", "--plain", s.ID) // an agent's shell: nothing on stdin
	assert.Equal(t, 6, got.code)
	assert.Contains(t, got.out, "The input ended; 1 question stays in the queue.\nnot answered yet\n")
}

// TestPlain_SaysThatATerminalCutALine pastes a line that is longer than what a terminal passes on.
func TestPlain_SaysThatATerminalCutALine(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	s := r.put(database())
	c := r.lines("attach", "--plain", s.ID)
	c.readable("Type a number.")
	time.Sleep(guarded)
	written := func(want string) {
		until(c, "written: "+want, func() bool { return strings.Contains(c.bytes(), want) }) // with bells of the terminal
	}
	c.press("t "+strings.Repeat("long ", 1000)+"\n", "\n")
	written("only the first 4095 bytes of the line came")
	assert.Len(t, r.list(), 1)
	c.press("2\n")
	written("Press Enter to send it")
	time.Sleep(guarded)
	c.press("\n")
	written("Sent: SQLite")
	assert.NotContains(t, r.run("show", s.ID, "--json").out, "long long")
}
