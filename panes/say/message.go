package say

import (
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// Message returns the words for a message about an action on a question; an empty result means that there is nothing to
// tell. Messages about the team are not worded here, but by the part of the screen that asks the team.
func Message(m action.Message, s queue.Session, f *form.Form, in Speech) string {
	switch m.Kind {
	case action.InWords:
		return m.Words
	case action.OfForm:
		return WhyNot(m.Form, m.Action, f.StepWhole(), in)
	case action.Sending:
		return beingSent(in.Face)
	case action.NoClock:
		return clockStill(s, in.Face)
	case action.ClockLeast:
		return clockLeast(in)
	case action.ClockMost:
		return clockMost(in.Face)
	case action.TeamPicks:
		return in.Face.sentence(teamPickNow(s.Ask))
	case action.NotLater:
		return notLater(m.Err, in.Face)
	default:
		return in.Face.sentence(in.messageWords(m))
	}
}

// messages has the words for messages that are the same everywhere.
var messages = map[action.Kind]string{
	action.Over:              nothingToEnd,
	action.Rests:             "this question is set aside; bring it back first",
	action.Confirms:          "to change the answer, go back to the options first",
	action.Covered:           "the options were not visible; press it again",
	action.BroughtBack:       "the question is back",
	action.LaterAttached:     "it cannot be set aside while choicetui attach has it open",
	action.NothingToTakeBack: "there is nothing to take back",
	action.TakenBack:         "taken back; nothing was sent",
	action.NothingToCopy:     "you have typed nothing to copy",
	action.NoEditor:          NoEditor,
	action.OneQuestion:       "there is only one question",
	action.RoundNone:         "this agent has no similar request pending",
	action.RoundMarked:       "a request with a warning is decided on its own, not together with others",
	action.RoundNoRule:       "a rule is made from a single request; leave the similar ones first",
	action.RoundFirst:        "this is the first of the similar ones",
	action.RoundLeft:         RoundLeft,
	action.TeamWaits:         teamWaited,
	action.TeamParked:        teamParked,
	action.Overtaken:         "that key was ignored; another one followed at once",
	action.Replaced:          "that key was ignored; something else came up before it counted",
	action.Untyped:           "nothing was sent; only a person at a terminal may decide an approval",
}

// messageWords returns the words for a message, without regard to the face.
func (in Speech) messageWords(m action.Message) string {
	switch m.Kind {
	case action.Unrecommended:
		return Count(m.N, "question") + " without a recommendation"
	case action.IsHidden, action.IsShown:
		return hiddenOption(m.Kind == action.IsHidden, in)
	case action.NotHidden:
		return "not hidden: " + m.Err.Error()
	case action.NoRule:
		return whyNoRule(m.Err)
	case action.RuleNotMade:
		return "allowed this once, but no rule was made: " + Cause(m.Err)
	default:
		return messages[m.Kind]
	}
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
	case action.Accept:
		return TeamAccepts(o.Consult, in)
	default: // a rule
	}
	if o.Rule == nil {
		return ownRuleMakes(o.On, o.Option, unread, in)
	}
	return ruleMakes(*o.Rule, home, unread, in, now)
}
