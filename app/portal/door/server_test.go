package door

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/portal/client"
	"github.com/choicetui/choicetui/queue"
)

func TestOnlyWhoReadsThePortalsFileMayControlIt(t *testing.T) {
	r := newRig(t)
	s := r.ask()
	right := "Bearer " + r.place.Control
	b := r.browser()
	for _, headers := range [][]string{{}, {"Authorization", "Bearer x"}, {"Authorization", r.place.Control}} {
		require.Equal(t, http.StatusUnauthorized, b.send("POST", "/control/link", "{}", headers...).status)
	}
	for _, page := range [][]string{{"Origin", "http://" + r.here.hosts[0]}, {"Sec-Fetch-Site", "same-origin"},
		{"Sec-Fetch-Site", "none"}, {"Cookie", "choicetui-1=x"}} {
		a := b.send("POST", "/control/link", "{}", append(page, "Authorization", right)...)
		require.Equal(t, http.StatusForbidden, a.status, page)
	}
	require.Equal(t, http.StatusForbidden, b.send("POST", "/control/link", "{}", "Authorization", right, "Host", "evil").status)

	place, err := client.Read(r.files.place)
	require.NoError(t, err)
	var got struct{ URL string }
	require.NoError(t, place.Ask(t.Context(), "link", map[string]string{"session": s.ID, "given": "claude"}, &got))
	require.Equal(t, http.StatusOK, b.enter(got.URL).status)
	require.Equal(t, s.ID, b.only)
	require.NoError(t, place.Ask(t.Context(), "link", map[string]string{"session": s.ID}, &got))
	own := r.browser()
	require.Equal(t, http.StatusOK, own.enter(got.URL).status)
	require.Empty(t, own.only)
	require.NoError(t, place.Ask(t.Context(), "link", map[string]string{"session": r.ask(func(a *queue.Ask) {
		a.Confirm = true
	}).ID, "given": "claude"}, &got))
	require.NotContains(t, got.URL, "?t=", "a confirmation has its address alone")
	var devices []Device
	require.NoError(t, place.Ask(t.Context(), "devices", nil, &devices))

	var no *client.Refused
	require.ErrorAs(t, place.Ask(t.Context(), "link", map[string]string{"session": "../x", "given": "claude"}, nil), &no)
	require.Equal(t, http.StatusBadRequest, no.Status)
	require.ErrorAs(t, place.Ask(t.Context(), "link", map[string]string{"given": "claude"}, nil), &no)
	require.Equal(t, http.StatusBadRequest, no.Status, "an agent gets no link to everything")
	require.ErrorAs(t, place.Ask(t.Context(), "link", map[string]string{"session": "zzzzzzzz", "given": "x"}, nil), &no)
	require.Equal(t, http.StatusNotFound, no.Status)
	require.ErrorAs(t, place.Ask(t.Context(), "revoke", map[string]string{"device": "x"}, nil), &no)
	require.Equal(t, http.StatusNotFound, no.Status)
}

func TestAPortalInTheForegroundKeepsItsPlaceAndATransientOneYields(t *testing.T) {
	r := newRig(t)
	var no *client.Refused
	require.ErrorAs(t, r.place.Ask(t.Context(), "yield", struct{}{}, nil), &no)
	require.Equal(t, http.StatusConflict, no.Status)
	r.stop()
	r.start(func(o *Options) { o.Transient = true })
	require.NoError(t, r.place.Ask(t.Context(), "yield", struct{}{}, nil))
	require.ErrorIs(t, <-r.ended, ErrYielded)
	r.start()
}

func TestATransientPortalEndsWhenNothingWaitsAndNobodyLooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		var waiting, looking atomic.Int32
		count := func(of *atomic.Int32) func() int { return func() int { return int(of.Load()) } }
		waiting.Store(1)
		began := time.Now()
		ended := make(chan time.Duration, 1)
		go func() {
			life{dir: dir, waiting: count(&waiting), looking: count(&looking)}.waitUntilUnused(t.Context())
			ended <- time.Since(began)
		}()
		time.Sleep(time.Hour)
		waiting.Store(0)
		looking.Store(1)
		time.Sleep(time.Hour)
		looking.Store(0)
		lasted := <-ended
		require.Greater(t, lasted, 2*time.Hour)
		require.LessOrEqual(t, lasted, 2*time.Hour+30*time.Second)
	})
}

func TestATransientPortalEndsWithItsQueuesDirectory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		one := func() int { return 1 }
		began := time.Now()
		ended := make(chan time.Duration)
		go func() {
			life{dir: dir, waiting: one, looking: one}.waitUntilUnused(t.Context())
			ended <- time.Since(began)
		}()
		time.Sleep(time.Minute)
		require.NoError(t, os.Remove(dir))
		require.LessOrEqual(t, <-ended, 90*time.Second)
	})
}

// piped is a listener with connections in memory, so that a test can control the time.
type piped struct {
	conns chan net.Conn
	done  chan struct{}
}

func (p piped) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}
func (p piped) Close() error   { close(p.done); return nil }
func (p piped) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }

func TestWhoSendsSlowlyIsHungUpOn(t *testing.T) {
	for name, sent := range map[string]string{
		"headers": "POST /enter HTTP/1.1\r\nHost: 127.0.0.1:1\r\n",
		"body": "POST /enter HTTP/1.1\r\nHost: 127.0.0.1:1\r\nContent-Type: application/json\r\n" +
			"Content-Length: 100\r\n\r\n{",
		"nothing after an answer": "GET / HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := newAccess(time.Now, nil, kept{}, t.TempDir()+"/kept")
				l := piped{make(chan net.Conn), make(chan struct{})}
				s := serverOf(t.Context(), newDoor(entranceHere(1), a, &pages{}, nil))
				go func() { _ = s.Serve(l) }()
				here, there := net.Pipe()
				l.conns <- there
				began := time.Now()
				go func() { _, _ = io.WriteString(here, sent) }()
				_, err := io.Copy(io.Discard, here)
				require.True(t, err == nil || errors.Is(err, io.ErrClosedPipe), err)
				require.LessOrEqual(t, time.Since(began), idleConnection)
				_ = s.Close()
			})
		})
	}
}

func TestAHeaderIsBounded(t *testing.T) {
	r := newRig(t)
	a := r.browser().get("/", "X", strings.Repeat("x", mostHeader+8<<10))
	require.Equal(t, http.StatusRequestHeaderFieldsTooLarge, a.status)
}
