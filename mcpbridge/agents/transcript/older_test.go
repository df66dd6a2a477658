package transcript

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
)

func TestOlderVersionsAreUnderstood(t *testing.T) {
	for _, r := range []struct {
		file string
		read func([]byte) []entry
	}{
		{"claude-2.1.305.jsonl", claude{}.entries},
		{"codex-0.156.0.jsonl", codex{}.entries},
		{"gemini-0.51.0.jsonl", gemini{}.entries},
	} {
		raw, err := os.ReadFile(filepath.Join("testdata", r.file))
		require.NoError(t, err)
		turn := turnOf(r.read(raw), "x")
		commands := commandsOf(turn)
		require.NotEmpty(t, commands, r.file)
		assert.Equal(t, "echo hello > made.txt", commands[0], r.file)
		failed := false
		for _, d := range turn.Acts {
			failed = failed || d.Text == "ls missing-file" && d.Exit != nil && *d.Exit == 2
		}
		assert.True(t, failed, r.file)
	}
}

func TestAnOlderOpencodeIsUnderstood(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("testdata", "opencode-1.17.0.json"))
	require.NoError(t, err)
	turn := turnOf(opencode{}.entries(raw), "x")
	assert.Equal(t, []string{"I look at the carts.", "Payments need a store that can roll back."}, turn.Words)
	assert.Equal(t, []Step{{"Look", Done}, {"Decide", Current}}, turn.Plan)
	require.Len(t, turn.Acts, 4)
	assert.Equal(t, []any{Edit, "/home/me/shop/notes.txt", 2}, []any{turn.Acts[0].Kind, turn.Acts[0].Text,
		turn.Acts[0].Added})
	assert.Equal(t, []any{Command, "ls missing-file", 2}, []any{turn.Acts[1].Kind, turn.Acts[1].Text,
		*turn.Acts[1].Exit})
	assert.Equal(t, []any{1, 1}, []any{turn.Acts[3].Added, turn.Acts[3].Removed})
}

func TestHostileWordsStayWords(t *testing.T) {
	for _, text := range roomtest.Hostile() {
		said, err := json.Marshal(text)
		require.NoError(t, err)
		for name, all := range map[string][]entry{
			"claude": claude{}.entries([]byte(`{"type":"assistant","message":{"content":[{"type":"text","text":` +
				string(said) + `}]}}`)),
			"codex": codex{}.entries([]byte(`{"type":"response_item","payload":{"type":"message","role":"assistant",` +
				`"content":[{"type":"output_text","text":` + string(said) + `}]}}`)),
			"gemini": gemini{}.entries([]byte(`{"id":"1","type":"gemini","content":` + string(said) + `}`)),
			"opencode": opencode{}.entries([]byte(`[{"info":{"role":"assistant"},"parts":[{"type":"text","text":` +
				string(said) + `}]}]`)),
		} {
			turn := turnOf(all, "x")
			assert.Len(t, turn.Words, 1, name)
			assert.Empty(t, turn.Acts, name)
			assert.Empty(t, turn.Plan, name)
		}
	}
}
