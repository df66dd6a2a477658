package question

import (
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
)

// roundLine returns the Enter line on an approval that is looked through with others; ok is false on any other.
func roundLine(seat *desk.Seat, v *view) (l say.Line, ok bool) {
	round, typing := seat.Round, v.form.Typing()
	n, of := round.At()
	if n == 0 || !v.session.Pending() || typing != form.FieldNone && typing != form.FieldRefusal {
		return l, false
	}
	plan, agent := v.form.Plan(form.Facts{}), say.Who(v.session.Origin)
	return say.RoundEnter(plan, round.Next(), of, prompt{v}.unread(), v.cut, agent, v.speech()), true
}

// inRound says which of how many alike is on view, longest form first; nil: none are looked through.
func inRound(round *desk.Round) []string {
	if n, of := round.At(); n > 0 {
		return say.RoundAt(n, of, round.Aside())
	}
	return nil
}
