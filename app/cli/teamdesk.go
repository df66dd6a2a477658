package cli

import (
	"context"

	widening "github.com/choicetui/choicetui/app/widen"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/widen"
)

// deskTeam is the team as a dashboard's desk asks it.
type deskTeam struct {
	*widening.Service
	settings *config.File
}

// newDeskTeam returns the team of a queue; nil where the places of this system are not known.
func newDeskTeam(sh *shell, q *queue.Queue, settings *config.File) desk.Team {
	service, err := teamOf(sh, q, "")
	if err != nil {
		return nil
	}
	return deskTeam{service, settings}
}

// WhyNot says why a question is not for the team; the queue's errors are sentences.
func (t deskTeam) WhyNot(s queue.Session) string {
	if err := s.MayWiden(); err != nil {
		return err.Error()
	}
	if way := t.settings.Settings().Widen.Backend; way == config.WidenOff || way == "" {
		return say.NoTeam
	}
	return ""
}

// Audience returns the people who would be asked about a session.
func (t deskTeam) Audience(ctx context.Context, s queue.Session) ([]queue.Member, error) {
	return t.Service.Audience(ctx, widening.Mission(s))
}

// Letter returns the text that they would read.
func (t deskTeam) Letter(s queue.Session, withPrompt bool) desk.Letter {
	i := widening.Letter(s, withPrompt)
	return desk.Letter{Title: i.Title, Question: i.Below(), Prompt: i.Prompt}
}

// Ask asks them.
func (t deskTeam) Ask(ctx context.Context, c desk.TeamCall) (queue.Session, error) {
	return t.Service.Widen(ctx, widening.Call{Session: c.Session, Invited: c.Invited, WithPrompt: c.WithPrompt,
		Actor: widening.Actor(c.By)})
}

// Regroup says whether the person waits for them.
func (t deskTeam) Regroup(ctx context.Context, id, state string, by desk.TeamActor) (queue.Session, error) {
	if state == queue.WidenParked {
		return t.Park(ctx, id, widening.Actor(by))
	}
	return t.Block(ctx, id, widening.Actor(by))
}

// Discussion returns their discussion.
func (t deskTeam) Discussion(ctx context.Context, id string) (widen.Discussion, error) {
	return t.Fetch(ctx, id)
}

// Summarise has the agent sum it up.
func (t deskTeam) Summarise(
	ctx context.Context, id string, d widen.Discussion, by desk.TeamActor,
) (widen.CandidateReview, error) {
	return t.Service.Summarise(ctx, id, d, widening.Actor(by))
}

// Run tells them how their questions ended.
func (t deskTeam) Run(ctx context.Context, report func(error)) { t.Courier().Run(ctx, report) }

// Ring has that look now.
func (t deskTeam) Ring() { t.Courier().Ring() }
