package mcpbridge

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// geminiFile plays the file that Gemini CLI 0.61.0 writes for its session.
type geminiFile struct {
	t    *testing.T
	path string
}

// newGeminiFile begins the session of a Gemini CLI that works in the directory of the rig's agent.
func newGeminiFile(t *testing.T) *geminiFile {
	home := t.TempDir()
	t.Setenv("GEMINI_CLI_HOME", home)
	dir := filepath.Join(home, ".gemini", "tmp", "nowhere")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "chats"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".project_root"), []byte("/nowhere"), 0o600))
	f := &geminiFile{t, filepath.Join(dir, "chats", "session-2026-11-23T13-28-8a785542.jsonl")}
	f.line(`{"sessionId":"8a785542","startTime":"2026-11-23T13:28:32.181Z","kind":"main"}`)
	return f
}

func (f *geminiFile) line(line string) {
	out, err := os.OpenFile(f.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	require.NoError(f.t, err)
	defer out.Close()
	_, err = fmt.Fprintln(out, line)
	require.NoError(f.t, err)
}

// ended writes down how a call ended.
func (f *geminiFile) ended(status, tool, arguments string, at time.Time) {
	when, _ := json.Marshal(at.UTC())
	f.line(fmt.Sprintf(`{"id":"57376d3d","timestamp":%[4]s,"type":"gemini","content":"","toolCalls":[{"id":"x","name":"mcp_choicetui_%[2]s","args":%[3]s,"result":[],"status":%[1]q,"timestamp":%[4]s}]}`,
		status, tool, arguments, when))
}

const singleAsked = `{` + single + `}`

func TestTheSameAskAfterGeminiWasStoppedGoesOnWithTheQuestion(t *testing.T) {
	f := newGeminiFile(t)
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("gemini-cli-mcp-client")
		r.ask(1, "")
		s := r.only()
		time.Sleep(3 * time.Second)
		f.ended("cancelled", "provide_choice", singleAsked, time.Now())
		time.Sleep(time.Second)
		r.ask(2, "")
		require.Contains(t, r.result(1).text(), "No answer yet", "nobody reads it any more")
		require.Equal(t, s.ID, r.only().ID)
		require.Equal(t, "2", r.only().Origin.CallID)
		r.answer(s.ID, "pg")
		got := r.result(2)
		require.Equal(t, []any{"pg"}, got.selection()["selected_ids"])
		require.Contains(t, got.structured()["reason"], "was not asked again")
		require.Empty(t, r.live())
		r.silent()
	})
}

func TestAQuestionIsGoneSoonAfterGeminiWasStopped(t *testing.T) {
	f := newGeminiFile(t)
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("gemini-cli-mcp-client")
		r.ask(1, "")
		s := r.only()
		time.Sleep(3 * time.Second)
		require.Nil(t, r.get(s.ID).DroppedAt)
		f.ended("cancelled", "provide_choice", singleAsked, time.Now())
		time.Sleep(10 * time.Second)
		s = r.get(s.ID)
		require.NotNil(t, s.DroppedAt)
		require.Nil(t, s.Claim)
		require.True(t, s.Pending(), "it stays for the same ask")
	})
}

func TestAConfirmationEndsSoonAfterGeminiWasStopped(t *testing.T) {
	f := newGeminiFile(t)
	bubble(t, func(t *testing.T, r *rig) {
		const asked = `{"question":"Drop it?","options":["yes","no"],"requireConfirmation":true}`
		r.dashboard()
		r.start("gemini-cli-mcp-client")
		r.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hitl_request","arguments":%s}}`, asked)
		s := r.only()
		time.Sleep(time.Second)
		f.ended("cancelled", "hitl_request", asked, time.Now())
		time.Sleep(10 * time.Second)
		require.Equal(t, queue.StatusCancelled, r.get(s.ID).Outcome.Status)
		require.Equal(t, queue.CallerGone, r.get(s.ID).Outcome.Reason)
	})
}

func TestOnlyACallThatGeminiStoppedIsLetGo(t *testing.T) {
	for name, c := range map[string]struct {
		client string
		write  func(f *geminiFile, asked time.Time)
	}{
		"nothing is written down": {"gemini-cli-mcp-client", func(*geminiFile, time.Time) {}},
		"another client": {"claude-code", func(f *geminiFile, asked time.Time) {
			f.ended("cancelled", "provide_choice", singleAsked, asked.Add(time.Second))
		}},
		"it ended well": {"gemini-cli-mcp-client", func(f *geminiFile, asked time.Time) {
			f.ended("success", "provide_choice", singleAsked, asked.Add(time.Second))
		}},
		"an earlier call": {"gemini-cli-mcp-client", func(f *geminiFile, asked time.Time) {
			f.ended("cancelled", "provide_choice", singleAsked, asked.Add(-time.Second))
		}},
		"another tool": {"gemini-cli-mcp-client", func(f *geminiFile, asked time.Time) {
			f.ended("cancelled", "requestUserChoice", singleAsked, asked.Add(time.Second))
		}},
		"other arguments": {"gemini-cli-mcp-client", func(f *geminiFile, asked time.Time) {
			f.ended("cancelled", "provide_choice", `{"title":"Store"}`, asked.Add(time.Second))
		}},
		"a session elsewhere": {"gemini-cli-mcp-client", func(f *geminiFile, asked time.Time) {
			root := filepath.Join(filepath.Dir(filepath.Dir(f.path)), ".project_root")
			require.NoError(f.t, os.WriteFile(root, []byte("/elsewhere"), 0o600))
			f.ended("cancelled", "provide_choice", singleAsked, asked.Add(time.Second))
		}},
		"half a line": {"gemini-cli-mcp-client", func(f *geminiFile, asked time.Time) {
			f.line(`{"type":"gemini","toolCalls":[{"name":"mcp_choicetui_provide_choice","status":"cancelled","args":` + singleAsked)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newGeminiFile(t)
			bubble(t, func(t *testing.T, r *rig) {
				r.dashboard()
				r.start(c.client)
				r.ask(1, "")
				s := r.only()
				time.Sleep(3 * time.Second)
				c.write(f, s.AskedAt)
				time.Sleep(12 * time.Second)
				r.ask(2, "")
				require.Len(t, r.live(), 2)
				r.silent()
			})
		})
	}
}
