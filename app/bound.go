package app

import (
	"context"

	"github.com/choicetui/choicetui/queue"
)

// abandonBound cancels the questions that belong to one call whose caller is gone: nobody can collect their answer,
// so nobody should write one (DESIGN section 3, rule 6).
func (d *Dashboard) abandonBound() {
	var gone []queue.Session
	for _, s := range d.live {
		if s.Outcome == nil && s.Bound() && s.Gone(d.alive) {
			gone = append(gone, s)
		}
	}
	if len(gone) > 0 {
		d.later(func() { _ = d.o.Queue.Sweep(context.Background(), gone) }) // asks again who is present
	}
}
