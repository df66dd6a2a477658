package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/jetstream"
	"github.com/choicetui/choicetui/queue/transfer"
)

func queueCommand(sh *shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "queue",
		Short: "Say where the queue is, and move it to another place",
		Long: `queue status says where the queue is and what is in it. queue copy moves it to
another place: a directory, or a server that several machines share.`,
		Example: `  choicetui queue status
  choicetui queue copy ~/.local/state/choicetui/queue /srv/queue`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return misused(cmd, "status or copy, no "+quoted(args[0]))
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(queueStatusCommand(sh), queueCopyCommand(sh))
	return cmd
}

// queueStatus is `queue status --json`.
type queueStatus struct {
	Place      string `json:"place"`
	Kind       string `json:"kind"`             // directory, or NATS server
	Person     string `json:"person,omitempty"` // who the person here is to the others
	Health     string `json:"health"`           // ok, or what is the matter
	Waiting    int    `json:"waiting"`
	Answered   int    `json:"answered"`   // and not fetched by their agent yet
	History    *int   `json:"history"`    // null: it could not be counted, or may not be
	Broken     int    `json:"broken"`     // could not be read
	Dashboards int    `json:"dashboards"` // that are open
	Agents     int    `json:"agents"`     // connections of agents
}

// allWell is the health of a queue that can be read.
const allWell = "ok"

func queueStatusCommand(sh *shell) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Say where the queue is, whether it can be reached, and what is in it",
		Long: `status prints the queue's place, what it is, whether it can be read, and how much is in it:
what waits, what was answered and not fetched, the history, and who has it open.`,
		Args: nothingElse,
		RunE: func(cmd *cobra.Command, _ []string) error {
			st, err := statusOf(cmd.Context(), sh)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(sh.out, st, "  ")
			}
			return st.print(sh)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// statusOf reads what status says. A queue that cannot be read is no error: that is what the person wants to know.
func statusOf(ctx context.Context, sh *shell) (st queueStatus, err error) {
	if st.Place, err = sh.place(); err != nil {
		return st, err
	}
	st.Kind, st.Health = "directory", allWell
	if jetstream.IsAddress(st.Place) {
		st.Kind = "NATS server"
		st.Person, _ = sh.personHere()
	}
	q, err := sh.lookAt(st.Place)
	if errors.Is(err, errNoQueue) {
		st.Health, st.History = "nothing was asked yet", new(int)
		return st, nil
	}
	if err == nil {
		err = st.count(ctx, q)
	}
	if err != nil {
		st.Health = explain(err).say
	}
	return st, nil
}

func (st *queueStatus) count(ctx context.Context, q *queue.Queue) error {
	live, broken, err := q.Store.Live(ctx)
	if err != nil {
		return err
	}
	st.Broken = len(broken)
	for _, s := range live {
		switch s = s.At(q.Now()); {
		case s.IsMessage() || s.Final:
		case s.Pending():
			st.Waiting++
		default:
			st.Answered++
		}
	}
	var refused *jetstream.Refused
	switch n, err := q.Store.CountHistory(ctx); {
	case errors.As(err, &refused): // it is not for agents
	case err != nil:
		return err
	default:
		st.History = &n
	}
	present, err := q.Store.Present(ctx)
	for _, p := range present {
		switch p.Role {
		case queue.RoleDashboard:
			st.Dashboards++
		case queue.RoleBridge:
			st.Agents++
		}
	}
	return err
}

func (st queueStatus) print(sh *shell) error {
	var p page
	p.line("place       %s", say.OneLine(st.Place))
	p.line("kind        %s", st.Kind)
	if st.Person != "" {
		p.line("you are     %s", say.OneLine(st.Person))
	}
	p.line("health      %s", say.OneLine(st.Health))
	p.line("waiting     %d", st.Waiting)
	p.line("answered    %d not fetched yet", st.Answered)
	if st.History != nil {
		p.line("history     %d", *st.History)
	} else if st.Health == allWell {
		p.line("history     the server does not let these credentials read it")
	}
	if st.Broken > 0 {
		p.line("unreadable  %d", st.Broken)
	}
	p.line("open in     %s, %s", say.Count(st.Dashboards, "dashboard"), say.Count(st.Agents, "agent connection"))
	return p.send(sh.out)
}

func queueCopyCommand(sh *shell) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "copy FROM TO",
		Short: "Move a queue to another place, with its history",
		Long: `copy moves a queue from one place to another. What waits goes on at the new place
and is closed at the old one, so that nobody answers it twice. Answers that were
not fetched go along. The history is copied, and stays at the old place too.

Nobody may have the old queue open: close the dashboards and end the agents
first. copy may be stopped at any point. The same command then goes on.`,
		Example: `  choicetui queue copy ~/.local/state/choicetui/queue /srv/queue`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 {
				return nil
			}
			return misused(cmd, "two places: from where, and to where")
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
			defer stop()
			report, err := copyQueue(ctx, sh, args[0], args[1])
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(sh.out, report, "  ")
			}
			return printCopied(sh, report, args[1])
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func copyQueue(ctx context.Context, sh *shell, from, to string) (transfer.Report, error) {
	old, err := sh.lookAt(from)
	if err != nil {
		return transfer.Report{}, err
	}
	switch same, err := samePlace(from, to); {
	case err != nil:
		return transfer.Report{}, err
	case same:
		return transfer.Report{}, &failure{say: "both places are the same queue",
			hint: "give another place to move it to"}
	}
	if err := unused(ctx, old); err != nil {
		return transfer.Report{}, err
	}
	next, err := sh.openNamed(to)
	if err != nil {
		return transfer.Report{}, err
	}
	report, err := transfer.Run(ctx, transfer.Options{From: old, To: next.Store, Name: to})
	switch {
	case ctx.Err() != nil:
		return report, &failure{say: "stopped; what was moved so far is at " + quoted(to),
			hint: "the same command goes on from there", cause: err}
	case errors.Is(err, transfer.ErrOther):
		return report, &failure{say: err.Error() + ", so nothing was overwritten",
			hint: "the two queues are different ones: choose an empty place", cause: err}
	}
	return report, err
}

// unused fails where somebody has a queue open: who waits in it would be left behind.
func unused(ctx context.Context, q *queue.Queue) error {
	present, err := q.Store.Present(ctx)
	if err != nil || len(present) == 0 {
		return err
	}
	dashboards := slices.ContainsFunc(present, func(p queue.Presence) bool { return p.Role == queue.RoleDashboard })
	what := "agents are connected to the old queue"
	if dashboards {
		what = "a dashboard has the old queue open"
	}
	return &failure{say: fmt.Sprintf("%s (%s in all)", what, say.Count(len(present), "process")),
		hint: "close the dashboards and end the agents, then try again"}
}

func printCopied(sh *shell, r transfer.Report, to string) error {
	var p page
	p.line("%s waiting, %s not fetched yet and %d of the history are at %s now", say.Count(r.Waiting, "question"),
		say.Count(r.Answered, "answer"), r.History, quoted(to))
	if r.Newer > 0 {
		p.line("%s stay: a newer choicetui wrote them", say.Count(r.Newer, "session"))
	}
	if r.Broken > 0 {
		p.line("%s could not be read and stay", say.Count(r.Broken, "session"))
	}
	p.line("to use it: choicetui config set queue %s", quoted(to))
	return p.send(sh.out)
}
