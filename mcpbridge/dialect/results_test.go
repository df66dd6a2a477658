package dialect

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

const (
	choiceAsked = `{"question": "The order service needs transactions across carts and payments. Which database?", "options": [
		{"title": "Use PostgreSQL", "description": "Transactions and JSONB.", "isRecommended": true}, {"title": "Use SQLite", "description": "One file."}]}`
	hitlAsked = `{"question": "Drop table orders_2019? It has 4,112,080 rows, its last backup is of 03:00 today and nothing reads it.",
		"options": ["Drop it", "Keep it"], "requireConfirmation": true, "confirmationMessage": "This cannot be undone."}`
	questionsAsked = `{"questions": [
		{"question": "Which password hash shall new accounts get? Old hashes are upgraded at the next login.", "header": "Hash",
		 "options": [{"label": "argon2id (Recommended)"}, {"label": "bcrypt"}], "multiSelect": false},
		{"question": "Which checks?", "header": "Checks", "options": ["lint (Recommended)", "test"], "multiSelect": true}]}`
)

// askedBy returns a session of a format, as its tool's call creates it.
func askedBy(t testing.TB, d Dialect, arguments string) queue.Session {
	req, err := d.Parse(json.RawMessage(arguments))
	require.NoError(t, err)
	return queue.Session{
		ID: "k7f3m2qx", AskedAt: asked, Deadline: asked.Add(5 * time.Minute), Origin: queue.Origin{Dialect: d.Tool.Name}, Ask: req.Ask,
		Events: []queue.Event{{Kind: queue.EventAsked, At: asked}},
	}
}

// answers returns the replies in the order of the questions, judged as the person's are.
func answers(t testing.TB, s queue.Session, replies ...queue.Reply) queue.Answer {
	for i := range replies {
		replies[i].Question = s.Ask.Questions[i].ID
	}
	ans, err := s.Ask.Accept(queue.Answer{Replies: replies})
	require.NoError(t, err)
	return ans
}

func over(s queue.Session, status, by, reason string, ans queue.Answer) queue.Session {
	s.Outcome = &queue.Outcome{Status: status, By: by, Reason: reason, Answer: ans, At: asked.Add(time.Minute)}
	return s
}

// resultsOf returns the results of a format for every state of a session.
func resultsOf(t testing.TB, d Dialect, arguments string, replies map[string][]queue.Reply) map[string]Result {
	pending, at := askedBy(t, d, arguments), Delivery{Now: asked.Add(90 * time.Second)}
	render := func(s queue.Session) Result { return For(s.Origin.Dialect).Render(s, at) }
	out := map[string]Result{
		"cancelled":               render(over(pending, queue.StatusCancelled, queue.ByHuman, "not now", queue.Answer{})),
		"more detail":             render(wantsMore(over(pending, queue.StatusCancelled, queue.ByHuman, "what it costs", queue.Answer{}))),
		"withdrawn":               render(over(pending, queue.StatusCancelled, queue.ByCaller, queue.CallerGone, queue.Answer{})),
		"timeout":                 render(over(pending, queue.StatusTimeout, queue.ByClock, "", queue.Answer{})),
		"timeout, under defaults": render(over(pending, queue.StatusTimeout, queue.ByClock, "", queue.StartAnswer(pending.Ask))),
		"still waiting":           render(pending),
		"handed off":              d.Render(pending, Delivery{Now: at.Now, Attach: "choicetui attach k7f3m2qx"}),
		"refused":                 d.Fail(Invalid([]queue.Problem{{Path: "options[1]", Wrong: `"Drop it" is the same as options[0]`, Want: "different options"}})),
		"unknown":                 d.Fail(Failure{Code: CodeNotFound, ID: "zzzzzzzz", Message: "There is no such session."}),
	}
	for name, r := range replies {
		ans := answers(t, pending, r...)
		status := queue.StatusCustom
		for _, one := range ans.Replies {
			if len(one.Selected) > 0 {
				status = queue.StatusSelected
			}
		}
		out[name] = render(over(pending, status, queue.ByHuman, "", ans))
	}
	used := over(pending, queue.StatusCancelled, queue.ByHuman, "no", queue.Answer{})
	used.Events = append(used.Events, queue.Event{Kind: queue.EventCollected, By: queue.ByCaller, At: asked.Add(2 * time.Minute)})
	out["used up"] = d.Fail(Failure{Code: CodeUsed, ID: used.ID, Session: &used, Message: "It was fetched before."})
	return out
}

func everyResult(t testing.TB) map[string]map[string]Result {
	choice := resultsOf(t, requestUserChoice, choiceAsked, map[string][]queue.Reply{
		"selected":  {{Selected: []string{"Use PostgreSQL"}}},
		"own words": {{Text: "Neither: ask <ops> \u202e first"}},
	})
	meagre := askedBy(t, requestUserChoice, `{"question": "Ok?", "options": ["Yes"]}`)
	choice["advice"] = renderUserChoice(over(meagre, queue.StatusSelected, queue.ByHuman, "", answers(t, meagre, queue.Reply{Selected: []string{"Yes"}})), Delivery{})
	again := askedBy(t, requestUserChoice, choiceAsked)
	choice["joined"] = renderUserChoice(over(again, queue.StatusSelected, queue.ByHuman, "", answers(t, again, queue.Reply{Selected: []string{"Use SQLite"}})), Delivery{Joined: "given before"})

	hitl := resultsOf(t, hitlRequest, hitlAsked, map[string][]queue.Reply{"confirmed": {{Selected: []string{"Drop it"}}}})
	plainGo := askedBy(t, hitlRequest, `{"question": "Go?", "options": ["Go", "No"], "defaultOption": "No"}`)
	hitl["timeout, with a default"] = renderHITL(over(plainGo, queue.StatusTimeout, queue.ByClock, "", queue.StartAnswer(plainGo.Ask)), Delivery{})

	questions := resultsOf(t, askUserQuestion, questionsAsked, map[string][]queue.Reply{
		"answered":  {{Selected: []string{"argon2id (Recommended)"}}, {Selected: []string{"lint (Recommended)", "test"}}},
		"own words": {{Text: "scrypt"}, {Selected: []string{"test"}, Text: "and a race test"}},
		"notes":     {{Selected: []string{"bcrypt"}, Notes: map[string]string{"bcrypt": "cost 12", "argon2id (Recommended)": "no memory"}}, {Selected: []string{"test"}}},
	})
	maps.Copy(choice, teamResults(t, requestUserChoice, choiceAsked, queue.Reply{Selected: []string{"Use SQLite"}}))
	maps.Copy(questions, teamResults(t, askUserQuestion, questionsAsked,
		queue.Reply{Selected: []string{"bcrypt"}}, queue.Reply{Selected: []string{"test"}}))
	return map[string]map[string]Result{nameUserChoice: choice, nameHITL: hitl, nameQuestions: questions}
}

// TestEveryFormatsResultsOnTheWire compares with the golden files; -update writes them again.
func TestEveryFormatsResultsOnTheWire(t *testing.T) {
	type wire struct {
		Text       []string        `json:"text"` // by line
		Structured json.RawMessage `json:"structured"`
		IsError    bool            `json:"is_error,omitempty"`
	}
	for name, all := range everyResult(t) {
		golden := filepath.Join("..", "..", "testdata", "mcp", name+"_results.json")
		got := map[string]wire{}
		for state, r := range all {
			got[state] = wire{strings.Split(r.Text, "\n"), r.Structured, r.IsError}
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
}

// outcomesOf returns an outcome for each ending that the caller of a tool can meet. A session that was answered elsewhere
// was asked in an agent's own prompt, by no tool.
func outcomesOf(ans queue.Answer) (list []queue.Outcome) {
	for _, e := range queue.Endings() {
		o := queue.Outcome{Status: e.Name, By: queue.ByHuman, At: asked.Add(time.Minute)}
		switch {
		case e.Elsewhere, e.Unlisted:
			continue
		case e.Name == queue.StatusWithdrawn:
			o.Status, o.By = queue.StatusCancelled, queue.ByCaller
		case e.Name == queue.StatusByRule:
			o.Status, o.By = queue.StatusSelected, queue.ByRule
		}
		if o.Answered() {
			o.Answer = ans
		}
		list = append(list, o)
	}
	return list
}

// TestStatusEnumsNameEveryEnding: a schema lists exactly the statuses that its format makes of the table of endings, of
// a question that waits, and of a call that failed.
func TestStatusEnumsNameEveryEnding(t *testing.T) {
	for _, one := range []struct {
		d         Dialect
		field     string
		arguments string
		reply     []queue.Reply
	}{
		{provideChoice, "action_status", `{"title": "Store", "prompt": "Which?", "selection_mode": "single",
			"options": [{"id": "pg", "label": "PostgreSQL", "recommended": true}, {"id": "lite", "label": "SQLite"}]}`,
			[]queue.Reply{{Selected: []string{"pg"}}}},
		{requestUserChoice, "status", choiceAsked, []queue.Reply{{Selected: []string{"Use SQLite"}}}},
		{hitlRequest, "status", hitlAsked, []queue.Reply{{Selected: []string{"Drop it"}}}},
		{askUserQuestion, "status", questionsAsked,
			[]queue.Reply{{Selected: []string{"bcrypt"}}, {Selected: []string{"test"}}}},
	} {
		s := askedBy(t, one.d, one.arguments)
		results := []Result{one.d.Render(s, Delivery{Now: asked}), one.d.Fail(Failure{Code: CodeNotFound})}
		for _, o := range outcomesOf(answers(t, s, one.reply...)) {
			s.Outcome = &o
			results = append(results, one.d.Render(s, Delivery{Now: asked}))
		}
		made := map[string]bool{}
		for _, r := range results {
			fields := plain(t, r.Structured).(map[string]any)
			if status, ok := fields[one.field].(string); ok { // a failed call may have none
				made[status] = true
			}
		}
		var schema struct {
			Properties map[string]struct{ Enum []string }
		}
		require.NoError(t, json.Unmarshal(one.d.Tool.Output(), &schema))
		require.ElementsMatch(t, slices.Collect(maps.Keys(made)), schema.Properties[one.field].Enum,
			"A: what is rendered; B: the enum of %s in tools/%s/output.json", one.field, one.d.Tool.Name)
	}
}

// TestResultsFitTheSchemaOfEveryToolThatCanReturnThem: provide_choice and poll_selection continue any session.
func TestResultsFitTheSchemaOfEveryToolThatCanReturnThem(t *testing.T) {
	for name, all := range everyResult(t) {
		for _, tool := range []Tool{For(name).Tool, provideChoice.Tool, pollSelection.Tool} {
			schema := compile(t, tool.Output())
			for state, r := range all {
				require.NoError(t, schema.Validate(plain(t, r.Structured)), "%s %s from %s", name, state, tool.Name)
			}
		}
		known := plain(t, For(name).Tool.Output()).(map[string]any)["properties"].(map[string]any)
		for state, r := range all {
			for field := range plain(t, r.Structured).(map[string]any) {
				require.Contains(t, known, field, "%s %s", name, state)
			}
		}
	}
	poll := compile(t, pollSelection.Tool.Output())
	for state, r := range results() {
		require.NoError(t, poll.Validate(plain(t, r.Structured)), state)
	}
}

func TestEveryFactOfEveryFormatIsInTheTextToo(t *testing.T) {
	for name, all := range everyResult(t) {
		for state, r := range all {
			var facts map[string]any
			require.NoError(t, json.Unmarshal(r.Structured, &facts))
			if facts["error"] != nil {
				require.Contains(t, r.Text, facts["message"])
				for _, p := range asList(facts["problems"]) {
					for _, fact := range p.(map[string]any) {
						require.Contains(t, r.Text, fact, name)
					}
				}
				continue
			}
			if answer, ok := facts["answer"]; ok && name == nameUserChoice {
				require.Equal(t, answer, r.Text, "exactly the answer")
				continue
			}
			if name == nameUserChoice && r.IsError {
				require.True(t, strings.HasPrefix(r.Text, "No choice was made: "), r.Text)
				continue
			}
			requireTold(t, r, name+" "+state)
		}
	}
}

func TestOnlyAConfirmationIsOK(t *testing.T) {
	for state, r := range everyResult(t)[nameHITL] {
		var got map[string]any
		require.NoError(t, json.Unmarshal(r.Structured, &got))
		for _, field := range []string{"ok", "status", "confirmed", "selectedOption", "requestId"} {
			require.Contains(t, got, field, state)
		}
		require.Equal(t, got["ok"], got["confirmed"])
		require.Equal(t, state == "confirmed", got["ok"], state)
		require.Equal(t, got["ok"], got["selectedOption"] != nil, state)
		require.NotEqual(t, "cancelled", got["status"], "one l")
	}
}

func TestAnswersKeepTheOrderOfTheQuestions(t *testing.T) {
	r := everyResult(t)[nameQuestions]["answered"]
	require.Less(t, strings.Index(string(r.Structured), "Which password hash"), strings.Index(string(r.Structured), "Which checks?"))
	var got struct{ Answers map[string]string }
	require.NoError(t, json.Unmarshal(r.Structured, &got))
	require.Equal(t, "lint (Recommended), test", got.Answers["Which checks?"])
}

func TestAUserChoiceIsReportedAsItWasAsked(t *testing.T) {
	s := askedBy(t, requestUserChoice, choiceAsked)
	question, options, ok := RequiredChoice(s)
	require.True(t, ok)
	require.Equal(t, "The order service needs transactions across carts and payments. Which database?", question)
	require.Equal(t, []RequiredOption{{"Use PostgreSQL", "Transactions and JSONB.", true}, {"Use SQLite", "One file.", false}}, options)
	_, _, ok = RequiredChoice(askedBy(t, hitlRequest, hitlAsked))
	require.False(t, ok)
}

func TestEveryFormatTellsTheModelWhatThePersonWantsToKnow(t *testing.T) {
	want := "The person wants more detail before deciding: “what it costs”. Ask again with it."
	for name, all := range everyResult(t) {
		var facts map[string]any
		require.NoError(t, json.Unmarshal(all["more detail"].Structured, &facts), name)
		require.Equal(t, "more_detail", facts["reason_code"], name)
		require.Contains(t, facts["message"], want, name)
		require.Contains(t, all["more detail"].Text, want, name)
	}
	var facts provideResult
	require.NoError(t, json.Unmarshal(results()["more detail"].Structured, &facts))
	want = "The person wants more detail before deciding: “what a month costs”. Ask again with it."
	require.Equal(t, want, facts.Selection.Summary)
	require.Equal(t, "more_detail", facts.ReasonCode)
	require.Equal(t, "what a month costs", facts.Reason)
	require.Contains(t, results()["more detail"].Text, want)
}
