package setup

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/connect"
)

// agent is the row of connect's table with an id.
func agent(t testing.TB, id string) connect.Client {
	t.Helper()
	for _, c := range connect.Clients("/opt/choicetui") {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("there is no agent %q", id)
	return connect.Client{}
}

func TestAnEditAddsWhatIsMissingAndNothingElseMoves(t *testing.T) {
	for _, c := range []struct{ name, id, before, after string }{
		{"no file yet", "cursor", "", "{\n  \"mcpServers\": {\n    \"choicetui\": {\n      \"command\": \"/opt/choicetui\",\n" +
			"      \"args\": [\"mcp\"]\n    }\n  }\n}\n"},
		{"an empty object", "cursor", "{}\n", "{\n  \"mcpServers\": {\n    \"choicetui\": {\n      \"command\": \"/opt/choicetui\",\n" +
			"      \"args\": [\"mcp\"]\n    }\n  }\n}\n"},
		{"an empty table of servers", "cursor", "{\"mcpServers\": {}}",
			`{"mcpServers": {"choicetui": {"command": "/opt/choicetui", "args": ["mcp"]}}}`},
		{"all in one line", "cursor", `{"a":1}`,
			`{"a":1, "mcpServers": {"choicetui": {"command": "/opt/choicetui", "args": ["mcp"]}}}`},
		{"comments, tabs, commas at the end", "zed", `// Zed's settings
{
	"theme": "One", // I like it
	/* servers */
	"context_servers": {
		"other": {"command": "x"}, // the first
		// the last word
	},
}
`, `// Zed's settings
{
	"theme": "One", // I like it
	/* servers */
	"context_servers": {
		"other": {"command": "x"}, // the first
		// the last word
		"choicetui": {
			"command": "/opt/choicetui",
			"args": ["mcp"],
			"env": {}
		},
	},
}
`},
		{"a comment behind the last value", "zed", "{\n    \"a\": 1 // one\n}\n",
			"{\n    \"a\": 1, // one\n    \"context_servers\": {\n        \"choicetui\": {\n            \"command\": \"/opt/choicetui\",\n" +
				"            \"args\": [\"mcp\"],\n            \"env\": {}\n        }\n    }\n}\n"},
		{"a mark at the start, lines of Windows", "cursor", "\xef\xbb\xbf{\r\n  \"a\": 1\r\n}\r\n",
			"\xef\xbb\xbf{\r\n  \"a\": 1,\r\n  \"mcpServers\": {\r\n    \"choicetui\": {\r\n      \"command\": \"/opt/choicetui\",\r\n" +
				"      \"args\": [\"mcp\"]\r\n    }\r\n  }\r\n}\r\n"},
		{"TOML with a mark at the start and lines of Windows", "codex", "\xef\xbb\xbfa = 1\r\n",
			"\xef\xbb\xbfa = 1\r\n\r\n[mcp_servers.choicetui]\r\ncommand = \"/opt/choicetui\"\r\nargs = [\"mcp\"]\r\n" +
				codexEnv + "\r\ntool_timeout_sec = 86400\r\n"},
		{"YAML with a mark at the start and lines of Windows", "goose", "\xef\xbb\xbfa: 1\r\nextensions:\r\n  b:\r\n    cmd: c\r\n",
			"\xef\xbb\xbfa: 1\r\nextensions:\r\n  choicetui:\r\n    name: \"choicetui\"\r\n    type: \"stdio\"\r\n" +
				"    cmd: \"/opt/choicetui\"\r\n    args: [\"mcp\"]\r\n    enabled: true\r\n    timeout: 86400\r\n  b:\r\n    cmd: c\r\n"},
		{"an old way to start it, and the person's own time-out", "qwen",
			`{"mcpServers": {"choicetui": {"command": "/old/choicetui", "args": ["mcp"], "timeout": 5, "trust": true}}}`,
			`{"mcpServers": {"choicetui": {"command": "/opt/choicetui", "args": ["mcp"], "timeout": 5, "trust": true, "alwaysLoadTools": true}}}`},
		{"what the agent's command wrote", "qwen",
			"{\n  \"mcpServers\": {\n    \"choicetui\": {\n      \"command\": \"/opt/choicetui\",\n      \"args\": [\n        \"mcp\"\n      ]\n    }\n  }\n}",
			"{\n  \"mcpServers\": {\n    \"choicetui\": {\n      \"command\": \"/opt/choicetui\",\n      \"args\": [\n        \"mcp\"\n      ],\n" +
				"      \"timeout\": 86400000,\n      \"trust\": true,\n      \"alwaysLoadTools\": true\n    }\n  }\n}"},
		{"opencode 2 beside its own keys", "opencode2", "{\n  \"mcp\": {\n    \"servers\": {}\n  }\n}\n",
			"{\n  \"mcp\": {\n    \"servers\": {\n      \"choicetui\": {\n        \"type\": \"local\",\n        \"command\": [\"/opt/choicetui\", \"mcp\"],\n" +
				"        \"timeout\": {\n          \"request\": 86400000\n        }\n      }\n    }\n  }\n}\n"},
		{"opencode 2 in place of opencode 1", "opencode2",
			"{\n  \"mcp\": {\n    \"a\": {\"type\": \"local\"},\n    // ours\n    \"choicetui\": {\"type\": \"local\", \"command\": [\"/old/choicetui\", \"mcp\"]},\n" +
				"    \"servers\": {\"choicetui\": {\"type\": \"local\", \"command\": [\"/opt/choicetui\", \"mcp\"], \"timeout\": {\"request\": 5}}}\n  }\n}\n",
			"{\n  \"mcp\": {\n    \"a\": {\"type\": \"local\"},\n" +
				"    \"servers\": {\"choicetui\": {\"type\": \"local\", \"command\": [\"/opt/choicetui\", \"mcp\"], \"timeout\": {\"request\": 5}}}\n  }\n}\n"},
		{"opencode 2 beside another server of that name", "opencode2",
			"{\"mcp\": {\"choicetui\": {\"command\": [\"npx\"]}, \"servers\": {\"choicetui\": {\"type\": \"local\", \"command\": [\"/opt/choicetui\", \"mcp\"], \"timeout\": {}}}}}",
			"{\"mcp\": {\"choicetui\": {\"command\": [\"npx\"]}, \"servers\": {\"choicetui\": {\"type\": \"local\", \"command\": [\"/opt/choicetui\", \"mcp\"], \"timeout\": {}}}}}"},
		{"TOML without servers", "codex", "# mine\nmodel = \"x\"   # odd\n\n[profiles.a]\nb = 1",
			"# mine\nmodel = \"x\"   # odd\n\n[profiles.a]\nb = 1\n\n[mcp_servers.choicetui]\ncommand = \"/opt/choicetui\"\nargs = [\"mcp\"]\n" +
				codexEnv + "\ntool_timeout_sec = 86400\n"},
		{"TOML that codex wrote", "codex",
			"[mcp_servers.choicetui]\ncommand = \"/opt/choicetui\"\nargs = [\n  \"mcp\", # the server\n]\n\n# next\n[other]\na = 1\n",
			"[mcp_servers.choicetui]\ncommand = \"/opt/choicetui\"\nargs = [\n  \"mcp\", # the server\n]\n" + codexEnv +
				"\ntool_timeout_sec = 86400\n\n# next\n[other]\na = 1\n"},
		{"TOML with an old path and no line at its end", "codex",
			"[mcp_servers.choicetui]\ncommand = '/old/choicetui'\nargs = [\"mcp\"]\ntool_timeout_sec = 9",
			"[mcp_servers.choicetui]\ncommand = \"/opt/choicetui\"\nargs = [\"mcp\"]\ntool_timeout_sec = 9\n" + codexEnv},
		{"YAML with others", "goose", "GOOSE_MODEL: x # mine\nextensions:\n    # the first\n    other:\n        cmd: y\nlast: |\n  text\n",
			"GOOSE_MODEL: x # mine\nextensions:\n    choicetui:\n        name: \"choicetui\"\n        type: \"stdio\"\n        cmd: \"/opt/choicetui\"\n" +
				"        args: [\"mcp\"]\n        enabled: true\n        timeout: 86400\n    # the first\n    other:\n        cmd: y\nlast: |\n  text\n"},
		{"YAML without extensions", "goose", "a: 1", "a: 1\nextensions:\n  choicetui:\n    name: \"choicetui\"\n    type: \"stdio\"\n" +
			"    cmd: \"/opt/choicetui\"\n    args: [\"mcp\"]\n    enabled: true\n    timeout: 86400"},
		{"YAML with none of them", "goose", "extensions: {} # none\nb: 2\n", "extensions: # none\n  choicetui:\n    name: \"choicetui\"\n" +
			"    type: \"stdio\"\n    cmd: \"/opt/choicetui\"\n    args: [\"mcp\"]\n    enabled: true\n    timeout: 86400\nb: 2\n"},
		{"YAML with an old path", "goose", "extensions:\n  choicetui:\n    cmd: /old/choicetui # here\n    args: [mcp]\n    name: choicetui\n" +
			"    type: stdio\n    enabled: false\n    timeout: 5\n",
			"extensions:\n  choicetui:\n    cmd: \"/opt/choicetui\" # here\n    args: [mcp]\n    name: choicetui\n    type: stdio\n" +
				"    enabled: true\n    timeout: 5\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			target := agent(t, c.id).Server
			after, _, err := Changed([]byte(c.before), target.Format, target.Sets)
			require.NoError(t, err)
			require.Equal(t, c.after, string(after))
			again, _, err := Changed(after, target.Format, target.Sets)
			require.NoError(t, err)
			require.Equal(t, c.after, string(again), "a second time changes nothing")
		})
	}
}

const codexEnv = `env_vars = ["TMUX", "TMUX_PANE", "CHOICETUI_QUEUE", "XDG_STATE_HOME", "XDG_CONFIG_HOME"]`

func TestWhatCannotBeReadOrAddedToIsLeftAloneWithItsPlace(t *testing.T) {
	for _, c := range []struct{ name, id, before, want string }{
		{"half JSON", "cursor", "{\n  \"a\": [1,\n", "line 3, column 1: this is no JSON"},
		{"a key twice", "cursor", "{\n  \"a\": 1,\n  \"a\": 2\n}", "line 3, column 3: this key stands here for the second time"},
		{"a list", "cursor", "[]", "line 1, column 1: the file should hold one object"},
		{"servers that are a list", "cursor", "{\n \"mcpServers\": []}", "line 2, column 2: mcpServers is no table of values"},
		{"another server of the name", "cursor", "{\"mcpServers\": {\n\"choicetui\": {\"command\": \"npx\"}}}",
			"line 2, column 1: mcpServers.choicetui is another server here"},
		{"half TOML", "codex", "a = 1\nb = [", "line 2, column"},
		{"a TOML table twice", "codex", "[a]\nb = 1\n[a]\nb = 2\n", "line 3, column"},
		{"a TOML table in one line", "codex", "mcp_servers = {x = {command = \"y\"}}", "written in a way that cannot be added to safely"},
		{"a TOML key twice", "codex", "a = 1\na = 2\n", "line 2, column"},
		{"a YAML key twice", "goose", "a: 1\nb: 1\na: 2\n", "line 3, column 1: this is no YAML: mapping key"},
		{"a YAML key twice, further in", "goose", "é: 1\nb:\n  c: {d: 1, d: 2}\n", "line 3, column 13: this is no YAML: mapping key \"d\" already"},
		{"half YAML", "goose", "a: 1\nb: [1\n", "column 1: this is no YAML"},
		{"a YAML table in one line", "goose", "a: 1\nextensions: {x: {cmd: y}}\n", "line 2, column 1: extensions is written in one line"},
		{"two YAML documents", "goose", "a: 1\n---\n  b: 2\n", "line 3, column 3: this file holds several documents"},
	} {
		t.Run(c.name, func(t *testing.T) {
			target := agent(t, c.id).Server
			after, _, err := Changed([]byte(c.before), target.Format, target.Sets)
			var unfit *Unfit
			require.ErrorAs(t, err, &unfit)
			require.Contains(t, err.Error(), c.want)
			require.Nil(t, after)
		})
	}
}

func TestAValueOfThePersonsStaysAndIsNamed(t *testing.T) {
	target := agent(t, "claude").Also[0]
	env := target.Sets[:2] // the rest are a rule and hooks
	own := `{"env": {"CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS": "5"}}`
	after, kept, err := Changed([]byte(own), target.Format, env)
	require.NoError(t, err)
	require.Equal(t, []string{"env.CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS"}, kept)
	require.Equal(t, own, string(after))
}

// FuzzEdits: whatever a file holds, it is refused, or holds exactly as much more as it should, and no comment less.
func FuzzEdits(f *testing.F) {
	ids := []string{"cursor", "zed", "codex", "goose", "opencode2", "gemini"}
	for i, seed := range []string{"{}", "{\"a\":1,}//x", "{\n\"mcpServers\":{\n}\n}", "[mcp_servers]\nx={}\n", "a: &b {c: 1}\nextensions: *b\n",
		"\"mcp_servers\".choicetui.command=1", "extensions:\n- a\n", "{ /* \" */ }", "a='''\n[mcp_servers.choicetui]\n'''\n",
		"[mcp_servers.\"choicetui\"]\ncommand=\"choicetui\"\nargs=[\"mcp\"]", "extensions:\n\n  # c\n\n  a: |\n    b\n...\n", "extensions:\n",
		"{\"hooks\":{\"beforeSubmitPrompt\":[{\"command\":\"x\"} // y\n]}}", "? extensions\n: a: 1\n", "---\nextensions: ~\n", "{\"mcpServers\":{\"choicetui\":{\"command\":\"choicetui\",\"args\":[\"mcp\"]}}}"} {
		for j := range ids {
			f.Add(j, seed+strings.Repeat("\n", i%2))
			f.Add(j+1001, strings.ReplaceAll(seed, "mcpServers", "hooks")+strings.Repeat("\n", i%2))
		}
	}
	f.Fuzz(func(t *testing.T, which int, text string) {
		target := agent(t, ids[(which%len(ids)+len(ids))%len(ids)]).Server
		if which > 1000 {
			target = gateTarget(t, "cursor", which%2 == 0)
		}
		before := []byte(text)
		after, _, err := Changed(before, target.Format, target.Sets)
		require.Equal(t, text, string(before), "the text itself is never written to")
		if err != nil {
			var unfit *Unfit
			require.ErrorAs(t, err, &unfit)
			return
		}
		require.GreaterOrEqual(t, bytes.Count(after, []byte("#")), bytes.Count(before, []byte("#")))
		again, _, err := Changed(after, target.Format, target.Sets)
		require.NoError(t, err, string(after))
		require.Equal(t, string(after), string(again))
	})
}

func TestALargeFileIsEditedInPlace(t *testing.T) {
	big := map[string]string{}
	for i := range 50_000 {
		big[fmt.Sprintf("key%d", i)] = strings.Repeat("x", 90)
	}
	text, err := json.MarshalIndent(big, "", "  ")
	require.NoError(t, err)
	require.Greater(t, len(text), 5<<20)
	target := agent(t, "cursor").Server
	after, _, err := Changed(text, target.Format, target.Sets)
	require.NoError(t, err)
	var got map[string]any
	require.NoError(t, json.Unmarshal(after, &got))
	require.Len(t, got, len(big)+1)
	require.False(t, reflect.DeepEqual(text, after))
}
