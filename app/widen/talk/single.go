package talk

import (
	"context"
	"errors"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/widen"
)

// Widen asks the team about one question outside of an interview. Where nobody is asked the conversation ends.
func (t *Talk) Widen(ctx context.Context, about Question) (End, error) {
	return t.alone(ctx, about, func(ctx context.Context) error {
		if why := t.whyNotWiden(ctx); why != "" {
			t.sayLine(say.TalkNotNow(why))
			return errStopped
		}
		if err := t.invite.widen(ctx); err != nil || t.now.Widen == nil {
			return orStopped(err)
		}
		return nil // the person waits
	})
}

// orStopped ends a conversation that came to nothing.
func orStopped(err error) error {
	if err == nil {
		return errStopped
	}
	return err
}

// Fetch reviews the discussion of one question outside of an interview.
func (t *Talk) Fetch(ctx context.Context, about Question) (End, error) {
	return t.alone(ctx, about, t.ofTeam(t.room.review))
}

// Defer ends a question that the team has, or a question of an interview, without an answer.
func (t *Talk) Defer(ctx context.Context, about Question) (End, error) {
	return t.alone(ctx, about, func(ctx context.Context) error {
		if t.now.Widen == nil && t.now.MayDefer() == nil {
			return orStopped(t.deferOwn(ctx))
		}
		return t.ofTeam(func(ctx context.Context) error { return t.room.deferTeam(ctx, "") })(ctx)
	})
}

// ofTeam returns a step about a question that the team has, after which the conversation ends.
func (t *Talk) ofTeam(step func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		if t.now.Widen == nil {
			t.sayLine(say.TalkNotWidened)
			return errStopped
		}
		return orStopped(step(ctx))
	}
}

// alone begins a conversation with one step.
func (t *Talk) alone(ctx context.Context, about Question, first func(context.Context) error) (End, error) {
	t.single = true
	defer func() { t.single = false }()
	begun := false
	return t.converse(ctx, about, func(ctx context.Context) error {
		if begun {
			return t.step(ctx)
		}
		begun = true
		return first(ctx)
	})
}

// BeginPass says that so many questions are still with the team.
func (t *Talk) BeginPass(n int) { t.box(say.TalkPendingBox(n)) }

// Pass reviews the nth of so many questions that are still with the team. It does not end with Parked.
func (t *Talk) Pass(ctx context.Context, about Question, n, of int) (End, error) {
	t.final = true
	defer func() { t.final = false }()
	begun := false
	return t.converse(ctx, about, func(ctx context.Context) error {
		if begun || t.now.Widen == nil {
			return t.step(ctx)
		}
		begun = true
		t.apart()
		w := *t.now.Widen
		if at, ok := widen.ResponseTime(w.Response, t.o.Queue.Now()); ok {
			w.At = at
		}
		t.sayLine(say.TalkPendingOne(n, of, t.question(), w))
		return t.room.review(ctx)
	})
}

// Outlast returns the function of that name for who asks the questions: it says that the queue is waited for, and fails
// with context.Canceled where the person does not wait.
func (t *Talk) Outlast(ctx context.Context, do func() error) error {
	err := t.outlast(ctx, do)
	if errors.Is(err, errStopped) {
		return context.Canceled
	}
	return err
}
