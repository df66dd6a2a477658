package portal

import (
	"slices"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

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
func (g *page) takeEvent(event pageEvent) {
	now := g.browser.timeOf(event, g.all.d.Now())
	if event.Do == doShown {
		g.noteFrame(event.N, now)
		return
	}
	if event.Do == doRead {
		g.noteUnread(event)
		return
	}
	if event.Do == doFocus {
		g.view.Guard.Focused(now)
		return
	}
	g.view.Pressed(now)
	opened := g.path != ""                                   // the page has told its path before
	if opened && event.Do != doBegin && event.Do != doDone { // the page also sends these two without the person
		g.web.WasUsed()
	}
	switch event.Do {
	case doOpen:
		g.touch = g.touch || event.Touch
		if opened {
			g.pick(event.Path)
		} else {
			g.goTo(event.Path)
		}
	case doKey:
		g.notice = ""
		g.pressKey(event, now)
	case doBegin, doText, doDone:
		g.takeField(event, now)
	case doSet, doUnhide:
		g.takeChange(event)
	default:
		g.notice = ""
		g.takeClick(event, now)
	}
	if event.Do != doDone {
		g.leftUnconfirmed = form.FieldNone
	}
	if event.Seq > 0 {
		g.seen = event.Seq
	}
	g.all.d.Refresh()
	g.all.queue = nil // the list shows who has a draft, so it must be drawn again
	g.all.drawSoon()
}

// pressKey carries out the action of a key.
func (g *page) pressKey(event pageEvent, now time.Time) {
	g.settleView()
	g.did = false
	text := g.board.Press(event.Key, event.Held, now, func() { g.pressKey(event, now) })
	switch {
	case text && !g.writing(): // its first character
		g.typeFirst(event.Key)
	case g.did:
		g.refocus()
	}
	g.wakeLate()
}

// The following methods make a page an action.Keyed, and so does page.Place.

// Keys returns the key table.
func (g *page) Keys() action.Map { return g.all.keys }

// Field returns the line to an agent while it is written. The browser itself types into all fields.
func (g *page) Field() any {
	if g.writing() {
		return g.chat
	}
	return nil
}

// Own returns the page's row of an action.
func (g *page) Own(a action.Name) (action.Row, bool) {
	place := g.Place()
	if !g.hasIn(a, place) {
		return action.Row{}, false
	}
	if g.actsOnQuestion(a) {
		return action.Row{Name: a}, true
	}
	row := action.Row{Name: a, Do: action.Nth(func(n int) {
		if own, is := ownActions[a]; is {
			g.did = true
			own.do(g, n)
		}
	})}
	if sends := place == action.PlaceHeld || place == action.PlaceRound; sends && a == action.Enter {
		row.Effect = func(action.At) desk.Effect { return desk.Sending }
	}
	return row, true
}

// Else returns no row: the page has no others.
func (g *page) Else(action.Name) action.Row { return action.Row{} }

// NoKey says that a key does nothing in a place.
func (g *page) NoKey(place action.Place, key string, row *action.Row) {
	switch g.notice = g.all.keys.Moved(place, key); {
	case row != nil:
		g.notice = g.notHere(row.Name, action.Written(key))
	case g.notice == "":
		g.notice = say.NothingHere(g.all.keys, place, key, enterName, g.view)
	}
}

// actsOnQuestion reports whether an action is one on the question on view, and can be carried out there now.
func (g *page) actsOnQuestion(a action.Name) bool {
	return g.panel == "" && g.form() != nil && g.session().Pending() && !slices.Contains(offQuestion, g.Place()) &&
		g.board.Has(a)
}

// wakeLate starts a timer for a key that waits a moment before it acts: a letter that acts without Enter, because it
// may be the beginning of a sentence that was meant for another window, or a press that may be the repeat of a held
// key. The timer is not stopped when the key is dropped; it then does nothing.
func (g *page) wakeLate() {
	due := g.board.Due()
	if !due.IsZero() {
		time.AfterFunc(due.Sub(g.all.d.Now()), func() { g.all.post(g.actLate) })
	}
}

// takeClick carries out a click on a button or a row.
func (g *page) takeClick(event pageEvent, now time.Time) {
	g.settleView()
	g.board.Overtake("", now)
	in := g.inputOfClick(event)
	if g.writing() && !has(in.Action, action.PlaceChat) {
		g.chat.Close() // the text stays
		g.view.BroughtUp()
	}
	if g.board.TakeOffer(in, now) || event.Do == doOffer || event.Do == doLeave {
		return
	}
	if !g.hasIn(in.Action, g.Place()) {
		g.notice = g.mayNot(in.Action)
		return
	}
	switch f := g.form(); {
	case event.Do == doSend && f != nil && !g.writing() && g.consult() == nil:
		g.takeText(f)
	case event.Do == doTab && f != nil:
		if g.closeField(); f.At() == event.N-1 {
			return
		}
	}
	if p, of := partOfClick[in.Action]; of {
		g.toPart(p)
	}
	was := g.inField()
	g.did = false
	g.board.Act(in, now)
	g.wakeLate()
	if opened := !was && g.inField(); g.did && (opened || !slices.Contains(choices, g.Place())) {
		g.refocus()
	}
}

// refocus moves the focus to the element of the present place.
func (g *page) refocus() { g.focus = g.focusNow() }

// choices lists the places in which an option is chosen.
var choices = []action.Place{action.PlaceQuestion, action.PlaceApproval}

// inputOfClick returns a click as an input for the keyboard.
func (g *page) inputOfClick(event pageEvent) action.Input {
	in := action.Input{Action: action.Name(event.Do), Name: "that click", Click: true,
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
		if f := g.form(); f != nil && event.N-1 < f.At() {
			in.Action = action.TabBack
		}
	}
	return in
}

// focusNow returns the id of the element that should have the focus.
func (g *page) focusNow() string {
	f := g.form()
	switch g.Place() {
	case action.PlaceQueue:
		return "r-" + g.row
	case action.PlaceTeamLine:
		return "f-" + teamField
	case action.PlaceLetter:
		return "team-prompt"
	case action.PlaceTeamChoice:
		return "team-until"
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
