package storetest

import (
	"context"
	"fmt"
	"io/fs"
	"slices"

	"github.com/choicetui/choicetui/queue"
)

// Watch reports the given sessions, or with no ids all live ones.
func (m *Memory) Watch(ctx context.Context, ids ...string) (queue.Watcher, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w := &memoryWatcher{
		store: m, only: ids, sessions: map[string]bool{}, drafts: map[draftKey]bool{}, known: map[string]uint64{},
		first: true, bell: make(chan struct{}, 1), closed: make(chan struct{}),
	}
	for id := range m.live {
		w.sessions[id] = true
	}
	for k := range m.drafts {
		w.drafts[k] = true
	}
	for _, id := range ids {
		w.sessions[id] = true
	}
	m.watchers[w] = true
	return w, nil
}

func (m *Memory) ring(mark func(*memoryWatcher)) {
	for w := range m.watchers {
		mark(w)
		select {
		case w.bell <- struct{}{}:
		default:
		}
	}
}

// memoryWatcher keeps what changed, not the changes: all but bell and closed is guarded by the store's mutex.
type memoryWatcher struct {
	store    *Memory
	only     []string
	sessions map[string]bool
	drafts   map[draftKey]bool
	known    map[string]uint64
	presence bool
	first    bool
	bell     chan struct{}
	closed   chan struct{}
}

func (w *memoryWatcher) Next(ctx context.Context) (queue.Changes, error) {
	for {
		select {
		case <-w.closed:
			return queue.Changes{}, fmt.Errorf("failed to watch the queue: %w", fs.ErrClosed)
		default:
		}
		if err := ctx.Err(); err != nil {
			return queue.Changes{}, err
		}
		if ch, any := w.gather(); any {
			return ch, nil
		}
		select {
		case <-ctx.Done():
		case <-w.closed:
		case <-w.bell:
		}
	}
}

func (w *memoryWatcher) gather() (ch queue.Changes, any bool) {
	w.store.mu.Lock()
	defer w.store.mu.Unlock()
	for id := range w.sessions {
		w.look(id, &ch)
	}
	for k := range w.drafts {
		d, there := w.store.drafts[k]
		if there && w.wants(k.session) && w.store.Now().Sub(d.At) <= queue.KeptFor {
			ch.Drafts = append(ch.Drafts, d)
		}
	}
	ch.Presence = w.presence || w.first
	any = ch.Presence || len(ch.Sessions)+len(ch.Drafts)+len(ch.Gone) > 0
	clear(w.sessions)
	clear(w.drafts)
	w.presence, w.first = false, false
	return ch, any
}

func (w *memoryWatcher) look(id string, ch *queue.Changes) {
	if !w.wants(id) {
		return
	}
	_, seen := w.known[id]
	raw := w.store.live[id]
	if raw == nil {
		if seen || w.first {
			delete(w.known, id)
			ch.Gone = append(ch.Gone, id)
		}
		return
	}
	if s, _ := decode(raw); s.Revision > w.known[id] {
		w.known[id] = s.Revision
		ch.Sessions = append(ch.Sessions, s)
	}
}

func (w *memoryWatcher) wants(id string) bool { return len(w.only) == 0 || slices.Contains(w.only, id) }

func (w *memoryWatcher) Close() error {
	w.store.mu.Lock()
	defer w.store.mu.Unlock()
	if w.store.watchers[w] {
		delete(w.store.watchers, w)
		close(w.closed)
	}
	return nil
}
