package portal

import (
	"slices"
	"time"
	"unicode/utf8"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/deed"
	"github.com/choicetui/choicetui/queue/form"
)

// verbs carry out the person's actions on a page. What is done to the question on view is in package queue/desk/deed:
// a key, a click or a text becomes its Input. The page does itself what only a page has, see own.
type verbs struct{ *page }

// The words of the page's own among its actions. Any other is an action of the key table.
const (
	doOpen   = "open"   // go to a path
	doKey    = "key"    // a key was pressed
	doBegin  = "begin"  // a text field got the focus
	doText   = "text"   // its text has changed
	doDone   = "done"   // it lost the focus
	doSend   = "send"   // the button that sends
	doTab    = "tab"    // the n-th question of a form, or its review
	doReason = "reason" // the n-th suggested reason
	doSet    = "set"    // a setting has a new value
	doUnhide = "unhide" // the n-th hidden option is shown again
	doOffer  = "offer"  // the button of what is offered
	doLeave  = "leave"  // the button that leaves it
	doShown  = "shown"  // the frame of that number is on screen
	doRead   = "read"   // so many lines of the text at a path were not on screen yet
)

// take carries out one event.
func (v verbs) take(d pageEvent) {
	now := v.timeOf(d)
	if d.Do == doShown {
		v.shownOn(d.N, now)
		return
	}
	if d.Do == doRead {
		v.readOn(d)
		return
	}
	v.seat.Pressed(now)
	if d.Do != doBegin && d.Do != doDone && v.path != "" { // the page sends these on its own too
		v.grant.Used()
	}
	switch d.Do {
	case doOpen:
		v.touch = v.touch || d.Touch
		v.goTo(d.Path, v.path != "")
	case doKey:
		v.notice = ""
		v.press(d.Key, now)
	case doBegin, doText, doDone:
		texts(v).take(d, now)
	case doSet, doUnhide:
		settingsPanel(v).take(d)
	default:
		v.notice = ""
		v.click(d, now)
	}
	if d.Seq > 0 {
		v.seen = d.Seq
	}
	v.all.d.Refresh()
	v.all.queue = nil // there may be a draft now
	v.drawSoon()
}

// press does what a key asks for.
func (v verbs) press(key string, now time.Time) {
	v.settle()
	place := v.place()
	in := deed.Input{Key: key, Name: keys.Written(key), Letter: isLetter(key)}
	b := v.all.keys.Lookup(place, key)
	if b != nil {
		in.Action, in.Waits, in.Repeats = b.Action, b.Waits, b.Repeats
		if b.Counted {
			in.Arg.N = v.all.keys.Nth(place, b.Action, key)
		}
	}
	offered := in
	if enter := v.all.keys.Lookup(keys.PlaceQuestion, key); enter != nil && enter.Action == deed.Enter {
		offered.Action = enter.Action // also where Enter does nothing else
	}
	v.hand.Overtake(key, now)
	switch {
	case v.hand.TakeOffer(offered, now):
	case v.typesFirst(place, key):
		v.typeFirst(key, now)
	case b != nil && v.hasIn(b.Action, place):
		if v.act(in, now); v.did {
			v.refocus()
		}
	default:
		switch v.notice = v.all.keys.Moved(place, key); {
		case b != nil:
			v.notice = v.notHere(b.Action, keys.Written(key))
		case v.notice == "":
			v.notice = say.NothingHere(v.all.keys, place, key, enterName, v.seat.LeaveEnds())
		}
		v.seat.TakeBackMarks(now, in.Letter)
		v.seat.Guard.Stray(now)
	}
}

// enterName is the page's sign for Enter.
const enterName = "⏎"

// act does an action: to the question on view, else what the page has of its own. did says whether it came to
// anything that may have moved the focus.
func (v verbs) act(in deed.Input, now time.Time) {
	v.did = false
	if v.onView(in.Action) {
		v.hand.Press(in, now)
		v.wakeLate()
		return
	}
	v.actOwn(in, now)
}

// onView reports whether an action is for the question on view, which is the page's.
func (v verbs) onView(a keys.Action) bool {
	return v.panel == "" && v.form() != nil && v.session().Pending() && !slices.Contains(aside, v.place()) &&
		v.hand.Does(a)
}

// wakeLate has a letter act that waits. The timer is not stopped when the letter is dropped: it finds nothing then.
func (v verbs) wakeLate() {
	if page := v.page; !v.hand.Due().IsZero() {
		time.AfterFunc(desk.Pause, func() { v.all.post(page.actLate) })
	}
}

// click carries out a click on a button or a row.
func (v verbs) click(d pageEvent, now time.Time) {
	v.settle()
	v.hand.Overtake("", now)
	in := v.clicked(d)
	if v.writing() && !has(in.Action, keys.PlaceChat) {
		v.chat.Close() // the text stays
		v.seat.BroughtUp()
	}
	if v.hand.TakeOffer(in, now) || d.Do == doOffer || d.Do == doLeave {
		return
	}
	if !v.hasIn(in.Action, v.place()) {
		v.notice = v.mayNot(in.Action)
		return
	}
	switch f := v.form(); {
	case d.Do == doSend && f != nil && !v.writing() && v.consult() == nil: // who clicks looks at what is sent
		f.Attach()
		texts(v).end(true)
	case d.Do == doTab && f != nil:
		if texts(v).end(true); f.At() == d.N-1 {
			return
		}
	}
	if p, of := partOfClick[in.Action]; of {
		v.toPart(p)
	}
	was := texts(v).open()
	v.act(in, now)
	if opened := !was && texts(v).open(); v.did && (opened || !slices.Contains(choices, v.place())) {
		v.refocus()
	}
}

// refocus has the focus go to where it is now.
func (v verbs) refocus() { v.focus = v.focusNow() }

// choices are the places in which an option is chosen.
var choices = []keys.Place{keys.PlaceQuestion, keys.PlaceApproval}

// clicked returns a click as the hand takes it.
func (v verbs) clicked(d pageEvent) deed.Input {
	in := deed.Input{Action: keys.Action(d.Do), Name: labels.ThatClick, Click: true, Arg: deed.Arg{N: max(d.N, 0)}}
	switch d.Do {
	case doSend, doOffer:
		in.Action = deed.Enter
	case doLeave:
		in.Action = deed.Back
	case doReason:
		in.Action = deed.ReasonDown
	case doTab:
		in.Action = deed.TabNext
		if f := v.form(); f != nil && d.N-1 < f.At() {
			in.Action = deed.TabBack
		}
	}
	return in
}

// focusNow returns the id of the element that has the focus now.
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
	case keys.PlaceHelp, keys.PlaceSettings:
		return "panel"
	}
	return "main"
}

// optionID returns the id of the row under the cursor.
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

// isLetter reports whether a key types a single character.
func isLetter(key string) bool { return utf8.RuneCountInString(key) == 1 || key == "space" }
