package screen

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
)

// numbered asks a question with twelve options, of which one counts, or several do.
func numbered(b *bench, mode string) string {
	a := roomtest.Endpoints()
	q := &a.Questions[0]
	q.Mode, q.Min, q.Max, q.Defaults = mode, 1, 12, nil
	if mode == queue.ModeSingle {
		q.Max = 1
	}
	for i := range q.Options {
		q.Options[i].Recommended = false
	}
	s := b.ask(a, shop())
	b.calm()
	return s.ID
}

// marked returns the options of the question on view that are marked.
func (b *bench) marked() (ids []string) {
	for _, o := range b.view.Form().Here().Options {
		if b.view.Form().Here().Marked(o.ID) {
			ids = append(ids, o.ID)
		}
	}
	return ids
}

func TestNumbersFromTenOnAreTyped(t *testing.T) {
	for _, pace := range []time.Duration{30 * time.Millisecond, 200 * time.Millisecond, 450 * time.Millisecond} {
		b := newBench(t, 80, 24)
		numbered(b, queue.ModeMulti)
		b.keysAt(pace, "1")
		require.Empty(t, b.marked(), "nothing is marked on the way")
		b.keysAt(pace, "1")
		require.Equal(t, []string{"POST /mail"}, b.marked(), "%v", pace)
		b.keysAt(pace, "2")
		require.Equal(t, []string{"GET /search", "POST /mail"}, b.marked(), "2 begins no longer number")
		b.keysAt(pace, "10")
		require.Contains(t, b.marked(), "GET /export.csv")
	}
}

func TestADigitThatStaysAloneCounts(t *testing.T) {
	b := newBench(t, 80, 24)
	numbered(b, queue.ModeMulti)
	b.Key(event("1"))
	due := b.board.Due()
	require.False(t, due.IsZero())
	b.keyboard.actLate(due)
	require.Equal(t, []string{"POST /checkout"}, b.marked())
	b.clock.Pass(time.Second)
	b.Key(event("2"))
	require.Equal(t, []string{"POST /checkout", "GET /search"}, b.marked())
}

func TestEnterBehindANumberSendsThatOption(t *testing.T) {
	for typed, want := range map[string]string{"1": "POST /checkout", "2": "GET /search", "11": "POST /mail", "12": "GET /health"} {
		for _, pace := range []time.Duration{80 * time.Millisecond, 120 * time.Millisecond, 480 * time.Millisecond} {
			b := newBench(t, 80, 24)
			id := numbered(b, queue.ModeSingle)
			b.keysAt(pace, typed)
			b.clock.Pass(pace)
			b.Key(event("enter"))
			b.settle()
			if out := b.get(id).Outcome; assert.NotNil(t, out, "%s at %v: %s", typed, pace, b.footer()) {
				assert.Equal(t, []string{want}, out.Answer.Replies[0].Selected, "%s at %v", typed, pace)
			}
		}
	}
}

func TestANumberWithoutAnOptionSendsNothing(t *testing.T) {
	b := newBench(t, 80, 24)
	id := numbered(b, queue.ModeSingle)
	b.keysAt(100*time.Millisecond, "15")
	b.clock.Pass(100 * time.Millisecond)
	b.Key(event("enter"))
	b.settle()
	require.True(t, b.get(id).Pending(), "the person meant no option that is here")
	require.Contains(t, b.said()+b.footer(), "15")
}

func TestASentenceWithNumbersMarksNothing(t *testing.T) {
	b := newBench(t, 80, 24)
	id := numbered(b, queue.ModeMulti)
	b.keysAt(80*time.Millisecond, "take 12 of 100")
	b.clock.Pass(80 * time.Millisecond)
	b.Key(event("enter"))
	b.settle()
	require.True(t, b.get(id).Pending())
}

func TestNineOptionsAreMarkedAtOnce(t *testing.T) {
	b := newBench(t, 80, 24)
	a := database()
	q := &a.Questions[0]
	q.Mode, q.Max, q.Defaults = queue.ModeMulti, len(q.Options), nil
	b.ask(a, shop())
	b.calm()
	b.keysAt(100*time.Millisecond, "2")
	require.True(t, b.board.Due().IsZero())
	require.Equal(t, []string{"lite"}, b.marked())
}

func TestOptionsFromTenOnShowTheirNumber(t *testing.T) {
	b := newBench(t, 80, 40)
	numbered(b, queue.ModeMulti)
	require.Contains(t, b.picture(), "12□ GET /health")
}
