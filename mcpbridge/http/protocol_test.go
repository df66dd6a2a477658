package http

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"}}`
	listTools  = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`
	listModern = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + modernMeta + `}}`
	callModern = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"provide_choice","arguments":{"title":"only"},` + modernMeta + `}}`
	listenTo   = `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` + modernMeta + `}}`
)

func TestHTTPHeadersAndBodyMustAgreeOnTheProtocol(t *testing.T) {
	w := newWeb(t)
	legacy := w.agent("x")
	modern := &agent{w: w, http: legacy.http}
	version := []string{"MCP-Protocol-Version", "2026-07-28"}
	with := func(headers ...string) []string { return append(append([]string{}, version...), headers...) }
	listing, calling := with("Mcp-Method", "tools/list"), with("Mcp-Method", "tools/call", "Mcp-Name", "provide_choice")
	for _, c := range []struct {
		name    string
		a       *agent
		body    string
		headers []string
		status  int
		code    int // of the JSON-RPC error; 0: none
	}{
		{"a list", legacy, listTools, nil, 200, 0},
		{"without a version", legacy, listTools, []string{"MCP-Protocol-Version", ""}, 200, 0},
		{"a version nobody knows", legacy, listTools, []string{"MCP-Protocol-Version", "1999-01-01"}, 400, 0},
		{"no session", legacy, listTools, []string{"Mcp-Session-Id", ""}, 404, 0},
		{"text", legacy, listTools, []string{"Content-Type", "text/plain"}, 400, 0},
		{"JSON with a charset", legacy, listTools, []string{"Content-Type", "application/json; charset=utf-8"}, 200, 0},
		{"a notification", legacy, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, nil, 202, 0},
		{"a response", legacy, `{"jsonrpc":"2.0","id":7,"result":{}}`, nil, 202, 0},
		{"an unknown method", legacy, `{"jsonrpc":"2.0","id":1,"method":"nope"}`, nil, 200, -32601},
		{"an unknown tool", legacy, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nope"}}`, nil, 200, -32602},
		{"modern: a list", modern, listModern, listing, 200, 0},
		{"modern: with an old session", modern, listModern, append(with("Mcp-Session-Id", "x"), "Mcp-Method", "tools/list"), 200, 0},
		{"modern: a call", modern, callModern, calling, 200, 0},
		{"modern: no version in the header", modern, listModern, []string{"Mcp-Method", "tools/list"}, 400, -32020},
		{"modern: no version in the body", modern, listTools, listing, 400, -32602},
		{"modern: another version in the header", modern, listModern, []string{"MCP-Protocol-Version", "2025-11-25", "Mcp-Method", "tools/list"}, 400, -32020},
		{"modern: no method in the header", modern, listModern, version, 400, -32020},
		{"modern: another method in the header", modern, listModern, calling, 400, -32020},
		{"modern: no tool in the header", modern, callModern, with("Mcp-Method", "tools/call"), 400, -32020},
		{"modern: another tool in the header", modern, callModern, with("Mcp-Method", "tools/call", "Mcp-Name", "hitl_request"), 400, -32020},
		{"modern: a stream to resume", modern, listModern, append(with("Last-Event-ID", "1"), "Mcp-Method", "tools/list"), 400, -32020},
		{"modern: a version nobody knows", modern, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01","io.modelcontextprotocol/clientCapabilities":{}}}}`,
			[]string{"MCP-Protocol-Version", "2099-01-01", "Mcp-Method", "tools/list"}, 400, -32022},
		{"modern: no capabilities", modern, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`, listing, 400, -32602},
		{"modern: initialize is gone", modern, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{` + modernMeta + `}}`, with("Mcp-Method", "initialize"), 404, -32601},
		{"modern: a response", modern, `{"jsonrpc":"2.0","id":7,"result":{"x":1},"params":{` + modernMeta + `}}`, version, 400, -32600},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := c.a.post(context.Background(), c.body, c.headers...)
			defer res.Body.Close()
			raw, err := io.ReadAll(res.Body)
			require.NoError(t, err)
			assert.Equal(t, c.status, res.StatusCode, "%s", raw)
			if _, data, late := bytes.Cut(raw, []byte("data: ")); late { // a busy machine began to stream meanwhile
				raw = data
			}
			var m said
			if json.Unmarshal(raw, &m); c.code != 0 && assert.NotNil(t, m.Error, "%s", raw) {
				assert.Equal(t, c.code, m.Error.Code, "%s", raw)
			}
		})
	}
	assert.Equal(t, http.StatusMethodNotAllowed, modern.status(http.MethodGet, "", version...))
	assert.Equal(t, http.StatusMethodNotAllowed, legacy.status(http.MethodGet, ""))
	assert.Empty(t, w.sessions())
}

func TestHTTPDiscoversAndSubscribesSince2026(t *testing.T) {
	w := newWeb(t)
	a := &agent{w: w, http: &http.Client{Transport: &http.Transport{}}}
	t.Cleanup(a.http.CloseIdleConnections)
	got := a.open(http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{`+modernMeta+`}}`,
		"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "server/discover").result(1)
	assert.Contains(t, got.Result["supportedVersions"], "2026-07-28")
	assert.Contains(t, got.Result["supportedVersions"], "2025-11-25")
	call := a.open(http.MethodPost, listenTo, "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "subscriptions/listen")
	call.result(1)
	require.Len(t, call.notes, 1)
	assert.Equal(t, "notifications/subscriptions/acknowledged", call.notes[0].Method)
}
