package call

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/dialect"
)

func TestAPanicIsLoggedAndNotToldToTheClient(t *testing.T) {
	var log bytes.Buffer
	b := NewBridge(Options{Log: &log})
	defer b.Close()
	serve := b.handle("x", func(context.Context, *call, json.RawMessage) dialect.Result {
		var nowhere *call
		return dialect.Result{Text: nowhere.origin.Cwd}
	})
	_, err := serve(t.Context(), &Reply{}, mcp.CallToolParams{})
	require.EqualError(t, err, "the call could not be served")
	require.Contains(t, log.String(), "nil pointer")
}
