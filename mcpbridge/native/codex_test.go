package native

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// codexRequest reads a request as it was recorded.
func codexRequest(t testing.TB, stdin []byte) CodexRequest {
	var m struct {
		Method     string
		ID, Params json.RawMessage
		Changes    json.RawMessage // what its thread said before of what it would change
	}
	require.NoError(t, json.Unmarshal(stdin, &m))
	return CodexRequest{Method: m.Method, ID: m.ID, Params: m.Params, Cwd: "/src/work2", Server: 7, Changes: m.Changes}
}

func TestCodexIsAnsweredInItsOwnForm(t *testing.T) {
	t.Parallel()
	for _, r := range recordings(t, "codex") {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			asked, ok := Codex(codexRequest(t, r.stdin), words)
			if r.answer == nil && r.cancel == nil {
				require.False(t, ok, "it is left to the agent: %+v", asked.Ask)
				return
			}
			require.True(t, ok)
			require.Equal(t, "codex", asked.Origin.Client)
			require.Equal(t, "/src/work2", asked.Origin.Cwd)
			require.Equal(t, "01a2000d-938f-77a0-9c03-595a8ce1966f", asked.Origin.Thread)
			out := asked.Render(settled(t, asked, r))
			if r.stdout == nil {
				require.Empty(t, string(out))
				return
			}
			require.Equal(t, string(r.stdout), string(out)+"\n")
		})
	}
}

func TestATimeThatIsUpTellsCodexNothing(t *testing.T) {
	t.Parallel()
	for _, r := range recordings(t, "codex") {
		if asked, ok := Codex(codexRequest(t, r.stdin), words); ok {
			over := queue.Session{Ask: asked.Ask, Outcome: &queue.Outcome{Status: queue.StatusTimeout, By: queue.ByClock}}
			require.Empty(t, asked.Render(over), r.name)
			over.Outcome = &queue.Outcome{Status: queue.StatusElsewhere, By: queue.ByCaller, Reason: "in codex"}
			require.Empty(t, asked.Render(over), r.name)
			over.Outcome = &queue.Outcome{Status: queue.StatusCancelled, By: queue.ByCaller, Reason: "it went away"}
			require.Empty(t, asked.Render(over), r.name)
		}
	}
}

func TestTheSameRequestOfCodexHasTheSameSourceAndItsTimeIsCodexs(t *testing.T) {
	t.Parallel()
	r := codexRequest(t, recorded(t, "codex", "question"))
	asked, ok := Codex(r, words)
	require.True(t, ok)
	require.Equal(t, "codex:01a2000d-938f-77a0-9c03-595a8ce1966f/call_21_mwqxupsl0/0", asked.Origin.Source)
	require.Equal(t, 7, asked.Origin.PID)
	require.Zero(t, asked.Within)
	var params map[string]any
	require.NoError(t, json.Unmarshal(r.Params, &params))
	params["autoResolutionMs"] = 90_500
	r.Params, _ = json.Marshal(params)
	asked, ok = Codex(r, words)
	require.True(t, ok)
	require.Equal(t, 90_500*time.Millisecond, asked.Within)
}
