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

// askWithin limits the time for which this machine's history waits for that of another host.
const askWithin = 2 * time.Second

// Hosts is a store that joins this machine's queue, the local store, with the queues of other hosts. Sessions with a
// host in their id are those of other hosts. The local store keeps all others, and every new session.
type Hosts struct {
	queue.Store

	mu       sync.Mutex
	links    map[string]*running
	watchers map[*watcher]bool
	room     room
}

// running is a link whose Run is under way.
type running struct {
	*Link
	by   string             // the command that reaches the host; after a change the host needs a new link
	stop context.CancelFunc // ends Run
	over chan struct{}      // closed when Run has ended
}

var _ queue.Decider = (*Hosts)(nil)

// NewHosts returns the local store, joined with no host yet.
func NewHosts(local queue.Store) *Hosts {
	return &Hosts{Store: local, links: map[string]*running{}, watchers: map[*watcher]bool{}}
}

// Keep connects the hosts in wanted, and disconnects all others. wanted contains, by the name of each host, the command
// that reaches it. newLink creates the link to a host. The links run until ctx ends. Only one goroutine at a time may
// call Keep.
func (h *Hosts) Keep(ctx context.Context, wanted map[string]string, newLink func(host, by string) *Link) {
	for _, r := range h.takeUnwanted(wanted) { // before the host's new link begins, since both report the same sessions
		r.stop()
		<-r.over
		r.forgetAll()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	watchers := slices.Collect(maps.Keys(h.watchers))
	h.room.hosts.Store(int64(len(wanted)))
	for host, by := range wanted {
		if h.links[host] != nil || !queue.ValidHost(host) {
			continue
		}
		life, stop := context.WithCancel(ctx)
		r := &running{Link: newLink(host, by), by: by, stop: stop, over: make(chan struct{})}
		r.room = &h.room
		h.links[host] = r
		for _, w := range watchers {
			r.addWatcher(w)
		}
		go func() {
			defer close(r.over)
			r.Run(life)
		}()
	}
}

// takeUnwanted removes the links to hosts that are not wanted, or that another command reaches now, and returns them.
func (h *Hosts) takeUnwanted(wanted map[string]string) (unwanted []*running) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for host, r := range h.links {
		if by, kept := wanted[host]; !kept || by != r.by {
			unwanted = append(unwanted, r)
			delete(h.links, host)
		}
	}
	return unwanted
}

// Close ends all connections.
func (h *Hosts) Close() {
	h.mu.Lock()
	links := slices.Collect(maps.Values(h.links))
	h.mu.Unlock()
	for _, r := range links {
		r.stop()
	}
	for _, r := range links {
		<-r.over
	}
}

// Link returns the link to a host; nil: there is none of that name.
func (h *Hosts) Link(host string) *Link {
	h.mu.Lock()
	defer h.mu.Unlock()
	if r := h.links[host]; r != nil {
		return r.Link
	}
	return nil
}

// linkOf returns the link to a session's host, and the session's id there. It fails with ErrNotFound if the host is
// not one of those in Keep.
func (h *Hosts) linkOf(id string) (*Link, string, error) {
	host, own := queue.SplitID(id)
	if l := h.Link(host); l != nil {
		return l, own, nil
	}
	return nil, own, fmt.Errorf("%s is not among the remote hosts: %w", host, queue.ErrNotFound)
}

// allLinks returns the links in the order of their names.
func (h *Hosts) allLinks() []*Link {
	h.mu.Lock()
	defer h.mu.Unlock()
	var list []*Link
	for _, host := range slices.Sorted(maps.Keys(h.links)) {
		list = append(list, h.links[host].Link)
	}
	return list
}

// Decides reports whether another host decides about a session.
func (h *Hosts) Decides(id string) bool { return queue.IsRemote(id) }

// Decide makes a session's host carry out a command, and returns the session as the host left it, with the id and the
// times that it has here.
func (h *Hosts) Decide(ctx context.Context, id string, c queue.Command) (queue.Session, error) {
	l, own, err := h.linkOf(id)
	if err != nil {
		return queue.Session{}, err
	}
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
func (h *Hosts) Get(ctx context.Context, id string) (queue.Session, error) {
	if !queue.IsRemote(id) {
		return h.Store.Get(ctx, id)
	}
	l, own, err := h.linkOf(id)
	if err != nil {
		return queue.Session{}, err
	}
	return l.sessionOf(l.call(ctx, "get", about{ID: own}))
}

// Archive moves a session into the history of its queue.
func (h *Hosts) Archive(ctx context.Context, s queue.Session) error {
	if !queue.IsRemote(s.ID) {
		return h.Store.Archive(ctx, s)
	}
	l, own, err := h.linkOf(s.ID)
	if err != nil {
		return err
	}
	_, err = l.call(ctx, "archive", about{ID: own})
	return err
}

// Live returns every live session, those of other hosts as they were last known.
func (h *Hosts) Live(ctx context.Context) ([]queue.Session, []queue.Broken, error) {
	all, broken, err := h.Store.Live(ctx)
	if err == nil {
		for _, l := range h.allLinks() {
			all = append(all, l.liveSessions()...)
		}
	}
	return all, broken, err
}

// Present lists the running processes, those of other hosts as they were last known.
func (h *Hosts) Present(ctx context.Context, roles ...string) ([]queue.Presence, error) {
	all, err := h.Store.Present(ctx, roles...)
	if err != nil {
		return nil, err
	}
	for _, l := range h.allLinks() {
		for _, p := range l.presences() {
			if p.In(roles) {
				all = append(all, p)
			}
		}
	}
	return all, nil
}

// SaveDraft keeps a draft in its session's queue.
func (h *Hosts) SaveDraft(ctx context.Context, d queue.Draft) error {
	if !queue.IsRemote(d.Session) {
		return h.Store.SaveDraft(ctx, d)
	}
	l, own, err := h.linkOf(d.Session)
	if err != nil {
		return err
	}
	d.Session, d.Instance = own, l.exported(d.Instance)
	l.mu.Lock()
	shiftTimes(reflect.ValueOf(&d), l.ahead)
	l.mu.Unlock()
	_, err = l.call(ctx, "save_draft", about{Draft: d})
	return err
}

// Drafts returns a session's drafts, newest first.
func (h *Hosts) Drafts(ctx context.Context, id string) ([]queue.Draft, error) {
	if !queue.IsRemote(id) {
		return h.Store.Drafts(ctx, id)
	}
	l, own, err := h.linkOf(id)
	if err != nil {
		return nil, err
	}
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
func (h *Hosts) DropDraft(ctx context.Context, id, instance string) error {
	if !queue.IsRemote(id) {
		return h.Store.DropDraft(ctx, id, instance)
	}
	l, own, err := h.linkOf(id)
	if err != nil {
		return err
	}
	_, err = l.call(ctx, "drop_draft", about{ID: own, Instance: l.exported(instance)})
	return err
}

// CountHistory returns the number of sessions in all histories that can be reached now.
func (h *Hosts) CountHistory(ctx context.Context) (int, error) {
	sum, err := h.Store.CountHistory(ctx)
	for _, l := range h.allLinks() {
		n := 0
		step, cancel := context.WithTimeout(ctx, askWithin)
		if l.State().Connected && l.Call(step, "count", nil, &n) == nil {
			sum += max(n, 0)
		}
		cancel()
	}
	return sum, err
}

// position is the place that paging has reached in one history.
type position struct {
	Cursor string `json:"c,omitempty"`
	After  string `json:"a,omitempty"` // the last session that was returned from the page at Cursor
	Over   bool   `json:"o,omitempty"` // the history has no more sessions, or the host does not answer
}

// historyPage contains the sessions of a page of one history that were not returned yet.
type historyPage struct {
	host     string // empty: this machine's
	sessions []queue.Session
	next     string // cursor of the page after this one; empty: there is none
}

// History pages through the histories of all queues together, newest outcome first. A host that does not answer is left
// out, for as long as the paging lasts.
func (h *Hosts) History(ctx context.Context, cursor string, limit int, fields queue.Fields) (
	[]queue.Session, string, error,
) {
	if len(h.allLinks()) == 0 {
		return h.Store.History(ctx, cursor, limit, fields)
	}
	at := map[string]position{}
	if cursor != "" && json.Unmarshal([]byte(cursor), &at) != nil {
		at[""] = position{Cursor: cursor} // a host was added meanwhile
	}
	limit = max(limit, 1)
	pages, err := h.readPages(ctx, at, limit, fields)
	if err != nil {
		return nil, "", err
	}
	merged := mergePages(pages, at, limit)
	more := false
	for _, p := range pages {
		isNextPage := p.next != "" && at[p.host].Cursor == p.next
		switch {
		case len(p.sessions) > 0 || isNextPage:
			more = true
		case p.next == "":
			at[p.host] = position{Over: true}
		}
	}
	if !more {
		return merged, "", nil
	}
	next, err := json.Marshal(at)
	return merged, string(next), err
}

// readPages reads, for each history, the page at its position in at. It records in at which hosts do not answer.
func (h *Hosts) readPages(ctx context.Context, at map[string]position, limit int, fields queue.Fields) (
	pages []*historyPage, err error,
) {
	read := map[string]func(context.Context, string, int, queue.Fields) ([]queue.Session, string, error){
		"": h.Store.History,
	}
	for _, l := range h.allLinks() {
		read[l.Host] = l.history
	}
	for _, host := range slices.Sorted(maps.Keys(read)) {
		from := at[host]
		if from.Over {
			continue
		}
		list, next, err := read[host](ctx, from.Cursor, limit, fields)
		switch {
		case err != nil && host == "":
			return nil, err
		case err != nil:
			at[host] = position{Over: true}
			continue
		}
		if seen := slices.IndexFunc(list, func(s queue.Session) bool { return s.ID == from.After }); seen >= 0 {
			list = list[seen+1:]
		}
		pages = append(pages, &historyPage{host, list, next})
	}
	return pages, nil
}

// mergePages takes the newest sessions out of the pages, limit of them at most, and records in at where each history
// continues. It stops where a page ends, because what comes next in that history may be newer than the rest of the
// others.
func mergePages(pages []*historyPage, at map[string]position, limit int) (merged []queue.Session) {
	newestFirst := func(a, b *historyPage) int {
		if len(a.sessions) == 0 || len(b.sessions) == 0 {
			return len(b.sessions) - len(a.sessions) // an empty page comes last
		}
		return b.sessions[0].SettledAt().Compare(a.sessions[0].SettledAt())
	}
	for len(merged) < limit && len(pages) > 0 {
		p := slices.MinFunc(pages, newestFirst)
		if len(p.sessions) == 0 {
			break
		}
		merged = append(merged, p.sessions[0])
		at[p.host] = position{Cursor: at[p.host].Cursor, After: p.sessions[0].ID}
		if p.sessions = p.sessions[1:]; len(p.sessions) == 0 && p.next != "" {
			at[p.host] = position{Cursor: p.next}
			break
		}
	}
	return merged
}

// history returns a page of the host's history, with whole sessions.
func (l *Link) history(ctx context.Context, cursor string, limit int, _ queue.Fields) ([]queue.Session, string, error) {
	if !l.State().Connected {
		return nil, "", l.unreachable(nil)
	}
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	var p pageOf
	if err := l.Call(ctx, "history", about{Cursor: cursor, Limit: limit}, &p); err != nil {
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

// Watch reports the changes of all queues, or of the given sessions.
func (h *Hosts) Watch(ctx context.Context, news queue.News, ids ...string) (queue.Watcher, error) {
	w := &watcher{hostsOf: h, bell: make(chan struct{}, 1), closed: make(chan struct{}), local: make(chan localChanges),
		sessions: map[string]queue.Session{}, gone: map[string]bool{}, drafts: map[string]queue.Draft{}}
	var own []string
	for _, id := range ids {
		if w.only == nil {
			w.only = map[string]bool{}
		}
		w.only[id] = true
		if !queue.IsRemote(id) {
			own = append(own, id)
		}
	}
	if len(own) > 0 || len(ids) == 0 {
		from, err := h.Store.Watch(ctx, news, own...)
		if err != nil {
			return nil, err
		}
		w.inner = from
		go w.readLocal()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.watchers[w] = true
	for _, r := range h.links {
		r.addWatcher(w)
	}
	return w, nil
}

// watcher joins the changes of the local store with those that the links report.
type watcher struct {
	hostsOf *Hosts
	only    map[string]bool // nil: all sessions
	inner   queue.Watcher   // of the local store; nil: only sessions of other hosts are watched
	local   chan localChanges
	bell    chan struct{}
	closed  chan struct{}
	begun   bool // the first batch was returned; only for the reader

	mu       sync.Mutex // for the changes that the links reported
	sessions map[string]queue.Session
	gone     map[string]bool
	drafts   map[string]queue.Draft
	broken   []queue.Broken
	presence bool
	hosts    bool // the connection to a host began or ended
}

// localChanges is one result of the local store's watcher.
type localChanges struct {
	changes queue.Changes
	err     error
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

// readLocal passes the results of the local store's watcher on, one at a time.
func (w *watcher) readLocal() {
	for {
		ch, err := w.inner.Next(context.Background())
		select {
		case w.local <- localChanges{ch, err}:
		case <-w.closed:
			return
		}
	}
}

// Next returns the next changes, of one or several queues. The first batch contains the local queue and the sessions of
// other hosts that are known by then.
func (w *watcher) Next(ctx context.Context) (queue.Changes, error) {
	if !w.begun && w.inner == nil {
		ch, _ := w.takeReported(queue.Changes{Presence: true})
		w.begun = true
		return ch, nil
	}
	for {
		bell := w.bell
		if !w.begun { // the first batch waits for the local queue
			bell = nil
		}
		select {
		case <-w.closed:
			return queue.Changes{}, fs.ErrClosed
		default:
		}
		if err := ctx.Err(); err != nil {
			return queue.Changes{}, err
		}
		select {
		case got := <-w.local:
			if got.err != nil {
				return queue.Changes{}, got.err
			}
			w.begun = true
			ch, _ := w.takeReported(got.changes)
			return ch, nil
		case <-bell:
			if ch, reported := w.takeReported(queue.Changes{}); reported {
				return ch, nil
			}
		case <-ctx.Done():
			return queue.Changes{}, ctx.Err()
		case <-w.closed:
			return queue.Changes{}, fs.ErrClosed
		}
	}
}

// takeReported takes the changes that the links reported, and adds them to the local store's. reported is false if
// there are none.
func (w *watcher) takeReported(ch queue.Changes) (all queue.Changes, reported bool) {
	w.mu.Lock()
	for _, s := range w.sessions {
		ch.Sessions = append(ch.Sessions, s)
	}
	for id := range w.gone {
		ch.Gone = append(ch.Gone, id)
	}
	for _, d := range w.drafts {
		ch.Drafts = append(ch.Drafts, d)
	}
	reported = len(w.sessions)+len(w.gone)+len(w.drafts)+len(w.broken) > 0 || w.presence || w.hosts
	ch.Broken = append(ch.Broken, w.broken...)
	ch.Presence = ch.Presence || w.presence
	withHosts := w.hosts
	clear(w.sessions)
	clear(w.gone)
	clear(w.drafts)
	w.broken, w.presence, w.hosts = nil, false, false
	w.mu.Unlock() // before State locks a link, since a link that is locked calls noteChange
	if withHosts {
		list := []queue.HostState{}
		for _, l := range w.hostsOf.allLinks() {
			if s := l.State(); !s.Connected {
				list = append(list, s)
			}
		}
		ch.Hosts = &list
	}
	return ch, reported
}

// Close ends the watch.
func (w *watcher) Close() error {
	w.mu.Lock()
	select {
	case <-w.closed:
		w.mu.Unlock()
		return nil
	default:
	}
	close(w.closed)
	w.mu.Unlock()
	w.hostsOf.mu.Lock()
	delete(w.hostsOf.watchers, w)
	links := slices.Collect(maps.Values(w.hostsOf.links))
	w.hostsOf.mu.Unlock()
	for _, r := range links {
		r.removeWatcher(w)
	}
	if w.inner == nil {
		return nil
	}
	return w.inner.Close()
}
