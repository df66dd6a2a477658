package app

import (
	"time"

	"github.com/choicetui/choicetui/panes/keys"
)

// settle is how long a question must have been on screen, and stray keys must be past, before a key may answer it.
const settle = 500 * time.Millisecond

// guard keeps keys from answering what they were not meant for: type-ahead when a question has just appeared, and
// typing that was meant for another pane.
type guard struct {
	appeared time.Time // when what is on screen came there, not by J, K or opening
	stray    time.Time // when a key came that means nothing here
}

// appear starts the wait for what has just come on screen.
func (g *guard) appear(now time.Time) { g.appeared = now }

// reviewed starts the wait if it is the review that came on screen.
func (g *guard) reviewed(review bool, now time.Time) {
	if review {
		g.appear(now)
	}
}

// open is for what the person picked: it needs no wait.
func (g *guard) open() { g.appeared = time.Time{} }

// strayed notes a key that is in no row of the place's table.
func (g *guard) strayed(now time.Time) { g.stray = now }

// refuses says why a key is ignored now; empty: it counts. sends: the key would send or confirm.
func (g *guard) refuses(b keys.Binding, key string, sends bool, now time.Time) string {
	name := key
	if key == "enter" {
		name = "⏎"
	}
	switch {
	case b.Acts && now.Sub(g.appeared) < settle:
		return "ignored " + name + ": this had just appeared, press again"
	case sends && now.Sub(g.stray) < settle:
		return "ignored " + name + ": that looked like typing for another pane"
	}
	return ""
}
