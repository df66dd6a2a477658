package dialect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// request holds one request of an agent and the result of reading it, in testdata/mcp/TOOL_requests.json. Whether it
// is refused is written by hand. -update writes the rest, for a person to review.
type request struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Lenient   bool            `json:"lenient,omitempty"` // spelled in a way the schema does not promise
	Refused   bool            `json:"refused,omitempty"`

	Ask      *queue.Ask      `json:"ask,omitempty"`
	Timeout  *int            `json:"timeout_seconds,omitempty"`
	Poll     *Poll           `json:"poll,omitempty"`
	Advice   []string        `json:"advice,omitempty"`
	Problems []queue.Problem `json:"problems,omitempty"`
}

// asking lists the formats that have a file of requests.
var asking = []Dialect{requestUserChoice, hitlRequest, askUserQuestion, pollSelection}

func requestsOf(t testing.TB, d Dialect) (cases []request, file string) {
	file = filepath.Join("..", "..", "testdata", "mcp", d.Tool.Name+"_requests.json")
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &cases))
	return cases, file
}

func TestEveryFormatReadsOrRefusesEveryRequest(t *testing.T) {
	for _, d := range asking {
		cases, file := requestsOf(t, d)
		var got []request
		for _, c := range cases {
			t.Run(d.Tool.Name+"/"+c.Name, func(t *testing.T) {
				g := request{Name: c.Name, Arguments: c.Arguments, Lenient: c.Lenient, Refused: c.Refused}
				req, err := d.Parse(c.Arguments)
				require.Equal(t, c.Refused, err != nil, "%v", err)
				if c.Refused {
					var bad *queue.Invalid
					require.ErrorAs(t, err, &bad)
					g.Problems = bad.Problems
					require.True(t, repairable(g.Problems), "%v", g.Problems)
				} else if g.Poll = req.Poll; req.Poll == nil {
					g.Ask, g.Timeout, g.Advice = &req.Ask, req.Timeout, Advise(d.Tool.Name, req.Ask)
					require.NoError(t, accepted(req.Ask), "what Parse lets through, the queue takes")
				}
				got = append(got, g)
			})
		}
		var raw bytes.Buffer
		enc := json.NewEncoder(&raw)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		require.NoError(t, enc.Encode(got))
		if *update {
			require.NoError(t, os.WriteFile(file, raw.Bytes(), 0o644))
		}
		want, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, string(want), raw.String(), file)
	}
}

// repairable requires that each problem has a path, what is wrong and what would be right, and that no path occurs
// twice.
func repairable(problems []queue.Problem) bool {
	seen := map[string]bool{}
	for _, p := range problems {
		if p.Wrong == "" || p.Want == "" || seen[p.Path] {
			return false
		}
		seen[p.Path] = true
	}
	return true
}

func accepted(a queue.Ask) error {
	a.TimeoutSeconds, a.OnTimeout = 300, queue.OnTimeoutNone
	if problems := a.Check(); len(problems) > 0 {
		return &queue.Invalid{Problems: problems}
	}
	return nil
}

func TestRequestsKeepWhatTheirSchemaPromises(t *testing.T) {
	for _, d := range asking {
		in := compile(t, d.Tool.Input())
		cases, _ := requestsOf(t, d)
		for _, c := range cases {
			if !c.Refused && !c.Lenient {
				require.NoError(t, in.Validate(plain(t, c.Arguments)), d.Tool.Name+": "+c.Name)
			}
		}
	}
}

// TestNoToolCallCreatesAnApproval: approvals come only from `choicetui ask --approval` and hooks.
func TestNoToolCallCreatesAnApproval(t *testing.T) {
	for _, d := range All() {
		for _, c := range append(caseArguments(t, d), string(with(""))) {
			if !strings.HasSuffix(c, "}") {
				continue
			}
			for _, field := range []string{`"kind": "approval"`, `"approval": true`, `"Kind": "approval"`, `"details": "d"`} {
				req, err := d.Parse(json.RawMessage(strings.TrimSuffix(c, "}") + "," + field + "}"))
				require.True(t, err != nil || req.Poll != nil || req.Ask.Kind == queue.KindChoice, c)
			}
		}
	}
}

func caseArguments(t testing.TB, d Dialect) (out []string) {
	if d.Tool.Name == nameProvideChoice {
		for _, c := range wireCases(t) {
			out = append(out, string(c.Arguments))
		}
		return out
	}
	cases, _ := requestsOf(t, d)
	for _, c := range cases {
		out = append(out, string(c.Arguments))
	}
	return out
}

func TestBrokenArgumentsGetASentence(t *testing.T) {
	deep := strings.Repeat(`{"question":`, 5000) + "1" + strings.Repeat("}", 5000)
	for _, d := range All() {
		for _, raw := range []string{
			`[]`, `3`, `"text"`, `true`, `{"a"`, `{"question":}`, `x`, `{"question": "Q", "options": [`, `{"question": "Q"`, "\x00", deep,
			`{"questions": "[{\"question\": \"Q\""}`, `{"options": "[1,2"}`, `{"question": "Q", "question": "R", "session_id": 7}`,
			strings.Repeat("[", 20_000), "{\"question\": \"\xff\", \"session_id\": \"\xff\"}",
		} {
			_, err := d.Parse(json.RawMessage(raw))
			var bad *queue.Invalid
			require.ErrorAs(t, err, &bad, "%s %.60s", d.Tool.Name, raw)
			res := d.Fail(Invalid(bad.Problems))
			require.True(t, res.IsError)
			require.True(t, json.Valid(res.Structured))
			require.Less(t, len(res.Text), 4000, "%s %.60s", d.Tool.Name, raw)
		}
	}
}

func TestHugeListsAreRefusedShortly(t *testing.T) {
	many := strings.Repeat(`"x",`, 9_999) + `"x"`
	for _, d := range []Dialect{requestUserChoice, hitlRequest} {
		require.Equal(t, []string{"options"}, refusedAt(t, d, `{"question": "Q", "options": [`+many+`]}`))
	}
	require.Equal(t, []string{"questions"}, refusedAt(t, askUserQuestion, `{"questions": [`+many+`]}`))
	require.Equal(t, []string{"questions[0].options"}, refusedAt(t, askUserQuestion, `{"questions": [{"question": "Q", "options": [`+many+`]}]}`))
	require.Equal(t, []string{"question", ""}, refusedAt(t, requestUserChoice, `{"question": "`+strings.Repeat("x", 10<<20)+`", "options": ["a"]}`))
}

func refusedAt(t *testing.T, d Dialect, raw string) []string {
	t.Helper()
	_, err := d.Parse(json.RawMessage(raw))
	var bad *queue.Invalid
	require.ErrorAs(t, err, &bad, "%.100s", raw)
	require.Less(t, len(d.Fail(Invalid(bad.Problems)).Text), 1000)
	return paths(bad.Problems)
}

func TestOlderCallersOfProvideChoiceKeepWorking(t *testing.T) {
	older := `{"title": "T", "prompt": "P", "type": %q, "allow_cancel": false, "options": [{"id": "a", "description": "d"}, {"id": "b", "description": "e"}]}`
	for mode, now := range map[string]string{
		"single_select": queue.ModeSingle, "multi_select": queue.ModeMulti, "Multi-Select": queue.ModeMulti, "hybrid": queue.ModeHybrid, "single": queue.ModeSingle,
	} {
		req, err := provideChoice.Parse(json.RawMessage(fmt.Sprintf(older, mode)))
		require.NoError(t, err)
		require.Equal(t, now, req.Ask.Questions[0].Mode)
		require.Equal(t, "a", req.Ask.Questions[0].Options[0].Label, "a label is not needed")
		require.NoError(t, accepted(req.Ask))
		require.Contains(t, req.Deprecated[0], "selection_mode")
		require.Contains(t, req.Deprecated[len(req.Deprecated)-1], "recommended")
	}
	req, err := provideChoice.Parse(json.RawMessage(`{"title": "T", "prompt": "P", "type": "text_input", "placeholder": "p"}`))
	require.NoError(t, err)
	require.Len(t, req.Deprecated, 1)

	req, err = provideChoice.Parse(json.RawMessage(strings.Replace(string(with("")), `"single"`, `"single_select"`, 1)))
	require.NoError(t, err)
	require.Equal(t, []string{"single_select is now selection_mode single"}, req.Deprecated)

	req, err = provideChoice.Parse(with(""))
	require.NoError(t, err)
	require.Empty(t, req.Deprecated)

	require.Equal(t, []string{"type"}, paths(problemsOf(t, with(`"type": "single_select"`))), "both: which one is meant?")
	require.Equal(t, []string{"type"}, paths(problemsOf(t, json.RawMessage(fmt.Sprintf(older, "radio")))))
	require.Equal(t, []string{"type"}, paths(problemsOf(t, json.RawMessage(strings.Replace(older, "%q", "7", 1)))))
}

func fuzzDialect(f *testing.F, d Dialect) {
	for _, c := range caseArguments(f, d) {
		f.Add([]byte(c))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		req, err := d.Parse(raw)
		if err != nil {
			var bad *queue.Invalid
			require.ErrorAs(t, err, &bad)
			require.NotEmpty(t, bad.Problems)
			res := d.Fail(Invalid(bad.Problems))
			require.True(t, json.Valid(res.Structured))
			require.True(t, res.IsError)
			return
		}
		if req.Poll != nil {
			return
		}
		require.Equal(t, queue.KindChoice, req.Ask.Kind)
		require.NoError(t, accepted(req.Ask))
		Advise(d.Tool.Name, req.Ask)
		s := queue.Session{ID: "k7f3m2qx", Ask: req.Ask, Origin: queue.Origin{Dialect: d.Tool.Name}}
		require.True(t, json.Valid(d.Render(s, Delivery{}).Structured))
		answer := queue.StartAnswer(req.Ask)
		for i, q := range req.Ask.Questions {
			if answer.Replies[i].Text, answer.Replies[i].Selected = "own", nil; len(q.Options) > 0 {
				answer.Replies[i].Text, answer.Replies[i].Selected = "", []string{q.Options[0].ID}
			}
		}
		if answer, err = req.Ask.Accept(answer); err != nil {
			return
		}
		s.Outcome = &queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, Answer: answer}
		require.True(t, json.Valid(d.Render(s, Delivery{}).Structured))
	})
}

func FuzzRequestUserChoice(f *testing.F) { fuzzDialect(f, requestUserChoice) }
func FuzzHITLRequest(f *testing.F)       { fuzzDialect(f, hitlRequest) }
func FuzzAskUserQuestion(f *testing.F)   { fuzzDialect(f, askUserQuestion) }
func FuzzPollSelection(f *testing.F)     { fuzzDialect(f, pollSelection) }
