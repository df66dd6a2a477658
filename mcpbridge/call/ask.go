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

// A new ask becomes a session in the queue, or continues an earlier one. Sessions with the same content have the same
// key (queue.Key), by which the earlier one is found:
//
//	Fill ─► joinOrCreate ─┬ a live session has the key, and Joins allows it: joinEarlier ─► Take
//	                      ├ a session with the key was sent to the store and not confirmed: continueUnconfirmed
//	                      └ else: Create
//
// A poll continues a session by its id: resumeSession.

// Fill returns the ask of a request, completed with the settings. It does not apply the settings for placeholders,
// notes and comments: the form reads these when it is drawn, so that a change applies to pending questions too.
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

// timeoutSeconds returns a question's time limit: the person's override, else the caller's wish, else the setting.
func timeoutSeconds(wanted *int, s config.Settings) int {
	seconds := s.TimeoutSeconds
	if wanted != nil {
		seconds = *wanted
	}
	if s.TimeoutOverride != nil {
		seconds = *s.TimeoutOverride
	}
	return min(max(seconds, int(queue.MinTimeout/time.Second)), int(queue.MaxTimeout/time.Second))
}

// effectiveTransport returns the transport that the caller wants, or that of the settings if the caller wants auto.
func effectiveTransport(wanted string, s config.Settings) string {
	if wanted == "" || wanted == dialect.TransportAuto {
		return s.Transport
	}
	return wanted
}

// joinOrCreate continues the same ask if queue.Session.Joins allows it, else it creates a session. If the transport is
// auto and no dashboard is open, the new session is a hand-off: the call does not wait, and its result is a command
// that opens the question in a terminal.
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

// createSession stores a new session. content is the key of the ask. key is the key under which the same ask can join
// the session: content, or empty if no ask may join it.
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
	if s.EndsWithCall() {
		q.bridge.endsWithMe.Store(s.ID, true)
	}
	if ask.HandOff {
		q.adopt(ctx, s)
	} else {
		q.adoptClaimed(ctx, s)
	}
	return nil
}

// unconfirmed names a question that was sent to the store and not confirmed. The store may have it, may receive it
// later, or may never receive it. The same ask continues this session, so that the person is asked once.
type unconfirmed struct {
	id    string
	claim queue.Claim // the claim of the call that sent it
}

// storeDraft puts a draft into the queue. If a question with this content is unconfirmed, that question is continued
// instead.
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
		// The call ends now, so nobody waits for the session until the same ask comes again. The claim is released in
		// the background, because the caller must not wait for the store.
		q.bridge.unconfirmed.Store(content, unconfirmed{s.ID, q.claim})
		q.bridge.released.Store(q.claim, true)
		go q.finish(ctx, s.ID, queue.Release{Claim: q.claim}, nil,
			"failed to let go of session %s, which may be stored: %v")
	case !errors.Is(err, queue.ErrUnreachable):
		q.bridge.unconfirmed.Delete(content)
	}
	return s, err
}

// continueUnconfirmed claims an unconfirmed question, and stores it if the store does not have it. If the question has
// ended meanwhile, the draft becomes a new session.
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
	case draft.Claim == nil: // a hand-off: this call does not wait, so it needs no claim
		return s, nil
	}
	return q.doAction(ctx, sent.id, queue.ByCaller, queue.Take{Claim: q.claim, Origin: q.origin, Over: sent.claim})
}

// joinEarlier continues the newest session with this key that may be joined. If the store's server cannot be asked for
// it, joinEarlier fails, so that no second question is asked.
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
		if err != nil {
			continue
		}
		now := q.watch.q.Now()
		before := s.At(now)
		free := before
		if !q.bridge.isHeld(s.Claim, p.runs) { // the store may still have the claim of a call that released it
			free.Claim = nil
		}
		if !free.Joins(key, q.origin, p.runs, now) {
			continue
		}
		if s, err = q.takeClaim(ctx, s, queue.Take{Claim: q.claim, Origin: q.origin}, p.runs); err == nil {
			q.joined = joinedBecause(before)
			q.bridge.unconfirmed.Delete(key)
			q.adoptClaimed(ctx, s)
			return true, nil
		}
	}
	return false, nil
}

// joinedBecause returns half a sentence that tells the agent why an earlier session is continued.
func joinedBecause(s queue.Session) string {
	asked := s.AskedAt.UTC().Format(time.TimeOnly)
	if s.Outcome == nil {
		return "the same question of " + asked + " UTC is still open, it was not asked again"
	}
	return fmt.Sprintf("given at %s UTC to the same question of %s UTC, and not fetched until now",
		s.Outcome.At.UTC().Format(time.TimeOnly), asked)
}

// resumeSession claims the session with this id, pending or settled. The errors are queue.ErrNotFound, *usedError, and
// those of the store.
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
	q.adoptClaimed(ctx, s)
	return nil
}

// mayFetch reports whether this caller may receive a session's result by its id. The result of an approval is for the
// hook that asked, because a model must not read its own approval. Messages are fetched with next_message, and the
// questions of an interview by the interview. A session that ends with its call is only for the agent that asked.
func (q *question) mayFetch(s queue.Session) bool {
	if s.Ask.Kind == queue.KindApproval || s.IsMessage() || s.Origin.Dialect == queue.DialectInterview {
		return false
	}
	return !s.EndsWithCall() || s.Origin.Instance == q.origin.Instance && s.Origin.Agent == q.origin.Agent
}

// keyLocks holds a mutex for each key that is in use. The zero value is ready.
type keyLocks struct {
	mu    sync.Mutex
	locks map[string]*keyLock
}

// keyLock is the mutex of one key, with the number of calls that hold it or wait for it.
type keyLock struct {
	token chan struct{} // full while locked
	users int           // the number of callers that hold the lock or wait for it
}

// lockKey waits for the mutex of a key, and returns the function that gives the mutex back.
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
