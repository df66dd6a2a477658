package plain

import (
	"fmt"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/deed"
)

// Similar approvals are looked through one by one, and sent together: see desk.Round.
//
//	similar ─► mark, Enter, mark, Enter … ─► all of them are written ─ Enter ─► Round.Send

// similar begins to look through the approvals that are like the one on view.
func (a *answering) similar(string) {
	if a.here() != nil && a.press(deed.Alike, deed.Arg{}, true) {
		a.tellRound()
		a.offer()
	}
}

// tellRound says which of how many approvals is on view.
func (v *voice) tellRound() {
	if n, of := v.seat.Round.At(); n > 0 {
		v.say(say.RoundLine(n, of, v.seat.Round.Aside()))
	}
}

// roundMoved writes all of them before they are sent.
func (a *answering) roundMoved() {
	round := a.seat.Round
	if !round.Reviewing() {
		return
	}
	list := round.Entries()
	a.write("")
	a.say("Sent together:")
	for i, e := range list {
		a.say(roundRowLine(i+1, say.RoundRowOf(e.Session, answerOf(e.Counts, &list[i].Answer), e.Ended)))
	}
	for _, words := range say.RoundNotes(round.Aside(), round.Later()) {
		a.say(words)
	}
	a.say(say.RoundAsks(desk.CountRound(list)))
	a.asked = asksRound
	a.written(a.seat.CameUp)
}

// roundRowLine returns an approval of the round with its number.
func roundRowLine(n int, r say.RoundRow) string {
	return fmt.Sprintf("  %d: %s: %s", n, say.Heard(r.What), say.Heard(r.Answer))
}

func answerOf(counts bool, answer *queue.Answer) *queue.Answer {
	if !counts {
		return nil
	}
	return answer
}

// sendRound sends all that count.
func (a *answering) sendRound() {
	a.asked = asksNothing
	list := a.seat.Round.Entries()
	for _, e := range list {
		if why := deed.MayDecide(e.Session, a.untyped); !why.OK() {
			a.say(a.Words(why))
			a.leaveRound()
			return
		}
	}
	if desk.CountRound(list).Sends() == 0 {
		a.leaveRound()
		return
	}
	a.say(say.Sentence(say.RoundSent(desk.CountRound(a.seat.Round.Send()))))
}

// leaveRound ends it; nothing is sent.
func (a *answering) leaveRound() {
	a.seat.Round.Leave()
	a.say(say.Sentence(say.RoundLeft))
}

// toOneOfRound goes from all of them back to one.
func (l *Lines) toOneOfRound(list []int) {
	l.news.turnTo("") // it is written again
	if len(list) != 1 || !l.seat.Round.GoTo(list[0]) {
		l.say(say.Sentence(say.RoundGone))
		l.answer.roundMoved()
		return
	}
	l.answer.asked = asksNothing
	l.seat.BroughtUp()
	l.bringUp()
}
