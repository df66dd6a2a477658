package desk

import (
	"time"

	"github.com/choicetui/choicetui/queue"
)

// live holds the queue as last seen: its live sessions, the order of the pending ones, and who runs.
type live struct {
	presence
	only     string // the id of the one session that is shown here; empty: all are
	queue    *queue.Queue
	sessions map[string]*queue.Session // replaced and never changed, because waiting points to them
	waiting  []queue.Waiting           // in queue order, as of the last change
	withTeam bool                      // a team was asked about one of them
	names    queue.Names
	notices  []queue.Presence // the agents that need the person in their own panes
	putAway  map[string]bool  // by instance: the notices that the person does not want to see any more
	// when the order next changes: the soonest deadline, or when a question that was set aside comes back
	nextEnd time.Time
	stale   bool          // waiting must be computed again
	loaded  bool          // the first batch has come
	came    chan struct{} // closed when the first batch has come
}

func newLive(o Options) live {
	return live{presence: presence{own: o.Instance, lists: map[string][]queue.Presence{}},
		only: o.onlySession(), queue: o.Queue,
		sessions: map[string]*queue.Session{}, putAway: map[string]bool{}, came: make(chan struct{})}
}

// Loaded reports whether the queue has been read.
func (l *live) Loaded() bool { return l.loaded }

// Waiting returns all pending questions in queue order.
func (l *live) Waiting() []queue.Waiting { return l.waiting }

// Gone returns the number of pending questions whose caller is gone; they come last in the order.
func (l *live) Gone() (n int) {
	for n < len(l.waiting) && l.waiting[len(l.waiting)-1-n].Standing == queue.StandingGone {
		n++
	}
	return n
}

// Session returns a live session in its last known state, and whether there is one with this id.
func (l *live) Session(id string) (queue.Session, bool) {
	if s, ok := l.sessions[id]; ok {
		return *s, true
	}
	return queue.Session{}, false
}

// Sessions calls see with every live session, in no particular order.
func (l *live) Sessions(see func(queue.Session)) {
	for _, s := range l.sessions {
		see(*s)
	}
}

// Name returns an agent's name as the list of pending questions shows it. Agents with the same name are told apart.
func (l *live) Name(o queue.Origin) string { return l.names.Of(o) }

// keepSession stores the newest state of a session.
func (l *live) keepSession(s queue.Session) { l.sessions[s.ID], l.stale = &s, true }

// dropSession forgets a session that left the queue, and returns its last known state.
func (l *live) dropSession(id string) (was queue.Session) {
	was, _ = l.Session(id)
	delete(l.sessions, id)
	l.stale = true
	return was
}

// notePresent replaces the list of a host's running processes, and the notices of agents. It returns the processes of
// all hosts.
func (l *live) notePresent(host string, list []queue.Presence) (all []queue.Presence) {
	all = l.presence.noteProcesses(host, list)
	l.notices = queue.NoticesAmong(all)
	l.stale = true
	return all
}

// Notices returns the agents that need the person in their own panes, except those that were put away here. Such an
// agent cannot be answered from here.
func (l *live) Notices() (notices []queue.Presence) {
	if l.only != "" || len(l.notices) == 0 {
		return nil
	}
	for _, n := range l.notices {
		if !l.putAway[n.Instance] {
			notices = append(notices, n)
		}
	}
	return notices
}

// Needed counts the notices of agents that need the person now.
func (l *live) Needed() int {
	if len(l.notices) == 0 {
		return 0
	}
	return queue.NeededAmong(l.Notices())
}

// PutAway removes notices from the list of this process.
func (l *live) PutAway(notices ...queue.Presence) {
	for _, n := range notices {
		l.putAway[n.Instance] = true
	}
	l.stale = true
}

// Calls returns everything that Alerts should tell a person who is looking elsewhere: the pending questions, and the
// agents that ask in their own panes. An agent that only waits for its next prompt is left out. The caller must not
// change the result.
func (l *live) Calls() []queue.Waiting {
	calls := l.waiting[:len(l.waiting):len(l.waiting)] // append then copies, and only if there is a notice
	for _, n := range l.Notices() {
		if n.Notice.Idle {
			continue
		}
		o := *n.Origin
		o.Source = n.Instance // an Origin with a Source is that of an agent's own prompt
		calls = append(calls, queue.Waiting{Session: &queue.Session{ID: n.Instance, Origin: o,
			Ask: queue.Ask{Kind: queue.KindNotice, Title: n.Notice.Says}, Events: []queue.Event{{At: n.Notice.At}}}})
	}
	return calls
}

// outdated reports whether the order of the pending questions has to be computed again.
func (l *live) outdated(now time.Time) bool {
	return l.stale || !l.nextEnd.IsZero() && !now.Before(l.nextEnd)
}

// orderWaiting sorts the pending questions again. It returns the sessions that timed out since the last call and whose
// end is not stored.
func (l *live) orderWaiting(now time.Time) (ended []queue.Session) {
	for i := range l.waiting {
		s, ok := l.sessions[l.waiting[i].ID]
		if !ok || s.Outcome != nil || s.At(now).Pending() {
			continue
		}
		over := s.At(now)
		l.sessions[s.ID] = &over
		ended = append(ended, over)
	}
	l.waiting = queue.WaitingAmong(l.countedSessions, l.aliveElsewhere, l.queue.Person, now)
	l.stale, l.nextEnd, l.names, l.withTeam = false, time.Time{}, queue.Names{Host: l.queue.Host}, false
	for _, n := range l.notices {
		l.names.Add(*n.Origin)
	}
	for i := range l.waiting {
		w := &l.waiting[i]
		l.names.Add(w.Origin)
		l.withTeam = l.withTeam || w.Widen != nil
		l.reorderAt(w.Deadline)
		if back, aside := w.AsideUntil(now); aside {
			l.reorderAt(back)
		}
	}
	return ended
}

// countedSessions yields the live sessions that are shown here.
func (l *live) countedSessions(yield func(*queue.Session) bool) {
	for id, s := range l.sessions {
		if (l.only == "" || id == l.only) && !yield(s) {
			return
		}
	}
}

// reorderAt makes the order of the queue be computed again when t has come. A zero t does nothing.
func (l *live) reorderAt(t time.Time) {
	if !t.IsZero() && (l.nextEnd.IsZero() || t.Before(l.nextEnd)) {
		l.nextEnd = t
	}
}

// abandoned returns the questions that end with their call (see queue.Session.EndsWithCall) whose caller is gone:
// nobody can collect their answers, so nobody should write them. It also returns the lines to agents that may or may
// not have arrived, because the process that was writing them died.
func (l *live) abandoned() (gone []queue.Session) {
	for _, s := range l.sessions {
		if s.Outcome == nil && s.EndsWithCall() && s.Gone(l.Alive) || s.Unsure(l.Alive) {
			gone = append(gone, *s)
		}
	}
	return gone
}

// closing counts the questions that keep chat closed: all pending ones, except those whose caller has been gone for a
// minute (docs/design.md section 4, rule 6).
type closing struct {
	live  *live
	now   func() time.Time
	gone  map[string]time.Time // by question: since when its caller is gone; nil: the queue was not seen yet
	known bool                 // n and first are up to date, but only before until
	n     int
	first queue.Session
	until time.Time
}

// noteGone notes since when the callers of pending questions have been gone.
func (c *closing) noteGone(now time.Time) {
	gone := map[string]time.Time{}
	for i := range c.live.waiting {
		w := &c.live.waiting[i]
		if !w.Gone(c.live.Alive) {
			continue
		}
		since, known := c.gone[w.ID]
		switch {
		case known:
		case c.gone == nil || w.DroppedAt != nil: // the caller left before this desk looked: the session says when
			since = w.GoneSince()
		default:
			since = now
		}
		gone[w.ID] = since
	}
	c.gone, c.known = gone, false
}

// Closing returns the number of questions that keep chat closed, and the most urgent of them. It computes them again
// only after the queue has changed or the time nextOpening has come.
func (c *closing) Closing() (n int, first queue.Session) {
	now := c.now()
	if c.known && (c.until.IsZero() || now.Before(c.until)) {
		return c.n, c.first
	}
	c.known, c.n, c.first, c.until = true, 0, queue.Session{}, time.Time{}
	if len(c.gone) > 0 {
		c.until = c.nextOpening(now)
	}
	since := func(s queue.Session) time.Time { return c.gone[s.ID] }
	for i := range c.live.waiting {
		if w := &c.live.waiting[i]; w.ClosesChat(c.live.Alive, since, now) {
			if c.n++; c.n == 1 {
				c.first = *w.Session
			}
		}
	}
	return c.n, c.first
}

// nextOpening returns when the next caller will have been gone for a minute, so that its question no longer closes
// chat. Zero: never.
func (c *closing) nextOpening(now time.Time) (next time.Time) {
	for _, since := range c.gone {
		if at := since.Add(queue.GoneGrace); at.After(now) && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	return next
}
