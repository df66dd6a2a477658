package screen

import (
	"sync"
	"time"

	"github.com/choicetui/choicetui/queue/desk"
)

// alarm rings at an instant of wall time. It may be set and stopped from any goroutine. The zero alarm is not set.
type alarm struct {
	mu    sync.Mutex
	timer *time.Timer
	turn  int // counts set and stop, so that a timer that fired too late to be stopped knows
}

// set has ring called once, on its own goroutine: when now reaches at, or, if the clock was set back, at most
// desk.LookAgain later. It replaces an earlier alarm. A zero at never rings.
func (a *alarm) set(now func() time.Time, at time.Time, ring func()) {
	a.stop()
	if at.IsZero() {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sleep(a.turn, now, at, ring)
}

// stop forgets what was set.
func (a *alarm) stop() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.turn++
	if a.timer != nil {
		a.timer.Stop()
		a.timer = nil
	}
}

// sleep sets the timer; the lock is held.
func (a *alarm) sleep(turn int, now func() time.Time, at time.Time, ring func()) {
	since := now().Round(0) // wall time: without this the comparison is by the monotonic clock
	a.timer = time.AfterFunc(min(at.Sub(since), desk.LookAgain), func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.turn != turn {
			return
		}
		if t := now().Round(0); t.Before(at) && !t.Before(since) {
			a.sleep(turn, now, at, ring)
			return
		}
		ring()
	})
}
