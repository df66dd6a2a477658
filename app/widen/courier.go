package widen

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// How often the courier looks and tries.
const (
	lookEvery  = 10 * time.Second // while a question of ours is with the team
	firstPause = 5 * time.Second  // after a failed try; it doubles
	mostPause  = time.Hour
	tellWithin = 30 * time.Second
)

// Courier tells teams how their questions ended, whoever ended them through whichever face. What it could not tell is
// kept and tried again until it is taken; nothing of that undoes an answer.
type Courier struct {
	o      Options
	ledger ledger
	bell   chan struct{}
}

func newCourier(o Options, l ledger) *Courier {
	return &Courier{o: o, ledger: l, bell: make(chan struct{}, 1)}
}

// Ring has Run look now: a question went to the team, or ended.
func (c *Courier) Ring() {
	select {
	case c.bell <- struct{}{}:
	default:
	}
}

// Run tells until ctx ends. While nothing is with the team it waits for Ring and looks at nothing. report hears what
// could not be told, each sentence once until another comes; nil: nobody does.
func (c *Courier) Run(ctx context.Context, report func(error)) {
	last := ""
	for ctx.Err() == nil {
		left, err := c.Deliver(ctx)
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

// Deliver goes once over all that is with the team, and tells what is due. left is how many still are, ended or not.
// Another process may be at it: then it does nothing. The error is the last one that came, *Failure or of the disk.
func (c *Courier) Deliver(ctx context.Context) (left int, err error) {
	all, broken := c.ledger.records()
	if len(all) == 0 {
		return 0, errors.Join(broken...)
	}
	release, err := c.ledger.holdCourier(ctx)
	if errors.Is(err, errLocked) {
		return len(all), nil
	} else if err != nil {
		return len(all), err
	}
	defer release()
	all, broken = c.ledger.records() // whoever was at it may have told some
	err = errors.Join(broken...)
	for _, r := range all {
		done, failed := c.deliverOne(ctx, r)
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
	if errors.Is(err, errLocked) {
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
		if err != nil && ctx.Err() != nil {
			return false, ctx.Err() // who stops us has not heard that it failed
		}
		if err != nil && len(r.Response) > 0 { // of a call nobody knows the end of, once is all that can be done
			untold := &Failure{Words: say.NotToldYet(err.Error()), Err: err}
			if err := c.postpone(r, err); err != nil {
				return false, err
			}
			return false, untold
		}
	}
	return true, c.ledger.drop(r)
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

// way is the backend, as long as it is still the one by which the team was asked.
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

// resolved is an answer as the team is told.
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
