package mcpbridge

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// TestAllOfThisHoldsForAQueueOnAServer has the tests of this package run once more in a process of their own, in which
// every bridge takes its queue for one that other machines use too.
func TestAllOfThisHoldsForAQueueOnAServer(t *testing.T) {
	if *sharedBy != "" {
		t.Skip("this is that process")
	}
	if testing.Short() {
		t.Skip("short: one round is enough")
	}
	out, err := exec.Command(os.Args[0], "-test.count=1", "-shared-by", "h").CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// noting records which parts of a store are watched.
type noting struct {
	queue.Store
	mu   sync.Mutex
	seen []string
}

func (n *noting) note(how string, ids []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.seen = append(n.seen, fmt.Sprint(how, " ", len(ids)))
}

func (n *noting) Watch(ctx context.Context, news queue.News, ids ...string) (queue.Watcher, error) {
	n.note(map[queue.News]string{queue.AllNews: "all", queue.FewNews: "few"}[news], ids)
	return n.Store.Watch(ctx, news, ids...)
}

// watched returns the parts that were watched since the last call.
func (n *noting) watched() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	defer func() { n.seen = nil }()
	return n.seen
}

func TestABridgeOnAServerFollowsNoMoreThanItWaitsFor(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		n := &noting{Store: r.store}
		r.store, r.q = n, queue.New(n)
		r.q.Host = "h"
		defer r.dashboard()()
		r.start("mine")
		r.ask(1, "")
		r.silent()
		require.Equal(t, []string{"few 1"}, n.watched(), "its own question")
		r.answer(r.only().ID, "pg")
		require.Equal(t, []string{"all 0"}, n.watched(), "this was the test")
		require.Equal(t, "selected", r.next().structured()["action_status"])

		r.listen(3, `"wait_seconds":0`, "")
		r.result(3)
		require.Equal(t, []string{"all 0"}, n.watched(), "a line closes with any question, of whoever runs")
		r.listen(4, `"wait_seconds":0`, "")
		r.result(4)
		require.Empty(t, n.watched(), "and that goes on")
	})
}

func TestABridgeOnAServerWithManyAgentsFollowsAllQuestionsAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		n := &noting{Store: r.store}
		r.store, r.q = n, queue.New(n)
		r.q.Host = "h"
		defer r.dashboard()()
		r.start("mine")
		for i := 1; i <= 40; i++ {
			r.ask(i, "")
			r.silent()
		}
		seen := n.watched()
		require.True(t, slices.Contains(seen, "few 0"), "%v", seen)
		require.Less(t, len(seen), 20)
		for _, s := range r.live() {
			r.answer(s.ID, "pg")
		}
		for range 40 {
			require.Equal(t, "selected", r.next().structured()["action_status"])
		}
	})
}
