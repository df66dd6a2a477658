package jetstream

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/choicetui/choicetui/queue"
)

// registry is the bucket of announcements as a process that watches follows it. It is guarded by running's mutex.
type registry struct {
	started bool
	synced  bool // it is what the server has
	all     map[string]told
	listed  map[string]bool // while everything comes once more
	wait    chan struct{}   // closed once it is synced for the first time
}

// told is one key of the bucket.
type told struct {
	raw      []byte
	presence *queue.Presence // as read from raw; nil: it is no announcement
	revision uint64
	at       time.Time // by the server's clock
}

// tell reads one key of the bucket.
func tell(key string, raw []byte, revision uint64, at time.Time) told {
	one := told{raw: raw, revision: revision, at: at}
	if !strings.HasPrefix(key, onPrefix) {
		return one
	}
	if p, ok := queue.DecodePresence(raw); ok {
		one.presence = &p
	}
	return one
}

// followRegistry follows who runs from the first watch of this process on, until the store is closed. It returns once
// all of it has come, so that nobody is told of it as news.
func (r *running) followRegistry(ctx context.Context) error {
	r.mu.Lock()
	if !r.registry.started {
		r.registry.started, r.registry.wait = true, make(chan struct{})
		if err := r.startFollowing(ctx); err != nil {
			r.registry.started = false
			r.mu.Unlock()
			return err
		}
	}
	wait := r.registry.wait
	r.mu.Unlock()
	late := time.NewTimer(answerWithin)
	defer late.Stop()
	select {
	case <-wait:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-late.C:
		return errLost
	}
}

// startFollowing is called with the mutex held, and lets go of it while it asks the server.
func (r *running) startFollowing(ctx context.Context) error {
	r.mu.Unlock()
	defer r.mu.Lock()
	err := follower{link: r.link, sink: r, life: r.life}.start(ctx)
	if err == nil {
		go r.keepLooking()
	}
	return err
}

func (r *running) openFeeds(ctx context.Context) ([]feed, error) {
	one, err := r.openFeed(ctx, presentShelf, jetstream.AllKeys)
	if err != nil {
		return nil, err
	}
	return []feed{one}, nil
}

func (r *running) begin(int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.registry.listed = map[string]bool{}
}

func (r *running) take(_ int, e jetstream.KeyValueEntry) {
	if e.Operation() != jetstream.KeyValuePut {
		r.noteGone(e.Key(), e.Revision())
		return
	}
	r.note(e.Key(), tell(e.Key(), e.Value(), e.Revision(), e.Created()))
}

func (r *running) synced(int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	changed := false
	for key := range r.registry.all {
		if !r.registry.listed[key] {
			delete(r.registry.all, key)
			changed = true
		}
	}
	r.registry.listed, r.registry.synced = nil, true
	select {
	case <-r.registry.wait:
	default:
		close(r.registry.wait)
	}
	if changed {
		r.tellListeners()
	}
}

func (r *running) lost(error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.registry.synced = false
}

// note takes one announcement over. It is news if nobody said so before.
func (r *running) note(key string, one told) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.registry.listed != nil {
		r.registry.listed[key] = true
	}
	was, known := r.registry.all[key]
	if known && was.revision > one.revision {
		return
	}
	if one.at.IsZero() {
		one.at = was.at
	}
	r.registry.all[key] = one
	if strings.HasPrefix(key, onPrefix) && (!known || !bytes.Equal(was.raw, one.raw)) {
		r.tellListeners()
	}
}

// noteGone takes over that one went at a revision, 0: by our own hand.
func (r *running) noteGone(key string, revision uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	was, known := r.registry.all[key]
	if !known || revision != 0 && was.revision > revision {
		return
	}
	delete(r.registry.all, key)
	r.tellListeners()
}

// tellListeners is called with the mutex held.
func (r *running) tellListeners() {
	for w := range r.listeners {
		go w.notePresence()
	}
}

func (r *running) addListener(w *watcher) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.listeners[w] = true
}

func (r *running) dropListener(w *watcher) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.listeners, w)
}

// followed is the registry as this process follows it; ok is false if it does not, or is cut off.
func (r *running) followed() (all map[string]told, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.registry.all), r.registry.synced
}

// countFollowed is how many keys are in the registry as this process follows it.
func (r *running) countFollowed() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.registry.all)
}

// readRegistry reads the registry and removes who has fallen silent.
func (r *running) readRegistry(ctx context.Context) (map[string]told, error) {
	c, err := r.link.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer c.cancel()
	kv, err := r.bucket(c, presentShelf, false)
	if errors.Is(err, errAbsent) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	entries, err := r.readKeys(c, kv)
	if err != nil {
		return nil, c.explain(err)
	}
	all := map[string]told{}
	for _, e := range entries {
		all[e.Key()] = tell(e.Key(), e.Value(), e.Revision(), e.Created())
	}
	dead, err := r.silentOf(c, all)
	var full *noRoom
	if err != nil && !errors.As(err, &full) { // where a server is full, nobody is known to be dead
		return nil, err
	}
	for _, key := range dead {
		_ = r.bury(c, key, all[key].revision) // else somebody else does
		delete(all, key)
	}
	return all, nil
}

// lookers is about how many processes look in one turn who has fallen silent. Each look costs the server as much as
// there are processes, so that a thousand do not look all the time; that none of them does is very unlikely.
const lookers = 8

// keepLooking removes who has fallen silent, which every watcher then learns. It looks at no fixed times, so that a
// hundred processes that began together do not all look together.
func (r *running) keepLooking() {
	for {
		pause := r.times.look*2/3 + rand.N(r.times.look/3)
		select {
		case <-r.life.Done():
			return
		case <-time.After(pause):
		}
		if n := r.countFollowed(); n == 0 || rand.N(n) >= lookers {
			continue
		}
		all, ok := r.followed()
		if !ok {
			continue
		}
		c, err := r.link.begin(r.life)
		if err != nil {
			continue
		}
		dead, err := r.silentOf(c, all)
		for _, key := range dead {
			if err == nil && r.bury(c, key, all[key].revision) == nil {
				r.noteGone(key, 0)
			}
		}
		c.cancel()
	}
}

// bury removes an announcement if its process did not renew it.
func (r *running) bury(c *call, key string, revision uint64) error {
	kv, err := r.bucket(c, presentShelf, true)
	if err != nil {
		return err
	}
	return kv.Purge(c, key, jetstream.LastRevision(revision), jetstream.PurgeTTL(markerKept))
}

// silentOf lists the announcements whose process is not heard any more. None are while the server may be the reason.
func (r *running) silentOf(c *call, all map[string]told) (dead []string, err error) {
	s, err := r.shelf(c, beatsShelf, true)
	if err != nil {
		return nil, err
	}
	info, err := s.stream.Info(c, jetstream.WithSubjectFilter(r.beatSubject("*")))
	if err != nil {
		if isGone(err) {
			r.forget()
			return nil, nil // it is made anew, and everybody is heard again soon
		}
		return nil, c.explain(err)
	}
	since, err := r.hearsSince(c, all)
	if isRefused(err) {
		return nil, nil // who may only read buries nobody
	}
	if err != nil || info.TimeStamp.Sub(info.Created) < r.times.grace || info.TimeStamp.Sub(since) < r.times.grace {
		return nil, err
	}
	heard := func(process string) bool { return info.State.Subjects[r.beatSubject(process)] > 0 }
	if !heard(r.me) && r.hasAnnounced() {
		return nil, nil
	}
	for key := range all {
		process, announces := strings.CutPrefix(key, onPrefix)
		process, _, _ = strings.Cut(process, ".")
		if announces && !heard(process) {
			dead = append(dead, key)
		}
	}
	return dead, nil
}

// hearsSince is since when the server that we speak to has been counting beats, by its own clock. The first one to
// notice a new server writes that down.
func (r *running) hearsSince(c *call, all map[string]told) (time.Time, error) {
	key := bootPrefix + c.conn.ConnectedServerId()
	if one, known := all[key]; known && !one.at.IsZero() {
		return one.at, nil
	}
	kv, err := r.bucket(c, presentShelf, true)
	if err != nil {
		return time.Time{}, err
	}
	until, done := r.link.untilRefused(c, "$KV."+r.link.options.Bucket+presentShelf+"."+bootPrefix)
	_, err = kv.Create(until, key, []byte(queue.NewToken()), jetstream.KeyTTL(bootKept))
	if refused := done(); refused != nil {
		return time.Time{}, refused
	}
	if err != nil && !errors.Is(err, jetstream.ErrKeyExists) {
		return time.Time{}, c.explain(err)
	}
	e, err := kv.Get(c, key)
	if err != nil {
		return time.Time{}, c.explain(err)
	}
	return e.Created(), nil
}

func (r *running) hasAnnounced() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.announced) > 0
}
