package desk_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/storetest"
)

// flood returns n questions as another host sends them, each of an agent of its own, and the agents of 50 processes.
func flood(n int) (all []queue.Session) {
	for i := range n {
		all = append(all, queue.Session{Schema: queue.Schema, ID: queue.RemoteID("far", fmt.Sprintf("aa%06d", i)), Revision: 1,
			Ask: storetest.Ask(), AskedAt: noon, CountdownFrom: noon, Deadline: noon.Add(time.Hour),
			Origin: queue.Origin{Host: "far", Remote: true, Dialect: "provide_choice", Client: fmt.Sprintf("c%d", i),
				Cwd: fmt.Sprintf("/p/%d", i), Instance: fmt.Sprintf("far/b%d", i%50)},
			Events: []queue.Event{{ID: fmt.Sprintf("e%d", i), Kind: queue.EventAsked, At: noon}}})
	}
	return all
}

// BenchmarkFlood takes the questions of a host in batches, as they come over a link.
func BenchmarkFlood(b *testing.B) {
	for _, n := range []int{1000, 5000, 19000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			all := flood(n)
			for b.Loop() {
				q := queue.New(storetest.NewMemory())
				q.Now = func() time.Time { return noon }
				d := desk.New(usual(q))
				d.View(desk.ViewOptions{})
				for at := 0; at < n; at += 400 {
					d.Take(queue.Changes{Sessions: all[at:min(at+400, n)]}, nil)
				}
			}
		})
	}
}
