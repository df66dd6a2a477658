package roomtest

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/storetest"
)

// Noon is the time of every fixture.
var Noon = time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)

// Clock is the time of a test.
type Clock struct{ T time.Time }

// Now returns the time.
func (c *Clock) Now() time.Time { return c.T }

// Pass moves the time on.
func (c *Clock) Pass(d time.Duration) { c.T = c.T.Add(d) }

// Rig has what the desk of a test works on: a queue in memory, the time, the settings and the watch. The test drives it
// step by step, without goroutines and without waiting.
type Rig struct {
	T        testing.TB
	Clock    *Clock
	Queue    *queue.Queue
	Disk     *FullStore        // the store of Queue
	Memory   *storetest.Memory // the store below Disk
	Settings *Settings
	Present  []queue.Presence // the processes that run; at first a bridge, which calls for every agent
	Watcher  queue.Watcher    // what Drive reads
}

// NewRig returns a rig at Noon, with an empty queue.
func NewRig(t testing.TB) *Rig {
	t.Helper()
	memory := storetest.NewMemory()
	r := &Rig{T: t, Clock: &Clock{Noon}, Memory: memory, Disk: &FullStore{Store: memory},
		Settings: &Settings{S: config.Default()},
		Present:  []queue.Presence{{Instance: "bridge", Role: queue.RoleBridge}}}
	memory.Now = r.Clock.Now
	r.Queue = queue.New(r.Disk)
	r.Queue.Now = r.Clock.Now
	return r
}

// Services returns what a desk gets from outside.
func (r *Rig) Services() desk.Services {
	return desk.Services{Queue: r.Queue, Settings: r.Settings, Instance: "me"}
}

// Watch opens the watch on the queue, and tells a desk who runs.
func (r *Rig) Watch(d *desk.Desk) {
	r.T.Helper()
	var err error
	r.Watcher, err = r.Queue.Store.Watch(r.T.Context(), queue.AllNews)
	require.NoError(r.T, err)
	r.T.Cleanup(func() { r.Watcher.Close() })
	r.Announce(d)
}

// Announce tells a desk which processes run.
func (r *Rig) Announce(d *desk.Desk) { d.Take(queue.Changes{Presence: true}, r.Present) }

// Runs has a process run, and tells a desk.
func (r *Rig) Runs(d *desk.Desk, p queue.Presence) {
	r.Ends(d, p.Instance)
	r.Present = append(r.Present, p)
	r.Announce(d)
}

// Ends has a process end, and tells a desk.
func (r *Rig) Ends(d *desk.Desk, instance string) {
	r.Present = slices.DeleteFunc(slices.Clone(r.Present), func(p queue.Presence) bool { return p.Instance == instance })
	r.Announce(d)
}

// Drive runs the worker of a desk and the watch until nothing more happens. show does what a frontend does in its turn.
func (r *Rig) Drive(d *desk.Desk, show func()) {
	r.T.Helper()
	for busy := true; busy; {
		busy = d.Work()
		if ch, err := r.Watcher.Next(storetest.Glance()); err == nil {
			ch.Presence = false
			d.Take(ch, nil)
			busy = true
		}
		select {
		case <-d.Bell():
			busy = true
		default:
		}
		show()
		busy = d.Work() || busy
	}
}
