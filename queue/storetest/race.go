package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// Race lets one of many racers end a session: by an answer, by a cancel, or by a clock that finds it overdue. verdict
// is the id of the event that settled the session, as this racer sees it, whether it won or lost.
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
		c.By, c.Do = queue.ByClock, queue.TimeOut{}
	}
	s, err := q.Do(ctx, id, c)
	if err != nil && !errors.Is(err, queue.ErrSettled) {
		return "", fmt.Errorf("failed to race for %q: %w", id, err)
	}
	e, _ := s.Last(queue.EventSettled)
	return e.ID, nil
}

// Violations lists the broken rules of a stored session, after racers got these verdicts about it.
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

// Blind returns a store whose Put does not compare revisions. It proves that the race tests notice such a store.
func Blind(store queue.Store) queue.Store { return blind{store} }

// blind is the store of Blind.
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

// Work creates, moves, settles, collects and archives its own and shared sessions until it is killed or ctx ends. It
// calls tell for each acknowledged write: the event must be in the session from then on.
func Work(ctx context.Context, store queue.Store, shared []string, tell func(session, event string)) error {
	q := queue.New(store)
	claim := queue.Claim{Instance: "i", Conn: "c"}
	for {
		made, err := q.Create(ctx, queue.Session{Ask: Ask(), Claim: &claim})
		if err != nil {
			return fmt.Errorf("failed to ask: %w", err)
		}
		tell(made.ID, made.Events[0].ID)
		id := made.ID
		if rand.IntN(2) == 0 {
			id = shared[rand.IntN(len(shared))]
		}
		for _, do := range someWork(claim) {
			c := queue.Command{ID: queue.NewToken(), Do: do}
			v, err := q.Do(ctx, id, c)
			if err != nil {
				continue // this worker or another settled it before
			}
			_, left := v.Event(c.ID)
			if _, same := do.(queue.Regroup); !same || left { // another worker may have parked it before
				tell(id, c.ID)
			}
			if v.Final {
				_ = store.Archive(ctx, v)
			}
		}
	}
}

// someWork returns random commands for one session.
func someWork(claim queue.Claim) []queue.Action {
	todo := []queue.Action{queue.Move{By: time.Second}, queue.Move{By: time.Second}}
	switch rand.IntN(4) {
	case 0:
		todo = append(todo, queue.Settle{Answer: Answer("a")})
	case 1:
		todo = append(todo, queue.Cancel{Reason: "no"}, queue.Collect{Claim: claim})
	case 2:
		todo = append(todo, Widen(), queue.AskSummary{ID: "r", Block: "said"},
			queue.Regroup{State: queue.WidenParked}, queue.Defer{Rationale: "later"})
	}
	return todo
}

// Audit lists the faults of a session that must have these acknowledged events.
func Audit(ctx context.Context, store queue.Store, id string, events []string) (wrong []string) {
	v, err := store.Get(ctx, id)
	if err != nil {
		return []string{fmt.Sprintf("%s: %v", id, err)}
	}
	for _, e := range events {
		if _, ok := v.Event(e); !ok {
			wrong = append(wrong, fmt.Sprintf("%s: acknowledged event %s is lost", id, e))
		}
	}
	seen := map[string]bool{}
	for _, e := range v.Events {
		if seen[e.ID] {
			wrong = append(wrong, fmt.Sprintf("%s: event %s is there twice", id, e.ID))
		}
		seen[e.ID] = true
	}
	return append(wrong, Violations(v, nil)...)
}

// Rounds returns how often a test repeats a step that depends on chance: n times, or a third of that under the race
// detector, where each step takes ten times as long. The detector finds as much in the first rounds as in the last.
func Rounds(n int) int {
	if raceDetector {
		return max(n/3, 1)
	}
	return n
}
