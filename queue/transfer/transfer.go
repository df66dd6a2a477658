// Package transfer moves a queue that nobody uses from one store to another:
//
//	copy    the history and the open sessions ─► to; from is not touched
//	verify  both queues are read again: each session is in the new queue as it is in the old one
//	close   each open session departs from the old queue, at exactly the revision that was copied
//
// Run may be stopped at any point and started again. Until the copy is verified, the old queue is complete. If a
// session changed in the old queue since a stopped run copied it, the next run replaces the copy, unless somebody acted
// on the copy. After the verification the new queue is complete, and the next run closes the remaining sessions of the
// old one. If people acted on a session in both queues, the two are never merged: they stay as they are and are
// counted. Both queues are read into memory.
package transfer

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// pageSize is the number of sessions of the history that are read at once.
const pageSize = 200

// Report counts the sessions that are in the new queue now, and those that are not, each session once.
type Report struct {
	Waiting  int `json:"waiting"`  // pending questions
	Answered int `json:"answered"` // questions with an answer that the agent has not fetched
	Messages int `json:"messages"` // messages that are not delivered yet
	History  int `json:"history"`  // sessions in the history
	Newer    int `json:"newer"`    // left in the old queue: a newer choicetui wrote them
	Broken   int `json:"broken"`   // left in the old queue: they could not be read
	Apart    int `json:"apart"`    // left in the old queue: the new one has them too, with other changes

	// Elsewhere counts the sessions that an earlier move took to another place, by that place.
	Elsewhere map[string]int `json:"elsewhere,omitempty"`
	// Leaving counts the sessions that left for another place and may not have arrived, by that place.
	Leaving map[string]int `json:"leaving,omitempty"`

	Verified bool `json:"-"` // the new queue is complete; before that, the old one is
}

// Options names the two queues. Name is the new queue's name in the trail. It must be the same in every run, because
// a stopped move is recognised by it.
type Options struct {
	From *queue.Queue
	To   queue.Store
	Name string
}

var (
	// ErrOther means that the new queue has another session with the same id. Nothing was overwritten.
	ErrOther = errors.New("another session has its id there")
	// ErrUsed means that somebody used the old queue during the move.
	ErrUsed = errors.New("the old queue was used while it was moved")
)

// Run moves the whole queue. After an error, Report.Verified says which of the two queues is complete. Sessions that
// cannot be moved stay and are counted.
func Run(ctx context.Context, o Options) (Report, error) {
	r := &run{Options: o, now: o.From.Now()}
	for _, step := range []func(context.Context) error{r.copyAll, r.verify, r.closeAll} {
		if err := step(ctx); err != nil {
			return r.report, err
		}
	}
	return r.report, nil
}

// run is the state of one call of Run.
type run struct {
	Options
	now         time.Time        // time of the whole run, so that no session expires during it
	here, there map[string]found // by id: the sessions of the old and of the new queue
	report      Report
}

// found is the newest copy of a session in one queue.
type found struct {
	queue.Session
	live bool
}

// readBoth reads all sessions of both queues.
func (r *run) readBoth(ctx context.Context) (err error) {
	var broken int
	if r.here, broken, err = readAll(ctx, r.From.Store); err != nil {
		return fmt.Errorf("failed to read the queue: %w", err)
	}
	r.report.Broken += broken // a store reports each broken document once
	if r.there, _, err = readAll(ctx, r.To); err != nil {
		return fmt.Errorf("failed to read the other queue: %w", err)
	}
	return nil
}

// readAll reads the newest copy of each session in a store. broken is the number of documents that cannot be read.
func readAll(ctx context.Context, store queue.Store) (all map[string]found, broken int, err error) {
	live, unreadable, err := store.Live(ctx)
	if err != nil {
		return nil, 0, err
	}
	all = map[string]found{}
	for _, s := range live {
		all[s.ID] = found{s, true}
	}
	for cursor := ""; ; {
		page, next, err := store.History(ctx, cursor, pageSize)
		if err != nil {
			return nil, 0, err
		}
		for _, s := range page {
			if was, known := all[s.ID]; !known || len(s.Events) > len(was.Events) { // all copies share one trail
				all[s.ID] = found{s, false}
			}
		}
		if cursor = next; next == "" {
			return all, len(unreadable), nil
		}
	}
}

// eachHere calls do for each session of the old queue, the oldest first.
func (r *run) eachHere(ctx context.Context, do func(context.Context, found) error) error {
	oldest := func(a, b found) int { return cmp.Or(a.AskedAt.Compare(b.AskedAt), cmp.Compare(a.ID, b.ID)) }
	for _, s := range slices.SortedFunc(maps.Values(r.here), oldest) {
		if err := do(ctx, s); err != nil {
			return fmt.Errorf("failed to move session %s: %w", s.ID, err)
		}
	}
	return nil
}

// step is the action that a session of the old queue needs in the new one.
type step int

const (
	arrived step = iota // the new queue has it
	create              // the new queue does not have it
	replace             // a stopped move left a copy there on which nobody acted
	stays               // the session cannot be moved
)

// chooseStep compares a session with its copy in the new queue and returns the step that it needs. want is the
// session as the new queue should store it.
func (r *run) chooseStep(s found) (want queue.Session, need step, err error) {
	there, isThere := r.there[s.ID]
	to, departed := queue.Departed(s.Session)
	want = s.Session
	switch {
	case s.Schema > queue.Schema:
		return want, stays, nil
	case departed && isThere && isCopy(there.Session, want) && queue.Continues(there.Session, want):
		return queue.Arriving(want), arrived, nil
	case departed && (!s.live || to != r.Name): // an earlier move took it to another place
		return want, stays, nil
	case departed: // a stopped move closed it here
		want = queue.Arriving(want)
	case !s.Final:
		gone, err := r.departSession(s)
		if err != nil {
			return want, stays, err
		}
		want = queue.Arriving(gone)
	}
	switch {
	case !isThere, queue.Supersedes(want, there.Session):
		return want, create, nil
	case !isCopy(there.Session, want):
		return want, stays, ErrOther
	case queue.Continues(there.Session, want):
		return want, arrived, nil
	case !there.Final && r.isUnused(there.Session, want):
		return want, replace, nil
	}
	return want, stays, nil
}

// departSession closes a session for the move. If the new queue already has a copy of it, the departure gets the id
// and time of the event in that copy, so that both trails stay equal.
func (r *run) departSession(s found) (queue.Session, error) {
	now, there := s.At(r.now), r.there[s.ID]
	c, at := queue.Command{ID: queue.NewToken(), By: queue.ByHuman, Person: r.From.Person, Surface: queue.SurfaceCLI,
		Do: queue.Depart{To: r.Name}}, r.now
	n := len(now.Events)
	if len(there.Events) > n && queue.Continues(there.Session, now) && r.isArrival(there.Events[n]) {
		e := there.Events[n]
		c.ID, c.By, c.Person, c.Surface, at = e.ID, e.By, e.Person, e.Surface, e.At
	}
	gone, _, err := queue.Transition(now, c, at)
	return gone, err
}

// isArrival reports whether an event tells that the session came to the new queue: its departure from the old one.
func (r *run) isArrival(e queue.Event) bool {
	return e.Kind == queue.EventDeparted && e.Detail == r.Name
}

// isUnused reports whether nobody acted on a copy since it arrived, while the session continued in the old queue.
func (r *run) isUnused(there, want queue.Session) bool {
	before := there
	if n := len(there.Events); n > 0 && r.isArrival(there.Events[n-1]) {
		before.Events = there.Events[:n-1]
	}
	// If the copy has no departure and lacks only our own event, both stores may be the same queue under two names.
	same := len(before.Events) == len(there.Events) && len(want.Events) == len(there.Events)+1
	return queue.Continues(want, before) && !same
}

// isCopy reports whether two sessions with one id are the same question.
func isCopy(a, b queue.Session) bool { return a.AskedAt.Equal(b.AskedAt) && a.Ask.Title == b.Ask.Title }

// copyAll copies all sessions into the new queue.
func (r *run) copyAll(ctx context.Context) error {
	if err := r.readBoth(ctx); err != nil {
		return err
	}
	return r.eachHere(ctx, r.copyOne)
}

// copyOne copies one session of the old queue, with its drafts, as far as that is necessary.
func (r *run) copyOne(ctx context.Context, s found) error {
	want, need, err := r.chooseStep(s)
	if err != nil || need == stays {
		return err
	}
	there := r.there[s.ID]
	switch {
	case need == create && there.live: // an earlier move took the session away from there, and now it comes back
		if err = r.To.Archive(ctx, there.Session); err == nil {
			_, err = r.To.Create(ctx, want)
		}
	case need == create:
		_, err = r.To.Create(ctx, want)
	case need == replace:
		want.Revision = there.Revision
		_, err = r.To.Put(ctx, want)
	}
	switch {
	case err != nil:
		return err
	case !want.Final && s.live:
		return r.copyDrafts(ctx, s.ID)
	case want.Final && (need != arrived || there.live):
		return r.To.Archive(ctx, want)
	}
	return nil
}

// copyDrafts copies a session's drafts, unless the new queue has newer ones.
func (r *run) copyDrafts(ctx context.Context, id string) error {
	drafts, err := r.From.Store.Drafts(ctx, id)
	if err != nil || len(drafts) == 0 {
		return err
	}
	there, err := r.To.Drafts(ctx, id)
	for _, d := range drafts {
		newer := func(o queue.Draft) bool { return o.Instance == d.Instance && !o.At.Before(d.At) }
		if err == nil && !slices.ContainsFunc(there, newer) {
			err = r.To.SaveDraft(ctx, d)
		}
	}
	return err
}

// verify reads both queues again, compares them and counts the sessions.
func (r *run) verify(ctx context.Context) error {
	if err := r.readBoth(ctx); err != nil {
		return err
	}
	err := r.eachHere(ctx, func(_ context.Context, s found) error {
		want, need, err := r.chooseStep(s)
		there := r.there[s.ID].Session
		switch {
		case err != nil:
			return err
		case need == create || need == replace:
			return ErrUsed
		case need == arrived && len(there.Events) == len(want.Events) && !sameContent(there, want):
			return errors.New("its copy at the other place differs")
		}
		r.countSession(s, need)
		return nil
	})
	r.report.Verified = err == nil
	return err
}

// sameContent compares the question, origin and outcome of two copies with the same trail.
func sameContent(a, b queue.Session) bool {
	one, err := json.Marshal([]any{a.Ask, a.Origin, a.Outcome})
	other, err2 := json.Marshal([]any{b.Ask, b.Origin, b.Outcome})
	return err == nil && err2 == nil && bytes.Equal(one, other)
}

// countSession adds a session to the report. need is the step that it still needs.
func (r *run) countSession(s found, need step) {
	to, departed := queue.Departed(s.Session)
	there := r.there[s.ID].Session
	if need == arrived {
		to, departed = queue.Departed(there)
	}
	switch {
	case s.Schema > queue.Schema:
		r.report.Newer++
	case departed && need == stays && s.live:
		addPlace(&r.report.Leaving, to)
	case departed:
		addPlace(&r.report.Elsewhere, to)
	case need == stays:
		r.report.Apart++
	case there.Final:
		r.report.History++
	case there.IsMessage():
		r.report.Messages++
	case there.At(r.now).Pending():
		r.report.Waiting++
	default:
		r.report.Answered++
	}
}

// addPlace counts one session for a place.
func addPlace(among *map[string]int, place string) {
	if *among == nil {
		*among = map[string]int{}
	}
	(*among)[place]++
}

// closeAll closes the moved sessions in the old queue. It fails with ErrUsed if a new session came in meanwhile.
func (r *run) closeAll(ctx context.Context) error {
	if err := r.eachHere(ctx, r.closeOne); err != nil {
		return err
	}
	live, _, err := r.From.Store.Live(ctx)
	for _, s := range live {
		if _, known := r.here[s.ID]; !known {
			return ErrUsed
		}
	}
	return err
}

// closeOne closes a session in the old queue that has arrived in the new one, and drops its drafts there.
func (r *run) closeOne(ctx context.Context, s found) error {
	_, need, err := r.chooseStep(s)
	if err != nil || need != arrived || !s.live {
		return err
	}
	gone := s.Session
	if !s.Final {
		if gone, err = r.departSession(s); err == nil {
			gone, err = r.From.Store.Put(ctx, gone)
		}
	}
	if err == nil {
		err = r.From.Store.Archive(ctx, gone)
	}
	if errors.Is(err, queue.ErrConflict) || errors.Is(err, queue.ErrFinal) || errors.Is(err, queue.ErrNotFound) {
		return ErrUsed
	}
	drafts, derr := r.From.Store.Drafts(ctx, s.ID)
	for _, d := range drafts {
		derr = errors.Join(derr, r.From.Store.DropDraft(ctx, s.ID, d.Instance))
	}
	return cmp.Or(err, derr)
}
