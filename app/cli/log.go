package cli

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

const (
	logScreen = 50 // events printed on a terminal unless -n says otherwise
	logTail   = 10 // events printed before --follow continues
	logBuffer = 64 << 10
)

// logWish holds the person's flags for the audit trail.
type logWish struct {
	since, agent string
	most         int
	follow, json bool
	stats        bool
	from         time.Time // since, understood
	host         string    // this machine, where agents may run on others
}

// logRun is one run of `choicetui log`.
type logRun struct {
	sh   *shell
	wish logWish
}

func logCommand(sh *shell) *cobra.Command {
	r := logRun{sh: sh}
	cmd := &cobra.Command{
		Use:   "log",
		Short: "Show the audit trail: what was asked and how it ended",
		Long: `log prints what happened to every question, newest first, those that still wait
included. With --follow it prints the last events, then each new one below as it
happens, until Ctrl-C. With --stats it adds them up instead: questions a day, time
to answer, how they ended, by agent; those asked since --since.`,
		Example: `  choicetui log --since 24h
  choicetui log --since yesterday
  choicetui log --since 2026-11-01 --agent claude --json`,
		Args: nothingElse,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return r.run(cmd.Context(), cmd.Flags().Changed("lines"))
		},
	}
	f, w := cmd.Flags(), &r.wish
	f.StringVar(&w.since, "since", "", "only what happened since `WHEN`: 90m, 7d, yesterday, a date")
	f.StringVar(&w.agent, "agent", "", "only agents whose client or directory contains `NAME`")
	f.IntVarP(&w.most, "lines", "n", 0, "at most `N` events; 0: all (default: 50 on a terminal, else all)")
	f.BoolVar(&w.follow, "follow", false, "go on with new events as they happen")
	f.BoolVar(&w.json, "json", false, "print one JSON object a line; with --stats one object")
	f.BoolVar(&w.stats, "stats", false, "add up instead of listing")
	completeFlag(cmd, "agent", completeAgents(sh))
	often := []cobra.Completion{"1h", "today", "yesterday", "7d", "30d"}
	completeFlag(cmd, "since", cobra.FixedCompletions(often, inOrder))
	cmd.MarkFlagsMutuallyExclusive("stats", "follow")
	cmd.MarkFlagsMutuallyExclusive("stats", "lines")
	return cmd
}

// run prints what is wanted. limited: the person said how many events at most.
func (r *logRun) run(ctx context.Context, limited bool) (err error) {
	if r.wish.from, err = moment(r.wish.since, r.sh.now()); err != nil {
		return err
	}
	if r.wish.stats {
		return r.stats(ctx)
	}
	if !limited {
		r.wish.most = r.mostEvents()
	}
	if r.wish.follow {
		return r.follow(ctx)
	}
	return r.list(ctx)
}

// entry is one event of the trail and of `log --json`.
type entry struct {
	Session string         `json:"session_id"`
	Title   string         `json:"title"`
	Event   string         `json:"event"`
	At      time.Time      `json:"at"`
	By      string         `json:"by"`
	Surface string         `json:"surface"`
	Person  string         `json:"person,omitempty"` // who it was, where several share the queue
	Given   string         `json:"given,omitempty"`  // the agent that was given the link; see queue.Command
	Detail  string         `json:"detail"`
	Outcome *queue.Outcome `json:"outcome,omitempty"` // of a settled event
	*userChoice

	id, who   string
	what, how string // see say.Trail
	place     int    // in its session's events, for events of the same millisecond
}

// mostEvents returns how many events are printed if the person did not say; 0: all.
func (r *logRun) mostEvents() int {
	switch {
	case r.wish.follow:
		return logTail
	case !r.wish.json && isTerminal(r.sh.out):
		return logScreen
	}
	return 0
}

// list prints the trail, newest first.
func (r *logRun) list(ctx context.Context) error {
	q, err := r.sh.look()
	if errors.Is(err, errNoQueue) {
		return nil
	} else if err != nil {
		return err
	}
	r.wish.host = q.Host
	w := r.wish
	var p page
	printed, older := 0, false
	err = trail{r.sh, q, w}.each(ctx, func(e entry) error {
		if w.most > 0 && printed == w.most {
			older = true
			return errEnough
		}
		printed++
		if err := e.print(&p, w); err != nil || p.Len() < logBuffer {
			return err
		}
		defer p.Reset()
		return p.send(r.sh.out)
	})
	if err != nil {
		return err
	}
	if older && w.most == logScreen {
		defer r.sh.note("older events are not shown; -n 0 shows all")
	}
	return p.send(r.sh.out)
}

// entries returns a session's events that are wanted, oldest first.
func (w logWish) entries(s queue.Session) []entry {
	if !isOf(s.Origin, w.agent) {
		return nil
	}
	var out []entry
	names := queue.Names{Host: w.host}
	for i, e := range s.Events {
		if e.At.Before(w.from) {
			continue
		}
		en := entry{
			Session: s.ID, Title: s.Ask.Title, Event: e.Kind, At: e.At.UTC(),
			By: e.By, Surface: e.Surface, Person: e.Person, Given: e.Given, Detail: e.Detail,
			id: e.ID, who: names.Of(s.Origin), place: i,
		}
		if e.Kind == queue.EventSettled {
			en.Outcome = s.Outcome
		}
		if w.json {
			en = en.asUserChoice(s)
		} else {
			en.Title = say.Title(s.Ask)
			en.what, en.how = say.Trail{Session: s}.Told(e)
		}
		out = append(out, en)
	}
	return out
}

// isOf reports whether an agent's name, client or directory contains what the person gave; nothing given fits all.
func isOf(o queue.Origin, part string) bool {
	return part == "" || slices.ContainsFunc([]string{o.Name(), o.Client, o.Cwd}, func(n string) bool {
		return strings.Contains(strings.ToLower(n), strings.ToLower(part))
	})
}

func (e entry) print(p *page, w logWish) error {
	if w.json {
		return printJSON(p, e, "")
	}
	how := e.how
	if how != "" {
		how = "  (" + how + ")"
	}
	p.line("%s  %s  %-13s  %s  %s%s", e.At.Local().Format(time.DateTime), e.Session, e.what, e.who,
		e.Title, how)
	return nil
}
