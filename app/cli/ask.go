package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/mcpbridge/dialect"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// mostInput bounds what ask and extract read.
const mostInput = 64 << 20

// askRun is one run of `choicetui ask`, with its flags.
type askRun struct {
	sh                           *shell
	approval, text, pass, asJSON bool
	answer                       string
	audience                     []string
	here                         bool // the form was opened in this terminal
}

func askCommand(sh *shell) *cobra.Command {
	r := askRun{sh: sh}
	cmd := &cobra.Command{
		Use:   "ask [FILE]",
		Short: "Ask from a shell: a request as JSON, or model text that holds one",
		Long: `ask reads FILE or standard input, puts the question in it into the queue, waits
and prints the answer: the option's id or the typed words; for a form a line
“Question: id. Label” each. Nothing is printed when it was cancelled or timed out.

The input is a request of any of the tools (choicetui schema), or a model's text
with a user_choice, user_choices or user_choice_group in it, in a json fence or
raw; the first one counts.

Where no dashboard is open, the form of choicetui attach opens in this terminal.
It ends with the question, wherever that is answered, and the line that attach
prints follows, or the answer if standard output is no terminal. Left without an
answer, the command waits on for it from elsewhere; Ctrl-C then withdraws it.

Run by an agent or in a pipe, without a terminal on standard input: inside tmux
the form opens in a split; elsewhere standard error lists the options and says
how to answer.

Exit codes: 0 answered, 3 cancelled or deferred, 4 timed out, 1 anything else.`,
		Example: `  cat reply.md | choicetui ask --text
  echo '{"type":"user_choice","question":"Ship it?","options":["now","later"]}' | choicetui ask
  choicetui ask --approval permission.json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return r.ask(cmd.Context(), args) },
	}
	f := cmd.Flags()
	f.BoolVar(&r.approval, "approval", false, "ask for an approval: {title, prompt, details?}; prints approve or deny")
	f.BoolVar(&r.text, "text", false, "print the model's text without the JSON first")
	f.BoolVar(&r.pass, "pass", false, "copy the input to standard output as it arrives, without the JSON")
	f.StringVar(&r.answer, "answer", "", "answer it at once: `VALUE` is an option's number or id, or own words")
	f.StringSliceVar(&r.audience, "audience", nil, "who it is for, where several share the queue: `NAMES` with commas")
	f.BoolVar(&r.asJSON, "json", false, "print the question as one JSON object instead of the answer")
	cmd.MarkFlagsMutuallyExclusive("text", "pass", "approval")
	return cmd
}

func (r *askRun) ask(ctx context.Context, args []string) error {
	raw, err := r.read(args)
	if err != nil {
		return err
	}
	req, name, text, err := understand(raw, r.approval)
	if r.text && text != "" {
		fmt.Fprintln(r.sh.out, text)
	}
	if errors.Is(err, errNoQuestion) && (r.text || r.pass) {
		r.sh.note("there is no question in this text")
		return nil
	}
	if err != nil {
		return explained(err)
	}
	for _, field := range req.Deprecated {
		r.sh.note("%s", field)
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	s, err := r.settle(ctx, req, name)
	if err != nil {
		return err
	}
	return r.print(s)
}

// read takes in all of the input; with --pass it is copied to standard output meanwhile.
func (r *askRun) read(args []string) ([]byte, error) {
	input, done, err := openInput(r.sh.in, args)
	if err != nil {
		return nil, err
	}
	defer done()
	if r.pass {
		input = newPasser(input, r.sh.out)
	}
	return readAll(input)
}

// openInput opens FILE, or standard input for none and for "-".
func openInput(standard io.Reader, args []string) (io.Reader, func(), error) {
	if len(args) == 0 || args[0] == "-" {
		return standard, func() {}, nil
	}
	f, err := os.Open(args[0])
	if err != nil {
		return nil, nil, &failure{say: "the file cannot be read: " + err.Error(), cause: err}
	}
	return f, func() { _ = f.Close() }, nil
}

func readAll(r io.Reader) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(r, mostInput+1))
	if err != nil {
		return nil, fmt.Errorf("failed to read the input: %w", err)
	}
	if len(raw) > mostInput {
		return nil, &failure{say: fmt.Sprintf("the input is larger than %d MiB", mostInput>>20),
			hint: "give the part that holds the question"}
	}
	return raw, nil
}

var errNoQuestion = errors.New("no question")

// understand finds the request in the input: JSON of a known format, an approval, or a question in model text.
func understand(raw []byte, approval bool) (req dialect.Request, name, text string, err error) {
	if approval {
		req, err = dialect.ParseApproval(raw)
		return req, dialect.Approval, "", err
	}
	name = dialect.Detect(raw)
	if name != "" && name != dialect.ModelText {
		req, err = dialect.For(name).Parse(raw)
		if err == nil && req.Poll != nil {
			err = &failure{say: "this fetches the answer to an earlier question instead of asking one",
				hint: "choicetui show " + req.Poll.Session}
		}
		return req, name, "", err
	}
	e := dialect.Extract(string(raw))
	if !e.Found() {
		return req, "", e.Text, fmt.Errorf("%w: there is no question in this input", errNoQuestion)
	}
	req, err = e.Request()
	return req, dialect.ModelText, e.Text, err
}

func explained(err error) error {
	if errors.Is(err, errNoQuestion) {
		return &failure{say: "there is no question in this input",
			hint: "choicetui prompt prints what a model is to write, choicetui schema what a tool takes", cause: err}
	}
	return err
}

// settle puts the question into the queue, shows it where it can be answered, and waits for the outcome.
func (r *askRun) settle(ctx context.Context, req dialect.Request, name string) (queue.Session, error) {
	q, err := r.sh.open()
	if err != nil {
		return queue.Session{}, err
	}
	ask := call.Fill(req, r.sh.settings().Settings())
	ask.Audience = append(ask.Audience, r.audience...)
	ask.Kind = req.Ask.Kind // Fill is for tools, which never ask for approvals
	instance := queue.NewToken()
	release, err := q.Store.Announce(ctx, queue.Presence{Instance: instance, Role: queue.RoleBridge})
	if err != nil {
		return queue.Session{}, err
	}
	defer release()
	origin := call.ProcessOrigin()
	origin.Dialect, origin.Client, origin.Instance = name, queue.ClientAsk, instance
	claim := queue.Claim{Instance: instance, Conn: "pipe"}
	s, err := q.Create(ctx, queue.Session{Ask: ask, Origin: origin, Claim: &claim})
	if err != nil {
		return s, err
	}
	defer tallying(ctx, q)()
	o := offer{sh: r.sh, q: q, s: s}
	done, err := o.open(ctx, r.answer)
	r.here = o.here
	if err != nil {
		return s, withdraw(ctx, q, s.ID, err)
	}
	defer done()
	return collect(ctx, q, s, claim)
}

// How often a question is tried to be withdrawn, and how soon again.
const (
	withdrawTries = 10
	withdrawAgain = 50 * time.Millisecond
)

// withdraw takes a question back whose command cannot wait for it: nobody would read its answer. It returns why, which
// is the cause.
func withdraw(ctx context.Context, q *queue.Queue, id string, cause error) error {
	reason := "the asking command failed"
	if ctx.Err() != nil {
		reason = "the asking command was ended"
		cause = &failure{say: "ended before it was answered; the question is withdrawn", cause: ctx.Err()}
	}
	for range withdrawTries {
		_, err := q.Do(context.WithoutCancel(ctx), id, byCaller(queue.Cancel{Reason: reason}))
		if err == nil || refused(err) {
			break
		}
		time.Sleep(withdrawAgain) // a watch that was given up lets go of its descriptors soon
	}
	return cause
}

// collect waits for the outcome and closes the session once it is known.
func collect(ctx context.Context, q *queue.Queue, s queue.Session, claim queue.Claim) (queue.Session, error) {
	id := s.ID
	s, err := waitFor(ctx, q, s, nil)
	if err != nil || ctx.Err() != nil {
		return s, withdraw(ctx, q, id, err)
	}
	after := context.WithoutCancel(ctx)
	closed, err := q.Do(after, s.ID, byCaller(queue.Collect{Claim: claim}))
	if err != nil {
		return s, nil // answered all the same; the sweep closes it
	}
	_ = q.Store.Archive(after, closed) // and archives it
	return closed, nil
}

// byCaller wraps an action in a command of the caller's.
func byCaller(do queue.Action) queue.Command {
	return queue.Command{By: queue.ByCaller, Surface: queue.SurfaceCLI, Do: do}
}

// print gives out what the model gets, or what attach prints to the person who answered in its form at this terminal;
// the exit code says how it ended.
func (r *askRun) print(s queue.Session) error {
	if r.here && isTerminal(r.sh.out) {
		form := attachRun{sh: r.sh, asJSON: r.asJSON}
		return form.print(s)
	}
	if r.asJSON {
		if err := printSession(r.sh.out, s); err != nil {
			return err
		}
	} else if reply := dialect.Reply(s); reply != "" {
		if _, err := fmt.Fprintln(r.sh.out, reply); err != nil {
			return err
		}
	}
	if s.Pending() || exitOf(s) == 0 {
		return nil
	}
	words := s.Summary()
	switch o := s.Outcome; {
	case o.WantsDetail():
		words = say.AskedDetail(*o)
	case o.Status == queue.StatusCancelled:
		words = strings.TrimSpace("cancelled. " + o.Reason)
	case o.Status == queue.StatusTimeout:
		words = "nobody answered in time"
	}
	return &failure{say: words, code: exitOf(s)}
}
