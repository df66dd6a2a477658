package prompt

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

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

func FuzzClaudeHook(f *testing.F)  { fuzzHook(f, "claude", Claude) }
func FuzzCodexHook(f *testing.F)   { fuzzHook(f, "codex-hook", CodexHook) }
func FuzzGeminiHook(f *testing.F)  { fuzzHook(f, "gemini", Gemini) }
func FuzzQwenHook(f *testing.F)    { fuzzHook(f, "qwen", Qwen) }
func FuzzCopilotHook(f *testing.F) { fuzzHook(f, "copilot", Copilot) }

func FuzzPluginLine(f *testing.F) {
	fuzzHook(f, "opencode", func(raw []byte, _ func() string) (Asked, bool) {
		l, ok := ReadLine(raw)
		if !ok {
			return Asked{}, false
		}
		return Opencode(l)
	})
}

func FuzzCodexRequest(f *testing.F) {
	for _, r := range recordings(f, "codex") {
		c := codexRequest(f, r.stdin)
		f.Add(c.Method, []byte(c.ID), []byte(c.Params), []byte(c.Changes), false)
	}
	f.Fuzz(func(t *testing.T, method string, id, params, changes []byte, cut bool) {
		if !json.Valid(id) || !json.Valid(params) { // as they come out of a message
			return
		}
		a, ok := Codex(CodexRequest{Method: method, ID: id, Params: params, Changes: changes, Cut: cut, Cwd: "/src", Server: 7})
		checkAsked(t, a, ok)
	})
}
