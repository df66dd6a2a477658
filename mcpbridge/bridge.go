package mcpbridge

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/dialect"
	"github.com/choicetui/choicetui/queue"
)

// bridge is one running server: its name among the running processes, and the queue once somebody asked.
type bridge struct {
	o        Options
	instance string
	mu       sync.Mutex
	roster   *roster // nil until used
	release  func() error
	stop     context.CancelFunc
	counted  chan struct{} // closed when the tally is over; nil: none runs
	bound    bound
	admit    keyed // one at a time per key: the same ask twice at once must not be created twice
}

func newBridge(o Options) *bridge {
	if o.Settings == nil {
		o.Settings = config.Default
	}
	if o.AttachCommand == nil {
		o.AttachCommand = func(id string) string { return "choicetui attach " + id }
	}
	if o.Log == nil {
		o.Log = io.Discard
	}
	return &bridge{o: o, instance: queue.NewToken()}
}

// open returns what a call needs of the queue.
func (b *bridge) open(ctx context.Context) (*roster, error) {
	r, err := b.opened(ctx)
	if call := replyFrom(ctx); err == nil && call.opened != nil {
		call.opened(ctx, r.q)
	}
	return r, err
}

// opened opens the queue, announces this bridge and starts the one watch, all at the first use.
func (b *bridge) opened(ctx context.Context) (*roster, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.roster != nil {
		return b.roster, nil
	}
	q, err := b.o.Open()
	if err != nil {
		return nil, fmt.Errorf("failed to open the queue: %w", err)
	}
	life, stop := context.WithCancel(context.WithoutCancel(ctx))
	release, err := q.Store.Announce(life, queue.Presence{Instance: b.instance, Role: queue.RoleBridge})
	if err != nil {
		stop()
		return nil, fmt.Errorf("failed to announce this process in the queue: %w", err)
	}
	r := newRoster(q, b.logf)
	if err := r.start(life); err != nil {
		stop()
		release()
		return nil, fmt.Errorf("failed to watch the queue: %w", err)
	}
	b.roster, b.release, b.stop = r, release, stop
	if b.o.Count != nil {
		b.counted = make(chan struct{})
		go func() {
			defer close(b.counted)
			b.tally(life, r)
		}()
	}
	return r, nil
}

// close takes the bridge off the queue. It waits for nothing that hangs: the death of the process says the same.
func (b *bridge) close() {
	if !b.mu.TryLock() { // a call still opens the queue
		return
	}
	defer b.mu.Unlock()
	if b.roster == nil {
		return
	}
	b.stop()
	for _, over := range []chan struct{}{b.roster.stopped, b.counted} {
		if over == nil {
			continue
		}
		select {
		case <-over:
		case <-time.After(closeWithin):
		}
	}
	b.withdrawBound(b.roster.q)
	if err := b.release(); err != nil {
		b.logf("failed to take this process off the queue: %v", err)
	}
}

func (b *bridge) logf(format string, args ...any) { fmt.Fprintf(b.o.Log, format+"\n", args...) }

// origin is who asks in this call. The branch is read anew: agents switch it while they run.
func (b *bridge) origin(d dialect.Dialect, c peer, r *reply) queue.Origin {
	o := b.o.Origin
	o.Dialect, o.Instance, o.CallID = d.Tool.Name, b.instance, callID(r.id)
	if o.Cwd != "" {
		o.Branch = branch(o.Cwd)
	}
	if r.agent != "" {
		o.Agent = r.agent
	}
	if r.instance != "" {
		o.Instance = r.instance
	}
	info := c.GetClientInfo()
	o.Client, o.Version = info.Name, info.Version
	return o
}

func callID(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// keyed is a mutex per key, gone when nobody holds it.
type keyed struct {
	mu   sync.Mutex
	held map[string]*keyLock
}

type keyLock struct {
	turn  chan struct{} // holds one token while locked
	users int
}

func (k *keyed) lock(key string) (unlock func()) {
	k.mu.Lock()
	if k.held == nil {
		k.held = map[string]*keyLock{}
	}
	l := k.held[key]
	if l == nil {
		l = &keyLock{turn: make(chan struct{}, 1)}
		k.held[key] = l
	}
	l.users++
	k.mu.Unlock()
	l.turn <- struct{}{}
	return func() {
		<-l.turn
		k.mu.Lock()
		defer k.mu.Unlock()
		if l.users--; l.users == 0 {
			delete(k.held, key)
		}
	}
}
