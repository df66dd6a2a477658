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
	waits   *postponed
}

// offer is something that the next Enter does, or its button, and that any other key leaves undone.
type offer struct {
	line say.Line
	verb string // on its button
	do   func()
}

// postponed is a letter that does something by itself. It waits a moment, since typing that was meant for another
// window goes on within it.
type postponed struct {
	row     keys.Binding
	do      func()
	key     string
	presses int
	pressed time.Time
	timer   *time.Timer
}

// drop forgets both: they meant what was on view.
func (s *strays) drop() {
	if s.waits != nil {
		s.waits.timer.Stop()
	}
	*s = strays{}
}

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

// postpone has a letter wait. The same letter again is one press more, and begins to wait anew.
func (v verbs) postpone(b keys.Binding, key string, do func(), now time.Time) {
	p := &postponed{row: b, do: do, key: key, presses: 1, pressed: now}
	if was := v.strays.waits; was != nil {
		was.timer.Stop()
		p.presses += was.presses // another key would have overtaken it
	}
	page := v.page
	p.timer = time.AfterFunc(desk.Pause, func() { v.all.post(page.actLate) })
	v.strays.waits = p
}

// overtake drops the letter that waits if another key came before it acted; it was typing then.
func (v verbs) overtake(key string, now time.Time) {
	p := v.strays.waits
	if p == nil || p.key == key {
		return
	}
	p.timer.Stop()
	v.strays.waits = nil
	if now.Before(p.pressed.Add(desk.Pause)) {
		v.seat.Guard.Stray(p.pressed)
		return
	}
	p.run()
}

// actLate does what the letter that waits is for, once its time has come.
func (v verbs) actLate(now time.Time) {
	p := v.strays.waits
	if p == nil || now.Before(p.pressed.Add(desk.Pause)) {
		return
	}
	v.strays.waits = nil
	p.run()
	v.all.d.Refresh()
}

func (p *postponed) run() {
	n := 1
	if p.row.Repeats {
		n = p.presses
	}
	for range n {
		p.do()
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
