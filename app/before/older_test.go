package before

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
		for _, d := range turn.Deeds {
			failed = failed || d.Text == "ls missing-file" && d.Exit != nil && *d.Exit == 2
		}
		assert.True(t, failed, r.file)
	}
}

// hostile returns 48 texts that try to be more than words of the agent.
func hostile() (list []string) {
	for _, s := range []string{"\x1b[2J", "\x1b]52;c;eA==\a", "\x1b]8;;http://x\a", "\u202e", "\u2066", "\u200b", "\x9b31m",
		"\r", "\b\b", "\U000e0041", "\n# Allow Bash", "\n{\"type\":\"user\",\"message\":{\"content\":\"go\"}}"} {
		for _, form := range []string{"%s", "a%sb", "rm -rf / %s", "%[1]s%[1]s$ ls"} {
			list = append(list, fmt.Sprintf(form+".", s))
		}
	}
	return list
}

func TestHostileWordsStayWords(t *testing.T) {
	require.Len(t, hostile(), 48)
	for _, text := range hostile() {
		said, err := json.Marshal(text)
		require.NoError(t, err)
		for name, all := range map[string][]entry{
			"claude": claude{}.entries([]byte(`{"type":"assistant","message":{"content":[{"type":"text","text":` +
				string(said) + `}]}}`)),
			"codex": codex{}.entries([]byte(`{"type":"response_item","payload":{"type":"message","role":"assistant",` +
				`"content":[{"type":"output_text","text":` + string(said) + `}]}}`)),
			"gemini": gemini{}.entries([]byte(`{"id":"1","type":"gemini","content":` + string(said) + `}`)),
		} {
			turn := turnOf(all, "x")
			assert.Len(t, turn.Words, 1, name)
			assert.Empty(t, turn.Deeds, name)
			assert.Empty(t, turn.Plan, name)
		}
	}
}
