package agents

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/agents/claude"
	"github.com/choicetui/choicetui/mcpbridge/agents/codex"
	"github.com/choicetui/choicetui/mcpbridge/agents/gemini"
	"github.com/choicetui/choicetui/mcpbridge/agents/opencode"
	"github.com/choicetui/choicetui/mcpbridge/agents/transcript"
	"github.com/choicetui/choicetui/panes/roomtest"
)

func TestOlderVersionsAreUnderstood(t *testing.T) {
	for _, r := range []struct {
		file string
		read func([]byte) []transcript.Entry
	}{
		{"claude-2.1.305.jsonl", claude.Transcripts{}.Entries},
		{"codex-0.156.0.jsonl", codex.Transcripts{}.Entries},
		{"gemini-0.51.0.jsonl", gemini.Transcripts{}.Entries},
	} {
		raw, err := os.ReadFile(filepath.Join("transcript", "testdata", r.file))
		require.NoError(t, err)
		turn := transcript.TurnOf(r.read(raw), "x")
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
	raw, err := os.ReadFile(filepath.Join("transcript", "testdata", "opencode-1.17.0.json"))
	require.NoError(t, err)
	turn := transcript.TurnOf(opencode.Transcripts{}.Entries(raw), "x")
	assert.Equal(t, []string{"I look at the carts.", "Payments need a store that can roll back."}, turn.Words)
	assert.Equal(t, []transcript.Step{{Text: "Look", State: transcript.Done}, {Text: "Decide", State: transcript.Current}}, turn.Plan)
	require.Len(t, turn.Acts, 4)
	assert.Equal(t, []any{transcript.Edit, "/home/me/shop/notes.txt", 2}, []any{turn.Acts[0].Kind, turn.Acts[0].Text,
		turn.Acts[0].Added})
	assert.Equal(t, []any{transcript.Command, "ls missing-file", 2}, []any{turn.Acts[1].Kind, turn.Acts[1].Text,
		*turn.Acts[1].Exit})
	assert.Equal(t, []any{1, 1}, []any{turn.Acts[3].Added, turn.Acts[3].Removed})
}

func TestHostileWordsStayWords(t *testing.T) {
	for _, text := range roomtest.Hostile() {
		said, err := json.Marshal(text)
		require.NoError(t, err)
		for name, all := range map[string][]transcript.Entry{
			"claude": claude.Transcripts{}.Entries([]byte(`{"type":"assistant","message":{"content":[{"type":"text","text":` +
				string(said) + `}]}}`)),
			"codex": codex.Transcripts{}.Entries([]byte(`{"type":"response_item","payload":{"type":"message","role":"assistant",` +
				`"content":[{"type":"output_text","text":` + string(said) + `}]}}`)),
			"gemini": gemini.Transcripts{}.Entries([]byte(`{"id":"1","type":"gemini","content":` + string(said) + `}`)),
			"opencode": opencode.Transcripts{}.Entries([]byte(`[{"info":{"role":"assistant"},"parts":[{"type":"text","text":` +
				string(said) + `}]}]`)),
		} {
			turn := transcript.TurnOf(all, "x")
			assert.Len(t, turn.Words, 1, name)
			assert.Empty(t, turn.Acts, name)
			assert.Empty(t, turn.Plan, name)
		}
	}
}
