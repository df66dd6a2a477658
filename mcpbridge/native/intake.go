package native

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/mcpbridge/dialect"
	"github.com/choicetui/choicetui/queue"
)

const (
	lookEvery  = time.Second      // how often a wait looks whether its agent and a dashboard are still there
	lookThere  = lookEvery / 4    // how often it looks at the agent's own dialog
	stepWithin = 10 * time.Second // bounds one step in the store
	connPipe   = "pipe"
)

var (
	// ErrThere ends a wait whose question was answered at the agent.
	ErrThere = errors.New("it was answered at the agent")
	// ErrInterrupted ends a wait because the person stopped the agent in place of an answer, or refused there. Claude
	// Code ends its hook then, and leaves it running where they allow.
	ErrInterrupted = errors.New("the agent was interrupted")
	// ErrGone ends a wait whose agent is gone.
	ErrGone = errors.New("the agent is gone")
	// ErrAlone ends a wait because no dashboard is open any more.
	ErrAlone = errors.New("no dashboard is open any more")
	// ErrOff ends a wait because the settings leave it to the agent now.
	ErrOff = errors.New("the settings leave it to the agent")
	// ErrOver says that the same source asked before, and that it is over.
	ErrOver = errors.New("this was asked before, and it is over")
)

// Intake puts the prompts of agents into the queue and waits for their outcomes. Its presence says that somebody waits:
// when its process is killed, its questions are gone.
type Intake struct {
	queue    *queue.Queue
	settings func() config.Settings
	origin   queue.Origin // what the process knows of its agent
	limit    time.Duration
	left     string // why a question is withdrawn that nobody is there to answer
	off      string // why a question is withdrawn that the settings leave to the agent
	before   func(where string) string
	release  func() error
}

// Options holds an intake's settings.
type Options struct {
	Queue    *queue.Queue
	Settings func() config.Settings
	Instance string        // that of a process whose questions this one ends; empty: a new one
	Limit    time.Duration // how long the agent waits at most; zero: as long as the settings say
	Left     string        // the reason of a question that is left to the agent as no dashboard is open any more
	Off      string        // the reason of a question that is left to the agent by the settings
	// Before says why an agent did not take an answer: its person had answered there before.
	Before func(where string) string
}

// Open announces an intake.
func Open(ctx context.Context, o Options) (*Intake, error) {
	in := &Intake{queue: o.Queue, settings: o.Settings, origin: call.ProcessOrigin(), limit: o.Limit, left: o.Left,
		off: o.Off, before: o.Before}
	in.origin.Instance, in.origin.Dialect = cmp.Or(o.Instance, queue.NewToken()), queue.DialectNative
	var err error
	in.release, err = o.Queue.Store.Announce(ctx, queue.Presence{Instance: in.origin.Instance, Role: queue.RoleBridge})
	if err != nil {
		return nil, fmt.Errorf("failed to announce this process in the queue: %w", err)
	}
	return in, nil
}

// Instance returns the intake's name among the running processes.
func (in *Intake) Instance() string { return in.origin.Instance }

// Close takes the intake off the queue.
func (in *Intake) Close() error { return in.release() }

// Ending says why a wait ends before its outcome; nil: it continues. It is called each second.
type Ending func(ctx context.Context) error

// Await asks and waits for the outcome. It returns the session with its outcome, beside it whether this intake has the
// claim; else it fails, and what was asked is withdrawn or ended as it was answered elsewhere. The cause of ctx says
// which: ErrThere, ErrInterrupted, or anything else for an agent that is gone.
func (in *Intake) Await(ctx context.Context, a Asked, ends Ending) (s queue.Session, own bool, err error) {
	if s, own, err = in.enterQuestion(ctx, a); err != nil {
		return s, own, err
	}
	s, err = in.waitForOutcome(ctx, s, a, ends)
	if err == nil {
		return s, own, nil
	}
	if ctx.Err() != nil { // whatever failed meanwhile failed by that
		err = context.Cause(ctx)
	}
	if own {
		in.endQuestion(s.ID, a, err)
	}
	return s, own, err
}

// enterQuestion puts the question into the queue, or finds it there.
func (in *Intake) enterQuestion(ctx context.Context, a Asked) (s queue.Session, own bool, err error) {
	draft := queue.Session{Ask: in.filledAsk(a), Origin: in.originOf(a), Claim: in.claim()}
	for range 2 {
		s, own, err = in.joinEarlier(ctx, draft)
		if !errors.Is(err, queue.ErrNotFound) {
			return s, own, err
		}
		if s, err = in.queue.Create(ctx, draft); !errors.Is(err, queue.ErrExists) {
			return s, err == nil, err
		}
	}
	return s, own, err
}

// joinEarlier finds an earlier question from the same source. It takes over from a dead intake; an intake that is alive
// has the claim, and writes the answer itself. join fails with queue.ErrNotFound if nothing was asked, or only by an
// intake that was gone before the answer came.
func (in *Intake) joinEarlier(ctx context.Context, draft queue.Session) (s queue.Session, own bool, err error) {
	id := queue.SourceID(draft.Origin.Source)
	s, err = in.queue.Store.Get(ctx, id)
	if errors.Is(err, queue.ErrRefused) { // the history is not shown to agents, and what still waits is
		err = queue.ErrNotFound
	}
	if err != nil {
		return s, false, err
	}
	switch s = s.At(in.queue.Now()); {
	case s.Origin.Source != draft.Origin.Source:
		return s, false, ErrOver
	case s.Outcome != nil && s.Outcome.By == queue.ByCaller && s.Outcome.Status == queue.StatusCancelled:
		return s, false, in.forgetAbandoned(ctx, s)
	case s.Outcome != nil:
		return s, false, ErrOver
	case s.Claim == nil:
	case in.isRunning(ctx, s.Claim.Instance):
		return s, false, nil
	}
	take := queue.Take{Claim: *draft.Claim, Origin: draft.Origin}
	if s.Claim != nil {
		take.Over = *s.Claim
	}
	if s, err = in.do(ctx, id, take); err != nil {
		return s, false, err
	}
	return s, true, nil
}

// forgetAbandoned closes a question that its agent went away from, so that the agent may ask it again.
func (in *Intake) forgetAbandoned(ctx context.Context, s queue.Session) error {
	if !s.Final {
		take := queue.Take{Claim: *in.claim(), Origin: s.Origin}
		if s.Claim != nil {
			take.Over = *s.Claim
		}
		if _, err := in.do(ctx, s.ID, take); err != nil && !errors.Is(err, queue.ErrFinal) {
			return err
		}
		if err := in.Collect(s); err != nil && !errors.Is(err, queue.ErrFinal) {
			return err
		}
	}
	return queue.ErrNotFound
}

// waitForOutcome returns the session once it is over, or why the wait ends before.
func (in *Intake) waitForOutcome(ctx context.Context, s queue.Session, a Asked, ends Ending) (queue.Session, error) {
	dialog, pause := a.Dialog, lookEvery
	if dialog != nil {
		pause = lookThere
	}
	var why error
	now, err := in.queue.Await(ctx, s.ID, pause, func(s queue.Session) bool {
		if s.Outcome != nil {
			return true
		}
		why = cmp.Or(in.lookAtDialog(ctx, s, dialog), in.passedByLater(ctx, s, dialog), a.stoppedByPerson(), ends(ctx))
		return why != nil
	})
	if err != nil {
		return s, err
	}
	return now, why
}

// stoppedByPerson ends the wait if the person stopped the agent.
func (a Asked) stoppedByPerson() error {
	if a.Stopped != nil && a.Stopped() {
		return ErrInterrupted
	}
	return nil
}

// lookAtDialog ends the wait beside a dialog that is over, and notes where it is perhaps.
func (in *Intake) lookAtDialog(ctx context.Context, s queue.Session, dialog *Dialog) error {
	if dialog == nil {
		return nil
	}
	sign, where := dialog.Look(), ""
	if sign == DialogPerhaps {
		where = inClaude
	}
	if err := sign.endsWait(); err != nil || s.Perhaps == where {
		return err
	}
	_, _ = in.do(ctx, s.ID, queue.Presume{Where: where}) // else with the next look
	return nil
}

// passedByLater ends the wait beside a dialog if the agent has asked for something later in the same turn.
func (in *Intake) passedByLater(ctx context.Context, s queue.Session, dialog *Dialog) error {
	if !dialog.mayBePassed() {
		return nil
	}
	pending, _, err := in.queue.Store.Pending(ctx)
	if err != nil {
		return nil // it is only one of the signs
	}
	turn := func(s queue.Session) string { return s.Origin.Source[:strings.LastIndex(s.Origin.Source, "/")+1] }
	for _, p := range pending {
		if p.Origin.Native() && p.ID != s.ID && turn(p) == turn(s) && p.AskedAt.After(s.AskedAt) {
			return ErrThere
		}
	}
	return nil
}

// endQuestion closes a question in the queue that nobody will answer there any more. An answer that the person gave at
// the same moment is kept as their answer, but the agent is not told: it no longer asks.
func (in *Intake) endQuestion(id string, a Asked, why error) {
	untaken := queue.CallerGone
	var do queue.Action
	switch {
	case errors.Is(why, ErrThere), errors.Is(why, ErrInterrupted):
		untaken = in.before(a.Where)
		do = queue.Elsewhere{Where: a.Where, Interrupted: !errors.Is(why, ErrThere) && !a.Dialog.allAnswered()}
	case errors.Is(why, ErrAlone):
		untaken = in.left
	case errors.Is(why, ErrOff):
		untaken = in.off
	}
	if do == nil {
		do = queue.Cancel{Reason: untaken}
	}
	ctx, cancel := context.WithTimeout(context.Background(), stepWithin)
	defer cancel()
	s, err := in.do(ctx, id, do)
	switch {
	case err == nil:
		_ = in.Collect(s) // else the sweep closes it
	case errors.Is(err, queue.ErrSettled):
		_ = in.Untaken(queue.Session{ID: id}, untaken)
	}
}

// Collect closes a session whose outcome the agent was told, or needs not be told.
func (in *Intake) Collect(s queue.Session) error { return in.closeSession(s, queue.Collect{}) }

// Untaken closes a session whose outcome the agent was not told, and says why.
func (in *Intake) Untaken(s queue.Session, why string) error {
	return in.closeSession(s, queue.Collect{Untaken: why})
}

func (in *Intake) closeSession(s queue.Session, c queue.Collect) error {
	c.Claim = *in.claim()
	ctx, cancel := context.WithTimeout(context.Background(), stepWithin)
	defer cancel()
	closed, err := in.do(ctx, s.ID, c)
	if err != nil || !closed.Closed() { // its team is told before
		return err
	}
	return in.queue.Store.Archive(ctx, closed)
}

// do carries out a command of the agent's.
func (in *Intake) do(ctx context.Context, id string, a queue.Action) (queue.Session, error) {
	return in.queue.Do(ctx, id, queue.Command{By: queue.ByCaller, Surface: queue.SurfaceClient, Do: a})
}

func (in *Intake) claim() *queue.Claim {
	return &queue.Claim{Instance: in.origin.Instance, Conn: connPipe}
}

// filledAsk returns the ask with its time: what the agent or else the settings say, or less where the intake waits for
// less. A time that is up answers nothing.
func (in *Intake) filledAsk(asked Asked) queue.Ask {
	a := asked.Ask
	a.NoClock = asked.Dialog != nil
	a.TimeoutSeconds = call.Fill(dialect.Request{}, in.settings()).TimeoutSeconds
	limit := in.limit
	if asked.Within > 0 {
		limit = min(asked.Within, queue.MaxTimeout)
		a.TimeoutSeconds = int(limit / time.Second)
	}
	if most := int(limit / time.Second); most > 0 {
		a.TimeoutSeconds = min(a.TimeoutSeconds, most)
		if limit < queue.MaxTimeout-time.Minute { // else no deadline can be moved far beyond it
			a.WaitsSeconds = most
		}
	}
	a.OnTimeout = queue.OnTimeoutNone
	return a
}

// originOf returns the origin that the agent gives, with the rest that this process knows.
func (in *Intake) originOf(a Asked) queue.Origin { return mergeOrigin(in.origin, a.Origin, a.Shared) }

// mergeOrigin adds to what a process knows of its agent what the agent says of itself. shared: the process descends
// from something else than the agent.
func mergeOrigin(o, said queue.Origin, shared bool) queue.Origin {
	o.Client, o.Version, o.Thread, o.Source, o.CallID = said.Client, said.Version, said.Thread, said.Source, said.CallID
	o.Subagent = said.Subagent
	if said.PID != 0 || shared { // what this process descends from is not the agent
		o.PID, o.Agent, o.Pane = said.PID, "", ""
		o.Cwd, o.Branch = "", ""
	}
	if said.Cwd != "" && said.Cwd != o.Cwd {
		o.Cwd, o.Branch = said.Cwd, call.Branch(said.Cwd)
	}
	return o
}

// isRunning reports whether a process runs; where nobody can say, it does.
func (in *Intake) isRunning(ctx context.Context, instance string) bool {
	runs, err := in.queue.Running(ctx)
	return err != nil || runs(instance)
}

// Dashboard reports whether a dashboard is open; where nobody can say, it reports false.
func Dashboard(ctx context.Context, q *queue.Queue) bool {
	open, err := q.DashboardOpen(ctx)
	return err == nil && open
}
