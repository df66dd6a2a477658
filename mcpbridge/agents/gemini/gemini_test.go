package gemini

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/choicetui/choicetui/mcpbridge/agents/agenttest"
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
	"github.com/stretchr/testify/require"
)

func TestQuestionsOfGeminiAreOfOptionsOfYesAndNoAndForWords(t *testing.T) {
	t.Parallel()
	asked, ok := Read(agenttest.Read(t, "gemini", "questions"), agenttest.Token)
	require.True(t, ok)
	qs := asked.Ask.Questions
	require.Equal(t, 2, qs[0].Max)
	require.Equal(t, []queue.Option{{ID: "Yes", Label: "Yes"}, {ID: "No", Label: "No"}}, qs[1].Options)
	require.Equal(t, 1, qs[1].Max)
	require.Equal(t, queue.ModeText, qs[2].Mode)
	require.Equal(t, "report", qs[2].Placeholder)
}

func TestEscInGeminiInterruptsItsQuestion(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "session.jsonl")
	line := func(kind, at string) string {
		return fmt.Sprintf(`{"id":"x","timestamp":%q,"type":%q,"content":"Request cancelled."}`+"\n", at, kind)
	}
	before := line("info", "2026-11-21T21:51:30Z") + line("user", "2026-11-21T21:51:33Z") +
		`{"timestamp":"2026-11-21T21:51:33Z","type":"info","content":[{"text":"Request cancelled."}]}` + "\n"
	require.NoError(t, os.WriteFile(file, []byte(before), 0o600))
	raw := strings.Replace(string(agenttest.Read(t, "gemini", "question")), "/home/ana/.gemini/x", file, 1)
	asked, ok := Read([]byte(raw), func() string { return "t" })
	require.True(t, ok)
	in, q := agenttest.Intake(t, storetest.NewMemory())
	looks := 0
	s, own, err := in.Await(t.Context(), asked, func(context.Context) error {
		if looks++; looks == 1 {
			return os.WriteFile(file, []byte(before+line("info", "2026-11-21T21:51:33.5Z")), 0o600)
		}
		return prompt.ErrGone
	})
	require.ErrorIs(t, err, prompt.ErrInterrupted)
	require.True(t, own)
	s, err = q.Store.Get(t.Context(), s.ID)
	require.NoError(t, err)
	require.Equal(t, queue.StatusElsewhere, s.Status())
	require.Equal(t, "in gemini", s.Outcome.Reason)
	require.True(t, s.Final)
}
