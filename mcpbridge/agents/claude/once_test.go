package claude

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/agents/agenttest"
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

func TestEnterOnce_OnePromptIsOneRow(t *testing.T) {
	t.Parallel()
	const touch = `{"command":"touch same"}`
	first := func(start int) string { return timedLine(start-50, uses("1", "Bash", touch)) }
	nothing := func(int) string { return "" }
	for name, c := range map[string]struct {
		before, later func(start int) string // what the transcript gets as the hooks start, and a little later
		rows          int
		err           error // of the second hook
	}{
		"one call":                    {first, nothing, 1, nil},
		"one call, written down late": {nothing, first, 1, nil},
		"two calls": {func(start int) string {
			return first(start) + timedLine(start-40, uses("2", "Bash", touch))
		}, nothing, 2, nil},
		"two calls, one of them late": {first, func(start int) string {
			return timedLine(start-40, uses("2", "Bash", touch))
		}, 2, nil},
		"the next call, the first over": {first, func(start int) string {
			return timedLine(start+80, decidedBy("1", "hook")) + timedLine(start+100, uses("2", "Bash", touch))
		}, 1, prompt.ErrOver},
		"nothing is written": {nothing, nothing, 2, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := writtenFile{t, filepath.Join(t.TempDir(), "t.jsonl")}
			start := int(time.Since(hookBegan).Milliseconds())
			file.write(c.before(start))
			store := storetest.NewMemory()
			type result struct {
				s   queue.Session
				own bool
				err error
			}
			results := make(chan result, 2)
			for i := range 2 {
				in, _ := agenttest.Intake(t, store)
				raw := fmt.Sprintf(`{"session_id":"s","transcript_path":%q,"cwd":"/src","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":%s}`, file.path, touch)
				asked, ok := Read([]byte(raw), func() string { return fmt.Sprint("token", i) })
				require.True(t, ok)
				asked.Once = prompt.OnceName([]byte(raw), 4711)
				go func() {
					s, own, err := in.Enter(t.Context(), asked)
					results <- result{s, own, err}
				}()
			}
			time.Sleep(100 * time.Millisecond)
			file.write(c.later(start))
			rows := map[string]bool{}
			var err error
			for range 2 {
				r := <-results
				if r.err == nil {
					rows[r.s.ID] = true
				}
				err = errors.Join(err, r.err)
			}
			require.Len(t, rows, c.rows)
			if c.err == nil {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, c.err)
			}
		})
	}
}

func TestEnterOnce_NextPromptThatIsAlikeIsAnotherRow(t *testing.T) {
	t.Parallel()
	const touch = `{"command":"touch same"}`
	file := writtenFile{t, filepath.Join(t.TempDir(), "t.jsonl")}
	store := storetest.NewMemory()
	ids := map[string]bool{}
	for i := range 3 { // within a second, and the row of the one before is still there
		in, _ := agenttest.Intake(t, store)
		file.write(timedLine(int(time.Since(hookBegan).Milliseconds()), uses(fmt.Sprint(i), "Bash", touch)))
		time.Sleep(20 * time.Millisecond)
		d := asks(t, file.path, "Bash", touch, "")
		raw := []byte(file.path)
		asked := prompt.Asked{Ask: approvalAsk(t), Dialog: d, Once: prompt.OnceName(raw, 1), Where: inClaude,
			Origin: queue.Origin{Client: "claude-code", Source: fmt.Sprint("claude:s/token", i)}}
		s, own, err := in.Enter(t.Context(), asked)
		require.NoError(t, err)
		require.True(t, own)
		ids[s.ID] = true
		file.write(timedLine(int(time.Since(hookBegan).Milliseconds()), decidedBy(fmt.Sprint(i), "user_temporary")))
		time.Sleep(20 * time.Millisecond)
	}
	require.Len(t, ids, 3)
}

func TestEnterOnce_NameOfAQuestionThatIsOverIsNotUsedAgain(t *testing.T) {
	t.Parallel()
	const touch = `{"command":"touch same"}`
	file := writtenFile{t, filepath.Join(t.TempDir(), "t.jsonl")}
	store := storetest.NewMemory()
	ids := map[string]bool{}
	for i := range 5 { // within a second, each archived before the next is asked
		in, _ := agenttest.Intake(t, store)
		asked := prompt.Asked{Ask: approvalAsk(t), Dialog: asks(t, file.path, "Bash", touch, ""), Once: prompt.OnceName([]byte("x"), 1),
			Where: inClaude, Origin: queue.Origin{Client: "claude-code", Source: fmt.Sprint("claude:s/token", i)}}
		s, own, err := in.Enter(t.Context(), asked)
		require.NoError(t, err)
		require.True(t, own)
		require.False(t, ids[s.ID], "the dashboard takes it for the one that is gone")
		ids[s.ID] = true
		in.End(s.ID, asked, prompt.ErrThere)
	}
}

// approvalAsk returns the ask of a recorded approval.
func approvalAsk(t *testing.T) queue.Ask {
	asked, ok := Read(agenttest.Read(t, "claude", "permission_once"), func() string { return "t" })
	require.True(t, ok)
	return asked.Ask
}
