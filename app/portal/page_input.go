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
func (p *page) takeEvent(event pageEvent) {
	now := p.browser.timeOf(event, p.pages.desk.Now())
	if event.Do == doShown {
		p.noteFrame(event.N, now)
		return
	}
	if event.Do == doRead {
		p.noteUnread(event)
		return
	}
	if event.Do == doFocus {
		p.view.Guard.Focused(now)
		return
	}
	p.view.Pressed(now)
	opened := p.path != ""                                   // the page has told its path before
	if opened && event.Do != doBegin && event.Do != doDone { // the page also sends these two without the person
		p.web.WasUsed()
	}
	switch event.Do {
	case doOpen:
		p.touch = p.touch || event.Touch
		if opened {
			p.pick(event.Path)
		} else {
			p.goTo(event.Path)
		}
	case doKey:
		p.message = ""
		p.pressKey(event, now)
	case doBegin, doText, doDone:
		p.takeField(event, now)
	case doSet, doUnhide:
		p.takeChange(event)
	default:
		p.message = ""
		p.takeClick(event, now)
	}
	if event.Do != doDone {
		p.leftUnconfirmed = form.FieldNone
	}
	if event.Seq > 0 {
		p.seen = event.Seq
	}
	p.pages.desk.Refresh()
	p.pages.queue = nil // the list shows who has a draft, so it must be drawn again
	p.drawSoon()
}

// takeClick carries out a click on a button or a row.
func (p *page) takeClick(event pageEvent, now time.Time) {
	p.settleView()
	p.board.Overtake("", now)
	in := p.inputOfClick(event)
	if p.writing() && !has(in.Action, action.PlaceChat) {
		p.chat.Close() // the text stays
		p.view.BroughtUp()
	}
	if p.board.TakeOffer(in, now) || event.Do == doOffer || event.Do == doLeave {
		return
	}
	if !p.hasIn(in.Action, p.Place()) {
		p.message = p.mayNot(in.Action)
		return
	}
	switch f := p.form(); {
	case event.Do == doSend && f != nil && !p.writing():
		p.takeText(f)
	case event.Do == doTab && f != nil:
		if p.closeField(); f.At() == event.N-1 {
			return
		}
	}
	was := p.inField()
	p.did = false
	p.board.Act(in, now)
	p.wakeLate()
	if opened := !was && p.inField(); p.did && (opened || !slices.Contains(choices, p.Place())) {
		p.refocus()
	}
}

// choices lists the places in which an option is chosen.
var choices = []action.Place{action.PlaceQuestion, action.PlaceApproval}

// inputOfClick returns a click as an input for the keyboard.
func (p *page) inputOfClick(event pageEvent) action.Input {
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
		if f := p.form(); f != nil && event.N-1 < f.At() {
			in.Action = action.TabBack
		}
	}
	return in
}

// inField reports whether the person is typing into a field of the question.
func (p *page) inField() bool {
	f := p.form()
	return f != nil && p.session().Pending() && f.Typing() != form.FieldNone
}

// takeField handles an event of a text field: it got the focus, its text changed, or it lost the focus. The field that
// has the focus in the browser is the one that the form counts as being typed.
func (p *page) takeField(event pageEvent, now time.Time) {
	p.settleView()
	if event.Do == doText {
		p.board.Overtake("", now) // a key of the field
	}
	if event.Field == lineField {
		p.takeLine(event, now)
		return
	}
	f, field := p.form(), fieldNames[event.Field]
	if f == nil || field == form.FieldNone || !p.session().Pending() || f.Confirming() && !inFooter(field) {
		return
	}
	if event.Do == doDone {
		if f.Typing() == field && !inFooter(field) {
			p.leaveField(f)
		}
		return
	}
	otherNote := field == form.FieldNote && event.N > 0 && f.TypingNote() != p.optionAt(event.N)
	if f.Typing() != field || otherNote {
		if p.openField(field, event.N, now); event.Do == doBegin {
			p.view.Guard.SeenHere() // the person went into the field
		}
	}
	if event.Do == doText && f.Typing() == field {
		p.board.Drop()
		p.noteTyping(now)
		p.board.FollowDoubts()
		f.Type(say.Typable(event.Value))
	}
}

// leaveField closes the field that has just lost the focus. Text that may belong to the letter which opened the field
// is put aside. Other text stays: the person went elsewhere on the page, and nothing is sent.
func (p *page) leaveField(f *form.Form) {
	p.leftUnconfirmed = form.FieldNone
	switch ranOn, _ := p.view.Guard.Doubts(false); {
	case ranOn && f.Unconfirmed():
		p.leftUnconfirmed = f.Typing()
	default:
		f.Attach()
	}
	p.closeField()
}

// takeText makes the text in the open field a part of the answer, although it may have been meant for another window:
// the person clicked the button and saw what it sends. The click has taken the focus from the field just before.
func (p *page) takeText(f *form.Form) {
	if f.Typing() == form.FieldNone && p.leftUnconfirmed != form.FieldNone {
		_, _ = f.Begin(p.leftUnconfirmed)
	}
	f.Attach()
	p.closeField()
}

// optionAt returns the id of the n-th option.
func (p *page) optionAt(n int) string {
	if q := p.form().Here(); n >= 1 && n <= len(q.Options) {
		return q.Options[n-1].ID
	}
	return ""
}

// openField opens a field that was clicked. A field that ends the question is opened only by its key or its button.
func (p *page) openField(field form.Field, n int, now time.Time) {
	if a, opens := actionOf[field]; opens {
		p.closeField()
		p.board.Focus(a, action.Arg{N: n}, now)
	}
}

// actionOf maps a field to the action that opens it.
var actionOf = map[form.Field]action.Name{form.FieldText: action.Text, form.FieldNote: action.Note,
	form.FieldComment: action.Comment, form.FieldFind: action.Find}

// noteTyping notes that the person is typing, holds the clock, and saves a draft soon.
func (p *page) noteTyping(now time.Time) {
	p.view.Guard.Type(now)
	p.view.HoldClock()
	p.view.DraftSoon()
}

// hear handles an event of the desk.
func (p *page) hear(e desk.Event) {
	switch e := e.(type) {
	case desk.Changed:
		p.takeState(e.Now)
	case desk.Ended:
		p.takeState(e.Session)
		p.alerts.warnEnded(p, e.Session)
	case desk.Stored:
		p.takeState(e.Session)
	case desk.Shown:
		if e.View == p.view {
			p.board.Drop()
			p.followView(e.ID)
		}
	case desk.BatchMoved:
		if e.View == p.view {
			p.batches++
			p.refocus()
		}
	case desk.DraftTaken:
		if e.View == p.view && e.ID == p.id {
			p.forced = true
		}
	case desk.NotStored:
		if e.ID == p.id && !e.Again {
			p.message = say.NotSent(e.Err, say.OnPage)
		}
	case desk.NotMoved:
		p.sayAbout(e.ID, say.ClockNotMoved(e.Err, say.OnPage))
	case desk.NotLater:
		p.sayAbout(e.ID, say.NotSetAside(e.Err))
	default:
		p.followLine(e)
		p.followTeam(e)
	}
}

// followView moves the page to the question that the view turned to while the page's own question is unanswered. The
// person set that question aside, left it with the team, or took an answer back.
func (p *page) followView(id string) {
	was := p.lastUp
	p.lastUp = id
	turned := id != "" && p.id != "" && id != p.id && was == p.id && p.last.ID == p.id // from the page's own question
	unanswered := p.session().Pending() && p.pages.desk.Outbox().Of(p.id) == nil
	if !turned || !unanswered || !p.web.MayList() {
		return
	}
	p.goTo(choicePath + id)
	p.arrives = false // the desk has already told the guard
	p.refocus()
}

// sayAbout shows words about a question as a notice, if the page shows that question.
func (p *page) sayAbout(id, words string) {
	if id == p.id {
		p.message = words
	}
}

// draw sends the browser what has changed on the page.
func (p *page) draw() {
	if p.path == "" {
		return
	}
	p.settleView()
	p.moveOn()
	p.focusTitle()
	news, made, keys := p.tellNews(), p.shown().draw(), p.keysNow()
	times := p.browser.newTimes(p.shownTimes())
	p.browser.add(func(m *message) {
		p.browser.fill(m, made, p.path, keys, p.forced)
		maps.Copy(m.Times, times)
		m.Focus, m.News = cmp.Or(p.focus, m.Focus), cmp.Or(news, m.News)
		m.Say = cmp.Or(capitalized(p.message), m.Say)
		m.Seen = p.seen
		if frame := p.view.Guard.Frame(); frame != p.browser.frame {
			p.browser.frame, m.Frame = frame, frame
		}
	})
	p.wakeForGuard()
	p.forced, p.focus, p.message = false, "", ""
}

// capitalized capitalizes a capitalized, unless it begins with a key of one letter: J and j are two keys.
func capitalized(words string) string {
	if first, _, _ := strings.Cut(words, " "); len(first) == 1 {
		return words
	}
	return say.Capital(words)
}

// wakeForGuard has the page drawn again when the words of the guard change without a key: some seconds later it refuses
// nothing any more.
func (p *page) wakeForGuard() {
	now := p.pages.desk.Now()
	if due := p.view.Guard.Due(now); !due.IsZero() && !due.Equal(p.wakes) {
		p.wakes = due
		time.AfterFunc(due.Sub(now), func() { p.pages.post(p.drawSoon) })
	}
}
