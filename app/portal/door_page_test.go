package portal

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/adrg/xdg"
	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/portal/door"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/storetest"
)

// entry is a portal with its door and its pages.
type entry struct {
	*testing.T
	*door.Portal
	q     *queue.Queue
	d     *desk.Desk
	ahead atomic.Int64 // how far the clock is ahead
	base  string       // the origin of its pages
	stop  func()
}

func newEntry(t *testing.T) *entry {
	t.Helper()
	dir := t.TempDir()
	t.Cleanup(xdg.Reload) // runs after the variables are restored
	for _, name := range []string{"STATE_HOME", "RUNTIME_DIR", "CONFIG_HOME"} {
		t.Setenv("XDG_"+name, filepath.Join(dir, name))
	}
	xdg.Reload()
	memory := storetest.NewMemory()
	r := &entry{T: t, q: queue.New(memory)}
	r.q.Now = func() time.Time { return time.Now().Add(time.Duration(r.ahead.Load())) }
	memory.Now = r.q.Now
	var err error
	r.Portal, err = door.Open(door.Options{Queue: r.q, Dir: dir})
	require.NoError(t, err)
	r.base, _, _ = strings.Cut(r.Link(""), "/?t=")
	settings := config.Open(filepath.Join(dir, "config.json"))
	r.d = desk.New(desk.Options{Services: desk.Services{Queue: r.q, Settings: settings, Instance: queue.NewToken()}})
	pages := NewPages(r.d, r.d.Do, PagesOptions{})
	ctx, cancel := context.WithCancel(context.Background())
	_, err = r.d.Open(ctx, queue.RolePortal)
	require.NoError(t, err)
	r.d.Start(ctx)
	ran, served := make(chan struct{}), make(chan struct{})
	go func() { r.d.Run(ctx); r.d.Close(); close(ran) }()
	go func() {
		_ = r.Serve(ctx, pages, func() int { return 0 })
		r.Close()
		close(served)
	}()
	r.stop = sync.OnceFunc(func() { cancel(); <-ran; <-served })
	t.Cleanup(r.stop)
	return r
}

func (r *entry) ask(change ...func(*queue.Ask)) queue.Session {
	r.Helper()
	a := one(queue.ModeSingle, nil)
	for _, c := range change {
		c(&a)
	}
	s, err := r.q.Create(r.Context(), queue.Session{Ask: a, Origin: queue.Origin{Client: "claude"}})
	require.NoError(r, err)
	return s
}

// enter exchanges the token of a link, as the page does, and opens its WebSocket.
func (r *entry) enter(link string) *websocket.Conn {
	r.Helper()
	_, token, _ := strings.Cut(link, "?t=")
	res, err := http.Post(r.base+"/enter", "application/json", strings.NewReader(`{"token":"`+token+`"}`))
	require.NoError(r, err)
	defer res.Body.Close()
	require.Equal(r, http.StatusOK, res.StatusCode)
	var in struct{ Secret string }
	require.NoError(r, json.NewDecoder(res.Body).Decode(&in))
	h := http.Header{}
	for _, c := range res.Cookies() {
		h.Add("Cookie", c.Name+"="+c.Value)
	}
	conn, _, err := websocket.Dial(r.Context(), strings.Replace(r.base, "http", "ws", 1)+"/live", &websocket.DialOptions{
		HTTPHeader: h, Subprotocols: []string{"secret." + in.Secret, subprotocol}})
	require.NoError(r, err)
	r.Cleanup(func() { _ = conn.CloseNow() })
	return conn
}

// The policy allows the script and the style of the page by their hashes, and no other.
func TestShell_PolicyNamesItsScriptAndStyle(t *testing.T) {
	r := newEntry(t)
	res, err := http.Get(r.Link(""))
	require.NoError(t, err)
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	for directive, tag := range map[string]string{"script-src": "script", "style-src": "style"} {
		_, text, opens := strings.Cut(string(raw), "<"+tag+">")
		text, _, closes := strings.Cut(text, "</"+tag+">")
		require.True(t, opens && closes, tag)
		require.Greater(t, len(text), 1000, tag)
		sum := sha256.Sum256([]byte(text))
		require.Contains(t, res.Header.Get("Content-Security-Policy"),
			directive+" 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"';")
	}
}

func TestAPageByAGivenLinkIsServedItsQuestionAloneAndItsAnswerSaysSo(t *testing.T) {
	r := newEntry(t)
	const day = 24 * 60 * 60 // each event below advances the clock by a second
	s := r.ask(func(a *queue.Ask) { a.TimeoutSeconds = day })
	other := r.ask(func(a *queue.Ask) { a.Title, a.TimeoutSeconds = "Deploy to production?", day })
	link, err := r.GivenLink(t.Context(), s.ID, "claude")
	require.NoError(t, err)
	conn := r.enter(link)
	said := make(chan string, 100)
	var frame atomic.Int64 // the frame that the page has to report
	go func() {
		defer close(said)
		for {
			_, raw, err := conn.Read(context.Background())
			if err != nil {
				return
			}
			said <- string(raw)
			var m message
			if json.Unmarshal(raw, &m) == nil && m.Frame > 0 {
				frame.Store(int64(m.Frame))
			}
		}
	}()
	does := func(d pageEvent) {
		r.ahead.Add(int64(time.Second)) // long enough after another question for the guard
		raw, err := json.Marshal(d)
		require.NoError(t, err)
		require.NoError(t, conn.Write(t.Context(), websocket.MessageText, raw))
	}
	for _, path := range []string{"/", "/choice/" + other.ID} {
		does(pageEvent{Do: "open", Path: path})
	}
	for _, do := range []string{"settings", "list", "help"} {
		does(pageEvent{Do: do})
	}
	does(pageEvent{Do: "open", Path: "/choice/" + s.ID})
	require.Eventually(t, func() bool {
		does(pageEvent{Do: doShown, N: int(frame.Load())})
		does(pageEvent{Do: "digit", N: 2})
		does(pageEvent{Do: "send"})
		now, err := r.q.Store.Get(t.Context(), s.ID)
		return err == nil && now.Outcome != nil
	}, patience, 20*time.Millisecond)
	over, err := r.q.Store.Get(t.Context(), s.ID)
	require.NoError(t, err)
	require.Equal(t, queue.StatusSelected, over.Outcome.Status)
	require.Equal(t, "claude", over.Outcome.Given)
	left, err := r.q.Store.Get(t.Context(), other.ID)
	require.NoError(t, err)
	require.Nil(t, left.Outcome)
	r.stop()
	for text := range said {
		require.NotContains(t, text, "Deploy to production?")
		require.NotContains(t, strings.ToLower(text), "timeout_seconds", "nor the settings")
	}
}

// tabAt opens an entry's link in a tab of the real browser. The tabs of a test share their cookies, as one person's do.
func (r *entry) tabAt(t *testing.T, link string) *chrome {
	t.Helper()
	w := newBrowser(t, &bench{t: t, server: &httptest.Server{URL: r.base}, ahead: &atomic.Int64{}})
	w.to(strings.TrimPrefix(link, w.server.URL))
	return w
}

func TestABrowserIsLetInByItsLinkAndStaysInBesideAGivenOne(t *testing.T) {
	r := newEntry(t)
	s := r.ask()
	r.ask(func(a *queue.Ask) { a.Title = "Deploy to production?" })
	own := r.tabAt(t, r.Link(""))
	own.shows("Deploy to production?")
	require.Equal(t, "/", js[string](own, "location.pathname + location.search"), "no token stays in the address")
	require.Empty(t, js[string](own, "document.cookie"), "no script reads the cookie")

	link, err := r.GivenLink(t.Context(), s.ID, "claude")
	require.NoError(t, err)
	given := r.tabAt(t, link)
	given.shows("Which database?")
	require.NotContains(t, js[string](given, "document.body.textContent"), "Deploy to production?")
	require.Equal(t, "/choice/"+s.ID, js[string](given, "location.pathname + location.search"))
	given.to("/")
	given.shows("Deploy to production?") // the link is opened in the person's own browser, which was let in before

	own.to("/")
	own.shows("Deploy to production?")
}

func TestAGivenLinkAloneLetsABrowserBackToItsQuestion(t *testing.T) {
	r := newEntry(t)
	s := r.ask()
	link, err := r.GivenLink(t.Context(), s.ID, "claude")
	require.NoError(t, err)
	given := r.tabAt(t, link)
	given.shows("Which database?")
	given.to("/choice/" + s.ID)
	given.shows("Which database?")
	again := r.tabAt(t, "/choice/"+s.ID)
	again.shows("Which database?")
}

func TestAGivenLinkListsItsQuestionAlone(t *testing.T) {
	r := newEntry(t)
	s := r.ask()
	other := r.ask(func(a *queue.Ask) { a.Title = "Deploy to production?" })
	link, err := r.GivenLink(t.Context(), s.ID, "claude")
	require.NoError(t, err)
	w := r.tabAt(t, link)
	w.shows("Which database?")
	w.to("/")
	w.shows("Waiting for you")
	w.shows("Which database?")
	require.Equal(t, "/", js[string](w, "location.pathname"))
	require.NotContains(t, js[string](w, "document.body.textContent"), "Deploy to production?")
	require.Equal(t, 1, js[int](w, `document.querySelectorAll(".rows li").length`))
	w.key("2", 0)
	w.shows("The queue has no question 2")
	js[bool](w, `document.querySelector(".rows a").click(), true`)
	w.shows("SQLite")
	require.Equal(t, "/choice/"+s.ID, js[string](w, "location.pathname"))

	for _, id := range []string{other.ID, s.ID} {
		_, err = r.q.Do(t.Context(), id, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceDashboard,
			Do: queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{{Question: "q1", Selected: []string{"lite"}}}}}})
		require.NoError(t, err)
	}
	w.to("/")
	w.shows("Last answers")
	require.NotContains(t, js[string](w, "document.body.textContent"), "Deploy to production?")
	require.Equal(t, 1, js[int](w, `document.querySelectorAll(".rows.last li").length`))
}
