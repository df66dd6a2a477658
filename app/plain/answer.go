package plain

import (
	"fmt"
	"slices"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

// here is the form to answer, nil where nothing waits; that is said.
func (d *Desk) here() *answering {
	if d.form == nil {
		d.say("Nothing waits.")
	}
	return d.form
}

// takeBack takes back what was asked last; nothing was done.
func (d *Desk) takeBack() {
	d.asked = asksNothing
	if d.form != nil {
		d.form.Decline()
	}
}

// enter is an empty line: it does what was asked last, or asks whether to send.
func (d *Desk) enter() {
	switch d.asked {
	case asksTake:
		d.takeIt()
	case asksCancel:
		d.takeBack()
		d.settle(queue.Cancel{Reason: d.reason})
	case asksConfirm:
		d.say("Enter does nothing here: type yes to confirm, no to go back, or %s to cancel.", d.words.short("cancel"))
	case asksQuit:
		d.takeBack()
		d.say("Still here.")
	default:
		if d.here() != nil {
			d.offer()
		}
	}
}

func (d *Desk) yes(string) {
	switch d.asked {
	case asksConfirm:
		d.form.Confirm()
		do := d.form.Settle()
		d.takeBack() // if it cannot be sent, it is asked for again
		d.settle(do)
	case asksTake, asksCancel:
		d.enter()
	case asksQuit:
		d.quit("")
	default:
		d.say("Nothing was asked that yes would answer.")
	}
}

func (d *Desk) no(string) {
	was := d.asked
	d.takeBack()
	switch was {
	case asksConfirm:
		d.say("Back to the options, nothing was sent.")
		d.announceQuestion()
	case asksNothing:
		d.say("Nothing was asked. %s cancels the question.", d.words.short("cancel"))
	default:
		d.say("Nothing was done.")
	}
}

// offer says what Enter would do now, or what is missing.
func (d *Desk) offer() {
	f := d.form
	d.takeBack()
	p := f.Plan(form.Facts{})
	if words := lacks(f, p); words != "" {
		d.say("%s", words)
		return
	}
	if _, stay := p.Has(form.PieceWordsStay); stay && !f.Several() {
		d.say("Your own words stay here, unsent: it is one or the other.")
	}
	if _, stay := p.Has(form.PieceNotesStay); stay {
		d.say("Your notes stay here, unsent: they are off.")
	}
	switch {
	case p.Step == form.StepOpen:
		f.Enter()
		d.onView()
	case f.Reviewing():
		d.ask("Send %d answers to %s%s? Enter sends, a number changes one.", f.Len(), d.names.Of(f.s.Origin), d.thisOne())
	case f.Several():
		q := f.Here()
		d.ask("%d of %d%s: %s. Enter goes on, anything else changes it.",
			f.At()+1, f.Len(), headed(q.Question, ", "), say.Heard(q.Summary(q.Sent())))
	case f.s.Ask.Confirm:
		d.ask("%s%s? Enter goes on to the confirmation, anything else changes it.", say.Heard(f.summary()), d.thisOne())
	default:
		d.ask("Send %s to %s%s? Enter sends, anything else changes it.",
			say.Heard(f.summary()), d.names.Of(f.s.Origin), d.thisOne())
	}
}

// thisOne names the question where several wait.
func (d *Desk) thisOne() string {
	if len(d.waiting) < 2 {
		return ""
	}
	return " for " + short(d.form.s.Ask.Title, 60)
}

func (d *Desk) ask(format string, args ...any) {
	d.say(format, args...)
	d.asked = asksTake
	d.guard.prompted(d.now())
}

// takeIt goes on with what was chosen: to the next question, the review, the confirmation, or out.
func (d *Desk) takeIt() {
	d.takeBack()
	f := d.form
	if f == nil {
		return
	}
	step := f.Enter()
	if step == form.StepArm { // it was said that nothing is marked
		step = f.Enter()
	}
	switch step {
	case form.StepTake, form.StepOpen:
		d.save()
		d.onView()
	case form.StepConfirm:
		d.confirm()
	case form.StepSend:
		d.settle(f.Settle())
	default: // it has changed since it was offered
		d.offer()
	}
}

// onView writes the question, or the review, that has come on view.
func (d *Desk) onView() {
	d.out.write("")
	if d.form.Reviewing() {
		d.announceReview()
		d.guard.appeared(d.now())
		d.offer()
		return
	}
	d.announceQuestion()
	d.say("%s", d.hint())
	d.guard.appeared(d.now())
}

// confirm asks a second time, as the agent wants it.
func (d *Desk) confirm() {
	f := d.form
	d.out.write("")
	d.say("! Confirm %s: %s", f.s.ID, say.OneLine(f.s.Ask.Title))
	d.say("You chose: %s.", say.Heard(f.summary()))
	if f.s.Ask.ConfirmMessage != "" {
		d.say("%s says:", who(f.s.Origin))
		d.out.block("| ", f.s.Ask.ConfirmMessage)
	}
	d.say("It runs in: %s.", d.origin(f.s.Origin))
	if !f.s.Deadline.IsZero() {
		d.say("Time: %s. Then nothing is confirmed.", d.timeLeft(f.s))
	}
	d.say("Type yes to confirm and send, no to go back to the options, %s to cancel.", d.words.short("cancel"))
	d.asked = asksConfirm
	d.guard.appeared(d.now())
}

// choose is a line of numbers.
func (d *Desk) choose(list []int) {
	f := d.here()
	if f == nil {
		return
	}
	if f.Reviewing() {
		if len(list) != 1 || !f.GoTo(list[0]-1).OK() {
			d.say("Which answer is to change: 1 to %d?", f.Len())
			return
		}
		d.onView()
		return
	}
	q := f.Here()
	if q.Question.Radio() && len(list) > 1 {
		d.say("Only one can be chosen here: type one number.")
		return
	}
	why := q.Choose(list...)
	if why.OK() && q.SubmitsAtOnce() {
		d.save()
		d.takeIt()
		return
	}
	d.chosen(why)
}

// chosen says back what was chosen.
func (d *Desk) chosen(why form.WhyNot) {
	if !why.OK() {
		d.say("%s", refusal(d.form.Here(), why))
		return
	}
	d.save()
	d.offer()
}

func (d *Desk) recommended(string) {
	if f := d.inQuestion(); f != nil {
		d.chosen(f.Here().Recommend())
	}
}

func (d *Desk) all(string) {
	f := d.inQuestion()
	if f == nil {
		return
	}
	q := f.Here()
	switch {
	case q.Mode == queue.ModeText:
		d.chosen(form.WhyNot{Reason: form.WordsOnly})
	case q.AllMarked():
		d.chosen(form.WhyNot{})
	default:
		d.chosen(q.All())
	}
}

func (d *Desk) none(string) {
	if f := d.inQuestion(); f != nil {
		f.Here().Select()
		d.chosen(form.WhyNot{})
	}
}

// inQuestion is the form, where one of its questions is on view.
func (d *Desk) inQuestion() *answering {
	f := d.here()
	if f != nil && f.Reviewing() {
		d.say("This is the review: the number of an answer changes it.")
		return nil
	}
	return f
}

func (d *Desk) cancel(reason string) {
	f := d.here()
	if f == nil {
		return
	}
	with := "without a reason"
	if reason != "" {
		with = "with the reason " + short(reason, 200)
	}
	d.reason, d.asked = reason, asksCancel
	d.say("Cancel %s and tell %s, %s? Enter cancels it, anything else keeps it.",
		short(f.s.Ask.Title, 100), who(f.s.Origin), with)
	d.guard.prompted(d.now())
}

func (d *Desk) back(string) {
	switch f := d.here(); {
	case f == nil:
	case !f.Back():
		d.say("This is the first.")
	default:
		d.onView()
	}
}

func (d *Desk) again(string) {
	if d.here() != nil {
		d.announce()
	}
}

func (d *Desk) showHidden(string) {
	switch f := d.inQuestion(); {
	case f == nil:
	case !f.Here().ShowHidden().OK():
		d.say("No option is hidden here.")
	default:
		d.announceQuestion()
	}
}

// list writes all that wait, in queue order.
func (d *Desk) list(string) {
	const most = 200
	if len(d.waiting) == 0 {
		d.say("Nothing waits.")
	}
	for i, w := range d.waiting {
		if i == most {
			d.say("and %d more", len(d.waiting)-most)
			break
		}
		mark := map[queue.Standing]string{queue.StandingAttached: ", open in a form of its own",
			queue.StandingTeam: ", with the team", queue.StandingGone: ", nobody waits for the answer"}[w.Standing]
		if d.form != nil && d.form.s.ID == w.ID {
			mark = ", on view"
		} else if f := d.forms[w.ID]; f != nil && f.Changed() {
			mark += ", begun"
		}
		d.say("%s%s: %s from %s, %s", w.ID, mark, short(w.Ask.Title, 200), d.names.Of(w.Origin), d.timeLeft(w.Session))
	}
}

// step goes to another question of the queue, round and round.
func (d *Desk) step(n int) {
	at := d.position()
	if len(d.waiting) == 0 || len(d.waiting) == 1 && at == 0 {
		d.say("No other question waits.")
		return
	}
	d.open(d.waiting[(at+n+len(d.waiting))%len(d.waiting)].ID)
}

// open brings a question on view because the person wants it: a line that follows is meant for it.
func (d *Desk) open(id string) {
	d.show(id)
	d.guard.opened(d.now())
}

// quit leaves, on the second time while something waits.
func (d *Desk) quit(string) {
	n := len(d.waiting)
	unsaved := d.outbox.Len() > 0
	switch {
	case d.asked == asksQuit || n == 0 && !unsaved:
		d.leave()
		return
	case unsaved:
		d.say("An answer is not saved yet: %s again leaves it unsaved.", d.words.short("quit"))
	case d.o.Attach != "":
		d.say("%s again leaves; the question stays for the dashboard, this command is used up.", d.words.short("quit"))
	case n == 1:
		d.say("%s again quits; 1 question stays in the queue.", d.words.short("quit"))
	default:
		d.say("%s again quits; %d questions stay in the queue.", d.words.short("quit"), n)
	}
	d.asked = asksQuit
}

// leave ends the desk; what waits stays.
func (d *Desk) leave() {
	d.over = true
	d.result.Left = slices.ContainsFunc(d.waiting, func(w queue.Waiting) bool { return w.ID == d.o.Attach })
	for _, out := range d.outbox.Unsaved() {
		d.failed = fmt.Errorf("the answer to %s was not saved: %s", out.Session, out.Err)
	}
}
