package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

func showCommand(sh *shell) *cobra.Command {
	var asJSON, asBefore bool
	cmd := &cobra.Command{
		Use:               "show ID",
		Short:             "Show one question and its history",
		Args:              oneSession,
		ValidArgsFunction: completeSessions(sh),
		RunE: func(cmd *cobra.Command, args []string) error {
			q, s, err := sh.findSession(cmd.Context(), args[0])
			if errors.Is(err, queue.ErrNewer) {
				sh.note("warning: a newer choicetui wrote this question; some of it is not shown")
			} else if err != nil {
				return err
			}
			if asJSON {
				return printSession(sh.out, s)
			}
			var p page
			if asBefore {
				return printBefore(cmd.Context(), sh, &p, s)
			}
			describeSession(&p, s, q.Now())
			return p.send(sh.out)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.Flags().BoolVar(&asBefore, "before", false, "only what the agent was doing when it asked")
	cmd.MarkFlagsMutuallyExclusive("json", "before")
	return cmd
}

// printBefore prints what an agent was doing when it asked. A bar precedes each line, as before all text of agents.
func printBefore(ctx context.Context, sh *shell, p *page, s queue.Session) error {
	found, err := beforeReader{sh.settings().Settings}.now(ctx, s)
	if err != nil {
		return &failure{say: err.Error(), code: exitFailed, cause: err}
	}
	p.line("%s · %s", say.BeforeThis, found.Where)
	for _, l := range found.Lines {
		p.line("%s", strings.TrimRight("| "+l.Text, " "))
	}
	return p.send(sh.out)
}

// shownSession is the output of `show --json`: the session as the queue stores it, with the fields of `list --json`.
type shownSession struct {
	queue.Session
	Title    string     `json:"title"`
	Status   string     `json:"status"`
	Summary  string     `json:"summary"`
	Deadline *time.Time `json:"deadline"` // null: the clock is stopped
}

// printSession prints a session as JSON, in the same form for every command about one session.
func printSession(out io.Writer, s queue.Session) error {
	return printJSON(out, shownSession{
		Session: s, Title: s.Ask.Title, Status: statusWord(s), Summary: s.Summary(), Deadline: deadlineOf(s),
	}, "  ")
}

// printSettled prints how a session ended: in one line, or as JSON.
func printSettled(out io.Writer, s queue.Session, asJSON bool) error {
	if asJSON {
		return printSession(out, s)
	}
	var p page
	p.line("%s  %s", s.ID, say.Result(s))
	return p.send(out)
}

// describeSession prints a session for a person: what was asked, what was answered, and all its events.
func describeSession(p *page, s queue.Session, now time.Time) {
	p.line("%s  %s", s.ID, stateOf(s, now))
	p.line("%s", say.Title(s.Ask))
	came := "asked %s by %s"
	if s.IsMessage() {
		came = "sent %s to %s"
	}
	p.line(came, say.Stamp(s.AskedAt, now), agentInFull(s.Origin))
	if len(s.Ask.Audience) > 0 {
		p.line("%s", say.MeantFor(s.Ask.Audience))
	}
	if s.Widen != nil && s.Pending() {
		who, where := say.TeamAsked(*s.Widen, now)
		p.line("%s", who)
		p.block("", where)
	}
	describePrompt(p, s.Ask)
	ask := s.Ask.Shown()
	for _, q := range ask.Questions {
		p.line("")
		describeQuestion(p, q, replyTo(s, q.ID))
	}
	if s.Ask.Confirm {
		p.line("")
		p.block("wants a confirmation: ", cmp.Or(ask.ConfirmMessage, "--confirm"))
	}
	if c := commentOf(s); c != "" {
		p.line("")
		p.block("comment: ", c)
	}
	describeTeam(p, s)
	p.line("")
	for _, e := range s.Events {
		what, how := say.Trail{Session: s}.Told(e)
		p.line("%s", strings.TrimRight(fmt.Sprintf("%s  %-13s  %s", say.Stamp(e.At, now), what, how), " "))
	}
}

// describePrompt prints the text before the questions. A bar precedes each line, so that no text of an agent passes for
// ours.
func describePrompt(p *page, a queue.Ask) {
	if a.Odd() {
		p.line("! this question contains hidden characters; they are shown as <U+…>")
	}
	describeApproval(p, a.Approval)
	prompt, hints := form.CutHints(a.Shown().Prompt)
	if !queue.Blank(a.Prompt) {
		p.line("")
		if a.Approval != nil {
			p.line("%s", say.ReasonLine)
		}
	}
	p.block("| ", strings.Join(hints, "\n"))
	if !queue.Blank(prompt) {
		p.block("| ", prompt)
	}
}

// describeTeam prints the result of asking the team, once the question has ended.
func describeTeam(p *page, s queue.Session) {
	if s.Outcome == nil {
		return
	}
	for i, named := range say.TeamReview(*s.Outcome) {
		if i == 0 {
			p.line("")
		}
		p.block(named[0], named[1])
	}
}

// replyTo returns the reply to a question. While the session is pending, it is the reply of an untouched form.
func replyTo(s queue.Session, question string) queue.Reply {
	ans := queue.StartAnswer(s.Ask)
	if s.Outcome != nil {
		ans = s.Outcome.Annotated()
	}
	i := slices.IndexFunc(ans.Replies, func(r queue.Reply) bool { return r.Question == question })
	if i < 0 {
		return queue.Reply{}
	}
	return ans.Replies[i]
}

// commentOf returns the comment of the answer or, while the session is pending, the one that the agent suggests.
func commentOf(s queue.Session) string {
	if s.Outcome != nil {
		return s.Outcome.Annotated().Comment
	}
	return s.Ask.Comment
}

// describeQuestion prints one question, its options and the reply to it.
func describeQuestion(p *page, q queue.Question, r queue.Reply) {
	text, hints := form.CutHints(q.Text)
	q.Text = text
	name, context := say.Question(q)
	p.line("%s  (%s)", strings.TrimSpace(say.OneLine(q.ID)+"  "+name), answerWanted(q))
	p.block("| ", strings.Join(hints, "\n"))
	p.block("| ", context)
	for _, o := range q.Options {
		mark := "○"
		if slices.Contains(r.Selected, o.ID) {
			mark = "●"
		}
		p.line("  %s %s", mark, optionLine(o))
		p.block("      ", o.Description)
		if n := r.Notes[o.ID]; n != "" {
			p.block("      note: ", n)
		}
	}
	if r.Text != "" {
		p.block("  ✎ ", r.Text)
	}
}

// optionLine returns an option on one line.
func optionLine(o queue.Option) string {
	line := o.ID
	if o.Label != o.ID {
		line += "  " + o.Label
	}
	if o.Recommended {
		line += "  (recommended)"
	}
	return say.OneLine(line)
}

// answerWanted says which answer a question wants.
func answerWanted(q queue.Question) string {
	count := say.NumberRange(q.Min, q.Max)
	switch {
	case q.Mode == queue.ModeSingle:
		return "one of these"
	case q.Mode == queue.ModeText:
		return "text"
	case q.Mode == queue.ModeHybrid && q.Radio():
		return "one of these, or text"
	case q.Mode == queue.ModeHybrid:
		return count + " of these, or text, or both"
	}
	return count + " of these"
}

// agentInFull names the agent with everything that is known about it.
func agentInFull(o queue.Origin) string {
	var more []string
	for _, s := range []string{strings.TrimSpace(o.Client + " " + o.Version), o.Cwd, o.Branch, say.On("", o.Host)} {
		if s != "" {
			more = append(more, s)
		}
	}
	if o.Pane != "" {
		more = append(more, "tmux pane "+o.Pane)
	}
	if o.PID != 0 {
		more = append(more, fmt.Sprintf("pid %d", o.PID))
	}
	return strings.TrimSuffix(say.OneLine(o.Name()+" ("+strings.Join(more, ", ")+")"), " ()")
}

// stateOf describes a session's state on one line: "waiting, 4:12 left, until 14:02:00", or how it ended, by whom,
// through what and when.
func stateOf(s queue.Session, now time.Time) string {
	switch {
	case s.Outcome != nil:
		return fmt.Sprintf("%s (%s)", say.Result(s), settledAt(*s.Outcome, now))
	case s.IsMessage():
		return s.Summary()
	case s.Deadline.IsZero():
		return say.TeamStands
	}
	words := fmt.Sprintf("waiting, %s left, until %s", say.Left(s.Deadline.Sub(now)), say.Stamp(s.Deadline, now))
	if _, aside := s.AsideUntil(now); aside {
		words += ", " + say.Later(s)
	}
	if s.Perhaps != "" {
		words += ", " + say.Perhaps(s)
	}
	return words
}

// settledAt says by whom, through what and when: "by a person, in the dashboard, 14:02:11".
func settledAt(o queue.Outcome, now time.Time) string {
	return say.Settler(o) + ", " + say.Stamp(o.At, now)
}
