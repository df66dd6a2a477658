package call

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/dialect"
	"github.com/choicetui/choicetui/queue"
)

// usedError says that a session's one result cannot be had (again), and what is known of it.
type usedError struct {
	session queue.Session
	inUse   bool // another call waits for it now
}

func (e *usedError) Error() string { return "session " + e.session.ID + " is used" }
func (e *usedError) Unwrap() error { return queue.ErrUsed }

func (e *usedError) failure(id string) dialect.Failure {
	f := dialect.Failure{Code: dialect.CodeUsed, ID: id, Session: &e.session,
		Message: fmt.Sprintf("The result of session %q was fetched before; it can be fetched once.", id)}
	if e.inUse {
		f.Code = dialect.CodeInUse
		f.Message = fmt.Sprintf("Another call already waits for session %q; only one can. Wait for that one.", id)
	} else if _, lapsed := e.session.Last(queue.EventLapsed); lapsed {
		f.Message = fmt.Sprintf("The result of session %q was not fetched within 24 hours and is closed.", id)
	}
	return f
}

// enter continues the same ask where queue.Session.Joins allows it, else creates a session. With auto and no
// dashboard the new session is a hand-off.
func (q *question) enter(ctx context.Context, ask queue.Ask) error {
	p := q.present(ctx)
	q.alone = !p.dashboard
	asked := queue.Key(q.origin, ask)
	defer q.bridge.admit.lock(asked)()
	key := ""
	if !ask.HandOff {
		key = asked
		if taken, err := q.takeOver(ctx, key, p); taken || err != nil {
			return err
		}
	}
	if q.auto && !ask.Web && !p.dashboard {
		ask.HandOff, key = true, ""
	}
	if ctx.Err() != nil {
		return fmt.Errorf("the call ended before anybody was asked: %w", context.Cause(ctx))
	}
	return q.create(ctx, ask, key, asked)
}

// create asks. key is what the session is found by where the same is asked again; asked is what it asks in any case.
func (q *question) create(ctx context.Context, ask queue.Ask, key, asked string) error {
	draft := queue.Session{Ask: ask, Origin: q.origin, Key: key}
	if !ask.HandOff {
		draft.Claim = &q.claim
	}
	s, err := q.bridge.doubts.store(ctx, q, draft, asked)
	var bad *queue.Invalid
	if errors.As(err, &bad) {
		return &queue.Invalid{Problems: q.dialect.Wire(bad.Problems)}
	}
	if err != nil {
		return fmt.Errorf("failed to put the question into the queue: %w", err)
	}
	q.watch.addCreated(s)
	if s.Bound() {
		q.bridge.bound.Store(s.ID, true)
	}
	q.hold(ctx, s, !ask.HandOff)
	return nil
}

// takeOver continues the newest session with this key that may be joined. If a server cannot be asked for it, takeOver
// fails, and no second question is asked.
func (q *question) takeOver(ctx context.Context, key string, p presence) (bool, error) {
	ids, err := q.watch.idsWithKey(ctx, key)
	if errors.Is(err, queue.ErrUnreachable) {
		return false, fmt.Errorf("failed to see whether the same was asked before: %w", err)
	}
	for _, id := range slices.Backward(ids) {
		if q.watch.letFinish(ctx, id) {
			continue
		}
		s, err := q.readSession(ctx, id)
		now := q.watch.q.Now()
		free := s.At(now)
		if !q.bridge.owed.held(s.Claim, p.runs) {
			free.Claim = nil
		}
		if err != nil || !free.Joins(key, q.origin, p.runs, now) {
			continue
		}
		before := s.At(now)
		if s, err = q.takeSession(ctx, s, q.origin, p.runs); err == nil {
			q.joined = joinedBecause(before)
			q.bridge.doubts.Delete(key)
			q.hold(ctx, s, true)
			return true, nil
		}
	}
	return false, nil
}

func joinedBecause(s queue.Session) string {
	asked := s.AskedAt.UTC().Format(time.TimeOnly)
	if s.Outcome == nil {
		return "the same question of " + asked + " UTC goes on, it was not asked again"
	}
	return fmt.Sprintf("given at %s UTC to the same question of %s UTC, and not fetched until now",
		s.Outcome.At.UTC().Format(time.TimeOnly), asked)
}

// resume claims the session with this id, pending or settled.
func (q *question) resume(ctx context.Context, id string) error {
	if !queue.ValidID(id) {
		return queue.ErrNotFound
	}
	q.watch.letFinish(ctx, id)
	s, err := q.readSession(ctx, id)
	if err != nil {
		return err
	}
	if !q.mayFetch(s) {
		return queue.ErrNotFound
	}
	taken, err := q.takeSession(ctx, s, q.origin, q.present(ctx).runs)
	switch {
	case errors.Is(err, queue.ErrFinal):
		return &usedError{session: taken}
	case errors.Is(err, queue.ErrUsed):
		return &usedError{session: taken, inUse: true}
	case err != nil:
		return err
	}
	q.hold(ctx, taken, true)
	return nil
}

// mayFetch reports whether this caller may have the session's result by its id. An approval belongs to the hook that
// asked: a model must not fetch its own. Messages are next_message's, and what an interview asks is its own. A bound
// session is its own caller's alone.
func (q *question) mayFetch(s queue.Session) bool {
	if s.Ask.Kind == queue.KindApproval || s.IsMessage() || s.Origin.Dialect == queue.DialectInterview {
		return false
	}
	return !s.Bound() || s.Origin.Instance == q.origin.Instance && s.Origin.Agent == q.origin.Agent
}
