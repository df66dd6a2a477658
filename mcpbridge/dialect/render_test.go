package dialect

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

var asked = time.Date(2026, 11, 20, 14, 2, 7, 0, time.UTC)

// enough is a prompt without any advice.
const enough = "The order service needs transactions across carts and payments; the choice decides how we migrate. Which?"

func sample() queue.Session {
	return queue.Session{
		ID: "k7f3m2qx", AskedAt: asked, Deadline: asked.Add(5 * time.Minute), Origin: queue.Origin{Dialect: "provide_choice"},
		Ask: queue.Ask{Kind: queue.KindChoice, Title: "Store", Prompt: enough, Questions: []queue.Question{{
			ID: theQuestion, Mode: queue.ModeHybrid, Max: 2,
			Options: []queue.Option{{ID: "pg", Label: "PostgreSQL", Recommended: true}, {ID: "lite", Label: "SQLite <b>"}},
		}}},
		Events: []queue.Event{{Kind: queue.EventAsked, At: asked}},
	}
}

func ended(o queue.Outcome) queue.Session {
	s := sample()
	o.At = asked.Add(time.Minute)
	s.Outcome = &o
	s.Events = append(s.Events, queue.Event{Kind: queue.EventSettled, By: o.By, At: o.At})
	return s
}

// wantsMore returns a cancelled session whose person wants more detail.
func wantsMore(s queue.Session) queue.Session {
	s.Outcome.ReasonCode = queue.ReasonMoreDetail
	return s
}

func reply(selected []string, text string, notes map[string]string) queue.Answer {
	return queue.Answer{Replies: []queue.Reply{{Question: theQuestion, Selected: selected, Text: text, Notes: notes}}}
}

// results returns a result for every state of a session. The golden file shows them on the wire.
func results() map[string]Result {
	render := func(s queue.Session, d Delivery) Result {
		d.Now = asked.Add(90 * time.Second)
		return For(s.Origin.Dialect).Render(s, d)
	}
	attached := sample()
	attached.Attached = &queue.Attachment{At: asked}
	collected := ended(queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, Answer: reply([]string{"pg"}, "", nil)})
	collected.Events = append(collected.Events, queue.Event{Kind: queue.EventCollected, By: queue.ByCaller, At: asked.Add(2 * time.Minute)})
	answer := reply([]string{"pg", "lite"}, "both", map[string]string{"pg": "main"})
	answer.Comment = "soon"
	meagre := ended(queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, Answer: reply([]string{"pg"}, "", nil)})
	meagre.Ask.Prompt, meagre.Ask.Questions[0].Options[1].Label = "Which?", "Other"
	older := []string{"type is now called selection_mode"}
	stopped := sample()
	stopped.Deadline = time.Time{}
	talking, toSumUp := discussing(sample())
	return map[string]Result{
		"selected":          render(ended(queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, Answer: answer}), Delivery{}),
		"selected in web":   render(ended(queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, Surface: queue.SurfaceWeb, Answer: reply([]string{"lite"}, "", nil)}), Delivery{}),
		"selected, joined":  render(ended(queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, Answer: reply([]string{"pg"}, "", nil)}), Delivery{Joined: "given before"}),
		"advice":            render(meagre, Delivery{}),
		"older caller":      render(ended(queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, Answer: reply([]string{"pg"}, "", nil)}), Delivery{Deprecated: older}),
		"older, handed off": render(sample(), Delivery{Attach: "choicetui attach k7f3m2qx", Deprecated: older}),
		"nothing selected":  render(ended(queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, Answer: reply(nil, "", nil)}), Delivery{}),
		"custom input":      render(ended(queue.Outcome{Status: queue.StatusCustom, By: queue.ByHuman, Answer: reply(nil, "a\nb \u202e", nil)}), Delivery{}),
		"cancelled":         render(ended(queue.Outcome{Status: queue.StatusCancelled, By: queue.ByHuman, Reason: "not now"}), Delivery{}),
		"more detail":       render(wantsMore(ended(queue.Outcome{Status: queue.StatusCancelled, By: queue.ByHuman, Reason: "what a month costs"})), Delivery{}),
		"more, no words":    render(wantsMore(ended(queue.Outcome{Status: queue.StatusCancelled, By: queue.ByHuman})), Delivery{}),
		"withdrawn":         render(ended(queue.Outcome{Status: queue.StatusCancelled, By: queue.ByCaller}), Delivery{}),
		"timeout":           render(ended(queue.Outcome{Status: queue.StatusTimeout, By: queue.ByClock}), Delivery{}),
		"timeout, defaults": render(ended(queue.Outcome{Status: queue.StatusTimeout, By: queue.ByClock, Answer: reply([]string{"pg"}, "", nil)}), Delivery{}),
		"handed off":        render(sample(), Delivery{Attach: "choicetui attach k7f3m2qx"}),
		"still waiting":     render(sample(), Delivery{}),
		"form is open":      render(attached, Delivery{Attach: "choicetui attach k7f3m2qx"}),
		"clock stopped":     render(stopped, Delivery{}),
		"with the team":     render(talking, Delivery{}),
		"to be summed up":   render(talking, toSumUp),
		"as the team said":  render(ended(decided(queue.SourceTeam, "They want PostgreSQL.", "")), Delivery{}),
		"the person's own":  render(ended(decided(queue.SourceOwner, "They want <SQLite>\u202e.", "one more server is fine")), Delivery{}),
		"without a summary": render(ended(decided(queue.SourceManual, "", "")), Delivery{}),
		"deferred":          render(ended(deferred("the audit\ncomes first", "")), Delivery{}),
		"deferred, summed":  render(ended(deferred("the audit comes first", "Nobody knows.")), Delivery{}),
		"refused":           Fail(Invalid([]queue.Problem{{Path: "title", Wrong: "is missing or blank", Want: queue.WantsText}, {Path: "options[2].id", Wrong: `"a" is also the id of options[0]`, Want: "a different id for each option"}})),
		"used up":           Fail(Failure{Code: CodeUsed, ID: collected.ID, Session: &collected, Message: "It was fetched before."}),
		"unknown":           Fail(Failure{Code: CodeNotFound, ID: "zzzzzzzz", Message: "There is no such session."}),
	}
}

// TestResultsOnTheWire compares with the golden file; -update writes it again.
func TestResultsOnTheWire(t *testing.T) {
	golden := filepath.Join("..", "..", "testdata", "mcp", "provide_choice_results.json")
	type wire struct {
		Text       []string        `json:"text"` // by line
		Structured json.RawMessage `json:"structured"`
		IsError    bool            `json:"is_error,omitempty"`
	}
	got := map[string]wire{}
	for name, r := range results() {
		got[name] = wire{strings.Split(r.Text, "\n"), r.Structured, r.IsError}
	}
	var raw bytes.Buffer
	enc := json.NewEncoder(&raw)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	require.NoError(t, enc.Encode(got))
	if *update {
		require.NoError(t, os.WriteFile(golden, raw.Bytes(), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), raw.String())
}

func TestEveryFactIsInTheTextToo(t *testing.T) {
	for name, r := range results() {
		var facts map[string]any
		require.NoError(t, json.Unmarshal(r.Structured, &facts))
		if r.IsError {
			for _, p := range asList(facts["problems"]) {
				for _, fact := range p.(map[string]any) {
					require.Contains(t, r.Text, fact, name)
				}
			}
			require.Contains(t, r.Text, facts["message"])
			continue
		}
		requireTold(t, r, name)
	}
}

// requireTold requires that the text contains the structured content, and the discussion once and unchanged outside the
// JSON.
func requireTold(t testing.TB, r Result, name string) {
	t.Helper()
	var facts struct {
		Discussion *summarization `json:"summarization_request"`
	}
	require.NoError(t, json.Unmarshal(r.Structured, &facts))
	told := string(r.Structured)
	if facts.Discussion != nil {
		block := facts.Discussion.Block
		require.Contains(t, r.Text, "\n"+block, name)
		told = strings.Replace(told, `,"block":`+string(compact(block)), "", 1)
		require.NotContains(t, told, `"block"`, name)
	}
	require.Contains(t, r.Text, told, name)
}

func asList(v any) []any {
	l, _ := v.([]any)
	return l
}

func TestSchemasDescribeEveryExample(t *testing.T) {
	in, out := compile(t, provideChoice.Tool.Input()), compile(t, provideChoice.Tool.Output())
	for _, c := range wireCases(t) {
		if len(c.Problems) > 0 || c.Lenient {
			continue
		}
		require.NoError(t, in.Validate(plain(t, c.Arguments)), c.Name)
	}
	require.NoError(t, in.Validate(plain(t, []byte(`{"session_id": "k7f3m2qx", "wait_seconds": 0}`))))
	for name, r := range results() {
		require.NoError(t, out.Validate(plain(t, r.Structured)), name)
	}
}

func TestSchemasAreDescribedAndOpen(t *testing.T) {
	for _, d := range All() {
		for _, schema := range []json.RawMessage{d.Tool.Input(), d.Tool.Output()} {
			described(t, "", plain(t, schema).(map[string]any))
			compile(t, schema)
		}
		require.NotContains(t, plain(t, d.Tool.Output()), "required", "a refusal has none of it")
		require.NotContains(t, string(d.Tool.Output()), `"additionalProperties": false`)
		require.NotEmpty(t, d.Tool.Description())
		require.NotEmpty(t, d.Tool.Title)
	}
	require.NotContains(t, plain(t, provideChoice.Tool.Input()), "required", "a poll needs none of it")
	offered := plain(t, provideChoice.Tool.Input()).(map[string]any)["properties"].(map[string]any)
	for _, f := range provideChoiceFields {
		require.Contains(t, offered, f)
	}
	require.Len(t, offered, len(provideChoiceFields))
}

func described(t *testing.T, at string, schema map[string]any) {
	props, _ := schema["properties"].(map[string]any)
	for name, p := range props {
		p := p.(map[string]any)
		require.NotEmpty(t, p["description"], at+"."+name)
		described(t, at+"."+name, p)
	}
	for _, key := range []string{"items", "additionalProperties"} {
		if inner, ok := schema[key].(map[string]any); ok {
			described(t, at+"[]", inner)
		}
	}
}

func compile(t *testing.T, schema json.RawMessage) *jsonschema.Schema {
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("schema.json", plain(t, schema)))
	s, err := c.Compile("schema.json")
	require.NoError(t, err)
	return s
}

func plain(t *testing.T, raw []byte) any {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	require.NoError(t, err)
	return v
}
