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
	limited, waits := Client{SoftLimit: 280 * time.Second}, Client{WaitsOnProgress: true}
	for _, c := range []struct {
		client Client
		name   string
		token  bool
		limits map[string]int
		want   time.Duration
	}{
		{limited, "mine", true, nil, 280 * time.Second},
		{limited, "mine", false, nil, 280 * time.Second},
		{waits, "mine", true, nil, 0},
		{waits, "mine", false, nil, 50 * time.Second},
		{Client{}, "inspector-cli", true, nil, 0},
		{Client{}, "mine", true, nil, 50 * time.Second},
		{Client{}, "mine", false, map[string]int{"mi": 5, "min": 7, "other": 1}, 7 * time.Second},
		{limited, "mine", false, map[string]int{"Mi": 0}, 0},
		{waits, "mine", true, map[string]int{"mine": 9}, 9 * time.Second},
	} {
		s := config.Default()
		s.SoftLimits = c.limits
		require.Equal(t, c.want, c.client.softLimit(s, c.name, c.token), "%+v", c)
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
