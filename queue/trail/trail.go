// Package trail reads what became of past questions: the pages of the history for whoever looks back, every session
// once for the statistics, and every event, newest first, for the audit trail.
//
//	Store.History ─► Pages ─┬─► the history's page, today's answers, the copy of a queue
//	sessions not archived ──┴─► Reader.Sessions ─┬─► Tally
//	                                             └─► Reader.Events
package trail

import (
	"cmp"
	"container/heap"
	"context"
	"iter"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// Page is a page of the history.
type Page struct {
	Sessions []queue.Session // newest outcome first
	Cursor   string          // Pages begins with this page if it gets this cursor
	Next     string          // the cursor of the next page; empty: there is none
}

// Pages reads the history, newest outcome first, from a cursor on. An empty cursor begins with the newest session. An
// error ends it.
func Pages(
	ctx context.Context, store queue.Store, cursor string, size int, fields queue.Fields,
) iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		for {
			p := Page{Cursor: cursor}
			var err error
			if p.Sessions, p.Next, err = store.History(ctx, cursor, size, fields); err != nil {
				yield(Page{}, err)
				return
			}
			if !yield(p, nil) || p.Next == "" {
				return
			}
			cursor = p.Next
		}
	}
}

// Merged reads the history of a queue and those of the other hosts as one, newest outcome first. It leaves out hosts
// that cannot be reached.
type Merged struct {
	all    []*reading // this machine's own first
	size   int
	fields queue.Fields
}

// Place is a page of one store's history.
type Place struct {
	Store  queue.Store
	Cursor string
}

// reading is how far one history has been read.
type reading struct {
	at   Place           // the page that sessions come from
	rest []queue.Session // those that were not returned yet
	next string          // the cursor of the next page
	over bool            // rest has the last ones
}

// NewMerged returns a Merged that has read nothing yet. It reads size sessions of a history at once.
func NewMerged(q *queue.Queue, size int, fields queue.Fields) *Merged {
	m := &Merged{size: size, fields: fields}
	for _, q := range q.All() {
		m.all = append(m.all, &reading{at: Place{Store: q.Store}})
	}
	return m
}

// Next returns the next session, and the page that it is on. ok is false at the end.
func (m *Merged) Next(ctx context.Context) (s queue.Session, at Place, ok bool, err error) {
	var newest *reading
	for i, r := range m.all {
		if err := m.fill(ctx, r); err != nil && (i == 0 || ctx.Err() != nil) {
			return s, at, false, err
		} else if err != nil {
			r.over = true
		}
		if len(r.rest) > 0 && (newest == nil || r.rest[0].SettledAt().After(newest.rest[0].SettledAt())) {
			newest = r
		}
	}
	if newest == nil {
		return s, at, false, nil
	}
	s, newest.rest = newest.rest[0], newest.rest[1:]
	return s, newest.at, true, nil
}

// fill reads the next page of a history if all sessions of the last one were returned.
func (m *Merged) fill(ctx context.Context, r *reading) error {
	for len(r.rest) == 0 && !r.over {
		page, next, err := r.at.Store.History(ctx, r.next, m.size, m.fields)
		if err != nil {
			return err
		}
		r.at.Cursor, r.rest, r.next, r.over = r.next, page, next, next == ""
	}
	return nil
}

const (
	pageSize    = 256 // archived sessions read at once
	boundedPage = 64  // the same if reading ends at a time: fewer, since up to a page too many may be read

	// lateness is how long after a session was settled it may still get an event, as long as some choicetui process
	// runs: an answer that nobody collected expires after queue.KeptFor. Events of this time span are held back to be
	// sorted. A later event (no choicetui ran for days) is passed on when its session is reached.
	lateness = 2 * queue.KeptFor
)

// Reader reads the trail of a queue.
type Reader struct {
	Store queue.Store
	Live  []queue.Session           // the sessions that are not archived, as the clock left them
	From  time.Time                 // only what happened from then on; zero: everything
	Wants func(s queue.Origin) bool // the agents whose sessions are read
}

// Tally adds up the questions that were asked since From, by the days of a time zone.
func (r Reader) Tally(ctx context.Context, zone *time.Location) (*Tally, error) {
	t := NewTally(r.From, zone)
	for s, err := range r.sessions(ctx, r.From, queue.Outline) {
		if err != nil {
			return nil, err
		}
		if r.Wants(s.Origin) {
			t.Add(s.Session)
		}
	}
	return t, nil
}

// session is a session that was read, and says where.
type session struct {
	queue.Session
	archived bool
}

// sessions reads each session once: those that are not archived, then the archived ones, newest outcome first, until
// one was settled before a time. It keeps none of them in memory.
func (r Reader) sessions(ctx context.Context, back time.Time, fields queue.Fields) iter.Seq2[session, error] {
	return func(yield func(session, error) bool) {
		seen := make(map[string]bool, len(r.Live))
		for _, s := range r.Live {
			seen[s.ID] = true
			if !yield(session{s, false}, nil) {
				return
			}
		}
		size := pageSize
		if !r.From.IsZero() {
			size = boundedPage
		}
		for page, err := range Pages(ctx, r.Store, "", size, fields) {
			if err != nil {
				yield(session{}, err)
				return
			}
			for _, s := range page.Sessions {
				switch {
				case s.Outcome != nil && s.Outcome.At.Before(back):
					return
				case seen[s.ID]: // it was archived meanwhile
				case !yield(session{s, true}, nil):
					return
				}
			}
		}
	}
}

// Event is an event of a session.
type Event struct {
	Session *queue.Session
	Index   int // among the events of the session
}

// Told returns the event itself.
func (e Event) Told() queue.Event { return e.Session.Events[e.Index] }

// EventsOf returns the events of a session that a reader wants, oldest first.
func (r Reader) EventsOf(s queue.Session) (events []Event) {
	if !r.Wants(s.Origin) {
		return nil
	}
	for i, e := range s.Events {
		if !e.At.Before(r.From) {
			events = append(events, Event{&s, i})
		}
	}
	return events
}

// Events reads the events, newest first. Without From it reads the whole history, else as far as readsBackTo. A session
// can get an event long after it was settled (lateness). So Events holds events back until no session that it has not
// read yet can have a newer one.
func (r Reader) Events(ctx context.Context) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		var held newest
		for s, err := range r.sessions(ctx, r.readsBackTo(), queue.Whole) {
			if err != nil {
				yield(Event{}, err)
				return
			}
			for _, e := range r.EventsOf(s.Session) {
				heap.Push(&held, e)
			}
			if s.archived && s.Outcome != nil && !held.passNewer(s.Outcome.At.Add(lateness), yield) {
				return
			}
		}
		held.passNewer(time.Time{}, yield)
	}
}

// readsBackTo returns the time to which the archive must be read for From: the start of that month, because the archive
// is stored by month, or earlier by as much as an event may be late.
func (r Reader) readsBackTo() time.Time {
	if r.From.IsZero() {
		return time.Time{}
	}
	from := r.From.UTC()
	month := time.Date(from.Year(), from.Month(), 1, 0, 0, 0, 0, time.UTC)
	if late := from.Add(-lateness); late.Before(month) {
		return late
	}
	return month
}

// newest is a heap of events with the newest event on top.
type newest []Event

func (h newest) Len() int           { return len(h) }
func (h newest) Less(i, j int) bool { return newestFirst(h[i], h[j]) < 0 }
func (h newest) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *newest) Push(e any)        { *h = append(*h, e.(Event)) }
func (h *newest) Pop() any {
	last := len(*h) - 1
	e := (*h)[last]
	(*h)[last] = Event{}
	*h = (*h)[:last]
	return e
}

// passNewer removes the events that are newer than a time from the heap, and passes them on, newest first, until yield
// returns false.
func (h *newest) passNewer(than time.Time, yield func(Event, error) bool) bool {
	for len(*h) > 0 && (*h)[0].Told().At.After(than) {
		if !yield(heap.Pop(h).(Event), nil) {
			return false
		}
	}
	return true
}

// newestFirst compares two events, so that the newer one comes first.
func newestFirst(a, b Event) int {
	return cmp.Or(b.Told().At.Compare(a.Told().At), cmp.Compare(a.Session.ID, b.Session.ID), b.Index-a.Index)
}
