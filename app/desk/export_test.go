package desk

import "github.com/choicetui/choicetui/queue"

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
