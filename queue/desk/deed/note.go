package deed

import (
	"errors"

	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
)

// Kind says what a Message is about. The comment behind each kind names the fields of the Message that it uses.
type Kind int

// Kinds of notes.
const (
	Nothing Kind = iota // there is nothing to say

	OfForm            // the form refuses the action: Form, Action
	Over              // the question is closed
	Rests             // the question was set aside, and only Enter brings it back
	Confirms          // the confirmation is open, where the answer cannot be changed
	Covered           // the options are not on screen, so none is marked
	Sending           // an answer is on its way
	NoClock           // the question has no clock that could be moved
	ClockLeast        // it has no less than the least time already
	ClockMost         // it would have more than the most time
	LaterAttached     // the question is open in an attached form, so it cannot be set aside
	NotLater          // it cannot be set aside: Err
	NothingToTakeBack // no answer is held back, and no option was just hidden
	TakenBack         // the answer that was held back
	NothingToCopy     // the person typed nothing
	NoEditor          // the face has no editor
	NotHere           // the face cannot change the settings
	OneQuestion       // the form has no other question to go to
	Unrecommended     // so many questions have no recommendation: N
	IsHidden          // the option is hidden from now on
	IsShown           // the option is shown again
	NotHidden         // the settings did not store the hidden option: Err
	NoRule            // no rule can be made: Err
	RuleNotMade       // the rule was not stored: Err
	RoundNone         // no other approval is like this one
	RoundMarked       // an approval with a warning must be decided on its own
	RoundNoRule       // no rule is made while approvals are looked through
	RoundFirst        // there is no approval before this one
	RoundLeft         // no approvals are looked through any more
	OfTeam            // the action about the team is not possible: Err
	TeamWaits         // the question waits for the team already
	TeamParked        // the question is parked already
	TeamPicks         // the person picks the option in the form now
	Untyped           // only a person who types may decide an approval, and nobody types here
)

// Message is a note about an action, as a kind with its values. The faces put it into words. The zero Message says
// nothing.
type Message struct {
	Kind   Kind
	Action Action
	Form   form.WhyNot
	Err    error
	N      int
}

// OK reports whether there is nothing to say.
func (m Message) OK() bool { return m.Kind == Nothing }

func says(k Kind) Message { return Message{Kind: k} }

// ofForm returns why the form does not do what an action asks for.
func ofForm(a Action, why form.WhyNot) Message {
	if why.OK() {
		return Message{}
	}
	return Message{Kind: OfForm, Action: a, Form: why}
}

// ofDesk are the kinds of the desk's errors.
var ofDesk = []struct {
	err  error
	kind Kind
}{
	{desk.ErrOver, Over}, {desk.ErrSending, Sending}, {desk.ErrNoClock, NoClock}, {desk.ErrLeast, ClockLeast},
	{desk.ErrMost, ClockMost}, {desk.ErrLaterAttached, LaterAttached}, {desk.ErrNoneAlike, RoundNone},
	{desk.ErrMarkedAlone, RoundMarked},
}

// because returns the message for an error of the desk. other is the kind of an error that is not in ofDesk.
func because(err error, other Kind) Message {
	if err == nil {
		return Message{}
	}
	for _, o := range ofDesk {
		if errors.Is(err, o.err) {
			return Message{Kind: o.kind, Err: err}
		}
	}
	return Message{Kind: other, Err: err}
}

// ofTeam returns why nothing is done about the team.
func ofTeam(err error) Message {
	if err == nil {
		return Message{}
	}
	return Message{Kind: OfTeam, Err: err}
}
