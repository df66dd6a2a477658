package relay

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/storetest"
)

// deskOf returns a running desk that shows the hosts too, and a function that runs on its owner and waits.
func deskOf(t *testing.T, h *Hosts) (d *desk.Desk, view *desk.View, on func(func()), stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	d = desk.New(desk.Options{Services: desk.Services{Queue: h.queue, Instance: "me",
		Settings: &roomtest.Settings{S: config.Default()}}})
	view = d.View(desk.ViewOptions{})
	_, err := d.Open(ctx, queue.RoleDashboard)
	require.NoError(t, err)
	d.Start(ctx)
	ended := make(chan bool)
	go func() { defer close(ended); d.Run(ctx) }()
	on = func(f func()) {
		done := make(chan bool)
		d.Do(func() { f(); close(done) })
		<-done
	}
	return d, view, on, func() { cancel(); <-ended; d.Close() }
}

// slowToEnd returns a connection whose command takes a second to end.
func slowToEnd(q *queue.Queue) func(context.Context) (Conn, error) {
	return func(ctx context.Context) (Conn, error) {
		c, err := relayOn(q, "")(ctx)
		p := c.(pipe)
		return pipe{p.Reader, p.Writer, func() error {
			_ = p.close()
			time.Sleep(time.Second)
			return nil
		}}, err
	}
}

func TestAHostThatIsReachedInAnotherWayKeepsItsQuestions(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		remote, s := awayFrom(t, 0)
		ends := storetest.Create(t, remote.Store)
		h := NewHosts(queue.New(storetest.NewMemory()))
		link := func(host, _ string) *Link { return New(host, "me", "", slowToEnd(remote)) }
		d, view, on, stop := deskOf(t, h)
		h.Keep(t.Context(), map[string]string{"there": "ssh there"}, link)
		time.Sleep(10 * time.Second)
		waits := func() (ids []string) {
			on(func() {
				for _, w := range d.Waiting() {
					ids = append(ids, w.ID)
				}
			})
			return ids
		}
		require.ElementsMatch(t, []string{"there/" + s.ID, "there/" + ends.ID}, waits())
		go func() {
			time.Sleep(500 * time.Millisecond) // now nobody watches the host
			_, err := remote.Do(t.Context(), ends.ID, queue.Command{By: queue.ByCaller, Do: queue.Cancel{}})
			require.NoError(t, err)
		}()
		h.Keep(t.Context(), map[string]string{"there": "ssh -p 2222 there"}, link)
		time.Sleep(10 * time.Second)
		require.Equal(t, []string{"there/" + s.ID}, waits())
		var lost []queue.Session
		on(func() {
			require.NoError(t, d.Trouble().Queue)
			require.Empty(t, d.Trouble().Hosts)
			lost = view.Missed()
		})
		for _, s := range lost {
			require.NotEqual(t, queue.StatusLost, s.Status(), "its end is read from the host")
		}

		h.Keep(t.Context(), nil, link)
		time.Sleep(10 * time.Second)
		require.Empty(t, waits(), "a host that was removed takes its questions with it")
		stop()
		h.Close()
	})
}
