package http

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// agentAt returns a client of one protocol version. In versions without a version header it sends none.
func (w *web) agentAt(version string) *agent {
	w.t.Helper()
	a := &agent{w: w, http: &http.Client{Transport: &http.Transport{}}, version: version}
	w.t.Cleanup(a.http.CloseIdleConnections)
	res := a.post(context.Background(), `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"`+version+
		`","capabilities":{},"clientInfo":{"name":"x","version":"9"}}}`)
	res.Body.Close()
	a.session = res.Header.Get(headerSession)
	require.NotEmpty(w.t, a.session)
	return a
}

// array posts and reads an array of responses, by their ids.
func (a *agent) array(body string, headers ...string) (status int, got map[string]said) {
	a.w.t.Helper()
	res := a.post(context.Background(), body, headers...)
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	require.NoError(a.w.t, err)
	for line := range strings.Lines(string(raw)) {
		if data, ok := strings.CutPrefix(line, "data: "); ok && data[0] == '[' {
			raw = []byte(data)
		}
	}
	var all []said
	require.NoError(a.w.t, json.Unmarshal(raw, &all), "%s", raw)
	got = map[string]said{}
	for _, m := range all {
		got[string(m.ID)] = m
	}
	return res.StatusCode, got
}

func TestHTTPBatchIsAnsweredByOneArray(t *testing.T) {
	for name, headers := range map[string][]string{"as events": nil, "as JSON": {"Accept", "application/json"}} {
		t.Run(name, func(t *testing.T) {
			w := newWeb(t)
			a := w.agentAt("2025-03-26")
			go func() {
				for _, title := range []string{"Store", "Cache"} {
					w.answer(w.eventually(func(s queue.Session) bool { return s.Ask.Title == title && claimed(s) }).ID, "lite")
				}
			}()
			status, got := a.array(`[`+toolCall(1, single, "")+`,{"jsonrpc":"2.0","id":"p","method":"ping"},`+
				toolCall(2, strings.Replace(single, "Store", "Cache", 1), `,"_meta":{"progressToken":"t"}`)+
				`,{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","id":4,"method":"initialize"}]`, headers...)
			assert.Equal(t, http.StatusOK, status)
			require.Len(t, got, 4)
			for _, id := range []string{"1", "2"} {
				assert.Equal(t, []any{"lite"}, got[id].selection()["selected_ids"])
			}
			assert.NotNil(t, got[`"p"`].Result)
			assert.Equal(t, "initialize must not be in a batch", got["4"].Error.Message)
			assert.Eventually(t, func() bool { return len(w.sessions()) == 0 }, 5*time.Second, 2*time.Millisecond,
				"both were delivered")
		})
	}
}

func TestHTTPBatchesThatNeedNoArray(t *testing.T) {
	w := newWeb(t)
	a := w.agentAt("2025-03-26")
	said := `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	assert.Equal(t, http.StatusAccepted, a.status(http.MethodPost, `[`+said+`,`+said+`,{"jsonrpc":"2.0","id":7,"result":{}}]`))
	for _, none := range []string{`[]`, `[{`, `[` + strings.Repeat(said+`,`, 100) + said + `]`} {
		assert.Equal(t, http.StatusBadRequest, a.status(http.MethodPost, none))
	}
	status, got := a.array(`[5]`)
	assert.Equal(t, http.StatusBadRequest, status)
	assert.Equal(t, -32600, got["null"].Error.Code)
	for _, version := range []string{"2024-11-05", "2025-06-18", "2025-11-25"} {
		other := w.agentAt(version)
		assert.Equal(t, http.StatusBadRequest, other.status(http.MethodPost, `[`+said+`]`), version)
	}
	a.session = ""
	assert.Equal(t, http.StatusBadRequest, a.status(http.MethodPost, `[`+said+`]`))
}

func TestHTTPBatchThatBreaksOffLeavesItsQuestions(t *testing.T) {
	w := newWeb(t)
	a := w.agentAt("2025-03-26")
	call := a.open(http.MethodPost, `[`+toolCall(1, single, "")+`,{"jsonrpc":"2.0","id":2,"method":"ping"}]`).primed()
	asked := w.eventually(claimed)
	call.cancel()
	assert.Equal(t, asked.ID, w.eventually(released).ID)

	again := a.open(http.MethodPost, `[`+toolCall(3, single, "")+`]`).primed()
	assert.Equal(t, asked.ID, w.eventually(claimed).ID)
	a.status(http.MethodPost, `[{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3,"reason":"no"}}]`)
	for {
		m, ok := again.event()
		if !ok {
			break
		}
		assert.Nil(t, m.ID)
	}
	withdrawn := w.eventually(func(s queue.Session) bool { return s.Outcome != nil })
	assert.Equal(t, asked.ID, withdrawn.ID)
	assert.Equal(t, "no", withdrawn.Outcome.Reason)
}
