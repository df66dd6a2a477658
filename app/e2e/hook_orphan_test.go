package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestAKilledHookOfCopilotSaysWhetherItsPersonStoppedIt(t *testing.T) {
	t.Parallel()
	const event = `{"hookName":"permissionRequest","sessionId":"5f0e","timestamp":1795297786001,"cwd":"/src/shop",` +
		`"toolName":"bash","toolInput":{"command":"npm test"},"permissionSuggestions":[]}`
	abort := func(at time.Time) string {
		return fmt.Sprintf(`{"type":"abort","data":{"reason":"user_abort"},"timestamp":%q}`+"\n", at.UTC().Format(time.RFC3339Nano))
	}
	for name, c := range map[string]struct {
		writes string // into the file of its session, once the hook is dead
		status string
		reason string
	}{
		// The subtests wait for a free place, so the times are far away.
		"it was stopped":       {abort(time.Now().Add(time.Hour)), queue.StatusElsewhere, "in copilot"},
		"it was stopped, once": {abort(time.Now().Add(-time.Hour)), queue.StatusCancelled, queue.CallerGone},
		"it crashed":           {"", queue.StatusCancelled, queue.CallerGone},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRoom(t)
			defer r.dashboard()()
			q := queue.New(r.store())
			p := r.hookOf("copilot", []byte(event))
			s := r.asked(q)
			until(t, "another process has the question too", func() bool {
				present, err := q.Store.Present(t.Context(), queue.RoleBridge)
				require.NoError(t, err)
				return len(present) == 2
			})
			require.NoError(t, p.cmd.Process.Kill())
			p.wait()
			dir := filepath.Join(r.dir, "home", ".copilot", "session-state", "5f0e")
			require.NoError(t, os.MkdirAll(dir, 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "events.jsonl"), []byte(c.writes), 0o600))
			o := r.ended(q, s.ID).Outcome
			require.Equal(t, []string{c.status, c.reason}, []string{o.Status, o.Reason})
		})
	}
}
