package widen

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/choicetui/choicetui/config/whole"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// Actor is through which face a person acts.
type Actor = widen.Actor

// command wraps what they do under an id of its own; empty: it is tried once.
func command(a Actor, id string, do queue.Action) queue.Command {
	a.ID = id
	return a.Command(do)
}

// Call is a person's wish to ask the team.
type Call struct {
	Session             string
	Invited             []queue.Member
	WithPrompt          bool
	Mission, QuestionID string // empty: what Mission and QuestionID say of the session
	Actor               Actor
}

// holdWait is the time for which a call waits for another process's call about the same question.
const holdWait = 2 * time.Second

// Widen asks the team, and stops the question's clock. The decision's id is kept before anything is sent: after a crash
// or a failure the next try is the same decision. Where the question ended meanwhile, it fails with the queue's error
// and the team is told. Other errors are *Failure, the queue's, or ctx's.
func (s *Service) Widen(ctx context.Context, c Call) (queue.Session, error) {
	b, err := s.backend()
	if err != nil {
		return queue.Session{}, err
	}
	release, err := s.ledger.hold(ctx, c.Session, holdWait)
	if errors.Is(err, whole.ErrLocked) {
		return queue.Session{}, &Failure{Words: say.AskedElsewhere, Err: err}
	} else if err != nil {
		return queue.Session{}, err
	}
	defer release()
	session, err := s.o.Queue.Store.Get(ctx, c.Session)
	if err != nil {
		return session, fmt.Errorf("failed to read the question: %w", err)
	}
	session = session.At(s.o.Now())
	if err := session.MayWiden(); err != nil {
		return session, err
	}
	if len(c.Invited) == 0 {
		return session, &Failure{Words: say.NobodyToAsk(b.Who()), Err: errors.New("nobody is invited")}
	}
	r, err := s.askTeam(ctx, b, session, c)
	if err != nil {
		return session, err
	}
	return s.storeWidened(ctx, r, c)
}

// askTeam keeps the decision and makes the call, unless an earlier try has made it.
func (s *Service) askTeam(ctx context.Context, b Backend, session queue.Session, c Call) (record, error) {
	i := Letter(session, c.WithPrompt)
	if c.Mission != "" {
		i.Mission = c.Mission
	}
	if c.QuestionID != "" {
		i.QuestionID = c.QuestionID
	}
	c.Mission, c.QuestionID = i.Mission, i.QuestionID
	r, err := s.ledger.begin(session, c, b.Name(), s.o.Now())
	if err != nil || len(r.Response) > 0 {
		return r, err
	}
	i.Decision, i.Invited = r.Decision, c.Invited
	if r.Called {
		i.Again = r.AskedAt
	}
	r.Called, r.Backend, r.Invited = true, b.Name(), c.Invited
	if err := s.ledger.save(r); err != nil {
		return r, err
	}
	limited, cancel := context.WithTimeout(ctx, widenWithin)
	defer cancel()
	response, err := b.Widen(limited, i)
	if err != nil {
		return r, err
	}
	r.Response = response
	return r, s.ledger.save(r)
}

// storeWidened stores that the team was asked, also if the person gave up meanwhile: they were.
func (s *Service) storeWidened(ctx context.Context, r record, c Call) (queue.Session, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeWithin)
	defer cancel()
	defer s.courier.Ring()
	w := queue.Widened{Decision: r.Decision, Mission: r.Mission, QuestionID: r.QuestionID, Team: r.Invited,
		ThreadURL: widen.ResponseThread(r.Response), Response: r.Response}
	stored, err := s.o.Queue.Do(ctx, c.Session, command(c.Actor, "widen-"+r.Decision, queue.Widen{Widened: w}))
	if err != nil {
		return stored, fmt.Errorf("failed to store that the team was asked: %w", err)
	}
	return stored, nil
}

// Park says that the person continues meanwhile: the question is put on the list of parked ones first, so that no crash
// loses it there.
func (s *Service) Park(ctx context.Context, id string, a Actor) (queue.Session, error) {
	session, err := s.session(ctx, id)
	if err != nil {
		return session, err
	}
	if err := s.ledger.open(); err != nil {
		return session, err
	}
	w := session.Widen
	entry := widen.PendingEntry{SchemaVersion: widen.PendingVersion, DecisionID: w.Decision, MissionSlug: w.Mission,
		QuestionID: w.QuestionID, QuestionText: QuestionText(session), EnteredPendingAt: s.o.Now().UTC(),
		Response: w.Response}
	if err := s.Pending().Add(ctx, entry); err != nil {
		return session, err
	}
	if r, kept := s.ledger.of(id); kept && r.Pending != s.o.Pending {
		r.Pending = s.o.Pending
		if err := s.ledger.save(r); err != nil {
			return session, err
		}
	}
	session, err = s.regroup(ctx, id, queue.WidenParked, a)
	if errors.Is(err, queue.ErrSettled) {
		return session, errors.Join(err, s.Pending().Remove(ctx, w.Decision))
	}
	return session, err
}

// Block says that the person waits for the team: the question is off the list of parked ones.
func (s *Service) Block(ctx context.Context, id string, a Actor) (queue.Session, error) {
	session, err := s.regroup(ctx, id, queue.WidenBlocked, a)
	if err != nil {
		return session, err
	}
	return session, s.unpark(ctx, session)
}

func (s *Service) regroup(ctx context.Context, id, state string, a Actor) (queue.Session, error) {
	session, err := s.o.Queue.Do(ctx, id, command(a, "", queue.Regroup{State: state}))
	if err != nil {
		return session, fmt.Errorf("failed to change how the question waits for the team: %w", err)
	}
	return session, nil
}

// unpark takes a session off its lists: ours, and the one that the ledger names.
func (s *Service) unpark(ctx context.Context, session queue.Session) error {
	if session.Widen == nil {
		return nil
	}
	err := PendingFile{Path: s.o.Pending}.removeIfThere(ctx, session.Widen.Decision)
	if r, kept := s.ledger.of(session.ID); kept && r.Pending != "" && r.Pending != s.o.Pending {
		err = errors.Join(err, PendingFile{Path: r.Pending}.removeIfThere(ctx, session.Widen.Decision))
	}
	return err
}
