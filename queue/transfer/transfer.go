// Package transfer moves a queue that nobody uses from one store to another:
//
//	copy    the history and the open sessions ─► to; from is not touched
//	verify  both are read again: each session is there, as it is here
//	close   each open session departs here, at the very revision that was copied
//
// Run may be stopped anywhere, and run again. Until the copy is verified, the old queue is whole. The next run replaces
// a copy on which nobody acted by what became of the session here. Afterwards the other queue is whole, and the next
// run closes the rest here. What people did at both places is never joined: such sessions stay as they are and are
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

// Report counts what is in the other queue now, and what is not, each session once.
type Report struct {
	Waiting  int `json:"waiting"`  // questions that wait there
	Answered int `json:"answered"` // questions with an answer that the agent has not fetched
	Messages int `json:"messages"` // messages that were not delivered yet
	History  int `json:"history"`  // in the history there
	Newer    int `json:"newer"`    // left here: a newer choicetui wrote them
	Broken   int `json:"broken"`   // left here: they could not be read
	Apart    int `json:"apart"`    // left here: they are there too, and something else happened to them

	// Elsewhere counts the sessions that an earlier move took to another place, by that place.
	Elsewhere map[string]int `json:"elsewhere,omitempty"`
	// Leaving counts the sessions that left for another place and may not have arrived, by that place.
	Leaving map[string]int `json:"leaving,omitempty"`

	Verified bool `json:"-"` // the other queue is whole; before that, the old one is
}

// Options say what is moved where. Name is the other place's in the trail. Each place has one name, however it is
// written: a move that was stopped is recognised by it.
type Options struct {
	From *queue.Queue
	To   queue.Store
	Name string
}

var (
	// ErrOther means that the other queue has another session of the same id, so that nothing was overwritten.
	ErrOther = errors.New("another session has its id there")
	// ErrUsed means that somebody used the old queue meanwhile.
	ErrUsed = errors.New("the old queue was used while it was moved")
)

// Run moves all of it. After an error, Report.Verified says which of the two queues is whole. Sessions that cannot be
// moved stay and are counted.
func Run(ctx context.Context, o Options) (Report, error) {
	r := &run{Options: o, now: o.From.Now()}
	for _, step := range []func(context.Context) error{r.copyAll, r.verify, r.closeAll} {
		if err := step(ctx); err != nil {
			return r.report, err
		}
	}
	return r.report, nil
}

type run struct {
	Options
	now         time.Time // of the whole run, so that no session expires in the middle of it
	here, there map[string]found
	report      Report
}

// found holds the newest that a queue has of a session.
type found struct {
	queue.Session
	live bool
}

func (r *run) read(ctx context.Context) (err error) {
	var broken int
	if r.here, broken, err = readAll(ctx, r.From.Store); err != nil {
		return fmt.Errorf("failed to read the queue: %w", err)
	}
	r.report.Broken += broken // each is set aside once
	if r.there, _, err = readAll(ctx, r.To); err != nil {
		return fmt.Errorf("failed to read the other queue: %w", err)
	}
	return nil
}

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

// each calls do for each session of the old queue, the oldest first.
func (r *run) each(ctx context.Context, do func(context.Context, found) error) error {
	oldest := func(a, b found) int { return cmp.Or(a.AskedAt.Compare(b.AskedAt), cmp.Compare(a.ID, b.ID)) }
	for _, s := range slices.SortedFunc(maps.Values(r.here), oldest) {
		if err := do(ctx, s); err != nil {
			return fmt.Errorf("failed to move session %s: %w", s.ID, err)
		}
	}
	return nil
}

// step says what a session of the old queue needs in the other one.
type step int

const (
	arrived step = iota // it is there
	create
	replace // a stopped move left a copy there, on which nobody acted
	stays   // it cannot be moved
)

// judge compares a session with its copy in the other queue and returns the step that it needs. want is the session as
// the other queue should store it.
func (r *run) judge(s found) (want queue.Session, need step, err error) {
	there, ok := r.there[s.ID]
	to, departed := queue.Departed(s.Session)
	want = s.Session
	switch {
	case s.Schema > queue.Schema:
		return want, stays, nil
	case departed && ok && isCopy(there.Session, want) && queue.Continues(there.Session, want):
		return queue.Arriving(want), arrived, nil
	case departed && (!s.live || to != r.Name):
		return want, stays, nil
	case departed:
		want = queue.Arriving(want)
	case !s.Final:
		gone, err := r.depart(s)
		if err != nil {
			return want, stays, err
		}
		want = queue.Arriving(gone)
	}
	switch {
	case !ok, queue.Supersedes(want, there.Session):
		return want, create, nil
	case !isCopy(there.Session, want):
		return want, stays, ErrOther
	case queue.Continues(there.Session, want):
		return want, arrived, nil
	case !there.Final && r.unused(there.Session, want):
		return want, replace, nil
	}
	return want, stays, nil
}

// depart closes a session as it will be stored here: where a copy of it is there already, by that copy's own event.
func (r *run) depart(s found) (queue.Session, error) {
	now, there := s.At(r.now), r.there[s.ID]
	c, at := queue.Command{ID: queue.NewToken(), By: queue.ByHuman, Person: r.From.Person, Surface: queue.SurfaceCLI,
		Do: queue.Depart{To: r.Name}}, r.now
	if n := len(now.Events); len(there.Events) > n && queue.Continues(there.Session, now) && r.comes(there.Events[n]) {
		e := there.Events[n]
		c.ID, c.By, c.Person, c.Surface, at = e.ID, e.By, e.Person, e.Surface, e.At
	}
	gone, _, err := queue.Transition(now, c, at)
	return gone, err
}

// comes reports whether an event brought a session to the other place.
func (r *run) comes(e queue.Event) bool { return e.Kind == queue.EventDeparted && e.Detail == r.Name }

// unused reports whether nobody acted on a copy since it came there, and it continued here.
func (r *run) unused(there, want queue.Session) bool {
	before := there
	if n := len(there.Events); n > 0 && r.comes(there.Events[n-1]) {
		before.Events = there.Events[:n-1]
	}
	// A copy that has no departure, and to which nothing but ours is added, may be another name of this very queue.
	same := len(before.Events) == len(there.Events) && len(want.Events) == len(there.Events)+1
	return queue.Continues(want, before) && !same
}

// isCopy reports whether two sessions of one id are one question.
func isCopy(a, b queue.Session) bool { return a.AskedAt.Equal(b.AskedAt) && a.Ask.Title == b.Ask.Title }

func (r *run) copyAll(ctx context.Context) error {
	if err := r.read(ctx); err != nil {
		return err
	}
	return r.each(ctx, r.copyOne)
}

func (r *run) copyOne(ctx context.Context, s found) error {
	want, need, err := r.judge(s)
	if err != nil || need == stays {
		return err
	}
	there := r.there[s.ID]
	switch {
	case need == create && there.live: // it departed from there, and comes back
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

// copyDrafts takes along what was typed for a session and not sent, unless there is something newer.
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

// verify reads both queues again, compares and counts.
func (r *run) verify(ctx context.Context) error {
	if err := r.read(ctx); err != nil {
		return err
	}
	err := r.each(ctx, func(_ context.Context, s found) error {
		want, need, err := r.judge(s)
		there := r.there[s.ID].Session
		switch {
		case err != nil:
			return err
		case need == create || need == replace:
			return ErrUsed
		case need == arrived && len(there.Events) == len(want.Events) && !alike(there, want):
			return errors.New("its copy at the other place differs")
		}
		r.count(s, need)
		return nil
	})
	r.report.Verified = err == nil
	return err
}

// alike compares what two copies with one trail ask and what was answered.
func alike(a, b queue.Session) bool {
	one, err := json.Marshal([]any{a.Ask, a.Origin, a.Outcome})
	other, err2 := json.Marshal([]any{b.Ask, b.Origin, b.Outcome})
	return err == nil && err2 == nil && bytes.Equal(one, other)
}

func (r *run) count(s found, need step) {
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

func addPlace(among *map[string]int, place string) {
	if *among == nil {
		*among = map[string]int{}
	}
	(*among)[place]++
}

// closeAll closes here what is there now. What came meanwhile is found in the end.
func (r *run) closeAll(ctx context.Context) error {
	if err := r.each(ctx, r.closeOne); err != nil {
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

func (r *run) closeOne(ctx context.Context, s found) error {
	_, need, err := r.judge(s)
	if err != nil || need != arrived || !s.live {
		return err
	}
	gone := s.Session
	if !s.Final {
		if gone, err = r.depart(s); err == nil {
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
