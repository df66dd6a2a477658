package agents

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/choicetui/choicetui/mcpbridge/agents/agenttest"
	"github.com/choicetui/choicetui/mcpbridge/agents/claude"
	"github.com/choicetui/choicetui/mcpbridge/agents/codex"
	"github.com/choicetui/choicetui/mcpbridge/agents/gemini"
	"github.com/choicetui/choicetui/mcpbridge/agents/opencode"
	"github.com/choicetui/choicetui/mcpbridge/agents/transcript"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// recorded puts a recording of testdata into a home directory.
func recorded(t *testing.T, home, name, to string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("transcript", "testdata", name))
	require.NoError(t, err)
	return agenttest.Written(t, filepath.Join(home, to), string(raw))
}

const (
	claudePath = ".claude/projects/-home-me-shop/one.jsonl"
	codexPath  = ".codex/sessions/2026/11/24/rollout-2026-11-24T14-21-23-01a20dee-cd95-7f42-8fa5-4df294b63941.jsonl"
	geminiPath = ".gemini/tmp/shop/chats/session-2026-11-24T14-19-a978a2aa.jsonl"
)

func commandsOf(turn transcript.Turn) (list []string) {
	for _, d := range turn.Acts {
		if d.Kind == transcript.Command {
			list = append(list, d.Text)
		}
	}
	return list
}

func TestClaudeTurnEndsAtItsCall(t *testing.T) {
	home := t.TempDir()
	path := recorded(t, home, "claude-2.1.330.jsonl", claudePath)
	for name, w := range map[string]transcript.Where{
		"by the call":    {CallID: "toolu_call_10_mwus74v10"},
		"by the session": {SessionID: strings.TrimSuffix(filepath.Base(path), ".jsonl")},
	} {
		w.Reader, w.Home, w.Dir = claude.Transcripts{}, home, "/home/me/shop"
		turn, _, err := transcript.Read(context.Background(), w, "")
		require.NoError(t, err, name)
		assert.Equal(t, []string{"I looked at the store. Two drivers are possible.",
			"Now I must know which database you want."}, turn.Words, name)
		assert.Equal(t, []transcript.Step{{Text: "Look", State: transcript.Done}, {Text: "Ask", State: transcript.Current}, {Text: "Write", State: transcript.Open}}, turn.Plan, name)
		assert.Equal(t, []string{"echo hello > made.txt", "ls missing-file"}, commandsOf(turn), name)
		edit := turn.Acts[2]
		assert.Equal(t, []any{transcript.Edit, "/home/me/shop/notes.txt", 2, 1}, []any{edit.Kind, edit.Text, edit.Added, edit.Removed})
		assert.True(t, turn.Acts[3].Failed)
		assert.Equal(t, 2, *turn.Acts[3].Exit)
	}
}

func TestCodexTurnEndsAtItsCall(t *testing.T) {
	home := t.TempDir()
	recorded(t, home, "codex-0.169.0.jsonl", codexPath)
	w := transcript.Where{Reader: codex.Transcripts{}, Home: home, SessionID: "01a20dee-cd95-7f42-8fa5-4df294b63941", CallID: "call_32_mwus93km0"}
	turn, _, err := transcript.Read(context.Background(), w, "")
	require.NoError(t, err)
	assert.Contains(t, commandsOf(turn), "echo hello > made.txt")
	assert.NotContains(t, commandsOf(turn), "sleep 4; echo over")
	require.Len(t, turn.Acts, 3, "each call once")
	assert.Equal(t, []any{transcript.Edit, 2}, []any{turn.Acts[1].Kind, turn.Acts[1].Added})
	assert.Equal(t, 2, *turn.Acts[len(turn.Acts)-1].Exit)
	w.SessionID = "01a20dee-cd95-7f42-8fa5-000000000000"
	_, _, err = transcript.Read(context.Background(), w, "")
	assert.ErrorIs(t, err, transcript.ErrNoSource)
}

func TestOpencodeTurnIsThatOfTheSessionThatAsks(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("transcript", "testdata", "opencode-1.18.33.json"))
	require.NoError(t, err)
	asked := 0
	w := transcript.Where{Reader: opencode.Transcripts{}, SessionID: "ses_df2125e55ffefGjU57xjpoYfIS",
		Ask: func(context.Context) ([]byte, error) { asked++; return raw, nil }}
	turn, mark, err := transcript.Read(context.Background(), w, "")
	require.NoError(t, err)
	assert.Equal(t, []transcript.Step{{Text: "Look", State: transcript.Done}, {Text: "Ask", State: transcript.Current}}, turn.Plan)
	assert.Equal(t, []string{"echo hello > made.txt", "ls missing-file"}, commandsOf(turn))
	require.Len(t, turn.Acts, 4)
	assert.Equal(t, []any{3, 0, 1, 1}, []any{turn.Acts[1].Added, turn.Acts[1].Removed, turn.Acts[2].Added,
		turn.Acts[2].Removed})
	assert.Equal(t, 2, *turn.Acts[3].Exit)
	_, _, err = transcript.Read(context.Background(), w, mark)
	require.NoError(t, err)
	assert.Equal(t, 1, asked, "a session that asks waits")
	w.Ask = func(context.Context) ([]byte, error) { return make([]byte, transcript.MostBytes+1), nil }
	_, _, err = transcript.Read(context.Background(), w, "")
	assert.ErrorIs(t, err, transcript.ErrNoSource)
	w.SessionID = ""
	_, _, err = transcript.Read(context.Background(), w, "")
	assert.ErrorIs(t, err, transcript.ErrNoSource)
}

func TestASubagentOfClaudeHasATranscriptOfItsOwn(t *testing.T) {
	home := t.TempDir()
	agenttest.Written(t, filepath.Join(home, claudePath), sessionOf("the agent", "t1", true))
	agenttest.Written(t, filepath.Join(home, ".claude/projects/-home-me-shop/one/subagents/agent-a1.jsonl"),
		sessionOf("the subagent", "t2", true))
	w := transcript.Where{Reader: claude.Transcripts{}, Home: home, SessionID: "one", Subagent: "a1"}
	turn, _, err := transcript.Read(context.Background(), w, "")
	require.NoError(t, err)
	assert.Equal(t, []string{"the subagent"}, turn.Words)
	for _, w.Subagent = range []string{"a2", "../a1", "*"} {
		_, _, err = transcript.Read(context.Background(), w, "")
		assert.ErrorIs(t, err, transcript.ErrNoSource, w.Subagent)
	}
}

func TestWhatWasBeforeACallIsReadOnce(t *testing.T) {
	home := t.TempDir()
	path := agenttest.Written(t, filepath.Join(home, claudePath), sessionOf("one", "t1", true))
	w := transcript.Where{Reader: claude.Transcripts{}, Home: home, Dir: "/home/me/shop", CallID: "t1"}
	_, mark, err := transcript.Read(context.Background(), w, "")
	require.NoError(t, err)
	require.NoError(t, os.Remove(path))
	_, same, err := transcript.Read(context.Background(), w, mark)
	require.NoError(t, err)
	assert.Equal(t, mark, same)
}

func TestAgentsMayHaveOtherHomes(t *testing.T) {
	home, other := t.TempDir(), t.TempDir()
	agenttest.Written(t, filepath.Join(other, strings.TrimPrefix(claudePath, ".claude/")), sessionOf("one", "t1", true))
	w := transcript.Where{Reader: claude.Transcripts{}, Home: home, Homes: []string{"", "relative", other}, SessionID: "one"}
	turn, _, err := transcript.Read(context.Background(), w, "")
	require.NoError(t, err)
	assert.Equal(t, []string{"one"}, turn.Words)
}

func TestGeminiTurnNeedsItsSession(t *testing.T) {
	home := t.TempDir()
	recorded(t, home, "gemini-0.61.0.jsonl", geminiPath)
	turn, _, err := transcript.Read(context.Background(), transcript.Where{Reader: gemini.Transcripts{}, Home: home,
		SessionID: "a978a2aa-ce99-4648-a1cd-a861adf444c3"}, "")
	require.NoError(t, err)
	assert.Equal(t, []string{"echo hello > made.txt", "ls missing-file"}, commandsOf(turn))
	assert.Equal(t, 2, *turn.Acts[3].Exit)
	assert.Equal(t, 1, turn.Acts[2].Added)
	for _, w := range []transcript.Where{{SessionID: "a978a2aa-0000-4648-a1cd-a861adf444c3"}, {Dir: "/home/me/shop"}} {
		w.Reader, w.Home = gemini.Transcripts{}, home
		_, _, err = transcript.Read(context.Background(), w, "")
		assert.ErrorIs(t, err, transcript.ErrNoSource)
	}
}

// sessionOf is a transcript of Claude that says words and then calls ask; open leaves the call out.
func sessionOf(words, id string, asks bool) string {
	text := `{"type":"user","message":{"content":"go"}}` + "\n" +
		`{"type":"assistant","message":{"content":[{"type":"text","text":"` + words + `"}]}}` + "\n"
	if asks {
		text += `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"` + id +
			`","name":"ask","input":{"a":1}}]}}` + "\n"
	}
	return text
}

func TestTwoSessionsInOneDirectoryNeverShareATurn(t *testing.T) {
	home := t.TempDir()
	agenttest.Written(t, filepath.Join(home, claudePath), sessionOf("one", "t1", true))
	agenttest.Written(t, filepath.Join(home, ".claude/projects/-home-me-shop/two.jsonl"), sessionOf("two", "t2", true))
	w := transcript.Where{Reader: claude.Transcripts{}, Home: home, Dir: "/home/me/shop"}
	for id, want := range map[string][]string{"t1": {"one"}, "t2": {"two"}} {
		w.CallID = id
		turn, _, err := transcript.Read(context.Background(), w, "")
		require.NoError(t, err)
		assert.Equal(t, want, turn.Words)
	}
	for _, id := range []string{"", "t3"} {
		w.CallID = id
		_, _, err := transcript.Read(context.Background(), w, "")
		assert.ErrorIs(t, err, transcript.ErrNoSource, "nothing says which session asks")
	}
	w.CallID, w.SessionID = "", "two"
	turn, _, err := transcript.Read(context.Background(), w, "")
	require.NoError(t, err)
	assert.Equal(t, []string{"two"}, turn.Words)
	assert.Empty(t, turn.Acts, "the call that asks is not done")
}

func TestLinesLongerThanTheLimitAreSkipped(t *testing.T) {
	home := t.TempDir()
	long := `{"type":"assistant","message":{"content":[{"type":"text","text":"` + strings.Repeat("x", 600<<10) + `"}]}}` + "\n"
	agenttest.Written(t, filepath.Join(home, claudePath), long+sessionOf("short", "t1", true))
	turn, _, err := transcript.Read(context.Background(),
		transcript.Where{Reader: claude.Transcripts{}, Home: home, Dir: "/home/me/shop", CallID: "t1"}, "")
	require.NoError(t, err)
	assert.Equal(t, []string{"short"}, turn.Words)
}

func TestOnlyFilesBelowTheAgentsDirectoryAreRead(t *testing.T) {
	home := t.TempDir()
	outside := agenttest.Written(t, filepath.Join(home, "elsewhere.jsonl"), sessionOf("secret", "t1", true))
	link := filepath.Join(home, claudePath)
	require.NoError(t, os.MkdirAll(filepath.Dir(link), 0o700))
	require.NoError(t, os.Symlink(outside, link))
	name := strings.TrimSuffix(filepath.Base(link), ".jsonl")
	for _, session := range []string{name, "", "../../../elsewhere", "..", "/etc/passwd"} {
		w := transcript.Where{Reader: claude.Transcripts{}, Home: home, Dir: "/home/me/shop", SessionID: session}
		for _, w.CallID = range []string{"", "t1"} {
			_, _, err := transcript.Read(context.Background(), w, "")
			assert.ErrorIs(t, err, transcript.ErrNoSource, session)
		}
	}
}

func fuzz(f *testing.F, recording string, read func([]byte) []transcript.Entry) {
	raw, err := os.ReadFile(filepath.Join("transcript", "testdata", recording))
	require.NoError(f, err)
	f.Add(raw)
	for line := range bytes.Lines(raw) {
		f.Add(bytes.Clone(line))
	}
	f.Fuzz(func(_ *testing.T, raw []byte) {
		all := read(raw)
		transcript.TurnOf(all[:len(all)/2], "x")
		transcript.TurnOf(all, "x")
	})
}

func FuzzClaude(f *testing.F) { fuzz(f, "claude-2.1.330.jsonl", claude.Transcripts{}.Entries) }
func FuzzCodex(f *testing.F)  { fuzz(f, "codex-0.169.0.jsonl", codex.Transcripts{}.Entries) }
func FuzzGemini(f *testing.F) { fuzz(f, "gemini-0.61.0.jsonl", gemini.Transcripts{}.Entries) }
func FuzzOpencode(f *testing.F) {
	fuzz(f, "opencode-1.18.33.json", opencode.Transcripts{}.Entries)
}
