package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/app/term"
	"github.com/choicetui/choicetui/app/tmux"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
)

// offer is a question from the shell that is brought before the person.
type offer struct {
	sh   *shell
	q    *queue.Queue
	s    queue.Session
	here bool // its form was opened in this terminal
}

// open shows the question where it can be answered: an open dashboard has it already; a terminal gets the form of
// attach, and open returns when that was left; inside tmux the form opens in a split; elsewhere its options are listed
// on stderr. An answer that is there already settles it at once. done ends what was started.
func (o *offer) open(ctx context.Context, answer string) (done func(), err error) {
	done = func() {}
	if answer != "" {
		return done, o.settle(ctx, answer)
	}
	open, err := o.q.Store.Present(ctx, queue.RoleDashboard)
	switch {
	case err != nil:
		return done, err
	case queue.DashboardAmong(open):
		o.sh.note("the question is in the open %s; choicetui attach %s opens it in another terminal", faceOf(open),
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

// faceOf names what is open where a question shows up.
func faceOf(open []queue.Presence) string {
	if slices.ContainsFunc(open, func(p queue.Presence) bool { return !desk.IsPages(p.Instance) }) {
		return "dashboard"
	}
	return "page in the browser"
}

// onScreen opens the form of attach in this terminal, until the question has ended or the form is left.
func (o *offer) onScreen(ctx context.Context) error {
	o.here = true
	form := attachRun{sh: o.sh, stay: new(bool)}
	s, err := form.onScreen(ctx, o.q, o.s)
	var sig term.Signal
	switch {
	case ctx.Err() != nil || errors.As(err, &sig):
		return nil // the same signal ends the wait, which withdraws the question
	case err == nil && s.Pending() || errors.Is(err, queue.ErrUsed):
		o.sh.note("%s; Ctrl-C withdraws it", stillWaits(o.s))
	case err != nil && !refused(err):
		return err
	}
	return nil
}

// onTerminal prints the numbered options on stderr and, where that is a terminal, takes one line from the terminal as
// the answer: an agent's child often has the agent's terminal, whose keys are not for it. The session may be settled
// elsewhere meanwhile; the first outcome wins.
func (o offer) onTerminal(ctx context.Context) (done func()) {
	var p page
	o.list(&p)
	var tty *os.File
	if isTerminal(o.sh.err) && len(o.s.Ask.Questions) == 1 {
		tty, _ = os.Open("/dev/tty") // without one nothing is read
	}
	if tty == nil {
		_ = p.send(o.sh.err)
		return func() {}
	}
	p.line("choicetui: or type a number or your own words here, then Enter:")
	_ = p.send(o.sh.err)
	go func() {
		for lines := bufio.NewScanner(tty); lines.Scan(); {
			err := o.settle(ctx, lines.Text())
			if err == nil || refused(err) {
				return
			}
			o.sh.note("%s", explain(err).say)
		}
	}()
	return func() { _ = tty.Close() }
}

// list prints the question with its options, and how else it is answered.
func (o offer) list(p *page) {
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
	for _, question := range ask.Questions {
		if question.Text != "" && question.Text != ask.Title {
			p.line("\n  %s", say.OneLine(question.Text))
		}
		for i, option := range question.Options {
			p.line("  %2d  %s", i+1, say.OneLine(option.Label))
		}
	}
	p.line("\nchoicetui: %s", strings.Join(say.AnsweredElsewhere(o.s), "\n"))
}

// settle answers the one question with a number, an id or own words.
func (o offer) settle(ctx context.Context, value string) error {
	value = strings.TrimSpace(value)
	if value == "" {
		return &failure{say: "a number, an option's id or own words are wanted"}
	}
	if len(o.s.Ask.Questions) != 1 {
		return &failure{say: "a form needs choicetui answer " + o.s.ID + " --select QUESTION=ID for each question"}
	}
	answer, err := typedAnswer(o.s.Ask, value)
	if err != nil {
		return err
	}
	_, err = o.q.Do(ctx, o.s.ID, byPerson(queue.Settle{Answer: answer}))
	var bad *queue.Invalid
	if errors.As(err, &bad) {
		return &failure{say: "that is no answer here: " + bad.Problems[0].String(), cause: err}
	}
	return err
}

// typedAnswer returns the answer to the ask's one question that the person typed.
func typedAnswer(ask queue.Ask, value string) (queue.Answer, error) {
	answer := queue.StartAnswer(ask)
	r, question := &answer.Replies[0], ask.Questions[0]
	r.Selected, r.Text = nil, ""
	n, err := strconv.Atoi(value)
	if _, known := question.Option(value); known {
		r.Selected = []string{value}
	} else if err == nil && n >= 1 && n <= len(question.Options) {
		r.Selected = []string{question.Options[n-1].ID}
	} else if err == nil && len(question.Options) > 0 { // a slip of the finger is no answer
		return answer, &failure{say: fmt.Sprintf("there is no option %d: 1 to %d, or words", n, len(question.Options))}
	} else {
		r.Text = value
	}
	return answer, nil
}
