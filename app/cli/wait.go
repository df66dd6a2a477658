package cli

import (
	"context"
	"errors"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// lookEvery is the interval at which a command that waits for a form checks whether the form's pane is still open.
const lookEvery = time.Second

// waitFor returns the session once it is over, or once its form was left without an answer. open, if given, says
// whether the pane of the form is still there.
func waitFor(ctx context.Context, q *queue.Queue, s queue.Session, open func(context.Context) bool) (
	queue.Session, error) {
	if open == nil {
		return q.Await(ctx, s.ID, 0, nil)
	}
	s, err := q.Await(ctx, s.ID, lookEvery, func(s queue.Session) bool { return s.Outcome != nil || !open(ctx) })
	if err != nil || s.Outcome != nil {
		return s, err
	}
	over := func(queue.Session) bool { return true }
	return q.Await(ctx, s.ID, 0, over) // the answer comes before the pane closes
}

// outlasted waits a moment where the queue's server is away: the question is there, and so will the answer be. Any
// other error is not outlasted.
func outlasted(ctx context.Context, err error) bool {
	if !errors.Is(err, queue.ErrUnreachable) {
		return false
	}
	select {
	case <-ctx.Done():
	case <-time.After(lookEvery):
	}
	return ctx.Err() == nil
}
