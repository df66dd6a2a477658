package portal

import (
	"slices"
	"time"

	"github.com/choicetui/choicetui/panes/say"
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

// inField reports whether the person is typing into a field of the question.
func (g *page) inField() bool {
	f := g.form()
	return f != nil && g.session().Pending() && f.Typing() != form.FieldNone
}

// takeField handles an event of a text field: it got the focus, its text changed, or it lost the focus. The field that
// has the focus in the browser is the one that the form counts as being typed.
func (g *page) takeField(event pageEvent, now time.Time) {
	g.settleView()
	if event.Do == doText {
		g.board.Overtake("", now) // a key of the field
	}
	if event.Field == lineField {
		g.takeLine(event, now)
		return
	}
	if event.Field == teamField {
		g.takeTeam(event, now)
		return
	}
	f, field := g.form(), fieldNames[event.Field]
	if f == nil || field == form.FieldNone || !g.session().Pending() || f.Confirming() && !inFooter(field) {
		return
	}
	if event.Do == doDone {
		if f.Typing() == field && !inFooter(field) {
			g.leaveField(f)
		}
		return
	}
	otherNote := field == form.FieldNote && event.N > 0 && f.TypingNote() != g.optionAt(event.N)
	if f.Typing() != field || otherNote {
		if g.openField(field, event.N, now); event.Do == doBegin {
			g.view.Guard.SeenHere() // the person went into the field
		}
	}
	if event.Do == doText && f.Typing() == field {
		g.board.Drop()
		g.noteTyping(now)
		g.board.FollowDoubts()
		f.Type(say.Typable(event.Value))
	}
}

// leaveField closes the field that has just lost the focus. Text that may belong to the letter which opened the field
// is put aside. Other text stays: the person went elsewhere on the page, and nothing is sent.
func (g *page) leaveField(f *form.Form) {
	g.leftUnconfirmed = form.FieldNone
	switch ranOn, _ := g.view.Guard.Doubts(false); {
	case ranOn && f.Unconfirmed():
		g.leftUnconfirmed = f.Typing()
	default:
		f.Attach()
	}
	g.closeField()
}

// takeText makes the text in the open field a part of the answer, although it may have been meant for another window:
// the person clicked the button and saw what it sends. The click has taken the focus from the field just before.
func (g *page) takeText(f *form.Form) {
	if f.Typing() == form.FieldNone && g.leftUnconfirmed != form.FieldNone {
		_, _ = f.Begin(g.leftUnconfirmed)
	}
	f.Attach()
	g.closeField()
}

// optionAt returns the id of the n-th option.
func (g *page) optionAt(n int) string {
	if q := g.form().Here(); n >= 1 && n <= len(q.Options) {
		return q.Options[n-1].ID
	}
	return ""
}

// openField opens a field that was clicked. A field that ends the question is opened only by its key or its button.
func (g *page) openField(field form.Field, n int, now time.Time) {
	if a, opens := actionOf[field]; opens {
		g.closeField()
		g.board.Focus(a, action.Arg{N: n}, now)
	}
}

// actionOf maps a field to the action that opens it.
var actionOf = map[form.Field]action.Name{form.FieldText: action.Text, form.FieldNote: action.Note,
	form.FieldComment: action.Comment, form.FieldFind: action.Find}

// noteTyping notes that the person is typing, holds the clock, and saves a draft soon.
func (g *page) noteTyping(now time.Time) {
	g.view.Guard.Type(now)
	g.view.HoldClock()
	g.view.DraftSoon()
}

// closeField closes the text field; the text stays. A field in the bar at the bottom of the page stays open, because
// closing it would do more than that.
func (g *page) closeField() {
	f := g.form()
	if f == nil || f.Typing() == form.FieldNone || inFooter(f.Typing()) {
		return
	}
	if f.Typing() == form.FieldText {
		g.leftField = f.At() + 1
	}
	f.EndTyping()
	g.view.EndHold()
}
