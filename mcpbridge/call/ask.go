package call

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/dialect"
	"github.com/choicetui/choicetui/queue"
)

// A new ask becomes a session in the queue, or continues one. The key of its content (queue.Key) decides which:
//
//	Fill ─► joinOrCreate ─┬ a live session has the key, and Joins allows it: join ─► Take
//	                      ├ a session with the key was sent and not confirmed: continueUnconfirmed
//	                      └ else: Create
//
// A poll continues the session with its id: resume.

// Fill completes a request with the settings. It leaves out whether placeholder, notes and comments are shown: the
// form reads these settings when it is drawn, so that a change of them applies to pending questions too.
func Fill(req dialect.Request, s config.Settings) queue.Ask {
	ask := req.Ask
	ask.Kind = queue.KindChoice // a model never creates an approval
	ask.TimeoutSeconds = timeoutSeconds(req.Timeout, s)
	if req.Timeout != nil {
		ask.WaitsSeconds = *req.Timeout
	}
	ask.OnTimeout = queue.OnTimeoutNone
	if s.TimeoutAction == config.TimeoutDefaults {
		ask.OnTimeout = queue.OnTimeoutDefaults
	}
	ask.Questions = slices.Clone(ask.Questions)
	for i := range ask.Questions {
		q := &ask.Questions[i]
		if req.SingleSubmit == nil {
			q.SingleSubmit = s.SingleSubmitMode && q.Radio()
		}
	}
	return ask
}

// timeoutSeconds returns a question's time limit in seconds: the person's override, else the caller's wish, else the
// setting. It is never below the person's least.
func timeoutSeconds(wanted *int, s config.Settings) int {
	seconds := s.TimeoutSeconds
	if wanted != nil {
		seconds = *wanted
	}
	if s.TimeoutOverride != nil {
		seconds = *s.TimeoutOverride
	}
	seconds = max(seconds, s.TimeoutLeastSeconds)
	return min(max(seconds, int(queue.MinTimeout/time.Second)), int(queue.MaxTimeout/time.Second))
}

// effectiveTransport returns the caller's transport; for auto it returns that of the settings.
func effectiveTransport(wanted string, s config.Settings) string {
	if wanted == "" || wanted == dialect.TransportAuto {
		return s.Transport
	}
	return wanted
}

// joinOrCreate continues the same ask where queue.Session.Joins allows it, else it creates a session. With auto and no
// dashboard the new session is a hand-off.
func (q *question) joinOrCreate(ctx context.Context, ask queue.Ask) error {
	p := q.readPresence(ctx)
	q.noDashboard = !p.dashboard
	content := queue.Key(q.origin, ask)
	defer q.bridge.asking.lockKey(content)()
	key := ""
	if !ask.HandOff {
		key = content
		if joined, err := q.joinEarlier(ctx, key, p); joined || err != nil {
			return err
		}
	}
	if q.auto && !ask.Web && !p.dashboard {
		ask.HandOff, key = true, ""
	}
	if ctx.Err() != nil {
		return fmt.Errorf("the call ended before anybody was asked: %w", context.Cause(ctx))
	}
	return q.createSession(ctx, ask, key, content)
}

// createSession stores a new session. key is the session's, by which the same ask joins it; empty: no ask may join it.
// content is the key of the ask in either case.
func (q *question) createSession(ctx context.Context, ask queue.Ask, key, content string) error {
	draft := queue.Session{Ask: ask, Origin: q.origin, Key: key}
	if !ask.HandOff {
		draft.Claim = &q.claim
	}
	s, err := q.storeDraft(ctx, draft, content)
	var bad *queue.Invalid
	if errors.As(err, &bad) {
		return &queue.Invalid{Problems: q.dialect.Wire(bad.Problems)}
	}
	if err != nil {
		return fmt.Errorf("failed to put the question into the queue: %w", err)
	}
	q.watch.addCreated(s)
	if s.Bound() {
		q.bridge.bound.Store(s.ID, true)
	}
	q.adopt(ctx, s, !ask.HandOff)
	return nil
}

// unconfirmed names a question that was sent to the store and that the store did not confirm. The store may have it,
// may get it later or may never get it. The same ask again continues this session, so that the person is asked once.
type unconfirmed struct {
	id    string
	claim queue.Claim // of the call that sent it
}

// storeDraft puts a draft into the queue. If a question with this content is unconfirmed, the draft becomes its
// session.
func (q *question) storeDraft(ctx context.Context, draft queue.Session, content string) (queue.Session, error) {
	step, cancel := stepContext(ctx)
	defer cancel()
	var s queue.Session
	var err error
	if sent, again := q.bridge.unconfirmed.Load(content); again {
		s, err = q.continueUnconfirmed(step, sent.(unconfirmed), draft)
	} else {
		s, err = q.watch.q.Create(step, draft)
	}
	switch {
	case errors.Is(err, queue.ErrInDoubt):
		// The call ends now, so nobody waits for the session until the same is asked again. Its claim is given back in
		// the background: the caller must not wait until the store answers.
		q.bridge.unconfirmed.Store(content, unconfirmed{s.ID, q.claim})
		q.bridge.released.Store(q.claim, true)
		go q.finish(ctx, s.ID, queue.Release{Claim: q.claim}, nil,
			"failed to let go of session %s, which may be stored: %v")
	case !errors.Is(err, queue.ErrUnreachable):
		q.bridge.unconfirmed.Delete(content)
	}
	return s, err
}

// continueUnconfirmed takes over a question that was unconfirmed, and stores it if the store does not have it. If it
// was stored and has ended since, the draft is stored as a new session.
func (q *question) continueUnconfirmed(
	ctx context.Context, sent unconfirmed, draft queue.Session,
) (queue.Session, error) {
	s, err := q.readSession(ctx, sent.id)
	if errors.Is(err, queue.ErrNotFound) {
		if s, err = q.watch.q.CreateAs(ctx, sent.id, draft); !errors.Is(err, queue.ErrExists) {
			return s, err
		}
		s, err = q.readSession(ctx, sent.id) // the store got it meanwhile
	}
	switch {
	case err != nil:
		return s, err
	case s.At(q.watch.q.Now()).Outcome != nil:
		return q.watch.q.Create(ctx, draft)
	case draft.Claim == nil:
		return s, nil
	}
	return q.doAction(ctx, sent.id, queue.ByCaller, queue.Take{Claim: q.claim, Origin: q.origin, Over: sent.claim})
}

// joinEarlier continues the newest session with this key that may be joined. If a server cannot be asked for it, join
// fails, and no second question is asked.
func (q *question) joinEarlier(ctx context.Context, key string, p presence) (joined bool, err error) {
	ids, err := q.watch.idsWithKey(ctx, key)
	if errors.Is(err, queue.ErrUnreachable) {
		return false, fmt.Errorf("failed to see whether the same was asked before: %w", err)
	}
	for _, id := range slices.Backward(ids) {
		if q.watch.letFinish(ctx, id) {
			continue
		}
		s, err := q.readSession(ctx, id)
		now := q.watch.q.Now()
		before := s.At(now)
		free := before
		if !q.bridge.isHeld(s.Claim, p.runs) {
			free.Claim = nil
		}
		if err != nil || !free.Joins(key, q.origin, p.runs, now) {
			continue
		}
		if s, err = q.takeClaim(ctx, s, queue.Take{Claim: q.claim, Origin: q.origin}, p.runs); err == nil {
			q.joined = joinedBecause(before)
			q.bridge.unconfirmed.Delete(key)
			q.adopt(ctx, s, true)
			return true, nil
		}
	}
	return false, nil
}

// joinedBecause returns the reason why an earlier session is continued, as half a sentence for the agent.
func joinedBecause(s queue.Session) string {
	asked := s.AskedAt.UTC().Format(time.TimeOnly)
	if s.Outcome == nil {
		return "the same question of " + asked + " UTC goes on, it was not asked again"
	}
	return fmt.Sprintf("given at %s UTC to the same question of %s UTC, and not fetched until now",
		s.Outcome.At.UTC().Format(time.TimeOnly), asked)
}

// resumeSession claims the session with this id, pending or settled. The errors are queue.ErrNotFound, a *usedError, or
// the store's.
func (q *question) resumeSession(ctx context.Context, id string) error {
	if !queue.ValidID(id) {
		return queue.ErrNotFound
	}
	q.watch.letFinish(ctx, id)
	s, err := q.readSession(ctx, id)
	if err != nil {
		return err
	}
	if !q.mayFetch(s) {
		return queue.ErrNotFound
	}
	s, err = q.takeClaim(ctx, s, queue.Take{Claim: q.claim, Origin: q.origin}, q.readPresence(ctx).runs)
	switch {
	case errors.Is(err, queue.ErrFinal):
		return &usedError{session: s}
	case errors.Is(err, queue.ErrUsed):
		return &usedError{session: s, inUse: true}
	case err != nil:
		return err
	}
	q.adopt(ctx, s, true)
	return nil
}

// mayFetch reports whether this caller may have the session's result by its id. An approval belongs to the hook that
// asked: a model must not fetch its own. next_message fetches messages, an interview its own questions, and the caller
// of a bound session that session.
func (q *question) mayFetch(s queue.Session) bool {
	if s.Ask.Kind == queue.KindApproval || s.IsMessage() || s.Origin.Dialect == queue.DialectInterview {
		return false
	}
	return !s.Bound() || s.Origin.Instance == q.origin.Instance && s.Origin.Agent == q.origin.Agent
}

// keyLocks holds a mutex for each key, and forgets it when nobody uses it. The zero value is ready.
type keyLocks struct {
	mu    sync.Mutex
	locks map[string]*keyLock
}

type keyLock struct {
	token chan struct{} // full while locked
	users int           // who hold or want the lock
}

func (k *keyLocks) lockKey(key string) (unlock func()) {
	k.mu.Lock()
	if k.locks == nil {
		k.locks = map[string]*keyLock{}
	}
	l := k.locks[key]
	if l == nil {
		l = &keyLock{token: make(chan struct{}, 1)}
		k.locks[key] = l
	}
	l.users++
	k.mu.Unlock()
	l.token <- struct{}{}
	return func() {
		<-l.token
		k.mu.Lock()
		defer k.mu.Unlock()
		if l.users--; l.users == 0 {
			delete(k.locks, key)
		}
	}
}
