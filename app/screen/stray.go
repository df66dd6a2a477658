package screen

import (
	"time"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk"
)

// strays hold the effects of a key that the next key may cancel.
type strays struct {
	offered *offer
	late    desk.Late
}

// offer is something that the next Enter does. Others may give more keys something to do; any other key leaves it
// undone. The Enter line says what it is.
type offer struct {
	line   say.Line
	do     func()
	others func(key string) func() // nil: no other keys
}

// of returns what a key does; nil: it leaves the offer.
func (o *offer) of(key string, enter bool) func() {
	switch {
	case enter:
		return o.do
	case o.others != nil:
		return o.others(key)
	}
	return nil
}

// takeOffer does what was offered, or leaves it; true: the key meant the offer and nothing else.
func (r router) takeOffer(key string, now time.Time) bool {
	offered := r.s.strays.offered
	if offered == nil {
		return false
	}
	var means keys.Action
	if b := r.s.look.keys.Lookup(keys.PlaceQuestion, key); b != nil {
		means = b.Action
	}
	if do := offered.of(key, means == keys.ActEnter); do != nil {
		p := desk.Press{Key: keys.Written(key), Effect: desk.Sending}
		if r.saysRefused(p, r.s.seat.Guard.Refuses(p, now)) {
			return true
		}
		r.s.strays.offered = nil
		r.s.seat.Take(p, now, do)
		r.s.desk.Refresh()
		return true
	}
	r.s.strays.offered = nil
	return means == keys.ActBack
}

// postpones reports whether a key waits before it acts: a letter or a sign of its own, which a sentence may hold.
func postpones(b keys.Binding, key string) bool { return b.Waits && panes.IsLetter(key) }

// overtake drops the letter that waits if another key came before it acted; it was typing then.
func (r router) overtake(key string, now time.Time) {
	r.s.strays.late.Overtake(key, &r.s.seat.Guard, now)
}

// actLate does what the letter that waits is for, once its time has come.
func (r router) actLate(now time.Time) {
	if r.s.strays.late.Act(now) {
		r.s.desk.Refresh()
	}
}

// opened tells the guard whether a letter has just opened a text field.
func (r router) opened(before panes.Room, was bool, key string, now time.Time) {
	if room := r.s.room(); room.Field() != nil && (!was || room != before) {
		r.s.seat.Guard.Begin(panes.IsLetter(key), now)
	}
}
