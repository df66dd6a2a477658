package portal

import (
	"errors"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
)

// strays hold the effects of a key that the next key may cancel, as in app/screen.
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
	v.seat.Guard.HoldEnter(v.all.d.Now())
}

// takeOffer does what was offered, or leaves it; true: the action meant the offer and nothing else.
func (v verbs) takeOffer(means keys.Action, key string, now time.Time) bool {
	offered := v.strays.offered
	if offered == nil {
		return false
	}
	if means == keys.ActEnter {
		p := desk.Press{Key: name(key), Effect: desk.Sending}
		if v.saysRefused(p, v.seat.Guard.Refuses(p, now)) {
			return true
		}
		v.strays.offered = nil
		v.seat.Take(p, now, offered.do)
		return true
	}
	v.strays.offered = nil
	return means == keys.ActBack
}

// postpone has a letter wait. The timer is not stopped when the letter is dropped: it finds nothing then.
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

// deciding are the places where a key always waits, however they came on screen.
var deciding = []keys.Place{keys.PlaceApproval, keys.PlaceConfirm, keys.PlaceReview, keys.PlaceHeld}

// pressed returns a key or a click as the guard judges it; key is empty for a click.
func (v verbs) pressed(b keys.Binding, r row, key string) desk.Press {
	place := v.place()
	p := desk.Press{Key: name(key), Letter: isLetter(key), Decides: slices.Contains(deciding, place)}
	switch {
	case !b.ActsIn(place) || place == keys.PlaceSettings:
	case r.effect != nil:
		p.Effect = r.effect(v)
	default:
		p.Effect = desk.Marking
	}
	f := v.form()
	p.Toggles = r.toggles && p.Effect == desk.Marking && f != nil && !f.Here().Radio()
	return p
}

// name returns a key's name; for an empty key it names a click.
func name(key string) string {
	if key = keys.Written(key); key == "" {
		return say.Page.ThatClick
	}
	return key
}

// refused asks the guard, and says where that is not said beside the button.
func (v verbs) refused(b keys.Binding, p desk.Press, now time.Time) bool {
	typing := texts(v).open() && v.form().Typing() != form.FieldFind
	if b.Action == keys.ActEnter && typing && p.Key != say.Page.ThatClick {
		if !v.seat.Guard.EndsTyping(now) {
			v.form().Loosen()
			return true
		}
	}
	return v.saysRefused(p, v.seat.Guard.Refuses(p, now))
}

// saysRefused puts what the guard says into words, and reports whether it refused.
func (v verbs) saysRefused(p desk.Press, why error) bool {
	if errors.Is(why, desk.ErrStray) {
		v.notice = say.Stray(p.Key)
	}
	return why != nil
}

// isLetter reports whether a key types a single character.
func isLetter(key string) bool { return utf8.RuneCountInString(key) == 1 || key == "space" }
