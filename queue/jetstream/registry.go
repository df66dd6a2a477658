package jetstream

import (
	"bytes"
	"context"
	"maps"
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
	roles     []string // whose announcements it follows; none: all
	started   bool
	whole     bool // it matches the server's
	all       map[string]told
	listed    map[string]bool // while everything comes once more
	wait      chan struct{}   // closed once it is synced for the first time
	listeners map[*watcher]bool
}

func newRegistry(r *running, roles ...string) *registry {
	return &registry{running: r, roles: roles, all: map[string]told{}, listeners: map[*watcher]bool{}}
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

// told holds one key of the bucket.
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

// start is called with the mutex held, and lets go of it while it asks the server.
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
	one, err := g.running.openFeed(ctx, presentShelf, keysOf(g.roles)...)
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
	g.note(e.Key(), tell(e.Key(), e.Value(), e.Revision(), e.Created()))
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
func (g *registry) note(key string, one told) {
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

// tellListeners is called with the mutex held.
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
func (g *registry) followed() (all map[string]told, ok bool) {
	g.running.mu.Lock()
	defer g.running.mu.Unlock()
	return maps.Clone(g.all), g.whole
}

// note tells the registries of an announcement of our own, which reaches us again later.
func (r *running) note(key string, one told) {
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
