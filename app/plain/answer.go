package plain

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/deed"
	"github.com/choicetui/choicetui/queue/form"
)

// asks says what the person was asked last. The Hand decides what Enter on an empty line does then.
type asks int

const (
	asksNothing asks = iota
	asksEnter        // Enter sends what is chosen, continues with it, or cancels the question
	asksOffer        // Enter does what the Hand offers
	asksConfirm      // the agent's explicit confirmation: only the word yes
	asksRound        // Enter sends the similar approvals together
	asksQuit
)

// answering is how the question on view is answered: a word is an action of the Hand, and what the action did is
// written. Option numbers count all options of a question, also hidden ones, so that a number always means the same.
type answering struct {
	*voice
	hand  *deed.Hand
	asked asks
	line  string // the line that is being taken
	at    time.Time

	did      deed.Effect // of the last action
	done     bool        // it was not refused
	troubled bool        // something was said against it
	reason   reason
	typing   *typing   // text of several lines under way
	sending  string    // the session that was sent last
	until    time.Time // the time until which the question is offered to be set aside

	settings Settings
	untyped  bool // no person types the lines
}

// reason is why a question was to be cancelled before the person was asked whether to cancel it.
type reason struct{ session, was string }

// here returns the form to answer, nil where nothing is pending; that is said.
func (a *answering) here() *form.Form {
	f := a.seat.Form()
	if f == nil {
		a.say(say.NothingWaits)
	}
	return f
}

// inQuestion returns the form, where one of its questions is on view.
func (a *answering) inQuestion() *form.Form {
	f := a.here()
	if f != nil && f.Reviewing() {
		a.say("This is the review: the number of an answer changes it.")
		return nil
	}
	return f
}

// input returns the line as an action. whole: it chooses, writes, sends or cancels.
func (a *answering) input(do deed.Action, whole bool) deed.Input {
	return deed.Input{Action: do, Key: a.line, Name: a.line, Whole: whole}
}

// press does an action, and reports whether it was done; its effect is did.
func (a *answering) press(do deed.Action, arg deed.Arg, whole bool) bool {
	in := a.input(do, whole)
	in.Arg = arg
	a.did, a.done, a.troubled = deed.Effect{}, false, false
	a.hand.Press(in, a.at)
	return a.done
}

// do does an action that answers, and says what is to be sent now.
func (a *answering) do(action deed.Action, arg deed.Arg) {
	if a.here() == nil {
		return
	}
	if on := a.seat.Up(); a.press(action, arg, true) {
		a.after(on)
	}
}

// after says what Enter would do after an action on a question, or what has come on view.
func (a *answering) after(on string) {
	f := a.seat.Form()
	sent := slices.ContainsFunc(a.did.Wants, func(w deed.Want) bool {
		return w.Kind == deed.WantSend || w.Kind == deed.WantCancel
	})
	switch {
	case sent:
		a.sent(on)
	case f == nil, a.seat.Up() != on, a.did.Say.Kind == deed.Untyped, a.seat.Round.Reviewing():
	case f.Confirming():
		a.confirm()
	case spotOf(f) != a.stands:
		a.save()
		a.onView()
	default:
		a.save()
		a.offer()
	}
}

// takeBack takes back what was asked last; nothing was done.
func (a *answering) takeBack() {
	was := a.asked
	a.asked = asksNothing
	a.hand.Drop()
	if was == asksRound && a.seat.Round.Reviewing() {
		a.leaveRound()
	}
	f := a.seat.Form()
	if f == nil {
		return
	}
	if f.Typing().Ends() { // the reason of a cancel
		if a.reason.session != f.Session() {
			a.reason.was = ""
		}
		f.Type(a.reason.was)
		f.EndTyping()
	}
	f.Decline()
}

// enter is an empty line: it does what was asked last, or asks whether to send.
func (a *answering) enter() {
	switch a.asked {
	case asksEnter:
		a.asked = asksNothing
		if f := a.seat.Form(); f != nil && f.Plan(form.Facts{}).Step == form.StepArm {
			f.Enter() // it was said that nothing is marked
		}
		a.do(deed.Enter, deed.Arg{})
	case asksOffer:
		a.takeOffer()
	case asksConfirm:
		a.say("Enter does nothing here: " + confirmsBy("yes", a.speech()) + ".")
	case asksRound:
		a.sendRound()
	case asksQuit:
		a.takeBack()
		a.say("Still here.")
	default:
		f := a.here()
		switch {
		case f == nil:
		case a.seat.UndoableOn():
			a.press(deed.Enter, deed.Arg{}, true)
		case a.seat.Session().Widen != nil && !f.Changed():
			a.say(teamDecides(a.speech())) // what it starts with is no answer of the person's
		default:
			a.offer()
		}
	}
}

func confirmsBy(yes string, in say.Speech) string {
	return "type " + yes + " to confirm and send, no to go back to the options, " + in.Key(deed.Cancel) +
		" to cancel"
}

// teamDecides says why Enter alone sends nothing of a question that is with the team.
func teamDecides(in say.Speech) string {
	return "This question is with your team, so Enter sends nothing. Choose an answer, or type " +
		in.Key(deed.Fetch) + " to fetch what they said, " + in.Key(deed.Defer) + " to defer."
}

// takeOffer does what the Hand offers.
func (a *answering) takeOffer() {
	on := a.seat.Up()
	a.did, a.done, a.troubled = deed.Effect{}, false, false
	a.hand.TakeOffer(a.input(deed.Enter, true), a.at)
	if a.hand.Offers() { // the guard refused it
		return
	}
	if a.asked == asksOffer {
		a.asked = asksNothing
	}
	switch a.did.Action {
	case deed.Later:
		if a.done && !a.troubled {
			a.say("Set aside until " + a.until.Local().Format("15:04") + ".")
		}
	case deed.Rule:
		if len(a.did.Wants) > 0 {
			a.sent(on)
		}
	default:
	}
}

// yes does what was asked last; quit is how the face leaves.
func (a *answering) yes(quit func(string)) {
	switch a.asked {
	case asksConfirm:
		a.do(deed.Agree, deed.Arg{})
		if a.asked == asksConfirm { // if it cannot be sent, it is asked for again
			a.takeBack()
		}
	case asksEnter, asksOffer, asksRound:
		a.enter()
	case asksQuit:
		quit("")
	default:
		a.say("Nothing was asked that yes would answer.")
	}
}

func (a *answering) no(string) {
	was := a.asked
	a.takeBack()
	n, _ := a.seat.Round.At()
	switch {
	case was == asksConfirm:
		a.say("Back to the options, nothing was sent.")
		a.announceQuestion()
	case was == asksRound:
	case was == asksNothing && n > 0:
		a.press(deed.Back, deed.Arg{}, false)
	case was == asksNothing:
		a.say("Nothing was asked. " + a.speech().Key(deed.Cancel) + " cancels the question.")
	default:
		a.say("Nothing was done.")
	}
}

// offer says what Enter would do now, or what is missing.
func (a *answering) offer() {
	f := a.seat.Form()
	a.takeBack()
	p := f.Plan(form.Facts{})
	if words := lacks(f, p, a.speech()); words != "" {
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
	a.asked = asksEnter
	if n, of := a.seat.Round.At(); n > 0 {
		a.say(roundKeeps(f, a.seat.Round.Next(), of))
		return
	}
	s, of := a.seat.Session(), ""
	if len(a.desk.Waiting()) > 1 {
		of = say.Title(s.Ask)
	}
	a.say(enters(f, p, a.desk.Name(s.Origin), of))
}

// enters asks whether Enter shall do its next step: send, continue, or bring the confirmation on view. agent names the
// receiver; of is the title of the question if several are pending, else empty. A screen has say.Enter for it.
func enters(f *form.Form, p form.Plan, agent, of string) string {
	step, what, or := p.Step, say.Heard(say.Sent(f)), "anything else changes it"
	if step == form.StepArm { // Sent says that nothing is marked
		step = f.StepWhole()
	}
	if answers, ok := p.Has(form.PieceAnswers); ok {
		what, or = say.Count(answers.N, "answer"), "a number changes one"
	}
	if of != "" {
		of = " for " + say.ShortQuoted(of, 60)
	}
	switch step {
	case form.StepTake:
		q := f.Here()
		return numbered(f, ", ") + ": " + say.Heard(q.Summary(q.Sent())) + ". Enter goes on, " + or + "."
	case form.StepConfirm:
		return what + of + "? Enter goes on to the confirmation, " + or + "."
	}
	return "Send " + what + " to " + agent + of + "? Enter sends, " + or + "."
}

// roundKeeps asks whether to keep the mark on an approval of the round, and says which one is next.
func roundKeeps(f *form.Form, next, of int) string {
	then := fmt.Sprintf("%d of %d", next, of)
	if next == 0 {
		then = "all " + say.Count(of, "approval") + " before they are sent"
	}
	return "Keep " + say.Heard(say.Sent(f)) + "? Enter keeps it, then " + then + "."
}

// lacks says why Enter has no effect; empty: it has one. A screen says it in fewer words, see say.Enter.
func lacks(f *form.Form, p form.Plan, in say.Speech) string {
	q, w := f.Here(), p.WhyNot
	switch {
	case p.Step == form.StepType:
		return "No words yet."
	case p.Step != form.StepNothing:
		return ""
	case w.Reason == form.TooFew && (w.Have > 0 || !queue.Blank(q.Words())), w.Reason == form.TooMany:
		return fmt.Sprintf("%d chosen: %s.", w.Have, in.Wanted)
	case w.Reason == form.NothingChosen, w.Reason == form.NothingMarked, w.Reason == form.NothingYet,
		w.Reason == form.TooFew:
		return "Nothing is chosen yet: " + in.Wanted + "."
	}
	problems := q.Problems()
	if w.Field == form.FieldComment {
		problems = append(problems, queue.Problem{Path: "comment", Wrong: fmt.Sprintf("has %d characters", w.Have),
			Want: fmt.Sprintf("at most %d", w.Most)})
	}
	words := make([]string, len(problems))
	for i, p := range problems {
		words[i] = p.String()
	}
	return "This cannot be sent: " + strings.Join(words, "; ") + "."
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
	a.say(typedHere(a.seat.Form(), a.speech()))
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
	a.say(alarm + fmt.Sprintf("Confirm %s: %s", s.ID, say.Title(s.Ask)))
	a.say("You chose: " + say.Heard(say.Sent(a.seat.Form())) + ".")
	if words := say.MarkedLine(s.Ask.Approval); words != "" {
		a.say(alarm + words)
	}
	if said := s.Ask.Shown().ConfirmMessage; said != "" {
		a.say(say.Who(s.Origin) + " says:")
		a.block(bar, said)
	}
	a.say(say.RunsAt(a.desk.Name(s.Origin), s.Origin, a.home))
	if words := confirmTime(s, a.desk.Now()); words != "" {
		a.say(words)
	}
	a.say(say.Sentence(confirmsBy("yes", a.speech())))
	a.asked = asksConfirm
	a.written(a.seat.CameUp)
}

// confirmTime says how much time is left to confirm; empty: there is no limit.
func confirmTime(s queue.Session, now time.Time) string {
	if !s.HasClock() {
		return ""
	}
	return timeLine(s, now, "nothing is confirmed")
}

// unconfirmed takes an open confirmation back, and says so.
func (a *answering) unconfirmed() {
	if a.asked == asksConfirm {
		a.takeBack()
		a.say("Not confirmed, nothing was sent: back at the options.")
	}
}

// confirmStays says which words an open confirmation accepts, after a line that was not one of them.
func (a *answering) confirmStays() {
	a.say("Still to be confirmed: " + confirmsBy("the whole word yes", a.speech()) + ".")
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
	if a.asked == asksEnter {
		a.takeBack()
		a.say("Nothing was sent; Enter asks again.")
	}
	if now := spotOf(f); now != a.stands {
		a.stands = now
		a.say(fmt.Sprintf("Question %d of %d is on view now: show writes it.", f.At()+1, f.Len()))
	}
	a.written(a.seat.CameUp)
}

// sent notes that an answer or a cancel ends a question. An event brings the result.
func (a *answering) sent(on string) {
	a.sending = on
	if out := a.seat.Undoable(); out != nil && !a.troubled {
		left := say.Spoken(out.Until().Sub(a.desk.Now()), time.Second)
		a.say("It is sent in " + left + "; " + a.words.short("undo") + " takes it back.")
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
