package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/jetstream"
)

func queueCommand(sh *shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "queue",
		Short: "Show where the queue is, or copy it",
		Long: `queue shows where the queue is, and copies it to another directory or to a
server that several machines share.`,
		Example: `  choicetui queue status
  choicetui queue copy ~/.local/state/choicetui/queue /srv/queue`,
		Args: nothingBut("status or copy, not "),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(queueStatusCommand(sh), queueCopyCommand(sh))
	return cmd
}

// queueStatus is the output of `queue status --json`. Numbers that could not be counted are absent; history is null
// then.
type queueStatus struct {
	Place      string `json:"place"`
	Kind       string `json:"kind"`             // directory, or NATS server
	Person     string `json:"person,omitempty"` // the person's name as the others see it
	Health     string `json:"health"`           // ok, or why the queue cannot be read
	Waiting    *int   `json:"waiting,omitempty"`
	Answered   *int   `json:"answered,omitempty"`   // answers that their agent has not fetched yet
	History    *int   `json:"history"`              // null: it could not be counted, or must not be read
	Broken     *int   `json:"broken,omitempty"`     // files that could not be read
	Dashboards *int   `json:"dashboards,omitempty"` // open dashboards
	Agents     *int   `json:"agents,omitempty"`     // connections of agents
}

// allWell is the health of a queue that can be read.
const allWell = "ok"

func queueStatusCommand(sh *shell) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show where the queue is and what is in it",
		Long: `status prints where the queue is, whether it can be read, and how much is in it:
pending questions, answers that no agent has fetched, the history, and who has
it open. If the queue cannot be read, it says so and ends with 1; numbers that
could not be counted are left out of the JSON.`,
		Args: nothingElse,
		RunE: func(cmd *cobra.Command, _ []string) error {
			st, wrong, err := statusOf(cmd.Context(), sh)
			if err != nil {
				return err
			}
			err = printAs(sh.out, asJSON, st, st.print)
			if err == nil && wrong != nil { // the printed health says what is wrong
				return &failure{code: exitFailed, cause: wrong}
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// statusOf collects the queue's status. wrong is the reason why the queue cannot be read; the health says it in words.
func statusOf(ctx context.Context, sh *shell) (st queueStatus, wrong, err error) {
	if st.Place, err = sh.queuePlace(); err != nil {
		return st, nil, err
	}
	st.Kind, st.Health = "directory", allWell
	if jetstream.IsAddress(st.Place) {
		st.Kind = "NATS server"
		st.Person, _ = sh.personHere()
	}
	q, wrong := sh.openExistingAt(st.Place)
	if errors.Is(wrong, errNoQueue) {
		st.Health = "no questions have been asked yet"
		for _, count := range []**int{&st.Waiting, &st.Answered, &st.History, &st.Broken, &st.Dashboards, &st.Agents} {
			*count = new(int)
		}
		return st, nil, nil
	}
	if wrong == nil {
		wrong = st.countAll(ctx, q)
	}
	if wrong == nil {
		wrong = tryRoom(ctx, q.Store)
	}
	if wrong != nil {
		st.Health = explain(wrong).say
	}
	return st, wrong, nil
}

// tryRoom fails if a server can store nothing more. For a directory it returns nil: doctor checks its disk.
func tryRoom(ctx context.Context, store queue.Store) error {
	if on, ok := store.(*jetstream.Store); ok {
		return jetstream.TryRoom(ctx, on)
	}
	return nil
}

// countAll counts what can be counted, and fails with the first error.
func (st *queueStatus) countAll(ctx context.Context, q *queue.Queue) error {
	live, broken, err := q.Store.Live(ctx)
	if err != nil {
		return err
	}
	st.countLive(live, q.Now())
	unreadable := len(broken)
	st.Broken = &unreadable
	switch n, err := q.Store.CountHistory(ctx); {
	case errors.Is(err, queue.ErrRefused): // an agent's credentials may not read the history
	case err != nil:
		return err
	default:
		st.History = &n
	}
	present, err := q.Store.Present(ctx)
	if err != nil {
		return err
	}
	dashboards, agents := 0, 0
	for _, p := range present {
		switch p.Role {
		case queue.RoleDashboard:
			dashboards++
		case queue.RoleBridge:
			agents++
		}
	}
	st.Dashboards, st.Agents = &dashboards, &agents
	return nil
}

// countLive counts the live sessions: those that wait, and those that were answered.
func (st *queueStatus) countLive(live []queue.Session, now time.Time) {
	st.Waiting, st.Answered = new(int), new(int)
	for _, s := range live {
		switch s = s.At(now); {
		case s.IsMessage() || s.Final: // no question, or it only waits to be archived
		case s.Pending():
			*st.Waiting++
		default:
			*st.Answered++
		}
	}
}

// notKnown is shown in place of a number that could not be counted.
const notKnown = "not known"

// print prints the status for a person.
func (st queueStatus) print(p *page) {
	counted := func(n *int, behind string) string {
		if n == nil {
			return notKnown
		}
		return fmt.Sprint(*n, behind)
	}
	p.line("place       %s", say.OneLine(st.Place))
	p.line("kind        %s", st.Kind)
	if st.Person != "" {
		p.line("you are     %s", say.OneLine(st.Person))
	}
	p.line("health      %s", say.OneLine(st.Health))
	p.line("waiting     %s", counted(st.Waiting, ""))
	p.line("answered    %s", counted(st.Answered, " not fetched yet"))
	if st.History == nil && st.Health == allWell {
		p.line("history     the server does not let these credentials read it")
	} else {
		p.line("history     %s", counted(st.History, ""))
	}
	if st.Broken != nil && *st.Broken > 0 {
		p.line("unreadable  %d", *st.Broken)
	}
	open := notKnown
	if st.Dashboards != nil && st.Agents != nil {
		open = say.Count(*st.Dashboards, "dashboard") + ", " + say.Count(*st.Agents, "agent connection")
	}
	p.line("open in     %s", open)
}
