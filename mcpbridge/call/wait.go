package call

import (
	"context"
	"strings"
	"time"

	"github.com/choicetui/choicetui/config"
)

// Intervals of a call that waits.
const (
	firstBeat  = time.Second      // to the first heartbeat: HTTP clients need headers soon
	EveryBeat  = 10 * time.Second // between two heartbeats: clients and proxies cut silent calls after 60 s or 300 s
	lookAgain  = 30 * time.Second // between two looks if nothing rang: the timers of a suspended machine are late
	leastSleep = time.Millisecond
)

// Soft limits of clients that cut a call off, a little below where they do (docs/contract.md section 2).
const (
	softCodex  = 280 * time.Second
	softGemini = 570 * time.Second
	softOther  = 50 * time.Second
)

// patience limits how long a call waits if the awaited end does not come.
type patience struct {
	soft time.Duration // 0: as long as it takes
	none bool          // not at all: wait_seconds 0
}

// patience returns how long this call's client lets it wait.
func (c *toolCall) patience() patience {
	return patience{soft: softLimit(c.bridge.o.Settings(), c.origin.Client, c.token != nil)}
}

// softLimit returns how long a call of this client may block; 0 means without limit. A name in the settings covers all
// clients whose name begins with it. The longest such name wins, and 0 seconds there mean no limit.
func softLimit(s config.Settings, client string, progress bool) time.Duration {
	name := strings.ToLower(client)
	best, seconds := -1, 0
	for key, n := range s.SoftLimits {
		if strings.HasPrefix(name, strings.ToLower(key)) && len(key) > best {
			best, seconds = len(key), n
		}
	}
	switch {
	case best >= 0:
		return time.Duration(max(seconds, 0)) * time.Second
	case strings.HasPrefix(name, "codex"):
		return softCodex
	case strings.HasPrefix(name, "gemini"):
		return softGemini
	case progress && waitsOnProgress(name):
		return 0
	}
	return softOther
}

// waitsOnProgress reports whether progress keeps this client's call alive for as long as it takes.
func waitsOnProgress(name string) bool {
	return strings.HasPrefix(name, "claude-code") || strings.HasPrefix(name, "opencode") ||
		strings.Contains(name, "inspector")
}

// Patience returns how long a client must be able to wait to hear from each of its calls; with less it gives calls up.
// agent is the beginning of the client's name.
func Patience(s config.Settings, agent string) time.Duration {
	if agent == "claude" {
		agent = "claude-code" // the name that it has as a client
	}
	if soft := softLimit(s, agent, true); soft > 0 {
		return soft
	}
	return EveryBeat // progress keeps the call alive
}

// ending names the reason why a wait ended.
type ending int

const (
	endReady    ending = iota // the awaited result is ready
	endPatience               // it is not ready, the caller must call again
	endGone                   // the call was cancelled or its connection is gone
)

// awaited is implemented by everything that a call can wait for.
type awaited interface {
	// look reports whether the wait is over, and when the clock alone could next change that; zero: never.
	look(ctx context.Context, now time.Time) (ready bool, next time.Time)
	// beatWords returns the text of a heartbeat: what the call waits for.
	beatWords(now time.Time) string
}

// wait is the only loop in which calls wait. It looks at the awaited end first, then whenever the waiter is rung or the
// clock may have changed something, and it sends heartbeats.
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

// later returns the later of two times.
func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
