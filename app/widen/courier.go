package widen

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/choicetui/choicetui/config/whole"
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
)

// Courier tells teams how their questions ended, whoever ended them through whichever face. A message that fails is
// kept and tried again until it is taken; no failure undoes an answer.
type Courier struct {
	o      Options
	ledger ledger
	bell   chan struct{}
	last   time.Duration // lastWithin
}

func newCourier(o Options, l ledger) *Courier {
	return &Courier{o: o, ledger: l, bell: make(chan struct{}, 1), last: lastWithin}
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
		left, err := c.goOver(ctx, calls, 0)
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

// Finish makes the last round of a process that ends; call it while Run ends. It waits a moment for another process
// that is delivering, and tells what is due and was not told. A time that the team named is kept: what is due later is
// left to the next process. It gives up a little before Run does, so that a call that Run gave up is not made again.
func (c *Courier) Finish(ctx context.Context) {
	if c.Untold(ctx) == 0 {
		return // nobody is waited for
	}
	last, cancel := context.WithTimeout(ctx, c.last*9/10)
	defer cancel()
	_, _ = c.goOver(last, last, c.last)
}

// Untold counts the questions that have ended without the team's knowing, as far as that can be read.
func (c *Courier) Untold(ctx context.Context) (n int) {
	all, _ := c.ledger.records()
	for _, r := range all {
		s, err := c.o.Queue.Store.Get(ctx, r.Session)
		ended := err == nil && s.At(c.o.Now()).Outcome != nil || errors.Is(err, queue.ErrNotFound)
		if ended && r.Called {
			n++
		}
	}
	return n
}

// Deliver goes once over all questions that are with the team, and tells the team what is due. left is the number of
// those still there, ended or not. If another process is doing so, it does nothing. The error is the last one that
// came: *Failure, or of the disk.
func (c *Courier) Deliver(ctx context.Context) (left int, err error) { return c.goOver(ctx, ctx, 0) }

// goOver does what Deliver does. It begins no call once ctx has ended, and ends those under way with calls. within
// limits the wait for another process that is delivering.
func (c *Courier) goOver(ctx, calls context.Context, within time.Duration) (left int, err error) {
	all, broken := c.ledger.records()
	if len(all) == 0 {
		return 0, errors.Join(broken...)
	}
	release, err := c.ledger.holdCourier(ctx, within)
	if errors.Is(err, whole.ErrLocked) {
		return len(all), nil
	} else if err != nil {
		return len(all), err
	}
	defer release()
	all, broken = c.ledger.records() // whoever was at it may have told some
	err = errors.Join(broken...)
	for i, r := range all {
		if ctx.Err() != nil {
			return left + len(all) - i, ctx.Err()
		}
		done, failed := c.deliverOne(calls, r)
		if !done {
			left++
		}
		if failed != nil {
			err = failed
		}
	}
	return left, err
}

// deliverOne tells the team of one record, if its question has ended. done: there is nothing left to tell.
func (c *Courier) deliverOne(ctx context.Context, r record) (done bool, err error) {
	release, err := c.ledger.hold(ctx, r.Session, 0)
	if errors.Is(err, whole.ErrLocked) {
		return false, nil // it is being asked
	} else if err != nil {
		return false, err
	}
	defer release()
	s, err := c.o.Queue.Store.Get(ctx, r.Session)
	lost := errors.Is(err, queue.ErrNotFound)
	if err != nil && !lost {
		return false, fmt.Errorf("failed to read the question %s: %w", r.Session, err)
	}
	if s = s.At(c.o.Now()); s.Outcome == nil && !lost {
		return false, nil
	}
	if r.Pending != "" {
		if err := (PendingFile{Path: r.Pending}).removeIfThere(ctx, r.Decision); err != nil {
			return false, err
		}
	}
	if c.o.Now().Before(r.NextAt) {
		return false, nil
	}
	if r.Called {
		err := c.tell(ctx, r, s, lost)
		if err != nil && len(r.Response) > 0 { // of a call nobody knows the end of, once is all that can be done
			return false, c.keepUntold(ctx, r, err)
		}
		if err != nil && ctx.Err() != nil {
			return false, ctx.Err()
		}
	}
	return true, c.ledger.drop(r)
}

// keepUntold keeps when a call that failed is tried again, and says that it failed. Of a call that was stopped
// nobody knows that, unless the team has named a time before.
func (c *Courier) keepUntold(ctx context.Context, r record, why error) error {
	var f *Failure
	if named := errors.As(why, &f) && f.After > 0; ctx.Err() != nil && !named {
		return ctx.Err()
	}
	if err := c.postpone(r, why); err != nil {
		return err
	}
	return &Failure{Words: say.NotToldYet(why.Error()), Err: why}
}

// tell makes the call that tells the team.
func (c *Courier) tell(ctx context.Context, r record, s queue.Session, lost bool) error {
	b, err := c.way(r.Backend)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, tellWithin)
	defer cancel()
	switch {
	case lost:
		return b.Defer(ctx, r.thread(), say.LostForTeam)
	case s.Outcome.Answered():
		return b.Resolve(ctx, r.thread(), resolved(s))
	case s.Outcome.Status == queue.StatusDeferred:
		return b.Defer(ctx, r.thread(), s.Outcome.Reason)
	}
	return b.Defer(ctx, r.thread(), say.WithdrawnForTeam(s.Outcome.Status, s.Outcome.Reason))
}

// way returns the backend, as long as it is still the one by which the team was asked.
func (c *Courier) way(name string) (Backend, error) {
	if c.o.Backend == nil {
		return nil, &Failure{Words: say.NoTeam, Err: errors.New("no backend")}
	}
	b, err := c.o.Backend()
	switch {
	case err != nil:
		return nil, err
	case b.Name() != name:
		return nil, &Failure{Words: say.TeamChanged(name), Err: errors.New("another backend")}
	}
	return b, nil
}

// resolved returns an answer as the team is told.
func resolved(s queue.Session) Resolved {
	r := Resolved{Answer: widen.FinalText(s.Ask, s.Outcome.Answer), Summary: queue.Summary{Source: queue.SourceManual}}
	if t := s.Outcome.Team; t != nil {
		r.Summary, r.Rationale = t.Summary, t.Rationale
	}
	return r
}

// postpone keeps when the next try is due.
func (c *Courier) postpone(r record, why error) error {
	pause := mostPause
	if r.Tries < 10 {
		pause = min(firstPause<<r.Tries, mostPause)
	}
	var f *Failure
	if errors.As(why, &f) {
		pause = max(pause, min(f.After, 24*time.Hour))
	}
	r.Tries, r.NextAt = r.Tries+1, c.o.Now().Add(pause).UTC()
	return c.ledger.save(r)
}
