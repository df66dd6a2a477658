package portal

import (
	"slices"
	"time"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
)

// verbs carry out the person's actions on a page.
type verbs struct{ *page }

// row binds an action of the key table to what the page does.
type row struct {
	do      func(v verbs, n int)
	whyNot  func(v verbs) string      // why it does nothing now; nil or empty: nothing is in the way
	effect  func(v verbs) desk.Effect // for the guard; nil: it marks where the key table says that it acts
	toggles bool                      // it is a mark, and several may be allowed
	always  bool                      // also where no question is shown that can be answered
}

// The words of the page's own among its deeds. Any other is an action of the key table.
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
)

// take does one deed.
func (v verbs) take(d deed) {
	now := v.timeOf(d)
	if d.Do == doShown {
		v.shownOn(d.N, now)
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

// press does what a key asks for, unless the guard or the form refuses.
func (v verbs) press(key string, now time.Time) {
	v.settle()
	place := v.place()
	b := v.all.keys.Lookup(place, key)
	var means keys.Action
	if b != nil {
		means = b.Action
	}
	if v.overtake(key, now); v.takeOffer(means, key, now) {
		return
	}
	r, does := rowOf(means, place)
	switch {
	case v.typesFirst(place, key):
		v.typeFirst(key, now)
	case does:
		v.doKey(*b, r, key, now)
	default:
		switch v.notice = v.all.keys.Moved(place, key); {
		case b != nil:
			v.notice = say.NotOnThisPage(keys.Written(key))
		case v.notice == "":
			v.notice = say.NothingHere(v.all.keys, place, key, enterName, v.seat.LeaveEnds())
		}
		v.seat.TakeBackMarks(now, isLetter(key))
		v.seat.Guard.Stray(now)
	}
}

// enterName is the page's sign for Enter.
const enterName = "⏎"

// doKey does what a row of the key table asks for.
func (v verbs) doKey(b keys.Binding, r row, key string, now time.Time) {
	p := v.pressed(b, r, key)
	if p.Effect != desk.Marking {
		v.seat.TakeBackMarks(now, p.Letter)
	}
	if !v.may(b, r, p, now) {
		return
	}
	n := 0
	if b.Counted {
		n = v.all.keys.Nth(v.place(), b.Action, key)
	}
	if b.Waits && p.Letter {
		v.postpone(b, key, func() { v.run(r, n) }, now)
		return
	}
	was := texts(v).open()
	v.doAs(p, now, func() { v.run(r, n) })
	if !was && (texts(v)).open() {
		v.seat.Guard.Begin(p.Letter, now)
	}
	v.focus = v.focusNow()
}

// doAs does something for a key or a click, and tells the guard what became of it.
func (v verbs) doAs(p desk.Press, now time.Time, do func()) {
	v.notTaken = false
	if v.seat.Take(p, now, do); v.notTaken {
		v.seat.Guard.NotTaken(p.Key, v.notice)
	}
}

// may asks the guard and the action itself, and says why not.
func (v verbs) may(b keys.Binding, r row, p desk.Press, now time.Time) bool {
	if v.refused(b, p, now) {
		return false
	}
	if r.whyNot != nil {
		if v.notice = r.whyNot(v); v.notice != "" {
			return false
		}
	}
	return true
}

// run does an action, and has a draft of it saved soon.
func (v verbs) run(r row, n int) {
	if f := v.form(); !r.always && (f == nil || !v.session().Pending()) {
		return
	}
	r.do(v, n)
	v.seat.DraftSoon()
}

// click carries out a click on a button or a row.
func (v verbs) click(d deed, now time.Time) {
	v.settle()
	v.overtake("", now)
	action := clicked(d.Do)
	if v.takeOffer(action, "", now) {
		return
	}
	r, ok := table[action]
	b := keys.Binding{Action: action}
	if at := slices.IndexFunc(keys.Table, func(b keys.Binding) bool { return b.Action == action }); at >= 0 {
		b = keys.Table[at]
	}
	p := v.pressed(b, r, "")
	if !ok || !v.may(b, r, p, now) {
		return
	}
	switch d.Do {
	case doSend:
		if f := v.form(); f != nil { // who clicks looks at what is sent
			f.Attach()
		}
		texts(v).end(true)
	case doTab:
		r.do = func(v verbs, n int) { walker{v}.turnTo(n) }
	case doReason:
		r.do = func(v verbs, n int) { v.takeReason(n) }
	}
	was := texts(v).open()
	v.doAs(p, now, func() { v.run(r, d.N) })
	if opened := !was && (texts(v)).open(); opened || !slices.Contains(choices, v.place()) {
		v.focus = v.focusNow()
	}
	if !was {
		v.seat.Guard.Begin(false, now)
	}
}

// choices are the places in which an option is chosen.
var choices = []keys.Place{keys.PlaceQuestion, keys.PlaceApproval}

// clicked returns the action of a click.
func clicked(do string) keys.Action {
	switch do {
	case doSend, doOffer:
		return keys.ActEnter
	case doLeave:
		return keys.ActBack
	case doTab, doReason:
		return keys.ActTabNext
	}
	return keys.Action(do)
}

// focusNow returns the id of the element that has the focus now.
func (v verbs) focusNow() string {
	f := v.form()
	switch v.place() {
	case keys.PlaceQueue:
		return "r-" + v.row
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

// speech returns the page's way to word things.
func (g *page) speech() say.Speech {
	cut := func(text string, most int) string { return say.Short(text, most) }
	in := say.Speech{Face: say.FacePage, Keys: g.said(), Enter: enterName, Down: "▼", Cut: cut, Keyless: g.touch}
	if g.touch {
		in.Enter = say.Page.TheButton
	}
	return in
}

// agent returns the name of the asking agent.
func (g *page) agent() string { return say.Who(g.last.Origin) }

// hiddenHere is an option that was just hidden on this page.
type hiddenHere struct {
	session queue.Session
	option  queue.Option
}
