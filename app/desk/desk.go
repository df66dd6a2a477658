package desk

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
)

// Settings is what the desk needs of the settings file.
type Settings interface {
	Settings() config.Settings
	Watch(ctx context.Context, changed func()) error
}

// Options say what a desk works on.
type Options struct {
	Queue    *queue.Queue
	Settings Settings
	Instance string       // this process's Presence
	Attach   string       // the one session that an attach was opened on; empty: the whole queue
	Pane     string       // this process's tmux pane
	Go       func(func()) // starts a goroutine; nil: a plain one. A face that owns a terminal restores it on a panic
}

// Desk is the queue as one process sees it. Only its owner touches it, apart from Do and Bell.
type Desk struct {
	o        Options
	now      func() time.Time
	settings config.Settings
	inbox    inbox
	work     *worklist
	idle     chan struct{} // closed when the worker has ended
	outbox   Outbox
	live     live
	drafts   map[string]queue.Draft // by session: the newest, whoever typed it
	closing  closing
	last     Last
	today    Today
	seats    []*Seat
	told     []*func(Event)
	trouble  Trouble
	feed     feed
}

// New is a desk that has seen nothing of the queue yet.
func New(o Options) *Desk {
	if o.Go == nil {
		o.Go = func(f func()) { go f() }
	}
	return &Desk{o: o, now: o.Queue.Now, settings: o.Settings.Settings(), inbox: inbox{bell: make(chan struct{}, 1)},
		work: newWorklist(), idle: make(chan struct{}), outbox: newOutbox(), live: newLive(), drafts: map[string]queue.Draft{}}
}

// Now is the wall time that everything here goes by.
func (d *Desk) Now() time.Time { return d.now() }

// Queue is what the desk works on.
func (d *Desk) Queue() *queue.Queue { return d.o.Queue }

// Settings are those in force.
func (d *Desk) Settings() config.Settings { return d.settings }

// Attach is the one session that this desk was opened on; empty: it has the whole queue.
func (d *Desk) Attach() string { return d.o.Attach }

// SetSettings puts settings in force: those of the file, or a change that is still on its way into it.
func (d *Desk) SetSettings(s config.Settings) {
	d.settings = s
	for _, seat := range d.seats {
		seat.followSettings()
	}
	d.tell(SettingsChanged{})
}

// Subscribe has f told of every event, in order, on the owner's goroutine, until stop is called there.
func (d *Desk) Subscribe(f func(Event)) (stop func()) {
	d.told = append(d.told, &f)
	return func() {
		d.told = slices.DeleteFunc(slices.Clone(d.told), func(told *func(Event)) bool { return told == &f })
	}
}

func (d *Desk) tell(e Event) {
	for _, f := range d.told {
		(*f)(e)
	}
}

// inbox is the doorbell between goroutines and the owner.
type inbox struct {
	mu   sync.Mutex
	list []func()
	bell chan struct{}
}

// Do has f run by the owner, soon; from any goroutine, never waiting.
func (d *Desk) Do(f func()) {
	d.inbox.mu.Lock()
	d.inbox.list = append(d.inbox.list, f)
	d.inbox.mu.Unlock()
	select {
	case d.inbox.bell <- struct{}{}:
	default:
	}
}

// Bell rings when Drain has something to do; it holds one ring, so a burst is one Drain.
func (d *Desk) Bell() <-chan struct{} { return d.inbox.bell }

// Drain runs what was handed over by Do; only the owner calls it.
func (d *Desk) Drain() {
	d.inbox.mu.Lock()
	list := d.inbox.list
	d.inbox.list = nil
	d.inbox.mu.Unlock()
	for _, f := range list {
		f()
	}
}

// Run owns the desk until ctx ends, for faces without an event loop of their own. It wakes for what is handed over and
// for the clock.
func (d *Desk) Run(ctx context.Context) {
	for ctx.Err() == nil {
		var due <-chan time.Time
		if next := d.NextTick(); !next.IsZero() {
			due = time.After(max(next.Sub(d.now()), 0))
		}
		select {
		case <-d.inbox.bell:
			d.Drain()
		case <-due:
			d.Tick()
		case <-ctx.Done():
		}
	}
}
