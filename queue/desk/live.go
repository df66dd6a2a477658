package desk

import (
	"time"

	"github.com/choicetui/choicetui/queue"
)

// live holds the queue as it was last seen: its live sessions, the order of the pending ones, and who runs.
type live struct {
	presence
	only     string // the one session that counts here; empty: all
	queue    *queue.Queue
	sessions map[string]*queue.Session // never changed, but replaced: waiting shares them
	waiting  []queue.Waiting           // in queue order, as of the last change
	names    queue.Names
	notices  []queue.Presence // of agents that need the person in their own panes
	away     map[string]bool  // by instance: those that the person put away
	nextEnd  time.Time        // the soonest deadline of all that wait, or when one that was set aside is back
	stale    bool             // waiting must be computed again
	loaded   bool             // the first batch has come
	came     chan struct{}    // closed then
}

func newLive(o Options) *live {
	return &live{presence: presence{own: o.Instance}, only: o.only(), queue: o.Queue,
		sessions: map[string]*queue.Session{}, away: map[string]bool{}, came: make(chan struct{})}
}

// Loaded reports whether the queue was read once.
func (l *live) Loaded() bool { return l.loaded }

// Waiting returns all pending questions in queue order, as of the last change.
func (l *live) Waiting() []queue.Waiting { return l.waiting }

// Gone counts those that wait for nobody; they come last.
func (l *live) Gone() (n int) {
	for n < len(l.waiting) && l.waiting[len(l.waiting)-1-n].Standing == queue.StandingGone {
		n++
	}
	return n
}

// Session returns a live session as it was last seen, and whether there is one.
func (l *live) Session(id string) (queue.Session, bool) {
	if s, ok := l.sessions[id]; ok {
		return *s, true
	}
	return queue.Session{}, false
}

// Sessions gives every live session to see, in no order.
func (l *live) Sessions(see func(queue.Session)) {
	for _, s := range l.sessions {
		see(*s)
	}
}

// Name returns an agent's name in the list of pending questions. It tells two agents with the same name apart.
func (l *live) Name(o queue.Origin) string { return l.names.Of(o) }

// keep notes the newest state of a session.
func (l *live) keep(s queue.Session) { l.sessions[s.ID], l.stale = &s, true }

// drop forgets a session that left the queue, and returns its last known state.
func (l *live) drop(id string) (was queue.Session) {
	was, _ = l.Session(id)
	delete(l.sessions, id)
	l.stale = true
	return was
}

// notePresent notes the processes that run.
func (l *live) notePresent(list []queue.Presence) {
	l.presence.note(list)
	l.notices = queue.NoticesAmong(list)
	l.stale = true
}

// Notices returns the agents that need the person in their own panes, without those that were put away here. Nothing
// waits here for an answer to them.
func (l *live) Notices() (notices []queue.Presence) {
	if l.only != "" {
		return nil
	}
	for _, n := range l.notices {
		if !l.away[n.Instance] {
			notices = append(notices, n)
		}
	}
	return notices
}

// PutAway takes notices off the list of this process.
func (l *live) PutAway(notices ...queue.Presence) {
	for _, n := range notices {
		l.away[n.Instance] = true
	}
	l.stale = true
}

// Calls returns what calls a person who looks elsewhere: the pending questions, and the agents that ask something in
// their own panes. An agent that only waits for the next prompt calls nobody. The result must not be changed.
func (l *live) Calls() []queue.Waiting {
	calls := l.waiting[:len(l.waiting):len(l.waiting)] // without a notice nothing is copied
	for _, n := range l.Notices() {
		if n.Notice.Idle {
			continue
		}
		o := *n.Origin
		o.Source = n.Instance // its prompt is on its own screen
		calls = append(calls, queue.Waiting{Session: &queue.Session{ID: n.Instance, Origin: o,
			Ask: queue.Ask{Kind: queue.KindNotice, Title: n.Notice.Says}, Events: []queue.Event{{At: n.Notice.At}}}})
	}
	return calls
}

// outdated reports whether the order of the pending questions has to be computed again.
func (l *live) outdated(now time.Time) bool {
	return l.stale || !l.nextEnd.IsZero() && !now.Before(l.nextEnd)
}

// order computes the order of the pending questions again. It returns those that the clock has ended since the last
// time and whose end nobody has stored.
func (l *live) order(now time.Time) (ended []queue.Session) {
	for i := range l.waiting {
		s, ok := l.sessions[l.waiting[i].ID]
		if !ok || s.Outcome != nil || s.At(now).Pending() {
			continue
		}
		over := s.At(now)
		l.sessions[s.ID] = &over
		ended = append(ended, over)
	}
	l.waiting = queue.WaitingAmong(l.counted, l.aliveElsewhere, l.queue.Person, now)
	l.stale, l.nextEnd, l.names = false, time.Time{}, queue.Names{Host: l.queue.Host}
	for _, n := range l.notices {
		l.names.Add(*n.Origin)
	}
	for i := range l.waiting {
		w := &l.waiting[i]
		l.names.Add(w.Origin)
		l.endsAt(w.Deadline)
		if back, aside := w.AsideUntil(now); aside {
			l.endsAt(back)
		}
	}
	return ended
}

// counted yields the live sessions that count here.
func (l *live) counted(yield func(*queue.Session) bool) {
	for id, s := range l.sessions {
		if (l.only == "" || id == l.only) && !yield(s) {
			return
		}
	}
}

// endsAt has the order computed again at a time; zero: never.
func (l *live) endsAt(t time.Time) {
	if !t.IsZero() && (l.nextEnd.IsZero() || t.Before(l.nextEnd)) {
		l.nextEnd = t
	}
}

// abandoned returns the questions that belong to one call whose caller is gone: nobody can collect their answer, so
// nobody should write one. It also returns the lines that may or may not have arrived, because their agent is gone.
func (l *live) abandoned() (gone []queue.Session) {
	for _, s := range l.sessions {
		if s.Outcome == nil && s.Bound() && s.Gone(l.Alive) || s.Unsure(l.Alive) {
			gone = append(gone, *s)
		}
	}
	return gone
}
