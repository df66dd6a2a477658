package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/app/plain"
	"github.com/choicetui/choicetui/app/screen"
	"github.com/choicetui/choicetui/app/term"
	"github.com/choicetui/choicetui/app/widen"
	"github.com/choicetui/choicetui/app/widen/interview"
	"github.com/choicetui/choicetui/app/widen/talk"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// fileShown is a hint at an example of an interview's file.
const fileShown = "docs/interview.md shows a file"

// usualAnswers is the default file for an interview's answers.
const usualAnswers = "answers.yaml"

// interviewRun is one run of `choicetui interview` with its flags.
type interviewRun struct {
	sh                     *shell
	settings               *config.File
	answers                string
	force, asLines, asJSON bool
}

func interviewCommand(sh *shell) *cobra.Command {
	r := interviewRun{sh: sh}
	cmd := &cobra.Command{
		Use:   "interview FILE",
		Short: "Ask the questions in a file and save the answers",
		Long: `interview asks the questions in FILE one after the other: in the dashboard, or
as lines with --plain or without a terminal. They can also be answered on the
page, with choicetui answer, or in another dashboard. w asks the team
(docs/team.md).

FILE is YAML or JSON: a mission, and questions with id, text and, if you like,
default and options. The answers go to answers.yaml; decisions.json beside it
says where each answer comes from. An interview that was stopped with !cancel,
or killed, resumes from answers.yaml.partial.

Exit codes: 0 finished, 3 stopped before the end, 1 any other error.`,
		Example: `  choicetui interview charter.yaml
  choicetui interview charter.yaml --plain --answers charter-answers.yaml`,
		Args: oneWord("which file has the questions?", "for example: ", "charter.yaml", "one file"),
		RunE: func(cmd *cobra.Command, args []string) error { return r.interview(cmd.Context(), args[0]) },
	}
	f := cmd.Flags()
	f.StringVar(&r.answers, "answers", usualAnswers, "save the answers to `FILE`")
	f.BoolVar(&r.force, "force", false, "overwrite existing answers")
	f.BoolVar(&r.asLines, "plain", false, "lines instead of a full screen, in colour on a terminal")
	f.BoolVar(&r.asJSON, "json", false, "print the result as one JSON object")
	return cmd
}

// interview asks the questions of a file, and prints where the answers are.
func (r *interviewRun) interview(ctx context.Context, path string) error {
	file, err := interview.Load(path)
	if err != nil {
		return noInterview(err)
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	q, err := r.sh.openQueue()
	if err != nil {
		return err
	}
	origin := processOrigin()
	origin.Instance, origin.Pane = queue.NewToken(), "" // this process reads no lines for an agent
	present := queue.Presence{Instance: origin.Instance, Role: queue.RoleBridge}
	release, err := q.Store.Announce(ctx, present)
	if err != nil {
		return err
	}
	defer release()
	r.settings = r.sh.settings()
	team := teamOf(r.sh, q, r.settings, nil)
	inLines := r.asLines || term.Available() != nil
	done := func() int { return finishTelling(ctx, team) } // on the full screen the desk has told the team so far
	if inLines {
		done = tellingTeam(ctx, team, func(err error) { r.sh.note("%s", say.Text(err.Error())) })
	}
	res, err := r.run(ctx, interview.Options{Queue: q, File: file, Answers: r.answers, Force: r.force, Origin: origin},
		team, inLines)
	if untold := done(); untold > 0 && err == nil {
		r.sh.note("the team could not be told about %s yet; the next choicetui that runs tries again",
			say.Count(untold, "decision"))
	}
	return r.printResult(res, err, path)
}

// noInterview adds a hint to an error about an interview's file.
func noInterview(err error) error {
	var faulty *interview.Faulty
	if errors.As(err, &faulty) {
		return &failure{say: err.Error(), hint: fileShown, cause: err}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return &failure{say: "the file cannot be read: " + err.Error(), hint: fileShown, cause: err}
	}
	return err
}

// run asks the questions, in lines or behind the dashboard.
func (r *interviewRun) run(ctx context.Context, o interview.Options, team *widen.Service, inLines bool) (
	interview.Result, error) {
	finishing := make(chan int, 1)
	if inLines {
		frontend, stop := r.talkInLines(o.Queue, team)
		defer stop()
		o.Frontend = frontend
	} else {
		ends := func() { finishing <- len(o.File.Questions) }
		o.Frontend = interview.Background{Queue: o.Queue, Ends: ends}
	}
	in, err := interview.Open(o)
	if err != nil {
		return interview.Result{}, err
	}
	defer in.Close()
	if inLines {
		defer startTellingTmux(ctx, o.Queue)()
		return in.Run(ctx)
	}
	return r.onScreen(ctx, o, in, team, finishing)
}

// talkInLines returns a conversation on standard input and output, in which Ctrl-C interrupts. The caller calls stop at
// the end.
func (r *interviewRun) talkInLines(q *queue.Queue, team *widen.Service) (frontend *talk.Talk, stop func()) {
	out := r.sh.out
	if r.asJSON {
		out = r.sh.err
	}
	pressed := make(chan os.Signal, 1)
	signal.Notify(pressed, os.Interrupt)
	ctrlC := make(chan struct{}, 1)
	go func() {
		for range pressed {
			select {
			case ctrlC <- struct{}{}:
			default: // the Ctrl-C before it was not read yet
			}
		}
	}()
	lines, want := talk.Read(r.sh.in)
	o := talk.Options{Queue: q, Team: team, Surface: queue.SurfaceCLI, Edit: editText,
		In: lines, Want: want, Interrupt: ctrlC, Guard: guardOf(r.sh.in), Drop: func() { dropTyped(r.sh.in) },
		Out: out, Echo: isTerminal(r.sh.in) && isTerminal(out), Colour: wantsColour(out)}
	if isTerminal(out) && !utf8Locale() {
		o.Out, o.Colour = plain.InASCII(out), false
	}
	frontend = talk.New(o)
	return frontend, func() {
		signal.Stop(pressed)
		close(pressed)
	}
}

// guardOf returns for how long after a question has come up a typed line does not answer it, because the person may
// have typed the line for something else. Lines of a script are not delayed.
func guardOf(in io.Reader) time.Duration {
	if isTerminal(in) {
		return desk.Settle
	}
	return 0
}

// dropTyped discards a line that the person has begun to type at a terminal.
func dropTyped(in io.Reader) {
	if f, ok := in.(*os.File); ok && isTerminal(f) {
		term.DropTyped(f)
	}
}

// wantsColour reports whether a stream is a terminal that shows colours and the person wants them.
func wantsColour(out io.Writer) bool {
	kind := os.Getenv("TERM")
	return isTerminal(out) && os.Getenv("NO_COLOR") == "" && kind != "" && kind != "dumb"
}

// onScreen runs the interview behind the dashboard. The end of either ends the other.
func (r *interviewRun) onScreen(
	ctx context.Context, o interview.Options, in *interview.Interview, team *widen.Service, finishing <-chan int,
) (interview.Result, error) {
	type end struct {
		result interview.Result
		err    error
	}
	ctx, leave := context.WithCancel(ctx)
	defer leave()
	ended := make(chan end, 1)
	go func() {
		res, err := in.Run(ctx)
		ended <- end{res, err}
		leave()
	}()
	so := dashboardOptions(r.sh, r.sh.services(o.Queue, r.settings))
	so.Team = team
	so.Finishing = finishing
	hint := fmt.Sprintf("interview: %s · q leaves it; you can resume it",
		say.Count(len(o.File.Questions), "question"))
	so.Hint = func() string { return hint }
	_, err := screen.Run(ctx, so)
	leave()
	e := <-ended
	if err = screenEnd(err); err != nil {
		return e.result, errors.Join(err, e.err)
	}
	return e.result, e.err
}

// printResult says how the interview ended.
func (r *interviewRun) printResult(res interview.Result, err error, path string) error {
	left := errors.Is(err, interview.ErrStopped) || errors.Is(err, context.Canceled)
	if err != nil && !left {
		return err
	}
	if r.asJSON {
		if err := printJSON(r.sh.out, res, "  "); err != nil {
			return err
		}
	}
	if left {
		return &failure{say: interviewLeft(res.Answered+res.Deferred, res.Questions, res.Partial),
			hint: "choicetui interview " + say.OneLine(path) + " resumes it", code: exitCancelled, cause: err}
	}
	if r.asJSON {
		return nil
	}
	_, err = io.WriteString(r.sh.out, interviewDone(res.Answered, res.Deferred, res.Answers, res.Decisions)+"\n")
	return err
}

// interviewDone says where the answers of a finished interview are.
func interviewDone(answered, deferred int, answers, decisions string) string {
	words := fmt.Sprintf("The interview is finished: %d answered", answered)
	if deferred > 0 {
		words += fmt.Sprintf(", %d deferred", deferred)
	}
	return words + ". The answers are in " + say.OneLine(answers) + ", the decisions in " + say.OneLine(decisions) + "."
}

// interviewLeft says where the answers of an unfinished interview are.
func interviewLeft(answered, of int, partial string) string {
	return fmt.Sprintf("the interview was stopped: %d of %d questions are decided and kept in %s", answered, of,
		say.OneLine(partial))
}
