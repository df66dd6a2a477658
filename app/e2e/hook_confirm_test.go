package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestAnApprovalBesideClaudesOwnDialogIsDeliveredOnlyOnceClaudeSaysSo(t *testing.T) {
	t.Parallel()
	const call = `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"1","name":"Bash","input":%s}]}}` + "\n"
	for name, c := range map[string]struct {
		writes string // empty: Claude ends
		event  string
		detail string
	}{
		"it took the answer": {`{"type":"attachment","attachment":{"type":"hook_permission_decision","decision":"allow","toolUseID":"1"}}`,
			queue.EventCollected, ""},
		"its person answered there before": {`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"1",` +
			`"content":"done"}]},"permissionDecision":{"decision":"accept","source":"user_temporary"}}`,
			queue.EventLapsed, "answered in claude before"},
		"it ended": {"", queue.EventCollected, "it did not say whether it took this"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRoom(t)
			claude := exec.Command("sleep", "60")
			require.NoError(t, claude.Start())
			ends := func() { _, _ = claude.Process.Kill(), claude.Wait() }
			t.Cleanup(ends)
			r.env = append(r.env, fmt.Sprintf("CLAUDE_PID=%d", claude.Process.Pid), "CLAUDE_CODE_SESSION_ATTENDED=1")

			recorded := ofClaude(t, "permission_once")
			var event map[string]any
			require.NoError(t, json.Unmarshal(recorded.stdin, &event))
			input, err := json.Marshal(event["tool_input"])
			require.NoError(t, err)
			file := filepath.Join(r.dir, "t.jsonl")
			event["transcript_path"] = file
			stdin, err := json.Marshal(event)
			require.NoError(t, err)
			write := func(lines string) {
				f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
				require.NoError(t, err)
				_, err = f.WriteString(lines)
				require.NoError(t, err)
				require.NoError(t, f.Close())
			}
			write(fmt.Sprintf(call, input))

			p := r.hook(stdin)
			q := queue.New(r.store())
			until(t, "the queue is made", func() bool { _, err := os.Stat(r.queue); return err == nil })
			s := r.asked(q)
			_, err = q.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceDashboard,
				Do: recorded.does(t)})
			require.NoError(t, err)
			require.Equal(t, result{out: string(recorded.stdout)}, p.wait(), "the hook ends at once")
			s, err = q.Store.Get(t.Context(), s.ID)
			require.NoError(t, err)
			require.True(t, s.Unconfirmed())
			if write(strings.TrimSpace(c.writes) + "\n"); c.writes == "" {
				ends()
			}
			s = r.ended(q, s.ID)
			e, ok := s.Last(c.event)
			require.True(t, ok, "%v", s.Events)
			require.Equal(t, c.detail, e.Detail)
		})
	}
}
