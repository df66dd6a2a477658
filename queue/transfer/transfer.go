// Package transfer moves a queue from one store to another: what waits, what was answered, and the history.
//
//	from, the archive, oldest first ─► to: Create, Archive
//	from, live ─► Depart here (it can be answered here no more) ─► to: Create as it was ─► Archive here
//
// It may be stopped after every step, and run again: a session that departed and did not arrive is found by its last
// event, and arrives then. At no time can one session be answered in both places.
package transfer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/choicetui/choicetui/queue"
)

// pageSize is how many sessions of the history are read at once.
const pageSize = 200

// ErrOther means that the other queue has another session of the same id, so that nothing was overwritten.
var ErrOther = errors.New("another session has its id there")

// Report counts what is in the other queue now.
type Report struct {
	Waiting  int `json:"waiting"`  // moved, and waiting there
	Answered int `json:"answered"` // moved with an answer that its agent has not fetched
	History  int `json:"history"`  // in the history there, of this queue's
	Newer    int `json:"newer"`    // left here: a newer choicetui wrote them
	Broken   int `json:"broken"`   // left here: they could not be read
}

// Options say what is moved where.
type Options struct {
	From *queue.Queue
	To   queue.Store
	Name string // of the other queue, for the trail
	Told func(done Report)
}

// Run moves all of it. It fails with the first error of a store, and then may be run again; sessions that cannot be
// moved stay and are counted.
func Run(ctx context.Context, o Options) (Report, error) {
	r := run{Options: o}
	if r.Told == nil {
		r.Told = func(Report) {}
	}
	if err := r.moveHistory(ctx); err != nil {
		return r.report, err
	}
	return r.report, r.moveLive(ctx)
}

type run struct {
	Options
	report Report
}

// moveHistory copies the archive, oldest first, so that a store that appends has it in order.
func (r *run) moveHistory(ctx context.Context) error {
	cursors, err := r.cursors(ctx)
	if err != nil {
		return err
	}
	for _, cursor := range slices.Backward(cursors) {
		page, _, err := r.From.Store.History(ctx, cursor, pageSize)
		if err != nil {
			return fmt.Errorf("failed to read the history: %w", err)
		}
		for _, s := range slices.Backward(page) {
			if err := r.move(ctx, s); err != nil {
				return err
			}
		}
		r.Told(r.report)
	}
	return nil
}

// cursors are where the pages of the history begin, newest first.
func (r *run) cursors(ctx context.Context) (all []string, err error) {
	cursor := ""
	for {
		page, next, err := r.From.Store.History(ctx, cursor, pageSize)
		if err != nil {
			return nil, fmt.Errorf("failed to read the history: %w", err)
		}
		if len(page) > 0 {
			all = append(all, cursor)
		}
		if next == "" {
			return all, nil
		}
		cursor = next
	}
}

func (r *run) moveLive(ctx context.Context) error {
	live, broken, err := r.From.Store.Live(ctx)
	if err != nil {
		return fmt.Errorf("failed to read the queue: %w", err)
	}
	r.report.Broken = len(broken)
	slices.SortFunc(live, func(a, b queue.Session) int { return a.AskedAt.Compare(b.AskedAt) })
	for _, s := range live {
		if err := r.depart(ctx, s); err != nil {
			return err
		}
	}
	r.Told(r.report)
	return nil
}

// depart closes a live session here and has it go on there.
func (r *run) depart(ctx context.Context, s queue.Session) error {
	if s.Schema <= queue.Schema && !s.Final {
		c := queue.Command{ID: "depart-" + s.ID, By: queue.ByHuman, Surface: queue.SurfaceCLI,
			Do: queue.Depart{To: r.Name}}
		gone, err := r.From.Do(ctx, s.ID, c)
		switch {
		case errors.Is(err, queue.ErrFinal), err == nil:
			s = gone
		case errors.Is(err, queue.ErrNotFound): // somebody archived it meanwhile
			if s, err = r.From.Store.Get(ctx, s.ID); err != nil {
				return fmt.Errorf("failed to read session %s: %w", s.ID, err)
			}
		default:
			return fmt.Errorf("failed to close session %s here: %w", s.ID, err)
		}
	}
	if err := r.move(ctx, s); err != nil || s.Schema > queue.Schema {
		return err
	}
	if err := r.From.Store.Archive(ctx, s); err != nil && !errors.Is(err, queue.ErrNotFound) {
		return fmt.Errorf("failed to archive session %s here: %w", s.ID, err)
	}
	return nil
}

// move has a session that is over here be there: in the history, or live as it was before it departed.
func (r *run) move(ctx context.Context, s queue.Session) error {
	if s.Schema > queue.Schema {
		r.report.Newer++
		return nil
	}
	before, departed := queue.Undeparted(s)
	if err := r.keep(ctx, before); err != nil {
		return fmt.Errorf("failed to move session %s: %w", s.ID, err)
	}
	switch {
	case !departed:
		r.report.History++
	case before.Outcome == nil:
		r.report.Waiting++
	default:
		r.report.Answered++
	}
	return nil
}

// keep has a session be in the other store. One that is there already stays as it is there: it may have been answered.
func (r *run) keep(ctx context.Context, s queue.Session) error {
	there, err := r.To.Get(ctx, s.ID)
	if errors.Is(err, queue.ErrNotFound) {
		there, err = r.create(ctx, s)
	}
	switch {
	case err != nil:
		return err
	case !there.AskedAt.Equal(s.AskedAt) || there.Ask.Title != s.Ask.Title:
		return ErrOther
	case !s.Final:
		return r.keepDrafts(ctx, s.ID)
	}
	return r.To.Archive(ctx, there)
}

func (r *run) create(ctx context.Context, s queue.Session) (queue.Session, error) {
	made, err := r.To.Create(ctx, s)
	switch {
	case errors.Is(err, queue.ErrInDoubt):
		return s, r.To.Sync(ctx, s.ID)
	case errors.Is(err, queue.ErrExists):
		return r.To.Get(ctx, s.ID)
	}
	return made, err
}

// keepDrafts takes along what was typed for a session and not sent.
func (r *run) keepDrafts(ctx context.Context, id string) error {
	drafts, err := r.From.Store.Drafts(ctx, id)
	for _, d := range drafts {
		err = errors.Join(err, r.To.SaveDraft(ctx, d))
	}
	return err
}
