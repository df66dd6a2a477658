// Package transfer moves a queue from one store to another: what waits, what was answered, and the history.
//
//	to, live, on its way to from ─► from: it arrives (an earlier move the other way was stopped)
//	from, the archive, oldest first ─► to: Create, Archive
//	from, live ─► Depart here (it can be answered here no more) ─► to: Create as it was ─► Archive here
//
// It may be stopped after every step, and run again: a session that departed and is still live may not have arrived,
// and arrives then; a departed session in the history has arrived, and is never handed out again. A session that comes
// back finds its own departed copy, and takes its place. At no time can one session be answered in two places. The
// sessions of a directory are listed once for the history and once for those pending, not once for each (stock.go).
package transfer

import (
	"context"
	"errors"
	"fmt"
	"slices"

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
}

// Options say what is moved where. The names are those of the places in the trail. Each place has one name, however it
// is written, because a move that was stopped is continued by it.
type Options struct {
	From     *queue.Queue
	FromName string
	To       queue.Store
	Name     string // of the other queue
	Told     func(done Report)
}

// Run moves all of it. It fails with the first error of a store, and then may be run again; sessions that cannot be
// moved stay and are counted.
func Run(ctx context.Context, o Options) (Report, error) {
	there, here := &stock{Store: o.To}, &stock{Store: o.From.Store}
	o.To = there
	r := run{Options: o, there: there, here: here, way: way{from: o.From.Store, to: there}, counted: map[string]bool{}}
	if r.Told == nil {
		r.Told = func(Report) {}
	}
	release, err := there.hold()
	if err != nil {
		return r.report, fmt.Errorf("failed to move the queue: %w", err)
	}
	defer release()
	for _, step := range []func(context.Context) error{r.finishOpposite, r.moveHistory, r.moveLive} {
		if err := step(ctx); err != nil {
			return r.report, err
		}
	}
	return r.report, nil
}

type run struct {
	Options
	there, here *stock
	way         way
	report      Report
	counted     map[string]bool
}

// finishOpposite has arrive here what left the other queue for this one when somebody stopped that. It is moved back
// with the rest then.
func (r *run) finishOpposite(ctx context.Context) error {
	live, _, err := r.To.Live(ctx)
	if err != nil {
		return fmt.Errorf("failed to read the other queue: %w", err)
	}
	back := way{from: r.To, to: r.From.Store}
	for _, s := range live {
		if to, departed := queue.Departed(s); departed && to == r.FromName {
			_, err := back.carry(ctx, s)
			if err == nil {
				err = back.archive(ctx, s)
			}
			if err != nil && !errors.Is(err, errApart) {
				return err
			}
		}
	}
	return nil
}

// moveHistory copies the archive, oldest first, so that a store that appends has it in order.
func (r *run) moveHistory(ctx context.Context) error {
	for _, names := range []*stock{r.there, r.here} {
		if err := names.list(ctx); err != nil {
			return err
		}
	}
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
			if err := r.moveArchived(ctx, s); err != nil {
				return err
			}
		}
		r.Told(r.report)
	}
	return nil
}

// cursors returns the start of each page of the history, newest first.
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

// moveArchived copies what ended here. What departed has arrived where it went, so only is counted.
func (r *run) moveArchived(ctx context.Context, s queue.Session) error {
	if to, departed := queue.Departed(s); departed && s.Schema <= queue.Schema {
		if r.here.once(s.ID) {
			return r.passOver(ctx, s, to, &r.report.Elsewhere)
		}
		now, err := r.From.Store.Get(ctx, s.ID)
		switch {
		case err != nil && !errors.Is(err, queue.ErrNewer):
			return fmt.Errorf("failed to read session %s: %w", s.ID, err)
		case queue.Supersedes(now, s): // it came back
			return nil
		}
		return r.passOver(ctx, s, to, &r.report.Elsewhere)
	}
	_, err := r.carry(ctx, s)
	return err
}

func (r *run) moveLive(ctx context.Context) error {
	live, broken, err := r.From.Store.Live(ctx)
	if err != nil {
		return fmt.Errorf("failed to read the queue: %w", err)
	}
	if err := r.there.list(ctx); err != nil { // what came and went there since was asked there
		return err
	}
	r.report.Broken = len(broken)
	slices.SortFunc(live, func(a, b queue.Session) int { return a.AskedAt.Compare(b.AskedAt) })
	for _, s := range live {
		if err := r.moveOne(ctx, s); err != nil {
			return err
		}
	}
	r.Told(r.report)
	return nil
}

func (r *run) moveOne(ctx context.Context, s queue.Session) error {
	if !s.Final && s.Schema <= queue.Schema {
		gone, mayGo, err := r.depart(ctx, s)
		if err != nil || !mayGo {
			return err
		}
		s = gone
	}
	if to, departed := queue.Departed(s); departed && to != r.Name {
		return r.passOver(ctx, s, to, &r.report.Leaving)
	}
	arrived, err := r.carry(ctx, s)
	if err != nil || !arrived {
		return err
	}
	return r.way.archive(ctx, s)
}

// depart closes a live session here, unless the other queue has a copy of it that did not depart. Then nobody knows
// which of the two counts, and it stays.
func (r *run) depart(ctx context.Context, s queue.Session) (gone queue.Session, mayGo bool, err error) {
	switch there, err := r.To.Get(ctx, s.ID); {
	case errors.Is(err, queue.ErrNotFound):
	case err != nil:
		return s, false, fmt.Errorf("failed to look for session %s there: %w", s.ID, err)
	case !isCopy(there, s):
		return s, false, fmt.Errorf("failed to move session %s: %w", s.ID, ErrOther)
	case !queue.Supersedes(s, there):
		r.report.Apart++
		return s, false, nil
	}
	gone, err = r.From.Do(ctx, s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceCLI,
		Do: queue.Depart{To: r.Name}})
	if errors.Is(err, queue.ErrNotFound) { // somebody archived it meanwhile
		gone, err = r.From.Store.Get(ctx, s.ID)
	}
	if err != nil && !errors.Is(err, queue.ErrFinal) {
		return s, false, fmt.Errorf("failed to close session %s here: %w", s.ID, err)
	}
	return gone, true, nil
}

// passOver leaves a session where it went before.
func (r *run) passOver(ctx context.Context, s queue.Session, to string, among *map[string]int) error {
	there, err := r.To.Get(ctx, s.ID)
	switch {
	case err == nil && isCopy(there, s) && queue.Continues(there, s): // it came there another way
		r.count(there)
		return nil
	case err != nil && !errors.Is(err, queue.ErrNotFound) && !errors.Is(err, queue.ErrNewer):
		return fmt.Errorf("failed to look for session %s there: %w", s.ID, err)
	}
	if !r.counted[s.ID] {
		r.counted[s.ID] = true
		addPlace(among, to)
	}
	return nil
}

func addPlace(among *map[string]int, place string) {
	if *among == nil {
		*among = map[string]int{}
	}
	(*among)[place]++
}

// carry brings a session that is over here to the other queue, and says whether it is there now.
func (r *run) carry(ctx context.Context, s queue.Session) (arrived bool, err error) {
	if s.Schema > queue.Schema {
		r.report.Newer++
		return false, nil
	}
	there, err := r.way.carry(ctx, s)
	switch {
	case errors.Is(err, errApart):
		r.report.Apart++
		return false, nil
	case err != nil:
		return false, err
	}
	r.count(there)
	return true, nil
}

// count counts a session as it is in the other queue.
func (r *run) count(there queue.Session) {
	if r.counted[there.ID] {
		return
	}
	r.counted[there.ID] = true
	to, departed := queue.Departed(there)
	switch {
	case departed:
		addPlace(&r.report.Elsewhere, to)
	case there.Final:
		r.report.History++
	case there.IsMessage():
		r.report.Messages++
	case there.At(r.From.Now()).Pending():
		r.report.Waiting++
	default:
		r.report.Answered++
	}
}
