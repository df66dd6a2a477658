package cli

import (
	"context"
	"sync"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// readsAtOnce limits the drafts that are read at the same time: a server may be far away.
const readsAtOnce = 16

// answering lists, by question, who is answering it now, where several people share the queue. It is empty where that
// cannot be read: an agent's credentials need not be let in there.
func answering(ctx context.Context, q *queue.Queue, runs func(string) bool, pending []queue.Waiting,
) map[string][]string {
	if q.Person == "" || len(pending) == 0 {
		return nil
	}
	all := map[string][]string{}
	first, err := q.Store.Drafts(ctx, pending[0].ID)
	if err != nil {
		return nil
	}
	all[pending[0].ID] = desk.AnsweringIn(first, runs, q.Now())
	var mu sync.Mutex
	var reads sync.WaitGroup
	slots := make(chan struct{}, readsAtOnce)
	for _, w := range pending[1:] {
		slots <- struct{}{}
		reads.Go(func() {
			defer func() { <-slots }()
			drafts, _ := q.Store.Drafts(ctx, w.ID) // who cannot be read is not said
			mu.Lock()
			defer mu.Unlock()
			all[w.ID] = desk.AnsweringIn(drafts, runs, q.Now())
		})
	}
	reads.Wait()
	return all
}
