package cli

import (
	"context"
	"fmt"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/app/plain"
	"github.com/choicetui/choicetui/app/screen"
	"github.com/choicetui/choicetui/app/term"
	"github.com/choicetui/choicetui/app/tmux"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// Exit codes of attach, in addition to those in failure.go.
const (
	exitCancelled = queue.ExitCancelled
	exitTimeout   = queue.ExitTimeout
	exitLeft      = 6 // left without an answer; the question is still in the queue
)

// attachRun is one run of `choicetui attach` with its flags.
type attachRun struct {
	sh              *shell
	asJSON, asLines bool
	stay            *bool // the flag --stay; nil: it was not given
}

func attachCommand(sh *shell) *cobra.Command {
	r := attachRun{sh: sh}
	cmd := &cobra.Command{
		Use:   "attach ID",
		Short: "Open the dashboard on one question",
		Long: `attach opens the dashboard on one question, and closes when that question has
ended. It prints one line that says how it ended. It works only once for each
question; afterwards the question can still be answered in the dashboard.

An agent that runs it without a terminal gets a tmux split, or a link to the
question in the browser, and then the answer.

Exit codes: 0 answered, 3 cancelled or deferred, 4 timed out, 5 not found or
already used (with --plain also: answered elsewhere), 6 closed without an
answer, 1 any other error.`,
		Example: `  choicetui attach k7f3m2qx
  tmux display-popup -E choicetui attach k7f3m2qx
  choicetui attach k7f3m2qx --plain`,
		Args:              oneSession,
		ValidArgsFunction: completeSessions(sh),
	}
	cmd.Flags().BoolVar(&r.asJSON, "json", false, "print the question and its answer as one JSON object")
	cmd.Flags().BoolVar(&r.asLines, "plain", false, plainFlag)
	stay := cmd.Flags().Bool("stay", false, "stay open as the dashboard when the question has ended")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if cmd.Flags().Changed("stay") {
			r.stay = stay
		}
		return r.attach(cmd.Context(), args[0])
	}
	return cmd
}

// attach opens the question that the person named: in lines, in a tmux split if there is no terminal here, or on the
// full screen. It prints how the question ended.
func (r *attachRun) attach(ctx context.Context, typed string) error {
	if r.asLines && r.stay != nil && *r.stay { // the setting attach_stay alone does not matter in lines
		return &failure{say: "--stay is for the full screen; --plain ends with its one question",
			hint: "choicetui --plain shows the dashboard as lines"}
	}
	q, s, err := r.sh.findSession(ctx, typed)
	if err != nil {
		return err
	}
	switch {
	case s.IsMessage():
		return noQuestion(s)
	case s.Origin.Remote:
		return &failure{say: s.ID + " is on another host, and attach works only there",
			hint: "choicetui answer " + s.ID + " and the dashboard answer it from here"}
	}
	if err := checkUsable(s); err != nil {
		return notUsable(s, err, r.sh)
	}
	defer tellTmux(ctx, q)
	switch {
	case r.asLines:
		s, err = r.inLines(ctx, q, s)
	case term.Available() != nil:
		s, err = r.inSplit(ctx, q, s)
	default:
		s, err = r.onScreen(ctx, q, s)
	}
	if err != nil {
		return err
	}
	return r.printOutcome(s)
}

// stays reports whether the screen becomes the dashboard when the question has ended. The flag counts more than the
// setting.
func (r *attachRun) stays(now config.Settings) bool {
	if r.stay != nil {
		return *r.stay
	}
	return now.AttachStay
}

// checkUsable returns why a form cannot be opened for a session: ErrSettled or ErrUsed. It saves opening a form for
// nothing.
func checkUsable(s queue.Session) error {
	switch {
	case s.Outcome != nil:
		return queue.ErrSettled
	case s.Attached != nil:
		return queue.ErrUsed
	}
	return nil
}

// notUsable returns the failure of an attach that came too late: who answered and when, or when the form was opened
// before.
func notUsable(s queue.Session, cause error, sh *shell) error {
	if s.Outcome != nil {
		f := sh.alreadyOver(s, cause)
		if at, ok := s.Received(); ok {
			told := "; the agent was told at "
			if s.Outcome.Answered() {
				told = "; the agent has had the answer since "
			}
			f.say += told + say.Stamp(at, sh.now())
		}
		if s.Attached != nil {
			f.hint = "a question can be attached only once; have the agent ask again"
		}
		return f
	}
	told := s.ID + " was already attached at " + say.Stamp(s.Attached.At, sh.now()) +
		"; a question can be attached only once"
	return &failure{say: told, hint: stillWaits(s), code: exitMissing, cause: cause}
}

// stillWaits says how a question can be answered without its form.
func stillWaits(s queue.Session) string {
	return "the question is still pending: the dashboard or choicetui answer " + s.ID + " can answer it"
}

// printOutcome prints how the question ended; the exit code says the same.
func (r *attachRun) printOutcome(s queue.Session) error {
	if r.asJSON {
		if err := printSession(r.sh.out, s); err != nil {
			return err
		}
	} else if _, err := fmt.Fprintln(r.sh.out, s.Summary()); err != nil {
		return err
	}
	if code := exitOf(s); code != 0 {
		return &failure{code: code}
	}
	return nil
}

// exitOf returns the exit code for how a question ended.
func exitOf(s queue.Session) int {
	if s.Outcome == nil {
		return exitLeft
	}
	return s.Outcome.Ending().Exit
}

// onScreen opens the dashboard on the session in this terminal.
func (r *attachRun) onScreen(ctx context.Context, q *queue.Queue, s queue.Session) (queue.Session, error) {
	settings := r.sh.settings()
	with := r.sh.services(q, settings)
	var o screen.Options
	if r.stays(settings.Settings()) {
		o = dashboardOptions(r.sh, with)
		o.Stay = true
		defer watchingAgents(ctx, r.sh)()
	} else {
		with.Rules = nil // only a dashboard allows what the person does not see
		o = screenOptions(with)
	}
	o.Attach = s.ID
	last, err := screen.Run(ctx, o)
	if cameTooLate(err) {
		return s, notUsable(last, err, r.sh)
	}
	if err != nil {
		return s, screenEnd(err)
	}
	s, err = q.Store.Get(ctx, s.ID)
	return s.At(q.Now()), err
}

// inLines runs the form as lines on standard input, a terminal or a pipe. With --json the lines go to standard error,
// so that standard output holds only the JSON.
func (r *attachRun) inLines(ctx context.Context, q *queue.Queue, s queue.Session) (queue.Session, error) {
	out := r.sh.out
	if r.asJSON {
		out = r.sh.err
	}
	o := plainOptions(r.sh, r.sh.services(q, r.sh.settings()), out)
	o.Attach, o.Rules, o.Team = s.ID, nil, nil
	last, err := plain.Run(ctx, o)
	if cameTooLate(err) {
		return s, notUsable(last, err, r.sh)
	}
	if err != nil {
		return s, screenEnd(err)
	}
	if s, err = q.Store.Get(ctx, s.ID); err != nil {
		return s, err
	}
	if s = s.At(q.Now()); s.Outcome != nil && exitOf(s) == 0 && s.Outcome.Surface != queue.SurfaceAttach {
		return s, r.sh.alreadyOver(s, queue.ErrSettled) // a script must not take this answer for its own
	}
	return s, nil
}

// inSplit opens the form in a tmux split and waits for the outcome. Outside tmux it only waits, and names the
// question's page in the browser.
func (r *attachRun) inSplit(ctx context.Context, q *queue.Queue, s queue.Session) (queue.Session, error) {
	if !tmux.Inside() {
		r.sh.note("there is no terminal here; waiting for an answer from the dashboard or choicetui answer %s", s.ID)
		r.notePage(ctx, s)
		return waitFor(ctx, q, s, nil)
	}
	var flags []string
	if r.stay != nil {
		flags = []string{"--stay=" + strconv.FormatBool(*r.stay)}
	}
	pane, err := splitForm(ctx, r.sh, s, flags...)
	if err != nil {
		return s, err
	}
	r.sh.note(openBeside, pane)
	return waitFor(ctx, q, s, func(ctx context.Context) bool {
		there, err := tmux.PaneExists(ctx, pane)
		return there || err != nil // a tmux that does not answer is no reason to give up
	})
}

// notePage names the page on which the question can be answered in a browser, for a person without a terminal.
func (r *attachRun) notePage(ctx context.Context, s queue.Session) {
	p, err := pagesOf(r.sh)
	if err != nil {
		r.sh.note("%s", say.OneLine(err.Error()))
		return
	}
	page, err := p.openForAgent(ctx, s)
	switch {
	case err != nil:
		r.sh.note("%s", say.OneLine(err.Error()))
	case page.Opened:
		r.sh.note("it is open in the browser: %s", page.Bare)
	case page.Link != "": // empty: the agent may not have a link to this question
		r.sh.note("this link opens it in a browser, and nothing else: %s", page.Link)
	}
}

// openBeside is the note that names the pane in which splitForm opened the form.
const openBeside = "the form is open beside this pane, in tmux pane %s; waiting for the answer"

// splitForm opens a session's form in a tmux pane beside this one. flags are flags of attach.
func splitForm(ctx context.Context, sh *shell, s queue.Session, flags ...string) (pane string, err error) {
	dir, err := sh.queuePlace()
	if err != nil {
		return "", err
	}
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("failed to find choicetui's own program: %w", err)
	}
	form := append([]string{self, "--queue", dir, "attach", s.ID}, flags...)
	pane, err = tmux.SplitBeside(ctx, os.Getenv("TMUX_PANE"), form, carriedEnv())
	if err != nil {
		return "", &failure{say: "no form could be opened in tmux: " + err.Error(), hint: stillWaits(s), cause: err}
	}
	return pane, nil
}

// carriedEnv returns the environment variables that the form needs and tmux would not pass on.
func carriedEnv() []string {
	var env []string
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME", "CHOICETUI_QUEUE", "NO_COLOR", "VISUAL",
		"EDITOR", "LANG", "LC_ALL", "LC_CTYPE"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}
