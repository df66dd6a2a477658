package prompt

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
	"golang.org/x/tools/txtar"
)

// recording holds one prompt of an agent, what the person did, and the hook's output.
type recording struct {
	unfit queue.Unfit // why the prompt cannot be answered here
	title string      // of a prompt without an answer; empty: nothing is asked

	name           string
	stdin, stdout  []byte
	answer, cancel []byte // the person's answer or cancel; nil if there is none
}

func recordings(t testing.TB, agent string) (list []recording) {
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
		r := recording{name: strings.TrimSuffix(filepath.Base(file), ".txtar")}
		for _, f := range txtar.Parse(raw).Files {
			data := append([]byte{}, f.Data...)
			switch f.Name {
			case "stdin":
				r.stdin = data
			case "stdout":
				r.stdout = data
			case "answer":
				r.answer = data
			case "cancel":
				r.cancel = data
			case "unfit":
				r.unfit = queue.Unfit(strings.TrimSpace(string(data)))
			case "title":
				r.title = strings.TrimSpace(string(data))
			}
		}
		list = append(list, r)
	}
	return list
}

// isAnswered reports whether the recording has an answer. If not, it checks that the prompt is shown with its title, or
// is unfit for the reason in the recording, or that there is none.
func (r recording) isAnswered(t testing.TB, asked Asked, ok bool) bool {
	if r.answer != nil || r.cancel != nil {
		return true
	}
	require.Equal(t, r.title != "", ok, "%+v", asked.Ask)
	require.Equal(t, r.unfit, asked.Unfit)
	require.Equal(t, r.title, asked.Ask.Title)
	return false
}

// settled returns the prompt as a session that the person has answered or cancelled.
func settled(t testing.TB, a Asked, r recording) queue.Session {
	q := queue.New(storetest.NewMemory())
	a.Ask.TimeoutSeconds, a.Ask.OnTimeout = 300, queue.OnTimeoutNone
	a.Origin.Instance = "hook"
	s, err := q.Create(t.Context(), queue.Session{Ask: a.Ask, Origin: a.Origin})
	require.NoError(t, err)
	c := queue.Command{By: queue.ByHuman, Surface: queue.SurfaceDashboard,
		Do: queue.Cancel{Reason: strings.TrimSpace(string(r.cancel))}}
	if r.answer != nil {
		var answer queue.Answer
		require.NoError(t, json.Unmarshal(r.answer, &answer))
		c.Do = queue.Settle{Answer: answer, Confirmed: true}
	}
	s, err = q.Do(t.Context(), s.ID, c)
	require.NoError(t, err)
	return s
}

func recorded(t testing.TB, agent, name string) []byte {
	for _, r := range recordings(t, agent) {
		if r.name == name {
			return r.stdin
		}
	}
	require.Fail(t, "not recorded: "+name)
	return nil
}

func token() string { return "token" }

// exactOf returns the ids of the options whose rule is exact.
func exactOf(a Asked) (ids []string) {
	for _, o := range a.Ask.Questions[0].Options {
		if o.Exact {
			ids = append(ids, o.ID)
		}
	}
	return ids
}

func intake(t *testing.T, store queue.Store) (*Intake, *queue.Queue) {
	q := queue.New(store)
	in, err := Open(t.Context(), Options{Queue: q, Settings: config.Default})
	require.NoError(t, err)
	t.Cleanup(func() { _ = in.Close() })
	return in, q
}

// linkedProject makes a project whose links lead to several places, and returns the directory above it, without links.
func linkedProject(t *testing.T) string {
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

// checkAsked fails if a prompt that was read is neither one that the queue takes nor one with a reason, or if it has an
// answer that is not JSON.
func checkAsked(t *testing.T, a Asked, ok bool) {
	t.Helper()
	if !ok {
		return
	}
	require.NotEmpty(t, a.Origin.Source)
	require.NotEmpty(t, a.Ask.Title)
	require.NotNil(t, a.Render)
	if a.Unfit != "" {
		require.Contains(t, []queue.Unfit{queue.UnfitAnswer, queue.UnfitSecret, queue.UnfitLarge, queue.UnfitShown}, a.Unfit)
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
	out := a.Render(queue.Session{Ask: a.Ask, Outcome: &queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, Answer: answer}})
	require.True(t, len(out) == 0 || json.Valid(out), "%s", out)
}

// fuzzHook is a fuzz target for the hook of an agent: the recordings are its first inputs.
func fuzzHook(f *testing.F, name string, read func([]byte, func() string) (Asked, bool)) {
	for _, r := range recordings(f, name) {
		f.Add(bytes.TrimSpace(r.stdin))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		a, ok := read(raw, token)
		checkAsked(t, a, ok)
	})
}

// shownAs returns the parts of an approval in one text: `kind label: text`.
func shownAs(a queue.Ask) string {
	var list []string
	for _, p := range a.Approval.Parts {
		list = append(list, fmt.Sprintf("%s [%s] %s", p.Kind, p.Label, p.Text))
	}
	return strings.Join(list, "\n")
}
