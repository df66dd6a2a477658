package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
)

const (
	exitClosed = 2 // what the prompt hooks of agents read as "blocked, stderr says why"
	// gateWithin is how long the queue may take to answer: a prompt must not hang on a disk.
	gateWithin = 2 * time.Second
	// gateMemory is what gate may use before it collects garbage; ten thousand questions take a third of it.
	gateMemory = 256 << 20
)

func (sh *shell) gateCommand() *cobra.Command {
	var agent string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "gate",
		Short: "May chat be sent now? Exit 0: yes, 2: questions wait",
		Long: `gate says by its exit code whether a prompt may be sent to an agent now: 0 while
nothing waits, 2 while questions do, with the reason on stderr. It reads no
input and is made for prompt hooks. Questions whose caller is gone for a minute
do not count. What cannot be read keeps nobody from writing: the prompt goes
through. gate changes nothing, and says at most one sentence.`,
		Example: `  choicetui gate && echo "go on"
  choicetui gate --agent shop`,
		Args: nothingElse,
		RunE: func(cmd *cobra.Command, _ []string) error { return sh.gate(cmd.Context(), agent, asJSON) },
	}
	cmd.Flags().StringVar(&agent, "agent", "", "only questions of agents whose client or directory contains `NAME`")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object too")
	return cmd
}

// gateState is `gate --json`.
type gateState struct {
	Open    bool       `json:"open"`
	Waiting int        `json:"waiting"`           // questions that close it
	First   *gateFirst `json:"first,omitempty"`   // the most urgent of them
	Problem string     `json:"problem,omitempty"` // what could not be read
}

type gateFirst struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Agent string `json:"agent"`
}

func (sh *shell) gate(ctx context.Context, agent string, asJSON bool) error {
	debug.SetGCPercent(-1) // a collection costs more than a process of milliseconds leaves behind
	debug.SetMemoryLimit(gateMemory)
	var unfit error
	sh.complain.Do(func() { unfit = sh.settings().Err() }) // one sentence in all: the settings have it if nothing else does
	look, err := sh.closingWithin(ctx, agent)
	state := gateState{Open: len(look.closing) == 0, Waiting: len(look.closing), Problem: look.unread()}
	if err != nil {
		state.Problem = explain(err).say
	}
	if len(look.closing) > 0 {
		w := look.closing[0]
		state.First = &gateFirst{ID: w.ID, Title: w.Ask.Title, Agent: w.Origin.Name()}
	}
	if asJSON {
		if err := printJSON(sh.out, state, ""); err != nil {
			return err
		}
	}
	if !state.Open {
		return &failure{say: gateWords(look), code: exitClosed}
	}
	say := ""
	switch {
	case err != nil:
		say = "the queue cannot be read, so the prompt goes through: " + state.Problem
	case state.Problem != "":
		say = state.Problem + ", so the prompt goes through: " + look.broken[0].Name + " " + look.broken[0].Reason
	case config.Broken(unfit):
		say = unfit.Error()
	}
	if say != "" {
		line, _ := queue.VisibleLine("choicetui: gate: " + strings.TrimSpace(say))
		fmt.Fprintln(sh.err, line)
	}
	return nil
}

// gateWords is the one sentence that a blocked prompt shows.
func gateWords(look gateLook) string {
	closing := look.closing
	title, _ := queue.VisibleLine(closing[0].Ask.Title)
	words := "chat is closed, 1 question waits for an answer first: “" + title + "” (" + closing[0].Origin.Name() + ")"
	if n := len(closing); n > 1 {
		words = fmt.Sprintf("chat is closed, %d questions wait for an answer first: “%s” (%s) and %d more", n, title, closing[0].Origin.Name(), n-1)
	}
	if unread := look.unread(); unread != "" {
		words += "; " + unread
	}
	return words
}

// gateLook is what gate found: the questions that keep chat closed, the most urgent first, and what is none it can read.
type gateLook struct {
	closing []queue.Waiting
	broken  []queue.Broken
}

// unread says how many questions could not be read; empty: all could.
func (l gateLook) unread() string {
	switch n := len(l.broken); n {
	case 0:
		return ""
	case 1:
		return "1 question cannot be read"
	default:
		return fmt.Sprintf("%d questions cannot be read", n)
	}
}

// closingWithin is closing, given up after a while.
func (sh *shell) closingWithin(ctx context.Context, agent string) (gateLook, error) {
	type result struct {
		look gateLook
		err  error
	}
	ctx, cancel := context.WithTimeout(ctx, gateWithin)
	defer cancel()
	done := make(chan result, 1)
	go func() {
		look, err := sh.closing(ctx, agent)
		done <- result{look, err}
	}()
	select {
	case r := <-done:
		return r.look, r.err
	case <-ctx.Done(): // a read that hangs cannot be broken off
		return gateLook{}, fmt.Errorf("the disk does not answer: %w", ctx.Err())
	}
}

// closing reads once what waits, no history, and who runs only if a question depends on that.
func (sh *shell) closing(ctx context.Context, agent string) (look gateLook, err error) {
	q, err := sh.look()
	if errors.Is(err, errNoQueue) {
		return look, nil
	} else if err != nil {
		return look, err
	}
	pending, broken, err := q.Store.Pending(ctx)
	if err != nil {
		return look, err
	}
	look.broken = broken
	var failed error
	running := sync.OnceValue(func() func(string) bool {
		var runs func(string) bool
		if runs, failed = alive(ctx, q.Store); failed != nil {
			return func(string) bool { return true }
		}
		return runs
	})
	runs := func(instance string) bool { return running()(instance) }
	now := sh.now()
	for _, one := range queue.WaitingOrder(pending, runs, now) {
		if one.ClosesChat(runs, queue.Session.GoneSince, now) && holds(agent, one.Origin.Name(), one.Origin.Client, one.Origin.Cwd) {
			look.closing = append(look.closing, one)
		}
	}
	if failed != nil {
		return gateLook{}, failed
	}
	return look, nil
}
