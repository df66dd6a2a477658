package cli

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/app/screen"
	"github.com/choicetui/choicetui/app/term"
	"github.com/choicetui/choicetui/app/tmux"
	"github.com/choicetui/choicetui/queue"
)

// Exit codes of attach, beside those for scripts.
const (
	exitCancelled = 3
	exitTimeout   = 4
	exitLeft      = 6 // left without an answer; the question is still in the queue
)

// lookEvery is how often a waiting attach looks whether the form's pane is still open.
const lookEvery = time.Second

func (sh *shell) attachCommandLine() *cobra.Command {
	var asJSON, asLines bool
	cmd := &cobra.Command{
		Use:   "attach SESSION",
		Short: "Open the form of one waiting question, once",
		Long: `attach opens one pending session in this terminal, and ends with one line that
says what was answered. It works once: a form that was left or crashed cannot be
opened again, but the dashboard and choicetui answer still settle the question.

Run by an agent, without a terminal: inside tmux it opens a split beside the
agent's pane and waits; elsewhere it waits for the answer from wherever it comes.

With --plain the question is written as lines, and lines on standard input
answer it, be that a terminal or a pipe.

Exit codes: 0 answered, 3 cancelled, 4 timed out, 5 not found or already used,
6 left without an answer, 1 anything else.`,
		Example: `  choicetui attach k7f3m2qx
  tmux display-popup -E choicetui attach k7f3m2qx
  choicetui attach k7f3m2qx --plain`,
		Args:              oneSession,
		ValidArgsFunction: sh.completeSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			return sh.attach(cmd.Context(), args[0], asJSON, asLines)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the session as one JSON object instead of a line")
	cmd.Flags().BoolVar(&asLines, "plain", false, "lines instead of a full screen: numbered options, no escape sequences")
	return cmd
}

func (sh *shell) attach(ctx context.Context, typed string, asJSON, asLines bool) error {
	q, s, err := sh.find(ctx, typed)
	if err != nil {
		return err
	}
	if s.IsMessage() {
		return noQuestion(s)
	}
	if err := usable(s); err != nil {
		return sh.used(s, err)
	}
	defer sh.tell(ctx, q)
	switch {
	case asLines:
		s, err = sh.attachPlain(ctx, q, s, asJSON)
	case term.Available() != nil:
		s, err = sh.attachElsewhere(ctx, q, s)
	default:
		s, err = sh.attachHere(ctx, q, s)
	}
	if err != nil {
		return err
	}
	return sh.attached(s, asJSON)
}

// usable says why a session cannot be attached, before a form is opened for nothing.
func usable(s queue.Session) error {
	switch {
	case s.Outcome != nil:
		return queue.ErrSettled
	case s.Attached != nil:
		return queue.ErrUsed
	}
	return nil
}

// used says which of the ways of being used up it is, when it happened, and what was answered.
func (sh *shell) used(s queue.Session, cause error) error {
	if s.Outcome != nil {
		f := sh.over(s, cause)
		if e, ok := s.Last(queue.EventCollected); ok {
			f.say += "; the agent has the answer since " + clock(e.At, sh.now())
		}
		f.hint = "a hand-off works once: ask anew for a new one"
		return f
	}
	return &failure{say: s.ID + " was already attached at " + clock(s.Attached.At, sh.now()) + "; a hand-off works once",
		hint: "the question still waits: the dashboard or choicetui answer " + s.ID + " settles it", code: exitMissing, cause: cause}
}

// attached prints how it ended; the exit code says the same.
func (sh *shell) attached(s queue.Session, asJSON bool) error {
	if asJSON {
		if err := sh.showJSON(s); err != nil {
			return err
		}
	} else if _, err := fmt.Fprintln(sh.out, s.Summary()); err != nil {
		return err
	}
	switch s.Status() {
	case queue.StatusPending:
		return &failure{code: exitLeft}
	case queue.StatusCancelled:
		return &failure{code: exitCancelled}
	case queue.StatusTimeout:
		return &failure{code: exitTimeout}
	}
	return nil
}

// attachHere draws the form in this terminal.
func (sh *shell) attachHere(ctx context.Context, q *queue.Queue, s queue.Session) (queue.Session, error) {
	o := sh.screenOptions(q, sh.settings())
	o.Attach = s.ID
	last, err := screen.Run(ctx, o)
	if refused(err) {
		return s, sh.used(last, err)
	}
	if err != nil {
		return s, screenEnd(err)
	}
	return q.Store.Get(ctx, s.ID)
}

// attachElsewhere opens the form in a tmux split, if there is a tmux, and waits for the outcome.
func (sh *shell) attachElsewhere(ctx context.Context, q *queue.Queue, s queue.Session) (queue.Session, error) {
	if tmux.Inside() {
		dir, err := sh.place()
		if err != nil {
			return s, err
		}
		self, err := os.Executable()
		if err != nil {
			return s, fmt.Errorf("failed to find choicetui's own program: %w", err)
		}
		pane, err := tmux.SplitBeside(ctx, os.Getenv("TMUX_PANE"), []string{self, "--queue", dir, "attach", s.ID}, carried())
		if err != nil {
			return s, &failure{say: "no form could be opened in tmux: " + err.Error(),
				hint: "the question still waits: the dashboard or choicetui answer " + s.ID + " settles it", cause: err}
		}
		fmt.Fprintf(sh.err, "choicetui: the form is open beside this pane, in tmux pane %s; waiting for the answer\n", pane)
		return sh.waitFor(ctx, q, s, func(ctx context.Context) bool {
			there, err := tmux.PaneExists(ctx, pane)
			return there || err != nil // a tmux that does not answer is no reason to give up
		})
	}
	fmt.Fprintf(sh.err, "choicetui: there is no terminal here; waiting for the answer from the dashboard or choicetui answer %s\n", s.ID)
	return sh.waitFor(ctx, q, s, nil)
}

// carried is the environment the form needs and tmux would not pass on.
func carried() []string {
	var env []string
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME", "CHOICETUI_QUEUE", "NO_COLOR", "VISUAL", "EDITOR", "LANG", "LC_ALL", "LC_CTYPE"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// waitFor returns the session once it is over, or once its form was left without an answer. open, if given, says
// whether the pane of the form is still there.
func (sh *shell) waitFor(ctx context.Context, q *queue.Queue, s queue.Session, open func(context.Context) bool) (queue.Session, error) {
	w, err := q.Store.Watch(ctx, s.ID)
	if err != nil {
		return s, err
	}
	defer w.Close()
	for {
		there := open == nil || open(ctx) // looked at first: the answer comes before the pane closes
		if s, err = q.Store.Get(ctx, s.ID); err != nil {
			return s, err
		}
		if s = s.At(sh.now()); !s.Pending() || !there {
			return s, nil
		}
		if err := sh.nextChange(ctx, w, s, open != nil); err != nil {
			return s, err
		}
	}
}

// nextChange waits until something changed, the time is up, or, with a form in a pane, it is time to look whether
// that is still there.
func (sh *shell) nextChange(ctx context.Context, w queue.Watcher, s queue.Session, form bool) error {
	wait := time.Minute
	if form {
		wait = lookEvery
	}
	if left := s.Deadline.Sub(sh.now()); !s.Deadline.IsZero() && left < wait {
		wait = max(left, time.Millisecond)
	}
	step, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	_, err := w.Next(step)
	if err != nil && step.Err() == nil {
		return err
	}
	return ctx.Err()
}
