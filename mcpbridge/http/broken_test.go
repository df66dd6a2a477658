package http

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestHTTPDroppedCallLeavesItsQuestionAndTheSameAskJoins(t *testing.T) {
	w := newWeb(t)
	a := w.agent("x")
	call := a.ask(1, "").primed()
	w.eventually(claimed)
	call.cancel()
	dropped := w.eventually(released)
	again := a.ask(2, "").primed()
	s := w.eventually(claimed)
	assert.Equal(t, dropped.ID, s.ID)
	w.answer(s.ID, "lite")
	assert.Equal(t, []any{"lite"}, again.result(2).selection()["selected_ids"])
}

func TestHTTPCancelOfAnotherSessionIsNotOurs(t *testing.T) {
	w := newWeb(t)
	a, b := w.agent("x"), w.agent("x")
	call := a.ask(1, "").primed()
	s := w.eventually(claimed)
	b.post(context.Background(), `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"x"}}`).Body.Close()
	w.answer(s.ID, "pg")
	assert.Equal(t, []any{"pg"}, call.result(1).selection()["selected_ids"])
}

func TestHTTPStreamsCannotBeResumed(t *testing.T) {
	w := newWeb(t)
	a := w.agent("x")
	call := a.ask(1, "").primed()
	s := w.eventually(claimed)
	for _, headers := range [][]string{nil, {"Last-Event-ID", "1"}} {
		res := a.request(context.Background(), http.MethodGet, "", headers...)
		res.Body.Close()
		assert.Equal(t, http.StatusMethodNotAllowed, res.StatusCode)
		assert.Equal(t, "POST, DELETE", res.Header.Get("Allow"))
	}
	w.answer(s.ID, "pg")
	call.result(1)
	assert.Empty(t, call.last, "no event has an id, so no client tries")
}

func TestHTTPCancelWithdrawsAndATimeoutDoesNot(t *testing.T) {
	for reason, withdrawn := range map[string]bool{"user pressed Esc": true, "McpError: Request timed out": false} {
		t.Run(reason, func(t *testing.T) {
			w := newWeb(t)
			a := w.agent("x")
			call := a.ask(1, "").primed()
			s := w.eventually(claimed)
			assert.Equal(t, http.StatusAccepted, a.status(http.MethodPost, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":%q}}`, reason)))
			for ok := true; ok; {
				var m said
				m, ok = call.event()
				assert.Nil(t, m.ID, "a cancelled call has no result")
			}
			got := w.eventually(func(s queue.Session) bool { return s.Claim == nil })
			assert.Equal(t, s.ID, got.ID)
			assert.Equal(t, withdrawn, got.Outcome != nil)
			if withdrawn {
				assert.Equal(t, http.StatusMethodNotAllowed, a.status(http.MethodGet, "", "Last-Event-ID", "1"), "there is nothing to resume")
			}
		})
	}
}

func TestHTTPCancelThatOvertakesItsCallIsNotLost(t *testing.T) {
	w := newWeb(t)
	a := w.agent("x")
	a.status(http.MethodPost, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"Esc"}}`)
	call := a.ask(1, "")
	for more := true; more; { // its id may come first
		var m said
		m, more = call.event()
		assert.Nil(t, m.ID, "a cancelled call has no result")
	}
	assert.Empty(t, w.sessions(), "nobody was asked")
}

func TestHTTPCancelOfABrokenCallWithdrawsItsQuestion(t *testing.T) {
	w := newWeb(t)
	a := w.agent("x")
	call := a.ask(1, "").primed()
	w.eventually(claimed)
	call.cancel()
	w.eventually(released)
	assert.Equal(t, http.StatusAccepted, a.status(http.MethodPost, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"Esc"}}`))
	s := w.eventually(func(s queue.Session) bool { return s.Outcome != nil })
	assert.Equal(t, "Esc", s.Outcome.Reason)
}

func TestHTTPBoundQuestionGoesWithItsConnection(t *testing.T) {
	w := newWeb(t)
	a := w.agent("x")
	hitl := `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"hitl_request","arguments":{"question":"Deploy?","options":["yes","no"]}}}`
	call := a.open(http.MethodPost, hitl).primed()
	w.eventually(claimed)
	call.cancel()
	s := w.eventually(func(s queue.Session) bool { return s.Outcome != nil })
	assert.Equal(t, queue.ByCaller, s.Outcome.By)
}

// deaf is a connection that breaks when the first byte is written.
type deaf struct{ header http.Header }

func (d *deaf) Header() http.Header       { return d.header }
func (d *deaf) WriteHeader(int)           {}
func (d *deaf) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
func (d *deaf) FlushError() error         { return io.ErrClosedPipe }

func TestHTTPAnswerThatCouldNotBeWrittenIsKeptAndFetchedById(t *testing.T) {
	w := newWeb(t, func(hs *transport) { hs.openAt = time.Minute })
	a := w.agent("x")
	r, err := http.NewRequest(http.MethodPost, w.url(), strings.NewReader(toolCall(1, single, "")))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Mcp-Session-Id", a.session)
	served := make(chan struct{})
	go func() {
		defer close(served)
		w.hs.servePost(&deaf{http.Header{}}, r)
	}()
	s := w.eventually(claimed)
	w.answer(s.ID, "pg")
	<-served
	kept := w.eventually(released)
	assert.NotNil(t, kept.Outcome)
	assert.False(t, kept.Final)
	got := a.open(http.MethodPost, toolCall(2, `"session_id":"`+s.ID+`"`, "")).result(2)
	assert.Equal(t, []any{"pg"}, got.selection()["selected_ids"])
	w.gone(s.ID)
}
