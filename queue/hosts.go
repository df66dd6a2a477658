package queue

import (
	"context"
	"maps"
	"slices"
	"sync"
)

// A queue can show the sessions of other hosts beside its own. Each host is a queue with a store of its own, and a
// session's id names its host.

// hosts are the queues of other hosts. Many goroutines may use them.
type hosts struct {
	mu      sync.Mutex
	queues  map[string]*Queue
	changed func(host string) // nil: nobody follows
}

// SetHost shows the sessions of a host, which are in this store; with a nil store it shows them no longer.
func (q *Queue) SetHost(host string, store Store) {
	q.hosts.mu.Lock()
	delete(q.hosts.queues, host)
	if store != nil {
		there := New(store)
		there.Now = q.Now
		q.hosts.queues[host] = there
	}
	changed := q.hosts.changed
	q.hosts.mu.Unlock()
	if changed != nil {
		changed(host)
	}
}

// FollowHosts makes changed be called for each host that is shown now, and for each that SetHost changes from now on.
func (q *Queue) FollowHosts(changed func(host string)) {
	q.hosts.mu.Lock()
	q.hosts.changed = changed
	shown := slices.Collect(maps.Keys(q.hosts.queues))
	q.hosts.mu.Unlock()
	for _, host := range shown {
		changed(host)
	}
}

// OfHost returns the queue of another host; nil: it is not shown.
func (q *Queue) OfHost(host string) *Queue {
	q.hosts.mu.Lock()
	defer q.hosts.mu.Unlock()
	return q.hosts.queues[host]
}

// Of returns the queue that has a session: another host's, or this one. This one does not find a session of a host that
// is not shown.
func (q *Queue) Of(id string) *Queue {
	host, _ := SplitID(id)
	if there := q.OfHost(host); there != nil {
		return there
	}
	return q
}

// All returns this queue, then those of the other hosts that are shown.
func (q *Queue) All() []*Queue {
	q.hosts.mu.Lock()
	defer q.hosts.mu.Unlock()
	all := []*Queue{q}
	for _, host := range slices.Sorted(maps.Keys(q.hosts.queues)) {
		all = append(all, q.hosts.queues[host])
	}
	return all
}

// What follows is done in the store that has the session.

// Get returns a session; see Store.
func (q *Queue) Get(ctx context.Context, id string) (Session, error) {
	return q.Of(id).Store.Get(ctx, id)
}

// Archive moves a session into the history; see Store.
func (q *Queue) Archive(ctx context.Context, s Session) error {
	return q.Of(s.ID).Store.Archive(ctx, s)
}

// Drafts returns a session's drafts; see Store.
func (q *Queue) Drafts(ctx context.Context, id string) ([]Draft, error) {
	return q.Of(id).Store.Drafts(ctx, id)
}

// SaveDraft keeps a draft; see Store.
func (q *Queue) SaveDraft(ctx context.Context, d Draft) error {
	return q.Of(d.Session).Store.SaveDraft(ctx, d)
}

// DropDraft removes one instance's draft; see Store.
func (q *Queue) DropDraft(ctx context.Context, id, instance string) error {
	return q.Of(id).Store.DropDraft(ctx, id, instance)
}
