package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/mcpbridge/agents"
	"github.com/choicetui/choicetui/mcpbridge/dialect"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/trail"
)

const (
	logScreen = 50       // events printed on a terminal unless -n says otherwise
	logTail   = 10       // earlier events with which --follow begins
	logBuffer = 64 << 10 // bytes that are collected before they are written
)

// logWish holds the flags of `choicetui log`.
type logWish struct {
	since, agent string
	most         int
	follow, json bool
	stats        bool
	from         time.Time // the time that since names; zero: no limit
	host         string    // this machine's name if agents may run on others
}

// logRun is one run of `choicetui log`.
type logRun struct {
	sh   *shell
	wish logWish
}

// reader returns the reader of the events that are wanted.
func (r *logRun) reader(ctx context.Context, q *queue.Queue) (trail.Reader, error) {
	live, err := r.sh.liveSessions(ctx, q)
	wants := func(o queue.Origin) bool { return matchesAgent(o, r.wish.agent) }
	return trail.Reader{Store: q.Store, Live: live, From: r.wish.from, Wants: wants}, err
}

func logCommand(sh *shell) *cobra.Command {
	r := logRun{sh: sh}
	cmd := &cobra.Command{
		Use:   "log",
		Short: "Show past questions and answers",
		Long: `log prints what happened to every question, newest first. With --follow it keeps
printing new events until Ctrl-C. With --stats it prints statistics instead:
questions per day, time to answer, outcomes, by agent.`,
		Example: `  choicetui log --since 24h
  choicetui log --since yesterday
  choicetui log --since 2026-11-01 --agent ` + agents.Example + ` --json`,
		Args: nothingElse,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return r.run(cmd.Context(), cmd.Flags().Changed("lines"))
		},
	}
	f, w := cmd.Flags(), &r.wish
	f.StringVar(&w.since, "since", "", "only events since `WHEN` (90m, 7d, yesterday, a date)")
	f.StringVar(&w.agent, "agent", "", "only agents whose name or directory contains `NAME`")
	f.IntVarP(&w.most, "lines", "n", 0, "at most `N` events, 0 for all (default: 50 in a terminal, else all)")
	f.BoolVar(&w.follow, "follow", false, "keep printing new events as they happen")
	f.BoolVar(&w.json, "json", false, "print JSON, one object per line (with --stats, a single one)")
	f.BoolVar(&w.stats, "stats", false, "print statistics instead of events")
	completeFlag(cmd, "agent", completeAgents(sh))
	often := []cobra.Completion{"1h", "today", "yesterday", "7d", "30d"}
	completeFlag(cmd, "since", cobra.FixedCompletions(often, inOrder))
	cmd.MarkFlagsMutuallyExclusive("stats", "follow")
	cmd.MarkFlagsMutuallyExclusive("stats", "lines")
	return cmd
}

// run prints the trail or its statistics. limited reports whether the person gave the number of events.
func (r *logRun) run(ctx context.Context, limited bool) (err error) {
	if r.wish.from, err = parseSince(r.wish.since, r.sh.now()); err != nil {
		return err
	}
	if r.wish.stats {
		return r.stats(ctx)
	}
	if !limited {
		r.wish.most = r.mostEvents()
	}
	if r.wish.most < 0 {
		return &failure{say: fmt.Sprintf("-n %d is not a number of events", r.wish.most), hint: "-n 0 shows all"}
	}
	if r.wish.follow {
		return r.follow(ctx)
	}
	return r.list(ctx)
}

// entry is one event of the trail, as `log --json` prints it.
type entry struct {
	Session string         `json:"session_id"`
	Title   string         `json:"title"`
	Event   string         `json:"event"`
	At      time.Time      `json:"at"`
	By      string         `json:"by"`
	Surface string         `json:"surface"`
	Person  string         `json:"person,omitempty"` // who did it, if several people share the queue
	Given   string         `json:"given,omitempty"`  // the agent that was given the link to the page; see queue.Command
	Detail  string         `json:"detail"`
	Outcome *queue.Outcome `json:"outcome,omitempty"` // only for a settled event
	*userChoice

	who, what, how string // the event in words; see say.Trail
}

// mostEvents returns how many events are printed by default; 0: all.
func (r *logRun) mostEvents() int {
	switch {
	case r.wish.follow:
		return logTail
	case !r.wish.json && isTerminal(r.sh.out):
		return logScreen
	}
	return 0
}

// noteNone says that there is nothing to print. A program that reads JSON sees it.
func (r *logRun) noteNone() {
	if !r.wish.json {
		r.sh.note("there are no events to show; choicetui list shows what is pending")
	}
}

// list prints the trail, newest first.
func (r *logRun) list(ctx context.Context) error {
	q, err := r.sh.openExisting()
	if errors.Is(err, errNoQueue) {
		r.noteNone()
		return nil
	} else if err != nil {
		return err
	}
	r.wish.host = q.Host
	reader, err := r.reader(ctx, q)
	if err != nil {
		return err
	}
	w := r.wish
	var p page
	printed, older := 0, false
	for e, err := range reader.Events(ctx) {
		if err != nil {
			return err
		}
		if older = w.most > 0 && printed == w.most; older {
			break
		}
		printed++
		if err := w.entry(e).print(&p, w); err != nil {
			return err
		}
		if p.Len() >= logBuffer {
			if err := p.send(r.sh.out); err != nil {
				return err
			}
			p.Reset()
		}
	}
	if printed == 0 {
		r.noteNone()
	}
	if older && w.most == logScreen {
		defer r.sh.note("older events are not shown; -n 0 shows all") // below the events
	}
	return p.send(r.sh.out)
}

// entry returns an event as it is printed.
func (w logWish) entry(event trail.Event) entry {
	s, e, names := *event.Session, event.Told(), queue.Names{Host: w.host}
	en := entry{
		Session: s.ID, Title: s.Ask.Title, Event: e.Kind, At: e.At.UTC(),
		By: e.By, Surface: e.Surface, Person: e.Person, Given: e.Given, Detail: e.Detail, who: names.Of(s.Origin),
	}
	if e.Kind == queue.EventSettled {
		en.Outcome = s.Outcome
	}
	if w.json {
		return en.asUserChoice(s)
	}
	en.Title = ink.Cut(say.Title(s.Ask), maxTitleCells, "…")
	if en.what, en.how = (say.Trail{Session: s}).Told(e); e.Kind == queue.EventSettled {
		en.how += writtenBeside(s)
	}
	return en
}

// mostBeside is the number of characters after which a note or comment is cut in the output of a command.
const mostBeside = 300

// writtenBeside returns what the person wrote beside an answer or a cancel, to follow its summary: the notes on its
// options, one of which may say why an approval was refused, and the comment on the whole.
func writtenBeside(s queue.Session) (words string) {
	if s.Outcome == nil {
		return ""
	}
	annotated := s.Outcome.Annotated()
	for _, q := range s.Ask.Questions {
		r, _ := annotated.Reply(q.ID)
		for _, o := range q.Options {
			switch note := r.Notes[o.ID]; {
			case queue.Blank(note), note == o.Note: // the agent wrote it
			case s.Ask.Kind == queue.KindApproval:
				words += ", “" + say.Short(note, mostBeside) + "”"
			default:
				words += "; note on " + say.OneLine(o.Label) + ": “" + say.Short(note, mostBeside) + "”"
			}
		}
	}
	if comment := annotated.Comment; !queue.Blank(comment) && comment != s.Ask.Comment {
		words += "; comment: “" + say.Short(comment, mostBeside) + "”"
	}
	return words
}

// matchesAgent reports whether an agent's name, client or directory contains part. An empty part matches every agent.
func matchesAgent(o queue.Origin, part string) bool {
	return part == "" || slices.ContainsFunc([]string{o.Name(), o.Client, o.Cwd}, func(n string) bool {
		return strings.Contains(strings.ToLower(n), strings.ToLower(part))
	})
}

// print prints the event as a row, or as a line of JSON.
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

// dateLayouts lists the accepted forms of a date with a local time.
var dateLayouts = []string{
	"2006-01-02 15:04", "2006-01-02T15:04", time.DateTime, "2006-01-02T15:04:05",
}

// parseSince reads the value of --since: a duration back from now (90m, 24h, 7d, 2w), a day by its name (yesterday,
// monday), or a date with or without a time, which is local unless it names a zone. An empty value returns the zero
// time.
func parseSince(s string, now time.Time) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if d, ok := parseDuration(s); ok {
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
	return time.Time{}, &failure{say: "--since " + quoted(s) + " is not a duration or a date",
		hint: "use 90m, 24h, 7d, yesterday, monday, 2026-11-20 or 2026-11-20T14:02"}
}

// parseDuration reads a duration in Go's syntax, and whole days and weeks too. A day has 24 hours here, even when the
// clock changes.
func parseDuration(s string) (time.Duration, bool) {
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

// lastEvents returns the last events, oldest first, with which --follow begins.
func (r *logRun) lastEvents(ctx context.Context, reader trail.Reader, printed printedEvents) ([]trail.Event, error) {
	var events []trail.Event
	for e, err := range reader.Events(ctx) {
		if err != nil {
			return nil, err
		}
		recent := printed.addEvent(e)
		if most := r.wish.most; most == 0 || len(events) < most {
			events = append(events, e)
		} else if !recent {
			break // all remaining events are older still
		}
	}
	slices.Reverse(events)
	return events, nil
}

// eventUserChoice is the name in `log --json` for the first event of a requestUserChoice. It carries the arguments that
// programs which follow the trail show on their own (docs/contract.md section 6).
const eventUserChoice = "user_choice_required"

// userChoice adds the question of a requestUserChoice to its event.
type userChoice struct {
	Question string                   `json:"question"`
	Options  []dialect.RequiredOption `json:"options"`
}

// asUserChoice returns the first event of a session that was asked with requestUserChoice under the name
// user_choice_required, together with the question. It returns any other event unchanged.
func (e entry) asUserChoice(s queue.Session) entry {
	if question, options, ok := dialect.RequiredChoice(s); ok && e.Event == queue.EventAsked {
		e.Event, e.userChoice = eventUserChoice, &userChoice{Question: question, Options: options}
	}
	return e
}

// follow prints the last events, oldest first, then each new event as it is stored.
func (r *logRun) follow(ctx context.Context) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	q, err := r.sh.openQueue()
	if err != nil {
		return err
	}
	r.wish.host = q.Host
	watcher, err := q.Store.Watch(ctx, queue.FewNews) // opened before the trail is read, so that no event is missed
	if err != nil {
		return err
	}
	defer watcher.Close()
	printed := printedEvents{from: r.sh.now().Add(-time.Hour), ids: map[string]bool{}}
	reader, err := r.reader(ctx, q)
	if err != nil {
		return err
	}
	events, err := r.lastEvents(ctx, reader, printed)
	if err != nil {
		return err
	}
	for {
		if err := r.print(events); err != nil {
			return err
		}
		changes, err := watcher.Next(ctx)
		if ctx.Err() != nil {
			return nil
		} else if err != nil && !waitForServer(ctx, err) {
			return err
		}
		r.sh.warnBroken(changes.Broken)
		events = newEvents(ctx, q, reader, changes, printed)
	}
}

// print prints events at once.
func (r *logRun) print(events []trail.Event) error {
	var p page
	for _, e := range events {
		if err := r.wish.entry(e).print(&p, r.wish); err != nil {
			return err
		}
	}
	return p.send(r.sh.out)
}

// newEvents returns the events that a batch of changes adds to the trail, oldest first.
func newEvents(ctx context.Context, q *queue.Queue, reader trail.Reader, changes queue.Changes,
	printed printedEvents) []trail.Event {
	changed := changes.Sessions
	for _, id := range changes.Gone {
		if s, err := q.Store.Get(ctx, id); err == nil { // it was archived, and its last event with it
			changed = append(changed, s)
		}
	}
	var out []trail.Event
	for _, s := range changed {
		for _, e := range reader.EventsOf(s.At(q.Now())) {
			if printed.addEvent(e) {
				out = append(out, e)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b trail.Event) int { return a.Told().At.Compare(b.Told().At) })
	return out
}

// printedEvents remembers the recent events that --follow has printed or skipped. Events from before it began never
// count as new, even if they are read again.
type printedEvents struct {
	from time.Time
	ids  map[string]bool
}

// addEvent remembers an event, and reports whether it is new.
func (p printedEvents) addEvent(e trail.Event) bool {
	told := e.Told()
	id := e.Session.ID + told.ID
	if told.At.Before(p.from) || p.ids[id] {
		return false
	}
	p.ids[id] = true
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
