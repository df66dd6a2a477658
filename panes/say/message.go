package say

import (
	"errors"
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// Message returns the words for a message about an action on a question; an empty result means that there is nothing to
// tell. The words of a reason of the team are not those of a screen, which has more room for them.
func Message(m action.Message, s queue.Session, f *form.Form, in Speech) string {
	var why form.WhyNot
	var team action.OfTeam
	switch {
	case m.OK():
		return ""
	case errors.As(m.Err, &why):
		return WhyNot(why, m.Action, f.StepWhole(), in)
	case errors.As(m.Err, &team):
		return TeamWhyNot(team.Err, in.Frontend)
	case m.Is(desk.ErrSending):
		return beingSent(in.Frontend)
	case m.Is(desk.ErrNoClock):
		return clockStill(s, in.Frontend)
	case m.Is(desk.ErrLeast):
		return clockLeast(in)
	case m.Is(desk.ErrMost):
		return clockMost(in.Frontend)
	case m.Is(action.TeamPicks):
		return in.Frontend.sentence(teamPickNow(s.Ask))
	}
	return in.Frontend.sentence(in.messageWords(m))
}

// messageWords returns the words for a message, without regard to the frontend.
func (in Speech) messageWords(m action.Message) string {
	var missing action.Unrecommended
	var hid action.Hid
	var not action.NotDone
	var later action.NotLater
	var rule action.NoRule
	switch {
	case errors.As(m.Err, &missing):
		return Count(int(missing), "question") + " without a recommendation"
	case errors.As(m.Err, &hid):
		return hiddenOption(bool(hid), in)
	case errors.As(m.Err, &not):
		return string(not.Words) + ": " + Cause(not.Err)
	case errors.As(m.Err, &later):
		return notLater(later.Err, in.Frontend)
	case errors.As(m.Err, &rule):
		return whyNoRule(rule.Err)
	case m.Is(desk.ErrOver):
		return nothingToEnd
	case m.Is(desk.ErrLaterAttached):
		return "it cannot be set aside while choicetui attach has it open"
	}
	return m.Err.Error()
}

// Offered describes what the next Enter does while an action is offered that needs only that Enter. unread is the
// number of lines of the request that were not on screen.
func Offered(o *action.Offer, unread int, home string, now time.Time, in Speech) Line {
	agent := Who(o.On.Origin)
	switch o.Action {
	case action.Later:
		return setsAside(o.Until, o.GivesUp, agent, in)
	case action.Hide:
		return hideOption(in, o.Option, o.Marked, agent)
	case action.StartOver:
		return Line{Pieces: []Piece{Fixed(in.Enter + " " + in.verb("reset all")), Nice(" answers and notes", "")}}
	case action.Fetch:
		return teamFetches(in)
	case action.Wait, action.GoOn:
		return teamRegroups(o.State, in)
	default: // a rule
	}
	return ruleMakes(*o.Rule, home, unread, in, now)
}
