package prompt

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
)

// permissionOf returns the approval that an agent's hook asks for a tool with this input.
func permissionOf(t testing.TB, agent, tool, input string) queue.Ask {
	raw := `{"session_id":"s","cwd":"/src/shop","hook_event_name":"PermissionRequest","permission_mode":"default",` +
		`"tool_name":"` + tool + `","tool_input":` + input + `}`
	if agent == "copilot" {
		raw = `{"hookName":"permissionRequest","sessionId":"s","cwd":"/src/shop","toolName":"` + tool + `","toolInput":` + input + `}`
	}
	read := Claude
	if agent != "claude" {
		read = hooks[agent].read
	}
	asked, ok := read([]byte(raw), token)
	require.True(t, ok, "%s %s", tool, input)
	asked.Ask.TimeoutSeconds = 300
	require.Empty(t, asked.Ask.Check(), "%s %s", tool, input)
	return asked.Ask
}

// shownAs returns the parts of an approval in one text: `kind label: text`.
func shownAs(a queue.Ask) string {
	var list []string
	for _, p := range a.Approval.Parts {
		list = append(list, fmt.Sprintf("%s [%s] %s", p.Kind, p.Label, p.Text))
	}
	return strings.Join(list, "\n")
}

func TestToolsOfAgentsAreShownInTheirOwnForm(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ agent, tool, input, title, want string }{
		{"claude", "NotebookEdit", `{"notebook_path":"/src/shop/a.ipynb","cell_id":"c1","new_source":"print(2)\nprint(3)"}`,
			"NotebookEdit: /src/shop/a.ipynb", "diff [/src/shop/a.ipynb] @@ cell c1 is replaced by @@\n+print(2)\n+print(3)"},
		{"claude", "NotebookEdit", `{"notebook_path":"a.ipynb","cell_id":"c\n1","cell_type":"markdown","edit_mode":"insert","new_source":"a\n"}`,
			"NotebookEdit: a.ipynb", "diff [a.ipynb] @@ a markdown cell is added behind cell \"c\\n1\" @@\n+a\n+"},
		{"claude", "NotebookEdit", `{"notebook_path":"a.ipynb","cell_type":"code","edit_mode":"insert","new_source":""}`,
			"NotebookEdit: a.ipynb", "diff [a.ipynb] @@ a code cell is added at the beginning @@\n\\ an empty cell"},
		{"claude", "NotebookEdit", `{"notebook_path":"a.ipynb","cell_id":"c1","edit_mode":"delete","new_source":""}`,
			"NotebookEdit: a.ipynb", "diff [a.ipynb] @@ cell c1 is removed @@"},
		{"claude", "NotebookEdit", `{"notebook_path":"a.ipynb","cell_id":"c1","edit_mode":"melt","new_source":"x"}`,
			"NotebookEdit: a.ipynb", "text [] notebook_path: a.ipynb\ncell_id: c1\nedit_mode: melt\nnew_source: x"},
		{"claude", "Edit", `{"file_path":"a.go","old_string":"a","new_string":"b","replace_all":false}`,
			"Edit: a.go", "diff [a.go] -a\n+b"},
		{"claude", "Edit", `{"file_path":"a.go","old_string":"a","new_string":"b","replace_all":true,"why":"x"}`,
			"Edit: a.go", "diff [a.go] -a\n+b\ntext [with] every place where it occurs is changed\nwhy: x"},
		{"claude", "Edit", `{"file_path":"/src/a\nb ","old_string":"a","new_string":"b"}`,
			"Edit: /src/a<U+000A>b<1 blank>", "diff [/src/a\nb ] -a\n+b"},
		{"claude", "Write", `{"file_path":"a.go","content":""}`, "Write: a.go", "diff [a.go] \\ an empty file"},
		{"claude", "Read", `{"file_path":"/src/shop/a.go"}`, "Read: /src/shop/a.go", "file [/src/shop/a.go] read it"},
		{"claude", "Read", `{"file_path":"a.go","offset":10,"limit":50,"pages":"1-5"}`,
			"Read: a.go", "file [a.go] read lines 10 to 59\ntext [with] pages: 1-5"},
		{"claude", "Read", `{"file_path":"a.go","limit":50}`, "Read: a.go", "file [a.go] read its first 50 lines"},
		{"claude", "Read", `{"file_path":"a.go","offset":3}`, "Read: a.go", "file [a.go] read it from line 3"},
		{"claude", "Read", `{"file_path":"a.go","offset":"3"}`, "Read: a.go", "file [a.go] read it\ntext [with] offset: \"3\""},
		{"claude", "Glob", `{"pattern":"**/*.go","path":"src"}`, "Glob: **/*.go",
			"file [src] list files below it\ntext [with] pattern: **/*.go"},
		{"claude", "Grep", `{"pattern":"TODO","-i":true,"head_limit":5}`, "Grep: TODO", "text [] pattern: TODO\n-i: true\nhead_limit: 5"},
		{"claude", "WebSearch", `{"query":"go 1.26","allowed_domains":["go.dev","a b"]}`, "WebSearch: go 1.26",
			"text [] query: go 1.26\ntext [with allowed_domains (list)] go.dev\na b"},
		{"claude", "Bash", `{"command":"npm test","description":"why","timeout":120000,"run_in_background":true}`,
			"Bash: npm test", "command [] npm test\ntext [with] its time limit is 2 minutes\nit runs in the background"},
		{"claude", "Bash", `{"command":"npm test","timeout":1500,"run_in_background":false}`,
			"Bash: npm test", "command [] npm test\ntext [with] its time limit is 1500 milliseconds"},
		{"claude", "Bash", `{"command":"npm test","timeout":"soon","run_in_background":"true"}`,
			"Bash: npm test", "command [] npm test\ntext [with] timeout: soon\nrun_in_background: \"true\""},
		{"claude", "Monitor", `{"command":"tail -f a.log","description":"why","timeout_ms":300000}`, "Monitor: tail -f a.log",
			"command [] tail -f a.log\ntext [with] timeout_ms: 300000"},
		{"claude", "Monitor", `{"description":"why","ws":{"url":"wss://a.example"}}`, "Monitor: why",
			"text [] description: why\nws: {\"url\":\"wss://a.example\"}"},
		{"claude", "BashOutput", `{"bash_id":"b1","filter":"err"}`, "BashOutput: b1", "text [] bash_id: b1\nfilter: err"},
		{"claude", "KillShell", `{"shell_id":"b1"}`, "KillShell: b1", "text [] shell_id: b1"},
		{"claude", "Task", `{"description":"look","prompt":"Look here\nand there","subagent_type":"general-purpose"}`, "Task: look",
			"text [] description: look\nsubagent_type: general-purpose\ntext [with prompt] Look here\nand there"},
		{"claude", "mcp__db__query", `{"timeout":5,"run_in_background":true,"replace_all":true,"a b":"c","o":{"x":[1]},"n":null,"e":"","q":"\"","p":"5"}`,
			"mcp__db__query: 5", "text [] timeout: 5\nrun_in_background: true\nreplace_all: true\n\"a b\": c\n" +
				"o: {\"x\":[1]}\nn: null\ne: \"\"\nq: \"\np: \"5\""},
		{"claude", "mcp__db__query", `{"l":[],"long":{"first":"0123456789012345678901234567890","second":"0123456789012345678901234"}}`,
			"mcp__db__query: []", "text [] l: []\ntext [with long (JSON)] {\n  \"first\": \"0123456789012345678901234567890\",\n" +
				"  \"second\": \"0123456789012345678901234\"\n}"},
		{"qwen", "run_shell_command", `{"command":"ls","is_background":false,"description":"d"}`, "run_shell_command: ls", "command [] ls"},
		{"qwen", "edit", `{"file_path":"a.go","old_string":"a\n","new_string":"","replace_all":true}`, "edit: a.go",
			"diff [a.go] -a\ntext [with] every place where it occurs is changed"},
		{"qwen", "read_file", `{"file_path":"a.go","offset":10,"limit":50}`, "read_file: a.go", "file [a.go] read lines 11 to 60"},
		{"qwen", "list_directory", `{"path":"/src/shop/x"}`, "list_directory: /src/shop/x", "file [/src/shop/x] list it"},
		{"copilot", "create", `{"path":"a.go","file_text":"x\n"}`, "create: a.go", "diff [a.go] +x"},
		{"copilot", "edit", `{"path":"a.go","old_str":"a","new_str":"b"}`, "edit: a.go", "diff [a.go] -a\n+b"},
		{"copilot", "view", `{"path":"a.go","view_range":[1,20]}`, "view: a.go",
			"file [a.go] read lines 1 to 20"},
		{"copilot", "view", `{"path":"a.go","view_range":[9,-1]}`, "view: a.go", "file [a.go] read it\ntext [with] view_range: [9,-1]"},
		{"copilot", "bash", `{"command":"ls","timeout":5,"mode":"sync"}`, "bash: ls", "command [] ls\ntext [with] timeout: 5\nmode: sync"},
		{"codex-hook", "apply_patch", `{"command":"*** Begin Patch\n*** Add File:  a\n+x\n *** Delete File: /etc/b \n*** End Patch"}`,
			"apply_patch: <1 blank>a, /etc/b", "diff [ a] *** Add File:  a\n+x\ndiff [/etc/b]  *** Delete File: /etc/b "},
	} {
		a := permissionOf(t, c.agent, c.tool, c.input)
		require.Equal(t, c.want, shownAs(a), "%s %s", c.tool, c.input)
		require.Equal(t, "Allow "+c.title, a.Title, "%s %s", c.tool, c.input)
	}
}

func TestAToolThatIsCalledInAnotherWayIsConfirmed(t *testing.T) {
	t.Parallel()
	for tool, input := range map[string]string{"NotebookEdit": `{"notebook_path":"a.ipynb","edit_mode":"melt","new_source":"x"}`,
		"Read": `{"file_path":["a"]}`, "Glob": `{"pattern":5}`, "Edit": `{"file_path":"a","old_string":"a","new_string":"a"}`} {
		require.True(t, permissionOf(t, "claude", tool, input).Confirm, tool)
	}
	require.False(t, permissionOf(t, "claude", "Read", `{"file_path":"a"}`).Confirm)
	require.False(t, permissionOf(t, "claude", "mcp__x__y", `{"file_path":["a"]}`).Confirm)
}

const kiloPatch = "Index: /src/work/a.go\n===================================================================\n" +
	"--- /src/work/a.go\n+++ /src/work/a.go\n@@ -1,2 +1,2 @@\n \tx\n-\ta\r\n+\tb\n"

func TestAChangeOfOpencodeIsShownOnceAndWithoutEmptyHeadings(t *testing.T) {
	t.Parallel()
	forPeople := strings.ReplaceAll(strings.ReplaceAll(kiloPatch, "\t", ""), "\r", "")
	for name, c := range map[string]struct {
		permission, patterns string
		metadata             map[string]any
		title, want, reason  string
	}{
		"a change": {"edit", `["a.go"]`, map[string]any{"filepath": "/src/work/a.go", "diff": forPeople}, "edit: a.go",
			"diff [/src/work/a.go] @@ -1,2 +1,2 @@\n x\n-a\n+b", ""},
		"a change elsewhere": {"edit", `["tmp/a.go"]`, map[string]any{"filepath": "/tmp/a.go", "diff": "-a\n+b"}, "edit: /tmp/a.go",
			"diff [/tmp/a.go] -a\n+b", ""},
		"with the patch of Kilo": {"edit", `["a.go"]`, map[string]any{"filepath": "/src/work/a.go", "diff": forPeople,
			"filediff": map[string]any{"file": "/src/work/a.go", "patch": kiloPatch, "additions": 1, "deletions": 1}}, "edit: a.go",
			"diff [/src/work/a.go] @@ -1,2 +1,2 @@\n \tx\n-\ta\r\n+\tb", ""},
		"with another patch": {"edit", `["a.go"]`, map[string]any{"filepath": "/src/work/a.go", "diff": "-a\n+c",
			"filediff": map[string]any{"patch": "-a\n+b"}}, "edit: a.go",
			"diff [/src/work/a.go] -a\n+c\ntext [with] filediff: {\"patch\":\"-a\\n+b\"}", ""},
		"with other counts": {"edit", `["a.go"]`, map[string]any{"filepath": "/src/work/a.go", "diff": "-a\n+b",
			"filediff": map[string]any{"patch": "-a\n+b", "additions": 7}}, "edit: a.go",
			"diff [/src/work/a.go] -a\n+b\ntext [with] filediff: {\"additions\":7}", ""},
		"line ends that the agent does not show": {"edit", `["a.go"]`, map[string]any{"filepath": "/src/work/a.go",
			"diff": kiloPatch[:strings.Index(kiloPatch, "@@")]}, "edit: a.go",
			"diff [/src/work/a.go] \\ the agent shows no line that differs", ""},
		"several files": {"edit", `["a.go","b.go"]`, map[string]any{"filepath": "a.go, b.go",
			"diff": forPeople + strings.ReplaceAll(forPeople, "a.go", "b.go"), "files": []any{
				map[string]any{"filePath": "/src/work/a.go", "relativePath": "a.go", "type": "update", "patch": kiloPatch,
					"additions": 1, "deletions": 1},
				map[string]any{"filePath": "/src/work/b.go", "relativePath": "c.go", "type": "move", "movePath": "/src/work/c.go",
					"patch": strings.ReplaceAll(kiloPatch, "a.go", "b.go"), "additions": 1, "deletions": 1}}},
			"edit: a.go, b.go, c.go", "diff [/src/work/a.go] @@ -1,2 +1,2 @@\n \tx\n-\ta\r\n+\tb\n" +
				"diff [/src/work/b.go] @@ -1,2 +1,2 @@\n \tx\n-\ta\r\n+\tb\nfile [/src/work/c.go] move /src/work/b.go here", ""},
		"a file that is removed": {"edit", `["a.go"]`, map[string]any{"filepath": "a.go", "diff": "-x\n", "files": []any{
			map[string]any{"filePath": "/src/work/a.go", "relativePath": "a.go", "type": "delete", "patch": "-x\n"}}},
			"edit: a.go", "diff [/src/work/a.go] -x\n\\ the file is removed", ""},
		"a command": {"bash", `["npm test"]`, map[string]any{"command": "npm test", "description": "run them"}, "bash: npm test",
			"command [] npm test", "run them"},
		"several commands": {"bash", `["npm test","ls"]`, map[string]any{"command": "npm test && ls"}, "bash: npm test, ls",
			"command [] npm test && ls\ntext [with patterns] npm test\nls", ""},
		"a file": {"read", `["a.go"]`, map[string]any{}, "read: a.go", "text [] a.go", ""},
		"a directory": {"external_directory", `["/tmp/*"]`, map[string]any{"filepath": "/tmp/x", "parentDir": "/tmp"}, "external_directory: /tmp/x",
			"file [/tmp/x] use it\ntext [with] parentDir: /tmp\ntext [with patterns] /tmp/*", ""},
		"an address": {"webfetch", `["https://a.example"]`, map[string]any{"url": "https://a.example", "timeout": 5}, "webfetch: https://a.example",
			"address [] https://a.example\ntext [with] timeout: 5", ""},
		"a search": {"grep", `["TODO"]`, map[string]any{"pattern": "TODO", "path": "src"}, "grep: TODO", "", ""},
	} {
		raw, err := json.Marshal(map[string]any{"id": "per_1", "sessionID": "s", "permission": c.permission,
			"patterns": json.RawMessage(c.patterns), "metadata": c.metadata, "always": []string{}})
		require.NoError(t, err)
		asked, ok := Opencode(Line{Type: LinePermission, ID: "per_1", Directory: "/src/work", Properties: raw})
		require.True(t, ok, name)
		if c.want == "" {
			c.want = "text [] path: src\npattern: TODO" // the names of a Go map are sorted
		}
		require.Equal(t, c.want, shownAs(asked.Ask), name)
		require.Equal(t, "Allow "+c.title, asked.Ask.Title, name)
		require.Equal(t, c.reason, asked.Ask.Prompt, name)
	}
}

// smallTexts returns all texts of at most two pieces that are easily overlooked, each with and without a line break.
func smallTexts() (list []string) {
	pieces := []string{"", "a", "b", "<1 blank>", " ", "  ", "\t", "\r", "\n", "\u00a0", "\u3000", "\u200b", "\\"}
	seen := map[string]bool{}
	for _, one := range pieces {
		for _, other := range pieces {
			for _, end := range []string{"", "\n"} {
				if text := one + other + end; !seen[text] {
					seen[text] = true
					list = append(list, text)
				}
			}
		}
	}
	return list
}

func TestNoTwoRequestsAreShownAlike(t *testing.T) {
	t.Parallel()
	seen := map[string]string{} // the input, by what is shown of it
	ask := func(tool string, input map[string]string) {
		raw := wire.Encode(input)
		x, ok := claudeTools.readTool(tool, raw)
		require.True(t, ok, "%s %s", tool, raw)
		shown := tool
		for _, p := range x.approval.Parts {
			p, _ = p.Shown()
			shown += "\x00" + p.Kind + "\x00" + p.Label + "\x00" + p.Text
		}
		other, there := seen[shown]
		require.False(t, there, "%s and %s are shown alike: %q", other, raw, shown)
		seen[shown] = string(raw)
	}
	texts := smallTexts()
	for _, one := range texts {
		ask("Write", map[string]string{"file_path": "a", "content": one})
		ask("NotebookEdit", map[string]string{"notebook_path": "a", "new_source": one})
		ask("NotebookEdit", map[string]string{"notebook_path": "a", "cell_id": "c" + one, "new_source": ""})
		ask("Read", map[string]string{"file_path": "a", "offset": one})
		ask("Glob", map[string]string{"pattern": one, "path": "a" + one})
		ask("Edit", map[string]string{"file_path": "b" + one, "old_string": "a", "new_string": "b"})
		ask("Bash", map[string]string{"command": "ls" + one, "timeout": one})
		for _, other := range texts {
			ask("mcp__x__y", map[string]string{"a": one, "b": other})
			if one != other {
				ask("Edit", map[string]string{"file_path": "a", "old_string": one, "new_string": other})
			}
		}
	}
}
