package dialect

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

var update = flag.Bool("update", false, "write the golden requests and results anew")

// wireCase holds one request of an agent and the result of reading it.
type wireCase struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Lenient   bool            `json:"lenient,omitempty"` // spelled in a way the schema does not promise
	Question  *queue.Question `json:"question,omitempty"`
	Problems  []queue.Problem `json:"problems,omitempty"`
}

var requestsFile = filepath.Join("..", "..", "testdata", "mcp", "provide_choice_requests.json")

func wireCases(t testing.TB) []wireCase {
	raw, err := os.ReadFile(requestsFile)
	require.NoError(t, err)
	var cases []wireCase
	require.NoError(t, json.Unmarshal(raw, &cases))
	return cases
}

// TestProvideChoiceReadsOrRefusesEveryRequest compares with the golden file, which holds the queue's wording too;
// -update writes what comes out, for a person to read over.
func TestProvideChoiceReadsOrRefusesEveryRequest(t *testing.T) {
	cases := wireCases(t)
	if *update {
		for i := range cases {
			refresh(&cases[i])
		}
		writeCases(t, cases)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			req, err := provideChoice.Parse(c.Arguments)
			if len(c.Problems) > 0 {
				var bad *queue.Invalid
				require.ErrorAs(t, err, &bad)
				require.Equal(t, c.Problems, bad.Problems)
				return
			}
			require.NoError(t, err)
			require.Equal(t, *c.Question, req.Ask.Questions[0])
			req.Ask.TimeoutSeconds, req.Ask.OnTimeout = 300, queue.OnTimeoutNone
			require.Empty(t, req.Ask.Check(), "what Parse lets through, the queue takes")
		})
	}
}

// refresh updates the wording of a case. Whether the request is refused is written by hand.
func refresh(c *wireCase) {
	var bad *queue.Invalid
	req, err := provideChoice.Parse(c.Arguments)
	switch {
	case errors.As(err, &bad) && len(c.Problems) > 0:
		c.Problems = bad.Problems
	case err == nil && len(c.Problems) == 0:
		c.Question = &req.Ask.Questions[0]
	}
}

func writeCases(t *testing.T, cases []wireCase) {
	var raw bytes.Buffer
	enc := json.NewEncoder(&raw)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	require.NoError(t, enc.Encode(cases))
	require.NoError(t, os.WriteFile(requestsFile, raw.Bytes(), 0o644))
}

const plainAsk = `{"title": "T", "prompt": "P", "selection_mode": "single", "options": [{"id": "a", "recommended": true}, {"id": "b"}]%s}`

func with(fields string) json.RawMessage {
	if fields != "" {
		fields = ", " + fields
	}
	return json.RawMessage(fmt.Sprintf(plainAsk, fields))
}

func problemsOf(t *testing.T, raw json.RawMessage) []queue.Problem {
	t.Helper()
	_, err := provideChoice.Parse(raw)
	var bad *queue.Invalid
	require.ErrorAs(t, err, &bad, "%.200s", raw)
	return bad.Problems
}

func paths(problems []queue.Problem) (out []string) {
	for _, p := range problems {
		out = append(out, p.Path)
	}
	return out
}

func TestProvideChoiceKeepsWhatTheSettingsDecide(t *testing.T) {
	req, err := provideChoice.Parse(with(""))
	require.NoError(t, err)
	require.Nil(t, req.Timeout)
	require.Nil(t, req.SingleSubmit)
	require.Equal(t, TransportAuto, req.Transport)

	req, err = provideChoice.Parse(with(`"timeout_seconds": "60", "single_submit_mode": "True", "transport": "Terminal", "global_annotation": "c"`))
	require.NoError(t, err)
	require.Equal(t, 60, *req.Timeout)
	require.True(t, *req.SingleSubmit)
	require.Equal(t, TransportTerminal, req.Transport)
	require.Equal(t, "c", req.Ask.Comment)
}

func TestAPollIgnoresEveryOtherField(t *testing.T) {
	req, err := provideChoice.Parse(json.RawMessage(`{"session_id": " K7F3M2QX ", "wait_seconds": "5", "title": 3, "nonsense": []}`))
	require.NoError(t, err)
	require.Equal(t, "k7f3m2qx", req.Poll.Session)
	require.Equal(t, 5*time.Second, *req.Poll.Wait)

	req, err = provideChoice.Parse(json.RawMessage(`{"session_id": "k7f3m2qx"}`))
	require.NoError(t, err)
	require.Nil(t, req.Poll.Wait)

	for _, wait := range []string{"-1", "86401", "1.5", `"soon"`, "[]"} {
		require.Equal(t, []string{"wait_seconds"}, paths(problemsOf(t, json.RawMessage(`{"session_id": "k7f3m2qx", "wait_seconds": `+wait+`}`))))
	}
	require.Equal(t, []string{"session_id"}, paths(problemsOf(t, json.RawMessage(`{"session_id": 7}`))))

	req, err = provideChoice.Parse(with(`"session_id": ""`))
	require.NoError(t, err)
	require.Nil(t, req.Poll, "blank is what some models send for none")
}

func TestWhatGoWouldSilentlyReplaceIsRefused(t *testing.T) {
	for name, bad := range map[string]string{
		"bytes that are no UTF-8": "\"a\xffb\"",
		"an overlong form":        "\"a\xc0\xafb\"",
		"an encoded surrogate":    "\"\xed\xa0\x80\"",
		"half a pair":             `"x\ud83d"`,
		"half a pair, then text":  `"\ud83dx"`,
		"half a pair, then \\n":   `"\ud83d\n"`,
		"two first halves":        `"\ud83d\ud83d\ude00"`,
		"the second half alone":   `"\ude00"`,
	} {
		t.Run(name, func(t *testing.T) {
			raw := strings.Replace(string(with("")), `"P"`, bad, 1)
			require.Equal(t, []string{"prompt"}, paths(problemsOf(t, json.RawMessage(raw))))
			raw = strings.Replace(string(with("")), `{"id": "b"}`, `{"id": `+bad+`}`, 1)
			require.Equal(t, []string{"options[1].id"}, paths(problemsOf(t, json.RawMessage(raw))))
		})
	}
	req, err := provideChoice.Parse(json.RawMessage(strings.Replace(string(with("")), `"P"`, `"\ud83d\ude00 \\ud83d \u0041"`, 1)))
	require.NoError(t, err)
	require.Equal(t, "😀 \\ud83d A", req.Ask.Prompt, "a whole pair and an escaped backslash are fine")
}

func TestLargeRequestsAreRefusedShortly(t *testing.T) {
	option := `{"id": "o%d", "recommended": true}`
	var many []string
	for i := range 10_000 {
		many = append(many, fmt.Sprintf(option, i))
	}
	raw := `{"title": "T", "prompt": "P", "selection_mode": "multi", "default_selection_ids": ["nope"], "options": [` + strings.Join(many, ",") + `]}`
	require.Equal(t, []string{"options"}, paths(problemsOf(t, json.RawMessage(raw))))

	prompt := strings.Repeat("x", 10<<20)
	problems := problemsOf(t, json.RawMessage(strings.Replace(string(with("")), `"P"`, `"`+prompt+`"`, 1)))
	require.Equal(t, "prompt", problems[0].Path)
	require.Less(t, len(Fail(Invalid(problems)).Text), 1000)

	ids := strings.Repeat(`"zz",`, 9_999) + `"zz"`
	require.Equal(t, []string{"default_selection_ids"}, paths(problemsOf(t, with(`"default_selection_ids": [`+ids+`]`))))

	var fields []string
	for i := range 10_000 {
		fields = append(fields, fmt.Sprintf(`"field%d": 1`, i))
	}
	res := Fail(Invalid(problemsOf(t, with(strings.Join(fields, ",")))))
	require.Less(t, len(res.Text), 20_000)
	require.Contains(t, res.Text, "more of this kind")
	require.Contains(t, string(res.Structured), `"more_problems":`)
}

func TestProblemsQuoteTheAgentSafely(t *testing.T) {
	evil := "\u202e" + strings.Repeat("long", 100) + "\x1b[2J"
	raw, _ := json.Marshal(map[string]any{"title": "T", "prompt": "P", "selection_mode": evil, evil: 1, "transport": evil})
	res := Fail(Invalid(problemsOf(t, raw)))
	require.NotContains(t, res.Text, "\u202e")
	require.NotContains(t, res.Text, "\x1b")
	require.Contains(t, res.Text, "<U+202E>")
	require.Less(t, len(res.Text), 1500)
}

func TestAnUnknownFieldNamesTheNearestKnownOne(t *testing.T) {
	for field, known := range map[string]string{
		"selectionMode": "selection_mode", "selection-mode": "selection_mode", "Title": "title", "optoins": "options",
		"timeout": "timeout_seconds", "min": "min_selections", "note": "global_annotation", "multiSelect": "selection_mode",
		"defaultSelectionIds": "default_selection_ids", "qqqqqqqqqqqqqqqqqqqqq": "",
	} {
		p := problemsOf(t, with(`"`+field+`": 1`))
		require.Equal(t, []string{field}, paths(p))
		require.Contains(t, p[0].Want, "leave it out")
		if field != "note" {
			require.Contains(t, p[0].Want, known)
		}
	}
	p := problemsOf(t, json.RawMessage(strings.Replace(string(with("")), `{"id": "b"}`, `{"id": "b", "name": "B"}`, 1)))
	require.Equal(t, []queue.Problem{{Path: "options[1].name", Wrong: "is not a known field", Want: `use "label", or leave it out`}}, p)
}

func TestRequestsThatAreNoObject(t *testing.T) {
	for _, raw := range []string{`[]`, `3`, `"text"`, `true`, `{"a"`, `{"a":}`, `x`} {
		require.Equal(t, []string{""}, paths(problemsOf(t, json.RawMessage(raw))), raw)
	}
	for _, raw := range []string{``, `null`, `{}`, ` {} `, `"{}"`} {
		require.Equal(t, []string{"selection_mode", "title", "prompt"}, paths(problemsOf(t, json.RawMessage(raw))), raw)
	}
}

func FuzzProvideChoice(f *testing.F) {
	for _, c := range wireCases(f) {
		f.Add([]byte(c.Arguments))
	}
	f.Add([]byte(`{"session_id":"k7f3m2qx","wait_seconds":1e400}`))
	f.Add([]byte("{\"title\":\"\xff\"}"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		req, err := provideChoice.Parse(raw)
		if err != nil {
			var bad *queue.Invalid
			require.ErrorAs(t, err, &bad)
			require.NotEmpty(t, bad.Problems)
			res := Fail(Invalid(bad.Problems))
			require.True(t, json.Valid(res.Structured))
			return
		}
		if req.Poll != nil {
			return
		}
		req.Ask.TimeoutSeconds, req.Ask.OnTimeout = 300, queue.OnTimeoutNone
		require.Empty(t, req.Ask.Check())
	})
}

func BenchmarkParseAndRender(b *testing.B) {
	raw := with(`"timeout_seconds": 60, "default_selection_ids": ["a"]`)
	at := time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC)
	for b.Loop() {
		req, err := provideChoice.Parse(raw)
		if err != nil {
			b.Fatal(err)
		}
		s := queue.Session{ID: "k7f3m2qx", Ask: req.Ask, Outcome: &queue.Outcome{
			Status: queue.StatusSelected, By: queue.ByHuman, At: at,
			Answer: queue.Answer{Replies: []queue.Reply{{Question: "choice", Selected: []string{"a"}}}},
		}}
		provideChoice.Render(s, Delivery{Now: at})
	}
}
