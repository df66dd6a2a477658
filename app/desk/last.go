package desk

import (
	"slices"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// Last is the last event that a face shows: what was sent, and whether its agent has it, or a question that ended
// without the person.
type Last struct {
	ID        string
	Session   queue.Session // as it was sent
	Message   bool          // a line to an agent, not an answer
	At        time.Time
	Received  bool
	TakenBack bool           // a message that the person took back
	Unfetched bool           // a message that its agent never fetched
	Kept      bool           // nobody waits for the answer now; it is kept
	Lost      *queue.Session // a question that ended without the person, in place of all else
}

// Last is the last event.
func (d *Desk) Last() *Last { return &d.last }

// sent makes an answer or a cancel the last event.
func (l *Last) sent(s queue.Session) {
	*l = Last{ID: s.ID, Session: s, At: s.Outcome.At}
	l.follow(s)
}

// Said makes a line to an agent the last event.
func (d *Desk) Said(s queue.Session) {
	d.last = Last{ID: s.ID, Session: s, Message: true, At: s.AskedAt}
	d.last.follow(s)
}

// follow notes what became of it.
func (l *Last) follow(s queue.Session) {
	if s.ID != l.ID {
		return
	}
	if e, ok := s.Last(queue.EventCollected); ok {
		l.Received, l.At = true, e.At
	}
	if !s.IsMessage() || s.Outcome == nil {
		return
	}
	switch o := *s.Outcome; {
	case o.Status == queue.StatusDelivered && o.Surface == queue.SurfaceMCP:
		l.Received, l.At = true, o.At
	case o.Status == queue.StatusCancelled:
		l.TakenBack = true
	case o.Status == queue.StatusTimeout:
		l.Unfetched = true
	}
}

// lose makes a question that ended without the person the last event.
func (l *Last) lose(s queue.Session) {
	if s.Outcome.At.After(l.At) {
		*l = Last{Lost: &s, At: s.Outcome.At}
	}
}

// callerPresence notes whether the caller of what was answered last is there to receive it.
func (l *Last) callerPresence(d *Desk) {
	if s, ok := d.live.sessions[l.ID]; ok {
		l.Kept = !s.IsMessage() && !s.Bound() && s.Gone(d.Alive)
	}
}

// Today is what today's answers add up to.
type Today struct {
	date   string
	took   []time.Duration // of each answer to what was asked today
	last   *queue.Session  // the newest answer
	known  bool            // a session has existed
	counts map[string]bool // by session: it is counted
}

// Today is what this desk knows of today's answers.
func (d *Desk) Today() *Today { return &d.today }

// Add counts a settled session once, under the day it was asked, as statistics do.
func (t *Today) Add(s queue.Session) {
	if s.IsMessage() || s.Outcome == nil {
		return
	}
	t.known = true
	if !s.Outcome.Answered() || t.counts[s.ID] {
		return
	}
	if t.last == nil || s.Outcome.At.After(t.last.Outcome.At) {
		t.last = &s
	}
	asked := s.AskedAt.Local().Format(time.DateOnly)
	if asked < t.date {
		return
	}
	if asked > t.date {
		t.date, t.took, t.counts = asked, nil, map[string]bool{}
	}
	t.counts[s.ID] = true
	t.took = append(t.took, s.Took())
}

// Known reports whether any session ever ended here.
func (t *Today) Known() bool { return t.known }

// Last is the newest answer, and whether there is one.
func (t *Today) Last() (queue.Session, bool) {
	if t.last == nil {
		return queue.Session{}, false
	}
	return *t.last, true
}

// Took is how long each answer took to what was asked on the day of now.
func (t *Today) Took(now time.Time) []time.Duration {
	if t.date != now.Local().Format(time.DateOnly) {
		return nil
	}
	return t.took
}

// Median is how long half of the answers took at most to what was asked on the day of now: as statistics have it, a
// time that somebody really took.
func (t *Today) Median(now time.Time) time.Duration {
	sorted := slices.Sorted(slices.Values(t.Took(now)))
	if len(sorted) == 0 {
		return 0
	}
	return sorted[(len(sorted)-1)/2]
}
