package setup

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAChoicetuiThatIsStartedWronglyIsMended(t *testing.T) {
	for _, c := range []struct{ id, before, after string }{
		{"cursor", `{"mcpServers": {"choicetui": {"command": "choicetui"}}}`,
			`{"mcpServers": {"choicetui": {"command": "/opt/choicetui", "args": ["mcp"]}}}`},
		{"cursor", `{"mcpServers": {"choicetui": {"command": "/opt/choicetui", "args": ["list"], "env": {"A": "b"}}}}`,
			`{"mcpServers": {"choicetui": {"command": "/opt/choicetui", "args": ["mcp"], "env": {"A": "b"}}}}`},
		{"cursor", `{"mcpServers": {"choicetui": {"command": "/opt/choicetui", "args": "mcp"}}}`,
			`{"mcpServers": {"choicetui": {"command": "/opt/choicetui", "args": ["mcp"]}}}`},
		{"opencode", `{"mcp": {"choicetui": {"type": "local", "command": ["choicetui"], "enabled": true, "timeout": 1}}}`,
			`{"mcp": {"choicetui": {"type": "local", "command": ["/opt/choicetui", "mcp"], "enabled": true, "timeout": 1}}}`},
	} {
		target := clientOf(t, c.id).Server
		after, _, err := changed([]byte(c.before), target)
		require.NoError(t, err, c.before)
		require.Equal(t, c.after, string(after))
	}
}

func TestAnEntryThatIsSwitchedOffIsSwitchedOn(t *testing.T) {
	for _, c := range []struct{ id, before, after string }{
		{"opencode", `{"mcp": {"choicetui": {"type": "local", "command": ["/opt/choicetui", "mcp"], "enabled": false /* no */, "timeout": 1}}}`,
			`{"mcp": {"choicetui": {"type": "local", "command": ["/opt/choicetui", "mcp"], "enabled": true /* no */, "timeout": 1}}}`},
		{"cline", `{"mcpServers": {"choicetui": {"command": "/opt/choicetui", "args": ["mcp"], "timeout": 1, "disabled": true}}}`,
			`{"mcpServers": {"choicetui": {"command": "/opt/choicetui", "args": ["mcp"], "timeout": 1, "disabled": false}}}`},
		{"crush", `{"mcp": {"choicetui": {"type": "stdio", "command": "/opt/choicetui", "args": ["mcp"], "timeout": 1, "disabled": true, "enabled": false}}}`,
			`{"mcp": {"choicetui": {"type": "stdio", "command": "/opt/choicetui", "args": ["mcp"], "timeout": 1, "disabled": false, "enabled": true}}}`},
		{"zed", `{"context_servers": {"choicetui": {"command": "/opt/choicetui", "args": ["mcp"], "env": {}, "enabled": true}}}`, ""},
	} {
		ctx, h, a := context.Background(), host(t), clientOf(t, c.id)
		path := h.have(t, strings.TrimPrefix(a.Server.File, "~/"), c.before)
		plan := h.Survey(a)
		require.Empty(t, plan.Left, c.id)
		require.NotContains(t, strings.Join(plan.Kept, " "), ".enabled", c.id)
		require.Equal(t, c.after != "", plan.Off, c.id)
		require.Equal(t, c.after == "", plan.Nothing(), c.id)
		if c.after == "" {
			continue
		}
		j := backups(t, h)
		_, left := h.Apply(ctx, j, plan)
		require.Empty(t, left, c.id)
		require.Equal(t, c.after, textOf(t, path), c.id)
		require.True(t, h.Survey(a).Nothing(), "%s: a second run changes nothing", c.id)
		require.Empty(t, h.Remove(ctx, j, h.Removals(j, nil)[0]), c.id)
		require.Equal(t, "{}", textOf(t, path), c.id)
	}
}
