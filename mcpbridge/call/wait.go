package call

import (
	"context"
	"time"
)

// The intervals of a waiting call.
const (
	firstBeat  = time.Second      // until the first heartbeat, because HTTP clients need headers soon
	EveryBeat  = 10 * time.Second // between two heartbeats; clients and proxies cut silent calls after 60 s or 300 s
	lookAgain  = 30 * time.Second // between two looks without a change; timers are late after the machine was suspended
	leastSleep = time.Millisecond // the shortest pause between two looks
)

// patience limits how long a call waits without a result.
type patience struct {
	soft time.Duration // the longest wait; 0: no limit
	none bool          // the call does not wait at all, as with wait_seconds 0
}

// patience returns how long this call's client lets it wait.
func (c *toolCall) patience() patience {
	return patience{soft: c.client.softLimit(c.bridge.o.Settings(), c.origin.Client, c.token != nil)}
}

// ending names the reason why a wait ended.
type ending int

const (
	endReady    ending = iota // the awaited result is ready
	endPatience               // it is not ready, the caller must call again
	endGone                   // the call was cancelled or its connection is gone
)

// awaited is implemented by the calls that can wait.
type awaited interface {
	// look reports whether the wait is over, and when the clock alone could next change that; zero: never.
	look(ctx context.Context, now time.Time) (ready bool, next time.Time)
	// beatWords returns the text of a heartbeat: what the call waits for.
	beatWords(now time.Time) string
}

// wait is the only loop in which calls wait. It calls look at first, and then whenever the waiter is woken or the clock
// may have changed something. Meanwhile it sends heartbeats.
func (c *toolCall) wait(ctx context.Context, w *waiter, p patience, awaits awaited) ending {
	now := c.watch.q.Now
	started, beats := now(), 0
	timer := time.NewTimer(0)
	defer timer.Stop()
	for ctx.Err() == nil {
		ready, next := awaits.look(ctx, now())
		at := now()
		switch {
		case ready:
			return endReady
		case ctx.Err() != nil:
			return endGone
		case p.none || p.soft > 0 && at.Sub(started) >= p.soft:
			return endPatience
		}
		if c.token != nil && at.Sub(started) >= beatAt(beats) {
			beats++
			c.reply.Progress(c.token, float64(beats), awaits.beatWords(at))
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

// beatAt returns the time from the start of a wait to heartbeat n, counted from 0.
func beatAt(n int) time.Duration {
	if n == 0 {
		return firstBeat
	}
	return time.Duration(n) * EveryBeat
}

// sooner returns the earlier of two times; zero means never.
func sooner(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// later returns the later of two times.
func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
