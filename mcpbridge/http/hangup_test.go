package http

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

const cancelModern = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"Esc"}}`

// modern returns a client of 2026-07-28, which has no session.
func (w *web) modern() *agent {
	a := &agent{w: w, http: &http.Client{Transport: &http.Transport{}}}
	w.t.Cleanup(a.http.CloseIdleConnections)
	return a
}

// askModern calls a tool as a client of 2026-07-28, and returns once the stream is open.
func (a *agent) askModern(tool, arguments string) *wait {
	a.w.t.Helper()
	body := strings.Replace(toolCall(1, arguments, ","+modernMeta), "provide_choice", tool, 1)
	return a.open(http.MethodPost, body,
		"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", tool).primed()
}

// comesBackWithin returns how long a client may be away in these tests.
func comesBackWithin(d time.Duration) func(*transport) { return func(hs *transport) { hs.away = d } }

func settled(s queue.Session) bool { return s.Outcome != nil }

func TestHTTPStreamClosedSince2026WithdrawsTheQuestionAfterAWhile(t *testing.T) {
	const away = 300 * time.Millisecond
	w := newWeb(t, comesBackWithin(away))
	call := w.modern().askModern("provide_choice", single)
	w.eventually(claimed)
	call.cancel()
	s := w.eventually(settled)
	assert.Equal(t, queue.StatusCancelled, s.Outcome.Status)
	assert.Equal(t, queue.ByCaller, s.Outcome.By)
	assert.Equal(t, queue.CallEnded, s.Outcome.Reason)
	require.NotNil(t, s.DroppedAt)
	assert.GreaterOrEqual(t, s.Outcome.At.Sub(*s.DroppedAt), away, "until then the same ask may come back")
}

func TestHTTPStreamClosedSince2026LeavesTheQuestionToTheSameAsk(t *testing.T) {
	const away = 300 * time.Millisecond
	w := newWeb(t, comesBackWithin(away))
	a := w.modern()
	call := a.askModern("provide_choice", single)
	asked := w.eventually(claimed)
	call.cancel()
	w.eventually(released)
	again := a.askModern("provide_choice", single)
	w.eventually(claimed)
	time.Sleep(2 * away)
	s := w.eventually(claimed)
	assert.Equal(t, asked.ID, s.ID)
	w.answer(s.ID, "lite")
	assert.Equal(t, []any{"lite"}, again.result(1).selection()["selected_ids"])
}

func TestHTTPAskThatCameBackSince2026AndLeftAgainHasItsWholeTime(t *testing.T) {
	const away = 400 * time.Millisecond
	w := newWeb(t, comesBackWithin(away))
	a := w.modern()
	for range 2 {
		call := a.askModern("provide_choice", single)
		w.eventually(claimed)
		call.cancel()
		w.eventually(released)
		time.Sleep(away * 3 / 4)
	}
	s := w.eventually(settled)
	assert.GreaterOrEqual(t, s.Outcome.At.Sub(*s.DroppedAt), away)
}

func TestHTTPStreamClosedSince2026KeepsAnAnswerThatWasGiven(t *testing.T) {
	w := newWeb(t, comesBackWithin(200*time.Millisecond))
	call := w.modern().askModern("provide_choice", single)
	w.eventually(claimed)
	call.cancel()
	s := w.eventually(released)
	w.answer(s.ID, "lite")
	time.Sleep(400 * time.Millisecond)
	s = w.eventually(settled)
	assert.Equal(t, queue.StatusSelected, s.Outcome.Status)
}

func TestHTTPBrokenConnectionBefore2026WithdrawsNothing(t *testing.T) {
	w := newWeb(t, comesBackWithin(50*time.Millisecond))
	call := w.agent("x").ask(1, "").primed()
	w.eventually(claimed)
	call.cancel()
	w.eventually(released)
	time.Sleep(200 * time.Millisecond)
	assert.Nil(t, w.eventually(released).Outcome)
}

func TestHTTPServerThatEndsWithdrawsNothing(t *testing.T) {
	w := newWeb(t, comesBackWithin(50*time.Millisecond))
	w.modern().askModern("provide_choice", single)
	w.eventually(claimed)
	w.cancel()
	w.eventually(released)
	time.Sleep(200 * time.Millisecond)
	assert.Nil(t, w.eventually(released).Outcome)
}

// The official Go SDK sends this without _meta, and closes its client when it is answered by anything but 2xx.
func TestHTTPCancelNotificationSince2026IsAcceptedAndNamesNoCall(t *testing.T) {
	w := newWeb(t, comesBackWithin(time.Minute))
	a := w.modern()
	call := a.askModern("provide_choice", single)
	s := w.eventually(claimed)
	for _, headers := range [][]string{
		{"MCP-Protocol-Version", "2026-07-28"},
		{"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "notifications/cancelled"},
	} {
		res := a.post(context.Background(), cancelModern, headers...)
		res.Body.Close()
		assert.Equal(t, http.StatusAccepted, res.StatusCode)
	}
	w.answer(s.ID, "pg")
	assert.Equal(t, []any{"pg"}, call.result(1).selection()["selected_ids"], "ids of several clients may be the same")
}
