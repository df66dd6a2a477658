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
	w, err := q.Store.Follow(ctx, s.ID)
	if err != nil {
		return s, err
	}
	defer w.Close()
	for {
		there := open == nil || open(ctx) // looked at first: the answer comes before the pane closes
		now, err := q.Store.Get(ctx, s.ID)
		if err == nil {
			if s = now.At(q.Now()); !s.Pending() || !there {
				return s, nil
			}
			err = nextChange(ctx, q, w, s, open != nil)
		}
		if err != nil && !outlasted(ctx, err) {
			return s, err
		}
	}
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

// nextChange waits until something changed, the time is up, or, with a form in a pane, it is time to look whether
// that is still there.
func nextChange(ctx context.Context, q *queue.Queue, w queue.Watcher, s queue.Session, form bool) error {
	wait := time.Minute
	if form {
		wait = lookEvery
	}
	if left := s.Deadline.Sub(q.Now()); !s.Deadline.IsZero() && left < wait {
		wait = max(left, time.Millisecond)
	}
	step, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	_, err := w.Next(step)
	if err != nil && step.Err() == nil {
		return err
	}
	return ctx.Err()
}
