package desk_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/storetest"
)

// hanging is a store on a disk that does not answer until hang is closed, even after the context has ended.
type hanging struct {
	queue.Store
	hang chan struct{}
}

func (h *hanging) Get(ctx context.Context, id string) (queue.Session, error) {
	<-h.hang
	return h.Store.Get(ctx, id)
}

func TestADiskThatHangsKeepsNobodyFromLeaving(t *testing.T) {
	for name, pieces := range map[string]int{"with one piece under way": 1, "with others behind it": 3} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				disk := &hanging{Store: storetest.NewMemory(), hang: make(chan struct{})}
				d := desk.New(usual(queue.New(disk)))
				ctx, cancel := context.WithCancel(t.Context())
				_, err := d.Open(ctx, queue.RoleDashboard)
				require.NoError(t, err)
				d.Start(ctx)
				for range pieces {
					d.Store(func(ctx context.Context) { _, _ = disk.Get(ctx, "a") })
				}
				synctest.Wait()
				cancel()
				from := time.Now()
				left := make(chan struct{})
				go func() {
					defer close(left)
					d.Close()
				}()
				time.Sleep(10 * time.Second)
				select {
				case <-left:
				default:
					t.Errorf("still there after %s", time.Since(from))
				}
				close(disk.hang)
				<-left
			})
		})
	}
}
