package http

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestHTTPHandsTheDiscussionOverAndTakesTheSummary(t *testing.T) {
	w := newWeb(t)
	a := w.agent("claude-code")
	call := a.ask(1, "").primed()
	s := w.eventually(claimed)
	w.do(s.ID, queue.Widen{Widened: queue.Widened{Decision: "01K", Mission: "m", QuestionID: "q",
		Team: []queue.Member{{Name: "Alice"}}}})
	w.do(s.ID, queue.AskSummary{ID: "r1", Block: "the block"})
	got := call.result(1)
	assert.Equal(t, "pending_terminal_launch", got.structured()["action_status"])
	assert.Equal(t, map[string]any{"decision_id": "01K", "request_id": "r1", "session_id": s.ID, "block": "the block"},
		got.structured()["summarization_request"])

	submit := `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"submit_summary","arguments":{"session_id":"` +
		s.ID + `","candidate_summary":"s","candidate_answer":"a","source_hint":"manual"}}}`
	other := w.agent("claude-code").open(http.MethodPost, submit).result(2)
	assert.Equal(t, "not_yours", other.structured()["error"], "each session is an agent of its own")
	taken := a.open(http.MethodPost, submit).result(2)
	require.False(t, taken.failed(), "%v", taken.Result)
	w.eventually(func(s queue.Session) bool { return s.Widen.Candidate != nil && s.Widen.Candidate.Answer == "a" })

	poll := a.open(http.MethodPost, toolCall(3, `"session_id":"`+s.ID+`"`, ""))
	w.eventually(claimed)
	w.answer(s.ID, "pg")
	assert.Equal(t, []any{"pg"}, poll.result(3).selection()["selected_ids"])
}
