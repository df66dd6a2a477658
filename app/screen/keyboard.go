package screen

import (
	"errors"
	"strings"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// keyboard gives each key to the keyboard of package action, which runs the whole order of a key, and tells that what
// the rooms of the screen do with it. What ends the screen and what has no place of its own is in this file.
type keyboard struct {
	*shared
	frame      *frame
	host       panes.Host  // opens pages
	everywhere panes.Table // the actions that are the same in every place
	stop       func()      // ends the screen
	closing    bool        // it ends in a moment, and keys mean nothing any more
	stopped    time.Time   // when Ctrl-C was last pressed and did not end the screen
	stayed     time.Time   // when that Ctrl-C was carried out
	another    bool        // another key, or a paste, has come since
	read       time.Time   // when the last key was read that has been carried out
	pressed    time.Time   // the same on the desk's clock
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
	if r.closing || r.term != nil && r.term.Context().Err() != nil { // the screen ends
		return nil
	}
	return r.takeKeyOf(ev, r.desk.Now().Add(-time.Since(read).Truncate(time.Millisecond)))
}

// takeKeyOf does the same as takeKey, for a key that was read at now.
func (r *keyboard) takeKeyOf(ev *tcell.EventKey, now time.Time) *tcell.EventKey {
	defer r.frame.refocus()
	r.view.Pressed(now)
	r.noteFocus()
	r.message = message{leaving: r.message.leaving}
	r.aside.endIfRead(now)
	r.pressed = now
	key := keyName(ev)
	b := r.look.keys.Lookup(r.Place(), key)
	stops, quits := b != nil && b.Name == action.Stop, b != nil && b.Name == action.Quit
	if !quits {
		r.forgetQuit()
	}
	r.another = r.another || !stops
	switch {
	case stops && r.insists(now):
		r.quit()
		return nil
	case r.frame.ground.tooSmall() && !stops && key != "ctrl+z": // a question that cannot be seen is not answered
		r.board.Overtake(key, now)
		return nil
	}
	if r.board.Press(key, false, now, func() { r.takeKeyOf(ev, now) }) {
		return ev
	}
	if r.rooms.question.Field() != nil {
		r.frame.ground.area = areaQuestion // the field belongs to the question
	}
	r.desk.Refresh()
	return nil
}

// The following methods make the keyboard an action.Keyed.

// Keys returns the key table.
func (r *keyboard) Keys() action.Map { return r.look.keys }

// Place returns the place where keys go now.
func (r *keyboard) Place() action.Place { return r.frame.room().Place() }

// TypesFirst reports whether the next character begins the answer.
func (r *keyboard) TypesFirst() bool { return r.onQuestion() && r.rooms.question.TypesFirst() }

// Deletes reports whether a key deletes from the words that the agent proposes, in their open field.
func (r *keyboard) Deletes(key string) bool { return r.rooms.question.Deletes(key) }

// Field returns the room that is being typed into.
func (r *keyboard) Field() any {
	if room := r.frame.room(); room.Field() != nil {
		return room
	}
	return nil
}

// Own returns the row of the room that keys go to.
func (r *keyboard) Own(a action.Name) (action.Row, bool) {
	row, _ := r.frame.room().Table().Row(a)
	return row, true
}

// Else returns the row of the screen, which does the same in every place.
func (r *keyboard) Else(a action.Name) action.Row {
	row, _ := r.everywhere.Row(a)
	return row
}

// NoKey says that a key means nothing in a place.
func (r *keyboard) NoKey(place action.Place, key string, _ *action.Row) {
	words := r.look.keys.Moved(place, key)
	if words == "" {
		words = say.NothingHere(r.look.keys, place, key, r.look.glyphs.Enter, r.view)
	}
	r.Say(words)
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
	r.view.Guard.Focused(at)
}

// The times of the key that ends the screen, Ctrl-C. While text is typed it only leaves the field, and somebody who
// presses it several times in a row wants that, and not to leave the program. So another one does nothing for the time
// hammered. But whoever presses it twice within the time insisting, not so fast, ends the screen wherever they are. So
// does one with another key before it, and one that was read before the first was carried out, or together with it,
// less than atOnce later: it came behind much input, the person has seen nothing of the first one yet, and nobody knows
// how fast they pressed it.
const (
	hammered  = 250 * time.Millisecond
	insisting = 2 * time.Second
	atOnce    = 20 * time.Millisecond
)

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

// stopOnce carries out Ctrl-C. While text is typed it does what Esc does there, and pressed again within hammered it
// only says how to quit.
func (r *keyboard) stopOnce() {
	switch now := r.pressed; {
	case r.frame.ground.tooSmall(): // the field is not on screen
		r.quit()
	case r.Field() != nil:
		r.board.Act(action.Input{Action: action.Back, Key: "esc", Name: action.Written("esc")}, now)
		r.noteStayed(now)
	case now.Sub(r.stopped) < hammered:
		r.Say(say.AgainQuits(r.look.keys.KeyOf(r.Place(), action.Stop), 0, 0, say.OnScreen))
		r.noteStayed(now)
	default:
		r.quit()
	}
}

// forgetQuit forgets the first press of the key that quits, because another key has followed. The guard counts the
// first press as part of a text that was meant for another pane.
func (r *keyboard) forgetQuit() {
	if first := r.message.leaving; !first.IsZero() {
		r.view.Guard.Stray(first)
		r.message.leaving = time.Time{}
	}
}

// saysRefused shows why the guard refused a key, unless the Enter line shows that already.
func (r *keyboard) saysRefused(p desk.Press, why error) {
	switch {
	case errors.Is(why, desk.ErrStray):
		key := p.Key
		if p.Effect >= desk.Stepping {
			key = r.look.glyphs.Enter
		}
		r.Say(say.Stray(key))
	case p.Deliberate, r.board.Offers() && p.Key != action.Written("enter"):
		r.Say(say.NotTaken(p.Key) + ", press it again")
	case r.frame.page() != nil, r.board.Offers(), errors.Is(why, desk.ErrEarly):
		// the Enter line of a question says so only for a moment, if it is on screen at all
		r.Say(say.PressAgain(r.look.glyphs.Enter))
	}
}

// actLate carries out a key that had to wait: a letter that acts without Enter, because it may be part of a text that
// was meant for another pane, or a press that may be the repeat of a held key. If a further key has been read already,
// that one decides.
func (r *keyboard) actLate(now time.Time) {
	if !r.keysWait() && r.board.ActLate(now) {
		r.desk.Refresh()
	}
}

// lateDue returns when actLate has work to do; zero: never, or not before another key was carried out.
func (r *keyboard) lateDue() time.Time {
	if r.keysWait() {
		return time.Time{}
	}
	return r.board.Due()
}

// keysWait reports whether a key was read from the terminal that has not been carried out yet.
func (r *keyboard) keysWait() bool { return r.term != nil && r.term.Screen().LastKey().After(r.read) }

// takesPaste reports whether a field takes the pasted text. Without a field it says so, and tells the guard.
func (r *keyboard) takesPaste() bool {
	now := r.desk.Now()
	r.view.Pressed(now)
	r.noteFocus()
	r.board.Overtake("", now)
	r.another = true
	switch {
	case r.frame.room().Field() != nil:
		r.view.Guard.Type(now)
		return true
	case r.onQuestion() && r.rooms.question.TypesFirst():
		return r.board.TypeFirst(pastedText, now)
	}
	r.Say(r.pasteWords())
	r.view.Guard.Stray(now)
	return false
}

// pastedText is the name of a paste where a key would be named.
const pastedText = "the paste"

// onQuestion reports whether keys go to the question on view, and to none of its fields.
func (r *keyboard) onQuestion() bool {
	room := r.frame.room()
	return room == panes.Room(r.rooms.question) && room.Place() == action.PlaceQuestion
}

// pasteWords says which keys open a field that accepts pasted text.
func (r *keyboard) pasteWords() string {
	place, fields := action.PlaceQuestion, []action.Name{action.Text, action.Note, action.Comment}
	if r.frame.room().Place() == action.PlaceApproval {
		place, fields = action.PlaceApproval, []action.Name{action.Refuse}
	}
	var open []string
	for _, a := range fields {
		taken := a == action.Text || r.desk.Settings().AnnotationsEnabled
		if key := r.look.keys.KeyOf(place, a); key != "" && taken {
			open = append(open, key)
		}
	}
	return pasteWhere(open, r.view.Up() != "")
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
