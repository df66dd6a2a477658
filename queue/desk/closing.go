package desk

import (
	"time"

	"github.com/choicetui/choicetui/queue"
)

// closing counts the questions that keep chat closed: all pending ones, except those whose caller has been gone for a
// minute (docs/design.md section 4, rule 6).
type closing struct {
	live  *live
	now   func() time.Time
	gone  map[string]time.Time // by question: since when its caller is gone; nil: the queue was not seen yet
	known bool                 // n and first are up to date, but only before until
	n     int
	first queue.Session
	until time.Time
}

// noteGone notes since when the callers of pending questions have been gone.
func (c *closing) noteGone(now time.Time) {
	gone := map[string]time.Time{}
	for i := range c.live.waiting {
		w := &c.live.waiting[i]
		if !w.Gone(c.live.Alive) {
			continue
		}
		since, known := c.gone[w.ID]
		switch {
		case known:
		case c.gone == nil || w.DroppedAt != nil: // the caller left before this desk looked: the session says when
			since = w.GoneSince()
		default:
			since = now
		}
		gone[w.ID] = since
	}
	c.gone, c.known = gone, false
}

// Closing returns the number of questions that keep chat closed, and the most urgent of them. It computes them again
// only after the queue has changed or the time nextOpening has come.
func (c *closing) Closing() (n int, first queue.Session) {
	now := c.now()
	if c.known && (c.until.IsZero() || now.Before(c.until)) {
		return c.n, c.first
	}
	c.known, c.n, c.first, c.until = true, 0, queue.Session{}, c.nextOpening(now)
	since := func(s queue.Session) time.Time { return c.gone[s.ID] }
	for i := range c.live.waiting {
		if w := &c.live.waiting[i]; w.ClosesChat(c.live.Alive, since, now) {
			if c.n++; c.n == 1 {
				c.first = *w.Session
			}
		}
	}
	return c.n, c.first
}

// nextOpening returns when the next caller will have been gone for a minute, so that its question no longer closes
// chat. Zero: never.
func (c *closing) nextOpening(now time.Time) (next time.Time) {
	for _, since := range c.gone {
		if at := since.Add(queue.GoneGrace); at.After(now) && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	return next
}
