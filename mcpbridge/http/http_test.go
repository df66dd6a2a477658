package http

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/mcpbridge/rpc"
	"github.com/choicetui/choicetui/queue"
)

func TestHTTPBringsTheAnswer(t *testing.T) {
	w := newWeb(t)
	a := w.agent("claude-code")
	call := a.ask(1, "").primed()
	s := w.eventually(claimed)
	assert.Equal(t, "claude-code", s.Origin.Client)
	assert.Equal(t, "9", s.Origin.Version)
	assert.Equal(t, fingerprint(a.session), s.Origin.Agent)
	assert.NotContains(t, s.Origin.Agent, a.session, "a session id is half a secret")
	assert.Empty(t, s.Origin.Cwd+s.Origin.Host+s.Origin.Pane+s.Origin.Branch, "the server's own place is not the agent's")
	assert.Zero(t, s.Origin.PID)
	w.answer(s.ID, "pg")
	assert.Equal(t, []any{"pg"}, call.result(1).selection()["selected_ids"])
	_, more := call.event()
	assert.False(t, more, "the stream ends behind the result")
	w.gone(s.ID)
}

func TestHTTPRefusesABadAskAtOnceAsPlainJSON(t *testing.T) {
	w := newWeb(t, func(hs *transport) { hs.openAt = time.Minute })
	a := w.agent("x")
	call := a.open(http.MethodPost, toolCall(1, `"title":"only"`, ""))
	assert.True(t, call.result(1).failed())
	assert.Equal(t, "application/json", call.res.Header.Get("Content-Type"))
	assert.Empty(t, w.sessions())
}

func TestHTTPAnswersClientsWithoutEventStreams(t *testing.T) {
	w := newWeb(t)
	a := w.agent("curl")
	go func() { w.answer(w.eventually(claimed).ID, "pg") }()
	call := a.open(http.MethodPost, toolCall(7, single, ""), "Accept", "*/*")
	assert.Equal(t, "application/json", call.res.Header.Get("Content-Type"))
	assert.Equal(t, []any{"pg"}, call.result(7).selection()["selected_ids"])
}

func TestHTTPKeepsIdsAsTheyCame(t *testing.T) {
	w := newWeb(t)
	a := w.agent("x")
	for _, id := range []string{`"a\u0062c"`, "90071992547409931", `"5"`} {
		call := a.open(http.MethodPost, strings.Replace(toolCall(1, `"title":"x"`, ""), `"id":1`, `"id":`+id, 1))
		raw, err := io.ReadAll(call.res.Body)
		require.NoError(t, err)
		assert.Contains(t, string(raw), `"id":`+id+`,`)
	}
	assert.Equal(t, http.StatusBadRequest, a.status(http.MethodPost, `{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{}}`))
}

func TestHTTPTakesIdsAlikeForAllMethods(t *testing.T) {
	w := newWeb(t)
	a := w.agent("x")
	for _, id := range []string{"{}", "[]", "true", "null"} {
		assert.Equal(t, http.StatusBadRequest, a.status(http.MethodPost, `{"jsonrpc":"2.0","id":`+id+`,"method":"ping"}`), id)
	}
	res := a.post(context.Background(), `{"jsonrpc":"2.0","id":12345678901234567890123,"method":"ping"}`)
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	assert.Contains(t, string(raw), `"id":12345678901234567890123,`)
}

func TestHTTPBeatsWithoutAndWithAProgressToken(t *testing.T) {
	w := newWeb(t)
	a := w.agent("claude-code")
	call := a.ask(1, `,"_meta":{"progressToken":"tok"}`).primed()
	for call.silent < 3 {
		m, ok := call.event()
		require.True(t, ok)
		assert.Empty(t, m.Method, "progress is due after a second only")
	}
	m, ok := call.event()
	for ok && m.Method == "" {
		m, ok = call.event()
	}
	require.Equal(t, "notifications/progress", m.Method)
	assert.Equal(t, "tok", m.Params.ProgressToken)
	assert.Contains(t, m.Params.Message, "Store")
	w.answer(w.eventually(claimed).ID, "pg")
	call.result(1)
}

func TestHTTPSendsEachCallItsOwnBeats(t *testing.T) {
	w := newWeb(t)
	a := w.agent("claude-code")
	var calls []*wait
	for i := range 3 {
		calls = append(calls, a.ask(i+1, fmt.Sprintf(`,"_meta":{"progressToken":"tok%d"}`, i+1)).primed())
	}
	for i, call := range calls {
		m, ok := call.event()
		for ok && m.Method == "" {
			m, ok = call.event()
		}
		assert.Equal(t, fmt.Sprintf("tok%d", i+1), m.Params.ProgressToken)
	}
}

func TestHTTPDeleteEndsTheSessionsWaitsAndNoOthers(t *testing.T) {
	w := newWeb(t)
	a, b := w.agent("a"), w.agent("b")
	mine, theirs := a.ask(1, "").primed(), b.ask(1, "").primed()
	require.Eventually(t, func() bool { return len(w.sessions()) == 2 }, 5*time.Second, time.Millisecond)
	assert.Equal(t, http.StatusOK, a.status(http.MethodDelete, ""))
	ended := mine.result(1)
	require.NotNil(t, ended.Error, "clients wait on where a stream ends without a response")
	assert.Contains(t, ended.Error.Message, "nothing was chosen")
	_, more := mine.event()
	assert.False(t, more)
	for _, s := range w.sessions() {
		assert.Nil(t, s.Outcome)
		assert.Equal(t, s.Origin.Client == "a", released(s), s.Origin.Client)
	}
	assert.Equal(t, http.StatusNotFound, a.status(http.MethodPost, toolCall(2, single, "")))
	assert.Equal(t, http.StatusNotFound, a.status(http.MethodDelete, ""))
	assert.Equal(t, http.StatusBadRequest, a.status(http.MethodDelete, "", "Mcp-Session-Id", ""))
	w.answer(w.eventually(claimed).ID, "pg")
	theirs.result(1)
}

func TestHTTPSecondRequestWithAnIDInFlightIsRefused(t *testing.T) {
	w := newWeb(t)
	a, b := w.agent("x"), w.agent("y")
	a.ask(1, "").primed()
	assert.Equal(t, http.StatusBadRequest, a.status(http.MethodPost, toolCall(1, single, "")))
	b.ask(1, "").primed() // the same id of another client names another request
}

func TestHTTPRefusesWhatIsNoMessage(t *testing.T) {
	w := newWeb(t)
	a := w.agent("x")
	for _, body := range []string{"", "{", "null", "[]", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `"x"`, "\xff"} {
		assert.Equal(t, http.StatusBadRequest, a.status(http.MethodPost, body), "%q", body)
	}
	assert.Equal(t, http.StatusRequestEntityTooLarge, a.status(http.MethodPost, `{"x":"`+strings.Repeat("x", rpc.MaxMessage)+`"}`))
	assert.Equal(t, http.StatusOK, a.status(http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"ping"}`))
	assert.Equal(t, http.StatusNotFound, a.status(http.MethodPost, toolCall(1, single, ""), "Mcp-Session-Id", "nope"))
	assert.Empty(t, w.sessions())
}

func TestHTTPShutdownReleasesWhatWaitsAndEnds(t *testing.T) {
	w := newWeb(t)
	a := w.agent("x")
	waits := a.ask(1, "").primed()
	w.eventually(claimed)
	started := time.Now()
	w.cancel()
	require.ErrorIs(t, <-w.done, context.Canceled)
	w.done <- nil
	assert.Less(t, time.Since(started), call.CloseWithin)
	assert.True(t, released(w.sessions()[0]))
	assert.NotNil(t, waits.result(1).Error)
}

func TestHTTPServesClientsWithoutSessionsSince2026(t *testing.T) {
	w := newWeb(t)
	for _, name := range []string{"one", "two"} {
		a := &agent{w: w, http: &http.Client{Transport: &http.Transport{}}}
		t.Cleanup(a.http.CloseIdleConnections)
		meta := fmt.Sprintf(`,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":%q,"version":"1"}}`, name)
		call := a.open(http.MethodPost, toolCall(1, single, meta), "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "provide_choice")
		s := w.eventually(func(s queue.Session) bool { return s.Origin.Client == name })
		assert.Equal(t, fingerprint(webToken), s.Origin.Agent)
		w.answer(s.ID, "pg")
		assert.Equal(t, []any{"pg"}, call.result(1).selection()["selected_ids"])
		assert.Empty(t, call.last, "there, streams cannot be resumed")
	}
}

func TestHTTPFiveHundredWaitsAtOnceStayWithinBounds(t *testing.T) {
	const most = 500
	w := newWeb(t, func(hs *transport) { hs.registry.most = most })
	before := runtime.NumGoroutine()
	agents := []*agent{w.agent("a"), w.agent("b")}
	var opened, read sync.WaitGroup
	results := make([]said, most)
	for i := range most {
		opened.Add(1)
		read.Go(func() {
			call := agents[i%2].open(http.MethodPost, toolCall(i, strings.Replace(single, "Store", fmt.Sprintf("Store %d", i), 1), "")).primed()
			opened.Done()
			results[i] = call.result(i)
			call.cancel()
		})
	}
	opened.Wait()
	require.Eventually(t, func() bool { return len(w.sessions()) == most }, time.Minute, 10*time.Millisecond)
	res := agents[0].post(context.Background(), toolCall(9999, single, ""))
	res.Body.Close()
	assert.Equal(t, http.StatusServiceUnavailable, res.StatusCode)
	assert.NotEmpty(t, res.Header.Get("Retry-After"))
	assert.Equal(t, http.StatusOK, agents[0].status(http.MethodPost, `{"jsonrpc":"2.0","id":"p","method":"ping"}`), "the rest is served")
	for _, s := range w.sessions() {
		w.answer(s.ID, "pg")
	}
	read.Wait()
	for i := range results {
		assert.Equal(t, []any{"pg"}, results[i].selection()["selected_ids"])
	}
	require.Eventually(t, func() bool { return len(w.sessions()) == 0 }, time.Minute, 10*time.Millisecond)
	for _, a := range agents {
		a.http.CloseIdleConnections()
	}
	assert.Eventually(t, func() bool { return runtime.NumGoroutine() < before+20 }, time.Minute, 10*time.Millisecond, "nothing is left running")
}

// pass moves the clock of the sessions forward.
func (all *sessions) pass(d time.Duration) {
	all.mu.Lock()
	defer all.mu.Unlock()
	now := all.now().Add(d)
	all.now = func() time.Time { return now }
}

func TestHTTPForgetsASessionThatNobodyUses(t *testing.T) {
	w := newWeb(t)
	all, pass := w.hs.sessions, w.hs.sessions.pass
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	silent, used, waits := w.agent("silent"), w.agent("used"), w.agent("waits")
	require.Equal(t, http.StatusOK, used.status(http.MethodPost, ping))
	call := waits.ask(1, "").primed()
	asked := w.eventually(claimed)
	open := func(a *agent) bool {
		w.agent("new")
		all.mu.Lock()
		defer all.mu.Unlock()
		return all.ids[a.session] != nil
	}

	pass(sessionSilent + time.Second)
	assert.False(t, open(silent), "its client never said that it is there")
	assert.True(t, open(used))
	pass(sessionIdle + time.Second)
	assert.False(t, open(used))
	assert.True(t, open(waits), "it waits for the person")
	w.answer(asked.ID, "pg")
	call.result(1)
	assert.True(t, open(waits), "it waited until just now")
	assert.Equal(t, http.StatusNotFound, used.status(http.MethodPost, ping))
	assert.Equal(t, http.StatusOK, waits.status(http.MethodPost, ping))
}

func TestHTTPSessionThatNobodyUsesGivesItsPlaceToANewOne(t *testing.T) {
	w := newWeb(t)
	all := w.hs.sessions
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	waits, asked, unused, used := w.agent("waits"), w.agent("asked"), w.agent("unused"), w.agent("used")
	waits.ask(1, "").primed()
	w.eventually(claimed)
	broken := asked.ask(1, "")
	broken.primed()
	w.eventually(func(s queue.Session) bool { return s.Origin.Client == "asked" && claimed(s) })
	broken.cancel() // its question stays
	w.eventually(func(s queue.Session) bool { return s.Origin.Client == "asked" && !claimed(s) })
	require.Equal(t, http.StatusOK, unused.status(http.MethodPost, ping))
	for range maxSessions - 4 { // each is used later than the one before
		s := all.newSession()
		require.True(t, all.openSession(s))
		all.pass(time.Millisecond)
		all.useSession(s.peer.ID)
	}
	all.pass(sessionSpare - time.Minute)
	require.Equal(t, http.StatusOK, used.status(http.MethodPost, ping))
	require.False(t, all.openSession(all.newSession()), "each was used within the hour")

	all.pass(2 * time.Minute)
	for range maxSessions - 3 { // those of the loop and `unused`, the longest unused first
		require.True(t, all.openSession(all.newSession()))
		require.Equal(t, http.StatusNotFound, unused.status(http.MethodPost, ping))
	}
	require.False(t, all.openSession(all.newSession()), "none but live ones are left")
	for _, a := range []*agent{waits, asked, used} {
		require.Equal(t, http.StatusOK, a.status(http.MethodPost, ping))
	}
}

func TestHTTPRefusesASessionTooManyAndDropsNone(t *testing.T) {
	w := newWeb(t)
	first := w.agent("first")
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	require.Equal(t, http.StatusOK, first.status(http.MethodPost, ping))
	initialize := `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
		`"clientInfo":{"name":"x","version":"9"}}}`
	var taken, refused atomic.Int32
	var last atomic.Pointer[agent]
	var clients sync.WaitGroup
	for range 11 {
		clients.Go(func() {
			for range 100 {
				one := &agent{w: w, http: first.http, version: first.version}
				res := one.post(context.Background(), initialize)
				res.Body.Close()
				switch one.session = res.Header.Get(headerSession); {
				case res.StatusCode == http.StatusOK:
					taken.Add(1)
					last.Store(one)
				case res.StatusCode == http.StatusServiceUnavailable && res.Header.Get("Retry-After") != "":
					refused.Add(1)
				}
			}
		})
	}
	clients.Wait()
	assert.EqualValues(t, maxSessions-1, taken.Load())
	assert.EqualValues(t, 1100-(maxSessions-1), refused.Load())
	assert.Equal(t, http.StatusOK, first.status(http.MethodPost, ping))
	assert.Equal(t, http.StatusOK, last.Load().status(http.MethodDelete, ""))
	w.agent("takes the room")
}

func TestHTTPSessionIsAnAgentThatIsGoneWhenItEnds(t *testing.T) {
	w := newWeb(t)
	running := func(s queue.Session) (runs bool) {
		present, err := w.store.Present(context.Background())
		require.NoError(t, err)
		for _, p := range present {
			runs = runs || p.Instance == s.Origin.Instance
		}
		return runs
	}
	a, b := w.agent("a"), w.agent("b")
	a.ask(1, "").primed()
	first := w.eventually(claimed)
	b.ask(1, "").primed()
	second := w.eventually(func(s queue.Session) bool { return s.Origin.Client == "b" && claimed(s) })
	assert.NotEqual(t, first.Origin.Instance, second.Origin.Instance)
	assert.True(t, running(first) && running(second))
	a.status(http.MethodDelete, "")
	assert.False(t, running(first))
	w.hs.sessions.useSession(b.session).presence.expire()
	assert.True(t, running(second), "it waits")
}

func TestHTTPHandsTheDiscussionOverAndTakesTheSummary(t *testing.T) {
	w := newWeb(t)
	a := w.agent("claude-code")
	call := a.ask(1, "").primed()
	s := w.eventually(claimed)
	w.do(s.ID, queue.Widen{Widened: queue.Widened{Decision: "01K", Mission: "m", QuestionID: "q",
		Team: []queue.Member{{Name: "Alice"}}}})
	w.do(s.ID, queue.AskSummary{ID: "r1", Block: "the block"})
	got := call.result(1)
	assert.Equal(t, "pending_terminal_launch", got.structured()["action_status"])
	assert.Equal(t, map[string]any{"decision_id": "01K", "request_id": "r1", "session_id": s.ID, "block": "the block"},
		got.structured()["summarization_request"])

	submit := `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"submit_summary","arguments":{"session_id":"` +
		s.ID + `","candidate_summary":"s","candidate_answer":"a","source_hint":"manual"}}}`
	other := w.agent("claude-code").open(http.MethodPost, submit).result(2)
	assert.Equal(t, "not_yours", other.structured()["error"], "each session is an agent of its own")
	taken := a.open(http.MethodPost, submit).result(2)
	require.False(t, taken.failed(), "%v", taken.Result)
	w.eventually(func(s queue.Session) bool { return s.Widen.Candidate != nil && s.Widen.Candidate.Answer == "a" })

	poll := a.open(http.MethodPost, toolCall(3, `"session_id":"`+s.ID+`"`, ""))
	w.eventually(claimed)
	w.answer(s.ID, "pg")
	assert.Equal(t, []any{"pg"}, poll.result(3).selection()["selected_ids"])
}
