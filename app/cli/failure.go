package cli

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/spool"
)

// Exit codes of the commands for scripts.
const (
	exitDone    = 0
	exitFailed  = 1
	exitMissing = 5 // no such session, or already settled or used
)

// failure is an error as the person reads it: one sentence, what to do next, and the exit code (0 means 1).
type failure struct {
	say, hint string
	code      int
	cause     error
}

func (f *failure) Error() string { return f.say }
func (f *failure) Unwrap() error { return f.cause }

// report ends a command: it writes the failure, if any, and returns the exit code. A reader that went away
// (`choicetui log | head`) wanted no more, so that is quiet.
func (sh *shell) report(err error) int {
	if err == nil {
		return exitDone
	}
	if errors.Is(err, syscall.EPIPE) {
		return exitFailed
	}
	f := explain(err)
	say, _ := queue.Visible(f.say)
	if say == "" { // the exit code says it all
		return f.code
	}
	fmt.Fprintln(sh.err, "choicetui: "+strings.TrimSpace(say))
	if f.hint != "" {
		hint, _ := queue.Visible(f.hint)
		fmt.Fprintln(sh.err, "choicetui: hint: "+hint)
	}
	if f.code == 0 {
		return exitFailed
	}
	return f.code
}

// explain turns any error into a sentence. What a package below already says well is kept.
func explain(err error) *failure {
	var f *failure
	var bad *queue.Invalid
	var unsafe *spool.Unsafe
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &bad):
		return &failure{say: "this cannot be accepted:\n" + bulleted(bad.Problems), cause: err}
	case errors.As(err, &unsafe):
		return &failure{say: fmt.Sprintf("the queue directory %s %s", unsafe.Dir, unsafe.Problem), hint: "to repair it run: " + unsafe.Repair, cause: err}
	case errors.Is(err, queue.ErrInDoubt):
		return &failure{say: "it is stored, but " + err.Error() + "; a power cut may undo it",
			hint: "look after the disk; choicetui list and choicetui log show what stands", cause: err}
	case errors.Is(err, queue.ErrNotFound):
		return &failure{say: "there is no such session", hint: "choicetui list shows what waits, choicetui log what was", code: exitMissing, cause: err}
	case errors.Is(err, queue.ErrNewer):
		return &failure{say: "a newer choicetui wrote this session, and this one must not change it", hint: "update choicetui: choicetui --version says what this is", cause: err}
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return &failure{say: "the disk that holds the queue is full, nothing was stored: " + err.Error(), hint: "free some space and try again", cause: err}
	case errors.Is(err, syscall.EROFS):
		return &failure{say: "the queue lies on a read-only file system, nothing was stored: " + err.Error(), hint: "choose another place with --queue or the setting queue", cause: err}
	}
	return &failure{say: err.Error(), cause: err}
}

func bulleted(problems []queue.Problem) string {
	lines := make([]string, len(problems))
	for i, p := range problems {
		lines[i] = "  - " + p.String()
	}
	return strings.Join(lines, "\n")
}

// quoted shows a word of the person's, or of an agent's, inside one of our sentences.
func quoted(s string) string {
	return `"` + say.OneLine(s) + `"`
}
