package call

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
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
		{"mine", true, nil, 50 * time.Second},
		{"mine", false, map[string]int{"mi": 5, "min": 7, "other": 1}, 7 * time.Second},
		{"codex-mcp-client", false, map[string]int{"Codex": 0}, 0},
	} {
		s := config.Default()
		s.SoftLimits = c.limits
		require.Equal(t, c.want, softLimit(s, c.client, c.token), "%+v", c)
	}
}
