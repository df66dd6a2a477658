package spool

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/choicetui/choicetui/queue"
)

const (
	pollEvery   = time.Second
	pollRarely  = 5 * time.Second // beside events that can be trusted
	probeEvery  = 3 * time.Second // between looks who of an older version has died; who comes rings
	rearmEvery  = 30 * time.Second
	turn        = 64   // sessions looked at in one poll, beside events
	turnNoEvent = 1024 // the same when there are no events
	eventBuffer = 1024 // the rest waits in the kernel; if that overflows, all is read again
)

// Follow reports what Watch does, but for who dies: agents do not ask for that. In a directory a watch costs nobody
// else anything.
func (s *Store) Follow(ctx context.Context, ids ...string) (queue.Watcher, error) {
	return s.watch(ctx, false, ids)
}

// errClosed is returned by Next after Close.
var errClosed = fmt.Errorf("failed to watch the queue: %w", fs.ErrClosed)

// Watch reports the given sessions, or with no ids all live ones.
//
//	events ─► mark names dirty ─┐
//	                            ├─► gatherChanges reads each dirty name once ─► Changes
//	poll, once a second ────────┘
//
// All runs in the reader's goroutine, in Next: a slow reader costs nobody, and an idle one wakes once in a few seconds.
func (s *Store) Watch(ctx context.Context, ids ...string) (queue.Watcher, error) {
	return s.watch(ctx, len(ids) == 0, ids)
}

func (s *Store) watch(ctx context.Context, deaths bool, ids []string) (queue.Watcher, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := s.makeTree(); err != nil {
		return nil, err
	}
	now := time.Now()
	w := &watcher{
		store: s, bell: bell{closed: make(chan struct{})}, marked: nothingMarked(), known: nothingKnown(),
		timer: time.NewTimer(pollEvery), due: now.Add(pollEvery), swept: now,
		live:        listing{path: s.path(liveDir)},
		drafted:     listing{path: s.path(draftsDir)},
		present:     listing{path: s.path(presentDir)},
		tellsDeaths: deaths,
	}
	if len(ids) > 0 {
		w.only = map[string]bool{}
		for _, id := range ids {
			w.only[id] = true
		}
	}
	w.armEvents()
	return w, nil
}

// watcher belongs to whoever calls Next; only Close may come from elsewhere.
type watcher struct {
	store       *Store
	only        map[string]bool // nil: all sessions
	tellsDeaths bool            // the reader wants to know at once who dies

	bell
	marked
	known

	timer *time.Timer
	due   time.Time // of the next poll
	order []string  // sessions still to be looked at in turn

	live, drafted, present listing
	armed, swept, probed   time.Time
}

// marked lists the files to read next.
type marked struct {
	dirty       map[string]bool // names in live/
	retry       map[string]bool // of those the ones to read at the next poll: reading failed
	dirtyDrafts map[string]bool // names in drafts/
	presence    bool            // look at present/
	rescan      bool            // look at everything
}

func nothingMarked() marked {
	return marked{dirty: map[string]bool{}, retry: map[string]bool{}, dirtyDrafts: map[string]bool{}}
}

// Next blocks until something changed and returns all of it. It ends with ctx, or with fs.ErrClosed.
func (w *watcher) Next(ctx context.Context) (queue.Changes, error) {
	for {
		if err := w.checkEnd(ctx); err != nil {
			return queue.Changes{}, err
		}
		if ch, any := w.gatherChanges(); any {
			return ch, nil
		}
		if err := w.waitForChange(ctx); err != nil {
			return queue.Changes{}, err
		}
	}
}

func (w *watcher) checkEnd(ctx context.Context) error {
	select {
	case <-w.closed:
		return errClosed
	default:
		return ctx.Err()
	}
}

// Close ends the watch; a Next that blocks returns.
func (w *watcher) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case <-w.closed:
		return nil
	default:
	}
	close(w.closed)
	w.timer.Stop()
	w.silence()
	return nil
}

// armEvents takes a new inotify or kqueue handle and watches the three directories. Without one (there are 128 per
// user) the store is polled, and this is tried again later.
func (w *watcher) armEvents() {
	w.armed, w.rescan = time.Now(), true
	events, err := fsnotify.NewBufferedWatcher(eventBuffer)
	if err == nil {
		for _, l := range w.listings() {
			err = errors.Join(err, events.Add(l.path))
		}
		if err != nil {
			closeEvents(events)
			events = nil
		}
	}
	var deaths func()
	if w.tellsDeaths {
		deaths = sweepDeaths(w.present.path)
	}
	w.replace(events, deaths)
}

// waitForChange returns once something may have changed.
func (w *watcher) waitForChange(ctx context.Context) error {
	var events chan fsnotify.Event
	var failed chan error
	if h := w.handle(); h != nil {
		events, failed = h.Events, h.Errors
	}
	w.timer.Reset(time.Until(w.due))
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-w.closed:
		return errClosed
	case ev, ok := <-events:
		if !ok {
			return w.checkEnd(ctx)
		}
		w.markEvent(ev)
		w.drainEvents(events)
	case err, ok := <-failed:
		if ok && !errors.Is(err, fsnotify.ErrEventOverflow) {
			w.armEvents()
		}
		w.rescan = true
	case <-w.timer.C:
		w.poll(time.Now())
	}
	return nil
}

// drainEvents takes the events that are there already, so that a burst is one batch.
func (w *watcher) drainEvents(events chan fsnotify.Event) {
	for range eventBuffer {
		select {
		case ev, ok := <-events:
			if !ok {
				return
			}
			w.markEvent(ev)
		default:
			return
		}
	}
}

// markEvent notes what an event is about. Which operation it was does not matter: a bare change of attributes of
// live/<id> is the ring of a commit.
func (w *watcher) markEvent(ev fsnotify.Event) {
	dir, name := filepath.Split(ev.Name)
	switch filepath.Clean(dir) {
	case w.live.path:
		if w.only == nil || w.only[name] {
			w.dirty[name] = true
		}
	case w.drafted.path:
		w.dirtyDrafts[name] = true
	case w.present.path:
		w.presence = true
	case w.store.dir:
		if ev.Has(fsnotify.Remove) || ev.Has(fsnotify.Rename) { // a watched directory itself went away
			w.rebuildTree()
		}
	}
}

// rebuildTree makes a tree again that was removed or moved under us.
func (w *watcher) rebuildTree() {
	for _, l := range w.listings() {
		*l = listing{path: l.path}
	}
	w.store.forgetTree()
	if err := w.store.makeTree(); err != nil {
		w.rescan = true // tried again at the next poll, which misses live/
		return
	}
	w.armEvents()
}

func (w *watcher) listings() []*listing { return []*listing{&w.live, &w.drafted, &w.present} }

// poll looks for what events did not tell: it costs the same with 20 sessions and with 10,000.
func (w *watcher) poll(now time.Time) {
	w.due = now.Add(w.pollInterval())
	if now.Sub(w.probed) >= probeEvery || w.handle() == nil || w.missesDeaths() {
		w.probed, w.presence = now, true
	}
	for name := range w.retry {
		w.dirty[name] = true
	}
	clear(w.retry)
	w.markListed(now)
	w.markInTurn(now)
	if w.handle() == nil && now.Sub(w.armed) > rearmEvery {
		w.armEvents()
	}
	if now.Sub(w.swept) > staleAfter {
		w.swept = now
		w.store.sweepTmp(now)
		w.drafted.mark.mtime = 0 // reading the drafts again drops those too old
		clear(w.drafts)
	}
}

// pollInterval returns a second where only polling tells, or somebody waits for one session. Where events come, on a
// local disk, a poll only catches a ring that was lost with the process that should have rung.
func (w *watcher) pollInterval() time.Duration {
	if w.only != nil || len(w.revisions) > 0 && w.missesDeaths() || w.handle() == nil || remote(w.store.dir) {
		return pollEvery
	}
	return pollRarely
}

// missesDeaths reports whether the reader wants to know who dies, and the kernel does not tell.
func (w *watcher) missesDeaths() bool { return w.tellsDeaths && !w.hearsDeaths() }

// markEverything lists everything and marks what the reader may not know.
func (w *watcher) markEverything() {
	w.presence = true
	for _, l := range w.listings() {
		l.mark.mtime = 0
	}
	for id := range w.revisions {
		w.dirty[id] = true
	}
	w.markListed(time.Now())
}

// markListed marks what came or went. With ids given each of them is looked at.
func (w *watcher) markListed(now time.Time) {
	for id := range w.only {
		w.dirty[id] = true
	}
	if names, ok := w.list(&w.live, now); ok && w.only == nil {
		w.markNames(names)
	}
	if names, ok := w.list(&w.drafted, now); ok {
		for _, name := range names {
			w.dirtyDrafts[name] = true
		}
		for name := range w.drafts {
			w.dirtyDrafts[name] = true
		}
	}
	if _, ok := w.list(&w.present, now); ok {
		w.presence = true
	}
}

// markNames marks the sessions listed that the reader does not know, and those it knows that are listed no more.
func (w *watcher) markNames(listed []string) {
	here := make(map[string]bool, len(listed))
	for _, name := range listed {
		here[name] = true
		if _, seen := w.revisions[name]; !seen {
			w.dirty[name] = true
		}
	}
	for name := range w.revisions {
		if !here[name] {
			w.dirty[name] = true
		}
	}
}

// markInTurn marks a few of the sessions the reader knows: a commit whose ring was lost shows up after a round. A stat
// is a tenth of a listing, and an idle dashboard does little else.
func (w *watcher) markInTurn(now time.Time) {
	if w.only != nil {
		return
	}
	if len(w.order) == 0 {
		for id := range w.revisions {
			w.order = append(w.order, id)
		}
	}
	n := turn
	if w.handle() == nil {
		n = turnNoEvent
	}
	n = min(n, len(w.order))
	for _, id := range w.order[:n] {
		// The mark is taken before the listing, so what comes in between shows next time.
		at, err := markOf(w.store.path(liveDir, id))
		if err == nil && at == w.marks[id] && now.UnixNano()-at.mtime > int64(racy) {
			continue
		}
		w.marks[id] = at
		w.dirty[id] = true
	}
	w.order = w.order[n:]
}

// listing holds the state of a watched directory when it was last listed. Its mtime says whether names came or went
// since, unless it was so young that a change in the same tick of a coarse clock would not show.
type listing struct {
	path string
	mark fileMark
	at   time.Time
}

// list lists a directory if names may have come or gone. A directory that is another one than last time, or is not
// there, was removed under us; of that no event tells while a process holds a file that was in it.
func (w *watcher) list(l *listing, now time.Time) (names []string, ok bool) {
	mark, err := markOf(l.path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && l.mark.ino != 0 && l.mark.ino != mark.ino:
		w.rebuildTree()
		return nil, false
	case err != nil, mark == l.mark && l.at.UnixNano()-mark.mtime > int64(racy):
		return nil, false
	}
	if names, err = readNames(l.path); err != nil {
		return nil, false
	}
	l.mark, l.at = mark, now
	return names, true
}

// bell reports the kernel's events.
type bell struct {
	mu     sync.Mutex
	events *fsnotify.Watcher // nil: not available, the store is polled
	deaths func()            // ends what sweepDeaths began; nil: deaths are looked for
	closed chan struct{}
}

// handle returns the source of the events; nil: events are not available.
func (b *bell) handle() *fsnotify.Watcher {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.events
}

// hearsDeaths reports whether the kernel tells who dies.
func (b *bell) hearsDeaths() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.deaths != nil
}

// replace takes other handles, nil where they are not available, and closes the old ones.
func (b *bell) replace(events *fsnotify.Watcher, deaths func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.silence()
	b.events, b.deaths = events, deaths
	select {
	case <-b.closed: // Close came between
		b.silence()
	default:
	}
}

// silence closes the handles; the caller holds mu.
func (b *bell) silence() {
	closeEvents(b.events)
	if b.deaths != nil {
		b.deaths()
		b.deaths = nil
	}
}

// closeEvents closes a handle without waiting: the kernel takes some 10 ms to let go of an inotify instance, and a
// caller who closes its watch has an answer to pass on.
func closeEvents(events *fsnotify.Watcher) {
	if events != nil {
		go func() { _ = events.Close() }()
	}
}

// known records what the reader of a watch has been told, so that it is told nothing twice.
type known struct {
	revisions map[string]uint64
	refused   map[string]bool     // names that could not even be set aside
	marks     map[string]fileMark // of live/<id> when last looked at in turn
	drafts    map[string]fileMark
	holders   []string // files in present/ that are held
	first     bool     // nothing yet: the first batch is due even if empty
	degraded  bool     // that there are no events
}

func nothingKnown() known {
	return known{
		revisions: map[string]uint64{}, refused: map[string]bool{},
		marks: map[string]fileMark{}, drafts: map[string]fileMark{}, first: true,
	}
}

func (k *known) forgetSession(name string) {
	delete(k.revisions, name)
	delete(k.marks, name)
}

// gatherChanges reads everything that is marked. any is false if there is nothing to tell.
func (w *watcher) gatherChanges() (ch queue.Changes, any bool) {
	if w.rescan {
		w.rescan = false
		w.markEverything()
	}
	b := batch{watcher: w}
	names := slices.Sorted(maps.Keys(w.dirty))
	b.Sessions = slices.Grow(b.Sessions, len(names))
	for i, found := range w.readAll(names) {
		b.addSession(names[i], found)
	}
	clear(w.dirty)
	for _, name := range slices.Sorted(maps.Keys(w.dirtyDrafts)) {
		b.addDraft(name)
	}
	clear(w.dirtyDrafts)
	if w.presence {
		w.presence = false
		b.addPresence()
	}
	ch = b.Changes
	ch.Degraded = w.handle() == nil
	any = w.first || w.degraded != ch.Degraded || ch.Presence ||
		len(ch.Sessions)+len(ch.Drafts)+len(ch.Gone)+len(ch.Broken) > 0
	ch.Presence = ch.Presence || w.first
	w.first, w.degraded = false, ch.Degraded
	return ch, any
}

// batch gathers the changes for one Next.
type batch struct {
	*watcher
	queue.Changes
}

// addSession tells of a session if it is newer than what the reader knows.
func (b *batch) addSession(name string, found reading) {
	if !queue.ValidID(name) {
		b.removeForeign(name)
		return
	}
	has, seen := b.revisions[name]
	v, err := found.session, found.err
	if err == nil && found.top <= has {
		return
	}
	switch bad, isBad := unreadableReason(err); {
	case err == nil, errors.Is(err, queue.ErrNewer):
		if v.Revision > has {
			b.revisions[name] = v.Revision
			b.Sessions = append(b.Sessions, v)
		}
	case errors.Is(err, fs.ErrNotExist):
		b.addGone(name, seen)
	case isBad:
		b.refuseSession(name, bad)
	default: // too many open files, a disk error: not the session's fault
		b.retry[name] = true
	}
}

// removeForeign sets aside what is no session. Hidden names are the system's (.DS_Store, .nfs…) and stay.
func (b *batch) removeForeign(name string) {
	if b.only != nil || strings.HasPrefix(name, ".") || b.refused[name] {
		return
	}
	if _, err := markOf(b.store.path(liveDir, name)); err != nil {
		return
	}
	if moved, ok := b.store.setAside(liveDir, name, "is no session of this queue"); ok {
		b.Broken = append(b.Broken, moved)
		b.refused[name] = moved.MovedTo == ""
	}
}

func (b *batch) addDraft(name string) {
	id, _, ok := parseDraft(name)
	if b.only != nil && (!ok || !b.only[id]) {
		return
	}
	at, err := markOf(b.store.path(draftsDir, name))
	if err != nil {
		delete(b.drafts, name)
		return
	}
	if b.drafts[name] == at || strings.HasPrefix(name, ".") {
		return
	}
	b.drafts[name] = at
	d, err := b.store.readDraft(name)
	if !ok {
		err = unreadablef("is no draft of this queue")
	}
	switch bad, isBad := unreadableReason(err); {
	case err == nil:
		b.Drafts = append(b.Drafts, d)
	case isBad:
		if moved, ok := b.store.setAside(draftsDir, name, bad); ok {
			b.Broken = append(b.Broken, moved)
		}
	case !errors.Is(err, fs.ErrNotExist):
		delete(b.drafts, name) // read again when the directory is listed next
		b.drafted.mark.mtime = 0
	}
}

func (b *batch) addPresence() {
	b.store.restorePresence()
	holders, err := b.store.heldNames()
	if err != nil || slices.Equal(holders, b.holders) {
		return
	}
	b.holders = holders
	b.Presence = true
}

// addGone tells of a session that is not live any more, and why. Of a session asked for by id it is news that it
// never was, once.
func (b *batch) addGone(name string, seen bool) {
	if !seen && b.only == nil { // it came and went: somebody quicker may have set it aside
		if moved, ok := b.store.wasSetAside(name); ok {
			b.Broken = append(b.Broken, moved)
		}
		return
	}
	if !seen && !(b.only[name] && b.first) {
		return
	}
	b.forgetSession(name)
	b.Gone = append(b.Gone, name)
	if moved, ok := b.store.wasSetAside(name); ok {
		b.Broken = append(b.Broken, moved)
	}
}

// refuseSession sets a session aside. It is in Gone too if the reader has it.
func (b *batch) refuseSession(name, reason string) {
	if b.refused[name] {
		return
	}
	if moved, ok := b.store.setAside(liveDir, name, reason); ok {
		b.Broken = append(b.Broken, moved)
		b.refused[name] = moved.MovedTo == ""
	}
	if _, seen := b.revisions[name]; seen || b.only[name] {
		b.forgetSession(name)
		b.Gone = append(b.Gone, name)
	}
}
