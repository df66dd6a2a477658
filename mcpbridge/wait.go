package mcpbridge

import (
	"context"
	"fmt"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// When something happens while a call waits.
const (
	firstBeat   = time.Second      // HTTP clients need headers soon
	everyBeat   = 10 * time.Second // far below the 60 s and 300 s that clients and proxies cut at
	deserted    = 10 * time.Second // this long after the last dashboard went, auto hands off
	glance      = 30 * time.Second // look again, even if nothing rang: a suspended machine's timers are late
	blindGlance = time.Second      // the same while the watch is broken
	leastSleep  = time.Millisecond
	beatTitle   = 60 // characters of the title a heartbeat names
)

// patience is how long a call may wait, beside the session's own deadline.
type patience struct {
	soft time.Duration // 0: as long as it takes
	none bool          // not at all: a poll with wait_seconds 0
	auto bool          // give up when no dashboard is open
}

// ending is why a wait ended.
type ending int

const (
	endSettled  ending = iota // there is an outcome
	endPatience               // still waiting, the caller must call again
	endDeserted               // nobody there to answer: hand off
	endGone                   // the call was cancelled or its connection is gone
)

// wait watches the visit's session until something ends the wait. It sends heartbeats, and stores the timeout when
// the deadline passes; the deadline can move meanwhile.
func (v *visit) wait(ctx context.Context, p patience) (queue.Session, ending) {
	q, s := v.roster.q, v.session
	started := q.Now()
	beats, looked := 0, started
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		now := q.Now()
		switch {
		case ctx.Err() != nil:
			return s, endGone
		case s.At(now).Outcome != nil:
			if s = v.expire(ctx, s); s.Outcome != nil {
				return s, endSettled
			}
		case p.none || p.soft > 0 && now.Sub(started) >= p.soft:
			return s, endPatience
		case p.auto && v.handsOff(ctx, s, started, now):
			return s, endDeserted
		}
		if v.token != nil && now.Sub(started) >= beatAt(beats) {
			beats++
			v.beat(s, now, beats)
		}
		if now.Sub(looked) >= v.glance() {
			looked, s = now, v.reread(ctx, s)
		}
		timer.Reset(max(v.sleep(s, p, started, now, looked, beats), leastSleep))
		select {
		case <-ctx.Done():
		case <-timer.C:
		case <-v.stay.ring:
			var look bool
			if s, look = v.stay.newer(s); look {
				s = v.reread(ctx, s)
			}
		}
	}
}

// sleep is the time until the next thing to do.
func (v *visit) sleep(s queue.Session, p patience, started, now, looked time.Time, beats int) time.Duration {
	next := looked.Add(v.glance()).Sub(now)
	if !s.Deadline.IsZero() && s.Outcome == nil {
		next = min(next, s.Deadline.Sub(now))
	}
	if p.soft > 0 {
		next = min(next, started.Add(p.soft).Sub(now))
	}
	if v.token != nil {
		next = min(next, started.Add(beatAt(beats)).Sub(now))
	}
	if since, open := v.roster.deserted(); p.auto && !open {
		if due := later(since, started).Add(deserted).Sub(now); due > 0 {
			next = min(next, due)
		}
	}
	return next
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// beatAt is when heartbeat n+1 is due.
func beatAt(n int) time.Duration {
	if n == 0 {
		return firstBeat
	}
	return time.Duration(n) * everyBeat
}

func (v *visit) glance() time.Duration {
	if v.roster.isBlind() {
		return blindGlance
	}
	return glance
}

// beat tells the client that its call is alive. The value only has to grow; there is no total.
func (v *visit) beat(s queue.Session, now time.Time, n int) {
	message := "waiting for the person: " + beatName(s)
	if !s.Deadline.IsZero() {
		message += fmt.Sprintf(", %d s left", max(0, int(s.Deadline.Sub(now).Round(time.Second)/time.Second)))
	}
	v.client.progress(v.token, float64(n), message)
}

func beatName(s queue.Session) string {
	name, _ := queue.VisibleLine(cut(s.Ask.Title, beatTitle))
	return name
}

// handsOff reports whether an auto call gives up: no dashboard for ten seconds (at once if none was open when the
// call came and took the session over), and no form of this session on a terminal either.
func (v *visit) handsOff(ctx context.Context, s queue.Session, started, now time.Time) bool {
	since, open := v.roster.deserted()
	if open || now.Sub(later(since, started)) < deserted && !v.alone {
		return false
	}
	p := v.present(ctx)
	return !p.dashboard && (s.Attached == nil || !p.runs(s.Attached.Instance))
}

// expire stores what the clock decided and returns the session as it is: the deadline may have moved unseen. If
// the store fails, the clock is right all the same.
func (v *visit) expire(ctx context.Context, s queue.Session) queue.Session {
	if s.Outcome != nil {
		return s
	}
	stored, err := v.do(ctx, queue.ByClock, queue.Expire{})
	if err != nil {
		v.bridge.logf("failed to store the timeout of session %s: %v", s.ID, err)
		return s.At(v.roster.q.Now())
	}
	return stored
}

// reread looks into the store; an error leaves s as it was.
func (v *visit) reread(ctx context.Context, s queue.Session) queue.Session {
	step, cancel := stepContext(ctx)
	defer cancel()
	if fresh, err := v.roster.q.Store.Get(step, s.ID); err == nil && fresh.Revision > s.Revision {
		return fresh
	}
	return s
}
