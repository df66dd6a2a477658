package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Queue joins a store with the rules. Now and NewID may be replaced in tests.
type Queue struct {
	Store Store
	Now   func() time.Time
	NewID func() string
	// Person names the person here, where several share the queue; empty: there is one person. See NamePerson.
	Person string
	Host   string // this machine, where agents may run on others; empty: all of them are here
}

// Shared reports whether other machines may use the queue too: then it is on a server.
func (q *Queue) Shared() bool { return q.Host != "" }

// New returns a queue on a store with the wall clock and random ids.
func New(store Store) *Queue {
	return &Queue{Store: store, Now: time.Now, NewID: NewID}
}

// Create checks the ask and puts it into the queue with its deadline running. Only Ask, Origin, Key and Claim of
// the draft count. It fails with *Invalid, or with the store's error: ErrExists where a native question has been asked
// before, which has its source's id, and ErrInDoubt with the session as it may be stored.
func (q *Queue) Create(ctx context.Context, draft Session) (Session, error) {
	if draft.Origin.Native() {
		return q.CreateAs(ctx, SourceID(draft.Origin.Source), draft)
	}
	for range 8 {
		made, err := q.CreateAs(ctx, q.NewID(), draft)
		if !errors.Is(err, ErrExists) {
			return made, err
		}
	}
	return Session{}, fmt.Errorf("failed to find a free session id: %w", ErrExists)
}

// CreateAs is Create under a given id, for a second try where the first was in doubt. It fails with ErrExists where
// there is a session with that id.
func (q *Queue) CreateAs(ctx context.Context, id string, draft Session) (Session, error) {
	s, err := q.prepareAs(id, draft)
	if err != nil {
		return Session{}, err
	}
	made, err := q.Store.Create(ctx, s)
	if errors.Is(err, ErrInDoubt) {
		return s, err
	}
	return made, err
}

// Do applies a command: Get, store the clock's decision, Transition, Put, and again on ErrConflict until ctx ends. It
// returns the session in its present state beside ErrSettled, ErrUsed and ErrFinal too: the surface says who won. A
// command without an ID gets one. Any ambiguous store error is resolved by reading again; ErrInDoubt if the command is
// stored and the store cannot say that it stays.
func (q *Queue) Do(ctx context.Context, id string, c Command) (Session, error) {
	if c.ID == "" {
		c.ID = NewToken()
	}
	if (c.By == ByHuman || c.By == ByRule) && c.Person == "" {
		c.Person = q.Person
	}
	for {
		s, err := q.Store.Get(ctx, id)
		if err != nil {
			return Session{}, err
		}
		next, err := q.tryOnce(ctx, s, c)
		if !errors.Is(err, ErrConflict) {
			return next, err
		}
		if err := ctx.Err(); err != nil {
			return s, err
		}
	}
}

func (q *Queue) tryOnce(ctx context.Context, s Session, c Command) (Session, error) {
	now := q.Now()
	if due := s.At(now); due.Outcome != nil && s.Outcome == nil {
		var err error
		if s, err = q.putSession(ctx, due, func(again Session) bool { return again.Outcome != nil }); err != nil {
			return s, err
		}
	}
	next, changed, err := Transition(s, c, now)
	if err != nil {
		return next, err
	}
	if _, again := s.Event(c.ID); again { // it was stored before, perhaps by a Put that failed afterwards
		return next, q.syncSession(ctx, s.ID)
	}
	if !changed {
		return next, nil
	}
	return q.putSession(ctx, next, func(again Session) bool { return isApplied(again, c) })
}

// putSession stores a session. After an error that may or may not have stored it, it reads again and asks whether it
// did. It acknowledges nothing that the store has not made durable.
// A session that became final meanwhile is returned beside ErrFinal.
func (q *Queue) putSession(ctx context.Context, s Session, did func(Session) bool) (Session, error) {
	stored, err := q.Store.Put(ctx, s)
	switch {
	case err == nil:
		return stored, nil
	case errors.Is(err, ErrConflict), errors.Is(err, ErrNotFound), errors.Is(err, ErrNewer):
		return s, err
	}
	again, gerr := q.Store.Get(ctx, s.ID)
	switch {
	case gerr != nil:
		return s, err
	case did(again):
		return again, q.syncSession(ctx, s.ID)
	}
	return again, err
}

// syncSession makes a write durable that is known to be stored. Its error is ErrInDoubt, or ErrNotFound if the session
// went.
func (q *Queue) syncSession(ctx context.Context, id string) error {
	err := q.Store.Sync(ctx, id)
	if err == nil || errors.Is(err, ErrNotFound) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrInDoubt, err)
}

// isApplied finds a command's own trace after an ambiguous error.
func isApplied(s Session, c Command) bool {
	if _, ok := s.Event(c.ID); ok {
		return true
	}
	switch a := c.Do.(type) {
	case Take:
		return s.Claim != nil && *s.Claim == a.Claim
	case Release:
		return s.Claim == nil || *s.Claim != a.Claim
	case Presume:
		return s.Perhaps == a.Where
	}
	return s.called(c.Do)
}

// notFetched is the reason noted when an answer that nobody collected is put away.
const notFetched = "its agent did not ask for it within 24 h"

// notTold is the reason noted when a team is not told any more.
const notTold = "it could not be told within 30 days"

// Sweep stores overdue timeouts, cancels bound sessions whose caller is gone, lapses answers nobody collected for
// KeptFor, ends answers whose hook died and archives final sessions. It leaves those whose team has still to be told,
// for UntoldFor, and departed ones: whoever moves them archives them once they have arrived. Anyone may run it at any
// time. It continues after an error and returns the first one.
func (q *Queue) Sweep(ctx context.Context, live []Session) error {
	var first error
	keep := func(err error) {
		is := func(benign error) bool { return errors.Is(err, benign) }
		benign := slices.ContainsFunc([]error{ErrNotFound, ErrFinal, ErrSettled, ErrNewer, ErrUsed}, is)
		if err != nil && !benign && first == nil {
			first = err
		}
	}
	alive := q.aliveFor(ctx, live)
	for _, s := range live {
		now := q.Now()
		due := s.At(now)
		if due.Outcome == nil && due.Bound() && due.Gone(alive) {
			_, err := q.Do(ctx, s.ID, Command{By: ByCaller, Do: Abandon{Alive: alive}})
			keep(err)
		}
		if due.Unsure(alive) {
			var err error
			s, err = q.settleUnsure(ctx, s)
			due = s
			keep(err)
		}
		if due.orphaned(alive, now) {
			var err error
			s, err = q.Do(ctx, s.ID, Command{By: ByCaller, Do: Collect{Claim: *due.Claim, Doubt: hookDied}})
			keep(err)
		}
		if s.Outcome == nil && due.Outcome != nil {
			_, err := q.Do(ctx, s.ID, Command{By: ByClock, Do: Expire{}})
			keep(err)
		}
		if !s.Final && due.Outcome != nil && now.Sub(due.Outcome.At) >= KeptFor {
			var err error
			s, err = q.Do(ctx, s.ID, Command{By: ByClock, Do: Lapse{Reason: notFetched}})
			keep(err)
		}
		if s.Final && s.OwesTeam() && now.Sub(s.Outcome.At) >= UntoldFor {
			var err error
			s, err = q.Do(ctx, s.ID, Command{By: ByClock, Do: LeaveTeam{Told: true, Why: notTold}})
			keep(err)
		}
		if _, departed := Departed(s); s.Closed() && !departed {
			keep(q.Store.Archive(ctx, s))
		}
	}
	return first
}

// settleUnsure ends a message whose writer died: it was perhaps delivered.
func (q *Queue) settleUnsure(ctx context.Context, s Session) (Session, error) {
	done, err := q.Do(ctx, s.ID, Command{By: ByCaller,
		Do: Deliver{Claim: *s.Claim, Surface: SurfaceMCP, Doubt: writerDied}})
	if err != nil {
		return s, err
	}
	return done, nil
}

// aliveFor says who runs, asking the store only if a bound session waits, a message is being written or an agent has
// still to take an answer to its own prompt. Unknown counts as alive.
func (q *Queue) aliveFor(ctx context.Context, live []Session) func(instance string) bool {
	everyone := func(string) bool { return true }
	if !slices.ContainsFunc(live, func(s Session) bool {
		return s.Outcome == nil && s.Bound() || s.beingWritten() || s.answeredNative()
	}) {
		return everyone
	}
	runs, err := q.Running(ctx)
	if err != nil {
		return everyone
	}
	return runs
}
