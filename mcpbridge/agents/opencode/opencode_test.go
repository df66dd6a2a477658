package opencode

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/agents/agenttest"
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/queue"
)

func TestOpencodeIsAnsweredInItsOwnForm(t *testing.T) {
	t.Parallel()
	for _, r := range agenttest.All(t, "opencode") {
		t.Run(r.Name, func(t *testing.T) {
			t.Parallel()
			line, ok := ReadLine(r.Stdin)
			asked, isAsked := Read(line)
			if !r.IsAnswered(t, asked, ok && isAsked) {
				return
			}
			require.True(t, ok && isAsked)
			require.Equal(t, "opencode", asked.Origin.Client)
			require.Equal(t, "/src/work", asked.Origin.Cwd)
			out := string(asked.Render(agenttest.Settled(t, asked, r)))
			require.Equal(t, string(r.Stdout), out)
			if out != "" {
				require.True(t, json.Valid([]byte(out)))
			}
		})
	}
}

func TestAnOpencodeApprovalShowsAllThatItAllows(t *testing.T) {
	t.Parallel()
	line, _ := ReadLine(agenttest.Read(t, "opencode", "permission_once"))
	asked, ok := Read(line)
	require.True(t, ok)
	require.Equal(t, []queue.Part{{Kind: queue.PartCommand, Text: "echo proof > /src/proof-oc"}}, asked.Ask.Approval.Parts)
	require.Equal(t, []string{queue.MarkOutside}, asked.Ask.Approval.Marks)
	require.Equal(t, []queue.Option{{ID: "once", Label: "Allow once", Act: queue.ActOnce},
		{ID: "always", Label: "Allow every command that begins with “echo”, until opencode starts again",
			Act: queue.ActAlways},
		{ID: "refuse", Label: "Refuse", Act: queue.ActRefuse}}, asked.Ask.Questions[0].Options)

	line.Properties = json.RawMessage(`{"id":"` + line.ID + `","sessionID":"s","permission":"edit","patterns":["a.go"],` +
		`"metadata":{"filepath":"/src/work/a.go","diff":"-a\n+b","mode":"\u202e"},"always":[]}`)
	asked, ok = Read(line)
	require.True(t, ok)
	require.Equal(t, []queue.Part{{Kind: queue.PartDiff, Label: "/src/work/a.go", Text: "-a\n+b"},
		{Kind: queue.PartText, Label: "with", Text: "mode: \"\u202e\""}},
		asked.Ask.Approval.Parts)
	require.Len(t, asked.Ask.Questions[0].Options, 2, "no rule is offered where opencode offers none")
}

func TestOfOpencode2NothingThatItsServiceSharesIsTheAgents(t *testing.T) {
	t.Parallel()
	line, _ := ReadLine(agenttest.Read(t, "opencode", "permission_once"))
	in := &prompt.Intake{Origin: queue.Origin{PID: 7, Agent: "7-1", Pane: "%3", Cwd: "/home/me", Branch: "main", Instance: "i"}}
	asked, ok := Read(line)
	require.True(t, ok)
	require.Equal(t, "%3", in.OriginOf(asked).Pane, "opencode 1 runs in the pane of its screen")

	line.Generation, line.Client = 2, "kilo"
	asked, ok = Read(line)
	require.True(t, ok)
	o := in.OriginOf(asked)
	require.Equal(t, queue.Origin{Client: "kilo", Cwd: "/src/work", Thread: "ses_dffe6fa31ffeFnzHBj6Y2QLaRu", Instance: "i",
		CallID: line.ID, Source: "kilo:ses_dffe6fa31ffeFnzHBj6Y2QLaRu/" + line.ID}, o)
	require.Equal(t, "in kilo", asked.Where)
	always := asked.Ask.Questions[0].Options[1]
	require.Equal(t, "Allow every command that begins with “echo”, in every session", always.Label, "it outlasts the service")
	require.False(t, always.Exact)

	line.Client = "another"
	_, ok = Read(line)
	require.False(t, ok)
}

func TestOnlyWhatOpencodeWouldNotAskAgainForIsExact(t *testing.T) {
	t.Parallel()
	line, _ := ReadLine(agenttest.Read(t, "opencode", "permission_once"))
	for name, c := range map[string]struct {
		patterns, always string
		want             bool
	}{
		"the command":     {`["npm test"]`, `["npm test"]`, true},
		"a pattern":       {`["npm test"]`, `["npm *"]`, false},
		"one character":   {`["npm tes?"]`, `["npm tes?"]`, false},
		"two rules":       {`["npm test"]`, `["npm test","ls"]`, false},
		"more than shown": {`["npm test","ls"]`, `["npm test"]`, false},
	} {
		command, _, _ := strings.Cut(strings.TrimPrefix(c.patterns, `["`), `"`)
		line.Properties = json.RawMessage(`{"id":"` + line.ID + `","sessionID":"s","permission":"bash","patterns":` +
			c.patterns + `,"metadata":{"command":"` + command + `"},"always":` + c.always + `}`)
		asked, ok := Read(line)
		require.True(t, ok, name)
		require.Equal(t, c.want, len(agenttest.ExactOf(asked)) == 1, name)
		second := line
		second.Generation = 2
		asked, ok = Read(second)
		require.True(t, ok, name)
		require.Empty(t, agenttest.ExactOf(asked), "opencode 2 keeps it for good")
	}
}

func FuzzPluginLine(f *testing.F) {
	agenttest.FuzzHook(f, "opencode", func(raw []byte, _ func() string) (prompt.Asked, bool) {
		l, ok := ReadLine(raw)
		if !ok {
			return prompt.Asked{}, false
		}
		return Read(l)
	})
}

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
		asked, ok := Read(Line{Type: LinePermission, ID: "per_1", Directory: "/src/work", Properties: raw})
		require.True(t, ok, name)
		if c.want == "" {
			c.want = "text [] path: src\npattern: TODO" // the names of a Go map are sorted
		}
		require.Equal(t, c.want, agenttest.ShownAs(asked.Ask), name)
		require.Equal(t, "Allow "+c.title, asked.Ask.Title, name)
		require.Equal(t, c.reason, asked.Ask.Prompt, name)
	}
}

const kiloPatch = "Index: /src/work/a.go\n===================================================================\n" +
	"--- /src/work/a.go\n+++ /src/work/a.go\n@@ -1,2 +1,2 @@\n \tx\n-\ta\r\n+\tb\n"
