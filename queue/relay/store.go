package relay

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// A Link is the store of its host, whose sessions have ids with the host's name in them. What processes on the host do
// themselves is refused.

var _ queue.Decider = (*Link)(nil)

// historyWithin limits the time for which the history waits for the host.
const historyWithin = 2 * time.Second

// Decide makes the host carry out a command, and returns the session as the host left it, with the id and the times
// that it has here.
func (l *Link) Decide(ctx context.Context, id string, c queue.Command) (queue.Session, error) {
	_, own := queue.SplitID(id)
	l.mu.Lock()
	ahead := l.ahead
	l.mu.Unlock()
	o, err := encodeOrder(c, ahead)
	if err != nil {
		return queue.Session{}, err
	}
	return l.sessionOf(l.call(ctx, "command", about{ID: own, Order: o}))
}

// sessionOf returns the session in the result of a request to the host. err is the error of the request.
func (l *Link) sessionOf(raw json.RawMessage, err error) (queue.Session, error) {
	if len(raw) == 0 {
		return queue.Session{}, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	s, bad := l.adoptSession(raw)
	if err == nil {
		err = bad
	}
	return s, err
}

// Get returns a session, live or archived.
func (l *Link) Get(ctx context.Context, id string) (queue.Session, error) {
	_, own := queue.SplitID(id)
	return l.sessionOf(l.call(ctx, "get", about{ID: own}))
}

// Archive moves a session into the host's history.
func (l *Link) Archive(ctx context.Context, s queue.Session) error {
	_, own := queue.SplitID(s.ID)
	_, err := l.call(ctx, "archive", about{ID: own})
	return err
}

// SaveDraft keeps a draft on the host.
func (l *Link) SaveDraft(ctx context.Context, d queue.Draft) error {
	_, d.Session = queue.SplitID(d.Session)
	d.Instance = l.exported(d.Instance)
	l.mu.Lock()
	shiftTimes(reflect.ValueOf(&d), l.ahead)
	l.mu.Unlock()
	_, err := l.call(ctx, "save_draft", about{Draft: d})
	return err
}

// Drafts returns a session's drafts, newest first.
func (l *Link) Drafts(ctx context.Context, id string) ([]queue.Draft, error) {
	_, own := queue.SplitID(id)
	var list, known []queue.Draft
	if err := l.Call(ctx, "drafts", about{ID: own}, &list); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, d := range list {
		if d, ok := l.adoptDraft(d); ok && d.Session == id {
			known = append(known, d)
		}
	}
	return known, nil
}

// DropDraft removes one instance's draft.
func (l *Link) DropDraft(ctx context.Context, id, instance string) error {
	_, own := queue.SplitID(id)
	_, err := l.call(ctx, "drop_draft", about{ID: own, Instance: l.exported(instance)})
	return err
}

// Live returns the host's live sessions as they were last known.
func (l *Link) Live(context.Context) ([]queue.Session, []queue.Broken, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Collect(maps.Values(l.sessions)), nil, nil
}

// Present returns the host's processes as they were last known. While there is no connection nobody counts as dead.
func (l *Link) Present(_ context.Context, roles ...string) (list []queue.Presence, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range l.present {
		if p.In(roles) {
			list = append(list, p)
		}
	}
	return list, nil
}

// CountHistory returns the number of sessions in the host's history. It fails if the host cannot be reached now.
func (l *Link) CountHistory(ctx context.Context) (n int, err error) {
	ctx, cancel := context.WithTimeout(ctx, historyWithin)
	defer cancel()
	err = l.Call(ctx, "count", nil, &n)
	return max(n, 0), err
}

// History returns a page of the host's history, with whole sessions. It fails if the host cannot be reached now.
func (l *Link) History(ctx context.Context, cursor string, limit int, _ queue.Fields) ([]queue.Session, string, error) {
	ctx, cancel := context.WithTimeout(ctx, historyWithin)
	defer cancel()
	var p pageOf
	if err := l.Call(ctx, "history", about{Cursor: cursor, Limit: max(limit, 1)}, &p); err != nil {
		return nil, "", err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	var page []queue.Session
	for _, raw := range p.Sessions[:min(len(p.Sessions), mostPages)] {
		if s, err := l.adoptSession(raw); err == nil {
			page = append(page, s)
		}
	}
	return page, p.Next, nil
}

// errOnHost refuses what only processes on the host do.
var errOnHost = fmt.Errorf("%w: only processes on the host do that", queue.ErrRefused)

// Create is refused.
func (*Link) Create(context.Context, queue.Session) (queue.Session, error) {
	return queue.Session{}, errOnHost
}

// Put is refused.
func (*Link) Put(context.Context, queue.Session) (queue.Session, error) {
	return queue.Session{}, errOnHost
}

// Sync is refused.
func (*Link) Sync(context.Context, string) error { return errOnHost }

// Announce is refused.
func (*Link) Announce(context.Context, queue.Presence) (func() error, error) { return nil, errOnHost }

// Watch reports the host's changes, or those of the given sessions. The first batch contains what is known by then.
func (l *Link) Watch(_ context.Context, _ queue.News, ids ...string) (queue.Watcher, error) {
	w := &watcher{link: l, bell: make(chan struct{}, 1), closed: make(chan struct{}),
		sessions: map[string]queue.Session{}, gone: map[string]bool{}, drafts: map[string]queue.Draft{}}
	for _, id := range ids {
		if w.only == nil {
			w.only = map[string]bool{}
		}
		w.only[id] = true
	}
	l.addWatcher(w)
	return w, nil
}

// watcher collects the changes of a link until Next is called.
type watcher struct {
	link   *Link
	only   map[string]bool // nil: all sessions
	bell   chan struct{}   // holds a value when there is something to report
	closed chan struct{}
	once   sync.Once

	mu       sync.Mutex
	sessions map[string]queue.Session
	gone     map[string]bool
	drafts   map[string]queue.Draft
	broken   []queue.Broken
	presence bool
	host     *queue.HostState // nil: the connection is as it was
}

// wants reports whether the reader watches this session.
func (w *watcher) wants(id string) bool { return w.only == nil || w.only[id] }

// noteChange calls change, which records a change in the watcher, and wakes the reader.
func (w *watcher) noteChange(change func(*watcher)) {
	w.mu.Lock()
	change(w)
	w.mu.Unlock()
	select {
	case w.bell <- struct{}{}:
	default:
	}
}

// Next returns what has changed since the last call.
func (w *watcher) Next(ctx context.Context) (queue.Changes, error) {
	for {
		select {
		case <-w.closed:
			return queue.Changes{}, fs.ErrClosed
		case <-ctx.Done():
			return queue.Changes{}, ctx.Err()
		default:
		}
		select {
		case <-w.bell:
			if ch, changed := w.takeChanges(); changed {
				return ch, nil
			}
		case <-ctx.Done():
		case <-w.closed:
		}
	}
}

// takeChanges takes what the link reported. changed is false if that is nothing.
func (w *watcher) takeChanges() (ch queue.Changes, changed bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	ch = queue.Changes{Sessions: slices.Collect(maps.Values(w.sessions)), Gone: slices.Collect(maps.Keys(w.gone)),
		Drafts: slices.Collect(maps.Values(w.drafts)), Broken: w.broken, Presence: w.presence, Host: w.host}
	clear(w.sessions)
	clear(w.gone)
	clear(w.drafts)
	w.broken, w.presence, w.host = nil, false, nil
	some := len(ch.Sessions)+len(ch.Gone)+len(ch.Drafts)+len(ch.Broken) > 0
	return ch, some || ch.Presence || ch.Host != nil
}

// Close ends the watch.
func (w *watcher) Close() error {
	w.once.Do(func() {
		close(w.closed)
		w.link.removeWatcher(w)
	})
	return nil
}
