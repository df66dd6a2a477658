package jetstream

import (
	"context"
	"fmt"
	"io/fs"
	"sync"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/choicetui/choicetui/queue"
)

// errClosed is returned by Next after Close.
var errClosed = fmt.Errorf("failed to watch the queue: %w", fs.ErrClosed)

// errLost is returned once by a watch when the connection broke. The watch continues when the connection is back.
var errLost = fmt.Errorf("%w: the connection to the server was lost", queue.ErrUnreachable)

// The feeds of a watcher.
const (
	sessionFeed = iota
	draftFeed
)

// Watch reports the given sessions, or with no ids all live ones, and everybody who comes and goes.
func (s *Store) Watch(ctx context.Context, ids ...string) (queue.Watcher, error) {
	return s.openWatcher(ctx, &watcher{only: ids, registry: s.running.everybody, drafted: true})
}

// Follow is Watch without drafts, and with the dashboards alone of those who come and go.
func (s *Store) Follow(ctx context.Context, ids ...string) (queue.Watcher, error) {
	return s.openWatcher(ctx, &watcher{only: ids, registry: s.running.faces})
}

// openWatcher begins a watch.
//
//	consumers ─► inbox keeps the newest of each key ─► bell ─► Next decodes it ─► Changes
//
// What comes in is kept undecoded, one document a session, so a slow reader costs nobody.
func (s *Store) openWatcher(ctx context.Context, w *watcher) (queue.Watcher, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := w.registry.follow(ctx); err != nil {
		return nil, fmt.Errorf("failed to watch the queue: %w", err)
	}
	w.store, w.known, w.first = s, map[string]knownSession{}, true
	w.inbox = inbox{bell: make(chan struct{}, 1), news: map[string]news{}, drafts: map[string][]byte{}}
	w.life, w.cancel = context.WithCancel(context.Background())
	if err := (follower{link: s.link, sink: w, life: w.life}).start(ctx); err != nil {
		w.cancel()
		return nil, fmt.Errorf("failed to watch the queue: %w", err)
	}
	w.registry.addListener(w)
	return w, nil
}

// watcher belongs to whoever calls Next; Close may come from elsewhere. Its inbox is filled by the feeds.
type watcher struct {
	store    *Store
	only     []string  // none: all sessions
	registry *registry // of those whose coming and going is told
	drafted  bool      // drafts are told
	inbox
	known  map[string]knownSession // what the reader was told; guarded by the inbox's mutex
	first  bool                    // the first batch is due even if it is empty
	life   context.Context         // ends with Close
	cancel context.CancelFunc
}

// knownSession holds the reader's knowledge of a session.
type knownSession struct {
	revision uint64
	final    bool
}

// inbox holds news that came in and was not read yet.
type inbox struct {
	bell chan struct{}

	mu       sync.Mutex
	news     map[string]news   // by key
	drafts   map[string][]byte // by key
	presence bool
	trouble  error           // to be told once
	listed   map[string]bool // keys of sessions that came since everything comes once more; nil: all of it came
	unsynced int             // feeds of which not everything has come; the reader waits for them
}

// news is the newest of one key of the live sessions.
type news struct {
	entry jetstream.KeyValueEntry // nil: it went
	went  bool                    // it went before it came
}

// ring wakes the reader.
func (b *inbox) ring() {
	select {
	case b.bell <- struct{}{}:
	default:
	}
}

// openFeeds opens the watches on sessions and drafts.
func (w *watcher) openFeeds(ctx context.Context) ([]feed, error) {
	sessions, drafts := []string{jetstream.AllKeys}, []string{jetstream.AllKeys}
	if len(w.only) > 0 {
		sessions, drafts = nil, nil
	}
	for _, id := range w.only {
		if queue.ValidID(id) {
			sessions, drafts = append(sessions, id), append(drafts, draftKey(id, "*"))
		}
	}
	if len(sessions) == 0 {
		return nil, nil // none of them can ever be there
	}
	first, err := w.store.openFeed(ctx, pendingShelf, sessions...)
	if err != nil {
		return nil, err
	}
	if !w.drafted || w.store.running.draftless.Load() {
		return []feed{sessionFeed: first}, nil
	}
	second, err := w.store.openFeed(ctx, draftsShelf, drafts...)
	if isRefused(err) { // as it is for an agent: drafts are the people's
		w.store.running.draftless.Store(true) // each refusal is a line in the server's log
		return []feed{sessionFeed: first}, nil
	}
	if err != nil {
		first.stop()
		return nil, err
	}
	return []feed{sessionFeed: first, draftFeed: second}, nil
}

func (w *watcher) begin(feeds int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.unsynced, w.listed = feeds, map[string]bool{}
	if feeds == 0 {
		w.ring()
	}
}

func (w *watcher) take(feed int, e jetstream.KeyValueEntry) {
	w.mu.Lock()
	defer w.mu.Unlock()
	key, gone := e.Key(), e.Operation() != jetstream.KeyValuePut
	switch {
	case feed == draftFeed && !gone:
		w.drafts[key] = e.Value()
	case feed == draftFeed:
		delete(w.drafts, key)
	default:
		old, any := w.news[key]
		one := news{entry: e, went: any && (old.went || old.entry == nil)}
		if gone {
			one = news{went: true}
		} else if w.listed != nil {
			w.listed[key] = true
		}
		w.news[key] = one
	}
	if w.unsynced == 0 {
		w.ring()
	}
}

// synced notes that all of a feed has come. What the reader knows and did not come once more went meanwhile.
func (w *watcher) synced(feed int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if feed == sessionFeed {
		for id := range w.known {
			if !w.listed[id] {
				w.news[id] = news{went: true}
			}
		}
		w.listed = nil
	}
	if w.unsynced--; w.unsynced == 0 {
		w.presence = true // who runs may have changed as well, and the reader learns that it is over
		w.ring()
	}
}

func (w *watcher) lost(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.trouble, w.unsynced = err, 1
	w.ring()
}

// notePresence notes that who runs has changed.
func (w *watcher) notePresence() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.presence = true
	if w.unsynced == 0 {
		w.ring()
	}
}

// Next blocks until something changed and returns all of it. It ends with ctx, or with fs.ErrClosed; that the
// connection was lost it says once, and then waits until it is back.
func (w *watcher) Next(ctx context.Context) (queue.Changes, error) {
	for {
		if err := ctx.Err(); err != nil {
			return queue.Changes{}, err
		}
		if w.life.Err() != nil {
			return queue.Changes{}, errClosed
		}
		got, err := w.empty()
		if err != nil {
			return queue.Changes{}, err
		}
		if ch, any := w.tell(ctx, got); any {
			return ch, nil
		}
		select {
		case <-ctx.Done():
		case <-w.life.Done():
		case <-w.bell:
		}
	}
}

// Close ends the watch; a Next that blocks returns.
func (w *watcher) Close() error {
	w.registry.dropListener(w)
	w.cancel()
	return nil
}
