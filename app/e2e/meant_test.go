package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/choicetui/choicetui/queue"
)

// wordsOnly is a question that takes only words.
func wordsOnly() queue.Ask {
	ask := database()
	ask.Title, ask.TimeoutSeconds = "Which name?", 3600
	q := &ask.Questions[0]
	q.Mode, q.Options, q.Defaults, q.Min, q.Max = queue.ModeText, nil, nil, 0, 0
	return ask
}

// typist is a terminal into which somebody types.
type typist interface {
	press(keys ...string)
	shows(words string)
	shown() string
}

func (c *console) shows(words string) { c.see(words) }
func (p *pane) shows(words string)    { p.see(words) }
func (p *pane) shown() string         { return p.screen() }
func (c *console) shown() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.wire.String()
}

// enters types an answer in words on purpose, and returns how many Enters sent it.
func (r *room) enters(at typist, s queue.Session, enter string) (n int) {
	r.Helper()
	for _, key := range "MIT" {
		at.press(string(key))
		time.Sleep(140 * time.Millisecond)
	}
	at.shows("MIT”") // the button
	for ; n < 4; n++ {
		at.press(enter)
		var now queue.Session
		until(r, "it is sent, or asks", func() (known bool) {
			var err error
			now, err = r.store().Get(r.Context(), s.ID)
			assert.NoError(r, err)
			asks := n == 0 && strings.Contains(at.shown(), "Was this meant") // later the words may be those of before
			return now.Outcome != nil || asks
		})
		if time.Sleep(guarded); now.Outcome != nil {
			assert.Equal(r, "MIT", now.Outcome.Answer.Replies[0].Text)
			return n + 1
		}
	}
	return n
}

func TestOwnWordsTakeOneEnterWhereThePersonIsKnownToBeHereElseTwo(t *testing.T) {
	t.Parallel()
	const once, twice = "Type your answer; Enter sends it", "Type your answer; Enter twice sends it"
	want := func(t *testing.T, r *room, at typist, s queue.Session, n int, enter string) {
		t.Helper()
		at.shows(map[int]string{1: once, 2: twice}[n])
		time.Sleep(guarded)
		assert.Equal(t, n, r.enters(at, s, enter))
	}
	t.Run("a bare terminal", func(t *testing.T) {
		t.Parallel()
		r := newRoom(t)
		c := r.console(100, 30, r.command())
		c.see("? keys")
		first, second := r.put(wordsOnly()), r.put(wordsOnly())
		want(t, r, c, first, 2, "\r")
		want(t, r, c, second, 1, "\r") // the person brought it up with the answer
		third := r.put(wordsOnly())
		c.see(twice)
		c.press("\x1b[I") // the terminal gets the focus
		want(t, r, c, third, 1, "\r")
	})
	t.Run("tmux without focus events", func(t *testing.T) {
		t.Parallel()
		r := newRoom(t)
		p := r.tmux().dashboard(100, 30)
		first, second := r.put(wordsOnly()), r.put(wordsOnly())
		want(t, r, p, first, 2, "Enter")
		want(t, r, p, second, 1, "Enter")
	})
	t.Run("tmux with focus events", func(t *testing.T) {
		t.Parallel()
		r := newRoom(t)
		m := r.tmux()
		p, _ := m.elsewhere("new-window")
		s := r.put(wordsOnly())
		p.see(twice)
		m.do("select-window", "-t", p.id)
		want(t, r, p, s, 1, "Enter")
	})
	t.Run("attach", func(t *testing.T) {
		t.Parallel()
		r := newRoom(t)
		for focus, n := range map[bool]int{false: 2, true: 1} {
			s := r.put(wordsOnly())
			c := r.console(100, 30, r.command("attach", s.ID))
			c.see(twice)
			time.Sleep(guarded)
			if focus {
				time.Sleep(guarded) // a report that comes at once may be the answer to the program's question
				c.press("\x1b[I")
			}
			want(t, r, c, s, n, "\r")
		}
	})
}
