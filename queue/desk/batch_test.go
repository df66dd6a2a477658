package desk_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

func TestBatch_APopupHasItAndAnAttachDoesNot(t *testing.T) {
	for name, c := range map[string]struct {
		on    func(o *desk.Options, id string)
		alike int
	}{
		"popup":           {func(o *desk.Options, id string) { o.Visit = id }, 2},
		"attach":          {func(o *desk.Options, id string) { o.Attach = id }, 0},
		"attach and stay": {func(o *desk.Options, id string) { o.Attach, o.Stay = id, true }, 2},
	} {
		b := newBench(t, nil)
		var list []queue.Session
		for i := range 2 {
			list = append(list, roomtest.Create(t, b.q, roomtest.ApproveTest(), queue.Origin{Client: "claude-code",
				Dialect: queue.DialectNative, Source: fmt.Sprint("claude:t1/", i)}))
		}
		b.calm()
		d := newBench(t, func(o *desk.Options) {
			o.Queue, o.Instance = b.q, "other"
			c.on(o, list[0].ID)
		})
		d.q, d.rig.Clock.T = b.q, b.rig.Clock.T
		d.q.Now = func() time.Time { return d.rig.Clock.T }
		var err error
		d.rig.Watcher, err = b.q.Store.Watch(t.Context(), queue.AllNews)
		require.NoError(t, err)
		d.TakePresence(append(b.rig.Present, queue.Presence{Instance: "other", Role: queue.RoleAttach}))
		one := view(d)
		d.calm()
		require.Equal(t, c.alike, one.Batch.Alike(), name)
		if name != "popup" {
			continue
		}
		one.Batch.Open()
		one.Batch.Saw(list[1].ID)
		require.True(t, one.Batch.MarkAll())
		_, err = b.q.Do(t.Context(), list[0].ID, queue.Command{By: queue.ByCaller, Do: queue.Elsewhere{Where: "in claude"}})
		require.NoError(t, err)
		d.pass(time.Minute)
		d.pass(time.Minute)
		require.True(t, one.Batch.On(), "the list stays although the question of the popup has ended")
		require.Zero(t, happened[desk.Finished](d))
		require.Equal(t, 1, one.Batch.Send())
		d.pass(time.Minute)
		require.NotZero(t, happened[desk.Finished](d))
	}
}
