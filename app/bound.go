package app

import (
	"context"

	"github.com/choicetui/choicetui/app/desk"
)

// abandonBound cancels the questions that belong to one call whose caller is gone.
func (d *Dashboard) abandonBound() {
	if gone := desk.AbandonedSessions(d.live, d.alive); len(gone) > 0 {
		d.later(func() { _ = d.o.Queue.Sweep(context.Background(), gone) }) // asks again who is present
	}
}
