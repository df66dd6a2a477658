package storetest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// Race lets one of many racers end a session: by an answer, by a cancel, or by a clock that finds it overdue. It
// returns the verdict this racer was given, won or lost: the id of the event that settled the session.
func Race(ctx context.Context, store queue.Store, racer int, id string) (verdict string, err error) {
	q := queue.New(store)
	c := queue.Command{ID: queue.NewToken(), By: queue.ByHuman, Surface: queue.SurfaceDashboard}
	switch racer % 3 {
	case 0:
		c.Do = queue.Settle{Answer: Answer("b")}
	case 1:
		c.Do = queue.Cancel{Reason: fmt.Sprintf("racer %d", racer)}
	case 2:
		q.Now = func() time.Time { return time.Now().Add(queue.MaxTimeout) }
		c.By, c.Do = queue.ByClock, queue.Expire{}
	}
	s, err := q.Do(ctx, id, c)
	if err != nil && !errors.Is(err, queue.ErrSettled) {
		return "", fmt.Errorf("failed to race for %q: %w", id, err)
	}
	e, _ := s.Last(queue.EventSettled)
	return e.ID, nil
}

// Violations says what is wrong with a session as stored, after racers were given these verdicts about it.
func Violations(final queue.Session, verdicts []string) []string {
	var wrong []string
	settled := 0
	for i, e := range final.Events {
		if e.Kind == queue.EventSettled {
			settled++
		}
		if i > 0 && e.At.Before(final.Events[i-1].At) {
			wrong = append(wrong, fmt.Sprintf("%s: event %d is dated before the one before it", final.ID, i))
		}
	}
	if settled > 1 || (settled == 1) != (final.Outcome != nil) || settled == 0 && len(verdicts) > 0 {
		wrong = append(wrong, fmt.Sprintf("%s: settled %d times, outcome %v", final.ID, settled, final.Outcome))
	}
	e, _ := final.Last(queue.EventSettled)
	for _, v := range verdicts {
		if v != e.ID {
			wrong = append(wrong, fmt.Sprintf("%s: a racer was told %q, stored is %q", final.ID, v, e.ID))
		}
	}
	return wrong
}

// Blind takes the compare out of a store's compare-and-swap. It exists to show that the race tests would notice.
func Blind(store queue.Store) queue.Store { return blind{store} }

type blind struct{ queue.Store }

func (b blind) Put(ctx context.Context, s queue.Session) (queue.Session, error) {
	for {
		now, err := b.Get(ctx, s.ID)
		if err != nil {
			return queue.Session{}, err
		}
		s.Revision = now.Revision
		stored, err := b.Store.Put(ctx, s)
		if !errors.Is(err, queue.ErrConflict) {
			return stored, err
		}
	}
}
