package jetstream

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/choicetui/choicetui/queue"
)

// registry is the bucket of announcements as a process that watches follows it: all of them, or those of some roles
// only. A thousand processes that each followed all of them would tell each other a million times that they are there.
// It is guarded by running's mutex.
type registry struct {
	running   *running
	roles     []string // of the announcements that it follows; empty: all
	started   bool
	whole     bool // it matches the server's
	all       map[string]presenceEntry
	listed    map[string]bool // while everything comes once more
	wait      chan struct{}   // closed once it is synced for the first time
	listeners map[*watcher]bool
}

func newRegistry(r *running, roles ...string) *registry {
	return &registry{running: r, roles: roles, all: map[string]presenceEntry{}, listeners: map[*watcher]bool{}}
}

// covers reports whether everybody of these roles is in the registry.
func (g *registry) covers(roles []string) bool {
	outside := func(role string) bool { return !slices.Contains(g.roles, role) }
	return len(g.roles) == 0 || len(roles) > 0 && !slices.ContainsFunc(roles, outside)
}

// keysOf returns the keys of the announcements of these roles, and those that say since when a server counts beats.
func keysOf(roles []string) []string {
	if len(roles) == 0 {
		return []string{jetstream.AllKeys}
	}
	keys := []string{bootPrefix + "*"}
	for _, role := range roles {
		keys = append(keys, onPrefix+role+".>")
	}
	return keys
}

// ofRole reports whether a key belongs to an announcement of one of the roles, no role: to anything.
func ofRole(key string, roles []string) bool {
	if len(roles) == 0 || !strings.HasPrefix(key, onPrefix) {
		return true
	}
	role, _, _ := strings.Cut(strings.TrimPrefix(key, onPrefix), ".")
	return slices.Contains(roles, role)
}

// processOf returns the process whose announcement is under this key; empty: the key is another kind.
func processOf(key string) string {
	rest, announces := strings.CutPrefix(key, onPrefix)
	if !announces {
		return ""
	}
	_, rest, _ = strings.Cut(rest, ".")
	process, _, _ := strings.Cut(rest, ".")
	return process
}

// presenceEntry holds one key of the bucket of announcements.
type presenceEntry struct {
	raw      []byte
	presence *queue.Presence // as read from raw; nil: it is no announcement
	revision uint64
	at       time.Time // by the server's clock
}

// readPresence reads one key of the bucket of announcements.
func readPresence(key string, raw []byte, revision uint64, at time.Time) presenceEntry {
	one := presenceEntry{raw: raw, revision: revision, at: at}
	if !strings.HasPrefix(key, onPrefix) {
		return one
	}
	if p, ok := queue.DecodePresence(raw); ok {
		one.presence = &p
	}
	return one
}

// follow follows who runs from the first watch of this process on, until the store is closed. It returns once
// all of it has come, so that nobody is told of it as news.
func (g *registry) follow(ctx context.Context) error {
	r := g.running
	r.mu.Lock()
	if !g.started {
		g.started, g.wait = true, make(chan struct{})
		if err := g.start(ctx); err != nil {
			g.started = false
			r.mu.Unlock()
			return err
		}
	}
	wait := g.wait
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

// start opens the feeds and begins to look for silent processes. It is called with the mutex held, and lets go of it
// while it asks the server.
func (g *registry) start(ctx context.Context) error {
	r := g.running
	r.mu.Unlock()
	defer r.mu.Lock()
	err := follower{link: r.link, sink: g, life: r.life}.start(ctx)
	if err == nil {
		go g.keepLooking()
	}
	return err
}

func (g *registry) openFeeds(ctx context.Context) ([]feed, error) {
	one, err := g.running.openFeed(ctx, presentStream, keysOf(g.roles)...)
	if err != nil {
		return nil, err
	}
	return []feed{one}, nil
}

func (g *registry) begin(int) {
	g.running.mu.Lock()
	defer g.running.mu.Unlock()
	g.listed = map[string]bool{}
}

func (g *registry) take(_ int, e jetstream.KeyValueEntry) {
	if e.Operation() != jetstream.KeyValuePut {
		g.noteGone(e.Key(), e.Revision())
		return
	}
	g.note(e.Key(), readPresence(e.Key(), e.Value(), e.Revision(), e.Created()))
}

func (g *registry) synced(int) {
	g.running.mu.Lock()
	defer g.running.mu.Unlock()
	changed := false
	for key := range g.all {
		if !g.listed[key] {
			delete(g.all, key)
			changed = true
		}
	}
	g.listed, g.whole = nil, true
	select {
	case <-g.wait:
	default:
		close(g.wait)
	}
	if changed {
		g.tellListeners()
	}
}

func (g *registry) lost(error) {
	g.running.mu.Lock()
	defer g.running.mu.Unlock()
	g.whole = false
}

// note takes one announcement over. It is news if nobody said so before.
func (g *registry) note(key string, one presenceEntry) {
	g.running.mu.Lock()
	defer g.running.mu.Unlock()
	if g.listed != nil {
		g.listed[key] = true
	}
	was, known := g.all[key]
	if known && was.revision > one.revision {
		return
	}
	if one.at.IsZero() {
		one.at = was.at
	}
	g.all[key] = one
	if strings.HasPrefix(key, onPrefix) && (!known || !bytes.Equal(was.raw, one.raw)) {
		g.tellListeners()
	}
}

// noteGone takes over that one went at a revision, 0: by our own hand.
func (g *registry) noteGone(key string, revision uint64) {
	g.running.mu.Lock()
	defer g.running.mu.Unlock()
	was, known := g.all[key]
	if !known || revision != 0 && was.revision > revision {
		return
	}
	delete(g.all, key)
	g.tellListeners()
}

// tellListeners tells the watches of this process that somebody came or went. The caller holds the mutex.
func (g *registry) tellListeners() {
	for w := range g.listeners {
		go w.notePresence()
	}
}

func (g *registry) addListener(w *watcher) {
	g.running.mu.Lock()
	defer g.running.mu.Unlock()
	g.listeners[w] = true
}

func (g *registry) dropListener(w *watcher) {
	g.running.mu.Lock()
	defer g.running.mu.Unlock()
	delete(g.listeners, w)
}

// followed returns the registry as this process follows it; ok is false if it does not, or is cut off.
func (g *registry) followed() (all map[string]presenceEntry, ok bool) {
	g.running.mu.Lock()
	defer g.running.mu.Unlock()
	return maps.Clone(g.all), g.whole
}

// note tells the registries of an announcement of our own, which reaches us again later.
func (r *running) note(key string, one presenceEntry) {
	for _, g := range []*registry{r.everybody, r.faces} {
		if ofRole(key, g.roles) {
			g.note(key, one)
		}
	}
}

// noteGone tells the registries that an announcement was removed by our own hand.
func (r *running) noteGone(key string) {
	r.everybody.noteGone(key, 0)
	r.faces.noteGone(key, 0)
}

// readRegistry reads what is under keys in the registry and removes who has fallen silent.
func (r *running) readRegistry(ctx context.Context, keys []string) (map[string]presenceEntry, error) {
	c, err := r.link.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer c.cancel()
	opened := make(chan struct{})
	go func() { // meanwhile: over a slow link each answer counts
		defer close(opened)
		_, _ = r.stream(c, beatsStream, false) // what is the matter with it is told below
	}()
	kv, err := r.bucket(c, presentStream, false)
	if errors.Is(err, errAbsent) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	entries, err := r.readKeys(c, kv, keys...)
	<-opened
	if err != nil {
		return nil, c.explain(err)
	}
	all := map[string]presenceEntry{}
	for _, e := range entries {
		all[e.Key()] = readPresence(e.Key(), e.Value(), e.Revision(), e.Created())
	}
	return all, r.buryDead(c, all)
}

// buryDead removes the announcements of processes that are dead from the server and from all. What cannot be removed
// somebody else removes. Where a server is full, nobody is known to have fallen silent.
func (r *running) buryDead(c *call, all map[string]presenceEntry) error {
	dead, err := r.silentOf(c, all)
	if err != nil && !isFull(err) {
		return err
	}
	for _, key := range append(dead, r.diedHere(all)...) {
		if r.bury(c, key, all[key].revision) == nil {
			r.noteGone(key)
		}
		delete(all, key)
	}
	return nil
}

// diedHere lists the announcements of processes of this machine that are known to be dead. Most of those that are
// announced may run on others, so only the processes that left a file here are looked at.
func (r *running) diedHere(all map[string]presenceEntry) (dead []string) {
	here := r.held.names()
	for key := range all {
		if process := processOf(key); here[process] && r.held.died(process) {
			dead = append(dead, key)
		}
	}
	return dead
}

// lookers is about the number of processes that look in one turn for silent ones. Each look costs the server as much as
// there are processes, so a thousand do not look all the time. It is very unlikely that no process looks.
const lookers = 8

// keepLooking removes who has fallen silent, which every watcher then learns. It looks at no fixed times, so that a
// hundred processes that began together do not all look together.
func (g *registry) keepLooking() {
	r := g.running
	for {
		pause := r.times.look*2/3 + rand.N(r.times.look/3)
		select {
		case <-r.life.Done():
			return
		case <-time.After(pause):
		}
		if n := g.countRunning(); n > 0 && rand.N(n) < lookers {
			g.lookOnce()
		}
	}
}

// countRunning returns about how many processes share the work; 0: there is nothing to look at.
func (g *registry) countRunning() int {
	g.running.mu.Lock()
	defer g.running.mu.Unlock()
	if len(g.all) == 0 {
		return 0
	}
	return max(len(g.all), g.running.heard)
}

func (g *registry) lookOnce() {
	r := g.running
	all, ok := g.followed()
	if !ok {
		return
	}
	c, err := r.link.begin(r.life)
	if err != nil {
		return
	}
	defer c.cancel()
	_ = r.buryDead(c, all) // the next look tries again
}

// bury removes an announcement if its process did not renew it.
func (r *running) bury(c *call, key string, revision uint64) error {
	kv, err := r.bucket(c, presentStream, true)
	if err != nil {
		return err
	}
	return kv.Purge(c, key, jetstream.LastRevision(revision), jetstream.PurgeTTL(markerKept))
}

// silentOf lists the announcements whose process is not heard any more. It lists nothing while the server may be the
// reason.
func (r *running) silentOf(c *call, all map[string]presenceEntry) (dead []string, err error) {
	s, err := r.stream(c, beatsStream, true)
	if err != nil {
		return nil, err
	}
	info, err := s.Info(c, jetstream.WithSubjectFilter(r.beatSubject("*")))
	if err != nil {
		if isGone(err) {
			r.forget()
			return nil, nil // it is made again, and everybody is heard again soon
		}
		return nil, c.explain(err)
	}
	since, err := r.hearsSince(c, all)
	if errors.Is(err, queue.ErrRefused) {
		return nil, nil // who may only read buries nobody
	}
	if err != nil || info.TimeStamp.Sub(info.Created) < r.times.grace || info.TimeStamp.Sub(since) < r.times.grace {
		return nil, err
	}
	r.mu.Lock()
	r.heard = len(info.State.Subjects)
	r.mu.Unlock()
	heard := func(process string) bool { return info.State.Subjects[r.beatSubject(process)] > 0 }
	if !heard(r.me) && r.hasAnnounced() {
		return nil, nil
	}
	for key := range all {
		if process := processOf(key); process != "" && !heard(process) {
			dead = append(dead, key)
		}
	}
	return dead, nil
}

// hearsSince returns when the server that we speak to began to count beats, by its own clock. The first process to
// notice a new server writes that down.
func (r *running) hearsSince(c *call, all map[string]presenceEntry) (time.Time, error) {
	key := bootPrefix + c.conn.ConnectedServerId()
	if one, known := all[key]; known && !one.at.IsZero() {
		return one.at, nil
	}
	kv, err := r.bucket(c, presentStream, true)
	if err != nil {
		return time.Time{}, err
	}
	err = r.link.ask(c, "$KV."+kv.Bucket()+"."+bootPrefix, func(until context.Context) error {
		_, err := kv.Create(until, key, []byte(queue.NewToken()), jetstream.KeyTTL(bootKept))
		return err
	})
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
