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
	beatEvery = 4 * time.Second     // interval of the beats by which a process shows that it lives
	silentFor = 12 * time.Second    // a process that sent no beat for this time is dead
	lookEvery = 6 * time.Second     // interval of looks for silent processes
	graceFor  = 15 * time.Second    // time after its start in which a server may not have heard all processes yet
	bootKept  = 30 * 24 * time.Hour // time for which it is remembered when a server began to count beats
)

const (
	onPrefix   = "on."
	bootPrefix = "boot."
)

// running announces and lists running processes. Each process puts announcements into a bucket, so that every watcher
// learns of them as events. While it runs, it sends beats to a stream in the server's memory, which keeps them for
// silentFor. Any process that finds an announcement without beats removes it. No process is taken for dead while the
// server itself may be the reason: after its start, or when it does not receive this process's own beats.
type running struct {
	*storage
	me    string // this process's name in the bucket and the stream
	held  *held
	times times

	mu        sync.Mutex
	announced map[string][]byte // by key, this process's announcements that were not released
	dropped   map[string]bool   // keys of released announcements that are still on the server
	unsaid    map[string]bool   // keys of announcements for which the server had no room
	counted   int               // number of announcements so far, for their keys
	beating   bool              // keepBeating runs
	beaten    time.Time         // when a beat was last acknowledged
	everybody *registry         // all processes, for watches
	frontends *registry         // the dashboards only, for agents (see queue.FewNews)
	heard     int               // number of beating processes at the last look
	draftless atomic.Bool       // the server refuses to show drafts to these credentials
	life      context.Context   // ends with the store
	stop      context.CancelFunc
}

// times are the constants above; tests use shorter ones.
type times struct{ beat, look, grace time.Duration }

func newRunning(p *storage) *running {
	life, stop := context.WithCancel(context.Background())
	r := &running{storage: p, me: queue.NewToken(), held: &held{dir: p.link.options.Local},
		times:     times{beatEvery, lookEvery, graceFor},
		announced: map[string][]byte{}, dropped: map[string]bool{}, unsaid: map[string]bool{}, life: life, stop: stop}
	r.everybody = newRegistry(r)
	r.frontends = newRegistry(r, queue.RoleDashboard)
	return r
}

// Announce registers this process until release is called or the process falls silent. release may be called twice.
// If the server has no room left, Announce succeeds and sends the announcement when there is room, because a dashboard
// must open even if the queue is full.
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
	r.held.lockMine(r.me) // before others can see the announcement
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
	return sync.OnceValue(func() error { return r.withdrawPresence(key) }), nil
}

// putPresence sends a beat and then puts an announcement into the bucket, so that every reader of the announcement
// also finds the beat.
func (r *running) putPresence(ctx context.Context, key string, raw []byte) error {
	c, err := r.link.beginCall(ctx)
	if err != nil {
		return err
	}
	defer c.cancel()
	r.openStreams(c, presentStream, beatsStream)
	kv, err := r.bucket(c, presentStream, orMake)
	if err != nil {
		return err
	}
	if err := r.sendBeat(c); err != nil {
		return err
	}
	revision, err := kv.Put(c, key, raw)
	if err != nil {
		return c.explain(err)
	}
	r.noteOwn(key, readPresence(key, raw, revision, time.Time{}))
	return nil
}

// sendBeat sends a beat, the sign that this process lives.
func (r *running) sendBeat(c *call) error {
	if _, err := r.stream(c, beatsStream, orMake); err != nil {
		return err
	}
	err := r.link.askServer(c, r.beatSubject(r.me), func(until context.Context) error {
		_, err := c.js.Publish(until, r.beatSubject(r.me), nil)
		return err
	})
	if err != nil {
		if isGone(err) { // the stream was in the memory of a server that ended
			r.forgetOpened()
		}
		return c.explain(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.beaten = time.Now()
	return nil
}

// beatSubject returns the subject of a process's beats.
func (r *running) beatSubject(process string) string {
	return r.link.options.Bucket + beatsStream + "." + process
}

// withdrawPresence removes an announcement, at once or when there is a connection again.
func (r *running) withdrawPresence(key string) error {
	r.mu.Lock()
	delete(r.announced, key)
	delete(r.unsaid, key)
	r.dropped[key] = true
	r.mu.Unlock()
	return r.dropPresence(r.life, key)
}

// dropPresence removes a released announcement from the server.
func (r *running) dropPresence(ctx context.Context, key string) error {
	c, err := r.link.beginCall(ctx)
	if err != nil {
		return err
	}
	defer c.cancel()
	kv, err := r.bucket(c, presentStream, orMake)
	if err == nil {
		err = kv.Purge(c, key, jetstream.PurgeTTL(markerKept))
	}
	if err != nil {
		return c.explain(err)
	}
	r.mu.Lock()
	delete(r.dropped, key)
	r.mu.Unlock()
	r.noteOwnGone(key)
	return nil
}

// keepBeating sends beats as long as something is announced.
func (r *running) keepBeating() {
	for tick := time.NewTicker(r.times.beat); ; {
		select {
		case <-r.life.Done():
			tick.Stop()
			return
		case <-tick.C:
		}
		r.mu.Lock()
		if len(r.announced)+len(r.dropped) == 0 {
			r.beating = false
			r.mu.Unlock()
			tick.Stop()
			return
		}
		silent := time.Since(r.beaten) > r.silentAfter
		r.mu.Unlock()
		if silent { // others may have removed this process's announcements
			r.resendAnnouncements()
			continue
		}
		if c, err := r.link.beginCall(r.life); err == nil {
			_ = r.sendBeat(c) // the next beat is due soon
			c.cancel()
		}
		r.syncAnnouncements()
	}
}

// syncAnnouncements sends the announcements for which the server had no room, and removes the released ones there. A
// failure is repeated after the next beat.
func (r *running) syncAnnouncements() {
	r.sendAnnouncements(func(key string) bool { return r.unsaid[key] })
}

// resendAnnouncements works like syncAnnouncements, but sends all announcements, because the server may have lost them.
// Each goes with a beat.
func (r *running) resendAnnouncements() { r.sendAnnouncements(func(string) bool { return true }) }

// sendAnnouncements sends the announcements of this process that are due, and removes the released ones. due is called
// with the mutex held.
func (r *running) sendAnnouncements(due func(key string) bool) {
	r.mu.Lock()
	left := map[string][]byte{}
	for key, raw := range r.announced {
		if due(key) {
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
		if r.announced[key] == nil { // released meanwhile
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
	for _, g := range []*registry{r.everybody, r.frontends} {
		if all, ok := g.currentCopy(); ok && g.covers(roles) {
			for _, key := range r.diedHere(all) { // lookOnce removes these from the server
				delete(all, key)
			}
			return presencesOf(all, roles), nil
		}
	}
	all, err := r.readRegistry(ctx, keysOf(roles))
	if err != nil {
		return nil, fmt.Errorf("failed to list the running processes: %w", err)
	}
	return presencesOf(all, roles), nil
}

// presencesOf returns the valid announcements that have one of the roles, in the order of Store.Present.
func presencesOf(all map[string]presenceEntry, roles []string) []queue.Presence {
	var list []queue.Presence
	for _, one := range all {
		if one.presence != nil && one.presence.In(roles) {
			list = append(list, *one.presence)
		}
	}
	queue.SortPresences(list)
	return list
}
