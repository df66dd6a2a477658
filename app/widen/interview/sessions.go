package interview

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"github.com/choicetui/choicetui/queue"
)

// sessionOf returns the session of a question: the session that is under way, or a new one. If the session under way
// ended without a decision, the question is asked again; but if a person cancelled it, the interview ends.
func (r *Interview) sessionOf(ctx context.Context, q Question) (queue.Session, error) {
	if id := r.state.Sessions[q.ID]; id != "" {
		s, err := r.o.Queue.Store.Get(ctx, id)
		switch {
		case errors.Is(err, queue.ErrNotFound):
			return r.createSession(ctx, q, id)
		case err != nil:
			return s, err
		}
		if s = s.At(r.o.Queue.Now()); s.Outcome == nil {
			return r.takeOver(ctx, q, s)
		}
		if _, ok := decisionOf(q.ID, s); ok && r.asksUnchanged(s, q) {
			return s, nil
		}
		if err := r.dropUndecided(ctx, q, s); err != nil {
			return s, err
		}
	} else if s, ok, err := r.findOrphan(ctx, q); err != nil {
		return s, err
	} else if ok {
		r.state.Sessions[q.ID] = s.ID
		return r.takeOver(ctx, q, s)
	}
	return r.createSession(ctx, q, queue.NewID())
}

// asksUnchanged reports whether a session asks the question in its present wording. Its default does not count. A
// question that went to the team always counts as unchanged.
func (r *Interview) asksUnchanged(s queue.Session, q Question) bool {
	return s.Widen != nil || s.Key == r.keyOf(q) || wordingOf(s.Ask) == wordingOf(q.Ask())
}

// dropUndecided forgets and closes a session that ended without a decision, or whose question was changed since. It
// fails with ErrStopped if a person cancelled the session.
func (r *Interview) dropUndecided(ctx context.Context, q Question, s queue.Session) error {
	delete(r.state.Sessions, q.ID)
	r.closeSession(ctx, s.ID)
	if s.Outcome.Status != queue.StatusCancelled || s.Outcome.By != queue.ByHuman {
		return nil
	}
	return errors.Join(ErrStopped, r.saveState())
}

// createSession stores the id in the partial file and then creates the session.
func (r *Interview) createSession(ctx context.Context, q Question, id string) (queue.Session, error) {
	r.state.Sessions[q.ID] = id
	if err := r.saveState(); err != nil {
		return queue.Session{}, err
	}
	origin := r.o.Origin
	origin.Dialect, origin.Client, origin.Thread = queue.DialectInterview, clientName, r.o.File.Mission
	own := *r.o.Queue
	own.NewID = func() string { return id }
	return own.Create(ctx, queue.Session{Key: r.keyOf(q), Ask: q.Ask(), Origin: origin, Claim: &r.claim})
}

// keyOf returns the key of a question's session, which is the same for the same question of the same file.
func (r *Interview) keyOf(q Question) string {
	path, err := filepath.Abs(r.o.File.Path)
	if err != nil {
		path = r.o.File.Path
	}
	return hashOf([]any{queue.DialectInterview, path, r.o.File.Mission, q.Ask()})
}

// findOrphan returns a pending session of this question that the partial file does not name, for example because the
// file was removed.
func (r *Interview) findOrphan(ctx context.Context, q Question) (s queue.Session, found bool, err error) {
	live, _, err := r.o.Queue.Store.Live(ctx)
	if errors.Is(err, queue.ErrUnreachable) { // without an answer, a second session might be created
		return queue.Session{}, false, err
	}
	key := r.keyOf(q)
	for _, s := range live {
		if s = s.At(r.o.Queue.Now()); s.Key == key && s.Outcome == nil && s.Origin.Dialect == queue.DialectInterview {
			return s, true, nil
		}
	}
	return queue.Session{}, false, nil
}

// takeOver claims a pending session for this run. If its question was changed in the file, the session is withdrawn and
// the question asked again, unless the team has it.
func (r *Interview) takeOver(ctx context.Context, q Question, s queue.Session) (queue.Session, error) {
	if s.Key != r.keyOf(q) && s.Widen == nil {
		gone := queue.Cancel{Reason: "the question was changed in its file"}
		if _, err := r.o.Queue.Do(ctx, s.ID, byCaller(gone)); err != nil && !errors.Is(err, queue.ErrSettled) {
			return s, err
		}
		return r.createSession(ctx, q, queue.NewID())
	}
	if s.Claim != nil && *s.Claim == r.claim {
		return s, nil
	}
	take := queue.Take{Claim: r.claim, Origin: s.Origin}
	take.Origin.Instance = r.claim.Instance
	if s.Claim != nil {
		take.Over = *s.Claim // its process has ended, because this one has locked the file
	}
	s, err := r.o.Queue.Do(ctx, s.ID, byCaller(take))
	if errors.Is(err, queue.ErrSettled) {
		err = nil
	}
	return s, err
}

// closeSession closes a session, and earlier ones that could not be closed. If that fails, a sweep of the queue closes
// them later.
func (r *Interview) closeSession(ctx context.Context, id string) {
	ctx = context.WithoutCancel(ctx)
	r.open = slices.DeleteFunc(append(r.open, id), func(id string) bool {
		closed, err := r.o.Queue.Do(ctx, id, byCaller(queue.Collect{Claim: r.claim}))
		if err == nil && closed.Closed() { // otherwise its team must be told first
			err = r.o.Queue.Store.Archive(ctx, closed)
		}
		return !errors.Is(err, queue.ErrUnreachable)
	})
}

// byCaller wraps an action in a command of the interview's.
func byCaller(do queue.Action) queue.Command {
	return queue.Command{By: queue.ByCaller, Surface: queue.SurfaceCLI, Do: do}
}
