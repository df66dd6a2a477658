package prompt

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

// recording holds one prompt of an agent, what the person did, and the hook's output.
type recording struct {
	unfit queue.Unfit // why the prompt cannot be answered here
	title string      // of a prompt without an answer; empty: nothing is asked

	name           string
	stdin, stdout  []byte
	answer, cancel []byte // the person's answer or cancel; nil if there is none
}

func recordings(t testing.TB, agent string) (list []recording) {
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "testdata", "native", agent, "*.txtar"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		r := recording{name: strings.TrimSuffix(filepath.Base(file), ".txtar")}
		for _, f := range txtar.Parse(raw).Files {
			data := append([]byte{}, f.Data...)
			switch f.Name {
			case "stdin":
				r.stdin = data
			case "stdout":
				r.stdout = data
			case "answer":
				r.answer = data
			case "cancel":
				r.cancel = data
			case "unfit":
				r.unfit = queue.Unfit(strings.TrimSpace(string(data)))
			case "title":
				r.title = strings.TrimSpace(string(data))
			}
		}
		list = append(list, r)
	}
	return list
}

// isAnswered reports whether the recording has an answer. If not, it checks that the prompt is shown with its title, or
// is unfit for the reason in the recording, or that there is none.
func (r recording) isAnswered(t testing.TB, asked Asked, ok bool) bool {
	if r.answer != nil || r.cancel != nil {
		return true
	}
	require.Equal(t, r.title != "", ok, "%+v", asked.Ask)
	require.Equal(t, r.unfit, asked.Unfit)
	require.Equal(t, r.title, asked.Ask.Title)
	return false
}

// settled returns the prompt as a session that the person has answered or cancelled.
func settled(t testing.TB, a Asked, r recording) queue.Session {
	q := queue.New(storetest.NewMemory())
	a.Ask.TimeoutSeconds, a.Ask.OnTimeout = 300, queue.OnTimeoutNone
	a.Origin.Instance = "hook"
	s, err := q.Create(t.Context(), queue.Session{Ask: a.Ask, Origin: a.Origin})
	require.NoError(t, err)
	c := queue.Command{By: queue.ByHuman, Surface: queue.SurfaceDashboard,
		Do: queue.Cancel{Reason: strings.TrimSpace(string(r.cancel))}}
	if r.answer != nil {
		var answer queue.Answer
		require.NoError(t, json.Unmarshal(r.answer, &answer))
		c.Do = queue.Settle{Answer: answer, Confirmed: true}
	}
	s, err = q.Do(t.Context(), s.ID, c)
	require.NoError(t, err)
	return s
}

func TestClaudeIsAnsweredInItsOwnForm(t *testing.T) {
	t.Parallel()
	for _, r := range recordings(t, "claude") {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			asked, ok := Claude(r.stdin, func() string { return "token" })
			if !r.isAnswered(t, asked, ok) {
				return
			}
			require.True(t, ok)
			require.Equal(t, "claude-code", asked.Origin.Client)
			require.Equal(t, "/src/shop", asked.Origin.Cwd)
			require.Equal(t, "5f0e", asked.Origin.Thread)
			out := string(asked.Render(settled(t, asked, r)))
			require.Equal(t, string(r.stdout), out)
			if out != "" {
				require.True(t, json.Valid([]byte(out)))
			}
		})
	}
}

func TestATimeThatIsUpTellsClaudeNothing(t *testing.T) {
	t.Parallel()
	for _, r := range recordings(t, "claude") {
		if asked, ok := Claude(r.stdin, func() string { return "token" }); ok {
			over := queue.Session{Ask: asked.Ask, Outcome: &queue.Outcome{Status: queue.StatusTimeout, By: queue.ByClock}}
			require.Empty(t, asked.Render(over), r.name)
			over.Outcome = &queue.Outcome{Status: queue.StatusElsewhere, By: queue.ByCaller, Reason: "in claude"}
			require.Empty(t, asked.Render(over), r.name)
			over.Outcome = &queue.Outcome{Status: queue.StatusCancelled, By: queue.ByCaller, Reason: "it went away"}
			require.Empty(t, asked.Render(over), r.name)
			over.Outcome = &queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman}
			require.NotContains(t, string(asked.Render(over)), "allow", "%s: never without answers", r.name)
		}
	}
}

func TestTheSameQuestionOfClaudesHasTheSameSource(t *testing.T) {
	t.Parallel()
	raw := recorded(t, "claude", "question")
	n := 0
	token := func() string { n++; return strings.Repeat("x", n) }
	one, _ := Claude(raw, token)
	two, _ := Claude(raw, token)
	require.Equal(t, "claude:5f0e/toolu_01", one.Origin.Source)
	require.Equal(t, one.Origin.Source, two.Origin.Source)
	raw = recorded(t, "claude", "permission_once")
	one, _ = Claude(raw, token)
	two, _ = Claude(raw, token)
	require.NotEqual(t, one.Origin.Source, two.Origin.Source, "the same command is asked for each time it is to run")
}

func recorded(t testing.TB, agent, name string) []byte {
	for _, r := range recordings(t, agent) {
		if r.name == name {
			return r.stdin
		}
	}
	require.Fail(t, "not recorded: "+name)
	return nil
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
			[]string{queue.MarkOutside}},
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
		asked, ok := Claude([]byte(raw), func() string { return "t" })
		require.True(t, ok, name)
		a := asked.Ask
		require.Equal(t, queue.KindApproval, a.Kind, name)
		require.Len(t, a.Approval.Request, 64, name)
		a.Approval.Request = ""
		require.Equal(t, &queue.Approval{Tool: c.tool, Dir: "/src/shop", Parts: c.parts, Marks: c.marks}, a.Approval, name)
		require.Equal(t, c.reason, a.Prompt, name)
		require.Equal(t, len(c.marks) > 0, a.Confirm, name)
		a.TimeoutSeconds = 300
		require.Empty(t, a.Check(), name)
		require.Empty(t, a.Questions[0].Defaults, "nothing is marked before the person marks it")
	}
}

func TestEachChoiceOfClaudesSaysAllThatItCovers(t *testing.T) {
	t.Parallel()
	asked, ok := Claude(recorded(t, "claude", "permission_mode"), func() string { return "t" })
	require.True(t, ok)
	require.Equal(t, []queue.Option{
		{ID: "once", Label: "Allow once", Act: queue.ActOnce},
		{ID: "session-1", Label: "Allow for this session: acceptEdits", Act: queue.ActSession,
			Description: "claude will edit files without asking until this session ends."},
		{ID: "session-2", Label: "Allow for this session: /src/lib", Act: queue.ActSession,
			Description: "claude may also work in /src/lib until this session ends."},
		{ID: "refuse", Label: "Refuse", Act: queue.ActRefuse},
	}, asked.Ask.Questions[0].Options)
}

func TestAFormIsCheckedBeforeItIsSent(t *testing.T) {
	t.Parallel()
	asked, ok := Claude(recorded(t, "claude", "form"), func() string { return "t" })
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
	asked, ok := Claude(recorded(t, "claude", "address"), func() string { return "t" })
	require.True(t, ok)
	require.Equal(t, []queue.Part{{Kind: queue.PartAddress, Text: "https://example.com/in?state=abc"}},
		asked.Ask.Approval.Parts)
	require.Empty(t, asked.Ask.Approval.Marks)
	require.False(t, asked.Ask.Confirm)
	require.Equal(t, "claude:5f0e/el-1", asked.Origin.Source)
}

// BenchmarkNothingToDo measures the parsing for a hook that has nothing to ask.
func BenchmarkNothingToDo(b *testing.B) {
	raw := recorded(b, "claude", "silent_other_tool")
	for b.Loop() {
		Claude(raw, func() string { return time.Now().String() })
	}
}

func TestAnEditThatJoinsTwoLinesIsShownAndIsAnotherRequest(t *testing.T) {
	t.Parallel()
	edit := func(before, after string) *queue.Approval {
		input, err := json.Marshal(map[string]string{"file_path": "a.py", "old_string": before, "new_string": after})
		require.NoError(t, err)
		asked, ok := Claude([]byte(`{"session_id":"s","cwd":"/src","hook_event_name":"PermissionRequest","tool_name":"Edit",`+
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
