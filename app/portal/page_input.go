package portal

import (
	"cmp"
	"maps"
	"slices"
	"strings"
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
	now := g.browser.timeOf(event, g.pages.desk.Now())
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
	g.pages.desk.Refresh()
	g.pages.queue = nil // the list shows who has a draft, so it must be drawn again
	g.drawSoon()
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

// hear handles an event of the desk.
func (g *page) hear(e desk.Event) {
	switch e := e.(type) {
	case desk.Changed:
		g.takeState(e.Now)
	case desk.Ended:
		g.takeState(e.Session)
		g.alerts.warnEnded(g, e.Session)
	case desk.Stored:
		g.takeState(e.Session)
	case desk.Shown:
		if e.View == g.view {
			g.board.Drop()
			g.followView(e.ID)
		}
	case desk.DraftTaken:
		if e.View == g.view && e.ID == g.id {
			g.forced = true
		}
	case desk.NotStored:
		if e.ID == g.id && !e.Again {
			g.notice = say.NotSent(e.Err, say.OnPage)
		}
	case desk.NotMoved:
		g.sayAbout(e.ID, say.ClockNotMoved(e.Err, say.OnPage))
	case desk.NotLater:
		g.sayAbout(e.ID, say.NotSetAside(e.Err))
	default:
		g.followLine(e)
		g.followTeam(e)
	}
}

// followView moves the page to the question that the view turned to while the page's own question is unanswered. The
// person set that question aside, left it with the team, looks through similar approvals, or took an answer back.
func (g *page) followView(id string) {
	was := g.lastUp
	g.lastUp = id
	turned := id != "" && g.id != "" && id != g.id && was == g.id && g.last.ID == g.id // from the page's own question
	unanswered := (g.session().Pending() || g.view.Round.On()) && g.pages.desk.Outbox().Of(g.id) == nil
	if !turned || !unanswered || !g.web.MayList() {
		return
	}
	g.goTo(choicePath + id)
	g.arrives = false // the desk has already told the guard
	g.refocus()
}

// sayAbout shows words about a question as a notice, if the page shows that question.
func (g *page) sayAbout(id, words string) {
	if id == g.id {
		g.notice = words
	}
}

// draw sends the browser what has changed on the page.
func (g *page) draw() {
	if g.path == "" {
		return
	}
	g.settleView()
	g.moveOn()
	g.focusTitle()
	news := g.tellNews()
	g.browser.show(g.shown().draw(), g.path, g.keysNow(), g.forced)
	times := g.browser.newTimes(g.shownTimes())
	g.browser.add(func(m *message) {
		maps.Copy(m.Times, times)
		m.Focus, m.News = cmp.Or(g.focus, m.Focus), cmp.Or(news, m.News)
		m.Say = cmp.Or(notice(g.notice), m.Say)
		m.Seen = g.seen
		if frame := g.view.Guard.Frame(); frame != g.browser.frame {
			g.browser.frame, m.Frame = frame, frame
		}
	})
	g.wakeForGuard()
	g.forced, g.focus, g.notice = false, "", ""
}

// notice capitalizes a notice, unless it begins with a key of one letter: J and j are two keys.
func notice(words string) string {
	if first, _, _ := strings.Cut(words, " "); len(first) == 1 {
		return words
	}
	return say.Capital(words)
}

// wakeForGuard has the page drawn again when the words of the guard change without a key: some seconds later it refuses
// nothing any more.
func (g *page) wakeForGuard() {
	now := g.pages.desk.Now()
	if due := g.view.Guard.Due(now); !due.IsZero() && !due.Equal(g.wakes) {
		g.wakes = due
		time.AfterFunc(due.Sub(now), func() { g.pages.post(g.drawSoon) })
	}
}
