package screen

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
)

// pass lets time pass, with what is due by the clock.
func (b *bench) pass(d time.Duration) {
	end := b.now().Add(d)
	if due := b.keyboard.lateDue(); !due.IsZero() && !due.After(end) {
		b.clock.T = due
		b.Screen.tick()
		b.settle()
	}
	b.clock.T = end
}

// hold holds a key for four seconds on a keyboard that repeats it after delay and then so many times a second.
func (b *bench) hold(key string, delay time.Duration, hertz int, meanwhile func(held time.Duration)) {
	began := b.now()
	for after := time.Duration(0); b.now().Sub(began) < 4*time.Second; after = time.Second / time.Duration(hertz) {
		if b.now().Equal(began) && after > 0 {
			after = delay
		}
		b.pass(after)
		if meanwhile != nil {
			meanwhile(b.now().Sub(began))
		}
		b.Key(event(key))
		b.settle()
	}
	b.pass(3 * time.Second)
}

// ended returns how many of the sessions have an outcome.
func (b *bench) ended(all []queue.Session) (n int) {
	for _, s := range all {
		if !b.get(s.ID).Pending() {
			n++
		}
	}
	return n
}

// TestKeyboard_HeldKeyIsOnePress holds keys wherever they send something, with more questions pending behind.
func TestKeyboard_HeldKeyIsOnePress(t *testing.T) {
	atOnce := database()
	atOnce.Questions[0].SingleSubmit = true
	confirmed := database()
	confirmed.Confirm, confirmed.ConfirmMessage = true, "This cannot be undone."
	words := one(queue.ModeText, func(q *queue.Question) { q.Options = nil })
	press := func(names ...string) func(*bench) {
		return func(b *bench) {
			for _, k := range names {
				b.press(k)
				b.calm()
			}
		}
	}
	for _, c := range []struct {
		name   string
		ask    queue.Ask
		before func(*bench)
		key    string
		ends   int // how many of ten questions
		then   func(*testing.T, *bench)
	}{
		{"questions", database(), nil, "enter", 1, nil},
		{"a digit that sends", atOnce, nil, "2", 1, nil},
		{"space that sends", atOnce, nil, "space", 1, nil},
		{"a digit that marks", database(), nil, "2", 0, nil},
		{"an approval", roomtest.ApproveTest(), press("y"), "enter", 1, nil},
		{"the key that allows", roomtest.ApproveTest(), nil, "y", 0, nil},
		{"a form", authRework(), nil, "enter", 0, func(t *testing.T, b *bench) {
			require.Equal(t, 1, b.form().At())
			require.False(t, b.form().Reviewing())
		}},
		{"before a confirmation", confirmed, nil, "enter", 0, func(t *testing.T, b *bench) {
			require.True(t, b.form().Confirming())
		}},
		{"a confirmation", confirmed, press("enter"), "y", 1, nil},
		{"a confirmation that Enter does not give", confirmed, press("enter"), "enter", 0, nil},
		{"own words", database(), func(b *bench) {
			b.press("a")
			b.calm()
			b.write("because")
			b.calm()
		}, "enter", 0, func(t *testing.T, b *bench) { require.Equal(t, form.FieldNone, b.form().Typing()) }},
		{"no words yet", words, nil, "enter", 0, nil},
		{"a reason for a cancel", database(), func(b *bench) {
			press("x")(b)
			b.write("no")
			b.calm()
		}, "enter", 1, nil},
		{"an offer", database(), press("L"), "enter", 0, func(t *testing.T, b *bench) {
			n := 0
			for _, s := range b.sessions() {
				if _, aside := s.AsideUntil(b.now()); aside {
					n++
				}
			}
			require.Equal(t, 1, n)
		}},
		{"the key that cancels", database(), nil, "x", 0, nil},
		{"the queue", database(), press("tab", "j"), "enter", 0, nil},
		{"the way through the queue", database(), nil, "J", 0, nil},
		{"the way back", database(), nil, "esc", 0, nil},
		{"the settings", database(), press("s"), "enter", 0, nil},
	} {
		for _, delay := range []time.Duration{250 * time.Millisecond, 500 * time.Millisecond, 660 * time.Millisecond} {
			for _, hertz := range []int{11, 25, 30} {
				t.Run(fmt.Sprintf("%s, %v, %d Hz", c.name, delay, hertz), func(t *testing.T) {
					b := newBench(t, 80, 24)
					var all []queue.Session
					for range 10 {
						all = append(all, b.ask(c.ask, shop()))
					}
					b.calm()
					if c.before != nil {
						c.before(b)
					}
					b.pass(time.Second)
					b.hold(c.key, delay, hertz, nil)
					ends := c.ends
					if c.key == "y" && delay < desk.Pause { // the repeats come before the press acts
						ends = 0
					}
					require.Equal(t, ends, b.ended(all), b.picture())
					if c.then != nil {
						c.then(t, b)
					}
				})
			}
		}
	}
}

func TestKeyboard_EnterHeldOnSeveralAlikeSendsThemOnce(t *testing.T) {
	for _, delay := range []time.Duration{250 * time.Millisecond, 500 * time.Millisecond, 660 * time.Millisecond} {
		b := newBench(t, 120, 40)
		list := b.askAlike("npm test", "go test ./...", "make lint")
		next := b.ask(database(), shop())
		b.slowly("*", "y")
		b.hold("enter", delay, 30, nil)
		require.Equal(t, 3, b.ended(list))
		require.True(t, b.get(next.ID).Pending())
	}
}

// TestKeyboard_KeyHeldBeforeAQuestionArrives holds Enter on an empty dashboard, behind a page and from before the start.
func TestKeyboard_KeyHeldBeforeAQuestionArrives(t *testing.T) {
	confirmed := database()
	confirmed.Confirm = true
	for name, ask := range map[string]queue.Ask{"single": database(), "form": authRework(), "confirmed": confirmed,
		"words": one(queue.ModeText, func(q *queue.Question) { q.Options = nil }), "approval": roomtest.ApproveTest()} {
		for _, at := range []time.Duration{0, 10, 100, 160, 240, 490, 700, 2000} {
			for _, delay := range []time.Duration{250, 500, 660} {
				t.Run(fmt.Sprintf("%s at %d, %d", name, at, delay), func(t *testing.T) {
					b := newBench(t, 80, 24)
					b.pass(time.Minute)
					var all []queue.Session
					b.hold("enter", delay*time.Millisecond, 30, func(held time.Duration) {
						if len(all) == 0 && held >= at*time.Millisecond && held > 0 {
							all = append(all, b.ask(ask, shop()))
						}
					})
					require.Len(t, all, 1)
					require.Zero(t, b.ended(all), b.picture())
					require.Zero(t, b.form().At())
					require.False(t, b.form().Confirming())
					require.Equal(t, form.FieldNone, b.form().Typing())
				})
			}
		}
	}
}

func TestKeyboard_PressThatWaits(t *testing.T) {
	start := func(t *testing.T) (*bench, []queue.Session) {
		b := newBench(t, 80, 24)
		var all []queue.Session
		for range 3 {
			all = append(all, b.ask(database(), shop()))
		}
		b.calm()
		for range 2 {
			b.pass(600 * time.Millisecond)
			b.Key(event("enter"))
			b.settle()
		}
		require.Equal(t, 1, b.ended(all), "the second one waits")
		return b, all
	}
	t.Run("the clock wakes it", func(t *testing.T) {
		b, all := start(t)
		require.False(t, b.Screen.nextTick().After(b.now().Add(120*time.Millisecond)))
		b.pass(120 * time.Millisecond)
		require.Equal(t, 2, b.ended(all))
	})
	t.Run("another key drops it", func(t *testing.T) {
		b, all := start(t)
		b.Key(event("j"))
		require.Equal(t, "that key was ignored; another one followed at once", b.said())
		b.pass(time.Second)
		require.Equal(t, 1, b.ended(all))
	})
	t.Run("a paste drops it", func(t *testing.T) {
		b, all := start(t)
		b.Paste("text")
		b.pass(time.Second)
		require.Equal(t, 1, b.ended(all))
	})
	t.Run("another question drops it", func(t *testing.T) {
		b, all := start(t)
		b.settleElsewhere(b.get(b.shown()), queue.SurfaceWeb, "pg")
		b.Screen.tick()
		b.settle()
		b.pass(120 * time.Millisecond)
		require.Equal(t, 2, b.ended(all))
		require.Equal(t, "that key was ignored; something else came up before it counted", b.said())
	})
	t.Run("Ctrl-C drops it", func(t *testing.T) {
		b, all := start(t)
		b.stop = func() {}
		b.Key(event("ctrl+c"))
		b.pass(desk.Settle)
		require.Equal(t, 1, b.ended(all))
	})
}
