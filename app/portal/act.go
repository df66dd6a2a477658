package portal

import (
	"slices"
	"time"
	"unicode/utf8"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk/deed"
	"github.com/choicetui/choicetui/queue/form"
)

// verbs carries out the person's actions on a page. An action on the question on view is passed as an Input to the Hand
// of package queue/desk/deed. The page itself carries out only the actions in ownActions.
type verbs struct{ *page }

// Values of pageEvent.Do. Any other value is an action of the key table.
const (
	doOpen   = "open"   // go to a path
	doKey    = "key"    // a key was pressed
	doBegin  = "begin"  // a text field got the focus
	doText   = "text"   // the text of the field has changed
	doDone   = "done"   // the field lost the focus
	doSend   = "send"   // the button that sends was clicked
	doTab    = "tab"    // the n-th question of a form, or its review, was clicked
	doReason = "reason" // the n-th suggested reason was clicked
	doSet    = "set"    // a setting has a new value
	doUnhide = "unhide" // the n-th hidden option is shown again
	doOffer  = "offer"  // the button that accepts an offer was clicked
	doLeave  = "leave"  // the button that declines an offer was clicked
	doShown  = "shown"  // frame n is on screen
	doRead   = "read"   // n lines of the text at a path were not on screen yet
	doFocus  = "focus"  // the browser's window got the focus
)

// takeEvent carries out one event of the page.
func (v verbs) takeEvent(event pageEvent) {
	now := v.timeOf(event)
	if event.Do == doShown {
		v.noteFrame(event.N, now)
		return
	}
	if event.Do == doRead {
		v.noteUnread(event)
		return
	}
	if event.Do == doFocus {
		v.seat.Guard.Focused(now)
		return
	}
	v.seat.Pressed(now)
	opened := v.path != ""                                   // the page has told its path before
	if opened && event.Do != doBegin && event.Do != doDone { // the page also sends these two without the person
		v.grant.Used()
	}
	switch event.Do {
	case doOpen:
		v.touch = v.touch || event.Touch
		if opened {
			v.pick(event.Path)
		} else {
			v.goTo(event.Path)
		}
	case doKey:
		v.notice = ""
		v.pressKey(event, now)
	case doBegin, doText, doDone:
		texts(v).takeEvent(event, now)
	case doSet, doUnhide:
		settingsPanel(v).takeChange(event)
	default:
		v.notice = ""
		v.takeClick(event, now)
	}
	if event.Do != doDone {
		v.leftLoose = form.FieldNone
	}
	if event.Seq > 0 {
		v.seen = event.Seq
	}
	v.all.d.Refresh()
	v.all.queue = nil // the list shows who has a draft, so it must be drawn again
	v.drawSoon()
}

// pressKey carries out the action of a key.
func (v verbs) pressKey(event pageEvent, now time.Time) {
	v.settleSeat()
	v.hand.Overtake(event.Key, now)
	key, place, stepping := event.Key, v.place(), v.stepped
	v.stepped = false
	in := deed.Input{Key: key, Name: keys.Written(key), Letter: isLetter(key), Held: event.Held}
	binding := v.all.keys.Lookup(place, key)
	if binding != nil {
		in.Action, in.Waits, in.Repeats = binding.Action, binding.Waits, binding.Repeats
		if binding.Counted {
			in.Arg.N = v.all.keys.Nth(place, binding.Action, key)
		}
	}
	offered := in
	if enter := v.all.keys.Lookup(keys.PlaceQuestion, key); enter != nil && enter.Action == deed.Enter {
		offered.Action = enter.Action // Enter accepts an offer even in a place where it has no action
	}
	if !v.hand.IsPress(in, now, func() { v.pressKey(event, now) }) {
		v.wakeLate()
		return
	}
	switch {
	case v.hand.TakeOffer(offered, now):
	case v.typesFirst(place, key, stepping):
		v.typeFirst(key, now)
	case binding != nil && v.hasIn(binding.Action, place):
		v.stepped = place == keys.PlaceQuestion && v.all.keys.Steps(key)
		if v.carryOut(in, now); v.did {
			v.refocus()
		}
	default:
		switch v.notice = v.all.keys.Moved(place, key); {
		case binding != nil:
			v.notice = v.notHere(binding.Action, keys.Written(key))
		case v.notice == "":
			v.notice = say.NothingHere(v.all.keys, place, key, enterName, v.seat)
		}
		v.seat.TakeBackMarks(now, in.Letter)
		v.seat.Guard.Stray(now)
	}
}

// enterName is the page's sign for Enter.
const enterName = "⏎"

// carryOut carries out an action on the question on view, or one of the page's own. It sets did if the action had an
// effect that may have moved the focus.
func (v verbs) carryOut(in deed.Input, now time.Time) {
	v.did = false
	if v.actsOnQuestion(in.Action) {
		v.hand.Press(in, now)
	} else {
		v.actOwn(in, now)
	}
	v.wakeLate()
}

// actsOnQuestion reports whether an action is one on the question on view, and can be carried out there now.
func (v verbs) actsOnQuestion(a keys.Action) bool {
	return v.panel == "" && v.form() != nil && v.session().Pending() && !slices.Contains(offQuestion, v.place()) &&
		v.hand.Has(a)
}

// wakeLate starts a timer for a key that waits a moment before it acts: a letter that acts without Enter, because it
// may be the beginning of a sentence that was meant for another window, or a press that may be the repeat of a held
// key. The timer is not stopped when the key is dropped; it then does nothing.
func (v verbs) wakeLate() {
	page, due := v.page, v.hand.Due()
	if !due.IsZero() {
		time.AfterFunc(due.Sub(v.all.d.Now()), func() { v.all.post(page.actLate) })
	}
}

// takeClick carries out a click on a button or a row.
func (v verbs) takeClick(event pageEvent, now time.Time) {
	v.settleSeat()
	v.hand.Overtake("", now)
	in := v.inputOfClick(event)
	if v.writing() && !has(in.Action, keys.PlaceChat) {
		v.chat.Close() // the text stays
		v.seat.BroughtUp()
	}
	if v.hand.TakeOffer(in, now) || event.Do == doOffer || event.Do == doLeave {
		return
	}
	if !v.hasIn(in.Action, v.place()) {
		v.notice = v.mayNot(in.Action)
		return
	}
	switch f := v.form(); {
	case event.Do == doSend && f != nil && !v.writing() && v.consult() == nil:
		texts(v).takeText(f)
	case event.Do == doTab && f != nil:
		if texts(v).closeField(); f.At() == event.N-1 {
			return
		}
	}
	if p, of := partOfClick[in.Action]; of {
		v.toPart(p)
	}
	was := texts(v).isOpen()
	v.carryOut(in, now)
	if opened := !was && texts(v).isOpen(); v.did && (opened || !slices.Contains(choices, v.place())) {
		v.refocus()
	}
}

// refocus moves the focus to the element of the present place.
func (v verbs) refocus() { v.focus = v.focusNow() }

// choices lists the places in which an option is chosen.
var choices = []keys.Place{keys.PlaceQuestion, keys.PlaceApproval}

// inputOfClick returns a click as an input for the Hand.
func (v verbs) inputOfClick(event pageEvent) deed.Input {
	in := deed.Input{Action: keys.Action(event.Do), Name: labels.ThatClick, Click: true,
		Arg: deed.Arg{N: max(event.N, 0)}}
	switch event.Do {
	case doSend, doOffer:
		in.Action = deed.Enter
	case doLeave:
		in.Action = deed.Back
	case doReason:
		in.Action = deed.ReasonDown
	case doTab:
		in.Action = deed.TabNext
		if f := v.form(); f != nil && event.N-1 < f.At() {
			in.Action = deed.TabBack
		}
	}
	return in
}

// focusNow returns the id of the element that should have the focus.
func (v verbs) focusNow() string {
	f := v.form()
	switch v.place() {
	case keys.PlaceQueue:
		return "r-" + v.row
	case keys.PlaceTeamLine:
		return "f-" + teamField
	case keys.PlaceLetter:
		return "team-prompt"
	case keys.PlaceTeamChoice:
		return "team-until"
	case keys.PlaceChat:
		return "f-" + lineField
	case keys.PlaceTyping, keys.PlaceReason, keys.PlaceFind:
		return fieldID(f)
	case keys.PlaceQuestion, keys.PlaceApproval:
		return optionID(f.Here())
	case keys.PlaceReview:
		return "a-" + itoa(f.Row()+1)
	case keys.PlaceConfirm:
		return "confirm"
	case keys.PlaceHelp, keys.PlaceSettings, keys.PlacePeek:
		return "panel"
	}
	return "main"
}

// optionID returns the HTML id of the row under the cursor.
func optionID(q *form.Question) string {
	rows := q.Rows()
	if q.Cursor() >= len(rows) {
		return "main"
	}
	if i := rows[q.Cursor()]; i != form.OwnWords {
		return "o-" + itoa(i+1)
	}
	return "own"
}

// isLetter reports whether a key types a single character, so that it may be part of a sentence.
func isLetter(key string) bool { return utf8.RuneCountInString(key) == 1 || key == "space" }
