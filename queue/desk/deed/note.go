package deed

import (
	"errors"

	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
)

// Kind says what a note is about. The comment behind each names the values of its Message.
type Kind int

// Kinds of notes.
const (
	Nothing Kind = iota // there is nothing to say

	OfForm            // the form does not do it: Form
	Over              // the question is closed
	Rests             // the question was set aside, and only Enter brings it back
	Confirms          // the person is asked to confirm the answer, which is not changed there
	Covered           // the options are not on screen, so none is marked
	Sending           // an answer is on its way
	NoClock           // the question has no clock that could be moved
	ClockLeast        // it has no less than the least time already
	ClockMost         // it would have more than the most time
	LaterAttached     // it is open in a form of its own, so it cannot be set aside
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
	NotHidden         // the settings did not take it: Err
	NoRule            // no rule can be made: Err
	RuleNotMade       // the rule was not stored: Err
	RoundNone         // no other approval is like this one
	RoundMarked       // an approval with a warning is decided alone
	RoundNoRule       // no rule is made while approvals are looked through
	RoundFirst        // there is no approval before this one
	RoundLeft         // no approvals are looked through any more
	OfTeam            // nothing is done about the team: Err
	TeamWaits         // the team is waited for already
	TeamParked        // the question is parked already
	TeamPicks         // the person picks the option in the form now
	Untyped           // a person decides an approval, and nobody types here
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

// because returns the note of an error of the desk; other is the kind of one that it does not know.
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
