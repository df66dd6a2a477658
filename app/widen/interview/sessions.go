package interview

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"

	"github.com/choicetui/choicetui/queue"
)

// session returns the session of a question: the one under way, or a new one. If that ended without a decision, the
// question is asked again, but a session that a person cancelled ends the interview.
func (r *Interview) session(ctx context.Context, q Question) (queue.Session, error) {
	if id := r.state.Sessions[q.ID]; id != "" {
		s, err := r.o.Queue.Store.Get(ctx, id)
		switch {
		case errors.Is(err, queue.ErrNotFound):
			return r.create(ctx, q, id)
		case err != nil:
			return s, err
		}
		if s = s.At(r.o.Queue.Now()); s.Outcome == nil {
			return r.takeOver(ctx, q, s)
		}
		if _, ok := decisionOf(q.ID, s); ok && r.asks(s, q) {
			return s, nil
		}
		if err := r.endless(ctx, q, s); err != nil {
			return s, err
		}
	} else if s, ok, err := r.orphan(ctx, q); err != nil {
		return s, err
	} else if ok {
		r.state.Sessions[q.ID] = s.ID
		return r.takeOver(ctx, q, s)
	}
	return r.create(ctx, q, queue.NewID())
}

// asks reports whether a session asks a question as the file has it now; the question's default does not count. A
// question that went to the team counts as unchanged.
func (r *Interview) asks(s queue.Session, q Question) bool {
	return s.Widen != nil || s.Key == r.key(q) || wordingOf(s.Ask) == wordingOf(q.Ask())
}

// endless lets go of a session that ended without a decision, or with one about a question that was changed since.
func (r *Interview) endless(ctx context.Context, q Question, s queue.Session) error {
	delete(r.state.Sessions, q.ID)
	r.collect(ctx, s.ID)
	if s.Outcome.Status != queue.StatusCancelled || s.Outcome.By != queue.ByHuman {
		return nil
	}
	return errors.Join(ErrStopped, r.save())
}

// create keeps the id and then makes the session.
func (r *Interview) create(ctx context.Context, q Question, id string) (queue.Session, error) {
	r.state.Sessions[q.ID] = id
	if err := r.save(); err != nil {
		return queue.Session{}, err
	}
	origin := r.o.Origin
	origin.Dialect, origin.Client, origin.Thread = queue.DialectInterview, clientName, r.o.File.Mission
	own := *r.o.Queue
	own.NewID = func() string { return id }
	return own.Create(ctx, queue.Session{Key: r.key(q), Ask: q.Ask(), Origin: origin, Claim: &r.claim})
}

// key returns the same text for the same question of the same file.
func (r *Interview) key(q Question) string {
	path, err := filepath.Abs(r.o.File.Path)
	if err != nil {
		path = r.o.File.Path
	}
	raw, _ := json.Marshal([]any{queue.DialectInterview, path, r.o.File.Mission, q.Ask()}) // plain data
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:16])
}

// orphan returns a pending session of this question that no partial file names, as when that was removed.
func (r *Interview) orphan(ctx context.Context, q Question) (s queue.Session, found bool, err error) {
	live, _, err := r.o.Queue.Store.Live(ctx)
	if errors.Is(err, queue.ErrUnreachable) { // it will be known whether the session exists
		return queue.Session{}, false, err
	}
	key := r.key(q)
	for _, s := range live {
		if s = s.At(r.o.Queue.Now()); s.Key == key && s.Outcome == nil && s.Origin.Dialect == queue.DialectInterview {
			return s, true, nil
		}
	}
	return queue.Session{}, false, nil
}

// takeOver makes a pending session this run's. If its question was changed in the file, it is withdrawn and asked
// again, unless the team has it.
func (r *Interview) takeOver(ctx context.Context, q Question, s queue.Session) (queue.Session, error) {
	if s.Key != r.key(q) && s.Widen == nil {
		gone := queue.Cancel{Reason: "the question was changed in its file"}
		if _, err := r.o.Queue.Do(ctx, s.ID, byCaller(gone)); err != nil && !errors.Is(err, queue.ErrSettled) {
			return s, err
		}
		return r.create(ctx, q, queue.NewID())
	}
	if s.Claim != nil && *s.Claim == r.claim {
		return s, nil
	}
	take := queue.Take{Claim: r.claim, Origin: s.Origin}
	take.Origin.Instance = r.claim.Instance
	if s.Claim != nil {
		take.Over = *s.Claim // dead: the file is locked
	}
	s, err := r.o.Queue.Do(ctx, s.ID, byCaller(take))
	if errors.Is(err, queue.ErrSettled) {
		err = nil
	}
	return s, err
}

// collect closes a session, and those before it that could not be closed. Where that fails, the sweep does it in time.
func (r *Interview) collect(ctx context.Context, id string) {
	ctx = context.WithoutCancel(ctx)
	r.open = slices.DeleteFunc(append(r.open, id), func(id string) bool {
		closed, err := r.o.Queue.Do(ctx, id, byCaller(queue.Collect{Claim: r.claim}))
		if err == nil && closed.Closed() { // else its team is told before
			err = r.o.Queue.Store.Archive(ctx, closed)
		}
		return !errors.Is(err, queue.ErrUnreachable)
	})
}

// byCaller wraps an action in a command of the interview's.
func byCaller(do queue.Action) queue.Command {
	return queue.Command{By: queue.ByCaller, Surface: queue.SurfaceCLI, Do: do}
}
