package http

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/queue"
)

// hung is a store in which announcing or releasing one MCP session blocks, as on a network disk. It reports when that
// begins, and continues when the test lets it.
type hung struct {
	queue.Store
	session       string // the MCP session
	onAnnounce    bool   // announcing blocks; false: releasing does
	entered, over chan struct{}
	goOn          func()
}

func (h *hung) concerns(p queue.Presence) bool {
	return strings.HasSuffix(p.Instance, strings.TrimPrefix(fingerprint(h.session), "http:"))
}

func (h *hung) Announce(ctx context.Context, p queue.Presence) (func() error, error) {
	if !h.concerns(p) {
		return h.Store.Announce(ctx, p)
	}
	if h.onAnnounce {
		h.hang()
	}
	release, err := h.Store.Announce(ctx, p)
	return func() error {
		if !h.onAnnounce {
			h.hang()
		}
		return release()
	}, err
}

func (h *hung) hang() {
	h.entered <- struct{}{}
	<-h.over
}

// hangs makes the presence of this agent's session hang.
func (w *web) hangs(a *agent, onAnnounce bool) *hung {
	over := make(chan struct{})
	h := &hung{Store: w.store, session: a.session, onAnnounce: onAnnounce, entered: make(chan struct{}, 1), over: over}
	h.goOn = sync.OnceFunc(func() { close(over) })
	w.t.Cleanup(h.goOn)
	w.store, w.q = h, queue.New(h)
	return h
}

// served requires that this agent is served while another one's presence blocks.
func (a *agent) served(id int) {
	a.w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	waits := a.open(http.MethodPost, toolCall(id, single, "")).primed()
	mine := func(s queue.Session) bool { return s.Origin.Agent == fingerprint(a.session) }
	a.w.eventually(func(s queue.Session) bool { return mine(s) && claimed(s) })
	cancelled := a.post(ctx, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d,"reason":"Esc"}}`, id))
	defer cancelled.Body.Close()
	assert.Equal(a.w.t, http.StatusAccepted, cancelled.StatusCode)
	for ok := true; ok; {
		_, ok = waits.event()
	}
	a.w.eventually(func(s queue.Session) bool { return mine(s) && s.Outcome != nil })
}

func TestHTTPSessionWhoseAnnouncementHangsStopsNoOther(t *testing.T) {
	w := newWeb(t)
	a, b := w.agent("a"), w.agent("b")
	h := w.hangs(a, true)
	first := a.ask(1, "")
	<-h.entered
	b.served(1)
	assert.Equal(t, http.StatusOK, b.status(http.MethodDelete, ""))
	h.goOn()
	first.primed()
	w.eventually(func(s queue.Session) bool { return s.Origin.Client == "a" && claimed(s) })
}

func TestHTTPSessionWhoseReleaseHangsStopsNoOther(t *testing.T) {
	w := newWeb(t)
	a, b := w.agent("a"), w.agent("b")
	h := w.hangs(a, false)
	a.ask(1, "").primed()
	w.eventually(claimed)
	ended := make(chan int, 1)
	go func() { ended <- a.status(http.MethodDelete, "") }()
	<-h.entered
	b.served(1)
	h.goOn()
	assert.Equal(t, http.StatusOK, <-ended)
}

func TestHTTPSessionThatEndsWhileItIsAnnouncedDoesNotStay(t *testing.T) {
	w := newWeb(t)
	a := w.agent("a")
	h := w.hangs(a, true)
	a.ask(1, "")
	<-h.entered
	ended := make(chan int, 1)
	go func() { ended <- a.status(http.MethodDelete, "") }()
	require.Eventually(t, func() bool { // it is refused from here on
		return a.status(http.MethodPost, `{"jsonrpc":"2.0","id":9,"method":"ping"}`) == http.StatusNotFound
	}, 5*time.Second, time.Millisecond)
	h.goOn()
	assert.Equal(t, http.StatusOK, <-ended)
	assert.Eventually(t, func() bool {
		present, err := w.store.Present(context.Background())
		require.NoError(t, err)
		for _, p := range present {
			if h.concerns(p) {
				return false
			}
		}
		return true
	}, 5*time.Second, time.Millisecond)
}

func TestHTTPServerEndsThoughAPresenceHangs(t *testing.T) {
	w := newWeb(t)
	a := w.agent("a")
	h := w.hangs(a, false)
	a.ask(1, "").primed()
	w.eventually(claimed)
	started := time.Now()
	w.cancel()
	<-h.entered
	require.ErrorIs(t, <-w.done, context.Canceled)
	w.done <- nil
	assert.Less(t, time.Since(started), 2*call.CloseWithin)
}
