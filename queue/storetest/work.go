package storetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// Work creates, moves, settles, collects and archives until it is killed or ctx ends, on sessions of its own and on
// shared ones. It tells each acknowledgement: the session, and the event that must be in it from then on.
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
				continue // it was settled before, by this worker or another
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

// Audit says what is wrong with a session after workers were told that it has these events.
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
