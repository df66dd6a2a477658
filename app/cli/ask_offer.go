package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/app/tmux"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

// offer is a question from the shell that is brought before the person.
type offer struct {
	sh *shell
	q  *queue.Queue
	s  queue.Session
}

// open shows the question where it can be answered: an open dashboard has it already; inside tmux its form opens in a
// split; elsewhere its options are listed on stderr and a number is read from the terminal, if there is one. An answer
// that is there already settles it at once. done ends what was started.
func (o offer) open(ctx context.Context, answer string) (done func(), err error) {
	done = func() {}
	if answer != "" {
		return done, o.settle(ctx, answer)
	}
	open, err := o.q.DashboardOpen(ctx)
	if err != nil || open {
		return done, err
	}
	if tmux.Inside() {
		if _, err := splitForm(ctx, o.sh, o.s); err == nil {
			return done, nil
		}
	}
	return o.onTerminal(ctx), nil
}

// onTerminal prints the numbered options on stderr and, where there is a terminal, takes one line from it as the
// answer. The session may be settled elsewhere meanwhile; the first outcome wins.
func (o offer) onTerminal(ctx context.Context) (done func()) {
	var p page
	o.list(&p)
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil || len(o.s.Ask.Questions) != 1 {
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

// typedAnswer is the answer to the ask's one question that the person typed.
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
