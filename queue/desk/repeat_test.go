package desk_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue/desk"
)

// keyboard is how a keyboard repeats a held key: after delay, and then every so often, more or less.
type keyboard struct {
	delay, every time.Duration
	jitter       float64
}

func (k keyboard) String() string {
	return fmt.Sprintf("%v, then every %v ± %.0f %%", k.delay, k.every, 100*k.jitter)
}

// keyboards are those that people have.
func keyboards() (all []keyboard) {
	for _, delay := range []int{250, 500, 660} {
		for _, hertz := range []int{11, 25, 30} {
			for _, jitter := range []float64{0, 0.25} {
				all = append(all, keyboard{time.Duration(delay) * time.Millisecond, time.Second / time.Duration(hertz), jitter})
			}
		}
	}
	return all
}

// hold holds a key for a while. meanwhile is called in between, at random times.
func (y *typist) hold(key string, k keyboard, during time.Duration, meanwhile func()) {
	y.press(key, 0)
	after := k.delay
	for end := y.rig.Clock.T.Add(during); y.rig.Clock.T.Before(end); {
		if meanwhile != nil {
			part := time.Duration(y.pick.Int64N(int64(after)))
			y.pass(part)
			meanwhile()
			after -= part
		}
		y.press(key, after)
		after = time.Duration(float64(k.every) * (1 + k.jitter*(2*y.pick.Float64()-1)))
	}
	y.pass(3 * time.Second)
}

func TestGuard_HeldKeyIsOnePress(t *testing.T) {
	for kind, held := range map[string]struct {
		key  string
		sent int
	}{
		single: {"enter", 1}, several: {"enter", 1}, atOnce: {"2", 1}, steps: {"enter", 0}, approval: {"enter", 0},
	} {
		for _, k := range keyboards() {
			for seed := range uint64(4) {
				y := newTypist(t, seed, nil)
				for range 10 {
					y.asks(kind)
				}
				y.pass(time.Second)
				y.hold(held.key, k, 4*time.Second, nil)
				require.Equal(t, held.sent, y.sent, "%s, %s", kind, k)
				require.Empty(t, y.wrong)
				if kind == steps {
					require.Equal(t, 1, y.view.Form().At(), "%s: one step", k)
				}
				y.sent = 0
				if y.hold(held.key, k, time.Second, nil); kind != steps && kind != approval {
					require.Equal(t, 1, y.sent, "%s, %s: the next press counts again", kind, k)
				}
			}
		}
	}
}

func TestGuard_KeyHeldBeforeAQuestionArrivesSendsNothing(t *testing.T) {
	for _, kind := range []string{single, several, atOnce, steps, approval} {
		for _, k := range keyboards() {
			for seed := range uint64(10) {
				y := newTypist(t, seed, nil)
				key := "enter"
				if kind == atOnce {
					key = "2"
				}
				left := 2
				y.hold(key, k, 4*time.Second, func() {
					if left > 0 && y.pick.IntN(8) == 0 {
						y.asks(kind)
						left--
					}
				})
				require.Zero(t, y.sent, "%s, %s, seed %d: %v", kind, k, seed, y.keys)
				if f := y.view.Form(); kind == steps && f != nil {
					require.Zero(t, f.At(), "%s, seed %d", k, seed)
				}
			}
		}
	}
}

// TestGuard_KeyHeldFromAnotherProgram has a key held that the person pressed before the frontend had the keyboard: the first
// key that is read is a repeat.
func TestGuard_KeyHeldFromAnotherProgram(t *testing.T) {
	for _, k := range keyboards() {
		y := newTypist(t, 1, nil)
		y.asks(single)
		y.view.Guard.TookOver(y.rig.Clock.T)
		y.pass(k.delay)
		y.hold("enter", keyboard{k.every, k.every, k.jitter}, 3*time.Second, nil)
		require.Zero(t, y.sent, "%s", k)
		y.hold("enter", k, time.Second, nil)
		require.Equal(t, 1, y.sent, "%s", k)
	}
}

func TestGuard_KeysReadAtOnceAreOnePress(t *testing.T) {
	y := newTypist(t, 1, nil)
	for range 10 {
		y.asks(single)
	}
	burst := func() {
		for range 10 {
			y.press("enter", 0)
		}
		y.pass(time.Second)
	}
	y.pass(time.Second)
	burst()
	require.Equal(t, 1, y.sent)
	burst()
	require.Equal(t, 1, y.sent, "within two seconds it may be a held key that was read late")
	y.pass(2 * time.Second)
	burst()
	require.Equal(t, 2, y.sent)
}

// TestGuard_SteadyEnterNeedsNoMorePresses compares who presses Enter steadily with the same person under a guard that
// knows no repeats.
func TestGuard_SteadyEnterNeedsNoMorePresses(t *testing.T) {
	const ten = 10
	presses := func(kind, key string, gap time.Duration, repeats bool) (n int) {
		y := newTypist(t, 1, nil)
		for range ten {
			y.asks(kind)
		}
		for y.pass(time.Second); y.sent < ten && n < 100; n++ {
			if !repeats {
				y.view.Guard.IsPress(desk.Stroke{}, y.rig.Clock.T, nil) // something else between two presses
			}
			y.press(key, gap)
			if left := y.view.Guard.LateDue(); !left.IsZero() && y.sent == ten-1 {
				y.pass(left.Sub(y.rig.Clock.T))
			}
		}
		require.Equal(t, ten, y.sent, "%s at %v", kind, gap)
		require.Empty(t, y.wrong)
		return n
	}
	for kind, key := range map[string]string{single: "enter", atOnce: "2", steps: "enter"} {
		for _, ms := range []int{200, 250, 300, 350, 400, 450, 500, 550, 700, 1000} {
			gap := time.Duration(ms) * time.Millisecond
			with, without := presses(kind, key, gap, true), presses(kind, key, gap, false)
			t.Logf("%s at %v: %d presses, %d without the rule", kind, gap, with, without)
			assert.LessOrEqual(t, with, without, "%s at %v", kind, gap)
		}
	}
}

func TestGuard_PressThatWaits(t *testing.T) {
	start := func() *typist {
		y := newTypist(t, 1, nil)
		for range 3 {
			y.asks(single)
		}
		y.pass(time.Second)
		y.press("enter", 0)
		require.Equal(t, 1, y.sent)
		y.press("enter", 600*time.Millisecond)
		require.Equal(t, 1, y.sent, "it waits")
		return y
	}
	wait := 120 * time.Millisecond
	t.Run("counts when its time has come", func(t *testing.T) {
		y := start()
		y.pass(wait - time.Millisecond)
		require.Equal(t, 1, y.sent)
		y.pass(time.Millisecond)
		require.Equal(t, 2, y.sent)
	})
	t.Run("is dropped if another key follows, and Enter waits then", func(t *testing.T) {
		for _, key := range []string{"esc", "down", "?", "x"} {
			y := start()
			_, overtaken := y.view.Guard.IsPress(desk.Stroke{Key: key}, y.rig.Clock.T.Add(wait/2), nil)
			require.True(t, overtaken)
			y.pass(wait)
			require.Equal(t, 1, y.sent)
			require.ErrorIs(t, y.view.Guard.Refuses(desk.Press{Key: "enter", Effect: desk.Sending}, y.rig.Clock.T), desk.ErrStray)
		}
	})
	t.Run("is dropped if something else comes up", func(t *testing.T) {
		y := start()
		y.ends()
		acted, replaced := y.view.Guard.ActLate(y.rig.Clock.T.Add(wait))
		require.False(t, acted)
		require.True(t, replaced)
		require.Equal(t, 1, y.sent)
	})
	t.Run("waits once more if the program stood still", func(t *testing.T) {
		y := start()
		late := y.rig.Clock.T.Add(time.Second)
		acted, _ := y.view.Guard.ActLate(late)
		require.False(t, acted)
		y.rig.Clock.T = late
		y.pass(wait)
		require.Equal(t, 2, y.sent)
	})
	t.Run("is dropped if the program stood still and a repeat was read late", func(t *testing.T) {
		y := start()
		y.view.Guard.ActLate(y.rig.Clock.T.Add(time.Second))
		y.rig.Clock.Pass(time.Second)
		y.press("enter", time.Millisecond)
		y.pass(time.Second)
		require.Equal(t, 1, y.sent)
	})
}

func TestGuard_ReportedRepeatIsNoPress(t *testing.T) {
	var g desk.Guard
	now, sends := time.Now(), desk.Stroke{Key: "enter", Sends: true, Repeated: true}
	is, _ := g.IsPress(sends, now, nil)
	require.False(t, is, "Enter")
	is, _ = g.IsPress(desk.Stroke{Key: "down", Repeated: true}, now, nil)
	require.True(t, is, "an arrow")
}

// A held key is found at any random time between its repeats that a keyboard has, and a person who presses it is not.
func TestGuard_RandomHolds(t *testing.T) {
	for seed := range uint64(300) {
		pick := rand.New(rand.NewPCG(seed, 7))
		k := keyboard{time.Duration(250+pick.IntN(411)) * time.Millisecond, time.Duration(33+pick.IntN(59)) * time.Millisecond,
			0.25 * pick.Float64()}
		y := newTypist(t, seed, nil)
		for range 10 {
			y.asks([]string{single, several, atOnce}[pick.IntN(3)])
		}
		y.pass(time.Second)
		key := []string{"enter", "enter", "2", "1"}[pick.IntN(4)]
		y.hold(key, k, 4*time.Second, nil)
		require.LessOrEqual(t, y.sent, 1, "seed %d: %s %s", seed, key, k)
		require.Empty(t, y.wrong, "seed %d", seed)
	}
}
