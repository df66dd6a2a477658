package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/spf13/cobra"
)

const (
	exitClosed = 2 // what the prompt hooks of agents read as "blocked, stderr says why"
	// gateWithin is how long the queue may take to answer: a prompt must not hang on a disk.
	gateWithin = 2 * time.Second
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
do not count. If the queue cannot be read, the prompt goes through.`,
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
	Waiting int        `json:"waiting"`         // questions that close it
	First   *gateFirst `json:"first,omitempty"` // the most urgent of them
	Problem string     `json:"problem,omitempty"`
}

type gateFirst struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Agent string `json:"agent"`
}

func (sh *shell) gate(ctx context.Context, agent string, asJSON bool) error {
	closing, err := sh.closingWithin(ctx, agent)
	state := gateState{Open: len(closing) == 0, Waiting: len(closing)}
	if err != nil {
		f := explain(err)
		state.Problem = f.say
		line, _ := queue.VisibleLine("choicetui: gate: the queue cannot be read, so the prompt goes through: " + f.say)
		fmt.Fprintln(sh.err, line)
	}
	if len(closing) > 0 {
		w := closing[0]
		state.First = &gateFirst{ID: w.ID, Title: w.Ask.Title, Agent: w.Origin.Name()}
	}
	if asJSON {
		if err := printJSON(sh.out, state, ""); err != nil {
			return err
		}
	}
	if len(closing) == 0 {
		return nil
	}
	return &failure{say: gateWords(closing), code: exitClosed}
}

// gateWords is the one sentence that a blocked prompt shows.
func gateWords(closing []queue.Waiting) string {
	title, _ := queue.VisibleLine(closing[0].Ask.Title)
	first := "“" + title + "” (" + closing[0].Origin.Name() + ")"
	if len(closing) == 1 {
		return "chat is closed, 1 question waits for an answer first: " + first
	}
	return fmt.Sprintf("chat is closed, %d questions wait for an answer first: %s and %d more", len(closing), first, len(closing)-1)
}

// closingWithin is closing, given up after a while.
func (sh *shell) closingWithin(ctx context.Context, agent string) ([]queue.Waiting, error) {
	type result struct {
		closing []queue.Waiting
		err     error
	}
	ctx, cancel := context.WithTimeout(ctx, gateWithin)
	defer cancel()
	done := make(chan result, 1)
	go func() {
		closing, err := sh.closing(ctx, agent)
		done <- result{closing, err}
	}()
	select {
	case r := <-done:
		return r.closing, r.err
	case <-ctx.Done(): // a read that hangs cannot be broken off
		return nil, fmt.Errorf("the disk does not answer: %w", ctx.Err())
	}
}

// closing is the questions that keep chat closed, the most urgent first. It reads the live sessions once and no
// history.
func (sh *shell) closing(ctx context.Context, agent string) ([]queue.Waiting, error) {
	q, err := sh.look()
	if errors.Is(err, errNoQueue) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	live, err := once(ctx, q.Store)
	if err != nil {
		return nil, err
	}
	runs, err := alive(ctx, q.Store)
	if err != nil {
		return nil, err
	}
	var closing []queue.Waiting
	now := sh.now()
	for _, one := range queue.WaitingOrder(live, runs, now) {
		if one.ClosesChat(runs, queue.Session.GoneSince, now) && holds(agent, one.Origin.Name(), one.Origin.Client, one.Origin.Cwd) {
			closing = append(closing, one)
		}
	}
	return closing, nil
}

// once reads what is live, without a watch where the store can do that.
func once(ctx context.Context, store queue.Store) ([]queue.Session, error) {
	if s, ok := store.(interface {
		Live(context.Context) ([]queue.Session, []queue.Broken, error)
	}); ok {
		live, _, err := s.Live(ctx)
		return live, err
	}
	w, err := store.Watch(ctx)
	if err != nil {
		return nil, err
	}
	defer w.Close()
	first, err := w.Next(ctx)
	return first.Sessions, err
}
