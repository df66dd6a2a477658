package cli

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// maxTitleCells is the width limit of a title in the table of list.
const maxTitleCells = 60

func listCommand(sh *shell) *cobra.Command {
	var asJSON, hosts bool
	var only agentFilter
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List pending questions",
		Long: `list shows the pending questions, soonest deadline first. Below them
are questions that can wait because you set them aside, the team has them, their
agent has disconnected, or they are open in choicetui attach. The last lines
name agents that need you in their own panes; they are not in the JSON. --hosts
asks the hosts of choicetui remote too, which can take a few seconds.`,
		Args: nothingElse,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return list(cmd.Context(), sh, only, asJSON, hosts)
		},
	}
	only.addFlags(cmd, sh)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array, [] if nothing is pending")
	cmd.Flags().BoolVar(&hosts, "hosts", false, "also list questions from other hosts")
	return cmd
}

// list prints the pending questions. Without a queue it prints that nothing is pending. hosts: it asks the other hosts
// too.
func list(ctx context.Context, sh *shell, only agentFilter, asJSON, hosts bool) error {
	var l listed
	q, notes, err := openForList(ctx, sh, hosts)
	now := sh.now
	if err == nil {
		now = q.Now
		l, err = readList(ctx, sh, q, only)
	}
	if err != nil && !errors.Is(err, errNoQueue) {
		return err
	}
	if l.notes = notes; asJSON && hosts {
		for _, n := range notes {
			sh.note("%s", n)
		}
	}
	return printAs(sh.out, asJSON, listEntries(l.pending, l.who, now()), func(p *page) { listTable(p, l, now()) })
}

// openForList opens the queue, with hosts joined with those of the other hosts. notes says which hosts could not be
// reached or, without hosts, that there are others.
func openForList(ctx context.Context, sh *shell, hosts bool) (q *queue.Queue, notes []string, err error) {
	if hosts {
		if q, err = sh.openQueue(); err == nil {
			notes, err = sh.joinAll(ctx, q)
		}
		return q, notes, err
	}
	if others := slices.Sorted(maps.Keys(sh.settings().Settings().Remotes)); len(others) > 0 {
		notes = []string{"Questions on " + say.AllOf(others) +
			" are not listed; choicetui list --hosts asks there too."}
	}
	q, err = sh.openExisting()
	return q, notes, err
}

// readList reads the pending questions, the agents that need the person in their own panes, and the people who are
// answering now. It reads the running processes once for all of that.
func readList(ctx context.Context, sh *shell, q *queue.Queue, only agentFilter) (listed, error) {
	pending, present, err := sh.pendingQuestions(ctx, q)
	if err != nil {
		return listed{}, err
	}
	l := listed{host: q.Host, needed: queue.NoticesAmong(present)}
	l.pending = slices.DeleteFunc(pending, func(w queue.Waiting) bool { return !only.matches(w.Origin) })
	l.needed = slices.DeleteFunc(l.needed, func(n queue.Presence) bool { return !only.matches(*n.Origin) })
	l.who = answeringNow(ctx, q, queue.RunningAmong(present), l.pending)
	return l, nil
}

// listEntry is one question in `list --json`.
type listEntry struct {
	ID         string       `json:"id"`
	Title      string       `json:"title"`
	Status     string       `json:"status"`
	AskedAt    time.Time    `json:"asked_at"`
	Deadline   *time.Time   `json:"deadline"`              // null: the clock is stopped
	LaterUntil *time.Time   `json:"later_until,omitempty"` // until when the person has put it off
	Gone       bool         `json:"gone"`                  // whether no caller waits for it
	Attached   bool         `json:"attached"`              // whether a hand-off form has it open
	Perhaps    string       `json:"perhaps,omitempty"`     // the place where it was perhaps answered
	Audience   []string     `json:"audience,omitempty"`    // the people it is meant for; absent: anybody
	Answering  []string     `json:"answering,omitempty"`   // the people who are answering it now
	Origin     queue.Origin `json:"origin"`
}

// listEntries returns the questions for JSON. who names the people who are answering each of them.
func listEntries(pending []queue.Waiting, who map[string][]string, now time.Time) []listEntry {
	all := []listEntry{}
	for _, w := range pending {
		one := listEntry{
			ID: w.ID, Title: w.Ask.Title, Status: statusWord(*w.Session), AskedAt: w.AskedAt,
			Deadline: deadlineOf(*w.Session), Gone: w.Standing == queue.StandingGone,
			Attached: w.Standing == queue.StandingAttached, Origin: w.Origin,
			Perhaps: w.Perhaps, Audience: w.Ask.Audience, Answering: who[w.ID],
		}
		if until, aside := w.AsideUntil(now); aside {
			one.LaterUntil = &until
		}
		all = append(all, one)
	}
	return all
}

// listed is the content of the table of list.
type listed struct {
	pending []queue.Waiting
	needed  []queue.Presence    // the agents that need the person in their own panes
	who     map[string][]string // by question: the people who are answering it
	host    string              // name of this machine, if several share the queue; else empty
	notes   []string            // about other hosts
}

// listTable prints a row for each question, and below them the agents that need the person, and the notes.
func listTable(p *page, l listed, now time.Time) {
	if len(l.pending) == 0 {
		p.line("%s", say.NothingPendingLine(queue.NeededAmong(l.needed)))
	}
	titles, ids := make([]string, len(l.pending)), make([]string, len(l.pending))
	names := queue.Names{Host: l.host}
	for _, n := range l.needed {
		names.Add(*n.Origin)
	}
	for i, w := range l.pending {
		titles[i], ids[i] = say.Title(w.Ask), w.ID
		names.Add(w.Origin)
	}
	width, idWidth := widest(maxTitleCells, titles...), widest(maxTitleCells, ids...)
	for _, w := range l.pending {
		agent := names.Of(w.Origin)
		if idle := say.Idle(w, say.OnCommand); idle != "" {
			agent += ", " + idle
		}
		if words, _ := say.Answering(l.who[w.ID]); words != "" {
			agent += ", " + words
		}
		p.line("%s  %5s  %s  %s",
			column(w.ID, idWidth), timeLeft(*w.Session, now), column(say.Title(w.Ask), width), agent)
	}
	for _, n := range l.needed {
		p.line("%s", say.NoticeLine(n, names.Of(*n.Origin), now))
	}
	for _, n := range l.notes {
		p.line("%s", n)
	}
}

// timeLeft returns the time left in at most five cells; - if none is shown, see Session.HasClock.
func timeLeft(s queue.Session, now time.Time) string {
	if !s.HasClock() {
		return "-"
	}
	return say.Left(s.Deadline.Sub(now))
}

// deadlineOf returns a session's deadline; nil: it has none at the moment.
func deadlineOf(s queue.Session) *time.Time {
	if s.Deadline.IsZero() {
		return nil
	}
	d := s.Deadline.UTC()
	return &d
}

// agentFilter selects the questions of some agents or of one project. The zero agentFilter selects all questions.
type agentFilter struct{ agent, project string }

// addFlags adds the flags --agent and --project to a command.
func (w *agentFilter) addFlags(cmd *cobra.Command, sh *shell) {
	cmd.Flags().StringVar(&w.agent, "agent", "", "only questions from agents whose client or directory contains `NAME`")
	cmd.Flags().StringVar(&w.project, "project", "", "only questions from agents whose directory contains `NAME`")
	completeFlag(cmd, "agent", completeAgents(sh))
}

// matches reports whether the questions of an agent are selected.
func (w agentFilter) matches(o queue.Origin) bool {
	return matchesAgent(o, w.agent) && strings.Contains(strings.ToLower(o.Cwd), strings.ToLower(w.project))
}

// readsAtOnce limits how many drafts are read at the same time, because a server may be far away.
const readsAtOnce = 16

// answeringNow lists, by question, the people who are answering it now, if several people share the queue. It returns
// nil if the drafts cannot be read: the server may not let an agent's credentials read them.
func answeringNow(ctx context.Context, q *queue.Queue, runs func(string) bool, pending []queue.Waiting,
) map[string][]string {
	if q.Person == "" || len(pending) == 0 {
		return nil
	}
	all := map[string][]string{}
	first, err := q.Drafts(ctx, pending[0].ID)
	if err != nil {
		return nil
	}
	all[pending[0].ID] = desk.AnsweringIn(first, runs, q.Now())
	var mu sync.Mutex
	var reads errgroup.Group
	reads.SetLimit(readsAtOnce)
	for _, w := range pending[1:] {
		reads.Go(func() error {
			drafts, _ := q.Drafts(ctx, w.ID) // a draft that cannot be read is left out
			mu.Lock()
			defer mu.Unlock()
			all[w.ID] = desk.AnsweringIn(drafts, runs, q.Now())
			return nil
		})
	}
	_ = reads.Wait()
	return all
}
