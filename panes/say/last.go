package say

import (
	"fmt"
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// Last holds the last event in words: what was sent and its state, or a question that ended without the person.
// The zero Last says nothing; ink.FitLast brings it into a rule.
type Last struct {
	What     string // the answer, or the first words of a line to an agent
	Quoted   bool   // it is such a line: in quotes, and cut to a few cells
	Held     bool   // it is a line that its agent has not been given yet: State is said in full
	Who, Dir string // of the agent
	State    string // what became of it; empty: nothing was sent
	When     string // behind State: 14:02
	Lost     string // a question that ended otherwise than from here, in place of all else
	Warns    bool   // nobody answered that one
	Ruled    bool   // a rule of the person's did
}

// fate describes the delivery of something that was sent.
type fate struct {
	At          time.Time // of what happened last
	Received    bool
	TakenBack   bool // a line that the person took back
	Unfetched   bool // a line that its agent never fetched
	Doubt       bool // it may not have arrived
	Unconfirmed bool // the agent had its own dialog open, and has not said yet whether it took the answer
	Kept        bool // an answer that nobody waits for now
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
	l := Last{What: s.Summary(), Who: s.Origin.Name(), Dir: s.Origin.Dir(), State: "sent"}
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
		l.State, l.Held = queue.Held, true
	case f.Unconfirmed:
		l.State, l.Held = NotConfirmed(s), true
	case f.Kept:
		l.State = "not " + stateDelivered + " yet"
	}
	return l
}

// NotConfirmed says of an answer that a hook printed beside the agent's own dialog that the agent has not taken it yet.
func NotConfirmed(s queue.Session) string {
	return "sent to " + OneLine(s.Origin.ClientName()) + ", not confirmed yet"
}

// lastLost returns a question that was not ended from here as the last event.
func lastLost(s queue.Session) Last {
	ending := s.Outcome.Ending()
	word := ending.Word
	why, untaken := s.Untaken()
	switch o := s.Outcome; {
	case untaken:
		word = OneLine(why)
	case ending.Elsewhere:
		word = AnsweredThere(*o)
	case o.By == queue.ByRule:
		word = byWhoseRule(*o, byRule)
	case o.WantsDetail():
		word = askedDetail + " " + through(o, FaceScreen)
	case o.By == queue.ByHuman:
		word += " " + through(o, FaceScreen)
	}
	return Last{Lost: word + ": " + Title(s.Ask), Warns: untaken || ending.Warns, Ruled: s.Outcome.By == queue.ByRule}
}

// lastTooLate returns the same of a question for which the person sent something that did not count.
func lastTooLate(s queue.Session) Last {
	l := lastLost(s)
	return Last{Lost: "too late, " + l.Lost, Warns: true}
}

// LastForm is one form of the last event, in pieces: its sign, What in at least Least cells, then To, Who and Behind.
// Who is the agent's name or its directory; To and Who may be empty.
type LastForm struct {
	To, Who, Behind string
	Least           int
	Whole           bool // it leaves nothing out that the person wants to know
}

// Forms returns the forms of something that was sent, longest first. arrow is the sign of the screen.
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

// AnsweredToday says how many were answered today and, from two on, the median of the times, longest form first.
func AnsweredToday(n int, median time.Duration) []string {
	switch n {
	case 0:
		return []string{"nothing answered yet"}
	case 1:
		return []string{answered(1)}
	}
	took := Clock(median)
	return []string{fmt.Sprintf("%s, median %s", answered(n), took), fmt.Sprintf("%d, median %s", n, took)}
}

// ownSent limits the characters that are repeated of an answer that did not count.
const ownSent = 80

// TooLate says what the person sent for a question that had ended by then, and that it does not count.
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

// CameTooLate says in the list of answers that an answer did not count because the agent had been answered before.
const CameTooLate = "too late"

// AnswerTooLate returns an answer that did not count.
func AnswerTooLate(answer string) string { return CameTooLate + ": " + answer }

// answered says how many questions were answered.
func answered(n int) string { return fmt.Sprintf("%d answered", n) }
