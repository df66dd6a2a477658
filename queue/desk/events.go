package desk

import (
	"slices"

	"github.com/choicetui/choicetui/queue"
)

// Event is something that happened at the desk. A face that does not care for one ignores it.
type Event interface{ event() }

type (
	// Changed is a session in its newest state. Was is the zero Session if it was not known before.
	Changed struct{ Was, Now queue.Session }
	// Ended is told once, when a session is first seen to have ended. Ours: by what a seat of this desk sent.
	Ended struct {
		Session queue.Session
		Ours    bool
	}
	// Left is a session that went from the live ones into the archive.
	Left struct{ ID string }
	// Ordered says that the order of the pending questions, or who is present, was computed again.
	Ordered struct{}
	// Stored is an answer or a cancel of this desk that the store has.
	Stored struct{ Session queue.Session }
	// NotStored reports an answer that the store refused or could not take. If Again is set, the desk tries it again;
	// otherwise the question stays as it was.
	NotStored struct {
		ID    string
		Err   error
		Again bool
	}
	// NotMoved is a deadline that could not be moved.
	NotMoved struct {
		ID  string
		Err error
	}
	// NotLater is a question that could not be set aside.
	NotLater struct {
		ID  string
		Err error
	}
	// DraftTaken says that what was typed elsewhere took the place of the form that a seat has. Unconfirmed: that ended
	// a confirmation, which was of something else.
	DraftTaken struct {
		Seat        *Seat
		ID          string
		Unconfirmed bool
	}
	// Shown says that a seat has another question on view, or none: ID is empty.
	Shown struct {
		Seat *Seat
		ID   string
	}
	// Finished says that the session that the desk was opened on has ended, and that its seat has no reason to stay.
	Finished struct{ Seat *Seat }
	// Remembered is a session that was asked and settled today, before this desk looked.
	Remembered struct{ Session queue.Session }
	// Present lists who runs now.
	Present struct{ List []queue.Presence }
	// SettingsChanged says that other settings are in force.
	SettingsChanged struct{}
	// Troubled says that something went wrong, or is right again; see Desk.Trouble.
	Troubled struct{}
	// SetAside is something in the queue that could not be read.
	SetAside struct{ Broken queue.Broken }
)

func (Changed) event()         {}
func (Ended) event()           {}
func (Left) event()            {}
func (Ordered) event()         {}
func (Stored) event()          {}
func (NotStored) event()       {}
func (NotMoved) event()        {}
func (NotLater) event()        {}
func (DraftTaken) event()      {}
func (Shown) event()           {}
func (Finished) event()        {}
func (Remembered) event()      {}
func (Present) event()         {}
func (SettingsChanged) event() {}
func (Troubled) event()        {}
func (SetAside) event()        {}

// news tells the faces what happens at the desk.
type news struct{ told []*func(Event) }

// Subscribe has f told of every event, in order, on the owner's goroutine, until stop is called there.
func (n *news) Subscribe(f func(Event)) (stop func()) {
	n.told = append(n.told, &f)
	return func() {
		n.told = slices.DeleteFunc(slices.Clone(n.told), func(told *func(Event)) bool { return told == &f })
	}
}

func (n *news) tell(e Event) {
	for _, f := range n.told {
		(*f)(e)
	}
}
