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
	"github.com/choicetui/choicetui/queue"
)

// offer brings a question from the shell before the person: an open dashboard has it already; inside tmux its form
// opens in a split; elsewhere its options are listed on stderr and a number is read from the terminal, if there is
// one. done ends what was started.
func (sh *shell) offer(ctx context.Context, q *queue.Queue, s queue.Session, answer string) (done func(), err error) {
	done = func() {}
	if answer != "" {
		return done, sh.answerNow(ctx, q, s, answer)
	}
	open, err := dashboardOpen(ctx, q)
	if err != nil || open {
		return done, err
	}
	if tmux.Inside() {
		if err := sh.openSplit(ctx, s); err == nil {
			return done, nil
		}
	}
	return sh.listOnTerminal(ctx, q, s), nil
}

func dashboardOpen(ctx context.Context, q *queue.Queue) (bool, error) {
	present, err := q.Store.Present(ctx)
	for _, p := range present {
		if p.Role == queue.RoleDashboard {
			return true, nil
		}
	}
	return false, err
}

func (sh *shell) openSplit(ctx context.Context, s queue.Session) error {
	dir, err := sh.place()
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	_, err = tmux.SplitBeside(ctx, os.Getenv("TMUX_PANE"), []string{self, "--queue", dir, "attach", s.ID}, carried())
	return err
}

// listOnTerminal prints the numbered options on stderr and, where there is a terminal, takes one line from it as the
// answer. The session may be settled elsewhere meanwhile; the first outcome wins.
func (sh *shell) listOnTerminal(ctx context.Context, q *queue.Queue, s queue.Session) (done func()) {
	var p page
	said := s.Ask.Title
	if rest := strings.TrimSpace(s.Ask.Prompt); rest != "" && rest != strings.TrimSpace(said) {
		said += "\n\n" + rest
	}
	v, _ := queue.Visible(said)
	p.block("  ", v)
	for _, question := range s.Ask.Questions {
		if question.Text != "" && question.Text != s.Ask.Title {
			p.line("\n  %s", visibleLine(question.Text))
		}
		for i, o := range question.Options {
			p.line("  %2d  %s", i+1, visibleLine(o.Label))
		}
	}
	p.line("\nchoicetui: answer with choicetui answer %s, or choicetui attach %s", s.ID, s.ID)
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil || len(s.Ask.Questions) != 1 {
		_ = p.send(sh.err)
		return func() {}
	}
	p.line("choicetui: or type a number or your own words here, then Enter:")
	_ = p.send(sh.err)
	go func() {
		for lines := bufio.NewScanner(tty); lines.Scan(); {
			if err := sh.answerNow(ctx, q, s, lines.Text()); err == nil || refused(err) {
				return
			} else {
				fmt.Fprintln(sh.err, "choicetui: "+explain(err).say)
			}
		}
	}()
	return func() { _ = tty.Close() }
}

func visibleLine(s string) string { v, _ := queue.VisibleLine(s); return v }

// answerNow settles the one question with a number, an id or own words.
func (sh *shell) answerNow(ctx context.Context, q *queue.Queue, s queue.Session, value string) error {
	value = strings.TrimSpace(value)
	if value == "" {
		return &failure{say: "a number, an option's id or own words are wanted"}
	}
	if len(s.Ask.Questions) != 1 {
		return &failure{say: "a form needs choicetui answer " + s.ID + " --select QUESTION=ID for each question"}
	}
	answer := queue.StartAnswer(s.Ask)
	r, question := &answer.Replies[0], s.Ask.Questions[0]
	r.Selected, r.Text = nil, ""
	n, err := strconv.Atoi(value)
	if _, known := question.Option(value); known {
		r.Selected = []string{value}
	} else if err == nil && n >= 1 && n <= len(question.Options) {
		r.Selected = []string{question.Options[n-1].ID}
	} else if err == nil && len(question.Options) > 0 { // a slip of the finger is no answer
		return &failure{say: fmt.Sprintf("there is no option %d: 1 to %d, or words", n, len(question.Options))}
	} else {
		r.Text = value
	}
	_, err = q.Do(ctx, s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceCLI, Do: queue.Settle{Answer: answer}})
	var bad *queue.Invalid
	if errors.As(err, &bad) {
		return &failure{say: "that is no answer here: " + bad.Problems[0].String(), cause: err}
	}
	return err
}
