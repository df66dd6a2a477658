package say

import (
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/deed"
	"github.com/choicetui/choicetui/queue/form"
)

// Message returns the words for a message about an action on a question; an empty result means that there is nothing to
// tell. Messages about the team are not worded here, but by the part of the screen that asks the team.
func Message(m deed.Message, s queue.Session, f *form.Form, in Speech) string {
	switch m.Kind {
	case deed.OfForm:
		return WhyNot(m.Form, m.Action, f.StepWhole(), in)
	case deed.Sending:
		return beingSent(in.Face)
	case deed.NoClock:
		return clockStill(s, in.Face)
	case deed.ClockLeast:
		return clockLeast(in)
	case deed.ClockMost:
		return clockMost(in.Face)
	case deed.TeamPicks:
		return in.Face.sentence(teamPickNow(s.Ask))
	case deed.NotLater:
		return notLater(m.Err, in.Face)
	default:
		return in.Face.sentence(in.messageWords(m))
	}
}

// messages has the words for messages that are the same everywhere.
var messages = map[deed.Kind]string{
	deed.Over:              nothingToEnd,
	deed.Rests:             "this question is set aside; bring it back first",
	deed.Confirms:          "to change the answer, go back to the options first",
	deed.Covered:           "the options were not visible; press it again",
	deed.BroughtBack:       "the question is back",
	deed.LaterAttached:     "it cannot be set aside while choicetui attach has it open",
	deed.NothingToTakeBack: "there is nothing to take back",
	deed.TakenBack:         "taken back; nothing was sent",
	deed.NothingToCopy:     "you have typed nothing to copy",
	deed.NoEditor:          NoEditor,
	deed.OneQuestion:       "there is only one question",
	deed.RoundNone:         "this agent has no similar request pending",
	deed.RoundMarked:       "a request with a warning is decided on its own, not together with others",
	deed.RoundNoRule:       "a rule is made from a single request; leave the similar ones first",
	deed.RoundFirst:        "this is the first of the similar ones",
	deed.RoundLeft:         RoundLeft,
	deed.TeamWaits:         teamWaited,
	deed.TeamParked:        teamParked,
	deed.Overtaken:         "that key was ignored; another one followed at once",
	deed.Replaced:          "that key was ignored; something else came up before it counted",
	deed.Untyped:           "nothing was sent; only a person at a terminal may decide an approval",
}

// messageWords returns the words for a message, without regard to the face.
func (in Speech) messageWords(m deed.Message) string {
	switch m.Kind {
	case deed.Unrecommended:
		return Count(m.N, "question") + " without a recommendation"
	case deed.IsHidden, deed.IsShown:
		return hiddenOption(m.Kind == deed.IsHidden, in)
	case deed.NotHidden:
		return "not hidden: " + m.Err.Error()
	case deed.NoRule:
		return whyNoRule(m.Err)
	case deed.RuleNotMade:
		return "allowed this once, but no rule was made: " + Cause(m.Err)
	default:
		return messages[m.Kind]
	}
}

// Offered describes what the next Enter does while an action is offered that needs only that Enter. unread is the
// number of lines of the request that were not on screen.
func Offered(o *deed.Offer, unread int, home string, now time.Time, in Speech) Line {
	agent := Who(o.On.Origin)
	switch o.Action {
	case deed.Later:
		return setsAside(o.Until, o.GivesUp, agent, in)
	case deed.Hide:
		return hideOption(in, o.Option, o.Marked, agent)
	case deed.StartOver:
		return Line{Pieces: []Piece{Fixed(in.Enter + " " + in.verb("reset all")), Nice(" answers and notes", "")}}
	case deed.Fetch:
		return teamFetches(in)
	case deed.Wait, deed.GoOn:
		return teamRegroups(o.State, in)
	case deed.Accept:
		return TeamAccepts(o.Consult, in)
	default: // a rule
	}
	if o.Rule == nil {
		return ownRuleMakes(o.On, o.Option, unread, in)
	}
	return ruleMakes(*o.Rule, home, unread, in, now)
}
