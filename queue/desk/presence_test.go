package desk_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/storetest"
)

// blind is a store that cannot list the processes while it is on.
type blind struct {
	queue.Store
	on atomic.Bool
}

func (b *blind) Present(ctx context.Context, roles ...string) ([]queue.Presence, error) {
	if b.on.Load() {
		return nil, errors.New("too many open files")
	}
	return b.Store.Present(ctx, roles...)
}

func TestWhoRunsStaysAsItWasWhileItCannotBeRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &blind{Store: storetest.NewMemory()}
		announce := func(instance string) {
			_, err := disk.Announce(t.Context(), queue.Presence{Instance: instance, Role: queue.RoleBridge})
			require.NoError(t, err)
		}
		announce("bridge")
		d := desk.New(usual(queue.New(disk)))
		ctx, cancel := context.WithCancel(t.Context())
		_, err := d.Open(ctx, queue.RoleDashboard)
		require.NoError(t, err)
		d.TakeFirst(ctx, time.Minute)
		require.True(t, d.Alive("bridge"))
		d.Start(ctx)
		calm := func() { synctest.Wait(); d.Drain() }
		calm()

		disk.on.Store(true)
		announce("another")
		calm()
		assert.True(t, d.Alive("bridge"), "an error says nothing of who runs")
		assert.False(t, d.Alive("another"))

		disk.on.Store(false)
		time.Sleep(2 * time.Second)
		calm()
		assert.True(t, d.Alive("another"), "it is read again soon, also where nothing changes any more")
		assert.True(t, d.Alive("bridge"))
		cancel()
		d.Close()
	})
}

func TestThePersonsCommandIsRunByOneProcessAlone(t *testing.T) {
	const dashboard, portal, attach = queue.RoleDashboard, queue.RolePortal, queue.RoleAttach
	for _, c := range []struct {
		name string
		role string // the role of this process, m
		with map[string]string
		runs bool
	}{
		{"a dashboard alone", dashboard, nil, true},
		{"the first of two dashboards", dashboard, map[string]string{"z": dashboard}, true},
		{"the second of two dashboards", dashboard, map[string]string{"a": dashboard}, false},
		{"a dashboard beside a portal whose pages are open", dashboard, map[string]string{"a": portal, "a-pages": dashboard}, true},
		{"a portal alone, its pages open", portal, map[string]string{"m-pages": dashboard, "a": queue.RoleBridge}, true},
		{"a portal beside a dashboard", portal, map[string]string{"z": dashboard}, false},
		{"a form of one question", attach, map[string]string{"a": dashboard}, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			store := storetest.NewMemory()
			for instance, role := range c.with {
				_, err := store.Announce(t.Context(), queue.Presence{Instance: instance, Role: role})
				require.NoError(t, err)
			}
			o := usual(queue.New(store))
			o.Instance = "m"
			d := desk.New(o)
			ctx, cancel := context.WithCancel(t.Context())
			_, err := d.Open(ctx, c.role)
			require.NoError(t, err)
			d.TakeFirst(ctx, time.Minute)
			d.Start(ctx)
			for how, want := range map[string]string{"tell": "tell", "auto": "auto", "off": "off"} {
				if how == "tell" && !c.runs {
					want = "off"
				}
				assert.Equal(t, want, d.Telling(config.Notify{Desktop: how, Bell: true}).Desktop, "%s, %s", c.name, how)
			}
			cancel()
			d.Close()
		})
	}
}
