package cli

import (
	"context"
	"reflect"
	"sync"

	widening "github.com/choicetui/choicetui/app/widen"
	"github.com/choicetui/choicetui/app/widen/httpapi"
	"github.com/choicetui/choicetui/app/widen/slack"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// teamOf returns the service that asks the team of this queue. before reads what an agent was doing, for a frontend
// that can add it to what the team reads; else it is nil.
func teamOf(sh *shell, q *queue.Queue, settings *config.File, before beforeFunc) *widening.Service {
	way := &teamWay{settings: settings}
	return widening.New(widening.Options{Queue: q, Backend: way.backend, SetUp: way.isSetUp, Tells: way.tells,
		Before: before})
}

type beforeFunc = func(context.Context, queue.Session) (say.Before, error)

// teamWay makes the connection to the team that the settings name, Slack or an HTTP service, and keeps it until these
// settings change.
type teamWay struct {
	settings *config.File
	mu       sync.Mutex
	made     config.Widen
	way      widening.Backend
}

// isSetUp reports whether the settings name a way.
func (w *teamWay) isSetUp() bool {
	way := w.settings.Settings().Widen.Backend
	return way != config.WidenOff && way != ""
}

// tells reports whether the team is told of an answer: a team's server may have no path for it.
func (w *teamWay) tells() bool {
	way := w.settings.Settings().Widen
	path, given := way.Paths[config.WidenResolve]
	return way.Backend != config.WidenHTTP || !given || path != nil
}

// backend returns the connection.
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

// newTeamWay makes the connection that the settings name.
func newTeamWay(set config.Widen) (widening.Backend, error) {
	switch set.Backend {
	case config.WidenHTTP:
		return httpapi.New(set)
	case config.WidenSlack:
		return slack.New(set)
	}
	return nil, &widening.Failure{Words: widening.NoTeam}
}

// tellingTeam tells the team how its questions ended, until the caller calls done. done waits a moment for the last
// messages and for a call that is under way, and returns how many decisions the team does not know yet. report receives
// the errors.
func tellingTeam(ctx context.Context, s *widening.Service, report func(error)) (done func() (untold int)) {
	ctx = context.WithoutCancel(ctx) // it runs until done is called
	running, stop := context.WithCancel(ctx)
	over := make(chan struct{})
	go func() {
		defer close(over)
		s.Tell(running, report)
	}()
	return func() int {
		stop()
		s.Finish(ctx)
		<-over
		return s.Untold(ctx)
	}
}

// finishTelling makes a last try to tell the team how its questions ended, and returns how many decisions it does not
// know yet. It is for a process in which the desk has told the team so far.
func finishTelling(ctx context.Context, s *widening.Service) (untold int) {
	ctx = context.WithoutCancel(ctx)
	s.Finish(ctx)
	return s.Untold(ctx)
}

// newDeskTeam returns the team of a queue, with what an agent was doing when it asked.
func newDeskTeam(sh *shell, q *queue.Queue, settings *config.File) widen.Team {
	return teamOf(sh, q, settings, beforeReader{settings.Settings}.now)
}
