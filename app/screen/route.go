package screen

import (
	"errors"
	"strings"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/deed"
)

// capture takes every key before tview gives it to anybody; what it returns goes to the field being typed.
func (r *keyboard) capture(ev *tcell.EventKey) *tcell.EventKey {
	if r.takeKey(ev) {
		r.frame.refocus()
		return nil
	}
	return ev
}

// takeKey does what a key asks for; false: it is text for the field being typed.
func (r *keyboard) takeKey(ev *tcell.EventKey) bool {
	now := r.readAt(ev)
	r.seat.Pressed(now)
	r.notice.clear()
	r.aside.read(now)
	room, key := r.frame.room(), keyName(ev)
	r.letters.note(key, now)
	if r.overtake(key, now); r.takeOffer(key, now) {
		return true
	}
	place := room.Place()
	if r.frame.ground.tooSmall() && key != "ctrl+c" && key != "ctrl+z" {
		return true // nobody answers what cannot be seen
	}
	if room == panes.Room(r.rooms.question) && r.rooms.question.TypesFirst(key) {
		return !r.typeFirst(key, now)
	}
	b := r.look.keys.Lookup(place, key)
	if b == nil || b.Action != keys.ActQuit {
		r.forgetQuit()
	}
	switch {
	case b == nil && room.Field() != nil:
		if panes.IsLetter(key) {
			r.seat.Guard.Type(now)
		}
		r.seat.Guard.TypeOn(now)
		moved := r.look.keys.Moved(place, key)
		r.Say(moved)
		return moved != "" // else the field itself would still do it
	case b == nil:
		words := r.look.keys.Moved(place, key)
		if words == "" {
			words = say.NothingHere(r.look.keys, place, key, r.look.glyphs.Enter, r.seat.LeaveEnds())
		}
		r.Say(words)
		r.seat.TakeBackMarks(now, panes.IsLetter(key))
		r.seat.Guard.Stray(now)
		return true
	}
	if b.Action != keys.ActStop || r.stops(room, *b, now) {
		r.act(room, *b, key, now)
	}
	return true
}

// hammered limits the time in which a second Ctrl-C is ignored after the first one has closed a line.
const hammered = 500 * time.Millisecond

// stops reports whether Ctrl-C ends the screen. Where a line is being typed it does what Esc does there instead;
// pressed again at once, it does nothing.
func (r *keyboard) stops(room panes.Room, b keys.Binding, now time.Time) bool {
	switch {
	case r.frame.ground.tooSmall():
		return true // nobody sees the line
	case room.Field() != nil:
		b.Action = deed.Back
		r.act(room, b, "esc", now)
	case now.Sub(r.stopped) < hammered:
		r.Say(say.AgainQuitsAlone(b.Shown()))
	default:
		return true
	}
	r.stopped = now
	return false
}

// typeFirst opens the field of an answer that is only words for its first letter, and reports whether it did.
func (r *keyboard) typeFirst(key string, now time.Time) bool {
	if !r.hand().TypeFirst(key, now) {
		return false
	}
	r.forgetQuit()
	r.frame.refocus()
	return true
}

// readAt returns when a key was read from the terminal, in the desk's time: the program may handle it later.
func (r *keyboard) readAt(ev *tcell.EventKey) time.Time {
	return r.desk.Now().Add(-time.Since(ev.When()).Truncate(time.Millisecond))
}

// forgetQuit takes the first press of the key that quits back, as another key came: it may have been typing.
func (r *keyboard) forgetQuit() {
	if first := r.notice.leaving; !first.IsZero() {
		r.seat.Guard.Stray(first)
		r.notice.leaving = time.Time{}
	}
}

// act does what a row of the key table asks for, unless the guard or the room refuses.
func (r *keyboard) act(room panes.Room, b keys.Binding, key string, now time.Time) {
	row := r.row(room, b.Action)
	if row.Deed && r.hand().Does(b.Action) {
		r.hand().Press(r.input(room.Place(), b, key), now)
		if r.rooms.question.Field() != nil {
			r.frame.ground.area = areaQuestion // what is typed is on the question
		}
		r.desk.Refresh()
		return
	}
	p := row.Press(b, room.Place(), key)
	if p.Effect != desk.Marking {
		r.seat.TakeBackMarks(now, p.Letter)
	}
	if r.refused(room, b, p, now) {
		return
	}
	if why := row.Refuse(key); why != "" {
		r.Say(why)
		return
	}
	if row.Do == nil {
		return // a test finds rows that nobody binds
	}
	if postpones(b, key) {
		if r.letters.amongTyping(b, now) {
			r.Say(say.Stray(p.Key))
			r.seat.Guard.Stray(now)
			return
		}
		r.hand().Postpone(key, b.Repeats, func() { row.Do(key) }, now)
		return
	}
	writing := room.Field() != nil
	if writing && b.Action != deed.Enter {
		r.seat.Guard.TypeOn(now)
	}
	r.seat.Take(p, now, func() { row.Do(key) })
	r.opened(room, writing, key, now)
	r.desk.Refresh()
}

// hand returns the person's hand, which does what is done to the question on view.
func (r *keyboard) hand() *deed.Hand { return r.rooms.question.Hand() }

// input returns a key as the hand takes it.
func (r *keyboard) input(place keys.Place, b keys.Binding, key string) deed.Input {
	in := deed.Input{Action: b.Action, Key: key, Name: keys.Written(key), Letter: panes.IsLetter(key), Waits: b.Waits,
		Repeats: b.Repeats}
	if b.Counted {
		in.Arg.N = r.look.keys.Nth(place, b.Action, key)
	}
	return in
}

// row returns an action's row in the room's table. If that binds nothing to it, the row does what the screen does
// everywhere.
func (r *keyboard) row(room panes.Room, a keys.Action) panes.Row {
	row, bound := room.Table().Row(a)
	if bound && (row.Do != nil || row.Deed && r.hand().Does(a)) {
		return row
	}
	everywhere, _ := r.anywhere().Row(a)
	if row.Do = everywhere.Do; row.WhyNot == nil {
		row.WhyNot = everywhere.WhyNot
	}
	return row
}

// refused asks the guard about a key, and says where that is not said in place of the button.
func (r *keyboard) refused(room panes.Room, b keys.Binding, p desk.Press, now time.Time) bool {
	guard, place := &r.seat.Guard, room.Place()
	if b.Action == deed.Enter {
		switch {
		case room.Field() != nil && place != keys.PlaceFind:
			if !guard.EndsTyping(now) {
				return true
			}
			if place != keys.PlaceReason && place != keys.PlaceTeamLine {
				return false
			}
		case place == keys.PlaceSettings:
			p.Effect = desk.Sending
			return r.saysRefused(p, guard.RefusesChange(now))
		}
	}
	return r.saysRefused(p, guard.Refuses(p, now))
}

// saysRefused puts what the guard says into words, and reports whether it refused.
func (r *keyboard) saysRefused(p desk.Press, why error) bool {
	switch {
	case why == nil:
		return false
	case errors.Is(why, desk.ErrStray):
		key := p.Key
		if p.Effect >= desk.Stepping {
			key = r.look.glyphs.Enter
		}
		r.Say(say.Stray(key))
	case r.hand().Offers() && p.Key != keys.Written("enter"):
		r.Say("Not yet: " + p.Key + " not taken, press it again")
	case r.frame.page() != nil, r.hand().Offers(), r.frame.room().Place() == keys.PlaceTeamLine:
		// no button of a question is there to say it
		r.Say(say.PressAgain(r.look.glyphs.Enter))
	}
	return true
}

// refusePaste refuses pasted text where no field is open for it: it goes nowhere else.
func (r *keyboard) refusePaste() {
	r.Say(r.pasteWords())
	r.seat.Guard.Stray(r.desk.Now())
}

// pasteWords say which keys open a field that pasted text may go into.
func (r *keyboard) pasteWords() string {
	place, fields := keys.PlaceQuestion, []keys.Action{deed.Text, deed.Note, deed.Comment}
	if r.frame.room().Place() == keys.PlaceApproval {
		place, fields = keys.PlaceApproval, []keys.Action{deed.Refuse}
	}
	var open []string
	for _, a := range fields {
		taken := a == deed.Text || r.desk.Settings().AnnotationsEnabled
		if key := r.look.keys.KeyOf(place, a); key != "" && taken {
			open = append(open, key)
		}
	}
	return pasteWhere(open, r.seat.Up() != "")
}

// pasteWhere says which keys open a field for pasted text. question: there is a question to write into.
func pasteWhere(open []string, question bool) string {
	const words = "paste goes into text"
	n := len(open)
	switch {
	case n == 0, !question:
		return words
	case n > 1:
		open = []string{strings.Join(open[:n-1], ", "), open[n-1]}
	}
	return words + ": press " + strings.Join(open, " or ") + " first"
}
