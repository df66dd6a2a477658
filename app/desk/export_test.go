package desk

import "github.com/choicetui/choicetui/queue"

// TakeChanges, TakePresence and AbandonBound let tests play the watch.
func (d *Desk) TakeChanges(ch queue.Changes)       { d.takeChanges(ch) }
func (d *Desk) TakePresence(list []queue.Presence) { d.takePresent(list) }
func (d *Desk) AbandonBound()                      { d.abandonBound() }

// LineName is under which name what is typed for an agent is kept.
func LineName(agent string) string { return lineName(agent) }
