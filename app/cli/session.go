package cli

import (
	"context"
	"errors"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// sessionID returns the id that the person typed, or fails if it is not an id.
func sessionID(typed string) (string, error) {
	id, ok := queue.TypedID(typed)
	if !ok {
		return "", &failure{
			say:  quoted(typed) + " is not a question id; ids have 8 letters and digits, like k7f3m2qx",
			hint: "choicetui list shows the ids", code: exitMissing}
	}
	return id, nil
}

// findSession returns a session, live or archived, as it is now, and its queue.
func (sh *shell) findSession(ctx context.Context, typed string) (*queue.Queue, queue.Session, error) {
	var q *queue.Queue
	id, err := sessionID(typed)
	if host, own := queue.SplitID(typed); queue.ValidHost(host) { // sessionID takes no id with a host, so err is set
		if own, ok := queue.TypedID(own); ok {
			id = queue.RemoteID(host, own)
			q, err = sh.openRemote(ctx, host)
		}
	} else if err == nil {
		q, err = sh.openExisting()
	}
	if err != nil {
		return nil, queue.Session{}, err
	}
	s, err := q.Store.Get(ctx, id)
	if errors.Is(err, queue.ErrNotFound) {
		return nil, s, noSession(id, err)
	}
	return q, s.At(q.Now()), err
}

// alreadyOver refuses a command on a session that has ended, and says who ended it, when and how.
func (sh *shell) alreadyOver(s queue.Session, cause error) *failure {
	told := s.ID + " has already ended"
	if o := s.Outcome; o != nil {
		told = s.ID + " " + say.AlreadyEnded(s) + " (" + settledAt(*o, sh.now()) + ")"
	}
	return &failure{say: told, hint: "choicetui show " + s.ID + " shows it in full", code: exitMissing, cause: cause}
}

// byPerson returns a command of the person at this command line.
func byPerson(do queue.Action) queue.Command {
	return queue.Command{By: queue.ByHuman, Surface: queue.SurfaceCLI, Do: do}
}

// cameTooLate reports whether a command failed because its session had been settled or used before.
func cameTooLate(err error) bool {
	return errors.Is(err, queue.ErrSettled) || errors.Is(err, queue.ErrFinal) || errors.Is(err, queue.ErrUsed)
}

// noQuestion refuses to answer a message that the person wrote to an agent.
func noQuestion(s queue.Session) *failure {
	return &failure{say: s.ID + " is a message to an agent, not a question",
		hint: "choicetui cancel " + s.ID + " takes it back", code: exitMissing}
}

// statusWord returns a session's status in list and show: pending, widened if the person asked their team, or the
// status of the outcome.
func statusWord(s queue.Session) string {
	if s.Pending() && s.Deadline.IsZero() {
		return "widened"
	}
	return s.Status()
}

// liveSessions returns all sessions that are not archived, as they are now, and warns about those that could not be
// read.
func (sh *shell) liveSessions(ctx context.Context, q *queue.Queue) ([]queue.Session, error) {
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

// pendingQuestions returns the pending questions in the order of the queue, and the running processes.
func (sh *shell) pendingQuestions(ctx context.Context, q *queue.Queue) (
	all []queue.Waiting, present []queue.Presence, err error,
) {
	var live []queue.Session
	for _, of := range q.All() {
		there, err := sh.liveSessions(ctx, of)
		if err != nil {
			return nil, nil, err
		}
		run, err := of.Store.Present(ctx)
		if err != nil {
			return nil, nil, err
		}
		live, present = append(live, there...), append(present, run...)
	}
	return queue.WaitingOrder(live, queue.RunningAmong(present), q.Person, q.Now()), present, nil
}

// lookEvery is the time between two checks of a command that waits for a form whether the form's pane still exists.
const lookEvery = time.Second

// waitFor returns the session once it has ended, or once the pane of its form has closed. open reports whether the pane
// still exists; nil: there is no pane.
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
	return q.Await(ctx, s.ID, 0, over) // read again: an answer is stored before the pane closes
}

// waitForServer waits a moment if err means that the queue's server is away, and reports whether to try again. Other
// errors, and the end of ctx, are no reason to try again.
func waitForServer(ctx context.Context, err error) bool {
	if !errors.Is(err, queue.ErrUnreachable) {
		return false
	}
	select {
	case <-ctx.Done():
	case <-time.After(lookEvery):
	}
	return ctx.Err() == nil
}
