package setup

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/agents"
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
)

// formsOf returns a settings file in the forms in which people and agents write it. KEY is the object to which set-up
// adds its entry. In the first two forms there is nothing to write to.
func formsOf(key string) map[string]string {
	const plain = "{\n  \"a\": 1,\n  \"KEY\": {\n    \"mine\": {\n      \"command\": \"x\"\n    }\n  }\n}\n"
	forms := map[string]string{
		"no file":             "-",
		"empty":               "",
		"minified":            `{"a":1,"KEY":{"mine":{"command":"x"}}}`,
		"tabs":                strings.ReplaceAll(plain, "  ", "\t"),
		"four blanks":         strings.ReplaceAll(plain, "  ", "    "),
		"lines of Windows":    strings.ReplaceAll(plain, "\n", "\r\n"),
		"byte order mark":     string(byteOrderMark) + plain,
		"comments and commas": "// top\n{\n  \"a\": 1, /* one\n two */ // three  \n  \"KEY\": {\n    // mine\n    \"mine\": {\"command\": \"x\",}, // first  \n    // last\n  }, // end\n}\n",
		"no last line break":  strings.TrimSpace(plain),
		"empty table":         "{\n  \"a\": 1,\n  \"KEY\": {}\n}\n",
		"comment in one line": "{\"a\": 1 /* one */ , \"KEY\": {\"mine\": {\"command\": \"x\"} /* mine */ } }",
		"comment in a table":  "{\n  \"a\": 1, \"KEY\": { // none\n  }\n}\n",
	}
	for name := range forms {
		forms[name] = strings.ReplaceAll(forms[name], "KEY", key)
	}
	return forms
}

// filesOf returns the JSON files of an agent, each with the first key of our first setting in it.
func (h Host) filesOf(c agent.Client) map[string]string {
	keys := map[string]string{}
	for _, t := range h.targetsOf(c) {
		if t.Format == agent.JSON && t.Whole == "" {
			keys[h.path(t)] = t.Sets[len(t.Sets)-1].Path[0]
		}
	}
	keys[h.path(c.Server)] = c.Server.Sets[0].Path[0]
	return keys
}

// Every agent's settings get their old text back, in every form, with and without a copy of it, and with a change of
// the person's.
func TestEveryFormOfEveryFileComesBackByteForByte(t *testing.T) {
	for _, c := range agents.Clients("/opt/choicetui") {
		if c.Server.Format != agent.JSON {
			continue
		}
		for form := range formsOf("") {
			t.Run(c.ID+" "+form, func(t *testing.T) {
				for _, since := range []string{"", "changed", "no copies"} {
					comesBack(t, c, form, since)
				}
			})
		}
	}
}

// comesBack sets up an agent whose files have a form, and removes that again. since is what happens meanwhile.
func comesBack(t *testing.T, c agent.Client, form, since string) {
	h := host(t)
	h.Gate, h.Native = GateOwn, PutsIn
	before, change := h.settings(t), func(text string) string { return text }
	for path, key := range h.filesOf(c) {
		name := strings.TrimPrefix(path, h.Home+"/")
		if text := formsOf(key)[form]; text != "-" {
			before[name] = text
			h.have(t, name, text)
		}
	}
	if since != "" && (form == "no file" || form == "empty") {
		return
	}
	j := backups(t, h)
	_, left := h.Apply(t.Context(), j, h.Survey(c))
	require.Empty(t, left)
	require.True(t, h.Survey(c).Nothing(), "a second run changes nothing")
	switch since {
	case "changed":
		change = func(text string) string { return strings.Replace(text, `"a"`, `"new": [ 1 ],"a"`, 1) }
		for name := range before {
			h.have(t, name, change(textOf(t, h.Home+"/"+name)))
		}
	case "no copies":
		require.NoError(t, os.RemoveAll(j.Dir()))
		require.NoError(t, os.Mkdir(j.Dir(), 0o700))
		j.all = nil
	}
	h.removed(t, j)
	after := h.settings(t)
	for name, text := range before {
		require.NotContains(t, after[name], "choicetui", name)
		switch {
		case since != "" && strings.Contains(after[name], `"version"`): // other hooks need it too
		case since == "no copies" && form == "empty table": // nothing says that it was there
		default:
			require.Equal(t, change(text), after[name], name)
		}
	}
	if since == "" {
		require.Len(t, after, len(before))
	}
}
