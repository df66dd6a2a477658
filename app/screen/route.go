package screen

import (
	"errors"

	"github.com/gdamore/tcell/v2"

	"github.com/choicetui/choicetui/app/desk"
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
)

// router finds who takes a key, as the screen stands: the key table, the guard, the room.
type router struct{ *Screen }

// capture takes every key before tview gives it to anybody; what it returns goes to the field being typed.
func (s router) capture(ev *tcell.EventKey) *tcell.EventKey {
	if s.takeKey(ev) {
		s.frame.refocus()
		return nil
	}
	return ev
}

// takeKey does what a key asks for; false: it is text for the field being typed.
func (s router) takeKey(ev *tcell.EventKey) bool {
	now := s.desk.Now()
	s.seat.Pressed(now)
	s.notice.clear()
	room, key := s.room(), keyName(ev)
	place := room.Place()
	if s.frame.waiting.tooSmall() && key != "ctrl+c" && key != "ctrl+z" {
		return true // nobody answers what cannot be seen
	}
	b := s.look.keys.Lookup(place, key)
	if b == nil || b.Action != keys.ActQuit {
		s.notice.leaving = false
	}
	switch {
	case b == nil && room.Field() != nil:
		s.notice.message = s.look.keys.Moved(place, key)
		return s.notice.message != "" // else the field itself would still do it
	case b == nil:
		if s.notice.message = s.look.keys.Moved(place, key); s.notice.message == "" {
			s.notice.message = say.NothingHere(s.look.keys, place, key, s.look.glyphs.Enter)
		}
		s.seat.Guard.Stray(now)
		return true
	}
	s.act(room, *b, key)
	return true
}

// act does what a row of the key table asks for, unless the guard or the room refuses.
func (s router) act(room panes.Room, b keys.Binding, key string) {
	row := s.row(room, b.Action)
	if why := s.refuses(room.Place(), b, row); why != nil {
		s.notice.message = s.refusal(key, why)
		return
	}
	if row.WhyNot != nil {
		if why := row.WhyNot(); why != "" {
			s.notice.message = why
			return
		}
	}
	if row.Do == nil {
		return // a test finds rows that nobody binds
	}
	row.Do(key)
	s.desk.Refresh()
}

// row is what an action does now: as the room binds it, and where that says nothing as the screen does everywhere.
func (s router) row(room panes.Room, a keys.Action) panes.Row {
	row, bound := room.Table().Row(a)
	if bound && row.Do != nil {
		return row
	}
	everywhere, _ := commands(s).anywhere().Row(a)
	if row.Do = everywhere.Do; row.WhyNot == nil {
		row.WhyNot = everywhere.WhyNot
	}
	return row
}

// refuses asks the guard, in the places where a key can mark, send, confirm or cancel.
func (s router) refuses(place keys.Place, b keys.Binding, row panes.Row) error {
	switch place {
	case keys.PlaceQuestion, keys.PlaceConfirm, keys.PlaceReview:
	case keys.PlaceQueue:
		if b.Action == keys.ActEnter { // opens, never submits
			return nil
		}
	default:
		return nil
	}
	sends := b.Action == keys.ActEnter || b.Action == keys.ActConfirm || row.Sends != nil && row.Sends()
	return s.seat.Guard.Refuses(b.Acts, sends, s.desk.Now())
}

// refusal puts what the guard says into words.
func (s router) refusal(key string, why error) string {
	if key == "enter" {
		key = "⏎"
	}
	if errors.Is(why, desk.ErrTooSoon) {
		return say.TooSoon(key, say.FaceScreen)
	}
	return say.Stray(key)
}

// refusePaste refuses pasted text where no field is open for it: it goes nowhere else.
func (s router) refusePaste() {
	s.notice.message = s.pasteWords()
	s.seat.Guard.Stray(s.desk.Now())
}

// pasteWords say which keys open a field that pasted text may go into.
func (s router) pasteWords() string {
	var open []string
	for _, a := range []keys.Action{keys.ActText, keys.ActNote, keys.ActComment} {
		taken := a == keys.ActText || s.desk.Settings().AnnotationsEnabled
		if key := s.look.keys.KeyOf(keys.PlaceQuestion, a); key != "" && taken {
			open = append(open, key)
		}
	}
	return say.PasteWhere(open, s.seat.Up() != "")
}
