package rpc

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/call"
)

func TestWhatParamsMustBeIsSaidInPlainWords(t *testing.T) {
	b := call.NewBridge(call.Options{})
	t.Cleanup(func() { b.Close() })
	srv := NewServer(b)
	for params, want := range map[string]string{
		`"tools/call","params":[]`:                        "unparsable tools/call request: params is an array, and must be an object",
		`"tools/call","params":"x"`:                       "unparsable tools/call request: params is a string, and must be an object",
		`"tools/call","params":{"name":5}`:                "unparsable tools/call request: params.name is a number, and must be a string",
		`"tools/call","params":{"name":"x","_meta":5}`:    "unparsable tools/call request: params._meta is a number, and must be an object",
		`"tools/list","params":[]`:                        "unparsable tools/list request: params is an array, and must be an object",
		`"tools/list","params":{"cursor":{}}`:             "unparsable tools/list request: params.cursor is an object, and must be a string",
		`"tools/list","params":{"cursor":"x"}`:            "params.cursor is not from an answer of this server",
		`"tools/call","params":{"task":{"ttl":"x"}}`:      "unparsable tools/call request: params.task.ttl is a string, and must be a whole number",
		`"tools/call","params":{"arguments":{"n":1e400}}`: "unparsable tools/call request: the number 1e400 is too large",
		`"tools/call","params":{"_meta":{"n":1e400}}`:     "unparsable tools/call request: the number 1e400 is too large",
		`"tools/call","params":{"task":{"ttl":1.5}}`:      "unparsable tools/call request: params.task.ttl is 1.5, and must be a whole number",
		`"tools/call","params":{"name":"no such"}`:        "tool 'no such' not found",
		`"initialize","params":{"clientInfo":true}`:       "unparsable initialize request: params.clientInfo is a boolean, and must be an object",
		`"initialize","params":{"protocolVersion":-1.5}`:  "unparsable initialize request: params.protocolVersion is a number, and must be a string",
	} {
		raw := []byte(`{"jsonrpc":"2.0","id":1,"method":` + params + `}`)
		e := srv.Serve(t.Context(), &Peer{}, &call.Reply{ID: json.RawMessage("1")}, raw)
		require.NotNil(t, e.Error, params)
		require.Equal(t, want, e.Error.Message)
	}
}

// TestAnIdThatIsNotUTF8IsAnsweredInUTF8 sends ids with bytes that Go's decoder accepts in a text.
func TestAnIdThatIsNotUTF8IsAnsweredInUTF8(t *testing.T) {
	b := call.NewBridge(call.Options{})
	t.Cleanup(func() { b.Close() })
	srv := NewServer(b)
	for id, want := range map[string]string{"\"\xff\"": "\"\ufffd\"", "\"a\xc0\xafb\"": "\"a\ufffdb\"", `"ä\u00e4"`: `"ä\u00e4"`, `7`: `7`} {
		for _, method := range []string{"ping", "no/such"} {
			raw := []byte(`{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `"}`)
			m, refusal := Parse(raw)
			require.Nil(t, refusal)
			out, err := json.Marshal([]*Envelope{srv.Serve(t.Context(), &Peer{ID: "x"}, &call.Reply{ID: m.ID}, raw)})
			require.NoError(t, err)
			require.True(t, utf8.Valid(out), "%q", out)
			require.Contains(t, string(out), `"id":`+want)
		}
	}
}
