package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

func (sh *shell) showCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:               "show SESSION",
		Short:             "Show one session with all that happened to it",
		Args:              oneSession,
		ValidArgsFunction: sh.completeSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			_, s, err := sh.find(cmd.Context(), args[0])
			if errors.Is(err, queue.ErrNewer) {
				fmt.Fprintln(sh.err, "choicetui: warning: a newer choicetui wrote this session; what is new in it is not shown")
			} else if err != nil {
				return err
			}
			if asJSON {
				return sh.showJSON(s)
			}
			var p page
			sh.describe(&p, s)
			return p.send(sh.out)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object: the whole session")
	return cmd
}

// shown is `show --json`: the session as the queue keeps it, and what `list --json` says of it.
type shown struct {
	queue.Session
	Title    string     `json:"title"`
	Status   string     `json:"status"`
	Summary  string     `json:"summary"`
	Deadline *time.Time `json:"deadline"` // null: the clock is stopped
}

func (sh *shell) showJSON(s queue.Session) error {
	return printJSON(sh.out, shown{Session: s, Title: s.Ask.Title, Status: status(s), Summary: s.Summary(), Deadline: deadline(s)}, "  ")
}

func (sh *shell) describe(p *page, s queue.Session) {
	p.line("%s  %s", s.ID, sh.standing(s))
	title, _ := queue.VisibleLine(s.Ask.Title)
	p.line("%s", title)
	came := "asked %s by %s"
	if s.IsMessage() {
		came = "sent %s to %s"
	}
	p.line(came, clock(s.AskedAt, sh.now()), whole(s.Origin))
	if _, odd := queue.Visible(allText(s.Ask)); odd {
		p.line("! this ask holds hidden characters; they are shown as <U+…>")
	}
	p.line("")
	p.block("| ", s.Ask.Prompt) // the bar: nothing in it passes for words of ours
	for _, q := range s.Ask.Questions {
		p.line("")
		describeQuestion(p, q, reply(s, q.ID))
	}
	if s.Ask.Confirm {
		p.line("")
		p.block("wants a confirmation: ", cmp.Or(s.Ask.ConfirmMessage, "--confirm"))
	}
	if c := comment(s); c != "" {
		p.line("")
		p.block("comment: ", c)
	}
	p.line("")
	for _, e := range s.Events {
		p.line("%s  %-14s  %s", clock(e.At, sh.now()), e.Kind, eventWords(e))
	}
}

// standing is the first line's: pending with the time left, or the outcome.
func (sh *shell) standing(s queue.Session) string {
	switch {
	case s.Outcome != nil:
		return fmt.Sprintf("%s (%s, %s)", ended(s), say.Settler(*s.Outcome), clock(s.Outcome.At, sh.now()))
	case s.IsMessage():
		return s.Summary()
	case s.Deadline.IsZero():
		return "with the team, the clock is stopped"
	}
	return fmt.Sprintf("pending, %s left, until %s", left(s.Deadline.Sub(sh.now())), clock(s.Deadline, sh.now()))
}

// ended says how a session ended, on one line: "selected: SQLite", "cancelled: not now", "timed out, no answer".
func ended(s queue.Session) string {
	if s.Outcome.Answered() {
		return s.Status() + ": " + s.Summary()
	}
	return s.Summary()
}

// reply is what was answered to a question, or what an untouched form would send.
func reply(s queue.Session, question string) queue.Reply {
	ans := queue.StartAnswer(s.Ask)
	if s.Outcome != nil {
		ans = s.Outcome.Answer
	}
	i := slices.IndexFunc(ans.Replies, func(r queue.Reply) bool { return r.Question == question })
	if i < 0 {
		return queue.Reply{}
	}
	return ans.Replies[i]
}

func comment(s queue.Session) string {
	if s.Outcome != nil {
		return s.Outcome.Answer.Comment
	}
	return s.Ask.Comment
}

func describeQuestion(p *page, q queue.Question, r queue.Reply) {
	name := q.Text
	if q.Header != "" {
		name = strings.TrimSpace(q.Header + "  " + q.Text)
	}
	line, _ := queue.VisibleLine(q.ID + "  " + name)
	p.line("%s  (%s)", line, takes(q))
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

func optionLine(o queue.Option) string {
	line := o.ID
	if o.Label != o.ID {
		line += "  " + o.Label
	}
	if o.Recommended {
		line += "  (recommended)"
	}
	v, _ := queue.VisibleLine(line)
	return v
}

// takes says what a question wants, in words.
func takes(q queue.Question) string {
	count := fmt.Sprintf("%d to %d", q.Min, q.Max)
	if q.Min == q.Max {
		count = fmt.Sprint(q.Min)
	}
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

// whole names the agent with everything that is known about it.
func whole(o queue.Origin) string {
	var more []string
	for _, s := range []string{strings.TrimSpace(o.Client + " " + o.Version), o.Cwd, o.Branch, o.Host} {
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
	v, _ := queue.VisibleLine(o.Name() + " (" + strings.Join(more, ", ") + ")")
	return strings.TrimSuffix(v, " ()")
}

// eventWords says who did it, through what, and the detail.
func eventWords(e queue.Event) string {
	words := "by " + e.By
	if e.Surface != "" {
		words += " (" + e.Surface + ")"
	}
	if e.Detail != "" {
		words += "  " + e.Detail
	}
	v, _ := queue.VisibleLine(words)
	return v
}

// allText is everything in an ask that a person may read, for the warning about hidden characters.
func allText(a queue.Ask) string {
	parts := []string{a.Title, a.Prompt, a.ConfirmMessage, a.Comment}
	for _, q := range a.Questions {
		parts = append(parts, q.ID, q.Header, q.Text, q.Placeholder)
		for _, o := range q.Options {
			parts = append(parts, o.ID, o.Label, o.Description, o.Note)
		}
	}
	return strings.Join(parts, "\n")
}
