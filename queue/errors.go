package queue

import (
	"errors"
	"fmt"
	"strings"
)

// Errors of stores and transitions. Match them with errors.Is.
var (
	ErrExists   = errors.New("session exists")
	ErrNotFound = errors.New("no such session")
	ErrConflict = errors.New("changed meanwhile")
	ErrNewer    = errors.New("written by a newer choicetui")
	ErrSettled  = errors.New("already settled")
	ErrUsed     = errors.New("already used")
	ErrFinal    = errors.New("closed")
	ErrFull     = errors.New("too many changes")
	ErrPending  = errors.New("not settled yet")
	ErrNotDue   = errors.New("not due yet")
	// ErrInDoubt means that the store has a write that the disk did not confirm: a power cut may undo it. Sending the
	// same command again asks the disk again.
	ErrInDoubt = errors.New("not confirmed by the disk")
	// ErrRefused means that the store's server knows the caller but does not allow it this operation.
	ErrRefused = errors.New("the queue does not allow that")
	// ErrUnreachable means that the store's server does not answer at the moment. A write that failed with it may
	// still have been stored.
	ErrUnreachable = errors.New("the queue cannot be reached")
)

// Problem describes one fault of an ask or an answer: its place, the wrong value, and a right one. Want may instead be
// a clause of its own: it then begins with “use”, “leave”, “choose” or “it”.
type Problem struct {
	Path  string `json:"path"`
	Wrong string `json:"wrong"`
	Want  string `json:"want"`
}

// WantsEither is the Want of a problem with a reply that has neither an option nor text.
const WantsEither = "an option or text"

// WantsText is the Want of a problem with a text that is missing.
const WantsText = "it must not be empty"

func (p Problem) String() string {
	s := p.Wrong
	if p.Path != "" {
		s = p.Path + " " + s
	}
	switch verb, _, _ := strings.Cut(p.Want, " "); {
	case p.Want == "":
		return s
	case verb == "use", verb == "leave", verb == "choose", verb == "it":
		return s + "; " + p.Want
	}
	return s + "; want " + p.Want
}

// Invalid lists all problems of an ask or an answer at once, so that the caller can repair them in one step.
type Invalid struct{ Problems []Problem }

func (e *Invalid) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// MaxSessionBytes limits the size of a whole session as JSON. No store keeps a larger one.
const MaxSessionBytes = 7 << 20

// CheckSize returns *Invalid for a session whose JSON takes more than MaxSessionBytes.
func CheckSize(bytes int) error {
	if bytes <= MaxSessionBytes {
		return nil
	}
	return invalid("", fmt.Sprintf("the session would take %d bytes", bytes),
		fmt.Sprintf("at most %d bytes: shorten the answer", MaxSessionBytes))
}

// invalid returns an *Invalid with one problem.
func invalid(path, wrong, want string) error {
	return &Invalid{Problems: []Problem{{Path: path, Wrong: wrong, Want: want}}}
}
