package cli

import (
	"cmp"
	"container/heap"
	"context"
	"errors"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/mcpbridge/dialect"
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

// logRun holds one run of `choicetui log`.
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

// entry holds one event of the trail and of `log --json`.
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

// dateLayouts are the ways to write a date and a time without their place on earth.
var dateLayouts = []string{
	"2006-01-02 15:04", "2006-01-02T15:04", time.DateTime, "2006-01-02T15:04:05",
}

// moment reads --since: a duration back from now (90m, 24h, 7d, 2w), a day by its name (yesterday, monday), or a date,
// with or without a time, local unless it says otherwise. Empty is the beginning of time.
func moment(s string, now time.Time) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if d, ok := duration(s); ok {
		return now.Add(-d), nil
	}
	if t, ok := startOfDay(s, now); ok {
		return t, nil
	}
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t, nil
	}
	for _, layout := range dateLayouts {
		if t, err := time.ParseInLocation(layout, s, time.Local); err == nil {
			return t, nil
		}
	}
	return time.Time{}, &failure{say: "--since " + quoted(s) + " is neither a duration nor a date",
		hint: "like 90m, 24h, 7d, yesterday, monday, 2026-11-20 or 2026-11-20T14:02"}
}

// duration is Go's, and whole days and weeks, which Go leaves out because of clock changes; here they are 24 h.
func duration(s string) (time.Duration, bool) {
	if n := len(s) - 1; n > 0 && (s[n] == 'd' || s[n] == 'w') {
		days, err := strconv.Atoi(s[:n])
		if s[n] == 'w' {
			days *= 7
		}
		return time.Duration(days) * 24 * time.Hour, err == nil && days >= 0 && days < 36500
	}
	d, err := time.ParseDuration(s)
	return d, err == nil && d >= 0
}

const (
	historyPage = 256 // archived sessions read at once
	boundedPage = 64  // read at once where --since bounds the reading: so many too many are read at most

	// lateness is the longest time after settling at which a session's last event may come while something of choicetui
	// runs: answers nobody collected lapse after queue.KeptFor. So much of the trail is held back to be put in order.
	// An event that is later than that (nothing ran for days) is printed where its session is reached.
	lateness = 2 * queue.KeptFor
)

// errEnough ends a reading early; it is no failure.
var errEnough = errors.New("enough")

// trail reads what happened, as far as it is wanted.
type trail struct {
	sh   *shell
	q    *queue.Queue
	wish logWish
}

// sessions passes every session to take, once: the live ones, then the archived ones, newest first. It stops early when
// take returns errEnough. Only the sessions that take keeps stay in memory.
func (t trail) sessions(ctx context.Context, take func(s queue.Session, archived bool) error) error {
	live, err := t.sh.live(ctx, t.q)
	if err != nil {
		return err
	}
	seen := make(map[string]bool, len(live))
	for _, s := range live {
		seen[s.ID] = true
		if err := take(s, false); err != nil {
			return unlessEnough(err)
		}
	}
	most := historyPage
	if !t.wish.from.IsZero() {
		most = boundedPage
	}
	for cursor := ""; ; {
		page, next, err := t.q.Store.History(ctx, cursor, most)
		if err != nil {
			return err
		}
		for _, s := range page {
			if seen[s.ID] || t.cameBack(ctx, s) { // archived while we looked, or only a copy that departed
				continue
			}
			if err := take(s, true); err != nil {
				return unlessEnough(err)
			}
		}
		if cursor = next; cursor == "" {
			return nil
		}
	}
}

// cameBack reports whether a session moved away and is here again: then it is told as it is now, once.
func (t trail) cameBack(ctx context.Context, s queue.Session) bool {
	if _, departed := queue.Departed(s); !departed {
		return false
	}
	now, err := t.q.Store.Get(ctx, s.ID)
	return err == nil && queue.Supersedes(now, s)
}

func unlessEnough(err error) error {
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// each gives every event that is wanted to emit, newest first, until emit says errEnough. An old session may have a new
// event: without --since it reads the whole history, else back to reaches. It holds only the events of the last days it
// has reached.
func (t trail) each(ctx context.Context, emit func(entry) error) error {
	var held newest
	back := t.wish.reaches()
	err := t.sessions(ctx, func(s queue.Session, archived bool) error {
		if archived && s.Outcome != nil && s.Outcome.At.Before(back) {
			return errEnough
		}
		for _, e := range t.wish.entries(s) {
			heap.Push(&held, e)
		}
		if !archived || s.Outcome == nil {
			return nil
		}
		return held.emit(s.Outcome.At.Add(lateness), emit)
	})
	if err == nil {
		err = unlessEnough(held.emit(time.Time{}, emit))
	}
	return err
}

// reaches returns how far back the archive must be read for --since: through the whole month in which it lies, because
// the archive is kept by months, and at least as far as events may come late.
func (w logWish) reaches() time.Time {
	if w.from.IsZero() {
		return time.Time{}
	}
	from := w.from.UTC()
	month := time.Date(from.Year(), from.Month(), 1, 0, 0, 0, 0, time.UTC)
	if late := from.Add(-lateness); late.Before(month) {
		return late
	}
	return month
}

// newest is a heap of events, the newest on top.
type newest []entry

func (h newest) Len() int           { return len(h) }
func (h newest) Less(i, j int) bool { return newestFirst(h[i], h[j]) < 0 }
func (h newest) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *newest) Push(e any)        { *h = append(*h, e.(entry)) }
func (h *newest) Pop() any {
	last := len(*h) - 1
	e := (*h)[last]
	(*h)[last] = entry{}
	*h = (*h)[:last]
	return e
}

// emit gives away what is newer than a time, newest first.
func (h *newest) emit(than time.Time, give func(entry) error) error {
	for len(*h) > 0 && (*h)[0].At.After(than) {
		if err := give(heap.Pop(h).(entry)); err != nil {
			return err
		}
	}
	return nil
}

func newestFirst(a, b entry) int {
	return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.Session, b.Session), b.place-a.place)
}

// tail returns the last events, oldest first, for --follow to start with.
func (t trail) tail(ctx context.Context, printed printedEvents) ([]entry, error) {
	var entries []entry
	err := t.each(ctx, func(e entry) error {
		recent := printed.add(e)
		if most := t.wish.most; most == 0 || len(entries) < most {
			entries = append(entries, e)
		} else if !recent {
			return errEnough // the rest is older still
		}
		return nil
	})
	slices.Reverse(entries)
	return entries, err
}

// eventUserChoice is the name in `log --json` of the first event of a requestUserChoice, with the arguments that
// programs following the trail show on their own (docs/contract.md section 6).
const eventUserChoice = "user_choice_required"

// userChoice holds the question of a requestUserChoice, beside the event.
type userChoice struct {
	Question string                   `json:"question"`
	Options  []dialect.RequiredOption `json:"options"`
}

// asUserChoice names the event as such programs know it; every other event stays as it is.
func (e entry) asUserChoice(s queue.Session) entry {
	if question, options, ok := dialect.RequiredChoice(s); ok && e.Event == queue.EventAsked {
		e.Event, e.userChoice = eventUserChoice, &userChoice{Question: question, Options: options}
	}
	return e
}

// follow prints the last events, oldest first, then every new one as it is stored.
func (r *logRun) follow(ctx context.Context) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	q, err := r.sh.open()
	if err != nil {
		return err
	}
	r.wish.host = q.Host
	watcher, err := q.Store.Follow(ctx) // before the trail, so that nothing falls between
	if err != nil {
		return err
	}
	defer watcher.Close()
	printed := printedEvents{from: r.sh.now().Add(-time.Hour), ids: map[string]bool{}}
	entries, err := trail{r.sh, q, r.wish}.tail(ctx, printed)
	if err != nil {
		return err
	}
	for {
		if err := r.print(entries); err != nil {
			return err
		}
		changes, err := watcher.Next(ctx)
		if ctx.Err() != nil {
			return nil
		} else if err != nil && !outlasted(ctx, err) {
			return err
		}
		r.sh.warnBroken(changes.Broken)
		entries = r.fresh(ctx, q, changes, printed)
	}
}

func (r *logRun) print(entries []entry) error {
	var p page
	for _, e := range entries {
		if err := e.print(&p, r.wish); err != nil {
			return err
		}
	}
	return p.send(r.sh.out)
}

// fresh returns the events that a batch of changes adds to the trail, oldest first.
func (r *logRun) fresh(ctx context.Context, q *queue.Queue, changes queue.Changes, printed printedEvents) []entry {
	changed := changes.Sessions
	for _, id := range changes.Gone {
		if s, err := q.Store.Get(ctx, id); err == nil { // its last event came with the archive
			changed = append(changed, s)
		}
	}
	var out []entry
	for _, s := range changed {
		for _, e := range r.wish.entries(s.At(q.Now())) {
			if printed.add(e) {
				out = append(out, e)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b entry) int { return a.At.Compare(b.At) })
	return out
}

// printedEvents remembers what --follow has printed or passed over of late. What happened before it began is never
// new, however it comes to be read again.
type printedEvents struct {
	from time.Time
	ids  map[string]bool
}

// add notes an event, and reports whether it is a new one.
func (p printedEvents) add(e entry) bool {
	if e.At.Before(p.from) || p.ids[e.Session+e.id] {
		return false
	}
	p.ids[e.Session+e.id] = true
	return true
}

// startOfDay returns when the last day of this name began, in local time. The name may be today, yesterday, a weekday
// (of the week before where it is today), or a date such as 2026-11-20. Case does not matter.
func startOfDay(name string, now time.Time) (time.Time, bool) {
	name, now = strings.ToLower(name), now.Local()
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.Local)
	switch name {
	case "today":
		return today, true
	case "yesterday":
		return today.AddDate(0, 0, -1), true
	}
	if t, err := time.ParseInLocation(time.DateOnly, name, time.Local); err == nil {
		return t, true
	}
	for back := 1; back <= 7; back++ {
		day := today.AddDate(0, 0, -back)
		if len(name) >= 3 && strings.HasPrefix(strings.ToLower(day.Weekday().String()), name) {
			return day, true
		}
	}
	return time.Time{}, false
}
