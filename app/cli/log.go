package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/choicetui/choicetui/queue"
)

const (
	logScreen = 50 // events printed on a terminal unless -n says otherwise
	logTail   = 10 // events printed before --follow goes on
	logBuffer = 64 << 10
)

// logWish is what the person wants of the audit trail.
type logWish struct {
	since, agent string
	most         int
	follow, json bool
	stats        bool
	from         time.Time // since, understood
}

func (sh *shell) logCommand() *cobra.Command {
	var w logWish
	cmd := &cobra.Command{
		Use:   "log",
		Short: "Show the audit trail: what was asked and how it ended",
		Long: `log prints what happened to every session, newest first, those that still wait
included. With --follow it prints the last events, then each new one below as it
happens, until Ctrl-C. With --stats it adds them up instead: questions a day, time
to answer, how they ended, by agent; those asked since --since.`,
		Example: `  choicetui log --since 24h
  choicetui log --since 2026-11-01 --agent claude --json`,
		Args: nothingElse,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var err error
			if w.from, err = moment(w.since, sh.now()); err != nil {
				return err
			}
			if w.stats {
				return sh.stats(cmd.Context(), w)
			}
			w.most = sh.mostEvents(w, cmd.Flags().Changed("lines"))
			if w.follow {
				return sh.follow(cmd.Context(), w)
			}
			return sh.log(cmd.Context(), w)
		},
	}
	f := cmd.Flags()
	f.StringVar(&w.since, "since", "", "only what happened since `WHEN`: 90m, 24h, 7d or a date")
	f.StringVar(&w.agent, "agent", "", "only agents whose client or directory contains `NAME`")
	f.IntVarP(&w.most, "lines", "n", 0, "at most `N` events; 0: all (default: 50 on a terminal, else all)")
	f.BoolVar(&w.follow, "follow", false, "go on with new events as they happen")
	f.BoolVar(&w.json, "json", false, "print one JSON object a line; with --stats one object")
	f.BoolVar(&w.stats, "stats", false, "add up instead of listing")
	cmd.MarkFlagsMutuallyExclusive("stats", "follow")
	cmd.MarkFlagsMutuallyExclusive("stats", "lines")
	return cmd
}

// entry is one event of the trail and of `log --json`.
type entry struct {
	Session string         `json:"session_id"`
	Title   string         `json:"title"`
	Event   string         `json:"event"`
	At      time.Time      `json:"at"`
	By      string         `json:"by"`
	Surface string         `json:"surface"`
	Detail  string         `json:"detail"`
	Outcome *queue.Outcome `json:"outcome,omitempty"` // of a settled event
	*userChoice

	id, who, summary string
	place            int // in its session's events, for events of the same millisecond
}

func (sh *shell) mostEvents(w logWish, said bool) int {
	out, isFile := sh.out.(*os.File)
	switch {
	case said:
		return w.most
	case w.follow:
		return logTail
	case !w.json && isFile && term.IsTerminal(int(out.Fd())):
		return logScreen
	}
	return 0
}

func (sh *shell) log(ctx context.Context, w logWish) error {
	q, err := sh.look()
	if errors.Is(err, errNoQueue) {
		return nil
	} else if err != nil {
		return err
	}
	var p page
	printed, older := 0, false
	err = sh.trail(ctx, q, w, func(e entry) error {
		if w.most > 0 && printed == w.most {
			older = true
			return errEnough
		}
		printed++
		if err := e.print(&p, w); err != nil || p.Len() < logBuffer {
			return err
		}
		defer p.Reset()
		return p.send(sh.out)
	})
	if err != nil {
		return err
	}
	if older && w.most == logScreen {
		defer fmt.Fprintln(sh.err, "choicetui: older events are not shown; -n 0 shows all")
	}
	return p.send(sh.out)
}

// entries are a session's events that are wanted, oldest first.
func (w logWish) entries(s queue.Session) []entry {
	name := s.Origin.Name()
	if !holds(w.agent, name, s.Origin.Client, s.Origin.Cwd) {
		return nil
	}
	var out []entry
	for i, e := range s.Events {
		if e.At.Before(w.from) {
			continue
		}
		en := entry{Session: s.ID, Title: s.Ask.Title, Event: e.Kind, At: e.At.UTC(), By: e.By, Surface: e.Surface, Detail: e.Detail,
			id: e.ID, who: name, place: i}
		if e.Kind == queue.EventSettled {
			en.Outcome, en.summary = s.Outcome, s.Summary()
		}
		if w.json {
			en = en.asUserChoice(s)
		}
		out = append(out, en)
	}
	return out
}

func holds(part string, names ...string) bool {
	return part == "" || slices.ContainsFunc(names, func(n string) bool {
		return strings.Contains(strings.ToLower(n), strings.ToLower(part))
	})
}

func (sh *shell) printEntries(entries []entry, w logWish) error {
	var p page
	for _, e := range entries {
		if err := e.print(&p, w); err != nil {
			return err
		}
	}
	return p.send(sh.out)
}

func (e entry) print(p *page, w logWish) error {
	if w.json {
		return printJSON(p, e, "")
	}
	words := cmp.Or(e.summary, e.Detail)
	if words != "" {
		words, _ = queue.VisibleLine("  " + words)
		words = ": " + words
	}
	by := e.By
	if e.Surface != "" {
		by += ", " + e.Surface
	}
	title, _ := queue.VisibleLine(e.Title)
	p.line("%s  %s  %-14s  %s  %s  (%s)%s", e.At.Local().Format(time.DateTime), e.Session, e.Event, e.who, title, by, words)
	return nil
}

// follow prints the last events, oldest first, then every new one as it is stored.
func (sh *shell) follow(ctx context.Context, w logWish) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	q, err := sh.open()
	if err != nil {
		return err
	}
	watcher, err := q.Store.Watch(ctx) // before the trail, so that nothing falls between
	if err != nil {
		return err
	}
	defer watcher.Close()
	printed := printedEvents{from: sh.now().Add(-time.Hour), ids: map[string]bool{}}
	entries, err := sh.tail(ctx, q, w, printed)
	if err != nil {
		return err
	}
	for {
		if err := sh.printEntries(entries, w); err != nil {
			return err
		}
		changes, err := watcher.Next(ctx)
		if ctx.Err() != nil {
			return nil
		} else if err != nil {
			return err
		}
		sh.warn(changes.Broken)
		entries = sh.fresh(ctx, q, w, changes, printed)
	}
}

// fresh is what a batch of changes adds to the trail, oldest first.
func (sh *shell) fresh(ctx context.Context, q *queue.Queue, w logWish, changes queue.Changes, printed printedEvents) []entry {
	changed := changes.Sessions
	for _, id := range changes.Gone {
		if s, err := q.Store.Get(ctx, id); err == nil { // its last event came with the archive
			changed = append(changed, s)
		}
	}
	var out []entry
	for _, s := range changed {
		for _, e := range w.entries(s.At(sh.now())) {
			if printed.add(e) {
				out = append(out, e)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b entry) int { return a.At.Compare(b.At) })
	return out
}
