package interview

import (
	"context"

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
	s, err := b.Queue.Await(ctx, id, 0, func(s queue.Session) bool {
		return s.Outcome != nil || parked && s.Parked()
	})
	switch {
	case err != nil:
		return talk.Stopped, err
	case s.Outcome != nil:
		return talk.Over, nil
	}
	return talk.Parked, nil
}
