package say

import (
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// Last holds the words for the last event, which the line over the footer shows: an answer or a line to an agent with
// its state, or a question that ended without the person. The zero Last means no event. ink.FitLast cuts it to the
// width of that line.
type Last struct {
	What        string // the answer, or the first words of a line to an agent
	Quoted      bool   // What is a line to an agent: it is quoted and cut to a few cells
	Undelivered bool   // the line is not delivered yet: State is never cut
	Who, Dir    string // the agent's name and directory
	State       string // what became of What; empty if nothing was sent
	When        string // the time behind State: 14:02
	Lost        string // a question that ended, but not by this person; it replaces everything above
	Warns       bool   // nobody answered the lost question
	Ruled       bool   // one of the person's permission rules answered the lost question
}

// fate describes what became of something that was sent.
type fate struct {
	At          time.Time // when this state was reached
	Received    bool
	TakenBack   bool // the person took the line back
	Unfetched   bool // the agent never fetched the line
	Doubt       bool // it is not certain whether what was sent has arrived
	Unconfirmed bool // the agent had its own dialog open, and has not said yet whether it took the answer
	Kept        bool // nobody waits for the answer at present, so the queue keeps it
}

// LastEvent returns the desk's last event in words.
func LastEvent(l *desk.Last) Last {
	switch {
	case l.Lost != nil:
		if l.TooLate {
			return lastTooLate(*l.Lost)
		}
		return lastLost(*l.Lost)
	case l.ID == "":
		return Last{}
	}
	return lastSent(l.Session, fate{At: l.At, Received: l.Received, TakenBack: l.TakenBack,
		Unfetched: l.Unfetched, Doubt: l.Doubt, Kept: l.Kept, Unconfirmed: l.Unconfirmed})
}

// lastSent returns an answer, a cancel or a line to an agent as the last event; s is the session as it was sent.
func lastSent(s queue.Session, f fate) Last {
	l := Last{What: s.Summary(), Who: new(queue.Names).Of(s.Origin), Dir: s.Origin.Place(), State: "sent"}
	switch {
	case s.IsMessage():
		l.What, l.Quoted = Title(s.Ask), true
	case s.Outcome != nil && s.Outcome.WantsDetail():
		l.What = askedDetail
	case s.Outcome != nil && s.Outcome.Status == queue.StatusCancelled:
		l.What = stateCancelled
	}
	switch {
	case f.Received:
		l.State, l.When = stateDelivered, f.At.Local().Format("15:04")
	case f.Doubt:
		l.State = "perhaps " + stateDelivered
	case f.TakenBack:
		l.State = "taken back"
	case f.Unfetched:
		l.State = "never " + stateDelivered
	case s.IsMessage() && s.Outcome == nil:
		l.State, l.Undelivered = queue.Undelivered, true
	case f.Unconfirmed:
		l.State, l.Undelivered = NotConfirmed(s), true
	case f.Kept:
		l.State = "not " + stateDelivered + " yet"
	}
	return l
}

// NotConfirmed returns the state of an answer that a hook printed while the agent's own dialog was open, and that the
// agent has not taken yet.
func NotConfirmed(s queue.Session) string {
	return "sent to " + OneLine(s.Origin.ClientName()) + ", not confirmed yet"
}

// lastLost returns, as the last event, a question that ended, but not by this person.
func lastLost(s queue.Session) Last {
	ending := s.Outcome.Ending()
	word := ending.Word
	why, untaken := s.Untaken()
	switch o := s.Outcome; {
	case untaken:
		word = OneLine(why)
	case s.Stopped():
		word = queue.ReasonInterrupted + " in " + Who(s.Origin)
	case ending.Elsewhere:
		word = AnsweredThere(*o)
	case o.By == queue.ByRule:
		word = byWhoseRule(*o, byRule)
	case o.WantsDetail():
		word = askedDetail + " " + ByWhom(o, OnScreen)
	case o.By == queue.ByHuman:
		word += " " + ByWhom(o, OnScreen)
	}
	return Last{Lost: word + ": " + Title(s.Ask), Warns: untaken || ending.Warns, Ruled: s.Outcome.By == queue.ByRule}
}

// lastTooLate returns, as the last event, a question that had ended before the person's answer arrived.
func lastTooLate(s queue.Session) Last {
	l := lastLost(s)
	return Last{Lost: "too late, " + l.Lost, Warns: true}
}

// LastForm is one form of the words for something that was sent. The words are What, which must have at least Least
// cells, then To, Who and Behind. Who is the agent's name or its directory. To and Who may be empty.
type LastForm struct {
	To, Who, Behind string
	Least           int
	Whole           bool // the form leaves out nothing that the person wants to know
}

// Forms returns the forms of something that was sent, longest first. arrow is the sign between answer and agent.
func (l Last) Forms(arrow string) []LastForm {
	when := ""
	if l.When != "" {
		when = " " + l.When
	}
	dir, to := l.Dir, " "+arrow+" "
	if dir == "" {
		dir = l.Who
	}
	return []LastForm{
		{to, l.Who, ": " + l.State + when, 16, true},
		{to, dir, ": " + l.State + when, 10, true},
		{to, dir, ": " + l.State, 10, false},
		{"", "", " " + l.State, 8, false},
	}
}

// ownSent limits how many characters are repeated of an answer that came too late.
const ownSent = 80

// TooLate repeats what the person sent for a question that had ended before, and tells that it does not count.
func TooLate(s queue.Session, sent queue.Action) string {
	const doesNotCount = " It came too late and does not count."
	switch do := sent.(type) {
	case queue.Settle:
		if words := s.Ask.Summary(do.Answer); words != "" {
			return "You had sent “" + Short(words, ownSent) + "”." + doesNotCount
		}
	case queue.Cancel:
		return "You had cancelled it. That came too late and does not count."
	}
	return "You had sent an answer." + doesNotCount
}

// AnswerTooLate marks an answer that did not count, because the question had ended before.
func AnswerTooLate(answer string) string { return "too late: " + answer }

// AnswerOf returns the answer of a session, marked if it came too late, and whether it did.
func AnswerOf(s queue.Session) (answer string, late bool) {
	answer = s.Summary()
	if _, late = s.Untaken(); late {
		answer = AnswerTooLate(answer)
	}
	return answer, late
}
