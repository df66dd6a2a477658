// Package transfer moves a queue from one store to another: what waits, what was answered, and the history.
//
//	to, live, on its way to from ─► from: it arrives (an earlier move the other way was stopped)
//	from, the archive, oldest first ─► to: Create, Archive
//	from, live ─► Depart here (it can be answered here no more) ─► to: Create as it was ─► Archive here
//
// It may be stopped after every step, and run again: a session that departed and is still live may not have arrived,
// and arrives then; a departed session in the history has arrived, and is never handed out again. A session that comes
// back finds its own departed copy, and takes its place. At no time can one session be answered in two places. The
// sessions of a directory are listed once for the history and once for those pending, not once for each.
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
	there, here := &listedStore{Store: o.To}, &listedStore{Store: o.From.Store}
	o.To = there
	r := run{Options: o, there: there, here: here, route: route{from: o.From.Store, to: there},
		counted: map[string]bool{}}
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
	there, here *listedStore
	route       route
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
	back := route{from: r.To, to: r.From.Store}
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
	for _, names := range []*listedStore{r.there, r.here} {
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
	return r.route.archive(ctx, s)
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
	there, err := r.route.carry(ctx, s)
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

// ErrOther means that the other queue has another session of the same id, so that nothing was overwritten.
var ErrOther = errors.New("another session has its id there")

// ErrSame means that both names are of one queue.
var ErrSame = errors.New("both places are the same queue")

// errApart means that both queues have a copy, and neither of them continues the other.
var errApart = errors.New("both queues have it, and it went on apart")

// route leads from one store to another.
type route struct{ from, to queue.Store }

// carry brings a session that is over here to the other store, with its drafts. It returns what is there.
func (r route) carry(ctx context.Context, s queue.Session) (there queue.Session, err error) {
	if there, err = r.bring(ctx, s); err != nil {
		return there, fmt.Errorf("failed to move session %s: %w", s.ID, err)
	}
	if !there.Final && len(there.Events) == len(s.Events) { // nobody has worked on it there
		if err := r.carryDrafts(ctx, s.ID); err != nil {
			return there, fmt.Errorf("failed to move the drafts of session %s: %w", s.ID, err)
		}
	}
	return there, nil
}

// archive closes the books on a session that arrived. It may be back already.
func (r route) archive(ctx context.Context, s queue.Session) error {
	err := r.from.Archive(ctx, s)
	if err != nil && !errors.Is(err, queue.ErrNotFound) && !errors.Is(err, queue.ErrPending) {
		return fmt.Errorf("failed to archive session %s here: %w", s.ID, err)
	}
	return nil
}

// bring has a session be in the other store: in the history, or live as it was before it departed. One that is there
// already stays as it is there: it may have been answered. A copy that departed from there makes room.
func (r route) bring(ctx context.Context, s queue.Session) (queue.Session, error) {
	there, err := r.to.Get(ctx, s.ID)
	switch {
	case errors.Is(err, queue.ErrNotFound):
		return r.create(ctx, s)
	case err != nil:
		return there, err
	case queue.Supersedes(s, there) && isCopy(there, s):
		if err := r.to.Archive(ctx, there); err != nil {
			return there, err
		}
		return r.create(ctx, s)
	}
	return r.welcome(ctx, s, there)
}

func (r route) create(ctx context.Context, s queue.Session) (queue.Session, error) {
	fresh := s
	if _, departed := queue.Departed(s); departed {
		fresh = queue.Arriving(s)
	}
	made, err := r.to.Create(ctx, fresh)
	switch {
	case errors.Is(err, queue.ErrInDoubt):
		made, err = fresh, r.to.Sync(ctx, s.ID)
	case errors.Is(err, queue.ErrExists):
		made, err = r.to.Get(ctx, s.ID)
	}
	if err != nil {
		return made, err
	}
	return r.welcome(ctx, s, made)
}

// welcome checks what the other store has of a session, and archives it there if it is over.
func (r route) welcome(ctx context.Context, s, there queue.Session) (queue.Session, error) {
	_, left := queue.Departed(there)
	switch {
	case !isCopy(there, s):
		return there, ErrOther
	case !queue.Continues(there, s):
		return there, errApart
	case left && len(there.Events) == len(s.Events): // it is the copy that departed itself
		return there, ErrSame
	case there.Final && !left:
		return there, r.to.Archive(ctx, there)
	}
	return there, nil
}

// isCopy reports whether two sessions of one id are one question.
func isCopy(a, b queue.Session) bool { return a.AskedAt.Equal(b.AskedAt) && a.Ask.Title == b.Ask.Title }

// carryDrafts takes along what was typed for a session and not sent, unless there is something newer.
func (r route) carryDrafts(ctx context.Context, id string) error {
	drafts, err := r.from.Drafts(ctx, id)
	if err != nil || len(drafts) == 0 {
		return err
	}
	there, err := r.to.Drafts(ctx, id)
	if err != nil {
		return err
	}
	for _, d := range drafts {
		newer := func(o queue.Draft) bool { return o.Instance == d.Instance && !o.At.Before(d.At) }
		if !slices.ContainsFunc(there, newer) {
			if err := r.to.SaveDraft(ctx, d); err != nil {
				return err
			}
		}
		if err := r.from.DropDraft(ctx, id, d.Instance); err != nil {
			return err
		}
	}
	return nil
}

// ErrBusy means that another process moves a queue to the same place just now.
var ErrBusy = errors.New("another process is moving a queue there")

// lister is a store that looks through all its names for one session, as a directory does. Names counts under how many
// each session is there.
type lister interface {
	Names(ctx context.Context) (map[string]int, error)
}

// holder is a store that keeps others from moving a queue there, until release; it is not held where somebody does.
type holder interface {
	HoldMoves() (release func(), held bool, err error)
}

// listedStore lists the names of a store once, and not once for each session that is moved. New sessions come with new
// ids and all others by a move, so what was not there stays away while this one holds the place.
type listedStore struct {
	queue.Store
	names map[string]int // nil: not listed, so each session is looked for
}

// list lists the names again, if the store can.
func (s *listedStore) list(ctx context.Context) (err error) {
	if all, ok := s.Store.(lister); ok {
		if s.names, err = all.Names(ctx); err != nil {
			return fmt.Errorf("failed to list the names of a queue: %w", err)
		}
	}
	return nil
}

// hold keeps others from moving a queue there, where the store can.
func (s *listedStore) hold() (release func(), err error) {
	at, ok := s.Store.(holder)
	if !ok {
		return func() {}, nil
	}
	release, held, err := at.HoldMoves()
	if err == nil && !held {
		err = ErrBusy
	}
	return release, err
}

// Get looks for what may be there.
func (s *listedStore) Get(ctx context.Context, id string) (queue.Session, error) {
	if s.names != nil && s.names[id] == 0 {
		return queue.Session{}, queue.ErrNotFound
	}
	return s.Store.Get(ctx, id)
}

// Create makes it one of the names, whatever came of it.
func (s *listedStore) Create(ctx context.Context, v queue.Session) (queue.Session, error) {
	if s.names != nil {
		s.names[v.ID]++
	}
	return s.Store.Create(ctx, v)
}

// once reports whether a session is there under one name only, as far as was listed.
func (s *listedStore) once(id string) bool { return s.names[id] == 1 }
