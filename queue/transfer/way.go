package transfer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/choicetui/choicetui/queue"
)

// ErrOther means that the other queue has another session of the same id, so that nothing was overwritten.
var ErrOther = errors.New("another session has its id there")

// ErrSame means that both names are of one queue.
var ErrSame = errors.New("both places are the same queue")

// errApart means that both queues have a copy, and neither of them continues the other.
var errApart = errors.New("both queues have it, and it went on apart")

// way leads from one store to another.
type way struct{ from, to queue.Store }

// carry brings a session that is over here to the other store, with its drafts. It returns what is there.
func (w way) carry(ctx context.Context, s queue.Session) (there queue.Session, err error) {
	if there, err = w.bring(ctx, s); err != nil {
		return there, fmt.Errorf("failed to move session %s: %w", s.ID, err)
	}
	if !there.Final && len(there.Events) == len(s.Events) { // nobody has worked on it there
		if err := w.carryDrafts(ctx, s.ID); err != nil {
			return there, fmt.Errorf("failed to move the drafts of session %s: %w", s.ID, err)
		}
	}
	return there, nil
}

// archive closes the books on a session that arrived. It may be back already.
func (w way) archive(ctx context.Context, s queue.Session) error {
	err := w.from.Archive(ctx, s)
	if err != nil && !errors.Is(err, queue.ErrNotFound) && !errors.Is(err, queue.ErrPending) {
		return fmt.Errorf("failed to archive session %s here: %w", s.ID, err)
	}
	return nil
}

// bring has a session be in the other store: in the history, or live as it was before it departed. One that is there
// already stays as it is there: it may have been answered. A copy that departed from there makes room.
func (w way) bring(ctx context.Context, s queue.Session) (queue.Session, error) {
	there, err := w.to.Get(ctx, s.ID)
	switch {
	case errors.Is(err, queue.ErrNotFound):
		return w.create(ctx, s)
	case err != nil:
		return there, err
	case queue.Supersedes(s, there) && isCopy(there, s):
		if err := w.to.Archive(ctx, there); err != nil {
			return there, err
		}
		return w.create(ctx, s)
	}
	return w.welcome(ctx, s, there)
}

func (w way) create(ctx context.Context, s queue.Session) (queue.Session, error) {
	fresh := s
	if _, departed := queue.Departed(s); departed {
		fresh = queue.Arriving(s)
	}
	made, err := w.to.Create(ctx, fresh)
	switch {
	case errors.Is(err, queue.ErrInDoubt):
		made, err = fresh, w.to.Sync(ctx, s.ID)
	case errors.Is(err, queue.ErrExists):
		made, err = w.to.Get(ctx, s.ID)
	}
	if err != nil {
		return made, err
	}
	return w.welcome(ctx, s, made)
}

// welcome checks what the other store has of a session, and archives it there if it is over.
func (w way) welcome(ctx context.Context, s, there queue.Session) (queue.Session, error) {
	_, left := queue.Departed(there)
	switch {
	case !isCopy(there, s):
		return there, ErrOther
	case !queue.Continues(there, s):
		return there, errApart
	case left && len(there.Events) == len(s.Events): // it is the copy that departed itself
		return there, ErrSame
	case there.Final && !left:
		return there, w.to.Archive(ctx, there)
	}
	return there, nil
}

// isCopy reports whether two sessions of one id are one question.
func isCopy(a, b queue.Session) bool { return a.AskedAt.Equal(b.AskedAt) && a.Ask.Title == b.Ask.Title }

// carryDrafts takes along what was typed for a session and not sent, unless there is something newer.
func (w way) carryDrafts(ctx context.Context, id string) error {
	drafts, err := w.from.Drafts(ctx, id)
	if err != nil || len(drafts) == 0 {
		return err
	}
	there, err := w.to.Drafts(ctx, id)
	if err != nil {
		return err
	}
	for _, d := range drafts {
		newer := func(o queue.Draft) bool { return o.Instance == d.Instance && !o.At.Before(d.At) }
		if !slices.ContainsFunc(there, newer) {
			if err := w.to.SaveDraft(ctx, d); err != nil {
				return err
			}
		}
		if err := w.from.DropDraft(ctx, id, d.Instance); err != nil {
			return err
		}
	}
	return nil
}
