package plain

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
)

// reads hands over a line as the loop does, and then lets time pass.
func (b *bench) reads(text string, after time.Duration) {
	b.routeLine(line{text, b.Clock.T}, true)
	end := b.Clock.T.Add(after)
	if due := b.answer.board.Due(); !due.IsZero() && !due.After(end) {
		b.Clock.T = due
		b.passTime()
	}
	b.Clock.T = end
	b.passTime()
}

// preset is a question that Enter answers as it is, once the lines have said so.
func preset() queue.Ask {
	a := roomtest.Database()
	a.Questions[0].Defaults = []string{"pg"}
	return a
}

func TestLines_HeldEnterIsOnePress(t *testing.T) {
	for _, delay := range []time.Duration{250, 500, 660} {
		b := newBench(t, nil)
		var all []queue.Session
		for range 3 {
			all = append(all, b.ask(preset()))
		}
		ended := func() (n int) {
			for _, s := range all {
				if !b.get(s.ID).Pending() {
					n++
				}
			}
			return n
		}
		hold := func() {
			b.reads("", delay*time.Millisecond)
			for range 100 {
				b.reads("", 33*time.Millisecond)
			}
			b.wait(3 * time.Second)
		}
		hold()
		require.Contains(t, b.news(), "Press Enter to send it")
		require.Zero(t, ended())
		hold()
		require.Equal(t, 1, ended(), "the second press sends")
	}
}

func TestLines_EnterTwiceSends(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(preset())
	b.reads("", 400*time.Millisecond)
	b.reads("", 119*time.Millisecond)
	b.settle()
	require.True(t, b.get(s.ID).Pending(), "it waits")
	b.wait(time.Millisecond)
	require.False(t, b.get(s.ID).Pending())
}

func TestLines_EnterThatWaitsIsDroppedByALine(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(preset())
	b.reads("", 400*time.Millisecond)
	b.reads("", 50*time.Millisecond)
	b.reads("help", time.Second)
	require.Contains(t, b.news(), "That key was ignored; another one followed at once.")
	require.True(t, b.get(s.ID).Pending())
}
