package action

import (
	"errors"

	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
)

// Kind is the subject of a Message.
type Kind int

// Kinds of messages, which panes/say/message.go puts into words. The comment behind each kind lists the fields of
// Message that it uses.
const (
	Nothing Kind = iota // there is nothing to say

	InWords           // a frontend's own reason: Words
	OfForm            // the form refuses the action: Form, Action
	Over              // the question is closed
	Rests             // the question was set aside, and must be brought back first
	Confirms          // the confirmation is open, where the answer cannot be changed
	Covered           // the options are not on screen, so none is marked
	Sending           // an answer is on its way
	NoClock           // the question has no clock that could be moved
	ClockLeast        // the question has the shortest time already
	ClockMost         // the question would have more than the longest time
	LaterAttached     // the question is open in an attached form, so it cannot be set aside
	NotLater          // the question cannot be set aside: Err
	BroughtBack       // the question that was set aside is brought back
	NothingToTakeBack // no answer is held back, and no option was just hidden
	TakenBack         // the answer that was held back was taken back
	NothingToCopy     // the person typed nothing
	NoEditor          // the frontend has no editor
	NotHere           // the frontend cannot change the settings
	OneQuestion       // the form has no other question to go to
	Unrecommended     // so many questions have no recommendation: N
	IsHidden          // the option is hidden from now on
	IsShown           // the option is shown again
	NotHidden         // the settings did not store the hidden option: Err
	NoRule            // no permission rule can be made: Err
	RuleNotMade       // the permission rule was not stored: Err
	RoundNone         // no other approval is like this one
	RoundMarked       // an approval with a warning must be decided on its own
	RoundNoRule       // no permission rule can be made in a round
	RoundFirst        // there is no approval before this one in the round
	RoundLeft         // the round has ended
	OfTeam            // the action about the team is not possible: Err
	TeamWaits         // the question waits for the team already
	TeamParked        // the question is parked already
	TeamPicks         // the person picks the option in the form now
	Untyped           // only a person who types may decide an approval, and nobody types here
	Overtaken         // a press that waited is dropped, because another key followed at once
	Replaced          // a press that waited is dropped, because something else is on view now

	kinds // how many there are
)

// Message is a note for the person about an action: a kind with its values, which the frontends put into words. The zero
// Message says nothing.
type Message struct {
	Kind   Kind
	Action Name
	Form   form.WhyNot
	Err    error
	Words  string
	N      int
}

// OK reports whether there is nothing to say.
func (m Message) OK() bool { return m.Kind == Nothing }

// says returns a message that uses no other fields.
func says(k Kind) Message { return Message{Kind: k} }

// inWords returns the message with a frontend's own words.
func inWords(words string) Message {
	if words == "" {
		return Message{}
	}
	return Message{Kind: InWords, Words: words}
}

// ofForm returns the message about an action that the form refuses; the zero Message if the form does not refuse it.
func ofForm(a Name, why form.WhyNot) Message {
	if why.OK() {
		return Message{}
	}
	return Message{Kind: OfForm, Action: a, Form: why}
}

// deskErrors maps errors of the desk to kinds of messages.
var deskErrors = []struct {
	err  error
	kind Kind
}{
	{desk.ErrOver, Over}, {desk.ErrSending, Sending}, {desk.ErrNoClock, NoClock}, {desk.ErrLeast, ClockLeast},
	{desk.ErrMost, ClockMost}, {desk.ErrLaterAttached, LaterAttached},
}

// because returns the message for an error of the desk. other is its kind if the error is not in deskErrors.
func because(err error, other Kind) Message {
	if err == nil {
		return Message{}
	}
	for _, o := range deskErrors {
		if errors.Is(err, o.err) {
			return Message{Kind: o.kind, Err: err}
		}
	}
	return Message{Kind: other, Err: err}
}

// ofTeam returns the message for an error of an action about the team.
func ofTeam(err error) Message {
	if err == nil {
		return Message{}
	}
	return Message{Kind: OfTeam, Err: err}
}
