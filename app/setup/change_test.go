package setup

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/agents"
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
)

// clientOf returns the row of the table of agents with this id.
func clientOf(t testing.TB, id string) agent.Client {
	t.Helper()
	for _, c := range agents.Clients("/opt/choicetui") {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("there is no agent %q", id)
	return agent.Client{}
}

// changed returns the text of a JSON file after everything that a target needs was added.
func changed(text []byte, t agent.Target) (after []byte, kept []string, err error) {
	before := slices.DeleteFunc(slices.Clone(t.Sets), func(s agent.Setting) bool { return !s.Before })
	if len(before) > 0 {
		if text, err = withoutOurs(text, before, nil); err != nil {
			return nil, nil, err
		}
	}
	steps, kept, err := lackingSteps(text, t)
	if err != nil {
		return nil, nil, err
	}
	after, err = patchText(text, steps)
	return after, kept, err
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
		"choicetui": {
			"command": "/opt/choicetui",
			"args": ["mcp"],
			"env": {}
		},
		// the last word
	},
}
`},
		{"a comment behind the last value", "zed", "{\n    \"a\": 1 // one\n}\n",
			"{\n    \"a\": 1, // one\n    \"context_servers\": {\n        \"choicetui\": {\n            \"command\": \"/opt/choicetui\",\n" +
				"            \"args\": [\"mcp\"],\n            \"env\": {}\n        }\n    }\n}\n"},
		{"a mark at the start, lines of Windows", "cursor", "\xef\xbb\xbf{\r\n  \"a\": 1\r\n}\r\n",
			"\xef\xbb\xbf{\r\n  \"a\": 1,\r\n  \"mcpServers\": {\r\n    \"choicetui\": {\r\n      \"command\": \"/opt/choicetui\",\r\n" +
				"      \"args\": [\"mcp\"]\r\n    }\r\n  }\r\n}\r\n"},
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
			"{\n  \"mcp\": {\n    \"a\": {\"type\": \"local\"},\n    // ours\n" +
				"    \"servers\": {\"choicetui\": {\"type\": \"local\", \"command\": [\"/opt/choicetui\", \"mcp\"], \"timeout\": {\"request\": 5}}}\n  }\n}\n"},
		{"opencode 2 beside another server of that name", "opencode2",
			"{\"mcp\": {\"choicetui\": {\"command\": [\"npx\"]}, \"servers\": {\"choicetui\": {\"type\": \"local\", \"command\": [\"/opt/choicetui\", \"mcp\"], \"timeout\": {}}}}}",
			"{\"mcp\": {\"choicetui\": {\"command\": [\"npx\"]}, \"servers\": {\"choicetui\": {\"type\": \"local\", \"command\": [\"/opt/choicetui\", \"mcp\"], \"timeout\": {}}}}}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			target := clientOf(t, c.id).Server
			after, _, err := changed([]byte(c.before), target)
			require.NoError(t, err)
			require.Equal(t, c.after, string(after))
			again, _, err := changed(after, target)
			require.NoError(t, err)
			require.Equal(t, c.after, string(again), "a second time changes nothing")
		})
	}
}

func TestWhatCannotBeReadOrAddedToIsLeftAloneWithItsPlace(t *testing.T) {
	for _, c := range []struct{ name, id, before, want string }{
		{"half JSON", "cursor", "{\n  \"a\": [1,\n", "line 3, column 1: this is not valid JSON"},
		{"a key twice", "cursor", "{\n  \"a\": 1,\n  \"a\": 2\n}", "line 3, column 3: this key is here twice"},
		{"a list", "cursor", "[]", "line 1, column 1: the file should hold one object"},
		{"servers that are a list", "cursor", "{\n \"mcpServers\": []}", "line 2, column 16: mcpServers is not a table"},
		{"another server of the name", "cursor", "{\"mcpServers\": {\n\"choicetui\": {\"command\": \"npx\"}}}",
			"line 2, column 14: mcpServers.choicetui is another server here"},
		{"half TOML", "codex", "a = 1\nb = [", "line 2, column"},
		{"a TOML table twice", "codex", "[a]\nb = 1\n[a]\nb = 2\n", "line 3, column"},
		{"a TOML key twice", "codex", "a = 1\na = 2\n", "line 2, column"},
		{"a YAML key twice", "goose", "a: 1\nb: 1\na: 2\n", "line 3, column 1: this is not valid YAML: mapping key"},
		{"a YAML key twice, further in", "goose", "é: 1\nb:\n  c: {d: 1, d: 2}\n", "line 3, column 1: this is not valid YAML: mapping key \"d\" already"},
		{"half YAML", "goose", "a: 1\nb: [1\n", "column 1: this is not valid YAML"},
	} {
		t.Run(c.name, func(t *testing.T) {
			target := clientOf(t, c.id).Server
			after, _, err := changed([]byte(c.before), target)
			var unfit *Unfit
			require.ErrorAs(t, err, &unfit)
			require.Contains(t, err.Error(), c.want)
			require.Nil(t, after)
		})
	}
}

func TestAValueOfThePersonsStaysAndIsNamed(t *testing.T) {
	target := clientOf(t, "claude").Also[0]
	target.Sets = target.Sets[:1] // without the rule and the hooks
	own := `{"env": {"CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS": "5"}}`
	after, kept, err := changed([]byte(own), target)
	require.NoError(t, err)
	require.Equal(t, []string{"env.CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS"}, kept)
	require.Equal(t, own, string(after))
}

// bare returns a value without nulls and without empty tables and lists.
func bare(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key := range v {
			if v[key] = bare(v[key]); v[key] == nil {
				delete(v, key)
			}
		}
		if len(v) == 0 {
			return nil
		}
	case []any:
		var rest []any
		for _, one := range v {
			if one = bare(one); one != nil {
				rest = append(rest, one)
			}
		}
		if rest == nil {
			return nil
		}
		return rest
	}
	return v
}

// FuzzEdits checks that a file of any content is either refused or gets exactly what it should, with all its comments,
// and that a removal takes out exactly that.
func FuzzEdits(f *testing.F) {
	ids := []string{"cursor", "zed", "opencode2", "gemini"}
	for i, seed := range []string{"{}", "{\"a\":1,}//x", "{\n\"mcpServers\":{\n}\n}", "{ /* \" */ }", "{\"mcpServers\": null}", "{ // c\n}",
		"{\"hooks\":{\"beforeSubmitPrompt\":[{\"command\":\"x\"} // y\n]}}", "{\"mcpServers\":{/* a */},// b\n}",
		"{\"mcpServers\":{\"choicetui\":{\"command\":\"choicetui\",\"args\":[\"mcp\"]}}}", "{\"hooks\":{\"a\":1, // b\n}}"} {
		for j := range ids {
			f.Add(j, seed+strings.Repeat("\n", i%2))
			f.Add(j+1001, strings.ReplaceAll(seed, "mcpServers", "hooks")+strings.Repeat("\n", i%2))
		}
	}
	f.Fuzz(func(t *testing.T, which int, text string) {
		target := clientOf(t, ids[(which%len(ids)+len(ids))%len(ids)]).Server
		if which > 1000 {
			target = gateTarget(t, "cursor", which%2 == 0)
		}
		before := []byte(text)
		after, _, err := changed(before, target)
		require.Equal(t, text, string(before), "the text itself is never written to")
		if err != nil {
			var unfit *Unfit
			require.ErrorAs(t, err, &unfit)
			return
		}
		require.GreaterOrEqual(t, bytes.Count(after, []byte("//")), bytes.Count(before, []byte("//")))
		again, _, err := changed(after, target)
		require.NoError(t, err, string(after))
		require.Equal(t, string(after), string(again))
		was, err := decode(target.Format, before)
		require.NoError(t, err)
		if slices.ContainsFunc(target.Sets, func(s agent.Setting) bool { return s.Before || s.Shared || holdsSetting(was, s) }) {
			return
		}
		back, err := withoutOurs(after, target.Sets, nil)
		require.NoError(t, err, string(after))
		now, err := decode(target.Format, back)
		require.NoError(t, err)
		require.Equal(t, bare(was), bare(now), "a removal is the inverse")
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
	target := clientOf(t, "cursor").Server
	after, _, err := changed(text, target)
	require.NoError(t, err)
	var got map[string]any
	require.NoError(t, json.Unmarshal(after, &got))
	require.Len(t, got, len(big)+1)
	require.False(t, reflect.DeepEqual(text, after))
}

func TestAPathWithBracketsAndSpacesIsWrittenAsItIs(t *testing.T) {
	const program = "/opt/a [ \"b\",\t c ]/{x}/choicetui"
	for _, c := range agents.Clients(program) {
		if c.Server.Format != agent.JSON {
			continue
		}
		for _, before := range []string{"", "{}", `{"a": 1}`, "{\n  \"a\": [\n    1\n  ]\n}\n"} {
			after, _, err := changed([]byte(before), c.Server)
			require.NoError(t, err, c.Name)
			entry, _ := serverIn(after, c.Server)
			require.Equal(t, []string{program, "mcp"}, Command(entry), c.Name)
		}
	}
}
