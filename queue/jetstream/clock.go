package jetstream

import (
	"sync"
	"time"
)

// sameClock is the difference up to which two clocks count as the same. People do not notice it, and ignoring it keeps
// times from jumping about.
const sameClock = time.Second

// readWithin limits how long the server may take to tell its time; a slower reading is too uncertain to use.
const readWithin = 4 * sameClock

// clock tells the server's time. One machine whose clock is wrong would otherwise end everybody's questions too early,
// or show its people times to answer that nobody else knows of.
type clock struct {
	mu    sync.Mutex
	ahead time.Duration // this machine's clock before the server's; guarded by mu
	read  time.Time     // when that was found out, by this machine's clock; zero: never. Guarded by mu
	since time.Time     // the same moment, to tell how much time has passed whatever the clock says. Guarded by mu
}

// note takes down the server's time, which it told between two moments of this machine.
func (k *clock) note(began, ended, server time.Time) {
	took := ended.Sub(began)
	if server.IsZero() || took > readWithin {
		return
	}
	ahead := began.Round(0).Add(took / 2).Sub(server)
	if (ahead.Abs() - took/2) < sameClock {
		ahead = 0
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.ahead, k.read, k.since = ahead, ended.Round(0), time.Now()
}

// at returns the server's time at a moment of this machine. stale: this machine's clock was set, or the machine slept,
// since the server's time was read.
func (k *clock) at(now time.Time) (server time.Time, stale bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.read.IsZero() {
		return now, false
	}
	if shown := now.Round(0).Sub(k.read); (time.Since(k.since) - shown).Abs() >= sameClock {
		k.read, k.since, stale = now.Round(0), time.Now(), true
	}
	return now.Add(-k.ahead), stale
}

// Now returns the time by the server's clock, as far as it is known: before the first call it is this machine's. It
// never waits for the server.
func (s *Store) Now() time.Time {
	now, stale := s.clock.at(s.link.now())
	if stale {
		s.forget() // the next call reads the server's time again
	}
	return now
}
