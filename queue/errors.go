package queue

import (
	"errors"
	"fmt"
	"strings"
)

// Errors of stores and transitions that refuse. Match with errors.Is.
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
	// ErrInDoubt means that a write is in the store, but that the disk did not confirm it: a power cut may undo it.
	// The same command sent again asks the disk again.
	ErrInDoubt = errors.New("not confirmed by the disk")
	// ErrRefused means that the store's server knows the caller, and does not allow it to do or see that.
	ErrRefused = errors.New("the queue does not allow that")
	// ErrUnreachable means that the store's server does not answer just now. What was sent to it may still have been
	// stored where the error is an ambiguous one.
	ErrUnreachable = errors.New("the queue cannot be reached")
)

// Problem describes one fault of an ask or an answer: where it is, what is wrong, and what would be right.
type Problem struct {
	Path  string `json:"path"`
	Wrong string `json:"wrong"`
	Want  string `json:"want"`
}

func (p Problem) String() string {
	s := p.Wrong
	if p.Path != "" {
		s = p.Path + " " + s
	}
	if p.Want != "" {
		s += "; want " + p.Want
	}
	return s
}

// Invalid lists every problem at once, so that one repair is enough.
type Invalid struct{ Problems []Problem }

func (e *Invalid) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// MaxSessionBytes limits the size of a whole session as JSON. No store keeps a larger one.
const MaxSessionBytes = 4 << 20

// CheckSize says of a session that takes so many bytes as JSON that it is too large to keep, as *Invalid.
func CheckSize(bytes int) error {
	if bytes <= MaxSessionBytes {
		return nil
	}
	return invalid("", fmt.Sprintf("the session would take %d bytes", bytes),
		fmt.Sprintf("at most %d bytes: shorten the answer", MaxSessionBytes))
}

func invalid(path, wrong, want string) error {
	return &Invalid{Problems: []Problem{{Path: path, Wrong: wrong, Want: want}}}
}
