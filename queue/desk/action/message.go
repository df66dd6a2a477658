package action

import (
	"errors"
	"fmt"

	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
)

// Message is what the person is told of an action: why it is not possible now, or what it did. It is the only type for
// that. panes/say.Message puts it into words, in one function. The zero Message tells nothing.
//
// Err is Words where the words are the same on every frontend. Otherwise it is a reason of the form (form.WhyNot), an
// error of the desk, one of the team (OfTeam), or one of the types and errors below.
type Message struct {
	Action Name
	Err    error
}

// OK reports whether there is nothing to tell.
func (m Message) OK() bool { return m.Err == nil }

// Is reports whether a message tells of an error, such as Covered.
func (m Message) Is(err error) bool { return errors.Is(m.Err, err) }

// Error returns the message in words for a log; panes/say has those for a person.
func (m Message) Error() string { return fmt.Sprintf("%s: %v", m.Action, m.Err) }

// Unwrap returns the reason.
func (m Message) Unwrap() error { return m.Err }

// Words is a message in words that are the same on every frontend.
type Words string

// Error returns the words.
func (w Words) Error() string { return string(w) }

// Reasons why an action is not possible now. A row's own reasons are beside the row.
const (
	Paused   = Words("this question is set aside; bring it back first")
	Confirms = Words("to change the answer, go back to the options first")
	Covered  = Words("the options were not visible; press it again")

	AboutTeam = Words("this is about your team; go back to the agent's question first")
)

// Words about keys.
const (
	Overtaken = Words("that key was ignored; another one followed at once")
	Replaced  = Words("that key was ignored; something else came up before it counted")
	Untyped   = Words("nothing was sent; only a person at a terminal may decide an approval")
)

// OfTeam is the error of an action about the team. Each frontend has its own words for it.
type OfTeam struct{ Err error }

// Error returns the error's text.
func (e OfTeam) Error() string { return e.Err.Error() }

// Unwrap returns the error of the team.
func (e OfTeam) Unwrap() error { return e.Err }

// NotDone is the error of a change that was asked for and did not happen; Words say which one.
type NotDone struct {
	Words Words
	Err   error
}

// Error returns the words and the cause.
func (e NotDone) Error() string { return string(e.Words) + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e NotDone) Unwrap() error { return e.Err }

// Changes that may not happen.
const (
	NotHidden   = Words("not hidden")
	RuleNotKept = Words("allowed this once, but no rule was made")
)

// NotLater is the error of a question that cannot be set aside.
type NotLater struct{ Err error }

// Error returns the cause.
func (e NotLater) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e NotLater) Unwrap() error { return e.Err }

// NoRule is the error of a request of which no permission rule can be made.
type NoRule struct{ Err error }

// Error returns the cause.
func (e NoRule) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e NoRule) Unwrap() error { return e.Err }

// IsTeam reports whether the message is about the team.
func (m Message) IsTeam() bool {
	var team OfTeam
	return errors.As(m.Err, &team)
}

// says returns a message.
func says(err error) Message { return Message{Err: err} }

// inWords returns the message with a frontend's own words.
func inWords(words string) Message {
	if words == "" {
		return Message{}
	}
	return says(Words(words))
}

// ofForm returns the message about an action that the form refuses; the zero Message if the form does not refuse it.
func ofForm(a Name, why form.WhyNot) Message {
	if why.OK() {
		return Message{}
	}
	return Message{Action: a, Err: why}
}

// deskErrors are the errors of the desk that a person can be told as they are.
var deskErrors = []error{desk.ErrOver, desk.ErrSending, desk.ErrNoClock, desk.ErrLeast, desk.ErrMost,
	desk.ErrLaterAttached}

// because returns the message for an error of the desk. Any other error is told as what other makes of it; without
// other it is not told.
func because(err error, other func(error) error) Message {
	for _, known := range deskErrors {
		if errors.Is(err, known) {
			return says(known)
		}
	}
	if err == nil || other == nil {
		return Message{}
	}
	return says(other(err))
}

func notLater(err error) error { return NotLater{err} }

func noRule(err error) error { return NoRule{err} }

// ofTeam returns the message for an error of an action about the team.
func ofTeam(err error) Message {
	if err == nil {
		return Message{}
	}
	return says(OfTeam{err})
}
