// Package agenttest has what the tests of several homes share: recorded prompts, and an intake for them.
package agenttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
	"golang.org/x/tools/txtar"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

// Recording holds one prompt of an agent, what the person did, and the hook's output.
type Recording struct {
	Unfit queue.Unfit // why the prompt cannot be answered here
	Title string      // of a prompt without an answer; empty: nothing is asked

	Name           string
	Stdin, Stdout  []byte
	Answer, Cancel []byte // the person's answer or cancel; nil if there is none
}

// All returns the recordings of an agent, from testdata/native.
func All(t testing.TB, agent string) (list []Recording) {
	dir, err := os.Getwd()
	require.NoError(t, err)
	for { // up to the module
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil || dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	files, err := filepath.Glob(filepath.Join(dir, "testdata", "native", agent, "*.txtar"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		r := Recording{Name: strings.TrimSuffix(filepath.Base(file), ".txtar")}
		for _, f := range txtar.Parse(raw).Files {
			data := append([]byte{}, f.Data...)
			switch f.Name {
			case "stdin":
				r.Stdin = data
			case "stdout":
				r.Stdout = data
			case "answer":
				r.Answer = data
			case "cancel":
				r.Cancel = data
			case "unfit":
				r.Unfit = queue.Unfit(strings.TrimSpace(string(data)))
			case "title":
				r.Title = strings.TrimSpace(string(data))
			}
		}
		list = append(list, r)
	}
	return list
}

// IsAnswered reports whether the recording has an answer. If not, it checks that the prompt is shown with its title, or
// is unfit for the reason in the recording, or that there is none.
func (r Recording) IsAnswered(t testing.TB, asked prompt.Asked, ok bool) bool {
	if !r.IsLeft() {
		return true
	}
	require.Equal(t, r.Title != "", ok, "%+v", asked.Ask)
	require.Equal(t, r.Unfit, asked.Unfit)
	require.Equal(t, r.Title, asked.Ask.Title)
	return false
}

// IsLeft reports whether the recording has no answer.
func (r Recording) IsLeft() bool { return r.Answer == nil && r.Cancel == nil }

// Does returns what the person does with what was recorded.
func (r Recording) Does(t testing.TB) queue.Action {
	if r.Answer == nil {
		return queue.Cancel{Reason: strings.TrimSpace(string(r.Cancel))}
	}
	var answer queue.Answer
	require.NoError(t, json.Unmarshal(r.Answer, &answer))
	return queue.Settle{Answer: answer, Confirmed: true}
}

// Settled returns the prompt as a session that the person has answered or cancelled.
func Settled(t testing.TB, a prompt.Asked, r Recording) queue.Session {
	q := queue.New(storetest.NewMemory())
	a.Ask.TimeoutSeconds, a.Ask.OnTimeout = 300, queue.OnTimeoutNone
	a.Origin.Instance = "hook"
	s, err := q.Create(t.Context(), queue.Session{Ask: a.Ask, Origin: a.Origin})
	require.NoError(t, err)
	s, err = q.Do(t.Context(), s.ID,
		queue.Command{By: queue.ByHuman, Surface: queue.SurfaceDashboard, Do: r.Does(t)})
	require.NoError(t, err)
	return s
}

// Read returns the input of one recording.
func Read(t testing.TB, agent, name string) []byte {
	for _, r := range All(t, agent) {
		if r.Name == name {
			return r.Stdin
		}
	}
	require.Fail(t, "not recorded: "+name)
	return nil
}

// Token names a prompt.
func Token() string { return "token" }

// ExactOf returns the ids of the options whose rule is exact.
func ExactOf(a prompt.Asked) (ids []string) {
	for _, o := range a.Ask.Questions[0].Options {
		if o.Exact {
			ids = append(ids, o.ID)
		}
	}
	return ids
}

// Intake opens an intake of a queue in a store.
func Intake(t *testing.T, store queue.Store) (*prompt.Intake, *queue.Queue) {
	q := queue.New(store)
	in, err := prompt.Open(t.Context(), call.ProcessOrigin(nil), prompt.Options{Queue: q, Settings: config.Default})
	require.NoError(t, err)
	t.Cleanup(func() { _ = in.Close() })
	return in, q
}

// LinkedProject makes a project whose links lead to several places, and returns the directory above it, without links.
func LinkedProject(t *testing.T) string {
	top, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for _, dir := range []string{"proj/sub", "home/sub"} {
		require.NoError(t, os.MkdirAll(filepath.Join(top, dir), 0o700))
	}
	require.NoError(t, os.WriteFile(filepath.Join(top, "proj/sub/own"), []byte("x\n"), 0o600))
	require.NoError(t, unix.Mkfifo(filepath.Join(top, "home/pipe"), 0o600))
	for link, to := range map[string]string{
		"proj/link.txt": "/etc/passwd", "proj/out": filepath.Join(top, "home"), "proj/near": "../home/sub",
		"proj/none": filepath.Join(top, "home/new.txt"), "proj/round": "round", "proj/a": "b", "proj/b": "a",
		"proj/inside": "sub/own", "proj/pipe": "../home/pipe", "via": "proj",
	} {
		require.NoError(t, os.Symlink(to, filepath.Join(top, link)))
	}
	return top
}

// CheckAsked fails if a prompt that was read is neither one that the queue takes nor one with a reason, or if it has an
// answer that is not JSON.
func CheckAsked(t *testing.T, a prompt.Asked, ok bool) {
	t.Helper()
	if !ok {
		return
	}
	require.NotEmpty(t, a.Origin.Source)
	require.NotEmpty(t, a.Ask.Title)
	require.NotNil(t, a.Render)
	if a.Unfit != "" {
		why := []queue.Unfit{queue.UnfitAnswer, queue.UnfitSecret, queue.UnfitLarge, queue.UnfitShown}
		require.Contains(t, why, a.Unfit)
		return
	}
	a.Ask.TimeoutSeconds, a.Ask.OnTimeout = 300, queue.OnTimeoutNone
	require.Empty(t, (queue.Session{Ask: a.Ask, Origin: a.Origin}).Problems())
	require.Empty(t, a.Render(queue.Session{Ask: a.Ask}), "nothing is answered on its own")
	var answer queue.Answer
	for _, q := range a.Ask.Questions {
		r := queue.Reply{Question: q.ID, Text: "in my own words"}
		if len(q.Options) > 0 {
			r.Selected, r.Text = []string{q.Options[0].ID}, ""
		}
		answer.Replies = append(answer.Replies, r)
	}
	outcome := queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, Answer: answer}
	out := a.Render(queue.Session{Ask: a.Ask, Outcome: &outcome})
	require.True(t, len(out) == 0 || json.Valid(out), "%s", out)
}

// FuzzHook is a fuzz target for the hook of an agent: the recordings are its first inputs.
func FuzzHook(f *testing.F, name string, read func([]byte, func() string) (prompt.Asked, bool)) {
	for _, r := range All(f, name) {
		f.Add(bytes.TrimSpace(r.Stdin))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		a, ok := read(raw, Token)
		CheckAsked(t, a, ok)
	})
}

// ShownAs returns the parts of an approval in one text: `kind label: text`.
func ShownAs(a queue.Ask) string {
	var list []string
	for _, p := range a.Approval.Parts {
		list = append(list, fmt.Sprintf("%s [%s] %s", p.Kind, p.Label, p.Text))
	}
	return strings.Join(list, "\n")
}

// Written writes a file, and the directories above it, and returns its path.
func Written(t *testing.T, path, text string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}
