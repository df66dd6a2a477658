package widen

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// command returns the command for a person's action. The queue carries out commands with the same id only once, so the
// command may be sent again after a failure.
func command(by widen.Actor, id string, do queue.Action) queue.Command {
	by.ID = id
	return by.Command(do)
}

// claimFor is the time for which a call to the team is claimed. The claim is renewed as long as the call lasts. If a
// process dies during the call, other processes can make the call after this time.
const claimFor = 10 * time.Second

// byCourier returns a command that no person gave.
func byCourier(do queue.Action) queue.Command { return queue.Command{By: queue.ByCaller, Do: do} }

// claimDuration returns the time after which a claim ends unless it is renewed.
func (o Options) claimDuration() time.Duration {
	if o.Queue.Shared() { // the clocks of other machines differ
		return claimFor + queue.ClockSkew
	}
	return claimFor
}

// claim sends the queue a command with the action CallTeam, which claims the call to the team for this process. It
// renews the claim until release is called.
func (o Options) claim(ctx context.Context, id string, c queue.Command) (s queue.Session, release func(), err error) {
	do, _ := c.Do.(queue.CallTeam)
	do.For = o.claimDuration()
	c.Do = do
	if s, err = o.Queue.Do(ctx, id, c); err != nil {
		return s, nil, err
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() {
		defer close(done)
		for sleep(ctx, claimFor/3) {
			_, _ = o.Queue.Do(ctx, id, byCourier(do)) // if that fails the claim may end
		}
	}()
	return s, func() { cancel(); <-done }, nil
}

// askedElsewhere tells the person that another process is asking the team.
const askedElsewhere = "Another choicetui is asking the team about this question now. Look again in a moment."

// Ask asks the team, and stops the question's clock. It stores the decision's id before it sends anything, so that
// after a crash or a failure the next try asks about the same decision. If the question ended meanwhile, Ask fails with
// the queue's error, and the courier tells the team. Other errors are *Failure, the queue's, or ctx's.
func (s *Service) Ask(ctx context.Context, id string, c widen.Call, by widen.Actor) (queue.Session, error) {
	s.mu.Lock()
	w, asked := s.unstored[id]
	s.mu.Unlock()
	if asked {
		return s.storeWidened(ctx, id, w, by)
	}
	b, err := s.o.Backend()
	if err != nil {
		return queue.Session{}, err
	}
	call := queue.CallTeam{Call: queue.NewToken(), Decision: widen.NewDecision(s.o.Queue.Now()), Backend: b.Name()}
	session, release, err := s.o.claim(ctx, id, command(by, call.Call, call))
	// The claim of a process that was killed has ended by then.
	expired := time.Now().Add(s.o.claimDuration() + time.Second)
	for errors.Is(err, queue.ErrUsed) && time.Now().Before(expired) && sleep(ctx, claimFor/40) {
		session, release, err = s.o.claim(ctx, id, command(by, call.Call, call))
	}
	switch {
	case errors.Is(err, queue.ErrUsed):
		return session, &Failure{Words: askedElsewhere}
	case err != nil:
		return session, fmt.Errorf("failed to store that the team will be asked: %w", err)
	}
	w, err = s.inviteTeam(ctx, b, session, c, call.Call)
	release()
	if err == nil {
		return s.storeWidened(ctx, id, w, by)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeWithin)
	defer cancel()
	// An earlier call whose end is not known may have reached the team all the same.
	made, _ := session.TeamAsked()
	var failure *Failure
	refused := made.ID == call.Call && errors.As(err, &failure) && failure.Refused
	// If this fails, the claim ends on its own.
	_, _ = s.o.Queue.Do(ctx, id, byCourier(queue.LeaveTeam{Call: call.Call, Refused: refused}))
	s.Ring()
	return session, err
}

// storeWidened stores that the team was asked, also if the person gave up meanwhile. If the queue cannot be reached,
// the next call of Ask stores it and does not ask the team again.
func (s *Service) storeWidened(ctx context.Context, id string, w queue.Widened, by widen.Actor) (queue.Session, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeWithin)
	defer cancel()
	defer s.Ring()
	stored, err := s.o.Queue.Do(ctx, id, command(by, "widen-"+w.Decision, queue.Widen{Widened: w}))
	s.mu.Lock()
	if errors.Is(err, queue.ErrUnreachable) {
		s.unstored[id] = w
	} else {
		delete(s.unstored, id)
	}
	s.mu.Unlock()
	if err == nil && stored.Outcome != nil {
		err = queue.ErrSettled
	}
	if err != nil {
		return stored, fmt.Errorf("failed to store that the team was asked: %w", err)
	}
	return stored, nil
}

// inviteTeam makes the call that asks the team.
func (s *Service) inviteTeam(
	ctx context.Context, b Backend, session queue.Session, c widen.Call, call string,
) (queue.Widened, error) {
	asked, _ := session.TeamAsked()
	i := Invitation{Letter: Letter(session, c.WithPrompt, c.Before), Decision: asked.Decision, Invited: c.Invited}
	if asked.ID != call {
		i.Again = session.AskedAt
	}
	ctx, cancel := context.WithTimeout(ctx, widenWithin)
	defer cancel()
	response, err := b.Widen(ctx, i)
	return queue.Widened{Decision: i.Decision, Mission: Mission(session), QuestionID: QuestionID(session),
		Team: i.Invited, ThreadURL: widen.ResponseThread(response), Response: response}, err
}
