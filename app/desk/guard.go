package desk

import (
	"errors"
	"time"
)

// Settle is how long a question must have been on view, and stray keys must be past, before a key may answer it.
const Settle = 500 * time.Millisecond

// Pause is how long a letter that does something by itself waits for another key: typing meant for another pane goes on
// within it. A field opened by a letter and typed into within it was opened by such typing.
const Pause = 300 * time.Millisecond

// Why the guard refuses a key.
var (
	ErrTooSoon = errors.New("too soon")
	ErrStray   = errors.New("stray key")
	ErrMoved   = errors.New("mark moved")
)

// Guard keeps keys from answering what they were not meant for: type-ahead when a question has just appeared, and
// typing that was meant for another pane (docs/design.md section 6, "Nothing is answered by accident").
type Guard struct {
	appeared time.Time // when what is on view came there, not because the person picked it
	stray    time.Time // when a key came that means nothing here
	moved    time.Time // when the mark moved that Enter would send
	opened   time.Time // when a letter opened the field being typed
	runOn    bool      // the field was typed into so soon after that it may be typing for another pane
}

// Appear starts the wait for what has just come on view.
func (g *Guard) Appear(now time.Time) { g.appeared = now }

// Open is for what the person picked: it needs no wait.
func (g *Guard) Open() { g.appeared = time.Time{} }

// Stray notes a key that is in no row of the place's table, or that another key overtook.
func (g *Guard) Stray(now time.Time) { g.stray = now }

// MoveMark notes that a mark which Enter would send was put or moved.
func (g *Guard) MoveMark(now time.Time) { g.moved = now }

// Begin notes that a field was opened; letter: by a letter, which may be the first of a sentence.
func (g *Guard) Begin(letter bool, now time.Time) {
	g.runOn, g.opened = false, time.Time{}
	if letter {
		g.opened = now
	}
}

// Type notes a key that went into the field being typed.
func (g *Guard) Type(now time.Time) {
	if !g.opened.IsZero() && now.Sub(g.opened) < Pause {
		g.runOn = true
	}
	g.opened = time.Time{}
}

// RanOn reports whether the text being typed may have been meant for another pane. It is asked once: the Enter that
// gets true only ends typing.
func (g *Guard) RanOn() bool {
	was := g.runOn
	g.runOn = false
	return was
}

// Refuses says why a key is ignored now; nil: it counts. acts: it marks, sends, confirms or cancels; sends: it would
// send or confirm.
func (g *Guard) Refuses(acts, sends bool, now time.Time) error {
	switch {
	case acts && now.Sub(g.appeared) < Settle:
		return ErrTooSoon
	case sends && now.Sub(g.stray) < Settle:
		return ErrStray
	case sends && now.Sub(g.moved) < Pause:
		return ErrMoved
	}
	return nil
}
