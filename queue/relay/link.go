package relay

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/choicetui/choicetui/queue"
)

const (
	joinWithin = 20 * time.Second // the longest time until a host has greeted and let the dashboard in
	firstPause = time.Second      // the pause before the second attempt to connect; each later pause is twice as long
	mostPause  = time.Minute
	steady     = 5 * time.Second // after a connection that lasted this long, the pauses begin with firstPause again
	// tolerance is the difference between two clocks that is ignored. Measuring over a slow link is less exact anyway.
	tolerance = 250 * time.Millisecond
)

// Conn is a running relay on a host: the output and the input of the command that reaches it. Close ends the command.
// Its error is the reason why the command ended, as far as the command itself reported one.
type Conn interface {
	io.ReadWriter
	Close() error
}

// Link is the connection to one host. It connects again whenever the connection is lost.
type Link struct {
	Host     string                                  // the host's name in this dashboard
	Instance string                                  // this dashboard's instance; see queue.Presence
	Role     string                                  // its role on the host; empty: queue.RoleDashboard
	Program  string                                  // the version of choicetui here
	Dial     func(ctx context.Context) (Conn, error) // starts the relay on the host

	// becomeReady, and the methods from adoptSession to tellWatchers that do not lock mu, are called with mu locked.
	mu       sync.Mutex
	state    queue.HostState
	requests chan []byte           // requests to be written; nil while there is no connection
	waiting  map[uint64]chan frame // by number: the requests that have no answer yet
	last     uint64                // number of the last request
	ahead    time.Duration         // the host's clock minus ours
	heard    time.Time             // when the last byte came
	sessions map[string]queue.Session
	drafts   map[string]queue.Draft
	present  []queue.Presence
	coming   *batch         // the batch of which only some parts have come; nil: none
	room     *room          // what each host may take in memory
	taken    int            // what this one takes
	sizes    map[string]int // by session, and by the name of a draft: what it takes
	watchers map[*watcher]bool
	ready    chan struct{} // closed when the first batch has come, or the first attempt has failed
	isReady  bool
}

// batch collects the parts of one batch of changes.
type batch struct {
	sessions map[string]bool // ids of the sessions in the parts so far
	first    bool            // the first batch of a connection, which contains everything that is live
}

// New returns a link that is not connected yet. Run connects it.
func New(host, instance, program string, dial func(context.Context) (Conn, error)) *Link {
	return &Link{Host: host, Instance: instance, Program: program, Dial: dial, state: queue.HostState{Host: host},
		waiting: map[uint64]chan frame{}, sessions: map[string]queue.Session{}, drafts: map[string]queue.Draft{},
		room: &room{}, sizes: map[string]int{}, watchers: map[*watcher]bool{}, ready: make(chan struct{})}
}

// Run keeps the host connected until ctx ends.
func (l *Link) Run(ctx context.Context) {
	pause := firstPause
	for ctx.Err() == nil {
		began := time.Now()
		err := l.connect(ctx)
		if ctx.Err() != nil {
			return
		}
		if time.Since(began) > steady {
			pause = firstPause
		}
		l.noteLost(err)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
		pause = min(2*pause, mostPause)
	}
}

// Start runs the link until ctx ends or stop is called.
func (l *Link) Start(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	over := make(chan struct{})
	go func() {
		defer close(over)
		l.Run(ctx)
	}()
	return func() {
		cancel()
		<-over
	}
}

// State returns whether the host is connected.
func (l *Link) State() queue.HostState {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state
}

// copyState returns a copy of the state.
func (l *Link) copyState() *queue.HostState {
	state := l.state
	return &state
}

// Ready returns a channel that is closed once the host's queue is known, or the first attempt to connect has failed.
func (l *Link) Ready() <-chan struct{} { return l.ready }

// connect connects to the host and reads what it sends. It returns why the connection ended.
func (l *Link) connect(ctx context.Context) (err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	conn, err := l.Dial(ctx)
	if err != nil {
		return err
	}
	defer func() {
		l.disconnect()
		if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
			err = cause // this side closed the connection for this reason
		}
		if told := conn.Close(); told != nil {
			err = told // the command's own reason is more exact than the end of its output
		}
	}()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() }) // ends the reading below
	defer stop()
	late := time.AfterFunc(joinWithin, func() { cancel(errors.New("no answer")) })
	defer late.Stop()
	in := bufio.NewReaderSize(conn, 64<<10)
	if err := readGreeting(in); err != nil {
		return err
	}
	requests := make(chan []byte, 256)
	l.mu.Lock()
	l.requests, l.heard = requests, time.Now()
	l.mu.Unlock()
	go writeRequests(ctx, conn, requests, cancel)
	go func() {
		if l.join(ctx, cancel) {
			late.Stop()
			l.keepAlive(ctx, cancel)
		}
	}()
	return l.readFrames(in)
}

// writeRequests writes requests to the host until ctx ends. If that fails, it calls end.
func writeRequests(ctx context.Context, conn Conn, requests <-chan []byte, end context.CancelCauseFunc) {
	for {
		select {
		case line := <-requests:
			if _, err := conn.Write(line); err != nil {
				end(err)
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// readFrames reads and applies what the host sends. It returns why that ended.
func (l *Link) readFrames(in *bufio.Reader) error {
	for answered := false; ; answered = true {
		line, err := readLine(in, mostFrame)
		if errors.Is(err, io.EOF) && !answered {
			return errNoInput
		}
		if err != nil {
			return err
		}
		var f frame
		if err := json.Unmarshal(line, &f); err != nil {
			return fmt.Errorf("it sent no frame: %w", err)
		}
		if err := l.takeFrame(f); err != nil {
			return err
		}
	}
}

// readGreeting reads the host's greeting, and skips everything that a login shell may print before it.
func readGreeting(in *bufio.Reader) error {
	left := mostNoise
	for {
		line, err := readLine(in, left)
		if err != nil {
			return err
		}
		left -= len(line) + 1
		rest, greets := strings.CutPrefix(strings.TrimSpace(string(line)), Greeting)
		var from hello
		if !greets || json.Unmarshal([]byte(rest), &from) != nil {
			continue
		}
		if from.Version < Version {
			return ErrOlder
		}
		return nil
	}
}

// errNoInput reports that the relay ended without an answer, as it does if it gets no requests.
var errNoInput = errors.New("its command does not pass standard input on")

// ErrOlder reports that choicetui on the host is too old.
var ErrOlder = errors.New("choicetui there is older: update it")

// join compares the clocks and sends hello, the request to be let in. It reports whether the host lets the dashboard
// in. If the host refuses, join calls end.
func (l *Link) join(ctx context.Context, end context.CancelCauseFunc) bool {
	fastest := time.Duration(-1)
	var ahead time.Duration
	for range 3 { // the fastest answer tells the host's time best
		sent := time.Now()
		f, err := l.ask(ctx, "ping", nil)
		if err != nil {
			return false // the connection has ended
		}
		if took := time.Since(sent); fastest < 0 || took < fastest {
			fastest, ahead = took, f.Now.Sub(sent.Add(took/2))
		}
	}
	l.mu.Lock()
	l.ahead = rounded(ahead)
	l.mu.Unlock()
	own := hello{Version: Version, Program: l.Program, Instance: l.Instance, Role: l.Role}
	f, err := l.ask(ctx, "hello", own)
	if err == nil {
		err = f.Error.err()
	}
	if err != nil {
		end(err)
	}
	return err == nil
}

// keepAlive sends a ping every few seconds, so that the host does not take this side for dead. It calls end if the host
// sends nothing for too long.
func (l *Link) keepAlive(ctx context.Context, end context.CancelCauseFunc) {
	for next := time.Now().Add(pingEvery); ; {
		l.mu.Lock()
		left := silence - time.Since(l.heard)
		l.mu.Unlock()
		if left <= 0 {
			end(errors.New("nothing came for 15 s"))
			return
		}
		select {
		case <-time.After(min(left, time.Until(next))):
		case <-ctx.Done():
			return
		}
		if !time.Now().Before(next) {
			next = time.Now().Add(pingEvery)
			go l.compareClocks(ctx)
		}
	}
}

// compareClocks sends a ping. If the answer shows that one of the two clocks was set, it moves all times of the host's
// sessions.
func (l *Link) compareClocks(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, silence)
	defer cancel()
	sent := time.Now().Round(0) // by the wall clock, since that is what may have been set
	f, err := l.ask(ctx, "ping", nil)
	if err != nil {
		return
	}
	took := time.Now().Round(0).Sub(sent)
	ahead := rounded(f.Now.Sub(sent.Add(took / 2)))
	l.mu.Lock()
	defer l.mu.Unlock()
	moved := ahead - l.ahead
	if took > time.Second || moved.Abs() < tolerance {
		return
	}
	l.ahead = ahead
	for _, old := range l.sessions {
		s := *deepCopy(reflect.ValueOf(&old)).Interface().(*queue.Session) // the desk reads the old one
		s.Origin.Remote = true
		shiftSession(&s, -moved)
		l.keepSession(s)
	}
}

// rounded returns the difference of two clocks, 0 if it is too small to matter.
func rounded(d time.Duration) time.Duration {
	if d.Abs() < tolerance {
		return 0
	}
	return d.Round(time.Millisecond)
}

// disconnect forgets the connection. Requests without an answer fail with queue.ErrUnreachable.
func (l *Link) disconnect() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests, l.coming = nil, nil
	for n, answer := range l.waiting {
		close(answer)
		delete(l.waiting, n)
	}
}

// noteLost records why the connection ended, or why none came about, and tells the watchers.
func (l *Link) noteLost(err error) {
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the connection was closed")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state.Err, l.state.Lost, l.state.Connected = err, l.state.Lost || l.state.Connected, false
	l.becomeReady()
	l.tellWatchers(func(w *watcher) { w.host = l.copyState() })
}

// becomeReady closes the channel of Ready, once.
func (l *Link) becomeReady() {
	if !l.isReady {
		l.isReady = true
		close(l.ready)
	}
}

// ask sends a request and waits for the answer, until ctx ends.
func (l *Link) ask(ctx context.Context, do string, with any) (frame, error) {
	r := request{Do: do}
	if with != nil {
		raw, err := json.Marshal(with)
		if err != nil {
			return frame{}, err
		}
		r.With = raw
	}
	l.mu.Lock()
	l.last++
	r.N = l.last
	requests, answer := l.requests, make(chan frame, 1)
	if requests != nil {
		l.waiting[r.N] = answer
	}
	l.mu.Unlock()
	if requests == nil {
		return frame{}, l.unreachable(nil)
	}
	defer func() {
		l.mu.Lock()
		delete(l.waiting, r.N)
		l.mu.Unlock()
	}()
	raw, err := json.Marshal(r)
	if err != nil {
		return frame{}, err
	}
	if len(raw) >= mostFrame {
		return frame{}, &queue.Invalid{Problems: []queue.Problem{
			{Wrong: "it is too long for " + l.Host, Want: "less text"}}}
	}
	select {
	case requests <- append(raw, '\n'):
	case <-ctx.Done():
		return frame{}, l.unreachable(ctx.Err())
	}
	select {
	case f, ok := <-answer:
		if !ok {
			return frame{}, l.unreachable(nil)
		}
		return f, nil
	case <-ctx.Done():
		return frame{}, l.unreachable(ctx.Err())
	}
}

// unreachable returns the error of a request without an answer.
func (l *Link) unreachable(cause error) error {
	if cause == nil {
		return unreachableHost(l.Host + " is not connected")
	}
	return unreachableHost(l.Host + " does not answer")
}

// unreachableHost says which host does not answer. It is a queue.ErrUnreachable, and it wraps nothing, so that a
// frontend that shows only the innermost error names the host.
type unreachableHost string

func (e unreachableHost) Error() string { return string(e) }

// Is reports whether target is queue.ErrUnreachable.
func (e unreachableHost) Is(target error) bool { return target == queue.ErrUnreachable }

// call sends a request, and returns the result and the error that the host sent. An error that only the host knows,
// such as that of a full disk, names the host.
func (l *Link) call(ctx context.Context, do string, with any) (json.RawMessage, error) {
	f, err := l.ask(ctx, do, with)
	if err != nil {
		return nil, err
	}
	err = f.Error.err()
	var own *remoteError
	if errors.As(err, &own) && own.is == nil {
		own.text = l.Host + ": " + own.text
	}
	return f.Result, err
}

// Call sends a request, such as one for one of Host.Services, and decodes the host's result into *result.
func (l *Link) Call(ctx context.Context, do string, with, result any) error {
	raw, err := l.call(ctx, do, with)
	if err == nil && result != nil && len(raw) > 0 {
		err = json.Unmarshal(raw, result)
	}
	return err
}

// Session decodes a session that one of Host.Services returned. ok is false if it is not a valid session.
func (l *Link) Session(raw json.RawMessage) (s queue.Session, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s, err := l.adoptSession(raw)
	return s, err == nil
}

// isOwn reports whether an instance is of this dashboard: its process, or one of its views.
func (l *Link) isOwn(instance string) bool {
	return instance == l.Instance || strings.HasPrefix(instance, l.Instance+"-")
}

// imported returns the name that an instance of the host has here.
func (l *Link) imported(instance string) string {
	if instance == "" || l.isOwn(instance) {
		return instance
	}
	return queue.RemoteID(l.Host, instance)
}

// exported returns the name that an instance has on the host.
func (l *Link) exported(instance string) string {
	return strings.TrimPrefix(instance, l.Host+"/")
}

// errUnusable means that a document of the host is not valid, so that it is not shown.
var errUnusable = errors.New("it cannot be read")

// adoptSession decodes a session of the host and gives it the id, names and times that it has here. The document is
// checked like a file of the queue, and the ask like one that is asked here, because the host may be hostile. For a
// newer schema it returns the session beside ErrNewer. With any other error the session has at most an id.
func (l *Link) adoptSession(raw json.RawMessage) (queue.Session, error) {
	var named struct {
		ID string `json:"id"`
	}
	if json.Unmarshal(raw, &named) != nil || !queue.ValidID(named.ID) || len(raw) > queue.MaxSessionBytes {
		return queue.Session{}, errUnusable
	}
	s, err := queue.DecodeSession(raw, named.ID, 0)
	if err != nil && !errors.Is(err, queue.ErrNewer) {
		return queue.Session{ID: queue.RemoteID(l.Host, named.ID)}, err
	}
	s.ID = queue.RemoteID(l.Host, s.ID)
	if err == nil && len(s.Problems()) > 0 || len(s.Events) > queue.MaxEvents {
		return queue.Session{ID: s.ID}, errUnusable
	}
	s.Origin.Host, s.Origin.Remote = l.Host, true
	s.Origin.Instance = l.imported(s.Origin.Instance)
	if s.Claim != nil {
		s.Claim.Instance = l.imported(s.Claim.Instance)
	}
	if s.Attached != nil {
		s.Attached.Instance = l.imported(s.Attached.Instance)
	}
	shiftSession(&s, -l.ahead)
	return s, err
}

// adoptDraft gives a draft of the host the names and times that it has here. ok is false if the draft is not valid.
func (l *Link) adoptDraft(d queue.Draft) (queue.Draft, bool) {
	if queue.CheckDraftName(d) != nil {
		return d, false
	}
	d.Session, d.Instance = queue.RemoteID(l.Host, d.Session), l.imported(d.Instance)
	shiftTimes(reflect.ValueOf(&d), -l.ahead)
	return d, true
}

// adoptPresences gives the host's processes the names and times that they have here. It leaves out this dashboard.
func (l *Link) adoptPresences(list []queue.Presence) (known []queue.Presence) {
	for _, p := range list {
		if !queue.ValidInstance(p.Instance) || l.isOwn(p.Instance) || len(known) >= mostLive {
			continue
		}
		p.Instance, p.Remote = l.imported(p.Instance), true
		if p.Origin != nil {
			p.Origin.Host, p.Origin.Remote = l.Host, true
			p.Origin.Instance = l.imported(p.Origin.Instance)
		}
		shiftTimes(reflect.ValueOf(&p), -l.ahead)
		known = append(known, p)
	}
	return known
}

// takeFrame passes an answer to the request that waits for it, and applies changes. An error ends the connection.
func (l *Link) takeFrame(f frame) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.heard = time.Now()
	if f.Re != 0 {
		if answer := l.waiting[f.Re]; answer != nil {
			delete(l.waiting, f.Re)
			answer <- f
		}
	}
	if f.Changes == nil {
		return nil
	}
	return l.takeChanges(*f.Changes)
}

// takeChanges applies one part of a batch of changes.
func (l *Link) takeChanges(c changes) error {
	if l.coming == nil {
		l.coming = &batch{sessions: map[string]bool{}, first: c.First}
	}
	for _, raw := range c.Sessions {
		if err := l.takeSession(raw); err != nil {
			return err
		}
	}
	for _, d := range c.Drafts {
		if d, ok := l.adoptDraft(d); ok && len(l.drafts) < mostLive && l.takeRoom(draftName(d), draftSize(d)) {
			l.keepDraft(d)
		}
	}
	for _, id := range c.Gone {
		l.dropSession(queue.RemoteID(l.Host, id))
	}
	if c.Present != nil {
		l.present = l.adoptPresences(*c.Present)
		l.tellWatchers(func(w *watcher) { w.presence = true })
	}
	if !c.More {
		l.endBatch()
	}
	return nil
}

// takeSession keeps a session of a batch, or reports that it cannot be read. It fails if the host has too many.
func (l *Link) takeSession(raw json.RawMessage) error {
	s, err := l.adoptSession(raw)
	if s.ID == "" {
		return nil
	}
	l.coming.sessions[s.ID] = true
	if err != nil && !errors.Is(err, queue.ErrNewer) {
		broken := queue.Broken{Name: s.ID, Reason: err.Error()}
		l.tellWatchers(func(w *watcher) { w.broken = append(w.broken, broken) })
		return nil
	}
	_, known := l.sessions[s.ID]
	if !known && len(l.sessions) >= mostLive || !l.takeRoom(s.ID, len(raw)+perSession) {
		return errors.New("it has too many questions, or too long ones; answer some there")
	}
	l.keepSession(s)
	return nil
}

// room is the memory that the sessions and drafts of all hosts may take. Each host has an equal share, so that one that
// sends too much shuts out no other.
type room struct{ hosts atomic.Int64 }

// share returns the bytes that one host may take.
func (r *room) share() int { return mostBytes / int(max(r.hosts.Load(), 1)) }

// takeRoom notes that a session or a draft takes so many bytes now. It returns false, and notes nothing, if the host
// would take more than its share.
func (l *Link) takeRoom(name string, size int) bool {
	more := size - l.sizes[name]
	if more > 0 && l.taken+more > l.room.share() {
		return false
	}
	l.sizes[name], l.taken = size, l.taken+more
	return true
}

// giveRoom notes that a session or a draft is gone.
func (l *Link) giveRoom(name string) {
	l.taken -= l.sizes[name]
	delete(l.sizes, name)
}

// draftName returns the name under which a draft is kept.
func draftName(d queue.Draft) string { return d.Session + " " + d.Instance }

// draftSize returns the bytes that the texts of a draft take.
func draftSize(d queue.Draft) int {
	raw, _ := json.Marshal(d) // a draft that came as JSON is written as JSON again
	return len(raw)
}

// endBatch ends a batch. The first batch of a connection contains everything that is live, so endBatch then drops the
// sessions that are not in it, and the host counts as connected.
func (l *Link) endBatch() {
	came := l.coming
	l.coming = nil
	if !came.first {
		return
	}
	for id := range l.sessions {
		if !came.sessions[id] {
			l.dropSession(id)
		}
	}
	l.state.Connected, l.state.Err = true, nil
	l.becomeReady()
	l.tellWatchers(func(w *watcher) { w.host, w.presence = l.copyState(), true })
}

// keepSession stores the newest state of a session.
func (l *Link) keepSession(s queue.Session) {
	if old, known := l.sessions[s.ID]; known && old.Revision > s.Revision {
		return
	}
	l.sessions[s.ID] = s
	l.tellWatchers(func(w *watcher) {
		if w.wants(s.ID) {
			w.sessions[s.ID] = s
			delete(w.gone, s.ID)
		}
	})
}

// keepDraft stores the newest state of a draft.
func (l *Link) keepDraft(d queue.Draft) {
	name := draftName(d)
	l.drafts[name] = d
	l.tellWatchers(func(w *watcher) {
		if w.wants(d.Session) {
			w.drafts[name] = d
		}
	})
}

// dropSession forgets a session that is no longer live.
func (l *Link) dropSession(id string) {
	delete(l.sessions, id)
	l.giveRoom(id)
	for name := range l.drafts {
		if strings.HasPrefix(name, id+" ") {
			delete(l.drafts, name)
			l.giveRoom(name)
		}
	}
	l.tellWatchers(func(w *watcher) {
		if w.wants(id) {
			delete(w.sessions, id)
			w.gone[id] = true
		}
	})
}

// tellWatchers records a change at every watcher, by calling noteChange.
func (l *Link) tellWatchers(note func(*watcher)) {
	for w := range l.watchers {
		w.noteChange(note)
	}
}

// addWatcher makes the link report its changes to a watcher, beginning with all that is live.
func (l *Link) addWatcher(w *watcher) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.watchers[w] = true
	w.noteChange(func(w *watcher) {
		for id, s := range l.sessions {
			if w.wants(id) {
				w.sessions[id] = s
			}
		}
		for name, d := range l.drafts {
			if w.wants(d.Session) {
				w.drafts[name] = d
			}
		}
		for id := range w.only {
			if l.state.Connected && l.sessions[id].ID == "" {
				w.gone[id] = true
			}
		}
		w.host, w.presence = l.copyState(), true
	})
}

// removeWatcher stops reporting to a watcher.
func (l *Link) removeWatcher(w *watcher) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.watchers, w)
}
