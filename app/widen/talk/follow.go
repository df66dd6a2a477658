package talk

import (
	"context"
	"errors"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// afterError is the pause after a follower's wait failed.
const afterError = time.Second

// follower says when a session changed in a way that a conversation about it has to know.
type follower struct {
	changes chan queue.Session // the latest alone
	stop    context.CancelFunc
}

// follow tells the states of a session until it is over, or until close.
func follow(ctx context.Context, q *queue.Queue, id string) *follower {
	ctx, stop := context.WithCancel(ctx)
	f := &follower{changes: make(chan queue.Session, 1), stop: stop}
	go f.run(ctx, q, id)
	return f
}

func (f *follower) close() { f.stop() }

func (f *follower) run(ctx context.Context, q *queue.Queue, id string) {
	tell := func(s queue.Session) (over bool) {
		f.tell(s)
		return s.Outcome != nil
	}
	for ctx.Err() == nil {
		if _, err := q.Await(ctx, id, 0, tell); err == nil {
			return
		}
		sleep(ctx, afterError)
	}
}

// tell keeps the latest state for the next reader.
func (f *follower) tell(s queue.Session) {
	select {
	case <-f.changes:
	default:
	}
	f.changes <- s
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// sameFor reports whether two states of a session are the same for a conversation: whether it is over, and whether the
// team has it and how.
func sameFor(a, b queue.Session) bool {
	if (a.Outcome == nil) != (b.Outcome == nil) || (a.Widen == nil) != (b.Widen == nil) {
		return false
	}
	return a.Widen == nil || a.Widen.State == b.Widen.State
}

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

const typedIsKept = "What you typed is kept until it can be. Ctrl-C stops waiting."

// outlast says that the queue is waited for, and when it is there again. It fails with errStopped after Ctrl-C.
func (t *Talk) outlast(ctx context.Context, do func() error) error {
	told := false
	err := Outlast(do, func(why error) error {
		if !told {
			t.toned(toned{toneRed, say.Capital(say.QueueUnread(say.OneLine(why.Error()))) + ".", " " + typedIsKept})
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
		t.sayLine("The queue is there again.")
	}
	return err
}

// store carries out a command as outlast does. The command's id has to be the same in each try, so that it counts once.
func (t *Talk) store(ctx context.Context, do func() (queue.Session, error)) (s queue.Session, err error) {
	err = t.outlast(ctx, func() (err error) {
		s, err = do()
		return err
	})
	return s, err
}

// orLeft returns the error of a conversation, or nil if the person left it.
func orLeft(err error) error {
	if errors.Is(err, errStopped) {
		return nil
	}
	return err
}
