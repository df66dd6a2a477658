package desk_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/desk"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

func TestWhoRunsStaysAsItWasWhileItCannotBeRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &full{Store: storetest.NewMemory()}
		announce := func(instance string) {
			_, err := disk.Announce(t.Context(), queue.Presence{Instance: instance, Role: queue.RoleBridge})
			require.NoError(t, err)
		}
		announce("bridge")
		d := desk.New(desk.Options{Queue: queue.New(disk), Settings: &fixed{config.Default()}, Instance: "me"})
		ctx, cancel := context.WithCancel(t.Context())
		_, err := d.Open(ctx, queue.RoleDashboard)
		require.NoError(t, err)
		d.TakeFirst(ctx, time.Minute)
		require.True(t, d.Alive("bridge"))
		d.Start(ctx)
		calm := func() { synctest.Wait(); d.Drain() }
		calm()

		disk.blind.Store(true)
		announce("another")
		calm()
		assert.True(t, d.Alive("bridge"), "an error says nothing of who runs")
		assert.False(t, d.Alive("another"))

		disk.blind.Store(false)
		time.Sleep(2 * time.Second)
		calm()
		assert.True(t, d.Alive("another"), "it is read again soon, also where nothing changes any more")
		assert.True(t, d.Alive("bridge"))
		cancel()
		d.Close()
	})
}
