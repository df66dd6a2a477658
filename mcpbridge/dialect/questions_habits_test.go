package dialect

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestParseQuestions_TakesWhatModelsWriteByHabit(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{
		`{"questions":"Just?"}`, `{"questions":["Just?"]}`, `{"question":"Just?"}`,
		`{"questions":[{"question":"Just?","type":"text","isSecret":false}]}`,
	} {
		r, err := parseQuestions(json.RawMessage(raw))
		require.NoError(t, err, raw)
		require.Equal(t, "Just?", r.Ask.Title, raw)
		require.Equal(t, queue.ModeText, r.Ask.Questions[0].Mode, raw)
	}
	_, err := parseQuestions(json.RawMessage(`{"questions":[{"question":"Just?","type":"text","isSecret":true}]}`))
	require.Error(t, err, "the queue is stored on disk")
	r, err := parseQuestions(json.RawMessage(`{"question":"Go?","options":["Yes","Yes (Recommended)"]}`))
	require.NoError(t, err)
	require.Equal(t, []queue.Option{{ID: "Yes", Label: "Yes"},
		{ID: "Yes (Recommended)", Label: "Yes (Recommended)", Recommended: true}}, r.Ask.Questions[0].Options)
}
