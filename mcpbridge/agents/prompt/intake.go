package prompt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/mcpbridge/dialect"
	"github.com/choicetui/choicetui/queue"
)

const (
	LookEvery       = time.Second      // between two looks whether the agent and a dashboard are still there
	lookDialogEvery = LookEvery / 4    // between two looks at the agent's own dialog
	stepWithin      = 10 * time.Second // limits one step in the store
	connPipe        = "pipe"           // the connection in the claims of an intake, which has only one
)

var (
	// ErrThere ends a wait whose question was answered at the agent.
	ErrThere = errors.New("it was answered at the agent")
	// ErrInterrupted ends a wait because the person stopped the agent instead of answering, or refused in its own
	// dialog. Claude Code ends its hook then; if the person allows there, it lets the hook run.
	ErrInterrupted = errors.New("the agent was interrupted")
	// ErrGone ends a wait because the agent is gone.
	ErrGone = errors.New("the agent is gone")
	// ErrAlone ends a wait because no dashboard is open any more.
	ErrAlone = errors.New("no dashboard is open any more")
	// ErrByHook ends a wait because another hook of the person's decided about the prompt.
	ErrByHook = errors.New("another hook decided")
	// ErrByAgent ends a wait because the agent decided about the prompt itself, or no longer asks.
	ErrByAgent = errors.New("the agent decided")
	// ErrPerhaps ends a wait because the prompt is over at the agent, and nothing says how it ended.
	ErrPerhaps = errors.New("it is over at the agent")
	// ErrOff ends a wait because the settings now leave the prompt to the agent.
	ErrOff = errors.New("the settings leave it to the agent")
	// ErrTooLarge reports that the store of the queue takes less than the queue, so that the prompt is unfit.
	ErrTooLarge = errors.New("the queue's store does not take it")
	// ErrOver reports that the same source asked before and that its question has ended.
	ErrOver = errors.New("this was asked before, and it is over")
)

// Intake puts the prompts of agents into the queue and waits for their outcomes. It announces itself as a running
// process. When that process is killed, its questions count as those of an agent that is gone.
type Intake struct {
	queue    *queue.Queue
	settings func() config.Settings
	Origin   queue.Origin // the part of each origin that this process finds out
	limit    time.Duration
	release  func() error // ends the announcement
}

// Options holds an intake's settings.
type Options struct {
	Queue    *queue.Queue
	Settings func() config.Settings
	Instance string        // the name of another process whose questions this one ends; empty: a new name
	Limit    time.Duration // how long the agent waits at most; zero: as long as the settings say
}

// Open announces a new intake in the queue. Close ends the announcement. process is what call.ProcessOrigin says.
func Open(ctx context.Context, process queue.Origin, o Options) (*Intake, error) {
	in := &Intake{queue: o.Queue, settings: o.Settings, Origin: process, limit: o.Limit}
	in.Origin.Instance, in.Origin.Dialect = cmp.Or(o.Instance, queue.NewToken()), queue.DialectNative
	var err error
	in.release, err = o.Queue.Store.Announce(ctx, queue.Presence{Instance: in.Origin.Instance, Role: queue.RoleBridge})
	if err != nil {
		return nil, fmt.Errorf("failed to announce this process in the queue: %w", err)
	}
	return in, nil
}

// Instance returns the intake's name among the running processes.
func (in *Intake) Instance() string { return in.Origin.Instance }

// Close takes the intake off the list of running processes.
func (in *Intake) Close() error { return in.release() }

// Ending returns the reason why a wait ends before its outcome; nil: it continues. It is called each second, and more
// often beside a dialog.
type Ending func(ctx context.Context) error

// Await asks, and waits for the outcome. A prompt that cannot be asked here is a notice until the wait ends. It returns
// the session with its outcome; own reports whether this intake has its claim. If the wait ends before, Await withdraws
// the question, or ends it as answered elsewhere, and returns the reason: ErrThere, ErrInterrupted or another of the
// errors above. If ctx ends, its cause is the reason.
func (in *Intake) Await(ctx context.Context, a Asked, ends Ending) (s queue.Session, own bool, err error) {
	if a.Unfit != "" {
		return s, false, in.showUnfit(ctx, a, ends)
	}
	s, own, err = in.Enter(ctx, a)
	var invalid *queue.Invalid
	switch {
	case errors.As(err, &invalid):
		return s, own, ErrTooLarge
	case err != nil:
		return s, own, err
	}
	s, err = in.waitForOutcome(ctx, s, a, ends)
	if err == nil {
		return s, own, nil
	}
	if ctx.Err() != nil { // a step in the store that failed meanwhile failed because of it
		err = context.Cause(ctx)
	}
	if own {
		in.End(s.ID, a, err)
	}
	return s, own, err
}

// AwaitOrShow is like Await for an agent whose own prompt is open meanwhile: what the store does not take is a notice
// until the wait ends.
func (in *Intake) AwaitOrShow(ctx context.Context, a Asked, ends Ending) (s queue.Session, own bool, err error) {
	if s, own, err = in.Await(ctx, a, ends); errors.Is(err, ErrTooLarge) {
		a.Unfit = queue.UnfitLarge
		return in.Await(ctx, a, ends)
	}
	return s, own, err
}

// unfitWithin limits for how long a prompt that cannot be answered here is a notice, unless the agent says how long it
// waits. By then the person knows of it, or the agent has continued without a sign.
const unfitWithin = 10 * time.Minute

// showUnfit announces that the agent needs its person in its own pane, until the wait ends, and returns the reason.
func (in *Intake) showUnfit(ctx context.Context, a Asked, ends Ending) error {
	ctx, cancel := context.WithTimeoutCause(ctx, cmp.Or(a.Within, unfitWithin), ErrOver)
	defer cancel()
	origin := in.OriginOf(a)
	origin.Instance = queue.NewToken()
	notice := queue.Notice{Says: queue.Shorten(a.Ask.Title, MostSaid, "…"), Why: a.Unfit, At: storedNow()}
	release, err := in.queue.Store.Announce(ctx, queue.Presence{Instance: origin.Instance, Role: queue.RoleNotice,
		Origin: &origin, Notice: &notice})
	if err != nil {
		return fmt.Errorf("failed to announce that the agent needs its person: %w", err)
	}
	defer release()
	for again := time.NewTicker(LookEvery); ; {
		select {
		case <-ctx.Done():
			again.Stop()
			return context.Cause(ctx)
		case <-again.C:
		}
		if err := cmp.Or(a.stoppedByPerson(), ends(ctx)); err != nil {
			again.Stop()
			return err
		}
	}
}

// storedNow returns the present time as the queue stores it.
func storedNow() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

// Enter puts the question into the queue, or joins the same question there.
func (in *Intake) Enter(ctx context.Context, a Asked) (s queue.Session, own bool, err error) {
	if a.Once != "" && a.Dialog != nil {
		return in.enterOnce(ctx, a)
	}
	draft := queue.Session{Ask: in.filledAsk(a), Origin: in.OriginOf(a), Claim: in.claim()}
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

// joinEarlier finds an earlier question from the same source and takes its claim over from an intake that is dead. If
// that intake is alive it keeps the claim and writes the answer itself; own is false then. The error is
// queue.ErrNotFound if the source did not ask before, or if the question was withdrawn before it was answered. It is
// ErrOver if the question has ended.
func (in *Intake) joinEarlier(ctx context.Context, draft queue.Session) (s queue.Session, own bool, err error) {
	id := queue.SourceID(draft.Origin.Source)
	s, err = in.queue.Store.Get(ctx, id)
	if errors.Is(err, queue.ErrRefused) { // agents cannot read the history, so the session is not a live one
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
	case s.Claim == nil: // nobody waits for it, so this intake takes it
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

// forgetAbandoned closes a question that its agent has withdrawn, so that the agent may ask it again. It returns
// queue.ErrNotFound if that succeeds.
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

// waitForOutcome returns the session once it has an outcome, or the reason why the wait ends before: the agent's own
// dialog, open at the same time, was answered; the person stopped the agent; or ends says so. If the agent has a dialog
// that can be followed, it looks more often.
func (in *Intake) waitForOutcome(ctx context.Context, s queue.Session, a Asked, ends Ending) (queue.Session, error) {
	dialog, pause := a.Dialog, LookEvery // dialog is nil if the agent shows none, or none that can be followed
	if dialog != nil {
		pause = lookDialogEvery
		dialog.Among(Alike{ID: s.ID, At: s.AskedAt}, in.alike(ctx, s))
	}
	var why error
	now, err := in.queue.Await(ctx, s.ID, pause, func(s queue.Session) bool {
		if s.Outcome != nil {
			return true
		}
		why = cmp.Or(in.lookAtDialog(ctx, s, a), a.stoppedByPerson(), ends(ctx))
		return why != nil
	})
	if err != nil {
		return s, err
	}
	return now, why
}

// stoppedByPerson returns ErrInterrupted if the person stopped the agent.
func (a Asked) stoppedByPerson() error {
	if a.Stopped != nil && a.Stopped() {
		return ErrInterrupted
	}
	return nil
}

// lookAtDialog returns the error with which the agent's dialog ends the wait. It notes in the session where the
// question was perhaps answered.
func (in *Intake) lookAtDialog(ctx context.Context, s queue.Session, a Asked) error {
	if a.Dialog == nil {
		return nil
	}
	sign, where := a.Dialog.Look(), ""
	if sign == SignPerhaps {
		where = a.Where
	}
	if err := sign.endsWait(); err != nil || s.Perhaps == where {
		return err
	}
	_, _ = in.do(ctx, s.ID, queue.Presume{Where: where}) // after an error the next look tries again
	return nil
}

// alike returns a function that finds the other prompts of the same agent with the same content, of which the calls
// cannot be told apart by that. It also returns those that were answered since it found them.
func (in *Intake) alike(ctx context.Context, s queue.Session) func() []Alike {
	var found []Alike
	turn := func(o queue.Origin) string { return o.Source[:strings.LastIndex(o.Source, "/")+1] }
	return func() []Alike {
		live, _, err := in.queue.Store.Live(ctx)
		if err != nil {
			return found
		}
		for i := range found {
			found[i].Pending = false
		}
		for _, p := range live {
			if p.Outcome != nil || !p.Origin.Native() || p.ID == s.ID || turn(p.Origin) != turn(s.Origin) ||
				p.Ask.Title != s.Ask.Title || !sameContent(p.Ask.Approval, s.Ask.Approval) {
				continue
			}
			if i := slices.IndexFunc(found, func(a Alike) bool { return a.ID == p.ID }); i >= 0 {
				found[i].Pending = true
				continue
			}
			found = append(found, Alike{ID: p.ID, At: p.AskedAt, Pending: true})
		}
		return found
	}
}

// sameContent reports whether two approvals are about the same.
func sameContent(a, b *queue.Approval) bool {
	return a != nil && b != nil && a.Tool == b.Tool && reflect.DeepEqual(a.Parts, b.Parts)
}

// End ends a question that nobody will answer here any more. If the person answers at the same moment, their
// answer is kept and marked as not taken: the agent no longer asks.
func (in *Intake) End(id string, a Asked, why error) {
	do, untaken := a.ending(why)
	ctx, cancel := context.WithTimeout(context.Background(), stepWithin)
	defer cancel()
	s, err := in.do(ctx, id, do)
	switch {
	case err == nil:
		_ = in.Collect(s) // after an error the sweep closes it
	case errors.Is(err, queue.ErrSettled):
		_ = in.Untaken(queue.Session{ID: id}, untaken)
	}
}

// decidedByHook says where a prompt was decided by another hook of the person's.
const decidedByHook = "by another hook"

// ending returns the action that ends the question for this reason, and the words that say why an answer of the same
// moment was not taken.
func (a Asked) ending(why error) (do queue.Action, untaken string) {
	elsewhere := queue.Elsewhere{Where: a.Where}
	switch {
	case errors.Is(why, ErrInterrupted) && !(a.Dialog != nil && a.Dialog.AnsweredThere()):
		elsewhere.How = queue.ReasonInterrupted
	case errors.Is(why, ErrThere), errors.Is(why, ErrInterrupted):
	case errors.Is(why, ErrPerhaps):
		elsewhere.How = queue.ReasonPerhaps
	case errors.Is(why, ErrByHook):
		return queue.Elsewhere{Where: decidedByHook, How: queue.ReasonDecided}, decidedBefore(decidedByHook)
	case errors.Is(why, ErrByAgent) && a.Dialog != nil && a.Dialog.IsForm():
		return queue.Cancel{Reason: formGivenUp}, formGivenUp
	case errors.Is(why, ErrByAgent):
		by := "by " + strings.TrimPrefix(a.Where, "in ")
		return queue.Elsewhere{Where: by, How: queue.ReasonDecided}, decidedBefore(by)
	case errors.Is(why, ErrAlone):
		return queue.Cancel{Reason: LeftAlone}, LeftAlone
	case errors.Is(why, ErrOff):
		off := "left to " + strings.TrimPrefix(a.Where, "in ") + " because of the settings"
		return queue.Cancel{Reason: off}, off
	default:
		return queue.Cancel{Reason: queue.CallerGone}, queue.CallerGone
	}
	return elsewhere, answeredBefore(a.Where)
}

// Collect closes a session after the agent was told its outcome, or if it need not be told.
func (in *Intake) Collect(s queue.Session) error { return in.closeSession(s, queue.Collect{}) }

// Untaken closes a session whose outcome the agent was not told, for the reason why.
func (in *Intake) Untaken(s queue.Session, why string) error {
	return in.closeSession(s, queue.Collect{Untaken: why})
}

// closeSession collects a session and moves it to the history.
func (in *Intake) closeSession(s queue.Session, c queue.Collect) error {
	c.Claim = *in.claim()
	ctx, cancel := context.WithTimeout(context.Background(), stepWithin)
	defer cancel()
	closed, err := in.do(ctx, s.ID, c)
	if err != nil || !closed.Closed() { // a session whose team must still be told is archived later
		return err
	}
	return in.queue.Store.Archive(ctx, closed)
}

// do applies an action to a session on behalf of the agent.
func (in *Intake) do(ctx context.Context, id string, a queue.Action) (queue.Session, error) {
	return in.queue.Do(ctx, id, queue.Command{By: queue.ByCaller, Surface: queue.SurfaceClient, Do: a})
}

// claim returns the claim of this intake on its questions.
func (in *Intake) claim() *queue.Claim {
	return &queue.Claim{Instance: in.Origin.Instance, Conn: connPipe}
}

// filledAsk returns the ask with its time limit: the agent's or else that of the settings, but no longer than the
// intake waits. When the time is over, no answer is sent.
func (in *Intake) filledAsk(asked Asked) queue.Ask {
	a := asked.Ask
	a.NoClock = asked.ShowsDialog()
	a.TimeoutSeconds = call.Fill(dialect.Request{}, in.settings()).TimeoutSeconds
	limit := in.limit
	if asked.Within > 0 {
		limit = min(asked.Within, queue.MaxTimeout)
		a.TimeoutSeconds = int(limit / time.Second)
	}
	if most := int(limit / time.Second); most > 0 {
		a.TimeoutSeconds = min(a.TimeoutSeconds, most)
		if limit < queue.MaxTimeout-time.Minute { // a deadline cannot be moved far beyond a longer limit
			a.WaitsSeconds = most
		}
	}
	a.OnTimeout = queue.OnTimeoutNone
	return a
}

// OriginOf returns the origin of a prompt: the fields that the agent gives, and the others from this process.
func (in *Intake) OriginOf(a Asked) queue.Origin { return mergeOrigin(in.Origin, a.Origin, a.Shared) }

// mergeOrigin returns the origin o, which describes this process and its parent, with the fields that the agent gives
// in said. shared means that the parent is not the agent, so its process, pane and directory are dropped.
func mergeOrigin(o, said queue.Origin, shared bool) queue.Origin {
	o.Client, o.Version, o.Thread, o.Source, o.CallID = said.Client, said.Version, said.Thread, said.Source, said.CallID
	o.Subagent, o.OneSession = said.Subagent, said.OneSession
	if said.PID != 0 || shared { // the parent of this process is not the agent
		o.PID, o.Agent, o.Pane = said.PID, "", ""
		o.Cwd, o.Branch = "", ""
	}
	if said.Cwd != "" && said.Cwd != o.Cwd {
		o.Cwd, o.Branch = said.Cwd, call.Branch(said.Cwd)
	}
	return o
}

// isRunning reports whether a process runs. If the store cannot be read, it reports true.
func (in *Intake) isRunning(ctx context.Context, instance string) bool {
	runs, err := in.queue.Running(ctx)
	return err != nil || runs(instance)
}

// Dashboard reports whether a dashboard, a page or attach is open. If the store cannot be read, it reports false.
func Dashboard(ctx context.Context, q *queue.Queue) bool {
	present, err := q.Store.Present(ctx, queue.RoleDashboard, queue.RoleAttach)
	return err == nil && len(present) > 0
}
