package screen

import (
	"time"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue/desk/deed"
)

// takeOffer does what was offered, or leaves it; true: the key meant the offer and nothing else.
func (r router) takeOffer(key string, now time.Time) bool {
	if !r.hand().Offers() {
		return false
	}
	in := deed.Input{Key: key, Name: keys.Written(key)}
	if b := r.s.look.keys.Lookup(keys.PlaceQuestion, key); b != nil {
		in.Action = b.Action
	}
	took := r.hand().TakeOffer(in, now)
	if took {
		r.s.desk.Refresh()
	}
	return took
}

// postpones reports whether a key waits before it acts: a letter or a sign of its own, which a sentence may hold.
func postpones(b keys.Binding, key string) bool { return b.Waits && panes.IsLetter(key) }

// overtake drops the letter that waits if another key came before it acted; it was typing then.
func (r router) overtake(key string, now time.Time) { r.hand().Overtake(key, now) }

// actLate does what the letter that waits is for, once its time has come.
func (r router) actLate(now time.Time) {
	if r.hand().ActLate(now) {
		r.s.desk.Refresh()
	}
}

// opened tells the guard whether a letter has just opened a text field.
func (r router) opened(before panes.Room, was bool, key string, now time.Time) {
	if room := r.s.room(); room.Field() != nil && (!was || room != before) {
		r.s.seat.Guard.Begin(panes.IsLetter(key), now)
	}
}
