// Package widen lets the person ask their team about a question ("widen" the question): it asks the team, reads what
// they say, and tells them what was decided. The rules are in queue/widen, and the question is in the queue. This
// package makes the calls over the network. Before and after each call it stores in the session what must survive a
// crash.
//
//	frontend ─► Service ─► queue: CallTeam: one decision for a question, stored before the first call
//	           │  └──► Backend (httpapi, slack): audience, widen, discussion
//	           └─────► queue: Widen, Regroup, AskSummary, Settle, Defer ⇝ watch ⇝ the agent's summary
//	                      │ an outcome, whoever answered
//	           Courier ◄──┴──► Backend: resolve or defer, again and again until it is taken
//
// A frontend is a surface on which the person answers: the full screen, the lines, or the page in the browser. All
// functions block and take a context, so a frontend calls them on a goroutine of their own. Errors of a backend are
// *Failure, with words for the person; other errors are the queue's.
package widen

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// Limits of the backend's time.
const (
	readyWithin      = 500 * time.Millisecond
	audienceWithin   = 10 * time.Second
	widenWithin      = 60 * time.Second
	discussionWithin = 10 * time.Second
	beforeWithin     = time.Second
	storeWithin      = 10 * time.Second // for a command that has to reach the queue even if the person gave up
)

// Options holds the settings of a Service.
type Options struct {
	Queue *queue.Queue
	// Backend returns the way to the team by the present settings. It fails with *Failure.
	Backend func() (Backend, error)
	SetUp   func() bool // whether the settings name a way to the team
	Tells   func() bool // whether the settings have the team told of an answer
	// Before returns what an agent was doing when it asked. nil: nothing can be added to the letter.
	Before func(context.Context, queue.Session) (say.Before, error)
}

// Service asks the team and reads what they say. Its courier (courier.go) tells them how it ended. Many goroutines may
// use it.
type Service struct {
	o Options

	mu       sync.Mutex
	unstored map[string]queue.Widened // by session: the team was asked, and the queue could not store that yet

	bell   chan struct{}            // wakes the courier
	last   time.Duration            // lastWithin
	round  sync.Mutex               // held during a round of the courier; the fields below belong to it
	seen   map[string]queue.Session // by id: the live sessions that are with the team, or whose team must still be told
	closed map[string]queue.Session // by id: sessions whose team must still be told, but that the queue stores no more
}

// New returns a service.
func New(o Options) *Service {
	return &Service{o: o, unstored: map[string]queue.Widened{}, bell: make(chan struct{}, 1), last: lastWithin,
		closed: map[string]queue.Session{}}
}

var _ widen.Team = (*Service)(nil)

// SetUp reports whether the settings name a way to the team.
func (s *Service) SetUp() bool { return s.o.SetUp() }

// TellsAnswers reports whether the settings have the team told of an answer.
func (s *Service) TellsAnswers() bool { return s.o.Tells() }

// Ready returns nil if the team can be reached, or the reason why not. It waits for at most half a second.
func (s *Service) Ready(ctx context.Context) error {
	b, err := s.o.Backend()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, readyWithin)
	defer cancel()
	return b.Ready(ctx)
}

// Audience returns who is asked about a question by default.
func (s *Service) Audience(ctx context.Context, on queue.Session) (widen.Audience, error) {
	b, err := s.o.Backend()
	if err != nil {
		return widen.Audience{}, err
	}
	limited, cancel := context.WithTimeout(ctx, audienceWithin)
	defer cancel()
	all, err := b.Audience(limited, Mission(on))
	if err == nil && len(all) == 0 {
		err = &Failure{Words: b.Who() + " names nobody to ask. Have the team's people added there first."}
	}
	if err != nil {
		return widen.Audience{}, err
	}
	audience := widen.Audience{Members: all[:min(len(all), queue.MaxTeam)], ByName: b.TakesNames(),
		Letter: Letter(on, true, "")}
	if s.o.Before != nil {
		ctx, cancel := context.WithTimeout(ctx, beforeWithin)
		defer cancel()
		if doing, err := s.o.Before(ctx, on); err == nil { // otherwise it is not offered
			audience.Before = letterBefore(doing)
		}
	}
	return audience, nil
}

// Mission returns the mission that a session belongs to. An interview names it as the thread of its origin. For other
// sessions it is the name of the directory in which the agent works or, if that is not known, this process.
func Mission(s queue.Session) string {
	if s.Origin.Dialect == queue.DialectInterview && s.Origin.Thread != "" {
		return s.Origin.Thread
	}
	dir := s.Origin.Cwd
	if dir == "" {
		dir, _ = os.Getwd()
	}
	if base := filepath.Base(dir); dir != "" && base != string(filepath.Separator) {
		return base
	}
	return "choicetui"
}

// QuestionID returns the name of a session's question for the team: an interview's own id, else the format and the
// session.
func QuestionID(s queue.Session) string {
	if s.Origin.Dialect == queue.DialectInterview && len(s.Ask.Questions) == 1 {
		return s.Ask.Questions[0].ID
	}
	return cmp.Or(s.Origin.Dialect, "choicetui") + "." + s.ID
}

// askedSession returns a session as it is now. It fails unless the team has the question and the question is pending.
func (s *Service) askedSession(ctx context.Context, id string) (queue.Session, error) {
	got, err := s.o.Queue.Get(ctx, id)
	if err != nil {
		return got, fmt.Errorf("failed to read the question: %w", err)
	}
	got = got.At(s.o.Queue.Now())
	switch {
	case got.Outcome != nil:
		return got, queue.ErrSettled
	case got.Widen == nil:
		return got, queue.ErrNotWidened
	}
	return got, nil
}

// threadOf returns the team's thread about a session. If the result of asking the team was not stored, only its
// decision is known.
func threadOf(s queue.Session) Thread {
	if s.Widen == nil {
		asked, _ := s.TeamAsked()
		return Thread{Decision: asked.Decision}
	}
	return Thread{Decision: s.Widen.Decision, URL: widen.WebAddress(s.Widen.ThreadURL), Response: s.Widen.Response}
}
