package talk

import (
	"context"
	"errors"

	team "github.com/choicetui/choicetui/app/widen"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// matter is the question that a conversation is about.
type matter struct {
	*voice
	about  Question
	single bool // it is about one question alone, outside of an interview
	final  bool // it is in the pass over what is still with the team
}

// look reads the present state of the question.
func (t *matter) look(ctx context.Context) error {
	s, err := t.store(ctx, func() (queue.Session, error) { return t.o.Queue.Store.Get(ctx, t.about.Session) })
	if err != nil {
		return err
	}
	t.now = s.At(t.o.Queue.Now())
	return nil
}

// actor returns the person at this surface as the actor.
func (t *matter) actor() team.Actor { return team.Actor{Surface: t.o.Surface} }

// question returns the text of what is asked.
func (t *matter) question() string { return team.QuestionText(t.now) }

// mission returns the name of what the question belongs to.
func (t *matter) mission() string {
	if t.about.Mission != "" {
		return t.about.Mission
	}
	return team.Mission(t.now)
}

// command does what the person wants of the question here.
func (t *matter) command(ctx context.Context, do queue.Action) (queue.Session, error) {
	c := queue.Command{ID: queue.NewToken(), By: queue.ByHuman, Surface: t.o.Surface, Do: do}
	return t.store(ctx, func() (queue.Session, error) { return t.o.Queue.Do(ctx, t.now.ID, c) })
}

// finish is errOver when a command that ends the question did so, and else what comes of its error.
func (t *matter) finish(s queue.Session, err error) error {
	if err != nil && !errors.Is(err, queue.ErrInDoubt) {
		return t.failed(say.TalkStore, err)
	}
	t.now = s
	return errOver
}

// failed says what could not be done; the question stays as it was. That it changed elsewhere is said by converse.
func (t *matter) failed(what string, err error) error {
	switch {
	case isChange(err):
		return errChanged
	case errors.Is(err, context.Canceled), errors.Is(err, errStopped):
		return err
	}
	t.toned(say.TalkFailed(what, whyFailed(err)))
	return nil
}

// whyFailed says what failed behind words that say that it did: where the server has words for it, they are enough.
func whyFailed(err error) string {
	var f *team.Failure
	if errors.As(err, &f) && f.Said != "" {
		return f.Said
	}
	return err.Error()
}

// isChange reports whether a command was refused because the question is another by now than the person was shown.
func isChange(err error) bool {
	for _, other := range []error{queue.ErrSettled, queue.ErrFinal, queue.ErrWidened, queue.ErrNotWidened,
		queue.ErrNotFound} {
		if errors.Is(err, other) {
			return true
		}
	}
	return false
}

// unanswered handles a text that is no answer: the person goes back, or is told why it cannot be one.
func (t *matter) unanswered(err error) error {
	var bad *queue.Invalid
	if errors.As(err, &bad) {
		return t.failed(say.TalkStore, err)
	}
	return t.orBack(err)
}
