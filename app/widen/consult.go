package widen

import (
	"context"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// What follows makes the Service a widen.Team.
var _ widen.Team = (*Service)(nil)

// WhyNot says why a question is not for the team; the queue's errors are sentences.
func (s *Service) WhyNot(on queue.Session) string {
	if err := on.MayWiden(); err != nil {
		return err.Error()
	}
	return ""
}

// Letter returns the text that teammates would read.
func (s *Service) Letter(on queue.Session, withPrompt bool) widen.Letter {
	i := Letter(on, withPrompt)
	return widen.Letter{Title: i.Title, Question: i.Below(), Prompt: i.Prompt}
}

// Members is the Audience of the question's mission.
func (s *Service) Members(ctx context.Context, on queue.Session) ([]queue.Member, error) {
	return s.Audience(ctx, Mission(on))
}

// Ask is Widen.
func (s *Service) Ask(ctx context.Context, c widen.Call) (queue.Session, error) {
	return s.Widen(ctx, Call{Session: c.Session, Invited: c.Invited, WithPrompt: c.WithPrompt, Actor: c.By})
}

// Regroup is Park or Block.
func (s *Service) Regroup(ctx context.Context, id, state string, by Actor) (queue.Session, error) {
	if state == queue.WidenParked {
		return s.Park(ctx, id, by)
	}
	return s.Block(ctx, id, by)
}

// Discussion is Fetch.
func (s *Service) Discussion(ctx context.Context, id string) (widen.Discussion, error) { return s.Fetch(ctx, id) }

// End answers or defers the question.
func (s *Service) End(ctx context.Context, id string, do queue.Action, by Actor) (queue.Session, error) {
	return s.end(ctx, id, by.Command(do))
}

// Tell has the courier tell the team.
func (s *Service) Tell(ctx context.Context, report func(error)) { s.Courier().Run(ctx, report) }

// Ring has the courier look now.
func (s *Service) Ring() { s.Courier().Ring() }
