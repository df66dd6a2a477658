package desk

import "github.com/choicetui/choicetui/queue"

// TakeChanges, TakePresence and AbandonBound let tests play the watch.
func (d *Desk) TakeChanges(ch queue.Changes)       { d.takeChanges(ch) }
func (d *Desk) TakePresence(list []queue.Presence) { d.takePresent(list) }
func (d *Desk) AbandonBound()                      { d.abandonBound() }
