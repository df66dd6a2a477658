package desk

import (
	"time"

	"github.com/choicetui/choicetui/queue"
)

// closing says which questions keep chat closed: all that wait, but for those whose caller is gone for a minute
// (docs/design.md section 4, rule 6).
type closing struct {
	live  *live
	now   func() time.Time
	gone  map[string]time.Time // question → since when its caller is gone; nil: the queue was not seen yet
	known bool                 // n and first hold, until the time
	n     int
	first queue.Session
	until time.Time
}

// see notes since when the callers of waiting questions are gone.
func (c *closing) see(now time.Time) {
	gone := map[string]time.Time{}
	for i := range c.live.waiting {
		w := &c.live.waiting[i]
		if !w.Gone(c.live.Alive) {
			continue
		}
		since, known := c.gone[w.ID]
		switch {
		case known:
		case c.gone == nil || w.DroppedAt != nil: // before this desk looked: as the session says
			since = w.GoneSince()
		default:
			since = now
		}
		gone[w.ID] = since
	}
	c.gone, c.known = gone, false
}

// Closing returns the number of questions that keep chat closed, and the most urgent of them. It looks at them again
// only when the queue or, for a caller that is gone, the time has changed something.
func (c *closing) Closing() (n int, first queue.Session) {
	now := c.now()
	if c.known && (c.until.IsZero() || now.Before(c.until)) {
		return c.n, c.first
	}
	c.known, c.n, c.first, c.until = true, 0, queue.Session{}, c.next(now)
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

// next returns when the clock alone will next take a question off chat: its caller has then been gone for a minute.
// Zero: never.
func (c *closing) next(now time.Time) (next time.Time) {
	for _, since := range c.gone {
		if at := since.Add(queue.GoneGrace); at.After(now) && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	return next
}
