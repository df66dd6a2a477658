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

// errLost is returned by Next once after the connection broke. The watch continues when the connection is back.
var errLost = fmt.Errorf("%w: the connection to the server was lost", queue.ErrUnreachable)

// Indices of a watcher's feeds.
const (
	sessionFeed = iota
	draftFeed
)

// Watch reports the given sessions, or with no ids all live ones. With FewNews it reports no drafts, and of the running
// processes only dashboards.
func (s *Store) Watch(ctx context.Context, news queue.News, ids ...string) (queue.Watcher, error) {
	if news == queue.FewNews {
		return s.openWatcher(ctx, &watcher{only: ids, registry: s.running.frontends})
	}
	return s.openWatcher(ctx, &watcher{only: ids, registry: s.running.everybody, drafted: true})
}

// openWatcher begins a watch.
//
//	consumers ─► inbox keeps the newest of each key ─► bell ─► Next decodes it ─► Changes
//
// The inbox keeps one undecoded document per session, so a slow reader delays nobody and needs little memory.
func (s *Store) openWatcher(ctx context.Context, w *watcher) (queue.Watcher, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := w.registry.followBucket(ctx); err != nil {
		return nil, fmt.Errorf("failed to watch the queue: %w", err)
	}
	w.store, w.known, w.first = s, map[string]knownSession{}, true
	w.inbox = inbox{bell: make(chan struct{}, 1), news: map[string]news{}, drafts: map[string][]byte{}}
	w.life, w.cancel = context.WithCancel(context.Background())
	if err := (follower{link: s.link, sink: w, life: w.life}).startFollowing(ctx); err != nil {
		w.cancel()
		return nil, fmt.Errorf("failed to watch the queue: %w", err)
	}
	w.registry.addListener(w)
	return w, nil
}

// watcher belongs to the goroutine that calls Next; Close may be called from another. The feeds fill its inbox.
type watcher struct {
	store    *Store
	only     []string  // empty: all sessions
	registry *registry // processes whose changes are reported
	drafted  bool      // drafts are reported
	inbox
	known  map[string]knownSession // sessions as last reported; guarded by the inbox's mutex
	first  bool                    // the first batch is due even if it is empty
	life   context.Context         // ends with Close
	cancel context.CancelFunc
}

// knownSession is the reader's knowledge of a session.
type knownSession struct {
	revision uint64
	final    bool
}

// inbox contains the changes that arrived and were not read yet.
type inbox struct {
	bell chan struct{}

	mu       sync.Mutex
	news     map[string]news   // by key
	drafts   map[string][]byte // by key
	presence bool
	trouble  error           // error for the next call of Next
	listed   map[string]bool // keys of sessions that arrived since the feed was opened again; nil: all have arrived
	unsynced int             // number of feeds that have not arrived completely; the reader waits for them
}

// news is the newest change of one key of the live sessions.
type news struct {
	entry jetstream.KeyValueEntry // nil: the key was removed, and went is set
	went  bool                    // the key was removed; with an entry, it was used again afterwards
}

// ring wakes the reader.
func (b *inbox) ring() {
	select {
	case b.bell <- struct{}{}:
	default:
	}
}

// openFeeds opens the watches on sessions and drafts. It leaves out the drafts if these credentials may not read them,
// and both if no session can have one of the ids.
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
		return nil, nil
	}
	first, err := w.store.openFeed(ctx, pendingStream, sessions...)
	if err != nil {
		return nil, err
	}
	if !w.drafted || w.store.running.draftless.Load() {
		return []feed{sessionFeed: first}, nil
	}
	second, err := w.store.openFeed(ctx, draftsStream, drafts...)
	if errors.Is(err, queue.ErrRefused) { // an agent's credentials may not read people's drafts
		w.store.running.draftless.Store(true) // not asked again, because each refusal is a line in the server's log
		return []feed{sessionFeed: first}, nil
	}
	if err != nil {
		first.stop()
		return nil, err
	}
	return []feed{sessionFeed: first, draftFeed: second}, nil
}

// beginFeeds, like takeEntry, feedSynced and feedsLost, implements sink.
func (w *watcher) beginFeeds(feeds int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.unsynced, w.listed = feeds, map[string]bool{}
	if feeds == 0 {
		w.ring()
	}
}

func (w *watcher) takeEntry(feed int, e jetstream.KeyValueEntry) {
	w.mu.Lock()
	defer w.mu.Unlock()
	key, removed := e.Key(), e.Operation() != jetstream.KeyValuePut
	switch {
	case feed == draftFeed && removed:
		delete(w.drafts, key)
	case feed == draftFeed:
		w.drafts[key] = e.Value()
	case removed:
		w.news[key] = news{went: true}
	default:
		w.news[key] = news{entry: e, went: w.news[key].went}
		if w.listed != nil {
			w.listed[key] = true
		}
	}
	if w.unsynced == 0 {
		w.ring()
	}
}

// feedSynced records that a whole feed has arrived. A session that the reader knows and that did not arrive again was
// removed meanwhile.
func (w *watcher) feedSynced(feed int) {
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
		w.presence = true // the running processes may have changed too, and the reader learns that the watch continues
		w.ring()
	}
}

func (w *watcher) feedsLost(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.trouble, w.unsynced = err, 1 // the reader gets the error, and then waits for the feeds of the next beginFeeds
	w.ring()
}

// notePresence records that the running processes changed.
func (w *watcher) notePresence() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.presence = true
	if w.unsynced == 0 {
		w.ring()
	}
}

// Next blocks until something changed and returns all changes. It ends with ctx, or with fs.ErrClosed. A lost
// connection is reported once; then Next waits until it is back.
func (w *watcher) Next(ctx context.Context) (queue.Changes, error) {
	for {
		if err := ctx.Err(); err != nil {
			return queue.Changes{}, err
		}
		if w.life.Err() != nil {
			return queue.Changes{}, errClosed
		}
		got, err := w.emptyInbox()
		if err != nil {
			return queue.Changes{}, err
		}
		if ch, isNew := w.makeBatch(ctx, got); isNew {
			return ch, nil
		}
		select {
		case <-ctx.Done():
		case <-w.life.Done():
		case <-w.bell:
		}
	}
}

// Close ends the watch. A blocked Next returns.
func (w *watcher) Close() error {
	w.registry.dropListener(w)
	w.cancel()
	return nil
}

// arrived is the content taken from the inbox.
type arrived struct {
	news     map[string]news
	drafts   map[string][]byte
	presence bool
	first    bool
}

// emptyInbox takes everything out of the inbox; nil means that the feeds have not arrived yet. It returns the watch's
// trouble as an error, once.
func (w *watcher) emptyInbox() (*arrived, error) {
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

// makeBatch makes a batch of the content of the inbox. isNew is false if the reader knows all of it.
func (w *watcher) makeBatch(ctx context.Context, got *arrived) (ch queue.Changes, isNew bool) {
	if got == nil {
		return ch, false
	}
	for _, key := range slices.Sorted(maps.Keys(got.news)) {
		w.reportSession(ctx, key, got.news[key], &ch)
	}
	if got.first { // a requested session that is not live is reported too
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

// reportSession adds the newest change of one session to the batch: its new revision, its removal, or that it cannot be
// read. It adds nothing if the reader knows all of that.
func (w *watcher) reportSession(ctx context.Context, key string, n news, ch *queue.Changes) {
	was, known := w.known[key]
	switch {
	case n.went && known: // if the session came back, the next batch says so
		w.reportGone(ctx, key, was, ch)
		if n.entry != nil {
			w.keepForNext(key, n)
		}
		return
	case n.entry == nil:
		return
	}
	v, bad := w.store.decodeLive(n.entry)
	if bad != nil {
		w.reportBroken(ctx, n, bad.Reason, ch)
		return
	}
	if v.Revision > was.revision {
		w.keepKnown(key, knownSession{revision: v.Revision, final: v.Final})
		ch.Sessions = append(ch.Sessions, v)
	}
}

// keepForNext puts a session that was removed and came back into the inbox again, so that the next batch reports it. It
// does nothing if a newer change of the session arrived.
func (w *watcher) keepForNext(key string, n news) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, newer := w.news[key]; !newer {
		w.news[key] = news{entry: n.entry}
	}
	w.ring()
}

// reportGone reports a session that is no longer live. A final session went into the history. Any other may have been
// set aside, and then it is reported as broken too.
func (w *watcher) reportGone(ctx context.Context, key string, was knownSession, ch *queue.Changes) {
	w.dropKnown(key)
	ch.Gone = append(ch.Gone, key)
	if was.final {
		return
	}
	c, err := w.store.link.beginCall(ctx)
	if err != nil {
		return
	}
	defer c.cancel()
	if moved, ok := w.store.wasSetAside(c, key); ok {
		ch.Broken = append(ch.Broken, moved)
	}
}

// reportBroken sets aside a document that is not a session. If the reader knows the session, it is reported as gone
// too.
func (w *watcher) reportBroken(ctx context.Context, n news, reason string, ch *queue.Changes) {
	key := n.entry.Key()
	c, err := w.store.link.beginCall(ctx)
	if err != nil {
		return // all keys arrive again when the connection is back
	}
	defer c.cancel()
	if moved, ok := w.store.setAside(c, pendingStream, n.entry, reason); ok {
		ch.Broken = append(ch.Broken, moved)
	}
	if _, known := w.known[key]; known || slices.Contains(w.only, key) {
		w.dropKnown(key)
		if !slices.Contains(ch.Gone, key) {
			ch.Gone = append(ch.Gone, key)
		}
	}
}

func (w *watcher) keepKnown(key string, k knownSession) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.known[key] = k
}

func (w *watcher) dropKnown(key string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.known, key)
}

// openAgain is the pause after a failed attempt to open a watch while the server is connected.
const openAgain = time.Second

// sink receives the entries that a follower reads. Calls for one feed come one after the other; calls for different
// feeds may come at the same time.
type sink interface {
	beginFeeds(feeds int)                          // all entries arrive again, feed by feed
	takeEntry(feed int, e jetstream.KeyValueEntry) // the present entry of one key
	feedSynced(feed int)                           // all existing entries of the feed have arrived
	feedsLost(err error)                           // the feeds broke; nothing arrives until beginFeeds
	openFeeds(ctx context.Context) ([]feed, error) // opens all feeds, or fails
}

// feed is one open watch on keys of a bucket.
type feed struct {
	updates <-chan jetstream.KeyValueEntry
	stop    func()
}

// follower keeps a sink's feeds open as long as its life lasts. The library would restore a watch only after missing
// its heartbeats, some 17 s after a server is back; so follower opens each watch again with the connection.
type follower struct {
	link *link
	sink sink
	life context.Context
}

// startFollowing opens the feeds and follows them from then on. It fails if they cannot be opened the first time.
func (f follower) startFollowing(ctx context.Context) error {
	lost := f.link.whenLost()
	feeds, err := f.openAll(ctx)
	if err != nil {
		return err
	}
	go f.followFeeds(feeds, lost)
	return nil
}

// openAll opens all feeds of the sink.
func (f follower) openAll(ctx context.Context) ([]feed, error) {
	feeds, err := f.sink.openFeeds(ctx)
	if err == nil {
		f.sink.beginFeeds(len(feeds))
	}
	return feeds, err
}

// followFeeds passes entries on, and opens the feeds again whenever they are lost, until life ends.
func (f follower) followFeeds(feeds []feed, lost <-chan struct{}) {
	for {
		f.pumpFeeds(feeds, lost)
		if f.life.Err() != nil {
			return
		}
		f.sink.feedsLost(errLost)
		for feeds = nil; feeds == nil; {
			if !f.awaitLink() {
				return
			}
			lost = f.link.whenLost()
			var err error
			if feeds, err = f.openAll(f.life); err != nil && f.life.Err() == nil {
				f.sink.feedsLost(err)
				time.Sleep(openAgain)
			}
		}
	}
}

// awaitLink waits until there is a connection; it returns false when life ends. Meanwhile it reports if the server or
// this side refuses the connection, because then somebody has to help.
func (f follower) awaitLink() bool {
	look := time.NewTicker(openAgain)
	defer look.Stop()
	for reported := ""; ; {
		select {
		case <-f.life.Done():
			return false
		case <-f.link.whenBack():
			return true
		case <-look.C:
		}
		if why := f.link.whyBarred(); why != nil && why.Error() != reported {
			reported = why.Error()
			f.sink.feedsLost(why)
		}
	}
}

// pumpFeeds passes on the entries of the feeds until the connection or a feed is lost, or life ends. After its return
// no entry of these feeds arrives.
func (f follower) pumpFeeds(feeds []feed, lost <-chan struct{}) {
	ended := make(chan struct{}, len(feeds))
	var all sync.WaitGroup
	for i, one := range feeds {
		all.Go(func() {
			for e := range one.updates {
				if e == nil {
					f.sink.feedSynced(i)
				} else {
					f.sink.takeEntry(i, e)
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

// openFeed watches keys of one bucket, and creates the bucket if it is missing.
func (p *storage) openFeed(ctx context.Context, name string, keys ...string) (feed, error) {
	c, err := p.link.beginCall(ctx)
	if err != nil {
		return feed{}, err
	}
	defer c.cancel()
	kv, err := p.bucket(c, name, orMake)
	if err != nil {
		return feed{}, err
	}
	w, stop, err := p.link.watchKeys(ctx, kv, keys)
	if isGone(err) {
		p.forgetOpened()
		return feed{}, errLost // the bucket is created again when it is opened next
	}
	if err != nil {
		return feed{}, c.explain(err)
	}
	return feed{updates: w.Updates(), stop: stop}, nil
}
