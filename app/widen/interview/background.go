package interview

import (
	"context"
	"errors"

	"github.com/choicetui/choicetui/app/widen/talk"
	"github.com/choicetui/choicetui/queue"
)

// Background leaves the questions to other faces, such as a dashboard, and waits for what is done with them.
type Background struct {
	Queue *queue.Queue
	Ends  func() // told once, when only what is with the team is left; nil: nobody is
}

// Ask waits until a question is over or parked.
func (b Background) Ask(ctx context.Context, q talk.Question) (talk.End, error) {
	return b.wait(ctx, q.Session, true)
}

// BeginPass says that it began: a dashboard shows how many are left.
func (b Background) BeginPass(int) {
	if b.Ends != nil {
		b.Ends()
	}
}

// Pass waits until a question is over.
func (b Background) Pass(ctx context.Context, q talk.Question, _, _ int) (talk.End, error) {
	return b.wait(ctx, q.Session, false)
}

// Outlast says nothing: the faces do that have the questions.
func (b Background) Outlast(ctx context.Context, do func() error) error {
	return talk.Outlast(do, func(error) error { return talk.AwaitTry(ctx) })
}

func (b Background) wait(ctx context.Context, id string, parked bool) (talk.End, error) {
	var w queue.Watcher
	err := b.Outlast(ctx, func() (err error) {
		w, err = b.Queue.Store.Watch(ctx, id)
		return err
	})
	if err != nil {
		return talk.Stopped, err
	}
	defer w.Close()
	for {
		var s queue.Session
		err := b.Outlast(ctx, func() (err error) {
			s, err = b.Queue.Store.Get(ctx, id)
			return err
		})
		if err != nil {
			return talk.Stopped, err
		}
		switch s = s.At(b.Queue.Now()); {
		case s.Outcome != nil:
			return talk.Over, nil
		case parked && s.Parked():
			return talk.Parked, nil
		}
		step, cancel := context.WithTimeout(ctx, talk.Patience(s, b.Queue.Now()))
		_, err = w.Next(step)
		cancel()
		switch {
		case ctx.Err() != nil:
			return talk.Stopped, ctx.Err()
		case err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, queue.ErrUnreachable):
			return talk.Stopped, err
		}
	}
}
