package desk

import (
	"time"

	"github.com/choicetui/choicetui/queue"
)

// TakePresence lets a test act as the watch.
func (d *Desk) TakePresence(list []queue.Presence) { d.takePresent("", list) }

// TakeLeft applies a batch of a host that is not followed any more.
func (d *Desk) TakeLeft(host string, ch queue.Changes) {
	d.takeBatch(batch{changes: ch, from: &source{host: host}})
}

// LineName returns the session id under which the line for an agent is saved.
func LineName(agent string) string { return lineName(agent) }

// Add counts a settled session.
func (t *Today) Add(s queue.Session) { t.addSession(s) }

// Defective guards, which the property test must detect.

// UseGuardOfBefore uses the rules from before the guard knew who brought a question up: for half a second after a
// question came up it refuses marking and sending keys, and it does not remember them.
func (g *Guard) UseGuardOfBefore() {
	g.judge = func(g *Guard, p Press, now time.Time) error {
		if now.Sub(g.shownAt) < Settle {
			return ErrTooSoon
		}
		return nil
	}
}

// UseGuardWithoutMemory uses the real rules, but forgets the refused keys.
func (g *Guard) UseGuardWithoutMemory() {
	g.judge = func(g *Guard, p Press, now time.Time) error {
		g.missedKey = ""
		return g.checkTime(p, now)
	}
}

// Subscribers returns the number of subscribers to the desk's events.
func (d *Desk) Subscribers() int { return len(d.news.told) }
