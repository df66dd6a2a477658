package desk

import (
	"time"

	"github.com/choicetui/choicetui/queue"
)

// TakeChanges and TakePresence let tests play the watch.
func (d *Desk) TakeChanges(ch queue.Changes) {
	ch.Presence = false
	d.takeBatch(batch{changes: ch})
}
func (d *Desk) TakePresence(list []queue.Presence) { d.takePresent(list) }

// LineName is under which name what is typed for an agent is kept.
func LineName(agent string) string { return lineName(agent) }

// Add counts a settled session.
func (t *Today) Add(s queue.Session) { t.add(s) }

// The guards that the property test must find wrong.

// UseGuardOfBefore has the guard judge as it did before it knew who brought a question up: for half a second after a
// question came up it refuses what marks or sends, and remembers nothing of it.
func (g *Guard) UseGuardOfBefore() {
	g.judge = func(g *Guard, p Press, now time.Time) error {
		if now.Sub(g.shown) < Settle {
			return ErrTooSoon
		}
		return nil
	}
}

// UseGuardWithoutMemory has the guard judge by its rules, but forget the keys that it refused.
func (g *Guard) UseGuardWithoutMemory() {
	g.judge = func(g *Guard, p Press, now time.Time) error {
		g.missed = ""
		return g.early(p, now)
	}
}

// Subscribers returns how many hear what happens at the desk.
func (d *Desk) Subscribers() int { return len(d.news.told) }
