package talk

import (
	"context"
	"errors"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// tryEvery is the interval of retries while the queue's server is away.
const tryEvery = time.Second

// Outlast does something at the queue, and again for as long as the queue's server is away. A try that failed may have
// been stored all the same, so it has to be something that can be repeated. wait comes before each further try, with
// the error of the last one; where it fails, that is the end of it.
func Outlast(do func() error, wait func(error) error) error {
	for {
		err := do()
		if !errors.Is(err, queue.ErrUnreachable) {
			return err
		}
		if err := wait(err); err != nil {
			return err
		}
	}
}

// AwaitTry waits until something is to be tried again. It fails with ctx's error.
func AwaitTry(ctx context.Context) error {
	sleep(ctx, tryEvery)
	return ctx.Err()
}

// outlast says that the queue is waited for, and when it is there again. It fails with errStopped after Ctrl-C.
func (t *voice) outlast(ctx context.Context, do func() error) error {
	told := false
	err := Outlast(do, func(why error) error {
		if !told {
			t.toned(say.TalkAway(why.Error()))
			told = true
		}
		select {
		case <-t.o.After(tryEvery):
			return nil
		case <-t.o.Interrupt:
			return errStopped
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	if told && ctx.Err() == nil && !errors.Is(err, errStopped) {
		t.sayLine(say.TalkThereAgain)
	}
	return err
}

// store is outlast for a command. The command's id has to be the same in each try, so that it counts once.
func (t *voice) store(ctx context.Context, do func() (queue.Session, error)) (s queue.Session, err error) {
	err = t.outlast(ctx, func() (err error) {
		s, err = do()
		return err
	})
	return s, err
}

// orLeft returns the error of a conversation: none where the person left it.
func orLeft(err error) error {
	if errors.Is(err, errStopped) {
		return nil
	}
	return err
}
