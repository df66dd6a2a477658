package question

import (
	"errors"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
)

// rounder carries out the keys while similar approvals are looked through: Enter keeps the marks and continues, and
// sends nothing. Another room's page sends them together.
type rounder struct{ verbs }

func (r rounder) round() *desk.Round { return r.host.Seat().Round }

// begins returns the row of the key that begins to look through them.
func (r rounder) begins() panes.Row {
	return panes.Row{Action: keys.ActAlike, Do: r.act(func(*view, string) { _ = r.round().Begin() }),
		When:   func() bool { return r.round().Alike() > 1 },
		Word:   func(keys.Word) keys.Word { return say.RoundHint(r.round().Alike()) },
		WhyNot: panes.Because(r.whyNotBegun)}
}

// whyNotBegun says why none are looked through; empty: they are.
func (r rounder) whyNotBegun() string {
	switch err := r.round().MayBegin(); {
	case err == nil:
		return ""
	case errors.Is(err, desk.ErrOver):
		return say.NothingToEnd
	case errors.Is(err, desk.ErrMarkedAlone):
		return say.RoundMarked
	}
	return say.RoundNone
}

// table binds what is another thing while they are looked through.
func (r rounder) table() panes.Table {
	always := func() bool { return true }
	return panes.Table{
		{Action: keys.ActEnter, Do: r.act(r.enter)},
		{Action: keys.ActNext, Do: r.act(func(v *view, _ string) { r.step(v, 1) }), When: always},
		{Action: keys.ActPrevious, Do: r.act(func(v *view, _ string) { r.step(v, -1) })},
		{Action: keys.ActBack, Do: r.act(r.back), Word: r.leaveWord},
		{Action: keys.ActRule, WhyNot: panes.Because(func() string { return say.RoundNoRule }),
			When: func() bool { return false }},
	}
}

// enter keeps the marks, once all was shown, and continues. It sends nothing.
func (r rounder) enter(v *view, key string) {
	typing := v.form.Typing()
	refusing := typing == form.FieldRefusal
	switch {
	case !v.session.Pending(), typing != form.FieldNone && !refusing:
		r.verbs.enter(v, key)
		return
	case refusing && v.form.Plan(form.Facts{}).Step == form.StepNothing:
		return
	case refusing:
		v.form.Attach()
		r.endTyping(v)
	}
	if keeps(v) {
		r.round().Take()
		r.round().GoOn()
	}
}

// keeps reports whether something is marked, and all that it allows was on screen.
func keeps(v *view) bool {
	return v.session.Pending() && v.form.Typing() == form.FieldNone && v.opened && prompt{v}.unseen() == 0 && !v.cut &&
		v.form.Plan(form.Facts{}).Step == form.StepSend
}

// step goes to the next one or the one before; what is marked and was shown in full counts then.
func (r rounder) step(v *view, n int) {
	if keeps(v) {
		r.round().Take()
	}
	switch {
	case !r.round().Step(n):
		r.host.Say(say.RoundFirst)
	case !r.round().Reviewing():
		r.host.Seat().BroughtUp()
	}
}

// leaveWord says what the way back does: out of the round, where it is not out of something else first.
func (r rounder) leaveWord(w keys.Word) keys.Word {
	if r.place() != keys.PlaceApproval {
		return r.backWord(w)
	}
	return keys.Word{Long: say.RoundLeave, Short: "leave"}
}

// back leaves the text field, the text at full height, and then the round.
func (r rounder) back(v *view, key string) {
	if v.form.Typing() != form.FieldNone || v.full || !v.session.Pending() {
		r.verbs.back(v, key)
		return
	}
	r.round().Leave()
	r.host.Say(say.RoundLeft)
}

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
