package desk_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// busy is a machine that stands still now and then. Keys that are pressed meanwhile are read together behind it, and
// what is due by the clock is late.
type busy struct {
	*typist
	from, to time.Time     // when the machine stands still next
	most     time.Duration // how long it does so at most
}

// standsStill chooses when the machine stands still next.
func (b *busy) standsStill(after time.Time) {
	b.from = after.Add(time.Duration(b.pick.IntN(2000)) * time.Millisecond)
	b.to = b.from.Add(time.Duration(b.pick.Int64N(int64(b.most))))
}

// late returns when the machine does what is due at t.
func (b *busy) late(t time.Time) time.Time {
	for !t.Before(b.to) {
		b.standsStill(b.to)
	}
	if t.Before(b.from) {
		return t
	}
	return b.to
}

// pressAt presses a key at t. If the machine stands still then, it is a matter of chance whether it looks at the clock
// or at the keyboard first behind that.
func (b *busy) pressAt(key string, t time.Time) {
	clockFirst := b.pick.IntN(2) == 0
	for due := b.view.Guard.LateDue(); !due.IsZero() && !due.After(t); due = b.view.Guard.LateDue() {
		acts := b.late(due)
		if acts.After(t) && !clockFirst {
			break
		}
		b.rig.Clock.T = acts
		_, replaced := b.view.Guard.ActLate(acts)
		b.noteDropped(replaced)
	}
	b.rig.Clock.T = b.late(t)
	b.keys = append(b.keys, key+"@"+b.rig.Clock.T.Format("05.000"))
	b.read(key)
}

// TestGuard_BusyMachineSendsWhatWasMeant has blind typists on a machine that stands still now and then. An Enter is read
// within a second behind the key that was to be sent with it, because a later one is a press of its own.
func TestGuard_BusyMachineSendsWhatWasMeant(t *testing.T) {
	sent := 0
	for _, seed := range guardRuns(t) {
		y := newTypist(t, seed, nil)
		kind := []string{single, atOnce, habit, habit, habit, mixed}[y.pick.IntN(6)]
		gap := time.Duration(200+y.pick.IntN(500)) * time.Millisecond
		b := &busy{typist: y, most: 950*time.Millisecond - gap}
		for range 10 {
			y.asks(kind)
		}
		y.rig.Clock.Pass(time.Duration(y.pick.IntN(2000)) * time.Millisecond)
		y.view.Guard.TookOver(y.rig.Clock.T)
		b.from, b.to = y.rig.Clock.T, y.rig.Clock.T
		pressed := y.rig.Clock.T.Add(time.Second)
		for n := 0; y.sent < 10 && n < 300; n++ {
			b.pressAt(gestures[kind][n%len(gestures[kind])], pressed)
			pressed = pressed.Add(gap)
		}
		require.Zero(t, y.unwanted(), "seed %d: %s every %v: %v", seed, kind, gap, y.keys)
		sent += y.sent
	}
	t.Logf("%d answers", sent)
	assert.Greater(t, sent, 2500, "the typists come to the end")
}
