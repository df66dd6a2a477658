package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/app/term"
	"github.com/choicetui/choicetui/app/tmux"
	"github.com/choicetui/choicetui/config/whole"
	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/mcpbridge/dialect"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// maxInput limits how many bytes ask and extract read.
const maxInput = 64 << 20

// askRun is one run of `choicetui ask` with its flags.
type askRun struct {
	sh                     *shell
	approval, text, asJSON bool
	answer                 string
	audience               []string
	here                   bool // whether the form was opened in this terminal
}

func askCommand(sh *shell) *cobra.Command {
	r := askRun{sh: sh}
	cmd := &cobra.Command{
		Use:   "ask [FILE]",
		Short: "Ask a question from a shell or script",
		Long: `ask reads a question from FILE or standard input, waits, and prints the answer:
the option's id or your words; for a form, one line per question. The input is a
request to any tool (choicetui for-agents schema) as JSON, or a model's text
with a question in it (choicetui for-agents prompt).

If no dashboard is open, the question opens in this terminal. Without a
terminal it opens in a tmux split, or standard error says how to answer.

Exit codes: 0 answered or denied, 3 cancelled or deferred, 4 timed out,
1 any other error.`,
		Example: `  echo '{"question":"Ship it?","options":["yes","later"]}' | choicetui ask
  cat reply.md | choicetui ask --text
  choicetui ask --approval permission.json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return misused(cmd, "one FILE with the question")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("answer") && queue.Blank(r.answer) {
				return &failure{say: "--answer is empty", hint: "give a number, an option's id or your own words"}
			}
			return r.askFrom(cmd.Context(), args)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&r.approval, "approval", false, "ask for approval: {title, prompt, details?}; prints approve or deny")
	f.BoolVar(&r.text, "text", false, "first print the model's text without the question")
	f.StringVar(&r.answer, "answer", "", "answer it at once with `VALUE` (number, id or text)")
	f.StringSliceVar(&r.audience, "audience", nil, "ask only `NAMES`, if several people share the queue")
	f.BoolVar(&r.asJSON, "json", false, "print the question and its answer as one JSON object")
	cmd.MarkFlagsMutuallyExclusive("text", "approval")
	return cmd
}

// askFrom reads the input, asks the question in it, and prints the outcome.
func (r *askRun) askFrom(ctx context.Context, args []string) error {
	raw, err := r.readInput(args)
	if err != nil {
		return err
	}
	req, name, text, err := parseRequest(raw, r.approval)
	if r.text && text != "" {
		fmt.Fprintln(r.sh.out, text)
	}
	if errors.Is(err, errNoQuestion) && r.text {
		r.sh.note("there is no question in this text")
		return nil
	}
	if err != nil {
		return explainNoQuestion(err)
	}
	for _, field := range req.Deprecated {
		r.sh.note("%s", field)
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	s, err := r.askAndWait(ctx, req, name)
	if err != nil {
		return err
	}
	return r.printOutcome(s)
}

// readInput reads all of FILE or standard input.
func (r *askRun) readInput(args []string) ([]byte, error) {
	input, done, err := openInput(r.sh.in, args)
	if err != nil {
		return nil, err
	}
	defer done()
	return readAll(input)
}

// openInput opens FILE, or standard input if there is no FILE or it is "-". The caller calls the returned function
// after it has read the input.
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

// readAll reads an input of at most maxInput bytes.
func readAll(r io.Reader) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(r, maxInput+1))
	if err != nil {
		return nil, fmt.Errorf("failed to read the input: %w", err)
	}
	if len(raw) > maxInput {
		return nil, &failure{say: fmt.Sprintf("the input is larger than %d MiB", maxInput>>20),
			hint: "give only the part with the question"}
	}
	return whole.WithoutMark(raw), nil
}

// hintQuestion says where the forms of a question are described.
const hintQuestion = "choicetui for-agents prompt shows what a model should write, for-agents schema what a tool takes"

// errNoQuestion means that the input contains no question.
var errNoQuestion = errors.New("no question")

// parseRequest finds the request in the input: JSON of a known format, an approval, or a question in a model's text.
// name is the format, text the model's text without the question. It fails with errNoQuestion.
func parseRequest(raw []byte, approval bool) (req dialect.Request, name, text string, err error) {
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
		if flaw := jsonFlaw(raw); flaw != "" {
			err = &failure{say: "the input is not valid JSON: " + flaw, cause: errNoQuestion}
			return req, "", e.Text, err
		}
		if lacks := dialect.Lacks(raw); lacks != "" {
			err = &failure{say: "there is no question in this input: " + lacks, hint: hintQuestion,
				cause: errNoQuestion}
			return req, "", e.Text, err
		}
		return req, "", e.Text, fmt.Errorf("%w: there is no question in this input", errNoQuestion)
	}
	req, err = e.Request()
	return req, dialect.ModelText, e.Text, err
}

// jsonFlaw returns the place of the first mistake in an input that begins like a JSON object, and what is wrong there.
// It is empty for valid JSON and for text.
func jsonFlaw(raw []byte) string {
	var bad *json.SyntaxError
	if !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) ||
		!errors.As(json.Unmarshal(raw, new(json.RawMessage)), &bad) {
		return ""
	}
	before := raw[:max(bad.Offset-1, 0)]
	return fmt.Sprintf("line %d, column %d: %s", 1+bytes.Count(before, []byte("\n")),
		len(before)-bytes.LastIndexByte(before, '\n'), bad)
}

// explainNoQuestion turns errNoQuestion into a failure with a hint, and returns other errors unchanged.
func explainNoQuestion(err error) error {
	var told *failure
	if errors.Is(err, errNoQuestion) && !errors.As(err, &told) {
		return &failure{say: "there is no question in this input", hint: hintQuestion, cause: err}
	}
	return err
}

// askAndWait puts the question into the queue, shows it where it can be answered, and waits for the outcome.
func (r *askRun) askAndWait(ctx context.Context, req dialect.Request, name string) (queue.Session, error) {
	q, err := r.sh.openQueue()
	if err != nil {
		return queue.Session{}, err
	}
	ask := call.Fill(req, r.sh.currentSettings())
	ask.Audience = append(ask.Audience, r.audience...)
	ask.Kind = req.Ask.Kind // Fill is for tools, which never ask for approvals
	instance := queue.NewToken()
	release, err := q.Store.Announce(ctx, queue.Presence{Instance: instance, Role: queue.RoleBridge})
	if err != nil {
		return queue.Session{}, err
	}
	defer release()
	origin := processOrigin()
	origin.Dialect, origin.Client, origin.Instance = name, queue.ClientAsk, instance
	claim := queue.Claim{Instance: instance, Conn: "pipe"}
	draft := queue.Session{Ask: ask, Origin: origin, Claim: &claim}
	if err := checkTyped(q, draft, r.answer); err != nil {
		return draft, err
	}
	s, err := q.Create(ctx, draft)
	if err != nil {
		return s, err
	}
	defer startTellingTmux(ctx, q)()
	o := shellOffer{sh: r.sh, q: q, s: s}
	done, err := o.showForm(ctx, r.answer)
	r.here = o.here
	if err != nil {
		return s, withdrawQuestion(ctx, q, s.ID, err)
	}
	defer done()
	return collectOutcome(ctx, q, s, claim)
}

// The number of tries of withdrawQuestion, and the pause between two of them.
const (
	withdrawTries = 10
	withdrawAgain = 50 * time.Millisecond
)

// withdrawQuestion cancels the question of a command that cannot wait for its answer any more. It returns the error
// with which the command ends: cause, or that it was ended.
func withdrawQuestion(ctx context.Context, q *queue.Queue, id string, cause error) error {
	reason := "the command that asked failed"
	if ctx.Err() != nil {
		reason = "the command that asked was stopped"
		cause = &failure{say: "stopped before an answer came; the question is withdrawn", cause: ctx.Err()}
	}
	for range withdrawTries {
		_, err := q.Do(context.WithoutCancel(ctx), id, byCaller(queue.Cancel{Reason: reason}))
		if err == nil || cameTooLate(err) {
			break
		}
		time.Sleep(withdrawAgain) // the watch that was just given up will soon close its file descriptors
	}
	return cause
}

// collectOutcome waits for the outcome, and closes the session once the outcome is known.
func collectOutcome(ctx context.Context, q *queue.Queue, s queue.Session, claim queue.Claim) (queue.Session, error) {
	id := s.ID
	s, err := waitFor(ctx, q, s, nil)
	if err != nil || ctx.Err() != nil {
		return s, withdrawQuestion(ctx, q, id, err)
	}
	after := context.WithoutCancel(ctx)
	closed, err := q.Do(after, s.ID, byCaller(queue.Collect{Claim: claim}))
	if err != nil {
		return s, nil // the answer counts all the same; the sweep closes the session later
	}
	if closed.Closed() { // a session whose team must be told first stays open
		_ = q.Store.Archive(after, closed)
	}
	return closed, nil
}

// byCaller returns a command of the program that asked.
func byCaller(do queue.Action) queue.Command {
	return queue.Command{By: queue.ByCaller, Surface: queue.SurfaceCLI, Do: do}
}

// printOutcome prints the reply for the model, or the line that attach prints if the person answered in the form at
// this terminal. The exit code says how the question ended. s is over.
func (r *askRun) printOutcome(s queue.Session) error {
	if r.here && isTerminal(r.sh.out) {
		form := attachRun{sh: r.sh, asJSON: r.asJSON}
		return form.printOutcome(s)
	}
	if r.asJSON {
		if err := printSession(r.sh.out, s); err != nil {
			return err
		}
	} else if reply := dialect.Reply(s); reply != "" {
		if _, err := fmt.Fprintln(r.sh.out, reply); err != nil {
			return err
		}
		r.printNotes(s)
	}
	if exitOf(s) == 0 {
		return nil
	}
	words := s.Summary()
	switch o := s.Outcome; {
	case o.WantsDetail():
		words = say.AskedDetail(*o)
	case o.Status == queue.StatusTimeout:
		words = "nobody answered in time"
	}
	return &failure{say: words, code: exitOf(s)}
}

// printNotes prints the person's notes and comment to standard error, because the reply on standard output has only the
// answer.
func (r *askRun) printNotes(s queue.Session) {
	if s.Outcome == nil {
		return
	}
	for _, reply := range s.Outcome.Answer.Replies {
		for _, id := range slices.Sorted(maps.Keys(reply.Notes)) {
			if note := reply.Notes[id]; !queue.Blank(note) && slices.Contains(reply.Selected, id) {
				r.sh.note("note on %s: %s", say.OneLine(id), say.OneLine(note))
			}
		}
	}
	if comment := s.Outcome.Answer.Comment; !queue.Blank(comment) {
		r.sh.note("comment: %s", say.OneLine(comment))
	}
}

// shellOffer shows the person a question that a shell command asked.
type shellOffer struct {
	sh   *shell
	q    *queue.Queue
	s    queue.Session
	here bool // whether the form was opened in this terminal
}

// showForm shows the question where it can be answered. An open dashboard shows it already. A terminal gets the form of
// attach, and showForm returns when the person leaves it. Inside tmux the form opens in a split. Elsewhere standard
// error lists the options. An answer given on the command line settles the question at once. done ends whatever was
// started.
func (o *shellOffer) showForm(ctx context.Context, answer string) (done func(), err error) {
	done = func() {}
	if answer != "" {
		return done, o.answerTyped(ctx, answer)
	}
	open, err := o.q.Store.Present(ctx, queue.RoleDashboard)
	switch {
	case err != nil:
		return done, err
	case queue.DashboardAmong(open):
		o.sh.note("the question is in the open %s; choicetui attach %s opens it in another terminal", frontendOf(open),
			o.s.ID)
		return done, nil
	case term.Available() == nil:
		return done, o.onScreen(ctx)
	}
	if tmux.Inside() {
		if pane, err := splitForm(ctx, o.sh, o.s); err == nil {
			o.sh.note(openBeside, pane)
			return done, nil
		}
	}
	return o.onTerminal(ctx), nil
}

// frontendOf says where the person sees the question now: in a dashboard, or only on a page in the browser.
func frontendOf(open []queue.Presence) string {
	if slices.ContainsFunc(open, func(p queue.Presence) bool { return !desk.IsPages(p.Instance) }) {
		return "dashboard"
	}
	return "page in the browser"
}

// onScreen opens the form of attach in this terminal, until the question has ended or the person leaves the form.
func (o *shellOffer) onScreen(ctx context.Context) error {
	o.here = true
	form := attachRun{sh: o.sh, stay: new(bool)}
	s, err := form.onScreen(ctx, o.q, o.s)
	var sig term.Signal
	switch {
	case ctx.Err() != nil || errors.As(err, &sig):
		return nil // the same signal ends the wait, which withdraws the question
	case err == nil && s.Pending() || errors.Is(err, queue.ErrUsed):
		o.sh.note("%s; Ctrl-C withdraws it", stillWaits(o.s))
	case err != nil && !cameTooLate(err):
		return err
	}
	return nil
}

// onTerminal prints the numbered options on standard error. If that is a terminal, it also reads one line from it as
// the answer. It does not read standard input, because a child of an agent often shares the agent's terminal, whose
// keys are meant for the agent. The first outcome counts, here or elsewhere.
func (o shellOffer) onTerminal(ctx context.Context) (done func()) {
	var p page
	o.printOptions(&p)
	var tty *os.File
	if isTerminal(o.sh.err) && len(o.s.Ask.Questions) == 1 {
		tty, _ = os.Open("/dev/tty") // without a terminal no line is read
	}
	if tty == nil {
		_ = p.send(o.sh.err)
		return func() {}
	}
	p.line("choicetui: or type a number or your own words here, then press Enter:")
	_ = p.send(o.sh.err)
	go func() {
		for lines := bufio.NewScanner(tty); lines.Scan(); {
			err := o.answerTyped(ctx, lines.Text())
			if err == nil || cameTooLate(err) {
				return
			}
			o.sh.note("%s", explain(err).say)
		}
	}()
	return func() { _ = tty.Close() }
}

// printOptions prints the question with its options, and the other ways to answer it.
func (o shellOffer) printOptions(p *page) {
	ask := o.s.Ask.Shown()
	said := ask.Title
	prompt, hints := form.CutHints(ask.Prompt)
	if len(hints) > 0 {
		said += "\n\n" + strings.Join(hints, "\n")
	}
	if rest := strings.TrimSpace(prompt); rest != "" && rest != strings.TrimSpace(said) {
		said += "\n\n" + rest
	}
	p.block("  ", said)
	describeApproval(p, ask.Approval)
	for _, question := range ask.Questions {
		if question.Text != "" && question.Text != ask.Title {
			p.line("\n  %s", say.OneLine(question.Text))
		}
		for i, option := range question.Options {
			p.line("  %2d  %s", i+1, say.OneLine(option.Label))
		}
	}
	p.line("\nchoicetui: %s", strings.Join(answeredElsewhere(o.s), "\n"))
}

// answerTyped answers the one question with the typed number, id or own words.
func (o shellOffer) answerTyped(ctx context.Context, value string) error {
	answer, err := typedAnswer(o.s.Ask, value)
	if err != nil {
		return err
	}
	_, err = o.q.Do(ctx, o.s.ID, byPerson(queue.Settle{Answer: answer}))
	return explainTyped(err)
}

// checkTyped tries the answer that was given with --answer, if any, on the question before it is asked, so that a wrong
// answer leaves no question behind.
func checkTyped(q *queue.Queue, draft queue.Session, value string) error {
	if value == "" {
		return nil
	}
	s, err := q.Prepare(draft)
	if err != nil {
		return err
	}
	answer, err := typedAnswer(s.Ask, value)
	if err != nil {
		return err
	}
	_, _, err = queue.Transition(s, byPerson(queue.Settle{Answer: answer}), s.AskedAt)
	return explainTyped(err)
}

// explainTyped words for a person why an answer that they typed is not possible.
func explainTyped(err error) error {
	var bad *queue.Invalid
	if errors.As(err, &bad) {
		p := bad.Problems[0]
		const refused = "this answer is not possible: "
		p.Path = map[string]string{"selected": "it", "text": "the text"}[p.Path[strings.LastIndex(p.Path, ".")+1:]]
		return &failure{say: refused + strings.TrimPrefix(p.String(), "the text is not possible: "), cause: err}
	}
	return err
}

// typedAnswer returns the answer that a typed line gives to the ask's one question.
func typedAnswer(ask queue.Ask, value string) (queue.Answer, error) {
	value = strings.TrimSpace(value)
	if value == "" {
		return queue.Answer{}, &failure{say: "give a number, an option's id or your own words"}
	}
	if n := len(ask.Questions); n != 1 {
		return queue.Answer{}, &failure{say: fmt.Sprintf("--answer answers one question, and this form has %d", n),
			hint: "ask without --answer"}
	}
	answer := queue.StartAnswer(ask)
	r, question := &answer.Replies[0], ask.Questions[0]
	r.Selected, r.Text = nil, ""
	n, err := strconv.Atoi(value)
	if _, known := question.Option(value); known {
		r.Selected = []string{value}
	} else if err == nil && n >= 1 && n <= len(question.Options) {
		r.Selected = []string{question.Options[n-1].ID}
	} else if err == nil && len(question.Options) > 0 { // a wrong number is a slip, not an answer in own words
		return answer, &failure{say: fmt.Sprintf("there is no option %d; ", n) + choices(question)}
	} else {
		r.Text = value
	}
	return answer, nil
}

// choices says which answers a question takes: the numbers of its options, and perhaps the person's own words.
func choices(q queue.Question) string {
	words := say.ChooseOne(len(q.Options))
	if q.TakesText() {
		words += ", or use your own words"
	}
	return words
}

// answeredElsewhere returns the lines that say how a question is answered in another terminal: in its form, or by a
// command with the flags that this question takes.
func answeredElsewhere(s queue.Session) []string {
	lines := []string{"answer it in another terminal with one of these:", "  choicetui    opens the dashboard",
		"  choicetui attach " + s.ID}
	if action.NeedsPerson(s) {
		lines[0] = "only a person at a terminal can decide it, with one of these:"
	}
	command, confirm := "  choicetui answer "+s.ID, ""
	if s.Ask.Confirm {
		confirm = " --confirm"
	}
	if len(s.Ask.Questions) != 1 {
		return append(lines, command+flagsOfAForm(s.Ask)+confirm+"    one for each question: choicetui show "+s.ID)
	}
	question := s.Ask.Questions[0]
	if len(question.Options) > 0 {
		lines = append(lines, command+" --select ID"+confirm+"    ID is "+oneOfTheIDs(s.ID, question))
	}
	if question.TakesText() {
		lines = append(lines, command+` --text "your own words"`+confirm)
	}
	return lines
}

// flagsOfAForm returns the flags that answer an ask of several questions, each with the name of its question.
func flagsOfAForm(ask queue.Ask) (flags string) {
	if slices.ContainsFunc(ask.Questions, func(q queue.Question) bool { return len(q.Options) > 0 }) {
		flags += " --select QUESTION=ID"
	}
	if slices.ContainsFunc(ask.Questions, queue.Question.TakesText) {
		flags += ` --text QUESTION="your own words"`
	}
	return flags
}

// oneOfTheIDs names the ids of a question's options, or says where to find them if they are many.
func oneOfTheIDs(session string, question queue.Question) string {
	const most = 6
	var ids []string
	for _, option := range question.Options {
		ids = append(ids, `"`+say.OneLine(option.ID)+`"`)
	}
	if len(ids) > most {
		return "one that choicetui show " + session + " names"
	}
	if question.Max > 1 {
		return strings.Join(ids, ", ") + ", or several with commas"
	}
	return orJoined(ids)
}

// orJoined lists names of which one is to be chosen: `"pg", "lite" or "my"`.
func orJoined(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
