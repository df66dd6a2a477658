package claude

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/stretchr/testify/require"
)

// transcript is a file with the lines of a Claude Code 2.1.332 session that matter here.
type writtenFile struct {
	*testing.T
	path string
}

func (t writtenFile) write(lines ...string) {
	t.Helper()
	f, err := os.OpenFile(t.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	require.NoError(t, err)
	_, err = f.WriteString(strings.Join(lines, ""))
	require.NoError(t, err)
	require.NoError(t, f.Close())
}

func uses(id, tool, input string) string {
	return fmt.Sprintf(`{"type":"assistant","isSidechain":false,"message":{"role":"assistant","content":[{"type":"tool_use","id":%q,"name":%q,"input":%s}]}}`+"\n", id, tool, input)
}

func gives(id, content string) string {
	return fmt.Sprintf(`{"type":"user","message":{"role":"user","content":[{"tool_use_id":%q,"type":"tool_result","content":%q,"is_error":false}]}}`+"\n", id, content)
}

const refused = "The user doesn't want to proceed with this tool use. The tool use was rejected."

// asks reads an event of a hook, and returns the dialog that is open beside it.
func asks(t *testing.T, path, tool, input, more string) *dialog {
	t.Helper()
	raw := fmt.Sprintf(`{"session_id":"s","transcript_path":%q,"cwd":"/src","permission_mode":"default","hook_event_name":"PermissionRequest","tool_name":%q,"tool_input":%s%s}`, path, tool, input, more)
	asked, ok := Read([]byte(raw), func() string { return "t" })
	require.True(t, ok)
	require.NotNil(t, asked.Dialog)
	return asked.Dialog.(*dialog)
}

func TestADialogOfClaudeEndsWithTheResultOfItsCall(t *testing.T) {
	const touch, list = `{"command":"touch made"}`, `{"command":"ls"}`
	const fetch = `{"url":"https://example.org","prompt":"read it"}`
	long := gives("0", strings.Repeat("x", 2<<20))
	for name, c := range map[string]struct {
		tool, input string
		before      []string
		steps       []string
		signs       []prompt.Sign
	}{
		"answered": {"Bash", touch, []string{uses("1", "Bash", touch)}, []string{"", gives("1", "done")},
			[]prompt.Sign{prompt.SignOpen, prompt.SignAnswered}},
		"refused": {"Bash", touch, []string{uses("1", "Bash", touch)}, []string{gives("1", refused)},
			[]prompt.Sign{prompt.SignEnded}},
		"another call": {"Bash", touch, []string{uses("0", "Bash", list), uses("1", "Bash", touch)},
			[]string{gives("0", "done"), gives("1", "done")}, []prompt.Sign{prompt.SignOpen, prompt.SignAnswered}},
		"the same call before": {"Bash", touch,
			[]string{uses("0", "Bash", touch), gives("0", "done"), uses("1", "Bash", touch)},
			[]string{"", gives("1", "done")}, []prompt.Sign{prompt.SignOpen, prompt.SignAnswered}},
		"one of two alike, and nobody knows which": {"WebFetch", fetch,
			[]string{uses("1", "WebFetch", fetch), uses("2", "WebFetch", fetch)},
			[]string{"", gives("2", "done"), gives("1", "done")}, []prompt.Sign{prompt.SignOpen, prompt.SignOpen, prompt.SignAnswered}},
		"written down late, and half a line at a time": {"Bash", touch, nil,
			[]string{"", uses("1", "Bash", touch) + gives("1", "done")[:30], gives("1", "done")[30:]},
			[]prompt.Sign{prompt.SignOpen, prompt.SignOpen, prompt.SignAnswered}},
		"members in another order": {"Bash", `{"command":"ls","description":"x"}`,
			[]string{uses("1", "Bash", `{"description":"x","command":"ls"}`)}, []string{gives("1", "done")},
			[]prompt.Sign{prompt.SignAnswered}},
		"a line of two megabytes": {"Bash", touch, []string{uses("1", "Bash", touch), long},
			[]string{long[:1<<20], long[1<<20:] + gives("1", "done")}, []prompt.Sign{prompt.SignOpen, prompt.SignAnswered}},
		"hostile lines": {"Bash", touch, []string{uses("1", "Bash", touch), "{\n", "[]\n", `{"type":"user","message":7}` + "\n",
			`{"type":"user","message":{"content":[7]}}` + "\n", `{"type":"api-request","message":{"content":[{"type":"tool_result","tool_use_id":"1"}]}}` + "\n"},
			[]string{""}, []prompt.Sign{prompt.SignOpen}},
	} {
		t.Run(name, func(t *testing.T) {
			file := writtenFile{t, filepath.Join(t.TempDir(), "s.jsonl")}
			file.write(c.before...)
			d := asks(t, file.path, c.tool, c.input, "")
			require.Equal(t, prompt.SignOpen, d.Look())
			for i, step := range c.steps {
				file.write(step)
				require.Equal(t, c.signs[i], d.Look(), i)
			}
		})
	}
}

func TestASubagentsDialogIsFollowedInItsOwnTranscript(t *testing.T) {
	const touch = `{"command":"touch made"}`
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "s", "subagents"), 0o700))
	mine := writtenFile{t, filepath.Join(dir, "s", "subagents", "agent-ab3.jsonl")}
	above := writtenFile{t, filepath.Join(dir, "s.jsonl")}
	mine.write(uses("1", "Bash", touch))
	above.write(uses("1", "Bash", touch), gives("1", "done"))
	d := asks(t, above.path, "Bash", touch, `,"agent_id":"ab3","agent_type":"reviewer"`)
	require.Equal(t, prompt.SignOpen, d.Look())
	mine.write(gives("1", "done"))
	require.Equal(t, prompt.SignAnswered, d.Look())
}

func TestANoticeNamesTheSubagentWhosePromptIsOpen(t *testing.T) {
	const touch = `{"command":"touch made"}`
	ran := uses("1", "Bash", touch) + gives("1", "done")
	for name, c := range map[string]struct{ above, first, second, want string }{
		"the only one that waits":      {ran, ran + uses("2", "Bash", touch), ran, "reviewer"},
		"one in the foreground":        {uses("1", "Agent", `{}`), uses("2", "Bash", touch), ran, "reviewer"},
		"none of them":                 {ran, ran, ran, ""},
		"both":                         {ran, uses("2", "Bash", touch), uses("3", "Bash", touch), ""},
		"the agent may itself":         {uses("1", "Bash", touch), uses("2", "Bash", touch), ran, ""},
		"the other one, which is over": {ran, ran, uses("3", "Bash", touch), ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.MkdirAll(filepath.Join(dir, "s", "subagents"), 0o700))
			above := writtenFile{t, filepath.Join(dir, "s.jsonl")}
			above.write(c.above)
			for id, lines := range map[string]string{"agent-1": c.first, "agent-2": c.second} {
				writtenFile{t, filepath.Join(dir, "s", "subagents", id+".jsonl")}.write(lines)
				meta := fmt.Sprintf(`{"agentType":"reviewer","finished":%t}`, id == "agent-2" && name == "the other one, which is over")
				require.NoError(t, os.WriteFile(filepath.Join(dir, "s", "subagents", id+".meta.json"), []byte(meta), 0o600))
			}
			for kind, want := range map[string]string{"permission_prompt": c.want, "idle_prompt": ""} {
				raw := fmt.Sprintf(`{"session_id":"s","cwd":"/src","hook_event_name":"Notification","message":"m",`+
					`"notification_type":%q,"transcript_path":%q}`, kind, above.path)
				n, ok := ReadNotice([]byte(raw), 0, time.Now())
				require.True(t, ok)
				require.Equal(t, want, n.Origin.Subagent)
			}
		})
	}
}

func TestATranscriptThatIsNoFileIsNotFollowed(t *testing.T) {
	const touch = `{"command":"touch made"}`
	require.Equal(t, prompt.SignOpen, asks(t, t.TempDir(), "Bash", touch, "").Look())
	require.Equal(t, prompt.SignOpen, asks(t, "/nowhere/at/all", "Bash", touch, "").Look())
	for _, more := range []string{`,"agent_id":"../../x"`} {
		raw := `{"session_id":"s","transcript_path":"/t.jsonl","cwd":"/src","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"x"}` + more + `}`
		asked, ok := Read([]byte(raw), func() string { return "t" })
		require.True(t, ok)
		require.Nil(t, asked.Dialog)
	}
}
