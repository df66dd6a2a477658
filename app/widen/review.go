package widen

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// fetchWithin is the time that a running agent may take to fetch the discussion. Its time for the summary starts when
// it has the discussion.
const fetchWithin = time.Minute

// Discussion returns the team's discussion so far about a question that is with it.
func (s *Service) Discussion(ctx context.Context, id string) (widen.Discussion, error) {
	session, err := s.askedSession(ctx, id)
	if err != nil {
		return widen.Discussion{}, err
	}
	b, err := s.o.Backend()
	if err != nil {
		return widen.Discussion{}, err
	}
	limited, cancel := context.WithTimeout(ctx, discussionWithin)
	defer cancel()
	d, err := b.Discussion(limited, threadOf(session))
	if err != nil {
		return widen.Discussion{}, err
	}
	if len(d.Participants) == 0 {
		for _, m := range session.Widen.Team {
			d.Participants = append(d.Participants, m.Name)
		}
	}
	d.ThreadURL = cmp.Or(d.ThreadURL, session.Widen.ThreadURL)
	return d.Cleaned(), nil
}

// Summarise gives the discussion to the agent that asked, and waits for its summary until thirty seconds after the
// agent has the discussion. If no agent is running, or if it sends nothing useful, Summarise returns no candidate and
// no error. It fails with the queue's errors, for example if somebody else answered meanwhile, or with ctx's.
func (s *Service) Summarise(
	ctx context.Context, id string, d widen.Discussion, a widen.Actor,
) (candidate queue.Candidate, err error) {
	session, err := s.askedSession(ctx, id)
	if err != nil {
		return candidate, err
	}
	if len(d.Messages) > 0 && s.agentIsThere(ctx, session) { // without a discussion there is nothing to sum up
		block := Block(session.Widen.Decision, QuestionText(session), d)
		request := queue.AskSummary{ID: queue.NewToken(), Block: block}
		if session, err = s.o.Queue.Do(ctx, id, command(a, "", request)); err != nil {
			return candidate, fmt.Errorf("failed to ask for a summary: %w", err)
		}
		if given, err := s.awaitSummary(ctx, session); err != nil {
			return candidate, err
		} else if given != nil {
			return *given, nil
		}
	}
	_, _ = s.o.Queue.Do(ctx, id, command(a, "", queue.MissSummary{})) // if that fails, the review is shown all the same
	return candidate, nil
}

// SummariseHere returns a summary that this process obtains itself, for example from the program that reads and writes
// the lines of an interview. made shows the discussion and waits for the summary. The session records that the
// discussion was given, and the summary. SummariseHere fails with made's error.
func SummariseHere(ctx context.Context, q *queue.Queue, s queue.Session, d widen.Discussion, surface string,
	made func(context.Context) (queue.Candidate, error)) (queue.Candidate, error) {
	record := func(by string, do queue.Action) {
		_, _ = q.Do(ctx, s.ID, queue.Command{By: by, Surface: surface, Do: do})
	}
	request := queue.NewToken()
	record(queue.ByHuman, queue.AskSummary{ID: request, Block: Block(s.Widen.Decision, QuestionText(s), d)})
	record(queue.ByCaller, queue.WriteSummary{ID: request}) // the program that asked reads the lines
	candidate, err := made(ctx)
	switch {
	case err != nil:
	case queue.Blank(candidate.Answer):
		record(queue.ByHuman, queue.MissSummary{})
	default:
		record(queue.ByCaller, queue.GiveSummary{Request: request, Candidate: candidate})
	}
	return candidate, err
}

// agentIsThere reports whether the discussion can be given to an agent: the agent's call waits, or will come back. An
// interview, a script, and an agent's own prompt have no such call.
func (s *Service) agentIsThere(ctx context.Context, session queue.Session) bool {
	from := session.Origin
	if from.Dialect == queue.DialectInterview || from.Client == queue.ClientAsk || from.Native() {
		return false
	}
	runs, err := s.o.Queue.Of(session.ID).Running(ctx)
	return err != nil || !session.Gone(runs) // if it is not known, the agent counts as running
}

// summaryLook is the interval at which a wait for a summary checks whether its time is up. When the time is up is known
// only once the agent has the discussion.
const summaryLook = time.Second

// awaitSummary waits for the summary that the session's agent was just asked for; nil: it did not come in time. A
// summary that another process asked for meanwhile counts too.
func (s *Service) awaitSummary(ctx context.Context, session queue.Session) (*queue.Candidate, error) {
	given := func(now queue.Session) bool { return now.Widen != nil && now.Widen.Candidate != nil }
	session, err := s.o.Queue.Await(ctx, session.ID, summaryLook, func(now queue.Session) bool {
		return now.Outcome != nil || given(now) || s.patience(now) <= 0
	})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fmt.Errorf("failed to wait for the summary: %w", err)
	case session.Outcome != nil:
		return nil, queue.ErrSettled
	case given(session):
		return session.Widen.Candidate, nil
	}
	return nil, nil
}

// patience returns how much longer a summary is waited for.
func (s *Service) patience(session queue.Session) time.Duration {
	if due, given := session.SummaryDue(); given {
		return due.Sub(s.o.Queue.Now())
	}
	if session.Widen == nil || session.Widen.Request == nil {
		return 0
	}
	return session.Widen.Request.At.Add(fetchWithin).Sub(s.o.Queue.Now())
}

// Do carries out an action about the question; if that ends the question, the courier tells the team. Do fails with the
// queue's errors, and returns the session in its present state beside them: ErrSettled if somebody else was first. An
// answer that was stored is no error, whatever else fails.
func (s *Service) Do(ctx context.Context, id string, do queue.Action, by widen.Actor) (queue.Session, error) {
	session, err := s.o.Queue.Do(ctx, id, by.Command(do))
	if err == nil {
		s.Ring()
	}
	return session, err
}
