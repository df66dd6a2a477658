package cli

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/jetstream"
	"github.com/choicetui/choicetui/queue/spool"
)

// Exit codes of the commands for scripts.
const (
	exitDone    = 0
	exitFailed  = 1
	exitMissing = 5 // no such session, or already settled or used
)

// hintMissing says where to look for a session that does not exist.
const hintMissing = "choicetui list shows pending questions, choicetui log past ones"

// failure is an error with words for the person: one sentence, a hint what to do next, and the exit code (0 means 1).
type failure struct {
	say, hint string
	code      int
	cause     error
}

func (f *failure) Error() string { return f.say }
func (f *failure) Unwrap() error { return f.cause }

// explain turns any error into a sentence with a hint. Errors whose own words suffice are kept.
func explain(err error) *failure {
	var f *failure
	var bad *queue.Invalid
	var unsafe *spool.Unsafe
	var trouble *jetstream.Trouble
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &bad) && len(bad.Problems) == 1 && bad.Problems[0].Path == "":
		return &failure{say: problemWords(bad.Problems)[0], cause: err}
	case errors.As(err, &bad):
		return &failure{say: "this cannot be accepted:\n" + bulleted(problemWords(bad.Problems)), cause: err}
	case errors.As(err, &unsafe):
		return &failure{say: fmt.Sprintf("the queue directory %s %s", unsafe.Dir, unsafe.Problem),
			hint: "to repair it run: " + unsafe.Repair, cause: err}
	case errors.Is(err, queue.ErrInDoubt):
		return &failure{say: "it is stored, but " + err.Error() + "; a power cut may undo it",
			hint: "check the disk; choicetui list and choicetui log show what is stored", cause: err}
	case errors.As(err, &trouble):
		return &failure{say: trouble.Error(), hint: trouble.Remedy, cause: err}
	case errors.Is(err, queue.ErrUnreachable):
		return &failure{say: err.Error(),
			hint: "choicetui doctor says what is wrong with the queue's server", cause: err}
	case errors.Is(err, queue.ErrNotFound):
		return &failure{say: "there is no such question", hint: hintMissing, code: exitMissing, cause: err}
	case errors.Is(err, queue.ErrNewer):
		return &failure{say: "a newer choicetui wrote this question, and this one must not change it",
			hint: "update choicetui; choicetui --version shows this version", cause: err}
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return &failure{say: "the disk that holds the queue is full, nothing was stored: " + err.Error(),
			hint: "free some space and try again", cause: err}
	case errors.Is(err, syscall.EROFS):
		return &failure{say: "the queue is on a read-only file system, nothing was stored: " + err.Error(),
			hint: "choose another place with --queue or the setting queue", cause: err}
	}
	return &failure{say: err.Error(), cause: err}
}

// noSession says that a session does not exist, or that it was set aside because it could not be read.
func noSession(id string, err error) *failure {
	var aside *queue.SetAside
	if errors.As(err, &aside) {
		return &failure{say: id + " was set aside because it cannot be read: " + aside.Reason,
			hint: "it is now at " + aside.MovedTo + ", unchanged", code: exitMissing, cause: err}
	}
	return &failure{say: "there is no question " + id, hint: hintMissing, code: exitMissing, cause: err}
}

func problemWords(problems []queue.Problem) []string {
	words := make([]string, len(problems))
	for i, p := range problems {
		if words[i] = p.String(); p.Path == "" && strings.HasPrefix(p.Wrong, "is ") {
			words[i] = "the input " + words[i]
		}
	}
	return words
}

// bulleted returns the problems as a list, one line each.
func bulleted(problems []string) string { return "  - " + strings.Join(problems, "\n  - ") }

// quoted returns a word of the person's or of an agent's for use in one of our sentences.
func quoted(s string) string {
	return `"` + say.OneLine(s) + `"`
}
