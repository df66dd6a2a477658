package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/transfer"
)

func queueCopyCommand(sh *shell) *cobra.Command {
	var asJSON, withOpen bool
	cmd := &cobra.Command{
		Use:   "copy FROM TO",
		Short: "Copy a queue to an empty place",
		Long: `copy copies a queue, with its history and its drafts, to a place that is empty,
and then compares both places. First stop everything that uses either of them:
dashboards, the web page, and the agents. copy says what still runs.

FROM is only read. TO is incomplete until copy has printed what is there. If
copy is interrupted, keep using FROM, and run the same command again later: it
adds what is missing.

Answer or cancel pending questions first. With --open they are copied too, and
are then open at both places: answer them at TO only. An agent gets its answer
from the place that its setting names when it asks again.`,
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
			report, err := copyQueue(ctx, sh, args[0], args[1], withOpen)
			if err != nil {
				return err
			}
			return printAs(sh.out, asJSON, report, func(p *page) { printCopied(p, report, args[0], args[1]) })
		},
	}
	cmd.Flags().BoolVar(&withOpen, "open", false, "copy pending questions too; they are then open at both places")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// copyQueue copies the queue at one place to another. It fails if both are the same, or if one of them is in use.
func copyQueue(ctx context.Context, sh *shell, from, to string, withOpen bool) (transfer.Report, error) {
	switch same, err := samePlace(from, to); {
	case err != nil:
		return transfer.Report{}, err
	case same:
		return transfer.Report{}, &failure{say: "both places are the same queue",
			hint: "give another place to copy it to"}
	}
	source, err := sh.openExistingAt(from)
	if err == nil {
		err = checkUnused(ctx, source, from)
	}
	if err != nil {
		return transfer.Report{}, err
	}
	target, err := sh.openNamed(to)
	if err == nil {
		err = checkUnused(ctx, target, to)
	}
	if err != nil {
		return transfer.Report{}, err
	}
	// A kill leaves no time to say this later.
	sh.note("copying; if it is interrupted, keep using %s and run the same command again", quoted(from))
	report, err := transfer.Run(ctx, transfer.Options{From: source.Store, To: target.Store, Now: source.Now(),
		WithOpen: withOpen})
	return report, notCopied(report, err, from, to)
}

// notCopied words the error of a copy.
func notCopied(r transfer.Report, err error, from, to string) error {
	stays := quoted(from) + " is unchanged: keep using it"
	switch {
	case err == nil:
		return nil
	case errors.Is(err, transfer.ErrOpen):
		return &failure{say: fmt.Sprintf("not over yet at %s: %s", quoted(from), openWords(r)), cause: err,
			hint: "answer or cancel them first; with --open they are copied, and are then open at both places"}
	case errors.Is(err, transfer.ErrOther):
		return &failure{say: fmt.Sprintf("%s has questions that are not at %s, or that were worked on since",
			quoted(to), quoted(from)), hint: "nothing was written; copy to an empty place", cause: err}
	case errors.Is(err, transfer.ErrDiffers):
		return &failure{say: "the two places are not the same: one of them was used during the copy",
			hint: stays + ", or run the same command again", cause: err}
	case errors.Is(err, context.Canceled):
		return &failure{say: "the copy was stopped, so " + quoted(to) + " is incomplete",
			hint: stays + ", or run the same command again", cause: err}
	}
	return &failure{say: "the queue was not copied: " + explain(err).say,
		hint: stays + ", or run the same command again", cause: err}
}

// openWords lists what is not over in a queue.
func openWords(r transfer.Report) string {
	var all []string
	for _, some := range []struct {
		n           int
		what, about string
	}{
		{r.Waiting, "pending question", ""},
		{r.Messages, "undelivered message", ""},
		{r.Untold, "result", " for the team"},
	} {
		if some.n > 0 {
			all = append(all, say.Count(some.n, some.what)+some.about)
		}
	}
	return strings.Join(all, ", ")
}

// checkUnused fails if processes have the queue open, and says which.
func checkUnused(ctx context.Context, q *queue.Queue, place string) error {
	present, err := q.Store.Present(ctx)
	if err != nil {
		return err
	}
	counts := map[string]int{}
	for _, p := range present {
		counts[p.Role]++
	}
	var running []string
	for _, kind := range []struct {
		n           int
		what, where string
	}{
		{counts[queue.RoleDashboard], "dashboard", ""},
		{counts[queue.RolePortal], "web page", ""},
		{counts[queue.RoleAttach], "form", " of choicetui attach"},
		{counts[queue.RoleBridge] + counts[queue.RoleTaker], "agent connection", ""},
		{counts[queue.RoleVisitor], "command", " on another host"},
	} {
		if kind.n > 0 {
			running = append(running, say.Count(kind.n, kind.what)+kind.where)
		}
	}
	if len(running) == 0 {
		return nil
	}
	return &failure{say: fmt.Sprintf("the queue at %s is in use: %s", quoted(place), strings.Join(running, ", ")),
		hint: "close the dashboards, on other hosts too, stop choicetui web, attach and the agents, then try again"}
}

// printCopied prints what was copied, what was not, and what to do now.
func printCopied(p *page, r transfer.Report, from, to string) {
	p.line("%s has what %s has, compared: %s, %s not fetched, %s, %d of the history", quoted(to), quoted(from),
		say.Count(r.Waiting, "pending question"), say.Count(r.Answered, "answer"), say.Count(r.Drafts, "draft"),
		r.History)
	if r.Open() > 0 {
		p.line("open at both places now, so act at the new one only: %s", openWords(r))
	}
	if r.Newer > 0 {
		p.line("not copied, written by a newer choicetui: %s", say.Count(r.Newer, "session"))
	}
	if r.Broken > 0 {
		p.line("not copied, cannot be read: %s", say.Count(r.Broken, "session"))
	}
	p.line("to use it: choicetui config set queue %s", quoted(to))
	p.line("%s is unchanged; remove it when nothing needs it any more", quoted(from))
}
