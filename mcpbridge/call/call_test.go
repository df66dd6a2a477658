package call

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/dialect"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

func TestSoftLimits(t *testing.T) {
	for _, c := range []struct {
		client string
		token  bool
		limits map[string]int
		want   time.Duration
	}{
		{"codex-mcp-client", true, nil, 280 * time.Second},
		{"gemini-cli-mcp-client", false, nil, 570 * time.Second},
		{"claude-code", true, nil, 0},
		{"claude-code", false, nil, 50 * time.Second},
		{"opencode", true, nil, 0},
		{"inspector-cli", true, nil, 0},
		{"pi", true, nil, 0},
		{"pine", true, nil, 50 * time.Second},
		{"mine", true, nil, 50 * time.Second},
		{"mine", false, map[string]int{"mi": 5, "min": 7, "other": 1}, 7 * time.Second},
		{"codex-mcp-client", false, map[string]int{"Codex": 0}, 0},
	} {
		s := config.Default()
		s.SoftLimits = c.limits
		require.Equal(t, c.want, softLimit(s, c.client, c.token), "%+v", c)
	}
}

func TestAPanicIsLoggedAndNotToldToTheClient(t *testing.T) {
	var log bytes.Buffer
	b := NewBridge(Options{Log: &log})
	defer b.Close()
	serve := b.serveTool("x", func(context.Context, *toolCall, json.RawMessage) dialect.Result {
		var nowhere *toolCall
		return dialect.Result{Text: nowhere.origin.Cwd}
	})
	_, err := serve(t.Context(), &Reply{}, mcp.CallToolParams{})
	require.EqualError(t, err, "the call could not be served")
	require.Contains(t, log.String(), "nil pointer")
}

func TestAWatchThatIsOverIsNotCalledBroken(t *testing.T) {
	var said []string
	life, end := context.WithCancel(t.Context())
	w := newWatch(life, queue.New(storetest.NewMemory()), func(format string, _ ...any) { said = append(said, format) })
	require.NoError(t, w.start(t.Context()))
	end()
	<-w.ended()
	require.Empty(t, said)
}
