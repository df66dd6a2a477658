package cli

import (
	"cmp"
	"container/heap"
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

	id, who   string
	what, how string // the event in words; see say.Trail
	index     int    // the index among its session's events, which orders events of the same millisecond
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

// list prints the trail, newest first.
func (r *logRun) list(ctx context.Context) error {
	q, err := r.sh.openExisting()
	if errors.Is(err, errNoQueue) {
		return nil
	} else if err != nil {
		return err
	}
	r.wish.host = q.Host
	w := r.wish
	var p page
	printed, older := 0, false
	err = trail{r.sh, q, w}.eachEvent(ctx, func(e entry) error {
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
		defer r.sh.note("older events are not shown; -n 0 shows all") // below the events
	}
	return p.send(r.sh.out)
}

// entries returns the wanted events of a session, oldest first.
func (w logWish) entries(s queue.Session) []entry {
	if !matchesAgent(s.Origin, w.agent) {
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
			id: e.ID, who: names.Of(s.Origin), index: i,
		}
		if e.Kind == queue.EventSettled {
			en.Outcome = s.Outcome
		}
		if w.json {
			en = en.asUserChoice(s)
		} else {
			en.Title = ink.Cut(say.Title(s.Ask), maxTitleCells, "…")
			if en.what, en.how = (say.Trail{Session: s}).Told(e); e.Kind == queue.EventSettled {
				en.how += writtenBeside(s)
			}
		}
		out = append(out, en)
	}
	return out
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

const (
	historyPage = 256 // archived sessions read at once
	boundedPage = 64  // the same with --since: fewer, since up to a page too many may be read

	// lateness is how long after a session was settled it may still get an event, as long as some choicetui process
	// runs: an answer that nobody collected expires after queue.KeptFor. Events of this time span are held back to be
	// sorted. A later event (no choicetui ran for days) is printed when its session is reached.
	lateness = 2 * queue.KeptFor
)

// errEnough ends the reading of the trail early. It is no failure.
var errEnough = errors.New("enough")

// trail reads the events of a queue that are wanted.
type trail struct {
	sh   *shell
	q    *queue.Queue
	wish logWish
}

// eachSession passes each session to take once: the live sessions, then the archived ones, newest first. It stops early
// when take returns errEnough. It keeps no session in memory that take does not keep.
func (t trail) eachSession(ctx context.Context, take func(s queue.Session, archived bool) error) error {
	live, err := t.sh.liveSessions(ctx, t.q)
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
			if seen[s.ID] { // it was archived meanwhile
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

// unlessEnough returns the error, or nil for errEnough.
func unlessEnough(err error) error {
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// eachEvent passes every wanted event to emit, newest first, until emit returns errEnough. Without --since it reads the
// whole history, else as far as readsBackTo. A session can get an event long after it was settled (lateness). So
// eachEvent holds events back until no session that it has not read yet can have a newer one.
func (t trail) eachEvent(ctx context.Context, emit func(entry) error) error {
	var held newest
	back := t.wish.readsBackTo()
	err := t.eachSession(ctx, func(s queue.Session, archived bool) error {
		if archived && s.Outcome != nil && s.Outcome.At.Before(back) {
			return errEnough
		}
		for _, e := range t.wish.entries(s) {
			heap.Push(&held, e)
		}
		if !archived || s.Outcome == nil {
			return nil
		}
		return held.emitNewer(s.Outcome.At.Add(lateness), emit)
	})
	if err == nil {
		err = unlessEnough(held.emitNewer(time.Time{}, emit))
	}
	return err
}

// readsBackTo returns the time to which the archive must be read for --since: the start of that month, because the
// archive is stored by month, or earlier by as much as an event may be late.
func (w logWish) readsBackTo() time.Time {
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

// newest is a heap of events with the newest event on top.
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

// emitNewer removes the events that are newer than a time from the heap, and passes them on, newest first.
func (h *newest) emitNewer(than time.Time, give func(entry) error) error {
	for len(*h) > 0 && (*h)[0].At.After(than) {
		if err := give(heap.Pop(h).(entry)); err != nil {
			return err
		}
	}
	return nil
}

// newestFirst compares two events, so that the newer one comes first.
func newestFirst(a, b entry) int {
	return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.Session, b.Session), b.index-a.index)
}

// lastEvents returns the last events, oldest first, with which --follow begins.
func (t trail) lastEvents(ctx context.Context, printed printedEvents) ([]entry, error) {
	var entries []entry
	err := t.eachEvent(ctx, func(e entry) error {
		recent := printed.addEvent(e)
		if most := t.wish.most; most == 0 || len(entries) < most {
			entries = append(entries, e)
		} else if !recent {
			return errEnough // all remaining events are older still
		}
		return nil
	})
	slices.Reverse(entries)
	return entries, err
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
	entries, err := trail{r.sh, q, r.wish}.lastEvents(ctx, printed)
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
		} else if err != nil && !waitForServer(ctx, err) {
			return err
		}
		r.sh.warnBroken(changes.Broken)
		entries = r.newEvents(ctx, q, changes, printed)
	}
}

// print prints events at once.
func (r *logRun) print(entries []entry) error {
	var p page
	for _, e := range entries {
		if err := e.print(&p, r.wish); err != nil {
			return err
		}
	}
	return p.send(r.sh.out)
}

// newEvents returns the events that a batch of changes adds to the trail, oldest first.
func (r *logRun) newEvents(ctx context.Context, q *queue.Queue, changes queue.Changes, printed printedEvents) []entry {
	changed := changes.Sessions
	for _, id := range changes.Gone {
		if s, err := q.Store.Get(ctx, id); err == nil { // it was archived, and its last event with it
			changed = append(changed, s)
		}
	}
	var out []entry
	for _, s := range changed {
		for _, e := range r.wish.entries(s.At(q.Now())) {
			if printed.addEvent(e) {
				out = append(out, e)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b entry) int { return a.At.Compare(b.At) })
	return out
}

// printedEvents remembers the recent events that --follow has printed or skipped. Events from before it began never
// count as new, even if they are read again.
type printedEvents struct {
	from time.Time
	ids  map[string]bool
}

// addEvent remembers an event, and reports whether it is new.
func (p printedEvents) addEvent(e entry) bool {
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

const (
	statsTableDays   = 14
	statsTableAgents = 20
)

// stats adds up the events that the trail would list. It reads one session after the other and keeps only the numbers.
func (r *logRun) stats(ctx context.Context) error {
	w := r.wish
	tally := queue.NewTally(w.from, time.Local)
	q, err := r.sh.openExisting()
	if err == nil {
		err = trail{r.sh, q, w}.eachSession(ctx, func(s queue.Session, archived bool) error {
			if archived && s.Outcome != nil && s.Outcome.At.Before(w.from) {
				return errEnough // all older sessions were asked before that time too
			}
			if matchesAgent(s.Origin, w.agent) {
				tally.Add(s)
			}
			return nil
		})
	}
	if err != nil && !errors.Is(err, errNoQueue) {
		return err
	}
	return printAs(r.sh.out, w.json, tally.Stats(), func(p *page) { statsTable(p, tally.Stats()) })
}

// statsTable prints the statistics for a person.
func statsTable(p *page, v queue.Stats) {
	if v.Asked == 0 {
		p.line("No questions were asked.")
		return
	}
	p.line("%s asked, %s answered, %s waiting", say.Number(v.Asked), say.Number(v.Answer.Answered),
		say.Number(v.Waiting))
	if v.Answer.Answered > 0 {
		p.line("median %s, 90%% within %s", answerTime(v.Answer.Median), answerTime(v.Answer.P90))
	}
	p.line("")
	p.line("how they ended")
	printEndings(p, v.Outcomes)
	p.line("")
	if n := len(v.Days); n > statsTableDays {
		p.line("the last %d of %d days with a question; --json lists all", statsTableDays, n)
	}
	p.line("by day           asked  answered  median  90%% within")
	for _, d := range v.Days[max(len(v.Days)-statsTableDays, 0):] {
		p.line("  %s %9s %9s %7s %11s", d.Date, say.Number(d.Asked), say.Number(d.Answered),
			answerTimeOf(d.Answered, d.Median), answerTimeOf(d.Answered, d.P90))
	}
	names := make([]string, len(v.Agents))
	for i, a := range v.Agents {
		names[i] = a.Agent
	}
	width := max(widest(36, names...), 10)
	p.line("")
	p.line("%s     asked  answered  median  90%% within", column("by agent", width+2))
	for i, a := range v.Agents {
		if i == statsTableAgents {
			p.line("  and %d more; --json lists all", len(v.Agents)-i)
			return
		}
		p.line("  %s %9s %9s %7s %11s", column(a.Agent, width), say.Number(a.Asked), say.Number(a.Answered),
			answerTimeOf(a.Answered, a.Median), answerTimeOf(a.Answered, a.P90))
	}
}

// printEndings prints how often questions ended in each way. A rare ending is printed only if it occurred.
func printEndings(p *page, outcomes []queue.OutcomeStats) {
	for _, o := range outcomes {
		if e := queue.EndingNamed(o.Outcome); o.Count > 0 || !e.Rare {
			p.line("  %-14s %8s  %5.1f%%", cmp.Or(e.Counted, e.Word), say.Number(o.Count), 100*o.Share)
		}
	}
}

// answerTimeOf returns a time to answer, or - if nothing was answered.
func answerTimeOf(answered int, s queue.Seconds) string {
	if answered == 0 {
		return "-"
	}
	return answerTime(s)
}

// answerTime returns a time to answer in whole seconds: 0:09, 12:30, 2:05:00.
func answerTime(s queue.Seconds) string { return say.Clock(time.Duration(s).Truncate(time.Second)) }
