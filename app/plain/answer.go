package plain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// here is the form to answer, nil where nothing waits; that is said.
func (d *Desk) here() *form {
	if d.form == nil {
		d.say("Nothing waits.")
	}
	return d.form
}

// enter is an empty line: it does what was asked last, or asks whether to send.
func (d *Desk) enter() {
	switch d.asked {
	case asksTake:
		d.takeIt()
	case asksCancel:
		d.asked = asksNothing
		d.settle(queue.Cancel{Reason: d.reason})
	case asksConfirm:
		d.say("Enter does nothing here: type yes to confirm, no to go back, or %s to cancel.", d.words.short("cancel"))
	case asksQuit:
		d.asked = asksNothing
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
		d.asked = asksNothing
		d.settle(queue.Settle{Answer: d.form.sent(), Confirmed: true})
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
	d.asked = asksNothing
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
	d.asked = asksNothing
	if f.review() {
		d.ask("Send %d answers to %s%s? Enter sends, a number changes one.", len(f.answer.Replies), d.names.Of(f.s.Origin), d.thisOne())
		return
	}
	if lacks := f.lacks(); lacks != "" {
		d.say("%s", lacks)
		return
	}
	if f.several() {
		q := f.q()
		d.ask("%d of %d%s: %s. Enter goes on, anything else changes it.", f.at+1, len(f.answer.Replies),
			headed(q, ", "), say.Heard(q.Summary(f.sentReply(f.at))))
		return
	}
	if f.q().Radio() && len(f.reply().Selected) > 0 && !queue.Blank(f.reply().Text) {
		d.say("Your own words stay here, unsent: it is one or the other.")
	}
	if f.s.Ask.Confirm {
		d.ask("%s%s? Enter goes on to the confirmation, anything else changes it.", say.Heard(f.summary()), d.thisOne())
		return
	}
	d.ask("Send %s to %s%s? Enter sends, anything else changes it.", say.Heard(f.summary()), d.names.Of(f.s.Origin),
		d.thisOne())
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
	f := d.form
	d.asked = asksNothing
	if f == nil {
		return
	}
	if f.several() && !f.review() {
		f.take()
		d.save()
		d.onView()
		return
	}
	if f.s.Ask.Confirm {
		d.confirm()
		return
	}
	d.settle(queue.Settle{Answer: f.sent()})
}

// onView writes the question, or the review, that has come on view.
func (d *Desk) onView() {
	d.out.write("")
	if d.form.review() {
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
	f.own = true
	if f.review() {
		if len(list) != 1 || list[0] < 1 || list[0] > len(f.answer.Replies) {
			d.say("Which answer is to change: 1 to %d?", len(f.answer.Replies))
			return
		}
		f.at = list[0] - 1
		d.onView()
		return
	}
	if f.q().Radio() && len(list) > 1 {
		d.say("Only one can be chosen here: type one number.")
		return
	}
	err := f.choose(list)
	if q := f.q(); err == nil && q.SingleSubmit && q.Radio() {
		d.save()
		d.takeIt()
		return
	}
	d.chosen(err)
}

// chosen says back what was chosen.
func (d *Desk) chosen(err error) {
	d.form.own = true
	if err != nil {
		d.say("%s.", capital(err.Error()))
		return
	}
	d.save()
	d.offer()
}

func (d *Desk) recommended(string) {
	if f := d.inQuestion(); f != nil {
		d.chosen(f.recommended())
	}
}

func (d *Desk) all(string) {
	f := d.inQuestion()
	switch {
	case f == nil:
	case f.q().Radio():
		d.say("Only one can be chosen here.")
	default:
		d.chosen(f.everything())
	}
}

func (d *Desk) none(string) {
	if f := d.inQuestion(); f != nil {
		f.set(nil)
		d.chosen(nil)
	}
}

// inQuestion is the form, where one of its questions is on view.
func (d *Desk) inQuestion() *form {
	f := d.here()
	if f != nil && f.review() {
		d.say("This is the review: the number of an answer changes it.")
		return nil
	}
	return f
}

func (d *Desk) text(words string) {
	f := d.inQuestion()
	switch {
	case f == nil:
	case !f.q().TakesText():
		d.say("This one takes its options only: %s cancels it and tells why.", d.words.short("cancel"))
	default:
		d.write(&typing{put: f.write, name: "your own words"}, words)
	}
}

func (d *Desk) note(rest string) {
	f := d.inQuestion()
	if f == nil {
		return
	}
	number, words, _ := strings.Cut(rest, " ")
	n, err := strconv.Atoi(number)
	q := f.q()
	switch {
	case !q.Annotate || !d.settings.AnnotationsEnabled:
		d.say("Notes are off for this question.")
	case err != nil || n < 1 || n > len(q.Options):
		d.say("Which option is the note for? %s 1 and the note, for option 1.", d.words.short("note"))
	default:
		id := q.Options[n-1].ID
		d.write(&typing{put: func(text string) { f.note(id, text) }, name: fmt.Sprintf("the note on option %d", n)}, strings.TrimSpace(words))
	}
}

func (d *Desk) comment(words string) {
	f := d.here()
	switch {
	case f == nil:
	case !f.s.Ask.Annotates() || !d.settings.AnnotationsEnabled:
		d.say("Comments are off for this question.")
	default:
		d.write(&typing{put: func(text string) { f.answer.Comment, f.wrote = text, true }, name: "the comment"}, words)
	}
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
	d.say("Cancel %s and tell %s, %s? Enter cancels it, anything else keeps it.", short(f.s.Ask.Title, 100), who(f.s.Origin), with)
	d.guard.prompted(d.now())
}

func (d *Desk) back(string) {
	f := d.here()
	switch {
	case f == nil:
	case f.at == 0:
		d.say("This is the first.")
	default:
		f.own = true
		f.at--
		d.onView()
	}
}

func (d *Desk) again(string) {
	if d.here() != nil {
		d.announce()
	}
}

func (d *Desk) showHidden(string) {
	f := d.inQuestion()
	switch {
	case f == nil:
	case len(f.hidden[f.q().ID]) == 0:
		d.say("No option is hidden here.")
	default:
		f.all = !f.all
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
		mark := map[queue.Standing]string{queue.StandingAttached: ", open in a form of its own", queue.StandingTeam: ", with the team",
			queue.StandingGone: ", nobody waits for the answer"}[w.Standing]
		if d.form != nil && d.form.s.ID == w.ID {
			mark = ", on view"
		} else if f := d.forms[w.ID]; f != nil && f.wrote {
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
