package screen

import (
	"errors"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/choicetui/choicetui/app/desk"
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
)

// router finds who takes a key, as the screen stands: the key table, the guard, the room.
type router struct{ s *Screen }

// capture takes every key before tview gives it to anybody; what it returns goes to the field being typed.
func (r router) capture(ev *tcell.EventKey) *tcell.EventKey {
	if r.takeKey(ev) {
		r.s.frame.refocus()
		return nil
	}
	return ev
}

// takeKey does what a key asks for; false: it is text for the field being typed.
func (r router) takeKey(ev *tcell.EventKey) bool {
	now := r.s.desk.Now()
	r.s.seat.Pressed(now)
	r.s.notice.clear()
	r.s.aside.read(now)
	room, key := r.s.room(), keyName(ev)
	if r.overtake(key, now); r.takeOffer(key, now) {
		return true
	}
	place := room.Place()
	if r.s.frame.waiting.tooSmall() && key != "ctrl+c" && key != "ctrl+z" {
		return true // nobody answers what cannot be seen
	}
	b := r.s.look.keys.Lookup(place, key)
	if b == nil || b.Action != keys.ActQuit {
		r.forgetQuit()
	}
	switch {
	case b == nil && room.Field() != nil:
		if isLetter(key) {
			r.s.seat.Guard.Type(now)
		}
		moved := r.s.look.keys.Moved(place, key)
		r.s.Say(moved)
		return moved != "" // else the field itself would still do it
	case b == nil:
		words := r.s.look.keys.Moved(place, key)
		if words == "" {
			words = say.NothingHere(r.s.look.keys, place, key, r.s.look.glyphs.Enter, r.s.seat.LeaveEnds())
		}
		r.s.Say(words)
		r.s.seat.Guard.Stray(now)
		return true
	}
	r.act(room, *b, key)
	return true
}

// forgetQuit takes the first press of the key that quits back, as another key came: it may have been typing.
func (r router) forgetQuit() {
	if first := r.s.notice.leaving; !first.IsZero() {
		r.s.seat.Guard.Stray(first)
		r.s.notice.leaving = time.Time{}
	}
}

// act does what a row of the key table asks for, unless the guard or the room refuses.
func (r router) act(room panes.Room, b keys.Binding, key string) {
	row := r.row(room, b.Action)
	if why := r.refuses(room.Place(), b, row); why != nil {
		r.s.Say(r.refusal(key, why))
		return
	}
	if why := row.Refuse(key); why != "" {
		r.s.Say(why)
		return
	}
	if row.Do == nil {
		return // a test finds rows that nobody binds
	}
	now, writing := r.s.desk.Now(), room.Field() != nil
	if postpones(b, key) {
		r.s.strays.late.Postpone(key, b.Repeats, func() { row.Do(key) }, now)
		return
	}
	row.Do(key)
	r.opened(room, writing, key, now)
	r.s.desk.Refresh()
}

// row is what an action does now: as the room binds it, and where that says nothing as the screen does everywhere.
func (r router) row(room panes.Room, a keys.Action) panes.Row {
	row, bound := room.Table().Row(a)
	if bound && row.Do != nil {
		return row
	}
	everywhere, _ := commands(r).anywhere().Row(a)
	if row.Do = everywhere.Do; row.WhyNot == nil {
		row.WhyNot = everywhere.WhyNot
	}
	return row
}

// refuses asks the guard about a key that acts in this place.
func (r router) refuses(place keys.Place, b keys.Binding, row panes.Row) error {
	if !b.ActsIn(place) {
		return nil
	}
	return r.s.seat.Guard.Refuses(true, row.Sends != nil && row.Sends(), r.s.desk.Now())
}

// refusal puts what the guard says into words.
func (r router) refusal(key string, why error) string {
	if key == "enter" {
		key = "⏎"
	}
	switch {
	case errors.Is(why, desk.ErrTooSoon):
		return say.TooSoon(key, say.FaceScreen)
	case errors.Is(why, desk.ErrMoved):
		return say.JustMoved(key)
	}
	return say.Stray(key)
}

// refusePaste refuses pasted text where no field is open for it: it goes nowhere else.
func (r router) refusePaste() {
	r.s.Say(r.pasteWords())
	r.s.seat.Guard.Stray(r.s.desk.Now())
}

// pasteWords say which keys open a field that pasted text may go into.
func (r router) pasteWords() string {
	place, fields := keys.PlaceQuestion, []keys.Action{keys.ActText, keys.ActNote, keys.ActComment}
	if r.s.room().Place() == keys.PlaceApproval {
		place, fields = keys.PlaceApproval, []keys.Action{keys.ActRefuse}
	}
	var open []string
	for _, a := range fields {
		taken := a == keys.ActText || r.s.desk.Settings().AnnotationsEnabled
		if key := r.s.look.keys.KeyOf(place, a); key != "" && taken {
			open = append(open, key)
		}
	}
	return say.PasteWhere(open, r.s.seat.Up() != "")
}
