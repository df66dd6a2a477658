package setup

import (
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
		{"codex", "[mcp_servers.choicetui]\ncommand = 'choicetui'\nargs = [\"list\"]\n" + codexEnv + "\ntool_timeout_sec = 9\n",
			"[mcp_servers.choicetui]\ncommand = \"/opt/choicetui\"\nargs = [\"mcp\"]\n" + codexEnv + "\ntool_timeout_sec = 9\n"},
		{"goose", "extensions:\n  choicetui:\n    name: choicetui\n    type: stdio\n    cmd: choicetui\n    args: [list]\n    enabled: true\n    timeout: 1\n",
			"extensions:\n  choicetui:\n    name: choicetui\n    type: stdio\n    cmd: \"/opt/choicetui\"\n    args: [\"mcp\"]\n    enabled: true\n    timeout: 1\n"},
	} {
		target := agent(t, c.id).Server
		after, _, err := Changed([]byte(c.before), target.Format, target.Sets)
		require.NoError(t, err, c.before)
		require.Equal(t, c.after, string(after))
	}
}

func TestAnEntryThatIsSwitchedOffIsSaidToBe(t *testing.T) {
	for id, c := range map[string]struct{ text, says string }{
		"codex":    {"[mcp_servers.choicetui]\ncommand = '/opt/choicetui'\nargs = ['mcp']\nenabled = false\n", "set enabled to true in "},
		"opencode": {`{"mcp": {"choicetui": {"command": ["/opt/choicetui", "mcp"], "enabled": false}}}`, "set enabled to true in "},
		"goose":    {"extensions:\n  choicetui:\n    cmd: /opt/choicetui\n    args: [mcp]\n    enabled: false\n", "set enabled to true in "},
		"cline":    {`{"mcpServers": {"choicetui": {"command": "/opt/choicetui", "args": ["mcp"], "disabled": true}}}`, "set disabled to false in "},
		"crush":    {`{"mcp": {"choicetui": {"command": "/opt/choicetui", "args": ["mcp"], "disabled": true}}}`, "set disabled to false in "},
		"zed":      {`{"context_servers": {"choicetui": {"command": "/opt/choicetui", "args": ["mcp"], "enabled": true}}}`, ""},
	} {
		h := host(t)
		path := h.have(t, agent(t, id).Server.File[len("~/"):], c.text)
		plan := h.Survey(agent(t, id))
		require.Empty(t, plan.Left, id)
		if c.says == "" {
			require.Empty(t, plan.Off, id)
			continue
		}
		require.Equal(t, c.says+path, plan.Off, id)
	}
}
