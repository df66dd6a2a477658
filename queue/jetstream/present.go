package jetstream

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/choicetui/choicetui/queue"
)

const (
	beatEvery = 4 * time.Second
	silentFor = 12 * time.Second // a process that was not heard for so long is dead
	lookEvery = 6 * time.Second  // between looks who has fallen silent
	graceFor  = 15 * time.Second // a server that has just started has heard nobody yet
	bootKept  = 30 * 24 * time.Hour
)

const (
	onPrefix   = "on."
	bootPrefix = "boot."
)

// running says who runs. Each process puts an announcement into a bucket, so that its coming and going is an event for
// every watcher; and while it runs it beats, into a stream in the server's memory that forgets. Whoever finds an
// announcement whose process is silent removes it. Nobody is taken for dead while the server itself may be the reason:
// it has just started, or does not hear us either.
type running struct {
	*storage
	me    string // this process's name in both
	held  *held
	times times

	mu        sync.Mutex
	announced map[string][]byte // by key, what this process said and did not take back
	dropped   map[string]bool   // keys that it took back while there was no connection
	unsaid    map[string]bool   // keys of what it announced for which the server has had no room yet
	counted   int
	beating   bool
	beaten    time.Time // when a beat was last acknowledged
	everybody *registry
	faces     *registry       // the dashboards alone, for who needs no more
	heard     int             // processes that beat when it was looked at last
	draftless atomic.Bool     // the server does not show drafts to these credentials
	life      context.Context // ends with the store
	stop      context.CancelFunc
}

// times are the constants above, shorter in tests.
type times struct{ beat, look, grace time.Duration }

func newRunning(p *storage) *running {
	life, stop := context.WithCancel(context.Background())
	r := &running{storage: p, me: queue.NewToken(), held: &held{dir: p.link.options.Local},
		times:     times{beatEvery, lookEvery, graceFor},
		announced: map[string][]byte{}, dropped: map[string]bool{}, unsaid: map[string]bool{}, life: life, stop: stop}
	r.everybody = newRegistry(r)
	r.faces = newRegistry(r, queue.RoleDashboard)
	return r
}

// Announce says that this process runs until release is called, or until it falls silent. release may be called twice.
// Where the server has no room left it is said once there is some: one can look at a full queue.
func (r *running) Announce(ctx context.Context, p queue.Presence) (release func() error, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	raw, err := json.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("failed to announce this process: %w", err)
	}
	r.mu.Lock()
	r.counted++
	key := fmt.Sprintf("%s%s.%s.%d", onPrefix, p.Role, r.me, r.counted)
	r.mu.Unlock()
	r.held.hold(r.me) // before anybody can read that this process runs
	err = r.putPresence(ctx, key, raw)
	if err != nil && !isFull(err) {
		return nil, fmt.Errorf("failed to announce this process: %w", err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.announced[key] = raw
	if err != nil {
		r.unsaid[key] = true
	}
	if !r.beating {
		r.beating = true
		go r.keepBeating()
	}
	return sync.OnceValue(func() error { return r.withdraw(key) }), nil
}

// putPresence beats and then puts an announcement into the bucket: whoever reads it there hears this process already.
func (r *running) putPresence(ctx context.Context, key string, raw []byte) error {
	c, err := r.link.begin(ctx)
	if err != nil {
		return err
	}
	defer c.cancel()
	r.openStreams(c, presentStream, beatsStream)
	kv, err := r.bucket(c, presentStream, true)
	if err != nil {
		return err
	}
	if err := r.beat(c); err != nil {
		return err
	}
	revision, err := kv.Put(c, key, raw)
	if err != nil {
		return c.explain(err)
	}
	r.note(key, readPresence(key, raw, revision, time.Time{}))
	return nil
}

// beat says that this process lives.
func (r *running) beat(c *call) error {
	if _, err := r.stream(c, beatsStream, true); err != nil {
		return err
	}
	err := r.link.ask(c, r.beatSubject(r.me), func(until context.Context) error {
		_, err := c.js.Publish(until, r.beatSubject(r.me), nil)
		return err
	})
	if err != nil {
		if isGone(err) { // it was in the memory of a server that ended
			r.forget()
		}
		return c.explain(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.beaten = time.Now()
	return nil
}

func (r *running) beatSubject(process string) string {
	return r.link.options.Bucket + beatsStream + "." + process
}

// withdraw takes an announcement back. Without a connection that is done once it is up again.
func (r *running) withdraw(key string) error {
	r.mu.Lock()
	delete(r.announced, key)
	delete(r.unsaid, key)
	r.dropped[key] = true
	r.mu.Unlock()
	return r.dropPresence(r.life, key)
}

func (r *running) dropPresence(ctx context.Context, key string) error {
	c, err := r.link.begin(ctx)
	if err != nil {
		return err
	}
	defer c.cancel()
	kv, err := r.bucket(c, presentStream, true)
	if err == nil {
		err = kv.Purge(c, key, jetstream.PurgeTTL(markerKept))
	}
	if err != nil {
		return c.explain(err)
	}
	r.mu.Lock()
	delete(r.dropped, key)
	r.mu.Unlock()
	r.noteGone(key)
	return nil
}

// keepBeating beats for as long as something is announced.
func (r *running) keepBeating() {
	for tick := time.NewTicker(r.times.beat); ; {
		select {
		case <-r.life.Done():
			tick.Stop()
			return
		case <-tick.C:
		}
		r.mu.Lock()
		idle, silent := len(r.announced)+len(r.dropped) == 0, time.Since(r.beaten) > r.silentAfter
		if idle {
			r.beating = false
			r.mu.Unlock()
			tick.Stop()
			return
		}
		r.mu.Unlock()
		if c, err := r.link.begin(r.life); err == nil && !silent {
			_ = r.beat(c) // the next one is due soon
			c.cancel()
		}
		r.tell(silent) // this process stood still, or the server did: somebody may have taken it for dead
	}
}

// tell announces what the server had no room for before, or with again everything that this process announced, and
// takes back what it could not take back before. The next beat tries again what fails.
func (r *running) tell(again bool) {
	r.mu.Lock()
	left := map[string][]byte{}
	for key, raw := range r.announced {
		if again || r.unsaid[key] {
			left[key] = raw
		}
	}
	r.mu.Unlock()
	for key, raw := range left {
		if r.putPresence(r.life, key, raw) != nil {
			break
		}
		r.mu.Lock()
		delete(r.unsaid, key)
		if r.announced[key] == nil { // taken back meanwhile
			r.dropped[key] = true
		}
		r.mu.Unlock()
	}
	r.mu.Lock()
	dropped := maps.Clone(r.dropped)
	r.mu.Unlock()
	for key := range dropped {
		_ = r.dropPresence(r.life, key)
	}
}

// Present lists the running processes by instance and role; with roles, those that have one of them.
func (r *running) Present(ctx context.Context, roles ...string) ([]queue.Presence, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, g := range []*registry{r.everybody, r.faces} {
		if all, ok := g.followed(); ok && g.covers(roles) {
			for _, key := range r.diedHere(all) { // lookOnce buries them
				delete(all, key)
			}
			return presences(all, roles), nil
		}
	}
	all, err := r.readRegistry(ctx, keysOf(roles))
	if err != nil {
		return nil, fmt.Errorf("failed to list the running processes: %w", err)
	}
	return presences(all, roles), nil
}

// presences returns the announcements in a registry that can be read and have one of the roles, in order.
func presences(all map[string]presenceEntry, roles []string) []queue.Presence {
	var list []queue.Presence
	for _, one := range all {
		if one.presence != nil && one.presence.In(roles) {
			list = append(list, *one.presence)
		}
	}
	queue.SortPresences(list)
	return list
}
