package rpc

import (
	"encoding/json"
	"testing"

	"github.com/mark3labs/mcp-go/server"
	"github.com/stretchr/testify/require"
)

func TestWhatParamsMustBeIsSaidInPlainWords(t *testing.T) {
	srv := server.NewMCPServer("test", "1", server.WithToolCapabilities(false))
	for params, want := range map[string]string{
		`"tools/call","params":[]`:                       "unparsable tools/call request: params is an array, and must be an object",
		`"tools/call","params":"x"`:                      "unparsable tools/call request: params is a string, and must be an object",
		`"tools/call","params":{"name":5}`:               "unparsable tools/call request: params.name is a number, and must be a string",
		`"tools/call","params":{"name":"x","_meta":5}`:   "unparsable tools/call request: params._meta is a number, and must be an object",
		`"tools/list","params":[]`:                       "unparsable tools/list request: params is an array, and must be an object",
		`"initialize","params":{"clientInfo":true}`:      "unparsable initialize request: params.clientInfo is a boolean, and must be an object",
		`"initialize","params":{"protocolVersion":-1.5}`: "unparsable initialize request: params.protocolVersion is a number, and must be a string",
	} {
		raw := []byte(`{"jsonrpc":"2.0","id":1,"method":` + params + `}`)
		e := Serve(srv.WithContext(t.Context(), NewSession("x")), srv, json.RawMessage("1"), raw)
		require.NotNil(t, e.Error, params)
		require.Equal(t, want, e.Error.Message)
	}
}
