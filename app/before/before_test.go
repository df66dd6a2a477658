package before

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// recorded puts a recording of testdata into a home directory.
func recorded(t *testing.T, home, name, to string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return written(t, filepath.Join(home, to), string(raw))
}

func written(t *testing.T, path, text string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

const (
	claudePath = ".claude/projects/-home-me-shop/one.jsonl"
	codexPath  = ".codex/sessions/2026/11/24/rollout-2026-11-24T14-21-23-01a20dee-cd95-7f42-8fa5-4df294b63941.jsonl"
	geminiPath = ".gemini/tmp/shop/chats/session-2026-11-24T14-19-a978a2aa.jsonl"
)

func commandsOf(turn Turn) (list []string) {
	for _, d := range turn.Deeds {
		if d.Kind == Command {
			list = append(list, d.Text)
		}
	}
	return list
}

func TestClaudeTurnEndsAtItsCall(t *testing.T) {
	home := t.TempDir()
	path := recorded(t, home, "claude-2.1.330.jsonl", claudePath)
	slow := json.RawMessage(`{"command":"sleep 4; echo over","description":"slow"}`)
	for name, w := range map[string]Where{
		"by id":              {Transcript: path, CallID: "toolu_call_10_mwus74v10"},
		"by id, no hook":     {Dir: "/home/me/shop", CallID: "toolu_call_10_mwus74v10"},
		"by input, no hook":  {Dir: "/home/me/shop", Tool: "Bash", Input: slow},
		"by input in a hook": {Transcript: path, Tool: "Bash", Input: slow},
	} {
		w.Agent, w.Home = "claude", home
		turn, err := Read(context.Background(), w)
		require.NoError(t, err, name)
		assert.Equal(t, []string{"I looked at the store. Two drivers are possible.",
			"Now I must know which database you want."}, turn.Words, name)
		assert.Equal(t, []Step{{"Look", Done}, {"Ask", Current}, {"Write", Open}}, turn.Plan, name)
		assert.Equal(t, []string{"echo hello > made.txt", "ls missing-file"}, commandsOf(turn), name)
		edit := turn.Deeds[2]
		assert.Equal(t, []any{Edit, "/home/me/shop/notes.txt", 2, 1}, []any{edit.Kind, edit.Text, edit.Added, edit.Removed})
		assert.True(t, turn.Deeds[3].Failed)
		assert.Equal(t, 2, *turn.Deeds[3].Exit)
	}
}

func TestCodexTurnEndsAtItsCall(t *testing.T) {
	home := t.TempDir()
	recorded(t, home, "codex-0.169.0.jsonl", codexPath)
	w := Where{Agent: "codex", Home: home, ThreadID: "01a20dee-cd95-7f42-8fa5-4df294b63941", CallID: "call_32_mwus93km0"}
	turn, err := Read(context.Background(), w)
	require.NoError(t, err)
	assert.Contains(t, commandsOf(turn), "echo hello > made.txt")
	assert.NotContains(t, commandsOf(turn), "sleep 4; echo over")
	assert.Equal(t, 2, *turn.Deeds[len(turn.Deeds)-1].Exit)
	w.ThreadID = "01a20dee-cd95-7f42-8fa5-000000000000"
	_, err = Read(context.Background(), w)
	assert.ErrorIs(t, err, ErrNoSource)
}

func TestGeminiTurnNeedsItsSession(t *testing.T) {
	home := t.TempDir()
	recorded(t, home, "gemini-0.61.0.jsonl", geminiPath)
	turn, err := Read(context.Background(), Where{Agent: "gemini", Home: home,
		SessionID: "a978a2aa-ce99-4648-a1cd-a861adf444c3"})
	require.NoError(t, err)
	assert.Equal(t, []string{"echo hello > made.txt", "ls missing-file"}, commandsOf(turn))
	assert.Equal(t, 2, *turn.Deeds[3].Exit)
	assert.Equal(t, 1, turn.Deeds[2].Added)
	for _, w := range []Where{{SessionID: "a978a2aa-0000-4648-a1cd-a861adf444c3"}, {Dir: "/home/me/shop"}} {
		w.Agent, w.Home = "gemini", home
		_, err = Read(context.Background(), w)
		assert.ErrorIs(t, err, ErrNoSource)
	}
}

func TestOpencodeTurnEndsAtItsCall(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("testdata", "opencode-1.18.33.json"))
	require.NoError(t, err)
	w := Where{Agent: "opencode", Messages: raw, CallID: "call_27_mwus7jlg0"}
	turn, err := Read(context.Background(), w)
	require.NoError(t, err)
	assert.Equal(t, []Step{{"Look", Done}, {"Ask", Current}}, turn.Plan)
	assert.Equal(t, []string{"echo hello > made.txt", "ls missing-file"}, commandsOf(turn))
	w.SessionID = "ses_other"
	_, err = Read(context.Background(), w)
	assert.ErrorIs(t, err, ErrNoSource)
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
	byInput := Where{Agent: "claude", Dir: "/home/me/shop", Tool: "ask", Input: json.RawMessage(`{"a":1}`)}
	for name, other := range map[string]string{
		"the same call in both":           sessionOf("two", "t2", true),
		"the other may be about to write": sessionOf("two", "t2", false),
	} {
		home := t.TempDir()
		byInput.Home = home
		written(t, filepath.Join(home, claudePath), sessionOf("one", "t1", true))
		written(t, filepath.Join(home, ".claude/projects/-home-me-shop/two.jsonl"), other)
		_, err := Read(context.Background(), byInput)
		assert.ErrorIs(t, err, ErrNoSource, name)
		turn, err := Read(context.Background(), Where{Agent: "claude", Home: home, Dir: "/home/me/shop", CallID: "t1"})
		require.NoError(t, err, name)
		assert.Equal(t, []string{"one"}, turn.Words, name)
	}
}

func TestLinesLongerThanTheLimitAreSkipped(t *testing.T) {
	home := t.TempDir()
	long := `{"type":"assistant","message":{"content":[{"type":"text","text":"` + strings.Repeat("x", 600<<10) + `"}]}}` + "\n"
	path := written(t, filepath.Join(home, claudePath), long+sessionOf("short", "t1", true))
	turn, err := Read(context.Background(), Where{Agent: "claude", Home: home, Transcript: path, CallID: "t1"})
	require.NoError(t, err)
	assert.Equal(t, []string{"short"}, turn.Words)
}

func TestOnlyFilesBelowTheAgentsDirectoryAreRead(t *testing.T) {
	home := t.TempDir()
	outside := written(t, filepath.Join(home, "elsewhere.jsonl"), sessionOf("secret", "t1", true))
	link := filepath.Join(home, claudePath)
	require.NoError(t, os.MkdirAll(filepath.Dir(link), 0o700))
	require.NoError(t, os.Symlink(outside, link))
	for _, path := range []string{outside, link, filepath.Dir(link), filepath.Dir(link) + "/../../../elsewhere.jsonl"} {
		_, err := Read(context.Background(), Where{Agent: "claude", Home: home, Transcript: path, CallID: "t1"})
		assert.ErrorIs(t, err, ErrNoSource, path)
	}
}

func TestAroundShowsTenLinesOnEachSide(t *testing.T) {
	var text strings.Builder
	for i := range 40 {
		text.WriteString(strings.Repeat("l", i+1) + "\n")
	}
	path := written(t, filepath.Join(t.TempDir(), "f"), text.String())
	old := "\n" + strings.Repeat("l", 21) + "\n"
	diff, ok := Around(path, old, "\nnew\n")
	require.True(t, ok)
	assert.Equal(t, 20, strings.Count("\n"+diff, "\n "))
	assert.Contains(t, diff, "\n+new\n")
	_, ok = Around(path, "l", "m")
	assert.False(t, ok, "it is there more than once")
}

func fuzz(f *testing.F, recording string, read func([]byte) []entry) {
	raw, err := os.ReadFile(filepath.Join("testdata", recording))
	require.NoError(f, err)
	f.Add(raw)
	for line := range bytes.Lines(raw) {
		f.Add(bytes.Clone(line))
	}
	f.Fuzz(func(_ *testing.T, raw []byte) {
		all := read(raw)
		at, _ := findCall(all, Where{Tool: "Bash", Input: json.RawMessage(`{}`)})
		turnOf(all[:max(at, 0)], "x")
		turnOf(all, "x")
	})
}

func FuzzClaude(f *testing.F) { fuzz(f, "claude-2.1.330.jsonl", claude{}.entries) }
func FuzzCodex(f *testing.F)  { fuzz(f, "codex-0.169.0.jsonl", codex{}.entries) }
func FuzzGemini(f *testing.F) { fuzz(f, "gemini-0.61.0.jsonl", gemini{}.entries) }
func FuzzOpencode(f *testing.F) {
	fuzz(f, "opencode-1.18.33.json", func(raw []byte) []entry { return opencodeEntries(raw, "") })
}
