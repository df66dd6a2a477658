package door

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/adrg/xdg"
	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

// handClock is a clock that tests advance.
type handClock struct {
	mu sync.Mutex
	at time.Time
}

func (c *handClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *handClock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// pages replaces the pages behind the door: it sends every message back.
type pages struct {
	mu   sync.Mutex
	came []Session
	open int
}

func (p *pages) Live(w http.ResponseWriter, r *http.Request, s Session) {
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{"choicetui"}})
	if err != nil {
		return
	}
	defer conn.CloseNow()
	p.count(1, s)
	defer p.count(-1)
	for {
		_, text, err := conn.Read(r.Context())
		if err != nil {
			return
		}
		s.WasUsed()
		_ = conn.Write(r.Context(), websocket.MessageText, text)
	}
}

func (p *pages) count(by int, s ...Session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open += by
	p.came = append(p.came, s...)
}

func (p *pages) last() Session {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.came[len(p.came)-1]
}

func (p *pages) Shell() Shell {
	return Shell{HTML: "the empty page", Style: "'sha256-the style'", Script: "'sha256-the script'"}
}
func (p *pages) Looking() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.open
}

// rig is a running portal with everything around it.
type rig struct {
	*testing.T
	*Portal
	q     *queue.Queue
	clock *handClock
	pages *pages
	dir   string
	stop  func()
	ended chan error
}

// home gives the test its own directories.
func home(t *testing.T) (dir string) {
	t.Helper()
	base := t.TempDir()
	t.Cleanup(xdg.Reload) // runs after the variables are restored
	for _, name := range []string{"STATE_HOME", "RUNTIME_DIR", "CONFIG_HOME"} {
		t.Setenv("XDG_"+name, filepath.Join(base, name))
	}
	require.NoError(t, os.Mkdir(filepath.Join(base, "RUNTIME_DIR"), 0o700))
	xdg.Reload()
	dir = filepath.Join(base, "queue")
	require.NoError(t, os.Mkdir(dir, 0o700))
	return dir
}

func newRig(t *testing.T, change ...func(*Options)) *rig {
	t.Helper()
	r := &rig{T: t, clock: &handClock{at: time.Now()}, dir: home(t)}
	memory := storetest.NewMemory()
	memory.Now = r.clock.Now
	r.q = queue.New(memory)
	r.q.Now = r.clock.Now
	r.start(change...)
	t.Cleanup(func() { r.stop() })
	return r
}

// start starts the portal of the queue, for the first time or again.
func (r *rig) start(change ...func(*Options)) {
	r.Helper()
	o := Options{Queue: r.q, Dir: r.dir}
	for _, c := range change {
		c(&o)
	}
	var err error
	r.Portal, err = Open(o)
	require.NoError(r, err)
	r.pages, r.ended = &pages{}, make(chan error, 1)
	ctx, cancel := context.WithCancel(context.Background())
	p, ended := r.Portal, r.ended
	go func() {
		err := p.Serve(ctx, r.pages, func() int { return 0 })
		p.Close()
		ended <- err
		close(ended)
	}()
	r.stop = func() { cancel(); <-ended }
}

func (r *rig) ask(change ...func(*queue.Ask)) queue.Session {
	r.Helper()
	a := queue.Ask{Kind: queue.KindChoice, Title: "Which database?", Prompt: "Which?", TimeoutSeconds: 300,
		OnTimeout: queue.OnTimeoutNone,
		Questions: []queue.Question{{ID: "q", Mode: queue.ModeSingle, Min: 1, Max: 1, Options: []queue.Option{
			{ID: "pg", Label: "PostgreSQL"}, {ID: "lite", Label: "SQLite"}}}}}
	for _, c := range change {
		c(&a)
	}
	s, err := r.q.Create(r.Context(), queue.Session{Ask: a, Origin: queue.Origin{Client: "claude"}})
	require.NoError(r, err)
	return s
}

// jar keeps a browser's cookies, and the secret of its page.
type jar struct {
	*rig
	base    string
	secret  string
	only    string
	cookies map[string]string
	client  *http.Client
}

func (r *rig) browser() *jar {
	return &jar{rig: r, base: "http://" + r.here.hosts[0], cookies: map[string]string{}, client: &http.Client{
		Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true}}}
}

// entered returns a browser that has exchanged the token of the person's own link.
func (r *rig) entered() *jar {
	r.Helper()
	b := r.browser()
	require.Equal(r, http.StatusOK, b.enter(r.Link("")).status)
	return b
}

type answer struct {
	status int
	header http.Header
	body   string
}

// send sends a request with the browser's cookies. headers are pairs of name and value; Host may be one of them.
func (b *jar) send(method, path, body string, headers ...string) answer {
	b.Helper()
	r, err := http.NewRequestWithContext(b.Context(), method, b.base+path, bytes.NewReader([]byte(body)))
	require.NoError(b, err)
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
	}
	res, err := b.client.Do(r)
	require.NoError(b, err)
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	require.NoError(b, err)
	for _, c := range res.Cookies() {
		if b.cookies[c.Name] = c.Value; c.MaxAge < 0 {
			delete(b.cookies, c.Name)
		}
	}
	return answer{res.StatusCode, res.Header, string(raw)}
}

func (b *jar) get(path string, headers ...string) answer {
	b.Helper()
	return b.send(http.MethodGet, path, "", headers...)
}

// tokenIn returns the token of a link.
func tokenIn(link string) string {
	_, token, _ := strings.Cut(link, "?t=")
	return token
}

// enter exchanges the token of a link, as the page does.
func (b *jar) enter(link string, headers ...string) answer {
	b.Helper()
	raw, _ := json.Marshal(map[string]string{"token": tokenIn(link)})
	a := b.send(http.MethodPost, "/enter", string(raw), append([]string{"Content-Type", "application/json"}, headers...)...)
	var got struct{ Secret, Only string }
	if a.status == http.StatusOK {
		require.NoError(b, json.Unmarshal([]byte(a.body), &got))
		b.secret, b.only = got.Secret, got.Only
	}
	return a
}

// dial opens the page's WebSocket with cookies and secret; status is the HTTP status of a refusal.
func (b *jar) dial(headers ...string) (conn *websocket.Conn, status int) {
	b.Helper()
	h := http.Header{}
	for name, value := range b.cookies {
		h.Add("Cookie", name+"="+value)
	}
	o := &websocket.DialOptions{HTTPClient: b.client, HTTPHeader: h}
	if b.secret != "" {
		o.Subprotocols = []string{"secret." + b.secret, "choicetui"}
	}
	for i := 0; i+1 < len(headers); i += 2 {
		h.Set(headers[i], headers[i+1])
		if headers[i] == "Host" {
			o.Host = headers[i+1]
		}
	}
	conn, res, err := websocket.Dial(b.Context(), strings.Replace(b.base, "http", "ws", 1)+"/live", o)
	if err != nil {
		require.NotNil(b, res, err)
		return nil, res.StatusCode
	}
	b.Cleanup(func() { _ = conn.CloseNow() })
	require.Equal(b, "choicetui", conn.Subprotocol())
	return conn, res.StatusCode
}

// page returns a connected page.
func (b *jar) page() *websocket.Conn {
	b.Helper()
	conn, status := b.dial()
	require.Equal(b, http.StatusSwitchingProtocols, status)
	echo(b, conn)
	return conn
}

// echo checks that a page is served.
func echo(t interface {
	require.TestingT
	Context() context.Context
}, conn *websocket.Conn) {
	require.NoError(t, conn.Write(t.Context(), websocket.MessageText, []byte("x")))
	_, _, err := conn.Read(t.Context())
	require.NoError(t, err)
}

// over reports whether a page's WebSocket has ended or ends at once.
func over(t *testing.T, conn *websocket.Conn) bool {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	_, _, err := conn.Read(ctx)
	return err != nil && ctx.Err() == nil
}

// copied returns another browser with a copy of all that this one keeps.
func (b *jar) copied() *jar {
	c := *b
	c.cookies = maps.Clone(b.cookies)
	return &c
}
