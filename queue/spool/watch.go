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
	probeEvery  = 3 * time.Second // between looks who has died; who comes rings
	rearmEvery  = 30 * time.Second
	turn        = 64   // sessions looked at in one poll, beside events
	turnNoEvent = 1024 // the same when there are no events
	eventBuffer = 1024 // the rest waits in the kernel; if that overflows, all is read again
)

// errClosed is what Next says after Close.
var errClosed = fmt.Errorf("failed to watch the queue: %w", fs.ErrClosed)

// Watch reports the given sessions, or with no ids all live ones. ctx counts for this call only. Sessions asked
// for by id that are not live are in Gone of the first batch; Presence is set in it.
//
//	events ─► mark names dirty ─┐
//	                            ├─► gather reads each dirty name once ─► Changes
//	poll, once a second ────────┘
//
// All runs in the reader's goroutine, in Next: a slow reader costs nobody, and an idle one wakes once a second.
func (s *Store) Watch(ctx context.Context, ids ...string) (queue.Watcher, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := s.prepare(); err != nil {
		return nil, err
	}
	w := &watcher{
		store: s, closed: make(chan struct{}), timer: time.NewTimer(pollEvery), due: time.Now().Add(pollEvery),
		revisions: map[string]uint64{}, dirty: map[string]bool{}, again: map[string]bool{}, refused: map[string]bool{},
		marks:  map[string]fileMark{},
		drafts: map[string]fileMark{}, dirtyDrafts: map[string]bool{}, swept: time.Now(),
		rescan: true, first: true, presence: true,
	}
	if len(ids) > 0 {
		w.only = map[string]bool{}
		for _, id := range ids {
			w.only[id] = true
		}
	}
	w.arm()
	return w, nil
}

// watcher belongs to whoever calls Next; only Close may come from elsewhere.
type watcher struct {
	store *Store
	only  map[string]bool // nil: all sessions

	mu     sync.Mutex
	events *fsnotify.Watcher // nil: none to be had, the store is polled
	closed chan struct{}

	timer *time.Timer
	due   time.Time // of the next poll

	revisions map[string]uint64   // what the reader knows
	dirty     map[string]bool     // names in live/ to read
	again     map[string]bool     // names to read at the next poll: reading failed
	refused   map[string]bool     // names that could not even be set aside, reported once
	order     []string            // sessions still to be looked at in turn
	marks     map[string]fileMark // of live/<id> when last looked at in turn

	drafts      map[string]fileMark
	dirtyDrafts map[string]bool

	holders  []string // files in present/ that are held
	presence bool     // look at present/

	rescan bool // look at everything
	first  bool // the first batch, due even if empty
	told   bool // the reader knows that there are no events

	live, drafted, present dirMark
	armed, swept           time.Time
	probed                 time.Time
}

// Next blocks until something changed and returns all of it. It ends with ctx, or with fs.ErrClosed.
func (w *watcher) Next(ctx context.Context) (queue.Changes, error) {
	for {
		if err := w.over(ctx); err != nil {
			return queue.Changes{}, err
		}
		if ch, any := w.gather(); any {
			return ch, nil
		}
		if err := w.wait(ctx); err != nil {
			return queue.Changes{}, err
		}
	}
}

func (w *watcher) over(ctx context.Context) error {
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
	discard(w.events)
	return nil
}

// discard closes a handle without waiting: the kernel takes some 10 ms to let go of an inotify instance, and a
// caller who closes its watch has an answer to pass on.
func discard(events *fsnotify.Watcher) {
	if events != nil {
		go func() { _ = events.Close() }()
	}
}

// arm takes a new inotify or kqueue handle and watches the three directories. Without one (there are 128 per user)
// the store is polled, and arm tried again later.
func (w *watcher) arm() {
	w.armed, w.rescan = time.Now(), true
	events, err := fsnotify.NewBufferedWatcher(eventBuffer)
	if err == nil {
		for _, sub := range []string{liveDir, draftsDir, presentDir} {
			err = errors.Join(err, events.Add(w.store.path(sub)))
		}
		if err != nil {
			discard(events)
			events = nil
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	discard(w.events)
	w.events = events
	select {
	case <-w.closed: // Close came between
		discard(events)
	default:
	}
}

func (w *watcher) handle() *fsnotify.Watcher {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.events
}

// wait returns once something may have changed.
func (w *watcher) wait(ctx context.Context) error {
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
			return w.over(ctx)
		}
		w.mark(ev)
		w.drain(events)
	case err, ok := <-failed:
		if ok && !errors.Is(err, fsnotify.ErrEventOverflow) {
			w.arm()
		}
		w.rescan = true
	case <-w.timer.C:
		w.poll(time.Now())
	}
	return nil
}

// drain takes what is there already, so that a burst is one batch.
func (w *watcher) drain(events chan fsnotify.Event) {
	for range eventBuffer {
		select {
		case ev, ok := <-events:
			if !ok {
				return
			}
			w.mark(ev)
		default:
			return
		}
	}
}

// mark notes what an event is about. Which operation it was does not matter: a bare change of attributes of
// live/<id> is the ring of a commit.
func (w *watcher) mark(ev fsnotify.Event) {
	dir, name := filepath.Split(ev.Name)
	switch filepath.Clean(dir) {
	case w.store.path(liveDir):
		if w.only == nil || w.only[name] {
			w.dirty[name] = true
		}
	case w.store.path(draftsDir):
		w.dirtyDrafts[name] = true
	case w.store.path(presentDir):
		w.presence = true
	case w.store.dir:
		if ev.Has(fsnotify.Remove) || ev.Has(fsnotify.Rename) { // a watched directory itself went away
			w.rebuild()
		}
	}
}

// rebuild is for a tree that was removed or moved under us.
func (w *watcher) rebuild() {
	w.live, w.drafted, w.present = dirMark{}, dirMark{}, dirMark{}
	w.store.forget()
	if err := w.store.prepare(); err != nil {
		w.rescan = true // tried again at the next poll, which misses live/
		return
	}
	w.arm()
}

// gather reads everything that is marked. any is false if there is nothing to tell.
func (w *watcher) gather() (ch queue.Changes, any bool) {
	if w.rescan {
		w.rescan = false
		w.markAll()
	}
	names := slices.Sorted(maps.Keys(w.dirty))
	for i, found := range w.readAll(names) {
		w.look(names[i], found, &ch)
	}
	clear(w.dirty)
	for _, name := range slices.Sorted(maps.Keys(w.dirtyDrafts)) {
		w.lookDraft(name, &ch)
	}
	clear(w.dirtyDrafts)
	if w.presence {
		w.presence = false
		w.lookPresence(&ch)
	}
	ch.Degraded = w.handle() == nil
	any = w.first || w.told != ch.Degraded || ch.Presence ||
		len(ch.Sessions)+len(ch.Drafts)+len(ch.Gone)+len(ch.Broken) > 0
	ch.Presence = ch.Presence || w.first
	w.first, w.told = false, ch.Degraded
	return ch, any
}

// look reads one session if it is newer than what the reader knows.
func (w *watcher) look(name string, found reading, ch *queue.Changes) {
	if !queue.ValidID(name) {
		w.lookForeign(name, ch)
		return
	}
	known, seen := w.revisions[name]
	v, err := found.session, found.err
	if err == nil && found.top <= known {
		return
	}
	switch bad, isBad := unreadableReason(err); {
	case err == nil, errors.Is(err, queue.ErrNewer):
		if v.Revision > known {
			w.revisions[name] = v.Revision
			ch.Sessions = append(ch.Sessions, v)
		}
	case errors.Is(err, fs.ErrNotExist):
		w.lost(name, seen, ch)
	case isBad:
		w.refuse(name, bad, ch)
	default: // too many open files, a disk error: not the session's fault
		w.again[name] = true
	}
}

// lookForeign sets aside what is no session. Hidden names are the system's (.DS_Store, .nfs…) and stay.
func (w *watcher) lookForeign(name string, ch *queue.Changes) {
	if w.only != nil || strings.HasPrefix(name, ".") || w.refused[name] {
		return
	}
	if _, ok := markOf(w.store.path(liveDir, name)); !ok {
		return
	}
	if b, ok := w.store.setAside(liveDir, name, "is no session of this queue"); ok {
		ch.Broken = append(ch.Broken, b)
		w.refused[name] = b.MovedTo == ""
	}
}

func (w *watcher) lookDraft(name string, ch *queue.Changes) {
	id, _, ok := parseDraft(name)
	if w.only != nil && (!ok || !w.only[id]) {
		return
	}
	at, there := markOf(w.store.path(draftsDir, name))
	if !there {
		delete(w.drafts, name)
		return
	}
	if w.drafts[name] == at || strings.HasPrefix(name, ".") {
		return
	}
	w.drafts[name] = at
	d, err := w.store.readDraft(name)
	if !ok {
		err = badf("is no draft of this queue")
	}
	switch bad, isBad := unreadableReason(err); {
	case err == nil:
		ch.Drafts = append(ch.Drafts, d)
	case isBad:
		if b, ok := w.store.setAside(draftsDir, name, bad); ok {
			ch.Broken = append(ch.Broken, b)
		}
	case !errors.Is(err, fs.ErrNotExist):
		delete(w.drafts, name) // read again when the directory is listed next
		w.drafted = dirMark{}
	}
}

func (w *watcher) lookPresence(ch *queue.Changes) {
	w.store.announceAgain()
	holders, err := w.store.alive()
	if err != nil || slices.Equal(holders, w.holders) {
		return
	}
	w.holders = holders
	ch.Presence = true
}
