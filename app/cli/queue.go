package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/jetstream"
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
