package portal

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// withPages puts the real pages behind a rig's door, and returns their desk.
func (r *rig) withPages() *desk.Desk {
	r.Helper()
	r.stop()
	p, err := Open(Options{Queue: r.q, Dir: r.dir})
	require.NoError(r, err)
	settings := config.Open(filepath.Join(r.TempDir(), "config.json"))
	d := desk.New(desk.Options{Services: desk.Services{Queue: r.q, Settings: settings, Instance: queue.NewToken()}})
	pages := NewPages(d, d.Do, PagesOptions{})
	ctx, cancel := context.WithCancel(context.Background())
	_, err = d.Open(ctx, queue.RolePortal)
	require.NoError(r, err)
	d.Start(ctx)
	ran, served := make(chan struct{}), make(chan struct{})
	go func() { d.Run(ctx); d.Close(); close(ran) }()
	go func() {
		_ = p.Serve(ctx, pages, func() int { return 0 })
		p.Close()
		close(served)
	}()
	r.Portal, r.stop = p, func() { cancel(); <-ran; <-served }
	return d
}

func TestLive_NothingIsDoneForASessionThatHasEnded(t *testing.T) {
	for _, ends := range []bool{false, true} {
		r := newRig(t)
		d := r.withPages()
		b := r.entered()
		conn, status := b.dial()
		require.Equal(t, http.StatusSwitchingProtocols, status)
		seconds := func() (n int) {
			done := make(chan struct{})
			d.Do(func() { n = d.Settings().TimeoutSeconds; close(done) })
			<-done
			return n
		}
		does := func(e pageEvent) {
			raw, err := json.Marshal(e)
			require.NoError(t, err)
			require.NoError(t, conn.Write(t.Context(), websocket.MessageText, raw))
		}
		does(pageEvent{Do: doOpen, Path: "/"})
		_, _, err := conn.Read(t.Context())
		require.NoError(t, err, "the page is shown")
		was := seconds()
		goOn := make(chan struct{})
		d.Do(func() { <-goOn }) // what comes meanwhile is done after this
		does(pageEvent{Do: doSet, Field: "timeout_seconds", Value: "77"})
		time.Sleep(100 * time.Millisecond)
		if ends {
			r.access.mu.Lock()
			require.Equal(t, 1, r.access.end(func(Session) bool { return true }))
			r.access.mu.Unlock()
		}
		close(goOn)
		if ends {
			require.True(t, over(t, conn))
			require.Equal(t, was, seconds())
			continue
		}
		require.Eventually(t, func() bool { return seconds() == 77 }, patience, 5*time.Millisecond)
	}
}

func TestAPageByAGivenLinkIsServedItsQuestionAloneAndItsAnswerSaysSo(t *testing.T) {
	r := newRig(t)
	r.withPages()
	const day = 24 * 60 * 60 // each event below advances the clock by a second
	s := r.ask(func(a *queue.Ask) { a.TimeoutSeconds = day })
	other := r.ask(func(a *queue.Ask) { a.Title, a.TimeoutSeconds = "Deploy to production?", day })
	link, err := r.GivenLink(t.Context(), s.ID, "claude")
	require.NoError(t, err)
	b := r.browser()
	require.Equal(t, http.StatusOK, b.enter(link).status)
	conn, status := b.dial()
	require.Equal(t, http.StatusSwitchingProtocols, status)
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
		r.clock.pass(time.Second) // long enough after another question for the guard
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

// tabAt opens a rig's link in a tab of the real browser. The tabs of a test share their cookies, as one person's do.
func (r *rig) tabAt(t *testing.T, link string) *chrome {
	t.Helper()
	w := newBrowser(t, &bench{t: t, server: &httptest.Server{URL: "http://" + r.here.hosts[0]}, ahead: &atomic.Int64{}})
	w.to(strings.TrimPrefix(link, w.server.URL))
	return w
}

func TestABrowserIsLetInByItsLinkAndStaysInBesideAGivenOne(t *testing.T) {
	r := newRig(t)
	r.withPages()
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
	r := newRig(t)
	r.withPages()
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
	r := newRig(t)
	r.withPages()
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
			Do: queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{{Question: "q", Selected: []string{"lite"}}}}}})
		require.NoError(t, err)
	}
	w.to("/")
	w.shows("Last answers")
	require.NotContains(t, js[string](w, "document.body.textContent"), "Deploy to production?")
	require.Equal(t, 1, js[int](w, `document.querySelectorAll(".rows.last li").length`))
}
