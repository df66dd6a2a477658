package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// answerFlags holds the flags of `choicetui answer`.
type answerFlags struct {
	selects, texts, notes []string
	comment               string
	commented             bool // whether --comment was given, if only to empty the comment
	confirm               bool
	own                   ownWords
}

func answerCommand(sh *shell) *cobra.Command {
	var g answerFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "answer ID",
		Short: "Answer a question from a script",
		Long: `answer answers a pending question by the same rules as the dashboard. What you
leave out keeps the agent's defaults. Approvals and plans need a terminal and
the word yes.

` + wordsHelp + `

Exit codes: 0 answered, 5 not found, answered or ended, 1 any other error.`,
		Example: `  choicetui answer k7f3m2qx --select pg
  choicetui answer k7f3m2qx --select lint,test --note lint="new files only"
  choicetui answer k7f3m2qx --select ""     select nothing
  git diff | choicetui answer k7f3m2qx --text -
  choicetui answer k7f3m2qx --select db=pg --text name=orders    a form`,
		Args:              oneSession,
		ValidArgsFunction: completeSessions(sh),
		RunE: func(cmd *cobra.Command, args []string) error {
			g.commented = cmd.Flags().Changed("comment")
			s, err := g.settle(cmd.Context(), sh, args[0])
			if err != nil {
				return err
			}
			return printSettled(sh.out, s, asJSON)
		},
	}
	g.addFlags(sh, cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the question as show --json does")
	return cmd
}

func (g *answerFlags) addFlags(sh *shell, cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&g.selects, "select", nil, "choose `ID[,ID]`; in forms, QUESTION=ID[,ID]")
	f.StringArrayVar(&g.texts, "text", nil, "answer with `TEXT`; in forms QUESTION=TEXT")
	f.StringArrayVar(&g.notes, "note", nil, "add a note to an option, written as `ID=TEXT`")
	f.StringVar(&g.comment, "comment", "", "add `TEXT` as a comment on the whole answer")
	f.BoolVar(&g.confirm, "confirm", false, "confirm, if the agent asks for a confirmation")
	completeFlag(cmd, "select", completeOptions(sh, ""))
	completeFlag(cmd, "note", completeOptions(sh, "="))
}

// settle answers the session with the flags, or returns everything that is wrong with them.
func (g answerFlags) settle(ctx context.Context, sh *shell, typed string) (queue.Session, error) {
	q, s, err := findPending(ctx, sh, typed)
	if err != nil {
		return s, err
	}
	if s.IsMessage() {
		return s, noQuestion(s)
	}
	g.own.in = sh.in
	ans, problems := g.applyFlags(s, desk.Rules(sh.currentSettings(), s))
	if len(problems) > 0 {
		return s, &failure{say: "nothing was sent:\n" + bulleted(problems),
			hint: "choicetui show " + s.ID + " shows what is asked"}
	}
	if err := askForYes(sh, s, "“"+s.Ask.Summary(ans)+"”"); err != nil {
		return s, err
	}
	return endSession(ctx, sh, q, s, queue.Settle{Answer: ans, Confirmed: g.confirm})
}

// findPending returns a pending session that may be decided here.
func findPending(ctx context.Context, sh *shell, typed string) (*queue.Queue, queue.Session, error) {
	q, s, err := sh.findSession(ctx, typed)
	if err == nil && !s.Pending() {
		err = sh.alreadyOver(s, queue.ErrSettled)
	}
	if err == nil {
		err = refuseUnlessTyped(sh, s)
	}
	return q, s, err
}

// endSession carries out what the person decided about a session.
func endSession(ctx context.Context, sh *shell, q *queue.Queue, s queue.Session, do queue.Action) (
	queue.Session, error,
) {
	defer tellTmux(ctx, q)
	s, err := q.Do(ctx, s.ID, byPerson(do))
	if cameTooLate(err) {
		return s, sh.alreadyOver(s, err)
	}
	return s, err
}

// applyFlags fills in an untouched form from the flags, and returns the answer with all problems, in the words of the
// flags. The form refuses a flag where it would refuse a person; queue.Ask.Accept checks the answer as a whole.
func (g answerFlags) applyFlags(s queue.Session, rules form.Rules) (queue.Answer, []string) {
	f := flagForm{Form: form.New(s, form.Options{Rules: rules}), on: s, own: &g.own,
		selected: map[int]bool{}, texted: map[int]bool{}}
	if len(g.selects)+len(g.texts)+len(g.notes) == 0 && !g.commented && !g.confirm {
		return queue.Answer{}, []string{"no answer was given; give " + f.wantedFlags() + f.defaultFlags()}
	}
	for _, v := range g.selects {
		f.applySelect(v)
	}
	for _, v := range g.texts {
		f.applyText(v)
	}
	for _, v := range g.notes {
		f.applyNote(v)
	}
	if g.commented {
		f.write("--comment", g.comment, action.Comment, 0)
	}
	ans, err := s.Ask.Accept(f.Draft().Answer) // with parts that a form would leave out
	var bad *queue.Invalid
	if errors.As(err, &bad) {
		for _, p := range bad.Problems {
			f.problems = append(f.problems, f.inFlags(p))
		}
	}
	if !g.confirm && s.Ask.WantsConfirmation(f.Draft().Answer) {
		f.complain("this needs --confirm%s", whyConfirm(s.Ask))
	}
	return ans, f.problems
}

// whyConfirm says, behind the flag that is missing, why it is needed. If an approval has marks, which say that it may
// do harm, choicetui asks for the confirmation and not the agent.
func whyConfirm(a queue.Ask) string {
	if marked := say.Marked(a.Approval); marked != "" {
		return ", because it " + marked
	}
	if a.ConfirmMessage == "" {
		return ", because the agent wants an explicit confirmation"
	}
	return "; the agent's warning: " + quoted(a.ConfirmMessage)
}

func cancelCommand(sh *shell) *cobra.Command {
	var reason string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "cancel ID",
		Short: "Cancel a question",
		Long: `cancel ends a question without an answer and tells the agent why. Approvals and
plans need a terminal and the word yes.

` + wordsHelp + `

Exit codes: 0 cancelled, 5 not found, answered or ended, 1 any other error.`,
		Example:           `  choicetui cancel k7f3m2qx --reason "ask again with fewer options"`,
		Args:              oneSession,
		ValidArgsFunction: completeSessions(sh),
		RunE: func(cmd *cobra.Command, args []string) error {
			own := ownWords{in: sh.in}
			words, err := own.read(reason)
			if err != nil {
				return &failure{say: "nothing was cancelled: --reason: " + err.Error(), cause: err}
			}
			s, err := cancelSession(cmd.Context(), sh, args[0], words)
			if err != nil {
				return err
			}
			return printSettled(sh.out, s, asJSON)
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "tell the agent `TEXT`")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the question as show --json does")
	return cmd
}

// cancelSession cancels a pending question, after the person has confirmed it for an approval.
func cancelSession(ctx context.Context, sh *shell, typed, reason string) (queue.Session, error) {
	q, s, err := findPending(ctx, sh, typed)
	if err != nil {
		return s, err
	}
	if err := askForYes(sh, s, sendsCancel(reason)); err != nil {
		return s, err
	}
	return endSession(ctx, sh, q, s, queue.Cancel{Reason: reason})
}

// sendsCancel returns what a cancel sends, as a part of a sentence.
func sendsCancel(reason string) string {
	if queue.Blank(reason) {
		return "a cancel"
	}
	return "a cancel, “" + say.Short(reason, 100) + "”,"
}

// refuseUnlessTyped refuses to decide an approval if standard input is no terminal: an agent with a shell must not
// approve its own request.
func refuseUnlessTyped(sh *shell, s queue.Session) error {
	if isTerminal(sh.in) || !action.NeedsPerson(s) {
		return nil
	}
	return &failure{say: "nothing was sent: only a person at a terminal can decide an approval",
		hint: "choicetui opens the dashboard, where you can decide it"}
}

// askForYes shows what an approval asks for, and fails unless the person types the word yes. does names what is sent.
func askForYes(sh *shell, s queue.Session, does string) error {
	if s.Ask.Kind != queue.KindApproval {
		return nil
	}
	var p page
	p.line("%s", say.AskHeading(s))
	p.line("From %s.", say.AgentAndPlace(say.Who(s.Origin), s.Origin, config.Home()))
	describePrompt(&p, s.Ask)
	p.line("")
	fmt.Fprintf(&p, "%s ", "This sends "+does+" to "+say.Who(s.Origin)+". Type yes to do so:")
	if err := p.send(sh.err); err != nil {
		return err
	}
	line, _ := bufio.NewReader(sh.in).ReadString('\n') // without Enter at its end, a line does not count as yes
	if line != "yes\n" && line != "yes\r\n" {
		return &failure{say: "nothing was sent: type the whole word yes"}
	}
	return nil
}

// describeApproval prints everything that an approval would allow.
func describeApproval(p *page, a *queue.Approval) {
	if a == nil {
		return
	}
	if words := say.MarkedLine(a); words != "" {
		p.line("! %s", words)
	}
	if words := say.TaggedLine(a); words != "" {
		p.line("%s", words)
	}
	for _, part := range a.Parts {
		p.line("")
		part, _ = part.Shown()
		p.line("%s", say.PartLine(part))
		p.block("| ", part.Text)
	}
	if where := say.ApprovalWhereLine(a, config.Home()); where != "" {
		p.line("%s", where)
	}
}
