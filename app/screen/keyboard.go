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
	"github.com/choicetui/choicetui/queue/form"
)

// keyboard carries out each key. The whole path of a key is in this file and in queue/desk/deed/hand.go:
//
//	takeKey ─► Hand.IsPress ─► key table ─► act ─┬► Hand.Press: an action on the question on view ─┐
//	                                             └► actOwn: an action of the screen or a room ─────┴► Hand.Take:
//	                                guard, precondition, effect ─► desk.Refresh ─► refocus ─► one draw
//
// It also keeps the effects of a key that the next key may cancel.
type keyboard struct {
	*shared
	frame      *frame
	host       panes.Host  // opens pages
	everywhere panes.Table // the actions that are the same in every place
	stop       func()      // ends the screen
	stopped    time.Time   // when Ctrl-C was last pressed and did not end the screen
	stayed     time.Time   // when that Ctrl-C was carried out
	another    bool        // another key, or a paste, has come since
	stepped    bool        // the last key stepped through the queue
	letters    letters
	read       time.Time // when the last key was read that has been carried out
	// gained returns when the terminal got the focus; zero: never, or it lost it since. nil: there is no terminal.
	gained func() time.Time
}

// takeKey carries out a key before tview gives it to any room. It returns the event if it is text for the field being
// typed, else nil. The key counts from when it was read from the terminal; the program may handle it later. A delay of
// less than a millisecond is ignored.
func (r *keyboard) takeKey(ev *tcell.EventKey) *tcell.EventKey {
	r.read = ev.When()
	read := r.read
	if r.term != nil {
		read = r.term.Screen().ReadAt(ev)
	}
	if r.term != nil && r.term.Context().Err() != nil { // the screen ends
		return nil
	}
	return r.takeKeyOf(ev, r.desk.Now().Add(-time.Since(read).Truncate(time.Millisecond)))
}

// takeKeyOf does the same as takeKey, for a key that was read at now.
func (r *keyboard) takeKeyOf(ev *tcell.EventKey, now time.Time) *tcell.EventKey {
	defer r.frame.refocus()
	r.seat.Pressed(now)
	r.noteFocus()
	r.notice = notice{leaving: r.notice.leaving}
	r.aside.endIfRead(now)
	key, stepping := keyName(ev), r.stepped
	r.stepped = false
	r.letters.note(key, now)
	r.hand.Overtake(key, now)
	room := r.frame.room()
	place := room.Place()
	if !r.hand.IsPress(r.inputOf(place, key), now, func() { r.takeKeyOf(ev, now) }) {
		return nil
	}
	if r.takeFirst(place, key, now) {
		return nil
	}
	if r.onQuestion() && r.rooms.question.TypesFirst() &&
		(r.look.keys.BeginsText(key, stepping) || r.rooms.question.Deletes(key)) {
		if !r.hand.TypeFirst(key, now) {
			return nil
		}
		r.forgetQuit()
		return ev // the field that has just been opened gets the letter
	}
	b := r.look.keys.Lookup(place, key)
	if b == nil {
		b, place = r.openFor(key, place, now)
	}
	if b == nil || b.Action != keys.ActQuit {
		r.forgetQuit()
	}
	r.stepped = place == keys.PlaceQuestion && r.look.keys.Steps(key)
	switch {
	case b == nil && room.Field() != nil: // text for the field, or a key that the field itself handles
		return r.typeKey(ev, place, key, now)
	case b == nil:
		r.refuseStray(place, key, now)
	case b.Action == keys.ActStop && r.staysAfterStop(room, place, *b, now): // nothing is left to do
	default:
		r.act(room, place, *b, key, now)
	}
	return nil
}

// takeFirst carries out a key that has its meaning from what came before, and not from the place: one that is pressed
// again to end the screen, or that answers an offer. It reports whether the key is used up.
func (r *keyboard) takeFirst(place keys.Place, key string, now time.Time) bool {
	stops := r.isStop(place, key)
	r.another = r.another || !stops
	switch {
	case stops && r.insists(now):
		r.quit()
	case r.frame.ground.tooSmall() && !stops && key != "ctrl+z": // a question that cannot be seen is not answered
	case r.hand.Offers() && r.takeOffer(key, now):
		if stops {
			r.noteStayed(now)
		}
	default:
		return false
	}
	return true
}

// openFor returns the binding of a key of the open field of an answer that is only words, before its first character.
// It opens the field for the key, and returns the new place. nil: there is no such field, or it has no such key.
func (r *keyboard) openFor(key string, place keys.Place, now time.Time) (*keys.Binding, keys.Place) {
	if !r.onQuestion() || !r.rooms.question.TypesFirst() {
		return nil, place
	}
	b := r.look.keys.Lookup(keys.PlaceTyping, key)
	if b != nil {
		r.hand.Press(deed.Input{Action: deed.Text, Key: key, Name: keys.Written(key)}, now)
	}
	return b, r.frame.room().Place()
}

// noteFocus tells the guard when the terminal last got the focus.
func (r *keyboard) noteFocus() {
	if r.gained == nil {
		return
	}
	at := r.gained()
	if !at.IsZero() {
		at = r.desk.Now().Add(-time.Since(at))
	}
	r.seat.Guard.Focused(at)
}

// typeKey tells the guard about a key for the field being typed. It returns the event for the field, or nil if the key
// would be text there only because the person has bound its action to another key.
func (r *keyboard) typeKey(ev *tcell.EventKey, place keys.Place, key string, now time.Time) *tcell.EventKey {
	if panes.IsLetter(key) {
		r.seat.Guard.Type(now)
	} else {
		r.seat.Guard.TypeOn(now)
	}
	moved := r.look.keys.Moved(place, key)
	if r.Say(moved); moved != "" {
		return nil
	}
	return ev
}

// refuseStray says that a key means nothing in a place, and tells the guard.
func (r *keyboard) refuseStray(place keys.Place, key string, now time.Time) {
	words := r.look.keys.Moved(place, key)
	if words == "" {
		words = say.NothingHere(r.look.keys, place, key, r.look.glyphs.Enter, r.seat)
	}
	r.Say(words)
	r.seat.TakeBackMarks(now, panes.IsLetter(key))
	r.seat.Guard.Stray(now)
}

// takeOffer passes a key to the present offer, such as “Enter hides it”, and reports whether the key is used up; see
// Hand.TakeOffer. Offers concern the question on view, so the keys are those of a question in every room.
func (r *keyboard) takeOffer(key string, now time.Time) bool {
	took := r.hand.TakeOffer(r.inputOf(keys.PlaceQuestion, key), now)
	if took {
		r.desk.Refresh()
	}
	return took
}

// inputOf returns a key as an input for the Hand, with its action in a place.
func (r *keyboard) inputOf(place keys.Place, key string) deed.Input {
	in := deed.Input{Key: key, Name: keys.Written(key)}
	if b := r.look.keys.Lookup(place, key); b != nil {
		in.Action = b.Action
	}
	return in
}

// act carries out the action of a row of the key table: on the question on view if that has the action, else as one of
// the screen or a room.
func (r *keyboard) act(room panes.Room, place keys.Place, b keys.Binding, key string, now time.Time) {
	in := deed.Input{Action: b.Action, Key: key, Name: keys.Written(key), Letter: panes.IsLetter(key), Waits: b.Waits,
		Repeats: b.Repeats}
	if b.Counted {
		in.Arg.N = r.look.keys.Nth(place, b.Action, key)
	}
	row, _ := room.Table().Row(b.Action)
	if !row.Deed || !r.hand.Press(in, now) {
		r.actOwn(room, place, r.orEverywhere(row, b.Action), b, in, now)
		return
	}
	if r.rooms.question.Field() != nil {
		r.frame.ground.area = areaQuestion // the field belongs to the question
	}
	r.desk.Refresh()
}

// orEverywhere completes a row of a room's table: if the room itself does nothing for the action, the row gets what the
// screen does for it in every place.
func (r *keyboard) orEverywhere(row panes.Row, a keys.Action) panes.Row {
	if row.Do != nil {
		return row
	}
	everywhere, _ := r.everywhere.Row(a)
	if row.Do = everywhere.Do; row.WhyNot == nil {
		row.WhyNot = everywhere.WhyNot
	}
	return row
}

// actOwn carries out an action of the screen or of one of its rooms.
func (r *keyboard) actOwn(room panes.Room, place keys.Place, row panes.Row, b keys.Binding, in deed.Input,
	now time.Time) {
	writes, p := room.Field() != nil, row.Press(b, place, in.Key)
	done := r.hand.Take(in, deed.Step{
		Press:   p,
		Refused: func() bool { return r.refused(place, writes, b, p, now) },
		WhyNot: func() bool {
			why := row.Refuse(in.Key)
			if why == "" && in.Letter && r.letters.amongTyping(b, now) {
				why = say.Stray(p.Key)
				r.seat.Guard.Stray(now)
			}
			if why != "" {
				r.Say(why)
			}
			return why != "" || row.Do == nil // a row without Do is a mistake that a test finds
		},
		Do: func() bool {
			row.Do(in.Key)
			return true
		},
	}, now)
	if !done {
		return
	}
	if after := r.frame.room(); writes && after != room && after.Field() != nil { // the key has opened another field
		r.seat.Guard.Begin(form.FieldNone, in.Letter, now)
	}
	r.desk.Refresh()
}

// The times of the key that ends the screen, Ctrl-C. While text is typed it only leaves the field, and somebody who
// presses it several times in a row wants that, and not to leave the program. So another one does nothing for the time
// hammered. But whoever presses it twice within the time insisting, not so fast, ends the screen wherever they are. So
// does one with another key before it, and one that was read before the first was carried out, or together with it, less
// than atOnce later: it came behind much input, the person has seen nothing of the first one yet, and nobody knows how
// fast they pressed it.
const (
	hammered  = 250 * time.Millisecond
	insisting = 2 * time.Second
	atOnce    = 20 * time.Millisecond
)

// isStop reports whether a key is the one that ends the screen.
func (r *keyboard) isStop(place keys.Place, key string) bool {
	b := r.look.keys.Lookup(place, key)
	return b != nil && b.Action == keys.ActStop
}

// insists reports whether the key that ends the screen has been pressed a short time before, and did not end it.
func (r *keyboard) insists(now time.Time) bool {
	since := now.Sub(r.stopped)
	readLate := since < atOnce || now.Before(r.stayed) || r.another
	return since < insisting && (since >= hammered || readLate)
}

// noteStayed notes that Ctrl-C was pressed and did not end the screen.
func (r *keyboard) noteStayed(now time.Time) {
	r.stopped, r.stayed, r.another = now, r.desk.Now(), false
}

// staysAfterStop carries out Ctrl-C where it does not end the screen, and reports whether that is so: while text is
// typed it does what Esc does there, and pressed again within hammered it only says how to quit.
func (r *keyboard) staysAfterStop(room panes.Room, place keys.Place, b keys.Binding, now time.Time) bool {
	switch {
	case r.frame.ground.tooSmall():
		return false // the field is not on screen
	case room.Field() != nil:
		b.Action = deed.Back
		r.act(room, place, b, "esc", now)
	case now.Sub(r.stopped) < hammered:
		r.Say(say.AgainQuits(b.Shown(), 0, say.FaceScreen))
	default:
		return false
	}
	r.noteStayed(now)
	return true
}

// forgetQuit forgets the first press of the key that quits, because another key has followed. The guard counts the
// first press as part of a text that was meant for another pane.
func (r *keyboard) forgetQuit() {
	if first := r.notice.leaving; !first.IsZero() {
		r.seat.Guard.Stray(first)
		r.notice.leaving = time.Time{}
	}
}

// refused asks the guard about a key, and reports whether the guard refuses it.
func (r *keyboard) refused(place keys.Place, writes bool, b keys.Binding, p desk.Press, now time.Time) bool {
	guard := &r.seat.Guard
	if b.Action == deed.Enter {
		switch {
		case writes && place != keys.PlaceFind:
			if !guard.EndsTyping(p, true, false, now) {
				return true
			}
			if place != keys.PlaceReason && place != keys.PlaceTeamLine { // where Enter does more than end the typing
				return false
			}
		case place == keys.PlaceSettings:
			p.Effect = desk.Sending
			return r.saysRefused(p, guard.RefusesChange(now))
		}
	}
	return r.saysRefused(p, guard.Refuses(p, now))
}

// saysRefused shows why the guard refused a key, unless the Enter line shows that already. It reports whether the guard
// refused it.
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
	case r.hand.Offers() && p.Key != keys.Written("enter"):
		r.Say(say.NotTaken(p.Key) + ", press it again")
	case r.frame.page() != nil, r.hand.Offers(), r.frame.room().Place() == keys.PlaceTeamLine:
		// the Enter line of a question, which would say so, is not on screen
		r.Say(say.PressAgain(r.look.glyphs.Enter))
	}
	return true
}

// actLate carries out a key that had to wait: a letter that acts without Enter, because it may be part of a text that
// was meant for another pane, or a press that may be the repeat of a held key. If a further key has been read already,
// that one decides.
func (r *keyboard) actLate(now time.Time) {
	if !r.keysWait() && r.hand.ActLate(now) {
		r.desk.Refresh()
	}
}

// lateDue returns when actLate has work to do; zero: never, or not before another key was carried out.
func (r *keyboard) lateDue() time.Time {
	if r.keysWait() {
		return time.Time{}
	}
	return r.hand.Due()
}

// keysWait reports whether a key was read from the terminal that has not been carried out yet.
func (r *keyboard) keysWait() bool { return r.term != nil && r.term.Screen().LastKey().After(r.read) }

// letters remembers which letters were pressed last and when.
type letters struct {
	last    string
	at      time.Time
	another time.Time // when the letter before the last one was pressed, if it was another letter
}

// note remembers a key if it is a letter.
func (l *letters) note(key string, now time.Time) {
	if !panes.IsLetter(key) {
		return
	}
	if key != l.last {
		l.another = l.at
	}
	l.last, l.at = key, now
}

// amongTyping reports whether the letter that opens the settings file came directly after another letter, so that it is
// probably part of a text that was meant for another pane. Hand.Take waits only a short time for a further letter, and
// somebody who types unevenly may press the next one later.
func (l *letters) amongTyping(b keys.Binding, now time.Time) bool {
	return b.Action == keys.ActEditFile && now.Sub(l.another) < desk.Settle
}

// takesPaste reports whether a field takes the pasted text. Without a field it says so, and tells the guard.
func (r *keyboard) takesPaste() bool {
	now := r.desk.Now()
	r.seat.Pressed(now)
	r.noteFocus()
	r.hand.Overtake("", now)
	r.another = true
	switch {
	case r.frame.room().Field() != nil:
		r.seat.Guard.Type(now)
		return true
	case r.onQuestion() && r.rooms.question.TypesFirst():
		return r.hand.TypeFirst(pastedText, now)
	}
	r.Say(r.pasteWords())
	r.seat.Guard.Stray(now)
	return false
}

// pastedText is the name of a paste where a key would be named.
const pastedText = "the paste"

// onQuestion reports whether keys go to the question on view, and to none of its fields.
func (r *keyboard) onQuestion() bool {
	room := r.frame.room()
	return room == panes.Room(r.rooms.question) && room.Place() == keys.PlaceQuestion
}

// pasteWords says which keys open a field that accepts pasted text.
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

// pasteWhere returns the words of pasteWords for a list of keys. question: a question is on view.
func pasteWhere(open []string, question bool) string {
	const words = "pasting needs a text field"
	n := len(open)
	switch {
	case n == 0, !question:
		return words
	case n > 1:
		open = []string{strings.Join(open[:n-1], ", "), open[n-1]}
	}
	return words + ": press " + strings.Join(open, " or ") + " first"
}

// modifiedEnter is the name of Enter with any modifier.
const modifiedEnter = "alt+enter"

// keyName names a key event as the key table writes it: a rune itself, else enter, esc, ctrl+g, alt+enter.
func keyName(ev *tcell.EventKey) string {
	const both = tcell.ModAlt | tcell.ModCtrl
	alt := ev.Modifiers()&tcell.ModAlt != 0
	switch k := ev.Key(); {
	case k == tcell.KeyRune && ev.Rune() == 'm' && ev.Modifiers()&both == both:
		return modifiedEnter // as tcell 2.13 reports it
	case k == tcell.KeyRune:
		name := string(ev.Rune())
		if name == " " {
			name = "space"
		}
		if alt {
			name = "alt+" + name
		}
		if ev.Modifiers()&tcell.ModCtrl != 0 { // such as Ctrl-1, of which only some terminals tell
			name = "ctrl+" + name
		}
		return name
	case k == tcell.KeyEnter && ev.Modifiers() != tcell.ModNone:
		return modifiedEnter // Shift, Ctrl and Super mean the same with Enter
	case k == tcell.KeyEnter:
		return "enter"
	case k == tcell.KeyEscape:
		return "esc"
	case k == tcell.KeyTab:
		return "tab"
	case k == tcell.KeyBackspace, k == tcell.KeyBackspace2:
		return "backspace"
	case k >= tcell.KeyCtrlA && k <= tcell.KeyCtrlZ:
		return "ctrl+" + string(rune('a'+k-tcell.KeyCtrlA))
	}
	return strings.ToLower(ev.Name())
}
