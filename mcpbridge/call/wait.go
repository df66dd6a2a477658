package call

import (
	"context"
	"strings"
	"time"

	"github.com/choicetui/choicetui/config"
)

// The intervals of a waiting call.
const (
	firstBeat  = time.Second      // until the first heartbeat, because HTTP clients need headers soon
	EveryBeat  = 10 * time.Second // between two heartbeats; clients and proxies cut silent calls after 60 s or 300 s
	lookAgain  = 30 * time.Second // between two looks without a change; timers are late after the machine was suspended
	leastSleep = time.Millisecond // the shortest pause between two looks
)

// The soft limits of clients that cut calls off. Each is a little shorter than the client's own limit
// (docs/contract.md section 2).
const (
	softCodex  = 280 * time.Second
	softGemini = 570 * time.Second
	softOther  = 50 * time.Second
)

// patience limits how long a call waits without a result.
type patience struct {
	soft time.Duration // the longest wait; 0: no limit
	none bool          // the call does not wait at all, as with wait_seconds 0
}

// patience returns how long this call's client lets it wait.
func (c *toolCall) patience() patience {
	return patience{soft: softLimit(c.bridge.o.Settings(), c.origin.Client, c.token != nil)}
}

// softLimit returns how long a call of this client may wait; 0: without limit. The settings have limits for the
// beginnings of client names, of which the longest match counts; 0 there means without limit. progress means that the
// call sends heartbeats.
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

// waitsOnProgress reports whether this client lets a call wait without limit as long as it sends heartbeats.
func waitsOnProgress(name string) bool {
	return strings.HasPrefix(name, "claude-code") || strings.HasPrefix(name, "opencode") || name == "pi" ||
		strings.Contains(name, "inspector")
}

// Patience returns how long a client must be able to wait without hearing from a call: with a shorter limit it would
// give calls up. agent is the beginning of the client's name.
func Patience(s config.Settings, agent string) time.Duration {
	if agent == "claude" {
		agent = "claude-code" // its name as an MCP client
	}
	if soft := softLimit(s, agent, true); soft > 0 {
		return soft
	}
	return EveryBeat // heartbeats keep the call alive
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
