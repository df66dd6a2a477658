package widen

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// Pauses and limits of the courier.
const (
	lookEvery  = 10 * time.Second // between two rounds while a question of this person is with the team
	firstPause = 5 * time.Second  // after the first failed try; it doubles with each further one
	mostPause  = time.Hour
	tellWithin = 30 * time.Second
	lastWithin = 5 * time.Second // limits a call that is under way when a process ends, and the process's last round
)

// The courier is the part of a Service that tells teams how their questions ended, whoever ended them: in the
// dashboard, on the page in the browser, or with a command. It sends a message again until the team's server has taken
// it. A failure never undoes an answer. The courier finds everything that it has to know in the queue.

// Ring makes Tell start a round now, because a question went to the team or ended.
func (s *Service) Ring() {
	select {
	case s.bell <- struct{}{}:
	default:
	}
}

// Tell tells teams how their questions ended, in rounds, until ctx ends. A call that is under way then has a moment to
// finish, because the team may have received it already and must not be told twice. While no question is with the team,
// Tell waits for Ring and reads nothing. report receives the errors, but not the same one twice in a row.
// It may be nil.
func (s *Service) Tell(ctx context.Context, report func(error)) {
	calls, cancel := context.WithCancel(context.WithoutCancel(ctx)) // it outlasts ctx by s.last
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(s.last, cancel) })()
	last := ""
	for ctx.Err() == nil {
		s.round.Lock()
		left, _, err := s.deliverAll(ctx, calls)
		s.round.Unlock()
		switch {
		case err == nil && left == 0:
			last = ""
		case err != nil && report != nil && ctx.Err() == nil && err.Error() != last:
			last = err.Error()
			report(err)
		}
		var look <-chan time.Time
		if left > 0 || err != nil {
			look = time.After(lookEvery)
		}
		select {
		case <-ctx.Done():
		case <-s.bell:
		case <-look:
		}
	}
}

// Finish makes the last round of a process that ends. It is called while Tell ends. It waits a moment for a call under
// way, in this process or another, and then tells teams what is due. If a server asked to be called later, the message
// is left to the next process. Finish stops a little earlier than Tell, so that it does not repeat a call that Tell has
// given up.
func (s *Service) Finish(ctx context.Context) {
	last, cancel := context.WithTimeout(ctx, s.last*9/10)
	defer cancel()
	for busy := true; busy && last.Err() == nil; {
		if s.round.TryLock() {
			_, busy, _ = s.deliverAll(last, last)
			s.round.Unlock()
		}
		busy = busy && sleep(last, 50*time.Millisecond)
	}
}

// Untold counts the questions that have ended and whose team does not know it yet, as far as that can be read.
func (s *Service) Untold(ctx context.Context) int {
	all, _, _ := New(s.o).listUntold(ctx)
	return len(slices.DeleteFunc(all, func(on queue.Session) bool {
		told, _ := s.o.toldClosed(ctx, on.ID)
		return told
	}))
}

// deliverAll makes one round: it tells teams about all questions of theirs that have ended. It begins no call once ctx
// has ended; a call that is under way ends with calls. left is the number of questions that are still with a team, and
// of messages that were not delivered. busy reports that another process is telling one of the teams. The error is the
// last one of the round: *Failure, or that of the store.
func (s *Service) deliverAll(ctx, calls context.Context) (left int, busy bool, err error) {
	all, left, err := s.listUntold(ctx)
	for i, on := range all {
		if ctx.Err() != nil {
			return left + len(all) - i, busy, ctx.Err()
		}
		if on.Calling != nil && s.o.Queue.Now().Before(on.Calling.Until) {
			busy = busy || on.Calling.Call != ""
			left++
			continue
		}
		done, failed := s.deliver(calls, on)
		if !done {
			left++
		}
		if errors.Is(failed, queue.ErrUsed) {
			busy = true
		} else if failed != nil {
			err = failed
		}
	}
	return left, busy, err
}

// listUntold returns the sessions that have ended and whose teams must still be told, and counts the questions that are
// still with a team. If the settings name no way to a team and no question is known to be with one, it reads no
// sessions.
func (s *Service) listUntold(ctx context.Context) (all []queue.Session, waiting int, err error) {
	if _, unset := s.o.Backend(); unset == nil || len(s.seen) > 0 {
		if failed := s.findSessions(ctx); failed != nil {
			err = fmt.Errorf("failed to read which teams have to be told: %w", failed)
			waiting++ // so that another round comes
		}
	}
	for _, on := range s.seen {
		if on.Outcome == nil {
			waiting++
		} else {
			all = append(all, on)
		}
	}
	return slices.AppendSeq(all, maps.Values(s.closed)), waiting, err
}

// noteClosed records a session whose team must still be told, but into which nothing can be written any more. From now
// on only Service.closed knows when the next call may be made.
func (s *Service) noteClosed(on queue.Session) {
	if _, known := s.closed[on.ID]; !known {
		on.Calling = &queue.Calling{}
		s.closed[on.ID] = on
	}
}

// findSessions records which live sessions are with this person's team, and which earlier ones were lost before their
// team was told.
func (s *Service) findSessions(ctx context.Context) error {
	var live []queue.Session
	for _, q := range s.o.Queue.All() {
		there, _, err := q.Store.Live(ctx)
		if err != nil {
			return err
		}
		live = append(live, there...)
	}
	now, seen := s.o.Queue.Now(), map[string]queue.Session{}
	for _, on := range live {
		if on = on.At(now); s.isOurs(on) && (on.Outcome == nil || on.OwesTeam()) {
			seen[on.ID] = on
		}
		delete(s.seen, on.ID)
	}
	for id, was := range s.seen {
		on, err := s.o.Queue.Get(ctx, id)
		switch {
		case errors.Is(err, queue.ErrNotFound):
			on = was.Lost(now)
		case err != nil:
			return err
		}
		if on.OwesTeam() {
			s.noteClosed(on)
		}
	}
	s.seen = seen
	return nil
}

// isOurs reports whether this person asked the team. If several people share a queue, each tells their own team.
func (s *Service) isOurs(on queue.Session) bool {
	asked, called := on.TeamAsked()
	here := s.o.Queue.Person
	mine := asked.Person == "" || here == "" || asked.Person == here
	return called && mine && widen.IsDecision(asked.Decision)
}

// deliver tells a team how its question ended. done reports that the team knows it now, or knew it already. It fails
// with queue.ErrUsed if another process is telling the team.
func (s *Service) deliver(ctx context.Context, on queue.Session) (done bool, err error) {
	asked, _ := on.TeamAsked()
	b, err := s.o.Backend()
	if err == nil && asked.Backend != "" && b.Name() != asked.Backend {
		err = &Failure{Words: "It was asked with widen.backend " + say.OneLine(asked.Backend) +
			". Set it back to that until your team has been told."}
	}
	if err != nil {
		return false, notYet(err)
	}
	call, release := queue.CallTeam{Call: queue.NewToken()}, func() {}
	if _, closed := s.closed[on.ID]; closed {
		done, err = s.o.toldClosed(ctx, on.ID)
	} else {
		on, release, err = s.o.claim(ctx, on.ID, byCourier(call))
	}
	switch {
	case errors.Is(err, queue.ErrFinal), errors.Is(err, queue.ErrSettled): // another process has just told the team
		return true, nil
	case errors.Is(err, queue.ErrNotFound): // the session was closed, which the next round notices
		return false, nil
	case err != nil:
		return false, err
	}
	if !done {
		err = s.tellTeam(ctx, b, on)
	}
	release()
	left := queue.LeaveTeam{Call: call.Call, Told: err == nil}
	var after time.Duration // the pause that the server asks for
	if f := (*Failure)(nil); errors.As(err, &f) {
		after = f.After
	}
	notCalled := errors.Is(err, ErrNotCalled)
	switch {
	case err == nil, ctx.Err() != nil && after == 0 && !notCalled: // a call that was stopped may have reached the team
	case notCalled, len(threadOf(on).Response) == 0:
		// The settings switch the call off, or nobody knows whether the team was asked, so one try is enough.
		left.Told, left.Why = true, err.Error()
	default:
		pause := min(firstPause<<min(on.Calling.Tries, 10), mostPause)
		left.Again = max(pause, min(after, mostAfter))
	}
	switch kept := s.storeCall(ctx, on, left); {
	case kept != nil, left.Told:
		return kept == nil, kept
	case left.Again == 0:
		return false, ctx.Err()
	}
	return false, notYet(err)
}

// notYet returns the failure for a message that the team has not received.
func notYet(why error) error {
	return &Failure{Words: "Your team does not know of the decision yet. " + why.Error()}
}

// tellTeam makes the call that tells the team how the question ended: Resolve with the answer, or Defer with the reason
// if there is no answer. It stores nothing.
func (s *Service) tellTeam(ctx context.Context, b Backend, on queue.Session) error {
	ctx, cancel := context.WithTimeout(ctx, tellWithin)
	defer cancel()
	end, thread := on.Outcome, threadOf(on)
	switch {
	case end.Status == queue.StatusLost:
		return b.Defer(ctx, thread, "The question is no longer in the queue.")
	case end.Status == queue.StatusDeferred:
		return b.Defer(ctx, thread, end.Reason)
	case !end.Answered():
		words := "The question ended without an answer (" + say.OneLine(end.Status) + ")"
		if why := say.OneLine(end.Reason); why != "" {
			return b.Defer(ctx, thread, words+": "+why)
		}
		return b.Defer(ctx, thread, words+".")
	}
	r := Resolved{Answer: widen.FinalText(on.Ask, end.Answer),
		Summary: queue.Summary{Source: queue.SourceManual}}
	if t := end.Team; t != nil {
		r.Summary, r.Rationale = t.Summary, t.Rationale
	}
	return b.Resolve(ctx, thread, r)
}

// storeCall stores the result of a call to the team, also if the process is about to end.
func (s *Service) storeCall(ctx context.Context, on queue.Session, left queue.LeaveTeam) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeWithin)
	defer cancel()
	if _, closed := s.closed[on.ID]; !closed {
		now, err := s.o.Queue.Do(ctx, on.ID, byCourier(left))
		if err == nil && now.Closed() {
			_ = s.o.Queue.Archive(ctx, now) // after an error the next sweep archives it
		}
		return err
	}
	switch {
	case left.Told:
		delete(s.closed, on.ID)
		return s.o.keepTold(ctx, on)
	case left.Again > 0:
		on.Calling = &queue.Calling{Tries: on.Calling.Tries + 1, Until: s.o.Queue.Now().Add(left.Again)}
		s.closed[on.ID] = on
	}
	return nil
}

// tellerName is the instance of the draft which says that the team of a lost session was told.
const tellerName = "team-told"

// toldClosed reports whether a process has told the team of a lost session.
func (o Options) toldClosed(ctx context.Context, id string) (bool, error) {
	drafts, err := o.Queue.Drafts(ctx, id)
	return slices.ContainsFunc(drafts, func(d queue.Draft) bool { return d.Instance == tellerName }), err
}

// keepTold notes that the team of a lost session was told.
func (o Options) keepTold(ctx context.Context, s queue.Session) error {
	return o.Queue.SaveDraft(ctx, queue.Draft{Session: s.ID, Instance: tellerName})
}
