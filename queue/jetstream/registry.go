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

// registry is a copy of the bucket of announcements in a process that watches: of all of them, or of some roles. A
// follower copies only the dashboards, because a thousand processes that copied all announcements would exchange a
// million messages. running's mutex guards it.
type registry struct {
	running   *running
	roles     []string // roles of the announcements in the copy; empty: all
	started   bool
	whole     bool // the copy is complete and up to date
	all       map[string]presenceEntry
	listed    map[string]bool // keys that arrived since the feed was opened again; nil: all have arrived
	wait      chan struct{}   // closed when the copy is complete for the first time
	listeners map[*watcher]bool
}

func newRegistry(r *running, roles ...string) *registry {
	return &registry{running: r, roles: roles, all: map[string]presenceEntry{}, listeners: map[*watcher]bool{}}
}

// covers reports whether the registry follows all announcements with these roles.
func (g *registry) covers(roles []string) bool {
	outside := func(role string) bool { return !slices.Contains(g.roles, role) }
	return len(g.roles) == 0 || len(roles) > 0 && !slices.ContainsFunc(roles, outside)
}

// keysOf returns the keys of the announcements with these roles, and the boot keys of the servers.
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

// ofRole reports whether a key is an announcement with one of the roles. Without roles, and for other kinds of keys,
// it returns true.
func ofRole(key string, roles []string) bool {
	if len(roles) == 0 || !strings.HasPrefix(key, onPrefix) {
		return true
	}
	role, _, _ := strings.Cut(strings.TrimPrefix(key, onPrefix), ".")
	return slices.Contains(roles, role)
}

// processOf returns the process to which the announcement under a key belongs. It is empty for other kinds of keys.
func processOf(key string) string {
	rest, announces := strings.CutPrefix(key, onPrefix)
	if !announces {
		return ""
	}
	_, rest, _ = strings.Cut(rest, ".")
	process, _, _ := strings.Cut(rest, ".")
	return process
}

// presenceEntry is one key of the bucket of announcements.
type presenceEntry struct {
	raw      []byte
	presence *queue.Presence // decoded from raw; nil: not an announcement
	revision uint64
	at       time.Time // by the server's clock
}

// readPresence decodes one key of the bucket of announcements.
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

// followBucket starts to copy the bucket at the process's first watch, until the store is closed. It returns when the
// copy is complete, so that the existing announcements are not reported as changes.
func (g *registry) followBucket(ctx context.Context) error {
	r := g.running
	r.mu.Lock()
	if !g.started {
		g.started, g.wait = true, make(chan struct{})
		if err := g.startFeeds(ctx); err != nil {
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

// startFeeds opens the feeds and begins to look for silent processes. The caller holds the mutex; startFeeds unlocks it
// while it asks the server.
func (g *registry) startFeeds(ctx context.Context) error {
	r := g.running
	r.mu.Unlock()
	defer r.mu.Lock()
	err := follower{link: r.link, sink: g, life: r.life}.startFollowing(ctx)
	if err == nil {
		go g.keepLooking()
	}
	return err
}

// openFeeds, like the four methods below, implements sink. The registry has one feed: the bucket of announcements.
func (g *registry) openFeeds(ctx context.Context) ([]feed, error) {
	one, err := g.running.openFeed(ctx, presentStream, keysOf(g.roles)...)
	if err != nil {
		return nil, err
	}
	return []feed{one}, nil
}

func (g *registry) beginFeeds(int) {
	g.running.mu.Lock()
	defer g.running.mu.Unlock()
	g.listed = map[string]bool{}
}

func (g *registry) takeEntry(_ int, e jetstream.KeyValueEntry) {
	if e.Operation() != jetstream.KeyValuePut {
		g.noteEntryGone(e.Key(), e.Revision())
		return
	}
	g.noteEntry(e.Key(), readPresence(e.Key(), e.Value(), e.Revision(), e.Created()))
}

// feedSynced forgets the announcements that did not arrive again.
func (g *registry) feedSynced(int) {
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

func (g *registry) feedsLost(error) {
	g.running.mu.Lock()
	defer g.running.mu.Unlock()
	g.whole = false
}

// noteEntry stores one announcement, and tells the listeners if it is new or changed.
func (g *registry) noteEntry(key string, one presenceEntry) {
	g.running.mu.Lock()
	defer g.running.mu.Unlock()
	if g.listed != nil {
		g.listed[key] = true
	}
	was, known := g.all[key]
	if known && was.revision > one.revision { // noteOwn was faster than the server's event
		return
	}
	if one.at.IsZero() { // from noteOwn, which does not know the server's time
		one.at = was.at
	}
	g.all[key] = one
	if strings.HasPrefix(key, onPrefix) && (!known || !bytes.Equal(was.raw, one.raw)) {
		g.tellListeners()
	}
}

// noteEntryGone removes one announcement that was removed at a revision. Revision 0 means that this process removed it.
func (g *registry) noteEntryGone(key string, revision uint64) {
	g.running.mu.Lock()
	defer g.running.mu.Unlock()
	was, known := g.all[key]
	if !known || revision != 0 && was.revision > revision {
		return
	}
	delete(g.all, key)
	g.tellListeners()
}

// tellListeners tells the watches of this process that the running processes changed. The caller holds the mutex.
func (g *registry) tellListeners() {
	for w := range g.listeners {
		go w.notePresence()
	}
}

// addListener makes a watch be told when the running processes change.
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

// currentCopy returns the copy. ok is false if it is not complete or the connection is lost.
func (g *registry) currentCopy() (all map[string]presenceEntry, ok bool) {
	g.running.mu.Lock()
	defer g.running.mu.Unlock()
	return maps.Clone(g.all), g.whole
}

// noteOwn stores an announcement of this process in its registries, before the server's event arrives.
func (r *running) noteOwn(key string, one presenceEntry) {
	for _, g := range []*registry{r.everybody, r.frontends} {
		if ofRole(key, g.roles) {
			g.noteEntry(key, one)
		}
	}
}

// noteOwnGone removes an announcement that this process removed from its registries.
func (r *running) noteOwnGone(key string) {
	r.everybody.noteEntryGone(key, 0)
	r.frontends.noteEntryGone(key, 0)
}

// readRegistry reads announcements from the server and removes those of dead processes.
func (r *running) readRegistry(ctx context.Context, keys []string) (map[string]presenceEntry, error) {
	c, err := r.link.beginCall(ctx)
	if err != nil {
		return nil, err
	}
	defer c.cancel()
	opened := make(chan struct{})
	go func() { // at the same time, because each answer takes long over a slow link
		defer close(opened)
		_, _ = r.stream(c, beatsStream, ifThere) // removeAllDead opens it again and reports an error
	}()
	kv, err := r.bucket(c, presentStream, ifThere)
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
	return all, r.removeAllDead(c, all)
}

// removeAllDead removes the announcements of dead processes from the server and from all. If a removal fails, another
// process repeats it. On a full server beats may be missing, so nobody counts as silent there.
func (r *running) removeAllDead(c *call, all map[string]presenceEntry) error {
	dead, err := r.silentKeys(c, all)
	if err != nil && !isFull(err) {
		return err
	}
	for _, key := range append(dead, r.diedHere(all)...) {
		if r.removeDead(c, key, all[key].revision) == nil {
			r.noteOwnGone(key)
		}
		delete(all, key)
	}
	return nil
}

// diedHere lists the announcements of dead processes of this machine. It checks only processes that left a lock file
// here, since most may run on other machines.
func (r *running) diedHere(all map[string]presenceEntry) (dead []string) {
	here := r.held.names()
	for key := range all {
		if process := processOf(key); here[process] && r.held.hasDied(process) {
			dead = append(dead, key)
		}
	}
	return dead
}

// lookers is about the number of processes that look for silent ones in one interval. A look costs the server more
// the more processes there are, so not all of a thousand processes look. That no process looks at all is very
// unlikely.
const lookers = 8

// keepLooking removes the announcements of silent processes, which every watcher then learns. The times are random,
// so that a hundred processes that started together do not look together.
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

// countRunning estimates how many processes run, each of which may look for silent ones; 0: there are no announcements
// to check.
func (g *registry) countRunning() int {
	g.running.mu.Lock()
	defer g.running.mu.Unlock()
	if len(g.all) == 0 {
		return 0
	}
	return max(len(g.all), g.running.heard)
}

// lookOnce removes the announcements of dead processes once.
func (g *registry) lookOnce() {
	r := g.running
	all, ok := g.currentCopy()
	if !ok {
		return
	}
	c, err := r.link.beginCall(r.life)
	if err != nil {
		return
	}
	defer c.cancel()
	_ = r.removeAllDead(c, all) // the next look tries again
}

// removeDead removes an announcement unless its process renewed it.
func (r *running) removeDead(c *call, key string, revision uint64) error {
	kv, err := r.bucket(c, presentStream, orMake)
	if err != nil {
		return err
	}
	return kv.Purge(c, key, jetstream.LastRevision(revision), jetstream.PurgeTTL(markerKept))
}

// silentKeys lists the announcements whose process sends no beats. The list is empty while the server may be the
// reason. silentKeys also stores how many processes send beats, for countRunning.
func (r *running) silentKeys(c *call, all map[string]presenceEntry) (dead []string, err error) {
	s, err := r.stream(c, beatsStream, orMake)
	if err != nil {
		return nil, err
	}
	info, err := s.Info(c, jetstream.WithSubjectFilter(r.beatSubject("*")))
	if err != nil {
		if isGone(err) {
			r.forgetOpened()
			return nil, nil // the stream is created again, and all processes beat again soon
		}
		return nil, c.explain(err)
	}
	since, err := r.hearsSince(c, all)
	if errors.Is(err, queue.ErrRefused) {
		return nil, nil // these credentials may only read
	}
	if err != nil {
		return nil, err
	}
	now := info.TimeStamp
	if now.Sub(info.Created) < r.times.grace || now.Sub(since) < r.times.grace {
		return nil, nil // the server may not have heard all processes yet
	}
	r.mu.Lock()
	r.heard = len(info.State.Subjects)
	r.mu.Unlock()
	isHeard := func(process string) bool { return info.State.Subjects[r.beatSubject(process)] > 0 }
	if r.hasAnnounced() && !isHeard(r.me) { // the server does not even hear this process
		return nil, nil
	}
	for key := range all {
		if process := processOf(key); process != "" && !isHeard(process) {
			dead = append(dead, key)
		}
	}
	return dead, nil
}

// hearsSince returns when the connected server began to count beats, by its own clock. The first process that notices
// a new server stores this time.
func (r *running) hearsSince(c *call, all map[string]presenceEntry) (time.Time, error) {
	key := bootPrefix + c.conn.ConnectedServerId()
	if one, known := all[key]; known && !one.at.IsZero() {
		return one.at, nil
	}
	kv, err := r.bucket(c, presentStream, orMake)
	if err != nil {
		return time.Time{}, err
	}
	err = r.link.askServer(c, "$KV."+kv.Bucket()+"."+bootPrefix, func(until context.Context) error {
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

// hasAnnounced reports whether this process has announced anything, so that it sends beats.
func (r *running) hasAnnounced() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.announced) > 0
}
