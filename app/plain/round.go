package plain

import (
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// In a round the person looks through similar approvals one by one, and sends them together at the end: see desk.Round.
//
//	similar ─► mark, Enter, mark, Enter … ─► all of them are written ─ Enter ─► Round.Send

// startRound begins a round of the approvals that are similar to the one on view.
func (a *answering) startRound(string) {
	if a.pendingForm() != nil && a.press(action.Alike, action.Arg{}, guarded) {
		a.tellRound()
		a.offerEnter()
	}
}

// tellRound says which approval of the round is on view, and how many the round has.
func (v *voice) tellRound() {
	if n, of := v.view.Round.At(); n > 0 {
		words := fmt.Sprintf("%d of %d similar requests. All are sent together at the end; type no to leave them.",
			n, of)
		v.say(strings.Join(append([]string{words}, say.RoundNotes(v.view.Round.Aside(), 0)...), " "))
	}
}

// askToSendRound writes all approvals of the round with their answers and asks whether to send them, once the person
// has looked through all of them.
func (a *answering) askToSendRound() {
	round := a.view.Round
	if !round.Reviewing() {
		return
	}
	list := round.Entries()
	a.write("")
	a.say("Send as a batch:")
	for i, e := range list {
		row := say.RoundRowOf(e.Session, answerOf(e.Counts, &list[i].Answer), e.Ended)
		a.say(fmt.Sprintf("  %d: %s: %s", i+1, heard(row.What), heard(row.Answer)))
	}
	for _, words := range say.RoundNotes(round.Aside(), round.Later()) {
		a.say(words)
	}
	a.say(roundAsks(desk.CountRound(list)))
	a.asked = asksRound
	a.armGuard(a.view.CameUp)
}

// roundAsks asks whether all decided approvals are to be sent.
func roundAsks(c desk.RoundCounts) string {
	if c.Sends() == 0 {
		return say.Sentence(say.RoundNothing) + " A number goes back to one; type no to leave them."
	}
	words := "Send " + say.RoundCounts(c)
	if c.LeftOut > 0 {
		words += fmt.Sprintf(", %d left out", c.LeftOut)
	}
	return words + "? Press Enter to send them, type a number to go back to one, or no to leave them."
}

// answerOf returns the answer of an approval in a round if it will be sent (counts); nil: the approval is left out.
func answerOf(counts bool, answer *queue.Answer) *queue.Answer {
	if !counts {
		return nil
	}
	return answer
}

// sendRound sends the answers of the round. If one of them may not be decided in lines that a script writes, nothing is
// sent and the round ends.
func (a *answering) sendRound() {
	a.asked = asksNothing
	list := a.view.Round.Entries()
	for _, e := range list {
		if a.untyped && action.NeedsPerson(e.Session) {
			a.say(a.Words(action.Message{Err: action.Untyped}))
			a.leaveRound()
			return
		}
	}
	if desk.CountRound(list).Sends() == 0 {
		a.leaveRound()
		return
	}
	a.say("Sent: " + say.RoundCounts(desk.CountRound(a.view.Round.Send())) + ".")
}

// leaveRound ends the round without sending anything.
func (a *answering) leaveRound() {
	a.view.Round.Leave()
	a.say(say.Sentence(say.RoundLeft))
}

// reopenInRound goes back from the list at the end of a round to the one approval whose number was typed.
func (l *Lines) reopenInRound(list []int) {
	l.news.turnToQuestion("") // so that the approval is written again
	if len(list) != 1 || !l.view.Round.GoTo(list[0]) {
		l.say(say.Sentence(say.RoundGone))
		l.answer.askToSendRound()
		return
	}
	l.answer.asked = asksNothing
	l.view.BroughtUp()
	l.announceNew()
}
