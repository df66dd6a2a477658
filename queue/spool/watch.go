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
	pollEvery   = time.Second      // interval of polls without reliable events
	pollRarely  = 5 * time.Second  // interval while events are reliable
	probeEvery  = 3 * time.Second  // interval of looks for dead processes
	rearmEvery  = 30 * time.Second // interval of attempts to get events
	checkedFew  = 64               // known sessions checked in one poll, while there are events
	checkedMany = 1024             // known sessions checked in one poll, if there are no events
	eventBuffer = 1024             // further events wait in the kernel; if that overflows, everything is read again
)

// errClosed is returned by Next after Close.
var errClosed = fmt.Errorf("failed to watch the queue: %w", fs.ErrClosed)

// Watch reports the given sessions, or with no ids all live ones.
//
//	events ─► mark names dirty ─┐
//	                            ├─► gatherChanges reads each dirty name once ─► Changes
//	poll, every 1 to 5 s ───────┘
//
// Everything runs in Next, in the reader's goroutine: a slow reader delays nobody, and an idle reader wakes once in a
// few seconds.
func (s *Store) Watch(ctx context.Context, news queue.News, ids ...string) (queue.Watcher, error) {
	tellsDeaths := news == queue.AllNews && len(ids) == 0 // agents need no immediate news of dead processes
	return s.openWatcher(ctx, tellsDeaths, ids)
}

// openWatcher begins a watch. With tellsDeaths, it reports the death of a process at once.
func (s *Store) openWatcher(ctx context.Context, tellsDeaths bool, ids []string) (queue.Watcher, error) {
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
		tellsDeaths: tellsDeaths,
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

// watcher belongs to the goroutine that calls Next. Only Close may be called from another.
type watcher struct {
	store       *Store
	only        map[string]bool // nil: all sessions
	tellsDeaths bool            // deaths of processes are reported at once

	bell
	marked
	known

	timer     *time.Timer
	due       time.Time // time of the next poll
	unchecked []string  // the known sessions that markSome has to check next

	live, drafted, present listing
	armed, swept, probed   time.Time // the last armEvents, sweepTmp, and look for dead processes
}

// marked contains the names of the files to read next.
type marked struct {
	dirty       map[string]bool // names in live/
	retry       map[string]bool // names in live/ that could not be read, for the next poll
	dirtyDrafts map[string]bool // names in drafts/
	presence    bool            // look at present/
	rescan      bool            // look at everything
}

// nothingMarked returns empty lists of names.
func nothingMarked() marked {
	return marked{dirty: map[string]bool{}, retry: map[string]bool{}, dirtyDrafts: map[string]bool{}}
}

// Next blocks until something changed and returns all changes. It ends with ctx, or with fs.ErrClosed.
func (w *watcher) Next(ctx context.Context) (queue.Changes, error) {
	for {
		if err := w.checkEnd(ctx); err != nil {
			return queue.Changes{}, err
		}
		if ch, isNew := w.gatherChanges(); isNew {
			return ch, nil
		}
		if err := w.waitForChange(ctx); err != nil {
			return queue.Changes{}, err
		}
	}
}

// checkEnd returns the error with which Next has to end, or nil.
func (w *watcher) checkEnd(ctx context.Context) error {
	select {
	case <-w.closed:
		return errClosed
	default:
		return w.store.begin(ctx)
	}
}

// Close ends the watch. A blocked Next returns.
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
	w.closeHandles()
	return nil
}

// armEvents opens a new inotify or kqueue handle and watches the three directories. If there is no handle (a user has
// 128), the store is polled, and armEvents is called again later.
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
	w.replaceHandles(events, deaths)
}

// waitForChange returns when something may have changed.
func (w *watcher) waitForChange(ctx context.Context) error {
	var events chan fsnotify.Event
	var failed chan error
	if h := w.eventSource(); h != nil {
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

// drainEvents marks the events that are already there, so that a burst of events becomes one batch.
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

// markEvent marks the name of an event. The operation does not matter: ringWatchers causes a mere change of
// attributes.
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
		if ev.Has(fsnotify.Remove) || ev.Has(fsnotify.Rename) { // a watched directory itself was removed
			w.rebuildTree()
		}
	}
}

// rebuildTree creates the tree again after somebody removed or moved it.
func (w *watcher) rebuildTree() {
	for _, l := range w.listings() {
		*l = listing{path: l.path}
	}
	w.store.forgetTree()
	if err := w.store.makeTree(); err != nil {
		w.rescan = true // the next poll finds live/ missing and tries again
		return
	}
	w.armEvents()
}

func (w *watcher) listings() []*listing { return []*listing{&w.live, &w.drafted, &w.present} }

// poll looks for changes without an event. It costs the same with 20 sessions and with 10,000.
func (w *watcher) poll(now time.Time) {
	w.due = now.Add(w.pollInterval())
	if now.Sub(w.probed) >= probeEvery || w.eventSource() == nil || w.missesDeaths() {
		w.probed, w.presence = now, true
	}
	for name := range w.retry {
		w.dirty[name] = true
	}
	clear(w.retry)
	w.markListed(now)
	w.markSome(now)
	if w.eventSource() == nil && now.Sub(w.armed) > rearmEvery {
		w.armEvents()
	}
	if now.Sub(w.swept) > staleAfter {
		w.swept = now
		w.store.sweepTmp(now)
		w.drafted.state.mtime = 0 // the drafts are listed and read again, which removes those too old
		clear(w.drafts)
	}
}

// pollInterval returns a second if there are no reliable events, or if the reader waits for given sessions. With
// events on a local disk, a poll only finds a change whose writer died before it could wake the watchers.
func (w *watcher) pollInterval() time.Duration {
	if w.only != nil || len(w.revisions) > 0 && w.missesDeaths() || w.eventSource() == nil || isRemote(w.store.dir) {
		return pollEvery
	}
	return pollRarely
}

// missesDeaths reports whether the reader wants to know of deaths that the kernel does not report.
func (w *watcher) missesDeaths() bool { return w.tellsDeaths && !w.hearsDeaths() }

// markEverything lists all directories and marks every name that may have changed.
func (w *watcher) markEverything() {
	w.presence = true
	for _, l := range w.listings() {
		l.state.mtime = 0
	}
	for id := range w.revisions {
		w.dirty[id] = true
	}
	w.markListed(time.Now())
}

// markListed marks the names that were added or removed. Sessions given by id are always marked.
func (w *watcher) markListed(now time.Time) {
	for id := range w.only {
		w.dirty[id] = true
	}
	if names, ok := w.listIfChanged(&w.live, now); ok && w.only == nil {
		w.markNames(names)
	}
	if names, ok := w.listIfChanged(&w.drafted, now); ok {
		for _, name := range names {
			w.dirtyDrafts[name] = true
		}
		for name := range w.drafts {
			w.dirtyDrafts[name] = true
		}
	}
	if _, ok := w.listIfChanged(&w.present, now); ok {
		w.presence = true
	}
}

// markNames marks the listed sessions that the reader does not know, and the known ones that are no longer listed.
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

// markSome checks some of the known sessions, and marks those whose directory changed. After several polls it has
// checked all of them, so a change is found even if no event came. A stat costs a tenth of a listing, and is most of
// the work of an idle dashboard.
func (w *watcher) markSome(now time.Time) {
	if w.only != nil {
		return
	}
	if len(w.unchecked) == 0 {
		for id := range w.revisions {
			w.unchecked = append(w.unchecked, id)
		}
	}
	n := checkedFew
	if w.eventSource() == nil {
		n = checkedMany
	}
	n = min(n, len(w.unchecked))
	for _, id := range w.unchecked[:n] {
		// The state is stored before the session is read, so that the next check finds a change in between.
		state, err := stateOf(w.store.path(liveDir, id))
		if err == nil && state == w.checked[id] && now.UnixNano()-state.mtime > int64(racyAge) {
			continue
		}
		w.checked[id] = state
		w.dirty[id] = true
	}
	w.unchecked = w.unchecked[n:]
}

// listing is the state of a watched directory when it was last listed. If the directory still has that mtime, no names
// were added or removed since, provided that the mtime was older than racyAge then.
type listing struct {
	path  string
	state fileState
	at    time.Time
}

// listIfChanged returns a directory's names if they may have changed. A directory that is missing, or is another one
// than before, was removed by somebody, and then listIfChanged creates the tree again; no event reports this while a
// process holds a file that was in it.
func (w *watcher) listIfChanged(l *listing, now time.Time) (names []string, ok bool) {
	state, err := stateOf(l.path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && l.state.ino != 0 && l.state.ino != state.ino:
		w.rebuildTree()
		return nil, false
	case err != nil, state == l.state && l.at.UnixNano()-state.mtime > int64(racyAge):
		return nil, false
	}
	if names, err = readNames(l.path); err != nil {
		return nil, false
	}
	l.state, l.at = state, now
	return names, true
}

// bell receives the kernel's events.
type bell struct {
	mu     sync.Mutex
	events *fsnotify.Watcher // nil: no events, the store is polled
	deaths func()            // stops sweepDeaths; nil: deaths are found by polling
	closed chan struct{}
}

// eventSource returns the source of events, or nil if there is none.
func (b *bell) eventSource() *fsnotify.Watcher {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.events
}

// hearsDeaths reports whether the kernel reports deaths.
func (b *bell) hearsDeaths() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.deaths != nil
}

// replaceHandles closes the old handles and sets new ones, which may be nil.
func (b *bell) replaceHandles(events *fsnotify.Watcher, deaths func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closeHandles()
	b.events, b.deaths = events, deaths
	select {
	case <-b.closed: // Close was called meanwhile
		b.closeHandles()
	default:
	}
}

// closeHandles closes the handles; the caller holds mu.
func (b *bell) closeHandles() {
	closeEvents(b.events)
	if b.deaths != nil {
		b.deaths()
		b.deaths = nil
	}
}

// closeEvents closes a handle in the background. The kernel needs about 10 ms to free an inotify instance, and the
// caller may have an answer to pass on.
func closeEvents(events *fsnotify.Watcher) {
	if events != nil {
		go func() { _ = events.Close() }()
	}
}

// known records what the reader was told, so that no change is reported twice.
type known struct {
	revisions map[string]uint64
	refused   map[string]bool      // names that could not even be set aside
	checked   map[string]fileState // state of live/<id> at the last check by markSome
	drafts    map[string]fileState // state of each draft that was reported
	holders   []string             // files in present/ that a process has locked
	first     bool                 // nothing was reported yet: the first batch is returned even if it is empty
}

// nothingKnown returns the knowledge of a reader that was told nothing yet.
func nothingKnown() known {
	return known{
		revisions: map[string]uint64{}, refused: map[string]bool{},
		checked: map[string]fileState{}, drafts: map[string]fileState{}, first: true,
	}
}

// forgetSession forgets that the reader knows a session.
func (k *known) forgetSession(name string) {
	delete(k.revisions, name)
	delete(k.checked, name)
}

// gatherChanges reads all marked files. isNew is false if there is nothing to report.
func (w *watcher) gatherChanges() (ch queue.Changes, isNew bool) {
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
	ch.Presence = ch.Presence || w.first // the reader has to ask for the running processes once
	isNew = w.first || ch.Presence ||
		len(ch.Sessions)+len(ch.Drafts)+len(ch.Gone)+len(ch.Broken) > 0
	w.first = false
	return ch, isNew
}

// batch collects the changes for one call of Next.
type batch struct {
	*watcher
	queue.Changes
}

// addSession adds what was found under a name: a session with a newer revision than Next reported last, one that is
// gone, or one that cannot be read. After an error of the machine the name is read again later.
func (b *batch) addSession(name string, found reading) {
	if !queue.ValidID(name) {
		b.removeForeign(name)
		return
	}
	has, seen := b.revisions[name]
	v, err := found.session, found.err
	if err == nil && found.top <= has { // nothing new, so the session was not read
		return
	}
	switch bad, isBad := unreadableReason(err); {
	case err == nil, errors.Is(err, queue.ErrNewer): // if a newer program wrote it, its known fields are shown
		if v.Revision > has {
			b.revisions[name] = v.Revision
			b.Sessions = append(b.Sessions, v)
		}
	case errors.Is(err, fs.ErrNotExist):
		b.addGone(name, seen)
	case isBad:
		b.setSessionAside(name, bad)
	default: // an error of the machine, such as too many open files
		b.retry[name] = true
	}
}

// removeForeign sets aside a file in live/ that is not a session. Hidden names belong to the system (.DS_Store,
// .nfs…) and stay.
func (b *batch) removeForeign(name string) {
	if b.only != nil || strings.HasPrefix(name, ".") || b.refused[name] {
		return
	}
	if _, err := stateOf(b.store.path(liveDir, name)); err != nil {
		return
	}
	if moved, ok := b.store.setAside(liveDir, name, "is not a session of this queue"); ok {
		b.Broken = append(b.Broken, moved)
		b.refused[name] = moved.MovedTo == ""
	}
}

// addDraft adds a draft if its file has changed since the last time. It sets aside a file that is not a draft.
func (b *batch) addDraft(name string) {
	id, _, ok := parseDraft(name)
	if b.only != nil && (!ok || !b.only[id]) {
		return
	}
	state, err := stateOf(b.store.path(draftsDir, name))
	if err != nil {
		delete(b.drafts, name)
		return
	}
	if b.drafts[name] == state || strings.HasPrefix(name, ".") {
		return
	}
	b.drafts[name] = state
	d, err := b.store.readDraft(name)
	if !ok {
		err = unreadablef("is not a draft of this queue")
	}
	switch bad, isBad := unreadableReason(err); {
	case err == nil:
		b.Drafts = append(b.Drafts, d)
	case isBad:
		if moved, ok := b.store.setAside(draftsDir, name, bad); ok {
			b.Broken = append(b.Broken, moved)
		}
	case !errors.Is(err, fs.ErrNotExist):
		delete(b.drafts, name) // the next listing reads it again
		b.drafted.state.mtime = 0
	}
}

// addPresence reports that the running processes changed, if they did. First it restores this process's own files.
func (b *batch) addPresence() {
	b.store.restorePresence()
	holders, err := b.store.heldNames()
	if err != nil || slices.Equal(holders, b.holders) {
		return
	}
	b.holders = holders
	b.Presence = true
}

// addGone reports a session that is no longer live, and why. A session that was requested by id and never was live is
// reported once.
func (b *batch) addGone(name string, seen bool) {
	if !seen && b.only == nil { // it came and went unseen, perhaps because another process set it aside
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

// setSessionAside sets a damaged session aside. If the reader knows the session, it is reported as gone too.
func (b *batch) setSessionAside(name, reason string) {
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
