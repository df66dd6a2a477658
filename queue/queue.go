// Package queue implements the domain: the questions of agents, the answers of the person, and the rules between
// them.
//
// It imports no other package of ours and does no I/O of its own. A question takes this way:
//
//	Ask.Check ─ valid ─► Queue.Create ─► Store ⇝ Watch ⇝ surfaces
//	                                                  │ Answer
//	Outcome ⇜ Watch ⇜ Store.Put ◄─ Transition ◄─ Queue.Do(Settle) ◄─ Ask.Accept
//
// A store keeps sessions and notifies watchers, Transition decides, and Queue.Do connects the two with
// compare-and-swap. A surface is any place where a person or a client acts: the dashboard, the web page, the command
// line. These rules hold for every surface: a session has exactly one outcome; the stored deadline is the only clock;
// a timeout never invents an answer; no typed text is lost; an answer is used once; a question survives the caller
// that asked it, unless it ends with the call.
//
// Some words have one meaning throughout the code (docs/design.md section 4, "Words", lists all of them):
//
//   - A bridge is the process that connects an agent to the queue, usually `choicetui mcp`.
//   - A native question is an agent's own prompt, which reached us through a hook, a plugin or a socket.
//   - To claim a session means to reserve the right to collect its answer for the agent.
//   - Some sessions end with the call that asked; see Session.EndsWithCall.
//   - A hand-off is a question whose form the person opens with a command or a link that the agent shows.
//   - To widen a question means to ask the person's team about it.
//   - Chat means the lines that the person sends to agents, and the gate is the command that tells an agent's hook
//     whether a prompt may be sent. Both are closed while a caller waits for an answer; see Session.ClosesChat.
package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Queue applies commands to the sessions of a store. Tests may replace Now and NewID.
type Queue struct {
	Store Store
	Now   func() time.Time
	NewID func() string
	// Person names the person at this machine if several share the queue, else it is empty. See NamePerson.
	Person string
	Host   string // name of this machine if others use the queue too, else empty
	hosts  *hosts
}

// Shared reports whether other machines may use the queue too. Such a queue is kept on a server.
func (q *Queue) Shared() bool { return q.Host != "" }

// New returns a queue on a store with the wall clock and random ids.
func New(store Store) *Queue {
	return &Queue{Store: store, Now: time.Now, NewID: NewID, hosts: &hosts{queues: map[string]*Queue{}}}
}

// Create checks the ask and puts it into the queue; its deadline starts to run. Only Ask, Origin, Key and Claim of
// the draft are used. It fails with *Invalid or with the store's error. ErrExists means that a native question with
// the same source was asked before. Beside ErrInDoubt it returns the session that may have been stored.
func (q *Queue) Create(ctx context.Context, draft Session) (Session, error) {
	if draft.Origin.Native() {
		return q.CreateAs(ctx, SourceID(draft.Origin.Source), draft)
	}
	for range 8 {
		made, err := q.CreateAs(ctx, q.NewID(), draft)
		if !errors.Is(err, ErrExists) {
			return made, err
		}
	}
	return Session{}, fmt.Errorf("failed to find a free session id: %w", ErrExists)
}

// CreateAs works like Create, with a given id, so that a creation in doubt can be tried again. It fails with
// ErrExists if a session has that id.
func (q *Queue) CreateAs(ctx context.Context, id string, draft Session) (Session, error) {
	s, err := q.prepareAs(id, draft)
	if err != nil {
		return Session{}, err
	}
	made, err := q.Store.Create(ctx, s)
	if errors.Is(err, ErrInDoubt) {
		return s, err
	}
	return made, err
}

// Do applies a command: Get, store a timeout that is due, Transition, Put, and again on ErrConflict until ctx ends.
// It returns the session in its present state also beside ErrSettled, ErrUsed and ErrFinal, so that a surface can say
// who was faster. A command without an ID gets one. After an ambiguous error of the store Do reads the session again.
// It fails with ErrInDoubt if the command is stored but the store cannot make it durable.
func (q *Queue) Do(ctx context.Context, id string, c Command) (Session, error) {
	if c.ID == "" {
		c.ID = NewToken()
	}
	if (c.By == ByHuman || c.By == ByRule) && c.Person == "" {
		c.Person = q.Person
	}
	q = q.Of(id)
	if host, ok := q.Store.(Decider); ok {
		return host.Decide(ctx, id, c)
	}
	for {
		s, err := q.Store.Get(ctx, id)
		if err != nil {
			return Session{}, err
		}
		next, err := q.tryOnce(ctx, s, c)
		if !errors.Is(err, ErrConflict) {
			return next, err
		}
		if err := ctx.Err(); err != nil {
			return s, err
		}
	}
}

// tryOnce makes one attempt of Do, with a session as it was just read.
func (q *Queue) tryOnce(ctx context.Context, s Session, c Command) (Session, error) {
	now := q.Now()
	if due := s.At(now); due.Outcome != nil && s.Outcome == nil {
		if written, ok := q.drafted(ctx, s); ok {
			due = due.withDraft(written)
		}
		var err error
		if s, err = q.putSession(ctx, due, func(again Session) bool { return again.Outcome != nil }); err != nil {
			return s, err
		}
	}
	if cancel, is := c.Do.(Cancel); is && c.By == ByHuman {
		c.Do = q.withNotes(ctx, s, cancel)
	}
	next, changed, err := Transition(s, c, now)
	if err != nil {
		return next, err
	}
	if _, again := s.Event(c.ID); again { // stored before, perhaps by a Put that failed afterwards
		return next, q.syncSession(ctx, s.ID)
	}
	if !changed {
		return next, nil
	}
	return q.putSession(ctx, next, func(again Session) bool { return isApplied(again, c) })
}

// withNotes completes the cancel of a command line, which has no form: it takes the notes and the comment that the
// person wrote elsewhere, else those that the agent suggests.
func (q *Queue) withNotes(ctx context.Context, s Session, c Cancel) Cancel {
	if len(c.Said.Replies) > 0 || c.Said.Comment != "" {
		return c
	}
	c.Said = StartAnswer(s.Ask)
	if written, ok := q.drafted(ctx, s); ok {
		c.Said = written
	}
	return c
}

// drafted returns the newest draft of an answer whose notes the agent gets. ok is false if there is none; if the drafts
// cannot be read, the session ends without them.
func (q *Queue) drafted(ctx context.Context, s Session) (written Answer, ok bool) {
	if s.Ask.Kind == KindApproval || s.IsMessage() {
		return Answer{}, false
	}
	drafts, err := q.Store.Drafts(ctx, s.ID)
	if err != nil || len(drafts) == 0 {
		return Answer{}, false
	}
	return drafts[0].Answer, true
}

// putSession stores a session. After an ambiguous error it reads the session again, and stored tells from it whether
// the write happened. A write is acknowledged only after the store made it durable. Beside any error it returns the
// latest known session.
func (q *Queue) putSession(ctx context.Context, s Session, stored func(Session) bool) (Session, error) {
	put, err := q.Store.Put(ctx, s)
	switch {
	case err == nil:
		return put, nil
	case errors.Is(err, ErrConflict), errors.Is(err, ErrNotFound), errors.Is(err, ErrNewer):
		return s, err
	}
	again, gerr := q.Store.Get(ctx, s.ID)
	switch {
	case gerr != nil:
		return s, err
	case stored(again):
		return again, q.syncSession(ctx, s.ID)
	}
	return again, err
}

// syncSession makes a stored write durable. It fails with ErrNotFound if the session is gone, else with ErrInDoubt.
func (q *Queue) syncSession(ctx context.Context, id string) error {
	err := q.Store.Sync(ctx, id)
	if err == nil || errors.Is(err, ErrNotFound) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrInDoubt, err)
}

// isApplied reports whether a session shows the effect of a command. It is called after an ambiguous error.
func isApplied(s Session, c Command) bool {
	if _, ok := s.Event(c.ID); ok {
		return true
	}
	switch a := c.Do.(type) {
	case Take:
		return s.Claim != nil && *s.Claim == a.Claim
	case Release:
		return s.Claim == nil || *s.Claim != a.Claim
	case Presume:
		return s.Perhaps == a.Where
	}
	return s.showsTeamCall(c.Do)
}

// notFetched is the reason that the trail gives when an answer that nobody collected is archived.
const notFetched = "its agent did not ask for it within 24 h"

// notTold is the reason that the trail gives when the attempts to tell the team end.
const notTold = "it could not be told within 30 days"

// Sweep ends what is overdue among the live sessions: it stores timeouts, cancels sessions that end with their call,
// whose caller is gone, expires answers that nobody collected within KeptFor, marks answers whose hook died as
// collected with a doubt, and messages whose writer died as perhaps delivered, and archives closed sessions. A session
// whose team is not told yet stays live for UntoldFor. Any process may call Sweep at any time. It continues after an
// error and returns the first one.
func (q *Queue) Sweep(ctx context.Context, live []Session) error {
	var first error
	noteError := func(err error) {
		is := func(benign error) bool { return errors.Is(err, benign) }
		benign := slices.ContainsFunc([]error{ErrNotFound, ErrFinal, ErrSettled, ErrNewer, ErrUsed}, is)
		if err != nil && !benign && first == nil {
			first = err
		}
	}
	live = slices.DeleteFunc(slices.Clone(live), func(s Session) bool { return s.Origin.Remote }) // their hosts do that
	alive := q.aliveFor(ctx, live)
	for _, s := range live {
		q.sweepSession(ctx, s, alive, noteError)
	}
	return first
}

// sweepSession carries out, one after the other, the actions of Sweep that are due for one session.
func (q *Queue) sweepSession(ctx context.Context, s Session, alive func(instance string) bool, noteError func(error)) {
	do := func(by string, action Action) Session {
		after, err := q.Do(ctx, s.ID, Command{By: by, Do: action})
		noteError(err)
		return after
	}
	now := q.Now()
	// If s has timed out and the timeout is not stored, only due has the outcome.
	due := s.At(now)
	if due.Outcome == nil && due.EndsWithCall() && due.Gone(alive) { // nobody can fetch its result any more
		do(ByCaller, Abandon{Alive: alive})
	}
	if due.Unsure(alive) { // a message whose writer died
		var err error
		s, err = q.settleUnsure(ctx, s)
		due = s
		noteError(err)
	}
	if due.answerOrphaned(alive, now) { // an answer whose hook died
		s = do(ByCaller, Collect{Claim: *due.Claim, Doubt: hookDied})
	}
	if s.Outcome == nil && due.Outcome != nil { // the timeout is not stored
		do(ByClock, TimeOut{})
	}
	if !s.Final && due.Outcome != nil && now.Sub(due.Outcome.At) >= KeptFor { // nobody collected the answer
		s = do(ByClock, Expire{Reason: notFetched})
	}
	if s.Final && s.OwesTeam() && now.Sub(s.Outcome.At) >= UntoldFor { // all attempts to tell the team failed
		s = do(ByClock, LeaveTeam{Told: true, Why: notTold})
	}
	if s.Closed() {
		noteError(q.Store.Archive(ctx, s))
	}
}

// settleUnsure records a message as perhaps delivered after its writer died.
func (q *Queue) settleUnsure(ctx context.Context, s Session) (Session, error) {
	done, err := q.Do(ctx, s.ID, Command{By: ByCaller,
		Do: Deliver{Claim: *s.Claim, Surface: SurfaceMCP, Doubt: writerDied}})
	if err != nil {
		return s, err
	}
	return done, nil
}

// aliveFor returns a function that reports whether an instance runs. It asks the store only if one of these sessions
// can end with a process: a session that ends with its call, a message that is being written, a native answer that is
// not collected yet. Otherwise, and after an error, every instance counts as alive.
func (q *Queue) aliveFor(ctx context.Context, live []Session) func(instance string) bool {
	everyone := func(string) bool { return true }
	if !slices.ContainsFunc(live, func(s Session) bool {
		return s.Outcome == nil && s.EndsWithCall() || s.beingWritten() || s.nativeAnswerOutstanding()
	}) {
		return everyone
	}
	runs, err := q.Running(ctx)
	if err != nil {
		return everyone
	}
	return runs
}

// Prepare returns the session that Create would store for a draft, with its id and deadline set. It fails with
// *Invalid. A caller that must not store a session twice passes the result to Keep as often as necessary.
func (q *Queue) Prepare(draft Session) (Session, error) {
	if draft.Origin.Native() {
		return q.prepareAs(SourceID(draft.Origin.Source), draft)
	}
	return q.prepareAs(q.NewID(), draft)
}

// prepareAs works like Prepare, with a given id.
func (q *Queue) prepareAs(id string, draft Session) (Session, error) {
	if problems := draft.Problems(); len(problems) > 0 {
		return Session{}, &Invalid{Problems: problems}
	}
	now := storedTime(q.Now())
	s := Session{
		Schema: Schema, ID: id, Key: draft.Key, Origin: draft.Origin, Ask: draft.Ask, Claim: draft.Claim,
		AskedAt: now, CountdownFrom: now, Deadline: now.Add(time.Duration(draft.Ask.TimeoutSeconds) * time.Second),
	}
	if s.IsMessage() {
		sent := Command{ID: NewToken(), By: ByHuman, Surface: SurfaceDashboard, Person: q.Person}
		return s.withEvent(sent, EventSent, s.Origin.Name(), now), nil
	}
	asked := Command{ID: NewToken(), By: ByCaller, Surface: SurfaceClient}
	return s.withEvent(asked, EventAsked, draft.Origin.Dialect, now), nil
}

// Keep stores a session that Prepare made, and returns the stored one. After ErrInDoubt or ErrUnreachable call it
// again with the same session: Keep recognises a session that an earlier call stored, even if it has ended and is
// archived since. It fails with ErrExists if another session has the id.
func (q *Queue) Keep(ctx context.Context, s Session) (Session, error) {
	stored, err := q.Store.Get(ctx, s.ID)
	if errors.Is(err, ErrNotFound) {
		var made Session
		if made, err = q.Store.Create(ctx, s); !errors.Is(err, ErrExists) {
			return made, err
		}
		stored, err = q.Store.Get(ctx, s.ID)
	}
	if err != nil {
		return Session{}, err
	}
	if _, same := stored.Event(s.Events[0].ID); !same {
		return Session{}, ErrExists
	}
	return stored, q.syncSession(ctx, s.ID)
}
