package mcpbridge

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
		f.Code, f.Message = dialect.CodeInUse, fmt.Sprintf("Another call already waits for session %q; only one can. Wait for that one.", id)
	} else if _, lapsed := e.session.Last(queue.EventLapsed); lapsed {
		f.Message = fmt.Sprintf("The result of session %q was not fetched within 24 hours and is closed.", id)
	}
	return f
}

// presence is who runs now.
type presence struct {
	alive     map[string]bool
	dashboard bool
}

// present asks the store. After an error everybody counts as alive, so that nothing is taken over, and a dashboard
// as open, so that the call waits.
func (v *visit) present(ctx context.Context) presence {
	ctx, cancel := stepContext(ctx)
	defer cancel()
	list, err := v.roster.q.Store.Present(ctx)
	if err != nil {
		v.bridge.logf("failed to see who runs: %v", err)
		return presence{dashboard: true}
	}
	p := presence{alive: map[string]bool{v.bridge.instance: true}}
	for _, one := range list {
		p.alive[one.Instance] = true
		p.dashboard = p.dashboard || one.Role == queue.RoleDashboard
	}
	return p
}

func (p presence) runs(instance string) bool { return p.alive == nil || p.alive[instance] }

// enter continues the same ask where queue.Session.Joins allows it, else creates a session. With auto and no
// dashboard the new session is a hand-off.
func (v *visit) enter(ctx context.Context, ask queue.Ask, auto bool) error {
	p := v.present(ctx)
	v.alone = !p.dashboard
	key := ""
	if !ask.HandOff {
		key = queue.Key(v.origin, ask)
		defer v.bridge.admit.lock(key)()
		if v.takeOver(ctx, key, p) {
			return nil
		}
	}
	if auto && !p.dashboard {
		ask.HandOff, key = true, ""
	}
	if ctx.Err() != nil {
		return fmt.Errorf("the call ended before anybody was asked: %w", context.Cause(ctx))
	}
	return v.create(ctx, ask, key)
}

func (v *visit) create(ctx context.Context, ask queue.Ask, key string) error {
	draft := queue.Session{Ask: ask, Origin: v.origin, Key: key}
	if !ask.HandOff {
		draft.Claim = &v.claim
	}
	step, cancel := stepContext(ctx)
	defer cancel()
	s, err := v.roster.q.Create(step, draft)
	var bad *queue.Invalid
	if errors.As(err, &bad) {
		return &queue.Invalid{Problems: v.dialect.Wire(bad.Problems)}
	}
	if err != nil {
		return fmt.Errorf("failed to put the question into the queue: %w", err)
	}
	v.roster.made(s)
	v.bridge.bound.add(s)
	v.hold(ctx, s, !ask.HandOff)
	return nil
}

// takeOver continues the newest session with this key that may be joined.
func (v *visit) takeOver(ctx context.Context, key string, p presence) bool {
	for _, id := range slices.Backward(v.roster.sameKey(key)) {
		if v.roster.settle(ctx, id) {
			continue
		}
		step, cancel := stepContext(ctx)
		s, err := v.roster.q.Store.Get(step, id)
		cancel()
		now := v.roster.q.Now()
		if err != nil || !s.At(now).Joins(key, v.origin, p.runs, now) {
			continue
		}
		before := s.At(now)
		if s, err = v.take(ctx, s, p); err == nil {
			v.joined = joinedBecause(before)
			v.hold(ctx, s, true)
			return true
		}
	}
	return false
}

func joinedBecause(s queue.Session) string {
	asked := s.AskedAt.UTC().Format(time.TimeOnly)
	if s.Outcome == nil {
		return "the same question of " + asked + " UTC goes on, it was not asked again"
	}
	return fmt.Sprintf("given at %s UTC to the same question of %s UTC, and not fetched until now",
		s.Outcome.At.UTC().Format(time.TimeOnly), asked)
}

// take claims a session, over a holder that is dead.
func (v *visit) take(ctx context.Context, s queue.Session, p presence) (queue.Session, error) {
	take := queue.Take{Claim: v.claim, Origin: v.origin}
	if s.Claim != nil && !p.runs(s.Claim.Instance) {
		take.Over = *s.Claim
	}
	v.session = s
	return v.do(ctx, queue.ByCaller, take)
}

// resume claims the session with this id, pending or settled.
func (v *visit) resume(ctx context.Context, id string) error {
	if !queue.ValidID(id) {
		return queue.ErrNotFound
	}
	v.roster.settle(ctx, id)
	step, cancel := stepContext(ctx)
	s, err := v.roster.q.Store.Get(step, id)
	cancel()
	if err != nil {
		return err
	}
	if s.Ask.Kind == queue.KindApproval || s.IsMessage() { // belongs to the hook that asked: a model must not fetch its own approval; next_message fetches messages
		return queue.ErrNotFound
	}
	if s.Bound() && (s.Origin.Instance != v.origin.Instance || s.Origin.Agent != v.origin.Agent) { // another caller's
		return queue.ErrNotFound
	}
	taken, err := v.take(ctx, s, v.present(ctx))
	switch {
	case errors.Is(err, queue.ErrFinal):
		return &usedError{session: taken}
	case errors.Is(err, queue.ErrUsed):
		return &usedError{session: taken, inUse: true}
	case err != nil:
		return err
	}
	v.hold(ctx, taken, true)
	return nil
}
