package spool

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
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

// Follow is Watch, since in a directory a watch costs nobody else anything, but for who dies: agents do not ask for it.
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

// drainEvents takes what is there already, so that a burst is one batch.
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

// rebuildTree is for a tree that was removed or moved under us.
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

// listing is a watched directory as it was when it was last listed. Its mtime says whether names came or went since,
// unless it was so young that a change in the same tick of a coarse clock would not show.
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
