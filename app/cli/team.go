package cli

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"sync"

	widening "github.com/choicetui/choicetui/app/widen"
	"github.com/choicetui/choicetui/app/widen/httpapi"
	"github.com/choicetui/choicetui/app/widen/slack"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/widen"
)

// teamOf returns the service that asks the team of this queue.
func teamOf(sh *shell, q *queue.Queue) (*widening.Service, error) {
	place, err := sh.place()
	if err != nil {
		return nil, err
	}
	state, err := config.StateDir()
	if err != nil {
		return nil, err
	}
	way := &teamWay{settings: sh.settings()}
	return widening.New(widening.Options{Queue: q, Backend: way.backend, Dir: filepath.Join(state, "widen"),
		Place: place, Now: sh.now}), nil
}

// teamWay is the way to the team that the settings name. It stays the same as long as they do.
type teamWay struct {
	settings *config.File
	mu       sync.Mutex
	made     config.Widen
	way      widening.Backend
}

func (w *teamWay) backend() (widening.Backend, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.settings.Refresh()
	set := w.settings.Settings().Widen
	if w.way != nil && reflect.DeepEqual(set, w.made) {
		return w.way, nil
	}
	way, err := newTeamWay(set)
	if err != nil {
		return nil, err
	}
	w.way, w.made = way, set
	return way, nil
}

func newTeamWay(set config.Widen) (widening.Backend, error) {
	switch set.Backend {
	case config.WidenHTTP:
		return httpapi.New(set)
	case config.WidenSlack:
		return slack.New(set)
	}
	return nil, &widening.Failure{Words: say.NoTeam, Err: errors.New("no way is set")}
}

// tellingTeam tells teams how their questions ended until done is called, which waits a moment for the last of it. A
// call that is under way then is let finish. untold is how many decisions the team does not know of yet; report hears
// why.
func tellingTeam(ctx context.Context, s *widening.Service, report func(error)) (done func() (untold int)) {
	ctx = context.WithoutCancel(ctx) // only done ends it
	running, stop := context.WithCancel(ctx)
	over := make(chan struct{})
	go func() {
		defer close(over)
		s.Courier().Run(running, report)
	}()
	return func() int {
		stop()
		s.Courier().Finish(ctx)
		<-over
		return s.Courier().Untold(ctx)
	}
}

// finishTelling is the end of tellingTeam where another, as a desk on screen, has told teams until now.
func finishTelling(ctx context.Context, s *widening.Service) (untold int) {
	ctx = context.WithoutCancel(ctx)
	s.Courier().Finish(ctx)
	return s.Courier().Untold(ctx)
}

// deskTeam is the team as a dashboard's desk asks it.
type deskTeam struct {
	*widening.Service
	settings *config.File
}

// newDeskTeam returns the team of a queue; nil where the places of this system are not known.
func newDeskTeam(sh *shell, q *queue.Queue, settings *config.File) desk.Team {
	service, err := teamOf(sh, q)
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
