package portal

import (
	"errors"
	"time"
	"unicode/utf8"

	"github.com/choicetui/choicetui/app/desk"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
)

// strays are what a key has begun and the next one may leave undone, as in app/screen.
type strays struct {
	offered *offer
	late    desk.Late
}

// offer is something that the next Enter does, or its button, and that any other key leaves undone.
type offer struct {
	line say.Line
	verb string // on its button
	do   func()
}

// drop forgets both: they meant what was on view.
func (s *strays) drop() { *s = strays{} }

// offer has the next Enter do something.
func (v verbs) offer(line say.Line, verb string, do func()) {
	v.strays.offered = &offer{line, verb, do}
	v.seat.Guard.Appear(v.all.d.Now())
}

// takeOffer does what was offered, or leaves it; true: the action meant the offer and nothing else.
func (v verbs) takeOffer(means keys.Action, key string, now time.Time) bool {
	offered := v.strays.offered
	if offered == nil {
		return false
	}
	if means == keys.ActEnter {
		if why := v.seat.Guard.Refuses(true, true, now); why != nil {
			v.notice = refusal(key, why)
			return true
		}
	}
	v.strays.offered = nil
	if means == keys.ActEnter {
		offered.do()
	}
	return means == keys.ActEnter || means == keys.ActBack
}

// postpone has a letter wait. The timer is not stopped for one that is dropped: it finds nothing then.
func (v verbs) postpone(b keys.Binding, key string, do func(), now time.Time) {
	v.strays.late.Postpone(key, b.Repeats, do, now)
	page := v.page
	time.AfterFunc(desk.Pause, func() { v.all.post(page.actLate) })
}

// overtake drops the letter that waits if another key came before it acted; it was typing then.
func (v verbs) overtake(key string, now time.Time) { v.strays.late.Overtake(key, &v.seat.Guard, now) }

// actLate does what the letter that waits is for, once its time has come.
func (v verbs) actLate(now time.Time) {
	if v.strays.late.Act(now) {
		v.all.d.Refresh()
	}
}

// refuses asks the guard, in the places where a key or a click can mark, send, confirm or cancel.
func (v verbs) refuses(place keys.Place, b keys.Binding, r row, now time.Time) error {
	if !b.ActsIn(place) {
		return nil
	}
	sends := b.Action == keys.ActEnter || b.Action == keys.ActConfirm || r.sends != nil && r.sends(v)
	return v.seat.Guard.Refuses(true, sends, now)
}

// refusal puts what the guard says into words; key is how it is called, empty for a click.
func refusal(key string, why error) string {
	if key = keys.Written(key); key == "" {
		key = say.Page.ThatClick
	}
	switch {
	case errors.Is(why, desk.ErrTooSoon):
		return say.TooSoon(key, say.FaceScreen)
	case errors.Is(why, desk.ErrMoved):
		return say.JustMoved(key)
	}
	return say.Stray(key)
}

// isLetter reports whether a key is a character by itself.
func isLetter(key string) bool { return utf8.RuneCountInString(key) == 1 || key == "space" }
