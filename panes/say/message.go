package say

import (
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/deed"
	"github.com/choicetui/choicetui/queue/form"
)

// Message puts what is said about an action on a question into words; empty: nothing is. The room that has the team
// words what is about it.
func Message(m deed.Message, s queue.Session, f *form.Form, in Speech) string {
	switch m.Kind {
	case deed.OfForm:
		return WhyNot(m.Form, m.Action, f.StepWhole(), in)
	case deed.Sending:
		return BeingSent(in.Face)
	case deed.NoClock:
		return ClockStill(s, in.Face)
	case deed.ClockLeast:
		return ClockLeast(in)
	case deed.ClockMost:
		return ClockMost(in.Face)
	case deed.TeamPicks:
		return in.Face.sentence(TeamPickNow(s.Ask))
	case deed.NotLater:
		return NotLater(m.Err, in.Face)
	default:
		return in.Face.sentence(in.message(m))
	}
}

// messages are the words that are the same everywhere.
var messages = map[deed.Kind]string{
	deed.Over: NothingToEnd, deed.Rests: SetAsideHere, deed.Confirms: ConfirmsHere,
	deed.Covered: OptionsCovered, deed.LaterAttached: LaterAttached,
	deed.NothingToTakeBack: NothingToTakeBack, deed.TakenBack: TakenBack, deed.NothingToCopy: NothingToCopy,
	deed.NoEditor: NoEditor, deed.OneQuestion: OneQuestion, deed.RoundNone: RoundNone, deed.RoundMarked: RoundMarked,
	deed.RoundNoRule: RoundNoRule, deed.RoundFirst: RoundFirst, deed.RoundLeft: RoundLeft, deed.TeamWaits: TeamWaited,
	deed.TeamParked: TeamParked, deed.Untyped: approvalUntyped,
}

func (in Speech) message(m deed.Message) string {
	switch m.Kind {
	case deed.Unrecommended:
		return Unrecommended(m.N)
	case deed.IsHidden, deed.IsShown:
		return HiddenOption(m.Kind == deed.IsHidden, in)
	case deed.NotHidden:
		return NotHidden(m.Err)
	case deed.NoRule:
		return WhyNoRule(m.Err)
	case deed.RuleNotMade:
		return RuleNotMade(m.Err)
	default:
		return messages[m.Kind]
	}
}

// Offered says what the next Enter does. unread is the number of lines of the request that were not on screen.
func Offered(o *deed.Offer, unread int, home string, now time.Time, in Speech) Line {
	agent := Who(o.On.Origin)
	switch o.Action {
	case deed.Later:
		return SetsAside(o.Until, o.GivesUp, agent, in)
	case deed.Hide:
		return HideOption(in, o.Option, o.Marked, agent)
	case deed.Fetch:
		return TeamFetches(in)
	case deed.Wait, deed.GoOn:
		return TeamRegroups(o.State, in)
	case deed.Accept:
		return TeamAccepts(o.Consult, in)
	default: // a rule
	}
	if o.Rule == nil {
		return OwnRuleMakes(o.On, o.Option, unread, in)
	}
	return RuleMakes(*o.Rule, home, unread, in, now)
}
