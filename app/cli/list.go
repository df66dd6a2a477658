package cli

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/queue"
)

// maxTitleCells is how much of a title the human table shows.
const maxTitleCells = 60

func (sh *shell) listCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "Show what waits for an answer",
		Long: `list shows the pending sessions in the order of the queue: soonest deadline
first, then arrival; below those what hurries nobody, because the caller is gone
or somebody has it open with choicetui attach.`,
		Args: nothingElse,
		RunE: func(cmd *cobra.Command, _ []string) error { return sh.list(cmd.Context(), asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON array, [] when nothing waits")
	return cmd
}

func (sh *shell) list(ctx context.Context, asJSON bool) error {
	pending, err := sh.pending(ctx)
	if err != nil && !errors.Is(err, errNoQueue) {
		return err
	}
	if asJSON {
		return sh.listJSON(pending)
	}
	return sh.table(pending)
}

// pending is what waits, in the queue's order.
func (sh *shell) pending(ctx context.Context) ([]queue.Waiting, error) {
	q, err := sh.look()
	if err != nil {
		return nil, err
	}
	live, err := sh.live(ctx, q)
	if err != nil {
		return nil, err
	}
	runs, err := alive(ctx, q.Store)
	if err != nil {
		return nil, err
	}
	return queue.WaitingOrder(live, runs, sh.now()), nil
}

// listed is one session of `list --json`.
type listed struct {
	ID       string       `json:"id"`
	Title    string       `json:"title"`
	Status   string       `json:"status"`
	AskedAt  time.Time    `json:"asked_at"`
	Deadline *time.Time   `json:"deadline"` // null: the clock is stopped
	Gone     bool         `json:"gone"`     // no caller waits
	Attached bool         `json:"attached"` // open in a hand-off form
	Origin   queue.Origin `json:"origin"`
}

func (sh *shell) listJSON(pending []queue.Waiting) error {
	all := []listed{}
	for _, w := range pending {
		all = append(all, listed{
			ID: w.ID, Title: w.Ask.Title, Status: status(w.Session), AskedAt: w.AskedAt, Deadline: deadline(w.Session), Origin: w.Origin,
			Gone: w.Standing == queue.StandingGone, Attached: w.Standing == queue.StandingAttached,
		})
	}
	return printJSON(sh.out, all, "  ")
}

func (sh *shell) table(pending []queue.Waiting) error {
	var p page
	if len(pending) == 0 {
		p.line("Nothing waits.")
		return p.send(sh.out)
	}
	titles := make([]string, len(pending))
	var names queue.Names
	for i, w := range pending {
		titles[i] = w.Ask.Title
		names.Add(w.Origin)
	}
	width := widest(maxTitleCells, titles...)
	for _, w := range pending {
		p.line("%s  %5s  %s  %s%s", w.ID, sh.leftOf(w), column(w.Ask.Title, width), names.Of(w.Origin), note(w.Standing))
	}
	return p.send(sh.out)
}

func (sh *shell) leftOf(w queue.Waiting) string {
	if w.Deadline.IsZero() {
		return "-"
	}
	return left(w.Deadline.Sub(sh.now()))
}

// note says why a session hurries nobody.
func note(s queue.Standing) string {
	return map[queue.Standing]string{
		queue.StandingAttached: ", open elsewhere", queue.StandingTeam: ", with the team", queue.StandingGone: ", gone",
	}[s]
}

// deadline is nil where the clock is stopped.
func deadline(s queue.Session) *time.Time {
	if s.Deadline.IsZero() {
		return nil
	}
	d := s.Deadline.UTC()
	return &d
}
