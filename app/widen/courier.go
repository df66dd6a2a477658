package widen

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
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
	pageOfDone = 100             // sessions of the history that are read at once
)

// Courier tells teams how their questions ended, whoever ended them: in the dashboard, on the page in the browser, or
// with a command. It sends a message again until the team's server has taken it. A failure never undoes an answer. The
// courier finds everything that it has to know in the queue.
type Courier struct {
	o    Options
	bell chan struct{}
	last time.Duration // lastWithin

	mu     sync.Mutex               // held during a round
	seen   map[string]queue.Session // by id: the live sessions that are with the team, or whose team must still be told
	closed map[string]queue.Session // by id: sessions whose team must still be told, but that the queue stores no more
	looked bool                     // the history was searched
}

func newCourier(o Options) *Courier {
	return &Courier{o: o, bell: make(chan struct{}, 1), last: lastWithin, closed: map[string]queue.Session{}}
}

// Ring makes Tell start a round now, because a question went to the team or ended.
func (c *Courier) Ring() {
	select {
	case c.bell <- struct{}{}:
	default:
	}
}

// Tell tells teams how their questions ended, in rounds, until ctx ends. A call that is under way then has a moment to
// finish, because the team may have received it already and must not be told twice. While no question is with the team,
// Tell waits for Ring and reads nothing. report receives the errors, but not the same one twice in a row.
// It may be nil.
func (c *Courier) Tell(ctx context.Context, report func(error)) {
	calls, cancel := outlasting(ctx, c.last)
	defer cancel()
	last := ""
	for ctx.Err() == nil {
		c.mu.Lock()
		left, _, err := c.deliverAll(ctx, calls)
		c.mu.Unlock()
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
		case <-c.bell:
		case <-look:
		}
	}
}

// outlasting returns a context that ends after another context, by the given time.
func outlasting(ctx context.Context, by time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	forget := context.AfterFunc(ctx, func() { time.AfterFunc(by, cancel) })
	return longer, func() { forget(); cancel() }
}

// Finish makes the last round of a process that ends. It is called while Tell ends. It waits a moment for a call under
// way, in this process or another, and then tells teams what is due. If a server asked to be called later, the message
// is left to the next process. Finish stops a little earlier than Tell, so that it does not repeat a call that Tell has
// given up.
func (c *Courier) Finish(ctx context.Context) {
	last, cancel := context.WithTimeout(ctx, c.last*9/10)
	defer cancel()
	for busy := true; busy && last.Err() == nil; {
		if c.mu.TryLock() {
			_, busy, _ = c.deliverAll(last, last)
			c.mu.Unlock()
		}
		busy = busy && sleep(last, 50*time.Millisecond)
	}
}

// Untold counts the questions that have ended and whose team does not know it yet, as far as that can be read.
func (c *Courier) Untold(ctx context.Context) int {
	all, _, _ := newCourier(c.o).listUntold(ctx)
	return len(all)
}

// deliverAll makes one round: it tells teams about all questions of theirs that have ended. It begins no call once ctx
// has ended; a call that is under way ends with calls. left is the number of questions that are still with a team, and
// of messages that were not delivered. busy reports that another process is telling one of the teams. The error is the
// last one of the round: *Failure, or that of the store.
func (c *Courier) deliverAll(ctx, calls context.Context) (left int, busy bool, err error) {
	all, left, err := c.listUntold(ctx)
	for i, s := range all {
		if ctx.Err() != nil {
			return left + len(all) - i, busy, ctx.Err()
		}
		if s.Calling != nil && c.o.Queue.Now().Before(s.Calling.Until) {
			busy = busy || s.Calling.Call != ""
			left++
			continue
		}
		done, failed := c.deliver(calls, s)
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
// still with a team. If the settings name no way to a team and no question is known to be with one, it reads no sessions.
func (c *Courier) listUntold(ctx context.Context) (all []queue.Session, waiting int, err error) {
	records, stay, err := c.o.takeRecords(ctx)
	waiting = len(stay)
	for _, s := range records {
		c.noteClosed(s)
	}
	if _, unset := c.o.teamBackend(""); unset == nil || len(c.seen) > 0 {
		if failed := c.findSessions(ctx); failed != nil {
			err = fmt.Errorf("failed to read which teams have to be told: %w", failed)
			waiting++ // so that another round comes
		}
	}
	for _, s := range c.seen {
		if s.Outcome == nil {
			waiting++
		} else {
			all = append(all, s)
		}
	}
	return slices.AppendSeq(all, maps.Values(c.closed)), waiting, err
}

// noteClosed records a session whose team must still be told, but into which nothing can be written any more. From now
// on only c.closed knows when the next call may be made.
func (c *Courier) noteClosed(s queue.Session) {
	if _, known := c.closed[s.ID]; !known {
		s.Calling = &queue.Calling{}
		c.closed[s.ID] = s
	}
}

// findSessions records which live sessions are with this person's team, and which earlier ones were closed before their
// team was told: they were lost, or an older program archived them. The first time, it also searches the history of the
// last day for such sessions.
func (c *Courier) findSessions(ctx context.Context) error {
	live, _, err := c.o.Queue.Store.Live(ctx)
	if err != nil {
		return err
	}
	now, seen := c.o.Queue.Now(), map[string]queue.Session{}
	for _, s := range live {
		if s = s.At(now); c.isOurs(s) && (s.Outcome == nil || s.OwesTeam()) {
			seen[s.ID] = s
		}
		delete(c.seen, s.ID)
	}
	for id, was := range c.seen {
		s, err := c.o.Queue.Store.Get(ctx, id)
		switch {
		case errors.Is(err, queue.ErrNotFound):
			s = was.Lost(now)
		case err != nil:
			return err
		}
		if s.OwesTeam() {
			c.noteClosed(s)
		}
	}
	c.seen = seen
	for cursor := ""; !c.looked; {
		page, next, err := c.o.Queue.Store.History(ctx, cursor, pageOfDone)
		if err != nil {
			return err
		}
		c.looked = next == ""
		for _, s := range page {
			if c.isOurs(s) && s.OwesTeam() {
				c.noteClosed(s)
			}
			c.looked = c.looked || now.Sub(s.SettledAt()) > queue.KeptFor
		}
		cursor = next
	}
	return nil
}

// isOurs reports whether this person asked the team. If several people share a queue, each tells their own team.
func (c *Courier) isOurs(s queue.Session) bool {
	asked, called := s.TeamAsked()
	here := c.o.Queue.Person
	mine := asked.Person == "" || here == "" || asked.Person == here
	return called && mine && widen.IsDecision(asked.Decision)
}

// deliver tells a team how its question ended. done reports that the team knows it now, or knew it already. It fails
// with queue.ErrUsed if another process is telling the team.
func (c *Courier) deliver(ctx context.Context, s queue.Session) (done bool, err error) {
	asked, _ := s.TeamAsked()
	b, err := c.o.teamBackend(asked.Backend)
	if err != nil {
		return false, notYet(err)
	}
	call := queue.CallTeam{Call: queue.NewToken()}
	release := func() {}
	if _, closed := c.closed[s.ID]; closed {
		done, err = c.o.toldClosed(ctx, s.ID)
	} else {
		s, release, err = c.o.claim(ctx, s.ID, byCourier(call))
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
		err = c.tellTeam(ctx, b, s)
	}
	release()
	left := queue.LeaveTeam{Call: call.Call, Told: err == nil}
	var after time.Duration
	if f := (*Failure)(nil); errors.As(err, &f) {
		after = f.After
	}
	switch {
	case err == nil, ctx.Err() != nil && after == 0: // a call that was stopped has perhaps reached the team
	case len(threadOf(s).Response) == 0: // nobody knows whether the team was asked, so one try is enough
		left.Told, left.Why = true, err.Error()
	default:
		left.Again = pauseAfter(s.Calling.Tries, after)
	}
	switch kept := c.storeCall(ctx, s, left); {
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

// pauseAfter returns the pause before the next try after one more failed try. tries is the number of failed tries
// before it; after is the pause that the server asked for, or 0.
func pauseAfter(tries int, after time.Duration) time.Duration {
	return max(min(firstPause<<min(tries, 10), mostPause), min(after, mostAfter))
}

// tellTeam makes the call that tells the team.
func (c *Courier) tellTeam(ctx context.Context, b Backend, s queue.Session) error {
	ctx, cancel := context.WithTimeout(ctx, tellWithin)
	defer cancel()
	end, thread := s.Outcome, threadOf(s)
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
	r := Resolved{Answer: widen.FinalText(s.Ask, end.Answer),
		Summary: queue.Summary{Source: queue.SourceManual}}
	if t := end.Team; t != nil {
		r.Summary, r.Rationale = t.Summary, t.Rationale
	}
	return b.Resolve(ctx, thread, r)
}

// storeCall stores the result of a call to the team, also if the process is about to end.
func (c *Courier) storeCall(ctx context.Context, s queue.Session, left queue.LeaveTeam) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeWithin)
	defer cancel()
	switch _, closed := c.closed[s.ID]; {
	case !closed:
		s, err := c.o.Queue.Do(ctx, s.ID, byCourier(left))
		if err == nil && s.Closed() {
			_ = c.o.Queue.Store.Archive(ctx, s) // after an error the next sweep archives it
		}
		return err
	case left.Told:
		delete(c.closed, s.ID)
		return c.o.keepTold(ctx, s)
	case left.Again > 0:
		s.Calling = &queue.Calling{Tries: s.Calling.Tries + 1, Until: c.o.Queue.Now().Add(left.Again)}
		c.closed[s.ID] = s
	}
	return nil
}
