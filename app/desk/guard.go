package desk

import (
	"errors"
	"time"
)

// Settle is how long a question must have been on view, and stray keys must be past, before a key may answer it.
const Settle = 500 * time.Millisecond

// Why the guard refuses a key.
var (
	ErrTooSoon = errors.New("too soon")
	ErrStray   = errors.New("stray key before")
)

// Guard keeps keys from answering what they were not meant for: type-ahead when a question has just appeared, and
// typing that was meant for another pane (docs/design.md section 6, "Nothing is answered by accident").
type Guard struct {
	appeared time.Time // when what is on view came there, not because the person picked it
	stray    time.Time // when a key came that means nothing here
}

// Appear starts the wait for what has just come on view.
func (g *Guard) Appear(now time.Time) { g.appeared = now }

// Open is for what the person picked: it needs no wait.
func (g *Guard) Open() { g.appeared = time.Time{} }

// Stray notes a key that is in no row of the place's table.
func (g *Guard) Stray(now time.Time) { g.stray = now }

// Refuses says why a key is ignored now; nil: it counts. acts: it marks, sends, confirms or cancels; sends: it would
// send or confirm.
func (g *Guard) Refuses(acts, sends bool, now time.Time) error {
	switch {
	case acts && now.Sub(g.appeared) < Settle:
		return ErrTooSoon
	case sends && now.Sub(g.stray) < Settle:
		return ErrStray
	}
	return nil
}
