package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/agents"
	"github.com/choicetui/choicetui/mcpbridge/agents/transcript"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
)

// hostileTurns has, for each agent, where it writes a session, and a turn in which %s stands for every text that its
// model may have written.
var hostileTurns = map[string]struct{ file, turn string }{
	"claude": {".claude/projects/-shop/0f.jsonl", `{"type":"user","message":{"content":"go"}}
{"type":"assistant","message":{"content":[{"type":"text","text":%[1]s},` +
		`{"type":"tool_use","id":"a","name":"TodoWrite","input":{"todos":[{"content":%[1]s,"status":"in_progress"}]}},` +
		`{"type":"tool_use","id":"b","name":"Bash","input":{"command":%[1]s}},` +
		`{"type":"tool_use","id":"c","name":"Write","input":{"file_path":%[1]s}},` +
		`{"type":"tool_use","id":"d","name":%[1]s,"input":{}}]}}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"b","content":%[1]s},` +
		`{"type":"tool_result","tool_use_id":"d","content":%[1]s}]}}
{"type":"user","toolUseResult":{"type":"create","content":%[1]s},` +
		`"message":{"content":[{"type":"tool_result","tool_use_id":"c","content":%[1]s}]}}` + "\n"},
	"codex": {".codex/sessions/2026/11/24/rollout-x-01a20dee-cd95-7f42-8fa5-4df294b63941.jsonl",
		`{"type":"event_msg","payload":{"type":"task_started"}}
{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":%[1]s}]}}
{"type":"response_item","payload":{"type":"function_call","name":"update_plan","call_id":"a","arguments":%[2]s}}
{"type":"response_item","payload":{"type":"function_call","name":"exec_command","call_id":"b","arguments":%[3]s}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"b","output":%[1]s}}
{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"FileChange","id":"c","changes":{%[1]s:` +
			`{"type":"add","content":%[1]s}}}}}` + "\n"},
	"gemini": {".gemini/tmp/shop/chats/session-x-a978a2aa.jsonl", `{"sessionId":"a978a2aa-ce99"}
{"id":"1","type":"user","content":"go"}
{"id":"2","type":"gemini","content":%[1]s,"toolCalls":[` +
		`{"id":"a","name":"write_todos","args":{"todos":[{"description":%[1]s,"status":"in_progress"}]}},` +
		`{"id":"b","name":"run_shell_command","args":{"command":%[1]s}},` +
		`{"id":"c","name":"write_file","args":{"file_path":%[1]s},"resultDisplay":{"fileDiff":%[4]s}}]}` + "\n"},
	"opencode": {"", `[{"info":{"role":"user"}},{"info":{"role":"assistant"},"parts":[{"type":"text","text":%[1]s},` +
		`{"type":"tool","tool":"todowrite","callID":"a","state":{"input":{"todos":[{"content":%[1]s,` +
		`"status":"in_progress"}]}}},` +
		`{"type":"tool","tool":"bash","callID":"b","state":{"status":"completed","input":{"command":%[1]s}}},` +
		`{"type":"tool","tool":"write","callID":"c","state":{"status":"completed","input":{"filePath":%[1]s},` +
		`"metadata":{"diff":%[4]s}}}]}]`},
}

// turnIn writes a turn with a text in all its places, and reads it as the agent's reader does.
func turnIn(t *testing.T, agent, text string) transcript.Turn {
	quoted := func(format string) string {
		raw, err := json.Marshal(text)
		require.NoError(t, err)
		return fmt.Sprintf(format, raw)
	}
	again := func(s string) string {
		raw, err := json.Marshal(s)
		require.NoError(t, err)
		return string(raw)
	}
	of := hostileTurns[agent]
	raw := fmt.Sprintf(of.turn, quoted("%s"), again(quoted(`{"plan":[{"step":%s,"status":"in_progress"}]}`)),
		again(quoted(`{"cmd":%s}`)), again("@@ -1 +1 @@\n-"+text+"\n+"+text+"\n"))
	w := transcript.Where{Reader: agents.Of(agent).Sessions.Reader, Home: t.TempDir(), SessionID: map[string]string{"claude": "0f", "opencode": "ses",
		"codex": "01a20dee-cd95-7f42-8fa5-4df294b63941", "gemini": "a978a2aa-ce99"}[agent]}
	if of.file == "" {
		w.Ask = func(context.Context) ([]byte, error) { return []byte(raw), nil }
	} else {
		path := filepath.Join(w.Home, of.file)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(raw), 0o600))
	}
	turn, _, err := transcript.Read(t.Context(), w, "")
	require.NoError(t, err)
	return turn
}

func TestHostileTurnsBringNoRawByteAndNoFalseCommand(t *testing.T) {
	require.Len(t, roomtest.Hostile(), 48)
	a := &queue.Approval{Dir: "/src", Parts: []queue.Part{{Kind: queue.PartCommand, Text: "make the-real-one"}}}
	for agent := range hostileTurns {
		for _, text := range roomtest.Hostile() {
			turn := turnIn(t, agent, text)
			require.Len(t, turn.Words, 1, "%s %q", agent, text)
			require.Len(t, turn.Plan, 1, "%s %q", agent, text)
			require.GreaterOrEqual(t, len(turn.Acts), 2, "%s %q", agent, text)
			lines := turnLines(turn, a, "/s")
			for _, l := range lines {
				shown, odd := queue.Visible(l.Text)
				require.Equal(t, l.Text, shown)
				require.False(t, odd, "%s %q", agent, l.Text)
				require.False(t, strings.ContainsFunc(l.Text, unicode.IsControl), "%s %q", agent, l.Text)
			}
			require.NotContains(t, textOf(lines), "the-real-one", "the command is shown with the question alone")
			require.Contains(t, textOf(lines), "the command would run in /src")
		}
	}
}
