package call

import (
	"context"
	"errors"
	"sync"

	"github.com/choicetui/choicetui/queue"
)

// doubts are the questions that were sent to the store and that it did not confirm, by what was asked. The store may
// have them, get them yet or never. Whoever asks the same again continues the same session, so that the person is asked
// once.
type doubts struct{ sync.Map }

// doubt is such a question.
type doubt struct {
	id    string
	claim queue.Claim // of the call that sent it
}

// store puts a question into the queue. asked is what it asks: if that was in doubt, it stays the same session.
func (d *doubts) store(ctx context.Context, q *question, draft queue.Session, asked string) (queue.Session, error) {
	step, cancel := stepContext(ctx)
	defer cancel()
	try := q.watch.q.Create
	found, _ := d.Load(asked)
	if known, again := found.(doubt); again {
		try = func(ctx context.Context, draft queue.Session) (queue.Session, error) {
			return known.goOn(ctx, q, draft)
		}
	}
	s, err := try(step, draft)
	switch {
	case errors.Is(err, queue.ErrInDoubt):
		d.add(ctx, q, asked, s.ID)
	case !errors.Is(err, queue.ErrUnreachable):
		d.Delete(asked)
	}
	return s, err
}

// goOn continues a question that was in doubt. If it is stored and has ended since, it is asked again.
func (known doubt) goOn(ctx context.Context, q *question, draft queue.Session) (queue.Session, error) {
	s, err := q.readSession(ctx, known.id)
	if errors.Is(err, queue.ErrNotFound) {
		if s, err = q.watch.q.CreateAs(ctx, known.id, draft); !errors.Is(err, queue.ErrExists) {
			return s, err
		}
		s, err = q.readSession(ctx, known.id) // it came meanwhile
	}
	switch {
	case err != nil:
		return s, err
	case s.At(q.watch.q.Now()).Outcome != nil:
		return q.watch.q.Create(ctx, draft)
	case draft.Claim == nil:
		return s, nil
	}
	return q.do(ctx, known.id, queue.ByCaller, queue.Take{Claim: q.claim, Origin: q.origin, Over: known.claim})
}

// add notes a question that may be stored. Its call is over, so nobody waits for it until somebody asks again. The call
// is told at once, and not only when the store has answered that.
func (d *doubts) add(ctx context.Context, q *question, asked, id string) {
	d.Store(asked, doubt{id, q.claim})
	q.bridge.owed.Store(q.claim, true)
	go q.finish(ctx, id, queue.Release{Claim: q.claim}, nil, "failed to let go of session %s, which may be stored: %v")
}
