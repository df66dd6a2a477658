package jetstream

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"sync"
	"time"

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

// Follow reports what Watch does without drafts, and of those who come and go the dashboards alone.
func (s *Store) Follow(ctx context.Context, ids ...string) (queue.Watcher, error) {
	return s.openWatcher(ctx, &watcher{only: ids, registry: s.running.faces})
}

// openWatcher begins a watch.
//
//	consumers ─► inbox keeps the newest of each key ─► bell ─► Next decodes it ─► Changes
//
// Incoming news are kept undecoded, one document a session, so a slow reader costs nobody.
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
	only     []string  // empty: all sessions
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
		return nil, nil // sessions with such ids cannot exist
	}
	first, err := w.store.openFeed(ctx, pendingStream, sessions...)
	if err != nil {
		return nil, err
	}
	if !w.drafted || w.store.running.draftless.Load() {
		return []feed{sessionFeed: first}, nil
	}
	second, err := w.store.openFeed(ctx, draftsStream, drafts...)
	if errors.Is(err, queue.ErrRefused) { // as it is for an agent: drafts are the people's
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

// synced notes that a whole feed has arrived. An entry that the reader knows and that did not arrive again was removed
// meanwhile.
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

// arrived holds the content taken from the inbox. nil: there is nothing to tell yet.
type arrived struct {
	news     map[string]news
	drafts   map[string][]byte
	presence bool
	first    bool
}

// empty takes everything out of the inbox. It returns the watch's trouble as an error, once.
func (w *watcher) empty() (*arrived, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.trouble; err != nil {
		w.trouble = nil
		return nil, err
	}
	if w.unsynced > 0 {
		return nil, nil
	}
	got := &arrived{news: w.news, drafts: w.drafts, presence: w.presence || w.first, first: w.first}
	w.news, w.drafts, w.presence, w.first = map[string]news{}, map[string][]byte{}, false, false
	return got, nil
}

// tell makes a batch of what arrived. any is false if it says nothing that the reader does not know.
func (w *watcher) tell(ctx context.Context, got *arrived) (ch queue.Changes, any bool) {
	if got == nil {
		return ch, false
	}
	for _, key := range slices.Sorted(maps.Keys(got.news)) {
		w.tellSession(ctx, key, got.news[key], &ch)
	}
	if got.first {
		for _, id := range w.only {
			if _, live := w.known[id]; !live && !slices.Contains(ch.Gone, id) {
				ch.Gone = append(ch.Gone, id)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(got.drafts)) {
		if d, ok := decodeDraft(key, got.drafts[key]); ok {
			ch.Drafts = append(ch.Drafts, d)
		}
	}
	ch.Presence = got.presence
	return ch, ch.Presence || len(ch.Sessions)+len(ch.Drafts)+len(ch.Gone)+len(ch.Broken) > 0
}

// tellSession tells of one key if the reader does not know it so.
func (w *watcher) tellSession(ctx context.Context, key string, n news, ch *queue.Changes) {
	was, known := w.known[key]
	switch {
	case n.went && known: // where it came back after that, the reader is told next time
		w.tellGone(ctx, key, was, ch)
		if n.entry != nil {
			w.comeAgain(key, n)
		}
		return
	case n.entry == nil:
		return
	}
	v, bad := w.store.decodeLive(n.entry)
	if bad != nil {
		w.tellBroken(ctx, n, bad.Reason, ch)
		return
	}
	if v.Revision > was.revision {
		w.know(key, knownSession{revision: v.Revision, final: v.Final})
		ch.Sessions = append(ch.Sessions, v)
	}
}

// comeAgain puts a session back into the inbox whose id was used before, unless there are newer news of it.
func (w *watcher) comeAgain(key string, n news) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, newer := w.news[key]; !newer {
		w.news[key] = news{entry: n.entry}
	}
	w.ring()
}

// tellGone tells that a session is not live any more. One that was final went into the history; of any other it may be
// that it was set aside.
func (w *watcher) tellGone(ctx context.Context, key string, was knownSession, ch *queue.Changes) {
	w.unknow(key)
	ch.Gone = append(ch.Gone, key)
	if was.final {
		return
	}
	c, err := w.store.link.begin(ctx)
	if err != nil {
		return
	}
	defer c.cancel()
	if moved, ok := w.store.wasSetAside(c, key); ok {
		ch.Broken = append(ch.Broken, moved)
	}
}

// tellBroken sets aside what is no session. It is in Gone too if the reader has it.
func (w *watcher) tellBroken(ctx context.Context, n news, reason string, ch *queue.Changes) {
	key := n.entry.Key()
	c, err := w.store.link.begin(ctx)
	if err != nil {
		return // everything comes once more when the connection is back
	}
	defer c.cancel()
	if moved, ok := w.store.setAside(c, pendingStream, n.entry, reason); ok {
		ch.Broken = append(ch.Broken, moved)
	}
	if _, known := w.known[key]; known || slices.Contains(w.only, key) {
		w.unknow(key)
		if !slices.Contains(ch.Gone, key) {
			ch.Gone = append(ch.Gone, key)
		}
	}
}

func (w *watcher) know(key string, k knownSession) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.known[key] = k
}

func (w *watcher) unknow(key string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.known, key)
}

// openAgain is the pause after a watch that could not be opened, on a server which is there.
const openAgain = time.Second

// sink takes what a follower reads. Its methods are called one after the other for one feed, and at the same time for
// several.
type sink interface {
	begin(feeds int)                               // everything comes once more, feed by feed
	take(feed int, e jetstream.KeyValueEntry)      // one key as it is now
	synced(feed int)                               // all that was there has come
	lost(err error)                                // nothing comes for a while
	openFeeds(ctx context.Context) ([]feed, error) // opens all of them, or fails
}

// feed holds one open watch on keys of a bucket, until stop is called.
type feed struct {
	updates <-chan jetstream.KeyValueEntry
	stop    func()
}

// follower keeps watches open for as long as its life lasts. The library would continue a watch on its own, but only
// after missing its heartbeats, some 17 s after a server is back; so each watch is made again with the connection.
type follower struct {
	link *link
	sink sink
	life context.Context
}

// start opens the feeds for the first time, whose failure is the caller's, and follows them from then on.
func (f follower) start(ctx context.Context) error {
	lost := f.link.lost()
	feeds, err := f.open(ctx)
	if err != nil {
		return err
	}
	go f.follow(feeds, lost)
	return nil
}

func (f follower) open(ctx context.Context) ([]feed, error) {
	feeds, err := f.sink.openFeeds(ctx)
	if err == nil {
		f.sink.begin(len(feeds))
	}
	return feeds, err
}

func (f follower) follow(feeds []feed, lost <-chan struct{}) {
	for {
		f.pump(feeds, lost)
		if f.life.Err() != nil {
			return
		}
		f.sink.lost(errLost)
		for feeds = nil; feeds == nil; {
			if !f.awaitLink() {
				return
			}
			lost = f.link.lost()
			var err error
			if feeds, err = f.open(f.life); err != nil && f.life.Err() == nil {
				f.sink.lost(err)
				time.Sleep(openAgain)
			}
		}
	}
}

// awaitLink waits until there is a connection. Meanwhile it reports if one side does not let the other in, because that
// needs somebody's help. It returns false when life ends.
func (f follower) awaitLink() bool {
	look := time.NewTicker(openAgain)
	defer look.Stop()
	for said := ""; ; {
		select {
		case <-f.life.Done():
			return false
		case <-f.link.back():
			return true
		case <-look.C:
		}
		if why := f.link.whyBarred(); why != nil && why.Error() != said {
			said = why.Error()
			f.sink.lost(why)
		}
	}
}

// pump hands on what the feeds bring until the connection or a feed is lost, or life ends. Afterwards nothing of these
// feeds comes any more.
func (f follower) pump(feeds []feed, lost <-chan struct{}) {
	ended := make(chan struct{}, len(feeds))
	var all sync.WaitGroup
	for i, one := range feeds {
		all.Go(func() {
			for e := range one.updates {
				if e == nil {
					f.sink.synced(i)
				} else {
					f.sink.take(i, e)
				}
			}
			ended <- struct{}{}
		})
	}
	select {
	case <-lost:
	case <-ended:
	case <-f.life.Done():
	}
	for _, one := range feeds {
		one.stop()
	}
	all.Wait()
}

// openFeed watches keys of one bucket, and makes the bucket if it is missing.
func (p *storage) openFeed(ctx context.Context, name string, keys ...string) (feed, error) {
	c, err := p.link.begin(ctx)
	if err != nil {
		return feed{}, err
	}
	defer c.cancel()
	kv, err := p.bucket(c, name, true)
	if err != nil {
		return feed{}, err
	}
	w, stop, err := p.link.watchKeys(ctx, kv, keys)
	if isGone(err) {
		p.forget()
		return feed{}, errLost // it is made again when it is opened next
	}
	if err != nil {
		return feed{}, c.explain(err)
	}
	return feed{updates: w.Updates(), stop: stop}, nil
}
