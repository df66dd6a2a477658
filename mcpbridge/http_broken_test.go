package mcpbridge

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
	a.ask(1, "").primed().cancel()
	dropped := w.eventually(released)
	again := a.ask(2, "").primed()
	s := w.eventually(claimed)
	assert.Equal(t, dropped.ID, s.ID)
	w.answer(s.ID, "lite")
	assert.Equal(t, []any{"lite"}, again.result(2).selection()["selected_ids"])
}

func TestHTTPResumedStreamGoesOnUnderTheOldRequest(t *testing.T) {
	w := newWeb(t)
	a := w.agent("claude-code")
	call := a.ask(1, `,"_meta":{"progressToken":5}`).primed()
	m, ok := call.event()
	for ok && m.Method == "" {
		m, ok = call.event()
	}
	require.Equal(t, 1.0, m.Params.Progress)
	call.cancel()
	dropped := w.eventually(released)
	back := a.resume(call.last).primed()
	s := w.eventually(claimed)
	assert.Equal(t, dropped.ID, s.ID)
	m, ok = back.event()
	for ok && m.Method == "" {
		m, ok = back.event()
	}
	assert.Equal(t, 2.0, m.Params.Progress, "progress grows over the whole call")
	assert.Equal(t, 5.0, m.Params.ProgressToken)
	w.answer(s.ID, "pg")
	assert.Equal(t, []any{"pg"}, back.result(1).selection()["selected_ids"])
	w.gone(s.ID)
}

func TestHTTPAnswerGivenWhileNobodyListensComesWithTheResume(t *testing.T) {
	w := newWeb(t)
	a := w.agent("x")
	call := a.ask(1, "").primed()
	call.cancel()
	s := w.eventually(released)
	w.answer(s.ID, "pg")
	back := a.resume(call.last)
	assert.Equal(t, []any{"pg"}, back.result(1).selection()["selected_ids"])
	w.gone(s.ID)
}

func TestHTTPResumeTakesOverFromAConnectionThatOnlyLooksAlive(t *testing.T) {
	w := newWeb(t)
	a := w.agent("x")
	call := a.ask(1, "").primed()
	w.eventually(claimed)
	back := a.resume(call.last).primed()
	for {
		if m, ok := call.event(); !ok {
			break
		} else {
			require.Nil(t, m.ID)
		}
	}
	w.answer(w.eventually(claimed).ID, "pg")
	assert.Equal(t, []any{"pg"}, back.result(1).selection()["selected_ids"])
}

func TestHTTPResultThatWasLostOnItsWayIsRepeated(t *testing.T) {
	w := newWeb(t)
	a := w.agent("x")
	call := a.ask(1, "").primed()
	primed := call.last
	s := w.eventually(claimed)
	w.answer(s.ID, "pg")
	call.result(1)
	w.gone(s.ID)
	back := a.resume(primed)
	assert.Equal(t, []any{"pg"}, back.result(1).selection()["selected_ids"])
	assert.Equal(t, call.last, back.last)
	assert.Equal(t, http.StatusMethodNotAllowed, a.status(http.MethodGet, "", "Last-Event-ID", call.last), "all was seen")
}

func TestHTTPStreamsBelongToTheirSession(t *testing.T) {
	w := newWeb(t)
	a, b := w.agent("x"), w.agent("x")
	call := a.ask(1, "").primed()
	assert.Equal(t, http.StatusBadRequest, b.status(http.MethodGet, "", "Last-Event-ID", call.last))
	assert.Equal(t, http.StatusBadRequest, a.status(http.MethodGet, "", "Last-Event-ID", "nonsense"))
	assert.Equal(t, http.StatusNotFound, a.status(http.MethodGet, "", "Last-Event-ID", call.last, "Mcp-Session-Id", "other"))
	b.post(context.Background(), `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"x"}}`).Body.Close()
	time.Sleep(20 * time.Millisecond)
	assert.Nil(t, w.eventually(claimed).Outcome, "another session's cancel is not ours")
}

func TestHTTPDropBeforeAnybodyWasAskedSaysSo(t *testing.T) {
	w := newWeb(t)
	a := w.agent("x")
	call := a.open(http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"next_message","arguments":{}}}`).primed()
	call.cancel()
	time.Sleep(20 * time.Millisecond)
	got := a.resume(call.last).result(1)
	assert.True(t, got.failed())
	assert.Contains(t, got.text(), "Call the tool again")
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
				assert.Equal(t, http.StatusMethodNotAllowed, a.status(http.MethodGet, "", "Last-Event-ID", call.last), "there is nothing to resume")
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
	a.ask(1, "").primed().cancel()
	w.eventually(released)
	assert.Equal(t, http.StatusAccepted, a.status(http.MethodPost, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"Esc"}}`))
	s := w.eventually(func(s queue.Session) bool { return s.Outcome != nil })
	assert.Equal(t, "Esc", s.Outcome.Reason)
}

func TestHTTPBoundQuestionSurvivesAResumeButNotItsCaller(t *testing.T) {
	w := newWeb(t)
	a := w.agent("x")
	hitl := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hitl_request","arguments":{"question":"Deploy?","options":["yes","no"]}}}`
	call := a.open(http.MethodPost, hitl).primed()
	w.eventually(claimed)
	call.cancel()
	time.Sleep(30 * time.Millisecond)
	back := a.resume(call.last).primed()
	s := w.eventually(claimed)
	w.do(s.ID, queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{{Question: s.Ask.Questions[0].ID, Selected: []string{s.Ask.Questions[0].Options[0].ID}}}}})
	assert.Equal(t, "yes", back.result(1).structured()["selectedOption"])
	w.gone(s.ID)

	a.open(http.MethodPost, strings.Replace(hitl, `"id":1`, `"id":2`, 1)).primed().cancel()
	s = w.eventually(func(s queue.Session) bool { return s.Outcome != nil })
	assert.Equal(t, queue.ByCaller, s.Outcome.By)
}

// deaf is a connection that breaks with the first byte.
type deaf struct{ header http.Header }

func (d *deaf) Header() http.Header       { return d.header }
func (d *deaf) WriteHeader(int)           {}
func (d *deaf) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
func (d *deaf) FlushError() error         { return io.ErrClosedPipe }

func TestHTTPAnswerThatCouldNotBeWrittenIsKeptAndFetchedById(t *testing.T) {
	w := newWeb(t, func(hs *httpServer) { hs.openAt = time.Minute })
	a := w.agent("x")
	r, err := http.NewRequest(http.MethodPost, w.url(), strings.NewReader(toolCall(1, single, "")))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Mcp-Session-Id", a.session)
	served := make(chan struct{})
	go func() {
		defer close(served)
		w.hs.post(&deaf{http.Header{}}, r)
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
