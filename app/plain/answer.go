package plain

import (
	"errors"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
)

// asks is what was asked last: what Enter on an empty line, or yes, would do.
type asks int

const (
	asksNothing asks = iota
	asksTake         // send what is chosen, or go on with it
	asksConfirm      // the agent's explicit confirmation: only the word yes
	asksCancel
	asksLater
	asksHide
	asksQuit
)

// answering is how the question on view is answered. The answer in the making is the seat's form; option numbers count
// all options of a question, also hidden ones, so that a number means the same all the time.
type answering struct {
	*voice
	asked   asks
	reason  string  // of asksCancel
	detail  bool    // of asksCancel: more detail is wanted, and reason is which
	typing  *typing // text of several lines under way
	sending string  // the session that was sent last
	hiding  *hiding
	untyped bool // no person types the lines: an agent that has a shell must not approve what it asked for
}

// here is the form to answer, nil where nothing waits; that is said.
func (a *answering) here() *form.Form {
	f := a.seat.Form()
	if f == nil {
		a.say(say.NothingWaits)
	}
	return f
}

// takeBack takes back what was asked last; nothing was done.
func (a *answering) takeBack() {
	a.asked = asksNothing
	if f := a.seat.Form(); f != nil {
		f.Decline()
	}
}

// enter is an empty line: it does what was asked last, or asks whether to send.
func (a *answering) enter() {
	switch a.asked {
	case asksTake:
		a.takeIt()
	case asksCancel:
		a.takeBack()
		if f := a.seat.Form(); a.detail {
			f.WantDetail(a.reason)
		} else {
			f.GiveReason(a.reason)
		}
		a.send(a.seat.Cancel)
	case asksLater:
		a.takeBack()
		a.setAside()
	case asksHide:
		a.takeBack()
		a.hiding.set(a.hiding.asked, true)
	case asksConfirm:
		a.say(say.ConfirmsOnly(a.speech()))
	case asksQuit:
		a.takeBack()
		a.say(say.StillHere)
	default:
		if a.seat.UndoableOn() {
			a.seat.SendNow()
		} else if f := a.here(); f != nil && a.seat.Session().Widen != nil && !f.Changed() {
			a.say(say.TeamDecides(a.speech())) // what it starts with is no answer of the person's
		} else if f != nil {
			a.offer()
		}
	}
}

// yes does what was asked last; quit is how the face leaves.
func (a *answering) yes(quit func(string)) {
	switch a.asked {
	case asksConfirm:
		a.seat.Form().Confirm()
		a.send(a.seat.Send)
		a.takeBack() // if it cannot be sent, it is asked for again
	case asksTake, asksCancel, asksLater, asksHide:
		a.enter()
	case asksQuit:
		quit("")
	default:
		a.say(say.NothingForYes)
	}
}

func (a *answering) no(string) {
	was := a.asked
	a.takeBack()
	switch was {
	case asksConfirm:
		a.say(say.BackAtOptions)
		a.announceQuestion()
	case asksNothing:
		a.say(say.NothingForNo(a.speech()))
	default:
		a.say(say.NothingDone)
	}
}

// offer says what Enter would do now, or what is missing.
func (a *answering) offer() {
	f := a.seat.Form()
	a.takeBack()
	p := f.Plan(form.Facts{})
	if words := say.Lacks(f, p, a.speech()); words != "" {
		a.say(words)
		return
	}
	if _, stay := p.Has(form.PieceWordsStay); stay && !f.Several() {
		a.say(say.WordsStay(say.FaceLines))
	}
	if _, stay := p.Has(form.PieceNotesStay); stay {
		a.say(say.NotesStay(say.FaceLines))
	}
	if p.Step == form.StepOpen {
		f.Enter()
		a.onView()
		return
	}
	s, of := a.seat.Session(), ""
	if len(a.desk.Waiting()) > 1 {
		of = say.Title(s.Ask)
	}
	a.say(say.Enters(f, p, a.desk.Name(s.Origin), of))
	a.asked = asksTake
}

// takeIt goes on with what was chosen: to the next question, the review, the confirmation, or out.
func (a *answering) takeIt() {
	a.takeBack()
	f := a.seat.Form()
	if f == nil {
		return
	}
	step := f.Enter()
	if step == form.StepArm { // it was said that nothing is marked
		step = f.Enter()
	}
	switch step {
	case form.StepTake, form.StepOpen:
		a.save()
		a.onView()
	case form.StepConfirm:
		a.confirm()
	case form.StepSend:
		a.send(a.seat.Send)
	default: // it has changed since it was offered
		a.offer()
	}
}

// onView writes the question, or the review, that has come on view.
func (a *answering) onView() {
	a.write("")
	if a.seat.Form().Reviewing() {
		a.announceReview()
		a.written(a.seat.BroughtUp)
		a.offer()
		return
	}
	a.announceQuestion()
	a.say(say.TypedHere(a.seat.Form(), a.speech()))
	a.written(a.seat.BroughtUp)
}

// written tells the guard that something has just been written that lines may answer; how: why it came up.
func (a *answering) written(how func()) {
	how()
	a.seat.Guard.Drawn(a.desk.Now())
}

// confirm asks a second time, as the agent wants it.
func (a *answering) confirm() {
	s := a.seat.Session()
	a.write("")
	a.say(alarm + say.ConfirmHeading(s))
	a.say(say.YouChose(a.seat.Form()))
	if words := say.MarkedLine(s.Ask.Approval); words != "" {
		a.say(alarm + words)
	}
	if said := s.Ask.Shown().ConfirmMessage; said != "" {
		a.say(say.Says(s.Origin))
		a.block(bar, said)
	}
	a.say(say.RunsAt(a.desk.Name(s.Origin), s.Origin, a.home))
	if words := say.ConfirmTime(s, a.desk.Now()); words != "" {
		a.say(words)
	}
	a.say(say.Confirms(a.speech()))
	a.asked = asksConfirm
	a.written(a.seat.CameUp)
}

// unconfirmed takes an open confirmation back, and says so.
func (a *answering) unconfirmed() {
	if a.asked == asksConfirm {
		a.takeBack()
		a.say(say.Unconfirmed)
	}
}

// confirmStays says what a confirmation that is still open takes; the line before it was none of that.
func (a *answering) confirmStays() {
	a.say(say.ConfirmStays(a.speech()))
	a.written(a.seat.CameUp)
}

// drafted says what a draft from elsewhere has made of the question on view, and which of several that is now. It is
// not written again: a form may come on step by step elsewhere. What was asked before is taken back, so
// that no Enter or yes sends what it was not asked about.
func (a *answering) drafted() {
	a.unconfirmed()
	f := a.seat.Form()
	role, _ := a.seat.Foreign()
	a.say(say.DraftCame(role, f))
	if a.asked == asksTake {
		a.takeBack()
		a.say(say.UnsentAsksAgain)
	}
	if now := spotOf(f); now != a.stands {
		a.stands = now
		a.say(say.OnViewNow(f))
	}
	a.written(a.seat.CameUp)
}

// send ends the question on view by answer or cancel. What became of it comes as an event.
func (a *answering) send(end func() error) {
	if a.untyped && a.seat.Session().Ask.Kind == queue.KindApproval {
		a.say(say.ApprovalUntypedLine)
		return
	}
	on := a.seat.Up()
	if errors.Is(end(), desk.ErrSending) { // that it is over is told anyway
		a.say(say.BeingSent(say.FaceLines))
		return
	}
	a.sending = on
	if out := a.seat.Undoable(); out != nil {
		a.say(say.HeldBack(out.Until().Sub(a.desk.Now()), a.words.short("undo")))
	}
	a.tellStuck()
}

// underWay reports whether an answer is on its way that was not tried yet, and until when lines wait for it.
func (a *answering) underWay() (until time.Time, sending bool) {
	out := a.desk.Outbox().Of(a.sending)
	if out == nil || out.Err != nil || out.Tried.IsZero() { // the last is held back
		return until, false
	}
	return out.Tried.Add(patience), true
}

// save keeps what was chosen and typed here, at once: a line is whole.
func (a *answering) save() {
	a.seat.DraftSoon()
	a.seat.SaveDraft()
	a.tellStuck()
}

func (a *answering) tellStuck() {
	if a.desk.Trouble().Disk {
		a.complain(say.DiskSilent)
	}
}
