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
	lookEvery  = 10 * time.Second // while a question of ours is with the team
	firstPause = 5 * time.Second  // after a failed try; it doubles
	mostPause  = time.Hour
	tellWithin = 30 * time.Second
	lastWithin = 5 * time.Second // for what is under way when a process ends, and for its last round
	pageOfDone = 100             // sessions of the history that are read at once
)

// Courier tells teams how their questions ended, whoever ended them through whichever face. A message that fails is
// tried again until it is taken; no failure undoes an answer. All that it has to know is in the queue.
type Courier struct {
	o    Options
	bell chan struct{}
	last time.Duration // lastWithin

	mu     sync.Mutex               // held during a round
	seen   map[string]queue.Session // live, and with the team or owing it a word
	closed map[string]*owed         // by decision; nothing is written into these sessions any more
	looked bool                     // into the history
}

func newCourier(o Options) *Courier {
	return &Courier{o: o, bell: make(chan struct{}, 1), last: lastWithin, closed: map[string]*owed{}}
}

// Ring has Run look now: a question went to the team, or ended.
func (c *Courier) Ring() {
	select {
	case c.bell <- struct{}{}:
	default:
	}
}

// Run tells until ctx ends. A call that is under way then has a moment to finish: the team may have taken it, and is
// not to hear it twice. While nothing is with the team it waits for Ring and looks at nothing. report hears what could
// not be told, each sentence once until another comes; nil: nobody does.
func (c *Courier) Run(ctx context.Context, report func(error)) {
	calls, cancel := outlasting(ctx, c.last)
	defer cancel()
	last := ""
	for ctx.Err() == nil {
		c.mu.Lock()
		left, _, err := c.goOver(ctx, calls)
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

// outlasting returns a context that ends so long after another.
func outlasting(ctx context.Context, by time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	forget := context.AfterFunc(ctx, func() { time.AfterFunc(by, cancel) })
	return longer, func() { forget(); cancel() }
}

// Finish makes the last round of a process that ends; call it while Run ends. It waits a moment for a call that is
// under way, here or in another process, and tells what is due and was not told. A time that the team named is kept:
// what is due later is left to the next process. It gives up a little before Run does, so that a call that Run gave up
// is not made again.
func (c *Courier) Finish(ctx context.Context) {
	last, cancel := context.WithTimeout(ctx, c.last*9/10)
	defer cancel()
	for busy := true; busy && last.Err() == nil; {
		if c.mu.TryLock() {
			_, busy, _ = c.goOver(last, last)
			c.mu.Unlock()
		}
		busy = busy && sleep(last, 50*time.Millisecond)
	}
}

// Untold counts the questions that have ended without the team's knowing, as far as that can be read.
func (c *Courier) Untold(ctx context.Context) int {
	all, _, _ := newCourier(c.o).listOwed(ctx)
	return len(all)
}

// Deliver goes once over all questions that are with the team, and tells the team what is due. left is the number of
// those still there, ended or not. The error is the last one that came: *Failure, or of the store.
func (c *Courier) Deliver(ctx context.Context) (left int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	left, _, err = c.goOver(ctx, ctx)
	return left, err
}

// goOver does what Deliver does. It begins no call once ctx has ended, and ends those under way with calls. busy:
// somebody else is telling one of the teams.
func (c *Courier) goOver(ctx, calls context.Context) (left int, busy bool, err error) {
	all, left, err := c.listOwed(ctx)
	for i, o := range all {
		if ctx.Err() != nil {
			return left + len(all) - i, busy, ctx.Err()
		}
		if c.o.Queue.Now().Before(o.calling.Until) {
			busy = busy || o.calling.Call != ""
			left++
			continue
		}
		done, failed := c.deliver(calls, o)
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

// owed is a word to a team about a question that ended.
type owed struct {
	session queue.Session
	backend string
	thread  Thread
	calling queue.Calling // who is telling them, and when it may be tried again
	closed  bool          // nothing is written into the session any more
	record  string        // an older program's file about it; empty if there is none
}

func owedBy(s queue.Session, closed bool) *owed {
	asked, _ := s.TeamAsked()
	o := owed{session: s, backend: asked.Backend, thread: Thread{Decision: asked.Decision}, closed: closed}
	if s.Widen != nil {
		o.thread = threadOf(s)
	}
	if s.Calling != nil && !closed {
		o.calling = *s.Calling
	}
	return &o
}

// listOwed reads which teams have to be told, and counts the questions that are still with them. Where no way to a team
// is set and nothing is known of one, it reads no sessions.
func (c *Courier) listOwed(ctx context.Context) (all []*owed, waiting int, err error) {
	records, stay, err := c.o.takeRecords(ctx)
	waiting = len(stay)
	for _, o := range records {
		c.close(o)
	}
	if _, unset := c.o.way(""); unset == nil || len(c.seen) > 0 {
		if failed := c.look(ctx); failed != nil {
			err = fmt.Errorf("failed to read which teams have to be told: %w", failed)
			waiting++ // it is looked again
		}
	}
	for _, s := range c.seen {
		if s.Outcome == nil {
			waiting++
		} else {
			all = append(all, owedBy(s, false))
		}
	}
	return slices.AppendSeq(all, maps.Values(c.closed)), waiting, err
}

// close notes a word that is owed about a closed session.
func (c *Courier) close(o *owed) {
	if c.closed[o.thread.Decision] == nil {
		c.closed[o.thread.Decision] = o
	}
}

// look notes which live sessions are ours, and which earlier ones closed before their team was told: they were lost, or
// an older program archived them. The first time, it searches the history of a day for such sessions.
func (c *Courier) look(ctx context.Context) error {
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
			c.close(owedBy(s, true))
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
				c.close(owedBy(s, true))
			}
			c.looked = c.looked || now.Sub(s.SettledAt()) > queue.KeptFor
		}
		cursor = next
	}
	return nil
}

// isOurs reports whether this person had the team asked. Where several share a queue each tells their own team.
func (c *Courier) isOurs(s queue.Session) bool {
	asked, called := s.TeamAsked()
	here := c.o.Queue.Person
	mine := asked.Person == "" || here == "" || asked.Person == here
	return called && mine && widen.IsDecision(asked.Decision)
}

// deliver tells a team. done: there is nothing left to tell. It fails with queue.ErrUsed where somebody else is telling
// it.
func (c *Courier) deliver(ctx context.Context, o *owed) (done bool, err error) {
	b, err := c.o.way(o.backend)
	if err != nil {
		return false, notYet(err)
	}
	call := queue.CallTeam{Call: queue.NewToken()}
	release := func() {}
	if o.closed {
		done, err = c.o.toldClosed(ctx, o)
	} else if o.session, release, err = c.o.claim(ctx, o.session.ID, byCourier(call)); err == nil {
		o.calling = *o.session.Calling
	}
	switch {
	case errors.Is(err, queue.ErrFinal), errors.Is(err, queue.ErrSettled): // somebody told them just now
		return true, nil
	case errors.Is(err, queue.ErrNotFound): // it was closed: the next round sees
		return false, nil
	case err != nil:
		return false, err
	}
	if !done {
		err = c.tell(ctx, b, o)
	}
	release()
	left := queue.LeaveTeam{Call: call.Call, Told: err == nil}
	var f *Failure
	switch named := errors.As(err, &f) && f.After > 0; {
	case err == nil, ctx.Err() != nil && !named: // of a call that was stopped nobody knows that it failed
	case len(o.thread.Response) == 0: // nobody knows whether they were asked: once is all that can be done
		left.Told, left.Why = true, err.Error()
	default:
		left.Again = pauseAfter(o.calling.Tries, f)
	}
	switch kept := c.leave(ctx, o, left); {
	case kept != nil, left.Told:
		return kept == nil, kept
	case left.Again == 0:
		return false, ctx.Err()
	}
	return false, notYet(err)
}

func notYet(why error) error {
	return &Failure{Words: "Your team does not know of the decision yet. " + why.Error(), Err: why}
}

// pauseAfter returns the pause after so many failed tries and one more, of which f may name a longer one.
func pauseAfter(tries int, f *Failure) time.Duration {
	pause := mostPause
	if tries < 10 {
		pause = min(firstPause<<tries, mostPause)
	}
	if f != nil {
		pause = max(pause, min(f.After, mostAfter))
	}
	return pause
}

// tell makes the call that tells the team.
func (c *Courier) tell(ctx context.Context, b Backend, o *owed) error {
	ctx, cancel := context.WithTimeout(ctx, tellWithin)
	defer cancel()
	switch end := o.session.Outcome; {
	case end.Status == queue.StatusLost:
		return b.Defer(ctx, o.thread, "The question is no longer in the queue.")
	case end.Answered():
		return b.Resolve(ctx, o.thread, resolved(o.session))
	case end.Status == queue.StatusDeferred:
		return b.Defer(ctx, o.thread, end.Reason)
	default:
		return b.Defer(ctx, o.thread, withdrawnForTeam(end.Status, end.Reason))
	}
}

// withdrawnForTeam returns the rationale that tells the team that a question ended without an answer. why may be empty.
func withdrawnForTeam(status, why string) string {
	words := "The question ended without an answer (" + say.OneLine(status) + ")"
	if why = say.OneLine(why); why != "" {
		return words + ": " + why
	}
	return words + "."
}

// leave stores what came of a call, also where the process is about to end.
func (c *Courier) leave(ctx context.Context, o *owed, left queue.LeaveTeam) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeWithin)
	defer cancel()
	switch {
	case !o.closed:
		s, err := c.o.Queue.Do(ctx, o.session.ID, byCourier(left))
		if err == nil && s.Closed() {
			_ = c.o.Queue.Store.Archive(ctx, s) // else the next sweep does
		}
		return err
	case left.Told:
		delete(c.closed, o.thread.Decision)
		return c.o.keepTold(ctx, o)
	case left.Again > 0:
		o.calling.Tries, o.calling.Until = o.calling.Tries+1, c.o.Queue.Now().Add(left.Again)
	}
	return nil
}

// resolved returns an answer as the team is told.
func resolved(s queue.Session) Resolved {
	r := Resolved{Answer: widen.FinalText(s.Ask, s.Outcome.Answer), Summary: queue.Summary{Source: queue.SourceManual}}
	if t := s.Outcome.Team; t != nil {
		r.Summary, r.Rationale = t.Summary, t.Rationale
	}
	return r
}
