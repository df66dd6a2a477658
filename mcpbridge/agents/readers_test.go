package agents

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/agents/agenttest"
	"github.com/choicetui/choicetui/mcpbridge/agents/claude"
	"github.com/choicetui/choicetui/queue"
)

// permissionOf returns the approval that an agent's hook asks for a tool with this input.
func permissionOf(t testing.TB, agent, tool, input string) queue.Ask {
	raw := `{"session_id":"s","cwd":"/src/shop","hook_event_name":"PermissionRequest","permission_mode":"default",` +
		`"tool_name":"` + tool + `","tool_input":` + input + `}`
	if agent == "copilot" {
		raw = `{"hookName":"permissionRequest","sessionId":"s","cwd":"/src/shop","toolName":"` + tool + `","toolInput":` + input + `}`
	}
	if agent == "pi" {
		raw = strings.Replace(raw, "PermissionRequest", "tool_call", 1)
	}
	read := claude.Read
	if agent != "claude" {
		read = hooks[agent].read
	}
	asked, ok := read([]byte(raw), agenttest.Token)
	require.True(t, ok, "%s %s", tool, input)
	asked.Ask.TimeoutSeconds = 300
	require.Empty(t, asked.Ask.Check(), "%s %s", tool, input)
	return asked.Ask
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
		{"pi", "edit", `{"path":"/etc/hosts","edits":[{"oldText":"a","newText":"b"},{"oldText":"c","newText":"d"}]}`,
			"edit: /etc/hosts", "diff [/etc/hosts] -a\n+b\ndiff [/etc/hosts] -c\n+d"},
		{"pi", "edit", `{"path":"a.go","edits":[{"oldText":"a","newText":"b","replace_all":true}]}`,
			"edit: a.go", "text [] path: a.go\ntext [with edits (JSON)] [\n  {\n    \"oldText\": \"a\",\n    \"newText\": \"b\",\n" +
				"    \"replace_all\": true\n  }\n]"},
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
		require.Equal(t, c.want, agenttest.ShownAs(a), "%s %s", c.tool, c.input)
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
