package cli

import (
	"context"
	"errors"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// sessionID returns an id as a person typed it, or an error if it is not an id.
func sessionID(typed string) (string, error) {
	id, ok := queue.TypedID(typed)
	if !ok {
		return "", &failure{say: quoted(typed) + " is no question's id: those have 8 letters and digits, like k7f3m2qx",
			hint: "choicetui list shows the ids", code: exitMissing}
	}
	return id, nil
}

// find looks a session up, live or archived, in its present state.
func (sh *shell) find(ctx context.Context, typed string) (*queue.Queue, queue.Session, error) {
	id, err := sessionID(typed)
	if err != nil {
		return nil, queue.Session{}, err
	}
	q, err := sh.look()
	if err != nil {
		return nil, queue.Session{}, err
	}
	s, err := q.Store.Get(ctx, id)
	if errors.Is(err, queue.ErrNotFound) {
		return nil, s, missing(id, err)
	}
	return q, s.At(q.Now()), err
}

// over refuses a command on a session that has its outcome, and says who settled it, when and how.
func (sh *shell) over(s queue.Session, cause error) *failure {
	told := s.ID + " has already ended"
	if o := s.Outcome; o != nil {
		told = s.ID + " " + say.AlreadyEnded(s) + " (" + settledAt(*o, sh.now()) + ")"
	}
	return &failure{say: told, hint: "choicetui show " + s.ID + " shows all of it", code: exitMissing, cause: cause}
}

// byPerson returns a command of the person at this command line.
func byPerson(do queue.Action) queue.Command {
	return queue.Command{By: queue.ByHuman, Surface: queue.SurfaceCLI, Do: do}
}

// refused reports whether a command came too late, whatever it wanted.
func refused(err error) bool {
	return errors.Is(err, queue.ErrSettled) || errors.Is(err, queue.ErrFinal) || errors.Is(err, queue.ErrUsed)
}

// noQuestion refuses to answer what the person wrote themselves.
func noQuestion(s queue.Session) *failure {
	return &failure{say: s.ID + " is a message to an agent, no question",
		hint: "choicetui cancel " + s.ID + " takes it back", code: exitMissing}
}

// status returns the session's word in list and show: pending, widened, or the outcome's.
func status(s queue.Session) string {
	if s.Pending() && s.Deadline.IsZero() {
		return "widened"
	}
	return s.Status()
}

// live returns everything in the queue that is not archived, in its present state, and warns about what could not be
// read.
func (sh *shell) live(ctx context.Context, q *queue.Queue) ([]queue.Session, error) {
	live, broken, err := q.Store.Live(ctx)
	if err != nil {
		return nil, err
	}
	for i, s := range live {
		live[i] = s.At(q.Now())
	}
	sh.warnBroken(broken)
	return live, nil
}

// pending holds the pending questions of a queue, in its order, and the running processes.
func (sh *shell) pending(ctx context.Context, q *queue.Queue) (
	all []queue.Waiting, present []queue.Presence, err error,
) {
	live, err := sh.live(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	if present, err = q.Store.Present(ctx); err != nil {
		return nil, nil, err
	}
	return queue.WaitingOrder(live, queue.RunningAmong(present), q.Person, q.Now()), present, nil
}

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
