package claude

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/agents/agenttest"
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt/marks"
	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
)

func TestClaudeIsAnsweredInItsOwnForm(t *testing.T) {
	t.Parallel()
	for _, r := range agenttest.All(t, "claude") {
		t.Run(r.Name, func(t *testing.T) {
			t.Parallel()
			asked, ok := Read(r.Stdin, func() string { return "token" })
			if !r.IsAnswered(t, asked, ok) {
				return
			}
			require.True(t, ok)
			require.Equal(t, "claude-code", asked.Origin.Client)
			require.Equal(t, "/src/shop", asked.Origin.Cwd)
			require.Equal(t, "5f0e", asked.Origin.Thread)
			require.True(t, asked.Origin.OneSession)
			out := string(asked.Render(agenttest.Settled(t, asked, r)))
			require.Equal(t, string(r.Stdout), out)
			if out != "" {
				require.True(t, json.Valid([]byte(out)))
			}
		})
	}
}

func TestATimeThatIsUpTellsClaudeNothing(t *testing.T) {
	t.Parallel()
	for _, r := range agenttest.All(t, "claude") {
		if asked, ok := Read(r.Stdin, func() string { return "token" }); ok {
			over := queue.Session{Ask: asked.Ask, Outcome: &queue.Outcome{Status: queue.StatusTimeout, By: queue.ByClock}}
			require.Empty(t, asked.Render(over), r.Name)
			over.Outcome = &queue.Outcome{Status: queue.StatusElsewhere, By: queue.ByCaller, Reason: "in claude"}
			require.Empty(t, asked.Render(over), r.Name)
			over.Outcome = &queue.Outcome{Status: queue.StatusCancelled, By: queue.ByCaller, Reason: "it went away"}
			require.Empty(t, asked.Render(over), r.Name)
			over.Outcome = &queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman}
			require.NotContains(t, string(asked.Render(over)), "allow", "%s: never without answers", r.Name)
		}
	}
}

func TestTheSameQuestionOfClaudesHasTheSameSource(t *testing.T) {
	t.Parallel()
	raw := agenttest.Read(t, "claude", "question")
	n := 0
	token := func() string { n++; return strings.Repeat("x", n) }
	one, _ := Read(raw, token)
	two, _ := Read(raw, token)
	require.Equal(t, "claude:5f0e/toolu_01", one.Origin.Source)
	require.Equal(t, one.Origin.Source, two.Origin.Source)
	raw = agenttest.Read(t, "claude", "permission_once")
	one, _ = Read(raw, token)
	two, _ = Read(raw, token)
	require.NotEqual(t, one.Origin.Source, two.Origin.Source, "the same command is asked for each time it is to run")
}

func TestAClaudeApprovalShowsAllThatItAllows(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tool, input string
		parts       []queue.Part
		reason      string
		marks       []string
	}{
		"a command": {"Bash", `{"command":"npm test","description":"why"}`,
			[]queue.Part{{Kind: queue.PartCommand, Text: "npm test"}}, "why", nil},
		"a command with more": {"Bash", `{"command":"ls","dangerouslyDisableSandbox":true}`,
			[]queue.Part{{Kind: queue.PartCommand, Text: "ls"},
				{Kind: queue.PartText, Label: "with", Text: "it runs outside the sandbox"}}, "",
			[]string{queue.MarkRights}},
		"an edit": {"Edit", `{"file_path":"/src/shop/a.go","old_string":"a\nb","new_string":"c\n"}`,
			[]queue.Part{{Kind: queue.PartDiff, Label: "/src/shop/a.go", Text: "-a\n-b\n\\ no newline at the end\n+c"}}, "", nil},
		"an edit elsewhere": {"Edit", `{"file_path":"/etc/hosts","old_string":"a","new_string":"b","replace_all":true}`,
			[]queue.Part{{Kind: queue.PartDiff, Label: "/etc/hosts", Text: "-a\n+b"},
				{Kind: queue.PartText, Label: "with", Text: "every place where it occurs is changed"}}, "",
			[]string{queue.MarkOutside}},
		"several edits": {"MultiEdit", `{"file_path":"a.go","edits":[{"old_string":"a","new_string":"b"},` +
			`{"old_string":"c","new_string":"","replace_all":true}]}`,
			[]queue.Part{{Kind: queue.PartDiff, Label: "a.go", Text: "-a\n+b"}, {Kind: queue.PartDiff, Label: "a.go", Text: "-c\n\\ no newline at the end"},
				{Kind: queue.PartText, Label: "with", Text: "every place where it occurs is changed"}}, "", nil},
		"a new file": {"Write", `{"file_path":"a.go","content":"x\n\ny"}`,
			[]queue.Part{{Kind: queue.PartDiff, Label: "a.go", Text: "+x\n+\n+y\n\\ no newline at the end"}}, "", nil},
		"a new file that ends its last line": {"Write", `{"file_path":"a.go","content":"echo hi\n"}`,
			[]queue.Part{{Kind: queue.PartDiff, Label: "a.go", Text: "+echo hi"}}, "", nil},
		"an address": {"WebFetch", `{"url":"https://example.com/?q=1","prompt":"sum it up"}`,
			[]queue.Part{{Kind: queue.PartAddress, Text: "https://example.com/?q=1"}}, "sum it up",
			[]string{queue.MarkNetwork}},
		"another tool": {"mcp__db__query", `{"sql":"drop \u202e"}`,
			[]queue.Part{{Kind: queue.PartText, Text: "sql: drop \u202e"}}, "", nil},
	} {
		raw := `{"session_id":"s","cwd":"/src/shop","hook_event_name":"PermissionRequest","tool_name":"` + c.tool +
			`","tool_input":` + c.input + `}`
		asked, ok := Read([]byte(raw), func() string { return "t" })
		require.True(t, ok, name)
		a := asked.Ask
		require.Equal(t, queue.KindApproval, a.Kind, name)
		require.Len(t, a.Approval.Request, 64, name)
		a.Approval.Request = ""
		require.Equal(t, &queue.Approval{Tool: c.tool, Dir: "/src/shop", Parts: c.parts, Marks: c.marks}, a.Approval, name)
		require.Equal(t, c.reason, a.Prompt, name)
		require.Equal(t, slices.ContainsFunc(c.marks, queue.IsRed), a.Confirm, name)
		a.TimeoutSeconds = 300
		require.Empty(t, a.Check(), name)
		require.Empty(t, a.Questions[0].Defaults, "nothing is marked before the person marks it")
	}
}

func TestEachChoiceOfClaudesSaysAllThatItCovers(t *testing.T) {
	t.Parallel()
	asked, ok := Read(agenttest.Read(t, "claude", "permission_mode"), func() string { return "t" })
	require.True(t, ok)
	require.Equal(t, []queue.Option{
		{ID: "once", Label: "Allow once", Act: queue.ActOnce},
		{ID: "session-1", Label: "Allow all edits until this session ends", Act: queue.ActSession,
			Description: "claude will edit files without asking until this session ends."},
		{ID: "session-2", Label: "Allow for this session: /src/lib", Act: queue.ActSession,
			Description: "claude may also work in /src/lib until this session ends."},
		{ID: "refuse", Label: "Refuse", Act: queue.ActRefuse},
	}, asked.Ask.Questions[0].Options)
}

func TestAFormIsCheckedBeforeItIsSent(t *testing.T) {
	t.Parallel()
	asked, ok := Read(agenttest.Read(t, "claude", "form"), func() string { return "t" })
	require.True(t, ok)
	texts := []string{}
	for _, q := range asked.Ask.Questions {
		texts = append(texts, q.Text)
	}
	require.Equal(t, []string{"Urgent?", "area", "count\n\nIt takes a whole number from 1 to 9.", "tags",
		"note\n\nIt takes text of at most 20 characters.", "mail\n\nIt takes an e-mail address."}, texts, "in the order of the schema")
	count, note := asked.Ask.Questions[2], asked.Ask.Questions[4]
	require.NotEmpty(t, count.Check(queue.Reply{Question: "q3", Text: "10"}))
	require.Empty(t, count.Check(queue.Reply{Question: "q3", Text: "9"}))
	require.NotEmpty(t, note.Check(queue.Reply{Question: "q5", Text: strings.Repeat("x", 21)}))
}

func TestAnAddressIsShownInFullAndNothingIsConfirmedAboutIt(t *testing.T) {
	t.Parallel()
	asked, ok := Read(agenttest.Read(t, "claude", "address"), func() string { return "t" })
	require.True(t, ok)
	require.Equal(t, []queue.Part{{Kind: queue.PartAddress, Text: "https://example.com/in?state=abc"}},
		asked.Ask.Approval.Parts)
	require.Empty(t, asked.Ask.Approval.Marks)
	require.False(t, asked.Ask.Confirm)
	require.Equal(t, "claude:5f0e/el-1", asked.Origin.Source)
}

// BenchmarkNothingToDo measures the parsing for a hook that has nothing to ask.
func BenchmarkNothingToDo(b *testing.B) {
	raw := agenttest.Read(b, "claude", "silent_other_tool")
	for b.Loop() {
		Read(raw, func() string { return time.Now().String() })
	}
}

func TestAnEditThatJoinsTwoLinesIsShownAndIsAnotherRequest(t *testing.T) {
	t.Parallel()
	edit := func(before, after string) *queue.Approval {
		input, err := json.Marshal(map[string]string{"file_path": "a.py", "old_string": before, "new_string": after})
		require.NoError(t, err)
		asked, ok := Read([]byte(`{"session_id":"s","cwd":"/src","hook_event_name":"PermissionRequest","tool_name":"Edit",`+
			`"tool_input":`+string(input)+`}`), func() string { return "t" })
		require.True(t, ok)
		return asked.Ask.Approval
	}
	joins := edit("x = 1  # note\n", "x = 1  # note")
	require.Equal(t, "-x = 1  # note\n+x = 1  # note\n\\ no newline at the end", joins.Parts[0].Text)
	plain, swallows, splits := edit("x = 1", "x = 2"), edit("x = 1\n", "x = 2"), edit("x = 1", "x = 2\n")
	require.Equal(t, "-x = 1\n+x = 2", plain.Parts[0].Text)
	require.Equal(t, "-x = 1\n+x = 2\n\\ no newline at the end", swallows.Parts[0].Text)
	require.Equal(t, "-x = 1\n\\ no newline at the end\n+x = 2", splits.Parts[0].Text)
	lines := edit("x = 1\n", "x = 2\n")
	require.Equal(t, "-x = 1\n+x = 2\n\\ both end with a newline", lines.Parts[0].Text)
	require.NotEqual(t, plain.Request, lines.Request, "a rule for one is none for the other")
	require.Equal(t, plain.Request, edit("x = 1", "x = 2").Request)
}

func TestOnlyARuleOfClaudesForTheVeryCommandIsExact(t *testing.T) {
	t.Parallel()
	const rule = `{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"npm test"}],"behavior":"allow",` +
		`"destination":"localSettings"}`
	for name, c := range map[string]struct {
		input, suggests string
		want            bool
	}{
		"the command":           {`{"command":"npm test","description":"why"}`, rule, true},
		"a prefix":              {`{"command":"npm test"}`, strings.Replace(rule, "npm test", "npm test:*", 1), false},
		"a pattern":             {`{"command":"npm *"}`, strings.Replace(rule, "npm test", "npm *", 1), false},
		"another command":       {`{"command":"npm test "}`, rule, false},
		"space around it":       {`{"command":" npm test"}`, strings.Replace(rule, "npm test", " npm test", 1), false},
		"all of the tool":       {`{"command":"npm test"}`, strings.Replace(rule, "npm test", "", 1), false},
		"another tool":          {`{"command":"npm test"}`, strings.Replace(rule, "Bash", "Shell", 1), false},
		"more beside it":        {`{"command":"npm test","run_in_background":true}`, rule, false},
		"a member not known":    {`{"command":"npm test"}`, strings.Replace(rule, `"behavior"`, `"new":1,"behavior"`, 1), false},
		"a rule's member":       {`{"command":"npm test"}`, strings.Replace(rule, `"toolName"`, `"new":1,"toolName"`, 1), false},
		"a second rule":         {`{"command":"npm test"}`, strings.Replace(rule, "}]", `},{"toolName":"Bash","ruleContent":"ls"}]`, 1), false},
		"a way of working":      {`{"command":"npm test"}`, `{"type":"setMode","mode":"acceptEdits"}`, false},
		"a directory":           {`{"command":"npm test"}`, `{"type":"addDirectories","directories":["/src"]}`, false},
		"one that is not shown": {`{"command":"npm test"}`, `{"type":"hypnosis"}`, false},
	} {
		stdin := `{"session_id":"5f0e","cwd":"/src/shop","hook_event_name":"PermissionRequest","tool_name":"Bash",` +
			`"tool_input":` + c.input + `,"permission_suggestions":[` + c.suggests + `]}`
		asked, ok := Read([]byte(stdin), func() string { return "token" })
		require.True(t, ok, name)
		require.Equal(t, c.want, len(agenttest.ExactOf(asked)) == 1, name)
	}
}

func TestNoWordsAreTakenWhereAServerHearsOnlyYesOrNo(t *testing.T) {
	t.Parallel()
	raw := `{"hook_event_name":"Elicitation","session_id":"5f0e","cwd":"/src/shop","mcp_server_name":"docs",` +
		`"message":"Sign in","mode":"url","url":"https://example.org/in","elicitation_id":"e1"}`
	asked, ok := Read([]byte(raw), func() string { return "token" })
	require.True(t, ok)
	require.False(t, asked.Ask.Annotates())
}

func TestTheTitleOfAToolThatIsNotKnownIsItsNameAndFirstArgument(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]string{
		`{"sql":"select 1\nfrom t","limit":5}`: "Allow mcp__db__query: select 1",
		`{"limit":5,"sql":"select 1"}`:         "Allow mcp__db__query: 5",
		`{"sql":""}`:                           "Allow mcp__db__query?",
	} {
		x, ok := tools.Read("mcp__db__query", []byte(input))
		require.True(t, ok)
		require.Equal(t, want, x.Title)
	}
}

func TestAChangeOutsideTheProjectIsMarked(t *testing.T) {
	t.Parallel()
	for path, out := range map[string]bool{
		"/src/shop/a.go": false, "a.go": false, "sub/../a.go": false, "/src/shop2/a.go": true, "../a.go": true,
		"/etc/hosts": true, "~/x": true, "/src/shop/../x": true,
	} {
		a := queue.Approval{Dir: "/src/shop", Parts: []queue.Part{{Kind: queue.PartDiff, Label: path, Text: "+x"}}}
		require.Equal(t, out, len(marks.Of(a)) > 0, path)
		a.Dir = ""
		if path[0] == '/' {
			require.NotEmpty(t, marks.Of(a), "%s, where the project is not known", path)
		}
	}
}

func TestALinkShowsWhereItLeadsAndIsMarkedByThat(t *testing.T) {
	t.Parallel()
	top := agenttest.LinkedProject(t)
	proj, outside := filepath.Join(top, "proj"), true
	for _, c := range []struct {
		path, leads string
		marked      bool
	}{
		{proj + "/link.txt", "/etc/passwd", outside},
		{"link.txt", "/etc/passwd", outside},
		{"./sub/../link.txt", "/etc/passwd", outside},
		{"out/.bashrc", top + "/home/.bashrc", outside},
		{"out/new/deep/file", top + "/home/new/deep/file", outside},
		{"near/x", top + "/home/sub/x", outside},
		{"none", top + "/home/new.txt", outside},
		{"pipe", top + "/home/pipe", outside},
		{"inside", proj + "/sub/own", false},
		{"sub/own", "", false},
		{"sub/new", "", false},
		{proj + "/../home/.bashrc", "", outside},
		{"../home/.bashrc", "", outside},
		{"round", queue.LeadsNowhere, outside},
		{"a/x", queue.LeadsNowhere, outside},
		{"near/../x", queue.LeadsNowhere, outside}, // home/x, or x where `..` is taken away first
		{"sub/own/x", "", false},
		{"x\x00y", queue.LeadsNowhere, outside},
		{"link.txt ", "", false},
	} {
		for _, dir := range []string{proj, top + "/via"} {
			input, err := json.Marshal(map[string]string{"file_path": c.path, "content": "x\n"})
			require.NoError(t, err)
			event, err := json.Marshal(map[string]any{"session_id": "s", "hook_event_name": "PermissionRequest",
				"tool_name": "Write", "tool_input": json.RawMessage(input), "cwd": dir})
			require.NoError(t, err)
			asked, ok := Read(event, agenttest.Token)
			require.True(t, ok, "%q", c.path)
			a := asked.Ask.Approval
			require.Equal(t, c.path, a.Parts[0].Label, "the label is the agent's own")
			if c.path != "x\x00y" {
				require.Equal(t, c.leads, a.Parts[0].Leads, "%q in %s", c.path, dir)
			}
			// A path that is written with the real name of a directory that is named by a link counts as outside it.
			if dir == proj || !filepath.IsAbs(c.path) {
				require.Equal(t, c.marked, len(a.Marks) > 0, "%q in %s: %v", c.path, dir, a.Marks)
			}
		}
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
		x, ok := tools.Read(tool, raw)
		require.True(t, ok, "%s %s", tool, raw)
		shown := tool
		for _, p := range x.Approval.Parts {
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

func TestACommandOutsideItsSandboxIsMarked(t *testing.T) {
	t.Parallel()
	for input, want := range map[string][]string{
		`{"command":"ls","dangerouslyDisableSandbox":true}`:                        {queue.MarkRights},
		`{"command":"ls","dangerouslyDisableSandbox":false}`:                       nil,
		`{"command":"ls","dangerouslyDisableSandbox":"true"}`:                      {queue.MarkRights},
		`{"x":1,"x":2,"dangerouslyDisableSandbox":true}`:                           {queue.MarkRights},
		`{"command":"ls","note":"\"dangerouslyDisableSandbox\": true is not set"}`: nil,
	} {
		x, ok := tools.Read("Bash", []byte(input))
		require.True(t, ok)
		x.Approval.Dir = "/src/shop"
		require.Equal(t, want, x.NewAsk(nil).Approval.Marks, input)
	}
}
