package jetstream

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/choicetui/choicetui/queue"
)

// readRegistry reads what is under keys in the registry and removes who has fallen silent.
func (r *running) readRegistry(ctx context.Context, keys []string) (map[string]told, error) {
	c, err := r.link.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer c.cancel()
	opened := make(chan struct{})
	go func() { // meanwhile: over a slow link each answer counts
		defer close(opened)
		_, _ = r.shelf(c, beatsShelf, false) // what is the matter with it is told below
	}()
	kv, err := r.bucket(c, presentShelf, false)
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
	all := map[string]told{}
	for _, e := range entries {
		all[e.Key()] = tell(e.Key(), e.Value(), e.Revision(), e.Created())
	}
	dead, err := r.silentOf(c, all)
	var full *noRoom
	if err != nil && !errors.As(err, &full) { // where a server is full, nobody is known to be dead
		return nil, err
	}
	for _, key := range append(dead, r.diedHere(all)...) {
		_ = r.bury(c, key, all[key].revision) // else somebody else does
		delete(all, key)
	}
	return all, nil
}

// diedHere lists the announcements of processes of this machine that are known to be dead. Most of those that are
// announced may run on others, so only the processes that left a file here are looked at.
func (r *running) diedHere(all map[string]told) (dead []string) {
	here := r.held.names()
	for key := range all {
		if process := processOf(key); here[process] && r.held.died(process) {
			dead = append(dead, key)
		}
	}
	return dead
}

// lookers is about how many processes look in one turn who has fallen silent. Each look costs the server as much as
// there are processes, so that a thousand do not look all the time; that none of them does is very unlikely.
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

// countRunning is about how many processes share the work; 0: there is nothing to look at.
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
	dead, err := r.silentOf(c, all)
	if err != nil {
		return
	}
	for _, key := range append(dead, r.diedHere(all)...) {
		if r.bury(c, key, all[key].revision) == nil {
			r.noteGone(key)
		}
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
			return nil, nil // it is made again, and everybody is heard again soon
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
