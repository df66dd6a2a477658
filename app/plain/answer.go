package plain

import (
	"fmt"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// asks names the question that the lines asked the person last. It decides what Enter on an empty line does next.
type asks int

const (
	asksNothing asks = iota
	asksEnter        // Enter sends what is chosen, continues with it, or cancels the question
	asksOffer        // Enter accepts an offer: to set the question aside, hide an option or make a permission rule
	asksConfirm      // only the word yes gives the explicit confirmation
	asksBatch        // Enter sends the approvals that are marked in the list of those that are alike
	asksQuit         // typing quit again leaves
)

// answering answers the question on view: it passes the action of each typed word to the Hand, which carries it out,
// and writes what the action did. Option numbers count hidden options too, so a number always means the same option.
type answering struct {
	*voice
	board *action.Keyboard
	asked asks
	line  string    // the line that is being handled
	at    time.Time // when that line was typed

	did      action.Effect // what the last action did
	done     bool          // whether the last action was carried out
	troubled bool          // whether the Hand had to say something about the last action, such as why it failed
	reason   reason
	typing   *typing   // the text of several lines that is being typed; nil: none is
	sending  string    // the session that was sent last
	until    time.Time // until when the question would be set aside, while that is offered

	settings desk.Settings
	untyped  bool // whether the lines come from a script, not from a person
}

// reason keeps the reason that a session's form had for a cancel before the person was asked whether to cancel.
// withdrawAsked restores it.
type reason struct{ session, was string }

// pendingForm returns the form of the question on view. Without one it says that nothing is pending, and returns nil.
func (a *answering) pendingForm() *form.Form {
	f := a.view.Form()
	if f == nil {
		a.say(say.NothingPendingLine(a.desk.Needed()))
	}
	return f
}

// questionForm returns the form if one of its questions is on view. In the review it says so, and returns nil.
func (a *answering) questionForm() *form.Form {
	f := a.pendingForm()
	if f != nil && f.Reviewing() {
		a.say("This is the review: the number of an answer changes it.")
		return nil
	}
	return f
}

// Whether the guard may refuse a line; see answering.input.
const guarded, unguarded = true, false

// input returns the present line as an input for the keyboard. isGuarded means that the guard may refuse the line,
// because it chooses, writes, sends or cancels.
func (a *answering) input(do action.Name, isGuarded bool) action.Input {
	return action.Input{Action: do, Key: a.line, Name: a.line, Whole: isGuarded}
}

// press carries out an action, and reports whether it was done. Its effect is kept in did. See input for isGuarded.
func (a *answering) press(do action.Name, arg action.Arg, isGuarded bool) bool {
	in := a.input(do, isGuarded)
	in.Arg = arg
	a.did, a.done, a.troubled = action.Effect{}, false, false
	a.board.Act(in, a.at)
	return a.done
}

// answerBy carries out an action that answers, and says what would be sent now.
func (a *answering) answerBy(do action.Name, arg action.Arg) {
	if a.pendingForm() == nil {
		return
	}
	if on := a.view.Up(); a.press(do, arg, guarded) {
		a.sayNext(on)
	}
}

// sayNext says what comes after an action on a question: what Enter would do, or the question that has come on view.
func (a *answering) sayNext(on string) {
	f := a.view.Form()
	switch {
	case a.did.Decides:
		a.noteSent(on)
	case f == nil, a.view.Up() != on, a.did.Say.Is(action.Untyped):
	case a.view.Batch.On():
		a.askBatch()
	case f.Confirming():
		a.askConfirm()
	case spotOf(f) != a.announced:
		a.saveDraft()
		a.announceView()
	default:
		a.saveDraft()
		a.offerEnter()
	}
}

// withdrawAsked withdraws the question that the lines asked the person last, and undoes what asking it changed in the
// form.
func (a *answering) withdrawAsked() {
	was := a.asked
	a.asked = asksNothing
	a.board.Drop()
	if was == asksBatch {
		a.leaveBatch()
	}
	f := a.view.Form()
	if f == nil {
		return
	}
	if f.Typing().Ends() { // a reason for a cancel was being typed
		if a.reason.session != f.Session() {
			a.reason.was = ""
		}
		f.Type(a.reason.was)
		f.EndTyping()
	}
	f.Decline()
}

// enter carries out an empty line: it agrees to what the lines asked last, or asks whether to send.
func (a *answering) enter() {
	switch a.asked {
	case asksEnter:
		a.asked = asksNothing
		if f := a.view.Form(); f != nil && f.Plan(form.Facts{}).Step == form.StepArm {
			f.Enter() // the person has heard that nothing is marked
		}
		a.answerBy(action.Enter, action.Arg{})
	case asksOffer:
		a.takeOffer()
	case asksConfirm:
		a.say("Enter does nothing here: " + confirmsBy("yes", a.speech()) + ".")
	case asksBatch:
		if a.answerBy(action.Enter, action.Arg{}); !a.view.Batch.On() {
			a.asked = asksNothing
		}
	case asksQuit:
		a.withdrawAsked()
		a.say("Still here.")
	default:
		f := a.pendingForm()
		switch {
		case f == nil:
		case a.view.UndoableOn():
			a.press(action.Enter, action.Arg{}, guarded)
		case a.view.Session().Widen != nil && !f.Changed():
			a.say(teamDecides(a.speech())) // the marks come from the agent, not from the person
		default:
			a.offerEnter()
		}
	}
}

// confirmsBy says what can be typed at a confirmation.
func confirmsBy(yes string, in say.Speech) string {
	return "type " + yes + " to confirm and send, no to go back to the options, " + in.Key(action.Cancel) +
		" to cancel"
}

// teamDecides says why Enter alone sends nothing while a question is with the team.
func teamDecides(in say.Speech) string {
	return "This question is with your team, so Enter sends nothing. Choose an answer, or type " +
		in.Key(action.Fetch) + " to fetch what they said, " + in.Key(action.Defer) + " to defer."
}

// takeOffer accepts what action.Hand offers, for example to set the question aside.
func (a *answering) takeOffer() {
	on := a.view.Up()
	a.did, a.done, a.troubled = action.Effect{}, false, false
	a.board.TakeOffer(a.input(action.Enter, guarded), a.at)
	if a.board.Offers() { // the guard refused it
		return
	}
	if a.asked == asksOffer {
		a.asked = asksNothing
	}
	switch a.did.Action {
	case action.Later:
		if a.done && !a.troubled {
			a.say("Set aside until " + a.until.Local().Format("15:04") + ".")
		}
	case action.Rule:
		if len(a.did.Then) > 0 {
			a.noteSent(on)
		}
	default:
	}
}

// sayYes answers yes to what was asked last. quit leaves the plain mode.
func (a *answering) sayYes(quit func(string)) {
	switch a.asked {
	case asksConfirm:
		a.answerBy(action.Confirm, action.Arg{})
		if a.asked == asksConfirm { // an answer that cannot be sent needs another yes
			a.withdrawAsked()
		}
	case asksEnter, asksOffer, asksBatch:
		a.enter()
	case asksQuit:
		quit("")
	default:
		a.say("There is nothing to say yes to.")
	}
}

// sayNo answers no to what was asked last.
func (a *answering) sayNo(string) {
	was := a.asked
	a.withdrawAsked()
	switch {
	case was == asksConfirm:
		a.say("Back to the options; nothing was sent.")
		a.announceQuestion()
	case was == asksBatch:
	case was == asksNothing:
		a.say("Nothing was asked. " + a.speech().Key(action.Cancel) + " cancels the question.")
	default:
		a.say("Nothing was done.")
	}
}

// offerEnter says what Enter would do now, or what is missing.
func (a *answering) offerEnter() {
	f := a.view.Form()
	a.withdrawAsked()
	p := f.Plan(form.Facts{})
	if words := whyNoEnter(f, p, a.speech()); words != "" {
		a.say(words)
		return
	}
	if _, stay := p.Has(form.PieceWordsStay); stay && !f.Several() {
		a.say(wordsStay)
	}
	if _, stay := p.Has(form.PieceNotesStay); stay {
		a.say(notesStay)
	}
	if p.Step == form.StepOpen {
		f.Enter()
		a.announceView()
		return
	}
	a.asked = asksEnter
	s, of := a.view.Session(), ""
	if len(a.desk.Waiting()) > 1 {
		of = say.Title(s.Ask)
	}
	a.say(askEnter(f, p, a.desk.Name(s.Origin), of))
}

// askEnter returns the question whether Enter shall do its next step: send, continue, or bring up the confirmation.
// agent names the receiver. title is that of the question if several are pending, else empty. For a screen, say.Enter
// returns it.
func askEnter(f *form.Form, p form.Plan, agent, title string) string {
	step, what, send, or := p.Step, heard(answerWords(f)), "send it", "type something else to change it"
	if step == form.StepArm { // answerWords has said that nothing is marked
		step = f.StepWhole()
	}
	if answers, ok := p.Has(form.PieceAnswers); ok {
		what, send, or = say.Count(answers.N, "answer"), "send them", "type a number to change that answer"
	}
	if title != "" {
		title = " for " + say.ShortQuoted(title, 60)
	}
	switch step {
	case form.StepTake:
		q := f.Here()
		return numberedHeader(f, ", ") + ": " + heard(q.Summary(q.Sent())) + ". Press Enter to continue, or " + or + "."
	case form.StepConfirm:
		return what + title + "? Press Enter to continue to the confirmation, or " + or + "."
	}
	return "Send " + what + " to " + agent + title + "? Press Enter to " + send + ", or " + or + "."
}

// whyNoEnter says why Enter has no effect; empty: it has one. A screen says it in fewer words, see say.Enter.
func whyNoEnter(f *form.Form, p form.Plan, in say.Speech) string {
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

// announceView writes the question, or the review, that has come on view.
func (a *answering) announceView() {
	a.write("")
	if a.view.Form().Reviewing() {
		a.announceReview()
		a.armGuard(a.view.BroughtUp)
		a.offerEnter()
		return
	}
	a.announceQuestion()
	a.say(typedHere(a.view.Form(), a.speech()))
	a.armGuard(a.view.BroughtUp)
}

// armGuard tells the guard that a question was written just now, so that the guard refuses a line that was typed too
// early to answer it. how is View.BroughtUp if the person asked for the question, else View.CameUp.
func (a *answering) armGuard(how func()) {
	how()
	a.view.Guard.Drawn(a.desk.Now())
}

// askConfirm asks for the explicit confirmation that the agent wants.
func (a *answering) askConfirm() {
	s := a.view.Session()
	a.write("")
	a.asked = asksConfirm
	if s.Ask.Approval != nil { // it is all above
		p, verb := say.Allows(a.view.Form().Plan(form.Facts{}), s.Ask), "Send "
		if _, allows := p.Has(form.PieceAllows); allows {
			verb = "Allow "
		}
		if words := say.MarkedLine(s.Ask.Approval); words != "" {
			a.say(alarm + words)
		}
		a.say(verb + heard(p.Object) + "? " + say.Sentence(confirmsBy("yes", a.speech())))
		a.armGuard(a.view.CameUp)
		return
	}
	a.say(alarm + fmt.Sprintf("Confirm %s: %s", s.ID, say.Title(s.Ask)))
	a.say("You chose: " + heard(answerWords(a.view.Form())) + ".")
	if said := s.Ask.Shown().ConfirmMessage; said != "" {
		a.say(say.Who(s.Origin) + " says:")
		a.block(bar, said)
	}
	a.say("From " + say.AgentAndPlace(a.desk.Name(s.Origin), s.Origin, a.home) + ".")
	if words := confirmTime(s, a.desk.Now()); words != "" {
		a.say(words)
	}
	a.say(say.Sentence(confirmsBy("yes", a.speech())))
	a.armGuard(a.view.CameUp)
}

// confirmTime says how much time is left to confirm; empty: there is no limit.
func confirmTime(s queue.Session, now time.Time) string {
	if !s.HasClock() {
		return ""
	}
	return timeLine(s, now, "nothing is confirmed")
}

// dropConfirmation takes an open confirmation back, and says so.
func (a *answering) dropConfirmation() {
	if a.asked == asksConfirm {
		a.withdrawAsked()
		a.say("Not confirmed; nothing was sent. You are back at the options.")
	}
}

// confirmStays says that a confirmation is still open and which words it accepts, after a line with another word.
func (a *answering) confirmStays() {
	a.say("Not confirmed yet: " + confirmsBy("the whole word yes", a.speech()) + ".")
	a.armGuard(a.view.CameUp)
}

// announceDraft says how a draft that was saved at another screen or page has changed the question on view. The
// question is not written again, because a form may change step by step elsewhere. What was asked before is taken back,
// so that no Enter or yes sends an answer that the person was not asked about.
func (a *answering) announceDraft() {
	a.dropConfirmation()
	f := a.view.Form()
	role, _ := a.view.Foreign()
	a.say(draftCame(role, f))
	if a.asked == asksEnter {
		a.withdrawAsked()
		a.say("Nothing was sent; Enter asks again.")
	}
	if now := spotOf(f); now != a.announced {
		a.announced = now
		a.say(fmt.Sprintf("You are now at question %d of %d: show writes it.", f.At()+1, f.Len()))
	}
	a.armGuard(a.view.CameUp)
}

// noteSent notes that an answer or a cancel is on its way to end a question. An event brings the result.
func (a *answering) noteSent(on string) {
	a.sending = on
	if out := a.view.Undoable(); out != nil && !a.troubled {
		left := say.Spoken(out.Until().Sub(a.desk.Now()), time.Second)
		a.say("It will be sent in " + left + "; " + a.words.shortForm("undo") + " takes it back.")
	}
	a.tellStuck()
}

// sendingUntil reports whether the answer that was sent last is being stored for the first time, and until when the
// next line is not read because of that.
func (a *answering) sendingUntil() (until time.Time, sending bool) {
	out := a.desk.Outbox().Of(a.sending)
	if out == nil || out.Err != nil || out.Tried.IsZero() { // zero: the answer is held back, so that it can be undone
		return until, false
	}
	return out.Tried.Add(patience), true
}

// saveDraft saves what was chosen and typed here at once, because each line is complete.
func (a *answering) saveDraft() {
	a.view.DraftSoon()
	a.view.SaveDraft()
	a.tellStuck()
}

// tellStuck says that the disk does not respond.
func (a *answering) tellStuck() {
	if a.desk.Trouble().Disk {
		a.complain(say.DiskSilent)
	}
}
