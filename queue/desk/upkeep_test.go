package desk_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/storetest"
)

func TestTheStartIsOverOnlyWhenALongQueueWasRead(t *testing.T) {
	t.Parallel()
	d := desk.New(desk.Options{Queue: queue.New(storetest.NewMemory()), Settings: &fixed{config.Default()}, Instance: "me"})
	settled := make(chan bool, 9)
	go d.Upkeep(t.Context(), func() { settled <- true })
	<-settled // what must not wait for the queue
	for range 10 {
		time.Sleep(10 * time.Millisecond)
		d.Drain()
	}
	require.Empty(t, settled)
	d.Take(queue.Changes{}, nil)
	require.Eventually(t, func() bool {
		d.Drain()
		return len(settled) == 1
	}, 5*time.Second, time.Millisecond, "what reading took is given back")
}
