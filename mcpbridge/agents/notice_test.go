package agents_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/agents/claude"
	"github.com/choicetui/choicetui/mcpbridge/agents/gemini"
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

func notified(t *testing.T, event, kind, message string, more map[string]any) []byte {
	t.Helper()
	o := map[string]any{"session_id": "s1", "transcript_path": "/h/.claude/projects/-src-shop/s1.jsonl",
		"cwd": "/src/shop", "hook_event_name": event, "message": message, "notification_type": kind}
	for k, v := range more {
		o[k] = v
	}
	raw, err := json.Marshal(o)
	require.NoError(t, err)
	return raw
}

func TestNotificationsThatNeedThePersonAreNotices(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 23, 14, 0, 0, 0, time.UTC)
	for kind, c := range map[string]struct{ needs, idle, sure bool }{
		"permission_prompt":      {needs: true, sure: true},
		"elicitation_dialog":     {needs: true, sure: true},
		"elicitation_url_dialog": {needs: true, sure: true},
		"agent_needs_input":      {needs: true},
		"idle_prompt":            {needs: true, idle: true, sure: true},
		"auth_success":           {}, "elicitation_complete": {}, "agent_completed": {}, "ToolPermission": {}, "": {},
	} {
		n, ok := claude.ReadNotice(notified(t, "Notification", kind, "Claude needs your permission", nil), 7, now)
		require.Equal(t, c.needs, ok, kind)
		if !ok {
			continue
		}
		require.Equal(t, queue.Notice{Says: "Claude needs your permission", Idle: c.idle, At: now}, n.Notice, kind)
		require.Equal(t, queue.Origin{Client: "claude-code", Cwd: "/src/shop", Thread: "s1", OneSession: true}, n.Origin)
		require.Equal(t, "/h/.claude/sessions/7.json", n.State)
		require.Equal(t, c.sure, n.Sure, kind)
	}
}

func TestWhatIsNoNotificationIsNoNotice(t *testing.T) {
	t.Parallel()
	for name, raw := range map[string][]byte{
		"another event": notified(t, "Stop", "permission_prompt", "", nil),
		"of a subagent": notified(t, "Notification", "permission_prompt", "", map[string]any{"agent_id": "a"}),
		"half":          notified(t, "Notification", "permission_prompt", "", nil)[:40],
		"no text":       notified(t, "Notification", "permission_prompt", "", map[string]any{"message": 7}),
		"no type":       notified(t, "Notification", "permission_prompt", "", map[string]any{"notification_type": []int{}}),
	} {
		_, ok := claude.ReadNotice(raw, 7, time.Now())
		require.False(t, ok, name)
		_, ok = gemini.ReadNotice(raw, 7, time.Now())
		require.False(t, ok, name)
	}
}

func TestGeminiSaysWhichCommandItAsksFor(t *testing.T) {
	t.Parallel()
	n, ok := gemini.ReadNotice(notified(t, "Notification", "ToolPermission", "Tool X requires execution", map[string]any{
		"timestamp": "2026-11-23T13:33:14.077Z", "details": map[string]any{"type": "exec",
			"title": "Confirm Shell Command", "command": "make all", "rootCommand": "make"}}), 7, time.Now())
	require.True(t, ok)
	require.Equal(t, "Confirm Shell Command: make all", n.Notice.Says)
	require.Equal(t, "make all", n.Command)
	require.True(t, n.From(call.ProcessOrigin(nil)).Origin.OneSession)
	require.Equal(t, time.Date(2026, 11, 23, 13, 33, 14, 77e6, time.UTC), n.Notice.At)
	require.Empty(t, n.State)
	_, ok = gemini.ReadNotice(notified(t, "Notification", "idle_prompt", "", nil), 7, time.Now())
	require.False(t, ok)
}

// shows shows a notice of this process in a queue, and does steps in its time; each step
// gets the notices that are announced then.
func shows(t *testing.T, n prompt.Notice, f prompt.Following, pending func(*queue.Queue), steps ...func() bool) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		q := queue.New(storetest.NewMemory())
		if pending != nil {
			pending(q)
		}
		n.Notice.At = time.Now()
		n.Origin = n.From(call.ProcessOrigin(nil)).Origin
		n.Origin.PID, n.Origin.Agent = os.Getpid(), ""
		done := make(chan error, 1)
		for i, step := range steps {
			want := step()
			if i == 0 {
				go func() { done <- n.Show(t.Context(), q, f) }()
			}
			time.Sleep(3 * time.Second)
			present, err := q.Store.Present(t.Context(), queue.RoleNotice)
			require.NoError(t, err)
			require.Equal(t, want, len(queue.NoticesAmong(present)) == 1, "step %d", i)
		}
		require.NoError(t, <-done)
	})
}

func TestANoticeLastsAsLongAsClaudeIsInItsState(t *testing.T) {
	file := filepath.Join(t.TempDir(), "7.json")
	state := func(session, status string, want bool) func() bool {
		return func() bool {
			require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, `{"sessionId":%q,"status":%q}`, session, status), 0o600))
			return want
		}
	}
	waits := prompt.Notice{State: file, Wants: "waiting", Sure: true}
	shows(t, waits, claude.Following, nil, state("s", "waiting", true), state("s", "waiting", true), state("s", "busy", false))
	shows(t, waits, claude.Following, nil, state("s", "busy", false))
	idles := prompt.Notice{State: file, Wants: "idle", Sure: true}
	shows(t, idles, claude.Following, nil, state("s", "idle", true), state("after clear", "idle", false))
	shows(t, idles, claude.Following, nil, state("s", "idle", true), func() bool { require.NoError(t, os.Remove(file)); return false })
}

func TestATurnThatNobodySawEndsANoticeOfAnIdleClaude(t *testing.T) {
	dir := t.TempDir()
	state, transcript := filepath.Join(dir, "7.json"), filepath.Join(dir, "s.jsonl")
	write := func(kind string, want bool) func() bool {
		return func() bool {
			before, _ := os.ReadFile(transcript)
			line := fmt.Appendf(before, "{\"type\":%q,\"timestamp\":%q}\n", kind, time.Now().Add(time.Second).Format(time.RFC3339Nano))
			require.NoError(t, os.WriteFile(transcript, line, 0o600))
			return want
		}
	}
	says := func(status string) {
		require.NoError(t, os.WriteFile(state, fmt.Appendf(nil, `{"sessionId":"s","status":%q}`, status), 0o600))
	}
	says("idle")
	shows(t, prompt.Notice{State: state, Transcript: transcript, Wants: "idle", Sure: true,
		Notice: queue.Notice{Idle: true}}, claude.Following, nil, write("system", true), write("user", false))
	says("waiting")
	require.NoError(t, os.Remove(transcript))
	shows(t, prompt.Notice{State: state, Transcript: transcript, Wants: "waiting", Sure: true}, claude.Following, nil,
		write("user", true), // the result of another call
		func() bool { says("busy"); return false })
}

func TestWithoutAStateANoticeLastsUntilSomethingIsSaid(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.jsonl")
	write := func(kind string, after time.Duration, want bool) func() bool {
		return func() bool {
			f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
			require.NoError(t, err)
			defer f.Close()
			_, err = fmt.Fprintf(f, "{\"type\":%q,\"timestamp\":%q}\n", kind, time.Now().Add(after).Format(time.RFC3339Nano))
			require.NoError(t, err)
			return want
		}
	}
	n := prompt.Notice{Transcript: file, Wants: "waiting", Sure: true}
	shows(t, n, claude.Following, nil, write("assistant", -time.Minute, true), write("mode", time.Second, true),
		write("assistant", -time.Second*20, true), write("user", time.Second, false))
	file = filepath.Join(t.TempDir(), "s.jsonl") // time begins again
	n.Transcript = file
	shows(t, n, gemini.Following, nil, write("gemini", -time.Hour, true), write("gemini", time.Second, false))
}

func TestWhatIsAskedInTheQueueIsNoNoticeBeside(t *testing.T) {
	asked := func(thread string) func(*queue.Queue) {
		return func(q *queue.Queue) {
			o := prompt.Notice{Origin: queue.Origin{Client: "claude-code", Thread: thread}}.From(call.ProcessOrigin(nil)).Origin
			o.PID, o.Agent, o.Source = os.Getpid(), "", "claude:"+thread+"/1"
			_, err := q.Create(t.Context(), queue.Session{Origin: o, Ask: queue.Ask{Kind: queue.KindChoice, Title: "May it?",
				Prompt: "p", TimeoutSeconds: 60, OnTimeout: queue.OnTimeoutNone, Questions: []queue.Question{{ID: "q",
					Mode: queue.ModeText}}}})
			require.NoError(t, err)
		}
	}
	n := prompt.Notice{Origin: queue.Origin{Client: "claude-code", Thread: "s1"}}
	shows(t, n, claude.Following, asked("s1"), func() bool { return false })
}
