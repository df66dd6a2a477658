package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/transfer"
)

func queueCopyCommand(sh *shell) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "copy FROM TO",
		Short: "Move a queue to another place, with its history",
		Long: `copy moves a queue from one place to another. First close the dashboards and
stop the agents that use the old queue. Pending questions continue at the new
place and are closed at the old one, so that nobody answers them twice.
Unfetched answers move too. The history is copied, and stays at the old place
too.

The old queue stays untouched until everything is at the new place and was read
back there. If copy is interrupted before that, keep using the old queue and run
the same command again. A queue can be moved back, with the answers given since.
Questions that were moved once are not moved to a second place.`,
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
			return printAs(sh.out, asJSON, report, func(p *page) { printCopied(p, report, args[0], args[1]) })
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// copyQueue moves the queue at one place to another. It fails if both are the same, or if the old queue is in use.
func copyQueue(ctx context.Context, sh *shell, from, to string) (transfer.Report, error) {
	old, err := sh.openExistingAt(from)
	if err != nil {
		return transfer.Report{}, err
	}
	o := transfer.Options{From: old}
	oldName, err := sh.trailName(from, to)
	if err != nil {
		return transfer.Report{}, err
	}
	if o.Name, err = sh.trailName(to, from); err != nil {
		return transfer.Report{}, err
	}
	if oldName == o.Name {
		return transfer.Report{}, &failure{say: "both places are the same queue",
			hint: "give another place to move it to"}
	}
	if err := checkUnused(ctx, old); err != nil {
		return transfer.Report{}, err
	}
	next, err := sh.openNamed(to)
	if err != nil {
		return transfer.Report{}, err
	}
	o.To = next.Store
	// This is said first, because a kill leaves no time to say which queue counts.
	sh.note("copying; until this is done, answer only at %s; if it is interrupted, run the same command again",
		quoted(from))
	report, err := transfer.Run(ctx, o)
	return report, stoppedCopy(report, err, from, to)
}

// stoppedCopy says which of the two queues counts after a copy that did not finish.
func stoppedCopy(r transfer.Report, err error, from, to string) error {
	why := "it was stopped"
	if err != nil && !errors.Is(err, context.Canceled) {
		why = explain(err).say
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, transfer.ErrOther):
		return &failure{say: err.Error() + ", so nothing was overwritten",
			hint: "the two queues are different ones: choose another place", cause: err}
	case r.Verified:
		return &failure{say: fmt.Sprintf("everything is at %s, but not everything is closed at %s yet: %s", quoted(to),
			quoted(from), why), hint: "run the same command again; until then answer only at " + quoted(to), cause: err}
	}
	return &failure{say: "the queue was not moved: " + why,
		hint: "the old queue is unchanged: use " + quoted(from) + ", or run the same command again", cause: err}
}

// checkUnused fails if a process has the queue open, because its questions would be left behind.
func checkUnused(ctx context.Context, q *queue.Queue) error {
	present, err := q.Store.Present(ctx)
	waitsForNothing := func(p queue.Presence) bool { return p.Role == queue.RoleNotice || p.Role == queue.RoleServer }
	present = slices.DeleteFunc(present, waitsForNothing)
	if err != nil || len(present) == 0 {
		return err
	}
	has := func(role string) bool {
		return slices.ContainsFunc(present, func(p queue.Presence) bool { return p.Role == role })
	}
	what := "agents are connected to the old queue"
	switch {
	case has(queue.RoleDashboard):
		what = "a dashboard has the old queue open"
	case has(queue.RoleAttach):
		what = "choicetui attach has the old queue open"
	case has(queue.RolePortal):
		what = "the web page of choicetui has the old queue open"
	}
	return &failure{say: fmt.Sprintf("%s (%s in all)", what, say.Count(len(present), "process")),
		hint: "close the dashboards, stop choicetui web and the agents, then try again"}
}

// printCopied prints what was moved, what was not, and how the new place is used.
func printCopied(p *page, r transfer.Report, from, to string) {
	p.line("%s waiting, %s not fetched yet and %d of the history are at %s now", say.Count(r.Waiting, "question"),
		say.Count(r.Answered, "answer"), r.History, quoted(to))
	if r.Messages > 0 {
		p.line("%s not delivered yet moved too", countWithVerb(r.Messages, "message", "that was", "that were"))
	}
	for _, place := range slices.Sorted(maps.Keys(r.Elsewhere)) {
		p.line("%s moved to %s before, and not handed out again",
			countWithVerb(r.Elsewhere[place], "question", "was", "were"), quoted(place))
	}
	for _, place := range slices.Sorted(maps.Keys(r.Leaving)) {
		p.line("%s", notArrived(r.Leaving[place], place, from))
	}
	if r.Apart > 0 {
		p.line("%s at both places, with different answers or events: these were not changed",
			countWithVerb(r.Apart, "session", "is", "are"))
	}
	if r.Newer > 0 {
		p.line("%s", countWithVerb(r.Newer, "session", "stays: a newer choicetui wrote it",
			"stay: a newer choicetui wrote them"))
	}
	if r.Broken > 0 {
		p.line("%s", countWithVerb(r.Broken, "session", "could not be read and stays", "could not be read and stay"))
	}
	p.line("to use it: choicetui config set queue %s", quoted(to))
}

// notArrived says how many questions a stopped copy has sent without knowing whether they arrived.
func notArrived(n int, place, from string) string {
	return fmt.Sprintf("%s left for %s and may not have arrived: choicetui queue copy %s PLACE continues the move",
		say.Count(n, "question"), quoted(place), quoted(from))
}

// countWithVerb returns a count of things with the verb form that fits.
func countWithVerb(n int, thing, one, many string) string {
	if n == 1 {
		return say.Count(n, thing) + " " + one
	}
	return say.Count(n, thing) + " " + many
}
