package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/agents/agenttest"
	"github.com/choicetui/choicetui/queue"
)

// besideClaude is a hook of Claude Code that runs while Claude's own dialog is open.
type besideClaude struct {
	*room
	agenttest.Recording
	claude *exec.Cmd
	hook   *running
	event  []byte // the input of the hook
}

// besideClaude runs the hook of an approval with a transcript in which Claude has just called its tool.
func (r *room) besideClaude() besideClaude {
	r.Helper()
	b := besideClaude{room: r, Recording: ofClaude(r, "permission_once"), claude: exec.Command("sleep", "3600")}
	require.NoError(r, b.claude.Start())
	r.Cleanup(b.ends)
	r.env = append(r.env, fmt.Sprintf("CLAUDE_PID=%d", b.claude.Process.Pid), "CLAUDE_CODE_SESSION_ATTENDED=1")
	b.starts()
	until(r, "the queue is made", func() bool { _, err := os.Stat(r.queue); return err == nil })
	return b
}

// starts starts the hook.
func (b *besideClaude) starts() {
	b.Helper()
	var event map[string]any
	require.NoError(b, json.Unmarshal(b.Stdin, &event))
	input, err := json.Marshal(event["tool_input"])
	require.NoError(b, err)
	b.writes(fmt.Sprintf(`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"1","name":"Bash","input":%s}]}}`,
		input))
	event["transcript_path"] = b.transcript()
	b.event, err = json.Marshal(event)
	require.NoError(b, err)
	b.hook = b.room.hook(b.event)
}

func (b besideClaude) transcript() string { return filepath.Join(b.dir, "t.jsonl") }

// writes adds a line to the transcript, with the time.
func (b besideClaude) writes(line string) {
	b.Helper()
	line = fmt.Sprintf(`%s,"timestamp":%q}`, strings.TrimSuffix(line, "}"), time.Now().UTC().Format("2006-01-02T15:04:05.000Z"))
	f, err := os.OpenFile(b.transcript(), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	require.NoError(b, err)
	_, err = f.WriteString(line + "\n")
	require.NoError(b, err)
	require.NoError(b, f.Close())
}

func (b besideClaude) ends() { _, _ = b.claude.Process.Kill(), b.claude.Wait() }

// tookAnswer is the line with which Claude says that it took what the hook printed.
const tookAnswer = `{"type":"attachment","attachment":{"type":"hook_permission_decision","decision":"allow","toolUseID":"1"}}`

// allowedThere is the line that Claude writes after its person has allowed the call in its own dialog.
const allowedThere = `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"1",` +
	`"content":"done"}]},"permissionDecision":{"decision":"accept","source":"user_temporary"}}`

// refusedThere is the line that Claude writes after its person has pressed Esc, or has refused there.
const refusedThere = `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"1","is_error":true,` +
	`"content":"The user doesn't want to proceed with this tool use. The tool use was rejected."}]},"toolDenialKind":"user-rejected"}`

// deniedByHook is the line that Claude writes after another hook has denied the call.
const deniedByHook = `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"1","is_error":true,` +
	`"content":"policy"}]},"toolDenialKind":"permission-rule","permissionDecision":{"decision":"reject","source":"hook"}}`

func TestAnApprovalBesideClaudesOwnDialogIsDeliveredOnlyOnceClaudeSaysSo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		writes string // empty: Claude ends
		event  string
		detail string
	}{
		"it took the answer":               {tookAnswer, queue.EventCollected, ""},
		"its person answered there before": {allowedThere, queue.EventExpired, "answered in claude before"},
		"its person refused there before":  {refusedThere, queue.EventExpired, "answered in claude before"},
		"another hook decided before":      {deniedByHook, queue.EventExpired, "decided by another hook before"},
		"it ended":                         {"", queue.EventCollected, "it did not confirm that it took this"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRoom(t)
			b := r.besideClaude()
			q := queue.New(r.store())
			s := r.asked(q)
			_, err := q.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceDashboard, Do: b.Does(t)})
			require.NoError(t, err)
			require.Equal(t, result{out: string(b.Stdout)}, b.hook.wait(), "the hook ends at once")
			s, err = q.Store.Get(t.Context(), s.ID)
			require.NoError(t, err)
			require.True(t, s.Unconfirmed())
			if c.writes == "" {
				b.ends()
			} else {
				b.writes(c.writes)
			}
			s = r.ended(q, s.ID)
			e, ok := s.Last(c.event)
			require.True(t, ok, "%v", s.Events)
			require.Equal(t, c.detail, e.Detail)
		})
	}
}

func TestAnApprovalThatTwoHooksReportIsAskedOnce(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	b := r.besideClaude()
	q := queue.New(r.store())
	two := r.hook(b.event)
	time.Sleep(2 * time.Second)
	s := r.asked(q)
	_, err := q.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceDashboard, Do: b.Does(t)})
	require.NoError(t, err)
	require.Equal(t, result{out: string(b.Stdout)}, b.hook.wait())
	require.Equal(t, result{out: string(b.Stdout)}, two.wait())
	b.writes(tookAnswer)
	s = r.ended(q, s.ID)
	e, ok := s.Last(queue.EventCollected)
	require.True(t, ok, "%v", s.Events)
	require.Empty(t, e.Detail)
}

func TestAnApprovalThatAnotherHookDecidesIsNoAnswerOfThePerson(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		writes, summary string
	}{
		"another hook":     {deniedByHook, "decided by another hook"},
		"the person":       {allowedThere, "answered in claude"},
		"the person's Esc": {refusedThere, "interrupted in claude"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRoom(t)
			b := r.besideClaude()
			q := queue.New(r.store())
			s := r.asked(q)
			b.writes(c.writes)
			s = r.ended(q, s.ID)
			require.Equal(t, c.summary, s.Summary())
			require.Equal(t, result{}, b.hook.wait())
		})
	}
}
