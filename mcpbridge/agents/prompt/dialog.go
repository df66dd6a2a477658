package prompt

import (
	"context"
	"time"
)

// Dialog follows an agent's own prompt, which may be open at the same time, and finds out what became of it.
type Dialog interface {
	// Shown reports whether the agent shows the prompt while its hook runs.
	Shown() bool
	// Headless says that the agent shows nothing, so that only the hook can answer.
	Headless()
	// IsForm reports whether the prompt is a form of another server.
	IsForm() bool
	// Watch makes Look also watch the agent's process; pid 0: it is not known. began is when the agent started the
	// hook.
	Watch(pid int, began time.Time)
	// WatchPane makes Look also read the text of the agent's pane. If read returns ok false, that look counts neither
	// as seen nor as gone.
	WatchPane(read func() (text string, ok bool))
	// Among says which prompt this is. others returns the prompts of the same agent that are about the same, whether
	// they still wait or not.
	Among(self Alike, others func() []Alike)
	// Look returns the state of the prompt.
	Look() Sign
	// AnsweredThere reports whether the person answered at the agent instead of interrupting it.
	AnsweredThere() bool
	// IsCallOf reports whether this prompt is about the call about which another hook has asked at that time. The error
	// is ErrOver if the call is over meanwhile.
	IsCallOf(ctx context.Context, asked time.Time) (bool, error)
	// Took tells whether the agent took what the hook printed.
	Took(p Printed) Taken
	// Unconfirmed returns what Confirm needs to know about this prompt.
	Unconfirmed() Unconfirmed
}

// Alike is another prompt of the same agent that is about the same tool and input.
type Alike struct {
	ID      string    `json:"id"`
	At      time.Time `json:"at"`      // when it came into the queue
	Pending bool      `json:"pending"` // it has no answer yet
}

// Sign tells the state of an agent's own prompt, as far as one look can see it.
type Sign int

// Values of Sign. A look that finds no sign returns SignOpen.
const (
	SignOpen     Sign = iota // the prompt is open, or there is no sign
	SignPerhaps              // of several that are alike one is over, and it is probably this one
	SignAnswered             // the person answered there
	SignEnded                // the person refused there, or stopped the agent
	SignByHook               // a hook decided
	SignByAgent              // the agent decided, by its own rules
	SignUnsure               // it is over, and nothing says how it ended
)

// endsWait returns the error with which this sign ends a wait; nil: the wait continues.
func (s Sign) endsWait() error {
	switch s {
	case SignAnswered:
		return ErrThere
	case SignEnded:
		return ErrInterrupted
	case SignByHook:
		return ErrByHook
	case SignByAgent:
		return ErrByAgent
	case SignUnsure:
		return ErrPerhaps
	case SignOpen, SignPerhaps:
	}
	return nil
}

// Taken tells whether an agent took what its hook printed.
type Taken int

// Values of Taken.
const (
	TakenUnknown Taken = iota // the agent does not say it yet
	TakenIt
	TakenThere   // the person was faster at the agent
	TakenByHook  // another hook was faster
	TakenStopped // the person had stopped the agent before
	TakenDoubted // nothing says it
)

// Printed holds the decision that a hook has printed.
type Printed struct {
	At     time.Time `json:"at"`
	Output []byte    `json:"output"`
}

// ShowsDialog reports whether the agent shows its own prompt while its hook runs.
func (a Asked) ShowsDialog() bool { return a.Dialog != nil && a.Dialog.Shown() }
