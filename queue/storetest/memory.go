package storetest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/choicetui/choicetui/queue"
)

var _ queue.Store = (*Memory)(nil)

// Memory is a queue.Store for tests. It keeps sessions as JSON, so that it shares nothing with the caller and loses
// the same fields as a real store.
type Memory struct {
	Now func() time.Time // clock for the age of drafts; set before use

	mu       sync.Mutex
	live     map[string][]byte
	done     map[string][]byte // by archive name
	drafts   map[draftKey]queue.Draft
	present  map[*queue.Presence]bool
	watchers map[*memoryWatcher]bool
}

// draftKey identifies a draft.
type draftKey struct{ session, instance string }

// NewMemory returns an empty store.
func NewMemory() *Memory {
	return &Memory{Now: time.Now,
		live: map[string][]byte{}, done: map[string][]byte{}, drafts: map[draftKey]queue.Draft{},
		present: map[*queue.Presence]bool{}, watchers: map[*memoryWatcher]bool{},
	}
}

// Create stores a new session at revision 1.
func (m *Memory) Create(ctx context.Context, s queue.Session) (queue.Session, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return queue.Session{}, err
	}
	if !queue.ValidID(s.ID) {
		return queue.Session{}, fmt.Errorf("failed to keep a session: %q is not a session id", s.ID)
	}
	if m.live[s.ID] != nil {
		return queue.Session{}, queue.ErrExists
	}
	s.Revision = 1
	if err := m.keepLive(s); err != nil {
		return queue.Session{}, err
	}
	return s, nil
}

// Get returns the live session, else the archived one.
func (m *Memory) Get(ctx context.Context, id string) (queue.Session, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return queue.Session{}, err
	}
	raw := m.live[id]
	if raw == nil {
		raw = m.newestArchived(id)
	}
	if raw == nil {
		return queue.Session{}, queue.ErrNotFound
	}
	return decodeSession(raw)
}

// Put writes if the stored revision still is s.Revision.
func (m *Memory) Put(ctx context.Context, s queue.Session) (queue.Session, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return queue.Session{}, err
	}
	if m.live[s.ID] == nil {
		if raw := m.newestArchived(s.ID); raw != nil {
			if old, _ := decodeSession(raw); old.Revision != s.Revision {
				return queue.Session{}, queue.ErrConflict
			}
		}
		return queue.Session{}, queue.ErrNotFound
	}
	switch now, err := decodeSession(m.live[s.ID]); {
	case err != nil:
		return queue.Session{}, err
	case s.Schema > queue.Schema:
		return queue.Session{}, queue.ErrNewer
	case now.Revision != s.Revision:
		return queue.Session{}, queue.ErrConflict
	case now.Closed():
		return queue.Session{}, queue.ErrFinal
	}
	s.Revision++
	if err := m.keepLive(s); err != nil {
		return queue.Session{}, err
	}
	return s, nil
}

// keepLive stores a live session and wakes the watchers.
func (m *Memory) keepLive(s queue.Session) error {
	s.Schema = queue.Schema
	raw, _ := json.Marshal(s) // plain data
	if err := queue.CheckSize(len(raw)); err != nil {
		return err
	}
	m.live[s.ID] = raw
	m.ringWatchers(func(w *memoryWatcher) { w.sessions[s.ID] = true })
	return nil
}

// decodeSession decodes a stored session. For a newer schema it returns the known fields, beside queue.ErrNewer.
func decodeSession(raw []byte) (s queue.Session, err error) {
	if err := json.Unmarshal(raw, &s); err != nil {
		return s, fmt.Errorf("failed to read a session: %w", err)
	}
	if s.Schema > queue.Schema {
		return s, queue.ErrNewer
	}
	return s, nil
}

// Sync fails with the error of Get and does nothing else, since memory cannot be made more durable.
func (m *Memory) Sync(ctx context.Context, id string) error {
	_, err := m.Get(ctx, id)
	return err
}

// Archive moves a Final session out of the live ones.
func (m *Memory) Archive(ctx context.Context, s queue.Session) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	raw := m.live[s.ID]
	if raw == nil {
		if m.newestArchived(s.ID) == nil {
			return queue.ErrNotFound
		}
		return nil
	}
	now, err := decodeSession(raw)
	if err != nil {
		return err
	}
	if !now.Final {
		return queue.ErrPending
	}
	m.done[doneName(now)] = raw
	delete(m.live, s.ID)
	m.ringWatchers(func(w *memoryWatcher) { w.sessions[s.ID] = true })
	return nil
}

// Lose forgets a live session, like a store whose directory was removed.
func (m *Memory) Lose(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.live, id)
	m.ringWatchers(func(w *memoryWatcher) { w.sessions[id] = true })
}

// doneName returns the name of a session in the history.
func doneName(s queue.Session) string {
	return fmt.Sprintf("%013d-%s", s.SettledAt().UnixMilli(), s.ID)
}

// newestArchived returns the newest session with an id in the history.
func (m *Memory) newestArchived(id string) []byte {
	newest := ""
	for name := range m.done {
		if strings.HasSuffix(name, "-"+id) {
			newest = max(newest, name)
		}
	}
	return m.done[newest]
}

// Live returns every live session.
func (m *Memory) Live(ctx context.Context) ([]queue.Session, []queue.Broken, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []queue.Session
	for _, raw := range m.live {
		s, err := decodeSession(raw)
		if err != nil && !errors.Is(err, queue.ErrNewer) {
			return nil, nil, err
		}
		all = append(all, s)
	}
	return all, nil, ctx.Err()
}

// CountHistory counts the archived sessions.
func (m *Memory) CountHistory(ctx context.Context) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.done), ctx.Err()
}

// History pages through archived sessions, newest first.
func (m *Memory) History(ctx context.Context, cursor string, limit int,
	fields queue.Fields) (page []queue.Session, next string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, "", err
	}
	var names []string
	for name := range m.done {
		if cursor == "" || name < cursor {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(b, a) })
	for i, name := range names {
		if i == max(limit, 1) {
			return page, names[i-1], nil
		}
		s, err := decodeSession(m.done[name])
		if err != nil {
			return nil, "", err
		}
		if fields == queue.Outline {
			s = s.Outline()
		}
		page = append(page, s)
	}
	return page, "", nil
}

// SaveDraft keeps the latest draft per session and instance.
func (m *Memory) SaveDraft(ctx context.Context, d queue.Draft) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := queue.CheckDraftName(d); err != nil {
		return err
	}
	if d.At.IsZero() {
		d.At = m.Now().UTC()
	}
	k := draftKey{d.Session, d.Instance}
	m.drafts[k] = d
	m.ringWatchers(func(w *memoryWatcher) { w.drafts[k] = true })
	return nil
}

// Drafts returns a session's drafts, newest first.
func (m *Memory) Drafts(ctx context.Context, id string) ([]queue.Draft, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var drafts []queue.Draft
	for _, d := range m.drafts {
		if d.Session == id && m.Now().Sub(d.At) <= queue.KeptFor {
			drafts = append(drafts, d)
		}
	}
	queue.SortDrafts(drafts)
	return drafts, ctx.Err()
}

// DropDraft removes one instance's draft.
func (m *Memory) DropDraft(ctx context.Context, id, instance string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	delete(m.drafts, draftKey{id, instance})
	return nil
}

// Announce registers a running process until release is called.
func (m *Memory) Announce(ctx context.Context, p queue.Presence) (func() error, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	key := &p
	m.present[key] = true
	m.ringWatchers(func(w *memoryWatcher) { w.presence = true })
	return func() error {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.present[key] {
			delete(m.present, key)
			m.ringWatchers(func(w *memoryWatcher) { w.presence = true })
		}
		return nil
	}, nil
}

// Present lists the running processes that have one of the roles, or all without roles.
func (m *Memory) Present(ctx context.Context, roles ...string) ([]queue.Presence, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []queue.Presence
	for p := range m.present {
		if p.In(roles) {
			all = append(all, *p)
		}
	}
	queue.SortPresences(all)
	return all, ctx.Err()
}

// Watch reports the given sessions, or with no ids all live ones.
func (m *Memory) Watch(ctx context.Context, news queue.News, ids ...string) (queue.Watcher, error) {
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

// ringWatchers calls mark for each watcher, to note a change there, and wakes the watcher.
func (m *Memory) ringWatchers(mark func(*memoryWatcher)) {
	for w := range m.watchers {
		mark(w)
		select {
		case w.bell <- struct{}{}:
		default:
		}
	}
}

// memoryWatcher keeps the ids that changed, not the changes. The store's mutex guards everything except bell and
// closed.
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
		if ch, any := w.gatherChanges(); any {
			return ch, nil
		}
		select {
		case <-ctx.Done():
		case <-w.closed:
		case <-w.bell:
		}
	}
}

// gatherChanges returns the changes since the last call. any is false if there are none.
func (w *memoryWatcher) gatherChanges() (ch queue.Changes, any bool) {
	w.store.mu.Lock()
	defer w.store.mu.Unlock()
	for id := range w.sessions {
		w.lookAt(id, &ch)
	}
	for k := range w.drafts {
		d, there := w.store.drafts[k]
		if there && w.watchesID(k.session) && w.store.Now().Sub(d.At) <= queue.KeptFor {
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

// lookAt adds the present state of a session to the changes, if the reader does not know it.
func (w *memoryWatcher) lookAt(id string, ch *queue.Changes) {
	if !w.watchesID(id) {
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
	if s, _ := decodeSession(raw); s.Revision > w.known[id] {
		w.known[id] = s.Revision
		ch.Sessions = append(ch.Sessions, s)
	}
}

func (w *memoryWatcher) watchesID(id string) bool {
	return len(w.only) == 0 || slices.Contains(w.only, id)
}

func (w *memoryWatcher) Close() error {
	w.store.mu.Lock()
	defer w.store.mu.Unlock()
	if w.store.watchers[w] {
		delete(w.store.watchers, w)
		close(w.closed)
	}
	return nil
}

// Glance returns a context under which one call of a Memory watcher's Next reports the existing changes, or returns
// at once if there are none. A test that drives everything by hand then neither sleeps nor misses a change on a busy
// machine.
func Glance() context.Context { return &glance{Context: context.Background()} }

// glance is the context of Glance.
type glance struct {
	context.Context
	looked bool
}

var over = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// Done returns a channel that is closed from the start. Next checks it last.
func (g *glance) Done() <-chan struct{} { return over }

// Err returns nil the first time, so that Next looks for changes before it ends.
func (g *glance) Err() error {
	if g.looked {
		return context.Canceled
	}
	g.looked = true
	return nil
}
