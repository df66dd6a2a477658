package call

import (
	"context"
	"time"
)

// When something happens while a call waits.
const (
	firstBeat  = time.Second      // HTTP clients need headers soon
	EveryBeat  = 10 * time.Second // far below the 60 s and 300 s that clients and proxies cut at
	leastSleep = time.Millisecond
	// lookAgain is after how long a call looks even if nothing rang: a suspended machine's timers are late.
	lookAgain = 30 * time.Second
)

// patience limits how long a call waits if the awaited end does not come.
type patience struct {
	soft time.Duration // 0: as long as it takes
	none bool          // not at all: wait_seconds 0
}

// patience returns how long this call's client lets it wait.
func (c *call) patience() patience {
	return patience{soft: softLimit(c.bridge.o.Settings(), c.origin.Client, c.token != nil)}
}

// ending names the reason why a wait ended.
type ending int

const (
	endThere    ending = iota // what the call waited for is there
	endPatience               // it is not, the caller must call again
	endGone                   // the call was cancelled or its connection is gone
)

// awaited is implemented by everything that a call can wait for.
type awaited interface {
	// look reports whether the wait is over, and when the clock alone could next change that.
	look(ctx context.Context, now time.Time) (there bool, next time.Time)
	// beatWords say in a heartbeat what is waited for.
	beatWords(now time.Time) string
}

// wait is the only loop in which calls wait. It looks at the awaited end first, then whenever the waiter is rung or the
// clock may have changed something, and it sends heartbeats.
func (c *call) wait(ctx context.Context, w *waiter, p patience, what awaited) ending {
	now := c.watch.q.Now
	started, beats := now(), 0
	timer := time.NewTimer(0)
	defer timer.Stop()
	for ctx.Err() == nil {
		there, next := what.look(ctx, now())
		at := now()
		switch {
		case there:
			return endThere
		case ctx.Err() != nil:
			return endGone
		case p.none || p.soft > 0 && at.Sub(started) >= p.soft:
			return endPatience
		}
		if c.token != nil && at.Sub(started) >= beatAt(beats) {
			beats++
			c.reply.Progress(c.token, float64(beats), what.beatWords(at))
		}
		if p.soft > 0 {
			next = sooner(next, started.Add(p.soft))
		}
		if c.token != nil {
			next = sooner(next, started.Add(beatAt(beats)))
		}
		timer.Reset(max(next.Sub(at), leastSleep))
		select {
		case <-ctx.Done():
		case <-timer.C:
		case <-w.ring:
		}
	}
	return endGone
}

// beatAt returns how long after the start heartbeat n+1 is due.
func beatAt(n int) time.Duration {
	if n == 0 {
		return firstBeat
	}
	return time.Duration(n) * EveryBeat
}

// sooner returns the earlier of two times; zero is never.
func sooner(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
