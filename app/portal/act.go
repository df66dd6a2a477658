package portal

import (
	"slices"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// verbs carries out the person's actions on a page. It gives each key and click to the keyboard of package action, and
// is its action.Keyed. The page itself carries out only the actions in ownActions.
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
		v.view.Guard.Focused(now)
		return
	}
	v.view.Pressed(now)
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
		v.leftUnconfirmed = form.FieldNone
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
	v.settleView()
	v.did = false
	text := v.board.Press(event.Key, event.Held, now, func() { v.pressKey(event, now) })
	switch {
	case text && !v.writing(): // its first character
		v.typeFirst(event.Key)
	case v.did:
		v.refocus()
	}
	v.wakeLate()
}

// The following methods make verbs an action.Keyed.

// Keys returns the key table.
func (v verbs) Keys() action.Map { return v.all.keys }

// Place returns the place where keys go now.
func (v verbs) Place() action.Place { return v.place() }

// Field returns the line to an agent while it is written. The browser itself types into all fields.
func (v verbs) Field() any {
	if v.writing() {
		return v.chat
	}
	return nil
}

// Own returns the page's row of an action.
func (v verbs) Own(a action.Name) (action.Row, bool) {
	place := v.place()
	if !v.hasIn(a, place) {
		return action.Row{}, false
	}
	if v.actsOnQuestion(a) {
		return action.Row{Name: a}, true
	}
	row := action.Row{Name: a, Do: action.Nth(func(n int) {
		if own, is := ownActions[a]; is {
			v.did = true
			own.do(v, n)
		}
	})}
	if sends := place == action.PlacePostponed || place == action.PlaceRound; sends && a == action.Enter {
		row.Effect = func(action.At) desk.Effect { return desk.Sending }
	}
	return row, true
}

// Else returns no row: the page has no others.
func (v verbs) Else(action.Name) action.Row { return action.Row{} }

// NoKey says that a key does nothing in a place.
func (v verbs) NoKey(place action.Place, key string, row *action.Row) {
	switch v.notice = v.all.keys.Moved(place, key); {
	case row != nil:
		v.notice = v.notHere(row.Name, action.Written(key))
	case v.notice == "":
		v.notice = say.NothingHere(v.all.keys, place, key, enterName, v.view)
	}
}

// enterName is the page's sign for Enter.
const enterName = "⏎"

// actsOnQuestion reports whether an action is one on the question on view, and can be carried out there now.
func (v verbs) actsOnQuestion(a action.Name) bool {
	return v.panel == "" && v.form() != nil && v.session().Pending() && !slices.Contains(offQuestion, v.place()) &&
		v.board.Has(a)
}

// wakeLate starts a timer for a key that waits a moment before it acts: a letter that acts without Enter, because it
// may be the beginning of a sentence that was meant for another window, or a press that may be the repeat of a held
// key. The timer is not stopped when the key is dropped; it then does nothing.
func (v verbs) wakeLate() {
	page, due := v.page, v.board.Due()
	if !due.IsZero() {
		time.AfterFunc(due.Sub(v.all.d.Now()), func() { v.all.post(page.actLate) })
	}
}

// takeClick carries out a click on a button or a row.
func (v verbs) takeClick(event pageEvent, now time.Time) {
	v.settleView()
	v.board.Overtake("", now)
	in := v.inputOfClick(event)
	if v.writing() && !has(in.Action, action.PlaceChat) {
		v.chat.Close() // the text stays
		v.view.BroughtUp()
	}
	if v.board.TakeOffer(in, now) || event.Do == doOffer || event.Do == doLeave {
		return
	}
	if !v.hasIn(in.Action, v.place()) {
		v.notice = v.mayNot(in.Action)
		return
	}
	switch f := v.form(); {
	case event.Do == doSend && f != nil && !v.writing():
		texts(v).takeText(f)
	case event.Do == doTab && f != nil:
		if texts(v).closeField(); f.At() == event.N-1 {
			return
		}
	}
	was := texts(v).isOpen()
	v.did = false
	v.board.Act(in, now)
	v.wakeLate()
	if opened := !was && texts(v).isOpen(); v.did && (opened || !slices.Contains(choices, v.place())) {
		v.refocus()
	}
}

// refocus moves the focus to the element of the present place.
func (v verbs) refocus() { v.focus = v.focusNow() }

// choices lists the places in which an option is chosen.
var choices = []action.Place{action.PlaceQuestion, action.PlaceApproval}

// inputOfClick returns a click as an input for the keyboard.
func (v verbs) inputOfClick(event pageEvent) action.Input {
	in := action.Input{Action: action.Name(event.Do), Name: labels.ThatClick, Click: true,
		Arg: action.Arg{N: max(event.N, 0)}}
	switch event.Do {
	case doSend, doOffer:
		in.Action = action.Enter
	case doLeave:
		in.Action = action.Back
	case doReason:
		in.Action = action.ReasonDown
	case doTab:
		in.Action = action.TabNext
		if f := v.form(); f != nil && event.N-1 < f.At() {
			in.Action = action.TabBack
		}
	}
	return in
}

// focusNow returns the id of the element that should have the focus.
func (v verbs) focusNow() string {
	f := v.form()
	switch v.place() {
	case action.PlaceQueue:
		return "r-" + v.row
	case action.PlaceChat:
		return "f-" + lineField
	case action.PlaceTyping, action.PlaceReason, action.PlaceFind:
		return fieldID(f)
	case action.PlaceQuestion, action.PlaceApproval:
		return optionID(f.Here())
	case action.PlaceReview:
		return "a-" + itoa(f.Row()+1)
	case action.PlaceConfirm:
		return "confirm"
	case action.PlaceHelp, action.PlaceSettings, action.PlacePeek:
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
