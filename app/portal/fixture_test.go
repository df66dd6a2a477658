package portal

import (
	"context"
	"encoding/json"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/portal/door"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/storetest"
	"github.com/choicetui/choicetui/queue/widen"
)

// patience is the longest wait for something that should take milliseconds: the machine may be small and busy.
const patience = 20 * time.Second

// bench is a portal without a door, on a memory store, with a clock that a test can advance.
type bench struct {
	t        testing.TB
	q        *queue.Queue
	d        *desk.Desk
	pages    *Pages
	settings *config.File
	server   *httptest.Server
	web      door.Session                       // of the pages that are opened
	hangUp   atomic.Pointer[context.CancelFunc] // ends the page that was opened last, as the door does
	ahead    *atomic.Int64
	store    *fillable
	refuses  atomic.Bool // the server refuses WebSockets
	stood    atomic.Pointer[time.Time]
	stop     func()
	alerts   desk.Alerts
	rules    *pocket
	team     widen.Team    // nil: no team is set up
	ways     desk.ChatWays // nil: no line is delivered at once
	native   string        // the reference of the next question if it is an agent's own prompt; else empty
	instance string
}

// fillable is a store whose disk may be full.
type fillable struct {
	queue.Store
	full atomic.Bool
}

func (f *fillable) Put(ctx context.Context, s queue.Session) (queue.Session, error) {
	if f.full.Load() {
		return s, syscall.ENOSPC
	}
	return f.Store.Put(ctx, s)
}

func newBench(t testing.TB) *bench {
	memory := storetest.NewMemory()
	store := &fillable{Store: memory}
	b := &bench{t: t, web: door.Session{May: door.RightsAll}, rules: &pocket{}, q: queue.New(store), store: store, ahead: &atomic.Int64{},
		settings: config.Open(filepath.Join(t.TempDir(), "config.json"))}
	b.q.Now = func() time.Time {
		now := time.Now()
		if at := b.stood.Load(); at != nil {
			now = *at
		}
		return now.Add(time.Duration(b.ahead.Load()))
	}
	memory.Now = b.q.Now
	_, err := memory.Announce(t.Context(), queue.Presence{Instance: "bridge", Role: queue.RoleBridge})
	require.NoError(t, err)
	b.start()
	return b
}

// start starts a portal on the bench's queue.
func (b *bench) start() {
	b.serve("127.0.0.1:0")
}

func (b *bench) serve(addr string) {
	b.instance = queue.NewToken()
	rules := NewRules(b.rules)
	b.d = desk.New(desk.Options{Services: desk.Services{Queue: b.q, Settings: b.settings, Instance: b.instance,
		Home: "/home/me", Rules: rules, Chat: b.ways, Team: b.team}})
	b.pages = NewPages(b.d, b.d.Do, PagesOptions{Alerts: b.alerts})
	rules.Follow(b.pages)
	ctx, cancel := context.WithCancel(context.Background())
	_, err := b.d.Open(ctx, queue.RolePortal)
	require.NoError(b.t, err)
	b.d.TakeFirst(ctx, 3*time.Second)
	b.d.Start(ctx)
	ran := make(chan struct{})
	go func() { b.d.Run(ctx); close(ran) }()
	b.server = listen(ctx, b.t, addr, b.routes())
	b.stop = sync.OnceFunc(func() {
		cancel()
		b.server.CloseClientConnections()
		b.server.Close()
		<-ran
		b.d.Close()
	})
	b.t.Cleanup(b.stop)
}

// listen serves on an address that another server may have just released.
func listen(ctx context.Context, t testing.TB, addr string, h http.Handler) *httptest.Server {
	s := httptest.NewUnstartedServer(h)
	s.Config.BaseContext = func(net.Listener) context.Context { return ctx }
	if addr != "127.0.0.1:0" {
		s.Listener.Close()
		l, err := (&listenAgain{addr}).listen()
		require.NoError(t, err)
		s.Listener = l
	}
	s.Start()
	return s
}

func (b *bench) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /live", func(w http.ResponseWriter, r *http.Request) {
		if b.refuses.Load() {
			http.NotFound(w, r)
			return
		}
		ctx, hangUp := context.WithCancel(r.Context())
		defer hangUp()
		b.hangUp.Store(&hangUp)
		b.pages.Live(w, r.WithContext(ctx), b.web)
	})
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src "+shell().Script+"; style-src "+
			shell().Style+"; connect-src 'self'; img-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(shell().HTML))
	})
	return mux
}

// wait advances the clock: the question on view has been there for a while.
func (b *bench) wait(d time.Duration) { b.ahead.Add(int64(d)) }

// stand stops the clock, except for wait, until goOn is called: the actions in between happen at one moment, however
// busy the machine is.
func (b *bench) stand() (goOn func()) {
	now := time.Now()
	b.stood.Store(&now)
	return func() { b.stood.Store(nil) }
}

// owned runs f on the desk's owner.
func (b *bench) owned(f func()) {
	done := make(chan struct{})
	b.d.Do(func() { f(); close(done) })
	<-done
}

func (b *bench) ask(a queue.Ask) queue.Session {
	b.t.Helper()
	s, err := b.q.Create(context.Background(), queue.Session{Ask: a, Claim: &queue.Claim{Instance: "bridge", Conn: "1"},
		Origin: queue.Origin{Client: "claude-code", Cwd: "/home/me/src/shop", Branch: "main", Instance: "bridge", Source: b.native}})
	require.NoError(b.t, err)
	require.Eventually(b.t, func() (known bool) {
		b.owned(func() { _, known = b.d.Session(s.ID) })
		return known
	}, patience, time.Millisecond)
	return s
}

func (b *bench) get(id string) queue.Session {
	b.t.Helper()
	s, err := b.q.Store.Get(context.Background(), id)
	require.NoError(b.t, err)
	return s.At(b.q.Now())
}

// settled waits until a question is over in the store.
func (b *bench) settled(id string) queue.Session {
	b.t.Helper()
	require.Eventually(b.t, func() bool { return !b.get(id).Pending() }, patience, 2*time.Millisecond)
	return b.get(id)
}

// elsewhere applies an action to a question through another surface.
func (b *bench) elsewhere(id string, do queue.Action) {
	b.t.Helper()
	_, err := b.q.Do(context.Background(), id, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceDashboard, Do: do})
	require.NoError(b.t, err)
}

// tab is a page without a browser: it keeps the messages as a browser would.
type tab struct {
	b    *bench
	conn *websocket.Conn

	mu     sync.Mutex
	all    message
	alerts []alert
	copied string
	moved  chan struct{} // closed and replaced at every message
	gone   bool

	pressed string // the last key of presses
}

// twice is how much later a key is pressed again, so that it cannot be a repeat of a held key.
const twice = 2 * time.Second

// open opens a page at a path and waits until it has its content.
func (b *bench) open(path string) *tab {
	b.t.Helper()
	conn, _, err := websocket.Dial(context.Background(), "ws"+strings.TrimPrefix(b.server.URL, "http")+"/live",
		&websocket.DialOptions{Subprotocols: []string{"choicetui"}})
	require.NoError(b.t, err)
	conn.SetReadLimit(1 << 22)
	c := &tab{b: b, conn: conn, moved: make(chan struct{})}
	c.all = message{Parts: map[string]string{}, Values: map[string]string{}, Times: map[string]clock{}}
	b.t.Cleanup(func() { conn.CloseNow() })
	go c.read()
	c.does(pageEvent{Do: "open", Path: path})
	c.until(func(m message) bool { return m.Parts["main"] != "" && m.Path != "" })
	return c
}

func (c *tab) read() {
	for {
		_, raw, err := c.conn.Read(context.Background())
		c.mu.Lock()
		if c.gone = err != nil; err == nil {
			c.take(raw)
		}
		close(c.moved)
		c.moved = make(chan struct{})
		c.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (c *tab) take(raw []byte) {
	var m message
	if json.Unmarshal(raw, &m) != nil {
		return
	}
	maps.Copy(c.all.Parts, m.Parts)
	maps.Copy(c.all.Values, m.Values)
	maps.Copy(c.all.Times, m.Times)
	if m.Keys != nil {
		c.all.Keys = m.Keys
	}
	if m.Path != "" {
		c.all.Path, c.all.Title = m.Path, m.Title
	}
	if m.Say != "" {
		c.all.Parts["status"] = m.Say
	}
	if m.Focus != "" {
		c.all.Focus = m.Focus
	}
	if m.Alert != nil {
		c.alerts = append(c.alerts, *m.Alert)
	}
	if m.Copy != "" {
		c.copied = m.Copy
	}
	if m.Frame > 0 { // the frame is on screen at once
		shown, _ := json.Marshal(pageEvent{Do: doShown, N: m.Frame})
		_ = c.conn.Write(context.Background(), websocket.MessageText, shown)
	}
}

// does sends an event.
func (c *tab) does(d pageEvent) {
	c.b.t.Helper()
	raw, err := json.Marshal(d)
	require.NoError(c.b.t, err)
	require.NoError(c.b.t, c.conn.Write(context.Background(), websocket.MessageText, raw))
}

// presses presses keys, each after a wait.
func (c *tab) presses(keys ...string) {
	c.b.t.Helper()
	for _, key := range keys {
		c.calm() // the frame was reported
		c.b.wait(time.Second)
		if key == c.pressed {
			c.b.wait(twice)
		}
		c.pressed = key
		c.does(pageEvent{Do: "key", Key: key})
		c.calm()
	}
}

// clicks clicks the element for an action, after a wait.
func (c *tab) clicks(do string, n int) {
	c.b.t.Helper()
	c.calm()
	c.b.wait(time.Second)
	c.does(pageEvent{Do: do, N: n})
	c.calm()
}

// types types a text into a field.
func (c *tab) types(field, text string) {
	c.b.t.Helper()
	c.does(pageEvent{Do: "begin", Field: field})
	c.b.wait(time.Second) // without a pause it would look like typing for another window
	c.does(pageEvent{Do: "text", Field: field, Value: text})
	c.calm()
}

// calm waits until the page has received the results of all its events: a ping is answered in order, after everything
// before it.
func (c *tab) calm() {
	c.b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_ = c.conn.Ping(ctx) // a page that was refused does not answer
	time.Sleep(15 * time.Millisecond)
	c.b.owned(func() {})
	time.Sleep(5 * time.Millisecond)
}

// until waits until the content of the page fulfils a condition.
func (c *tab) until(is func(message) bool) {
	c.b.t.Helper()
	due := time.After(patience)
	for {
		c.mu.Lock()
		ok, moved := is(c.all), c.moved
		c.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-moved:
		case <-due:
			c.mu.Lock()
			defer c.mu.Unlock()
			require.FailNow(c.b.t, "the page never came to show it", "%s\n%s\n%s", c.all.Parts["main"], c.all.Parts["foot"],
				c.all.Parts["status"])
		}
	}
}

// shows waits until a part of the page contains a text.
func (c *tab) shows(part, text string) {
	c.b.t.Helper()
	c.until(func(m message) bool { return strings.Contains(m.Parts[part], text) })
}

// part returns the present HTML of a part of the page.
func (c *tab) part(name string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.all.Parts[name]
}

func question(id, mode string) queue.Question {
	q := queue.Question{ID: id, Mode: mode, Annotate: true}
	if mode != queue.ModeText {
		q.Options = []queue.Option{
			{ID: "pg", Label: "PostgreSQL", Description: "Transactions, the team **knows** it", Recommended: true},
			{ID: "lite", Label: "SQLite", Description: "One file"}, {ID: "dynamo", Label: "DynamoDB"}}
	}
	q.Min, q.Max = queue.Bounds(mode, len(q.Options))
	return q
}

// asking returns an ask of questions.
func asking(title string, qs ...queue.Question) queue.Ask {
	return queue.Ask{Kind: queue.KindChoice, Title: title, Prompt: "The order service needs transactions.\n\nSo I ask.",
		Questions: qs, TimeoutSeconds: 300, OnTimeout: queue.OnTimeoutNone}
}

// one returns an ask of one question.
func one(mode string, change func(*queue.Question)) queue.Ask {
	q := question("q1", mode)
	if change != nil {
		change(&q)
	}
	return asking("Which database?", q)
}

// listenAgain listens on an address that another server has just released.
type listenAgain struct{ addr string }

func (l *listenAgain) listen() (net.Listener, error) {
	var err error
	for range 100 {
		var on net.Listener
		if on, err = net.Listen("tcp", l.addr); err == nil {
			return on, nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return nil, err
}
