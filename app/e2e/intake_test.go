package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// The tests below make prompts of every intake from a description of what the agent may send: each field that may be
// missing is left out, empty, short, as long as a limit of ours, one longer, and ten times as long; each list is empty,
// of one and of 300. The tables say before what has to become of each. Nothing may be silent.
//
//	a table ─► prompts ─► the program, as the agent runs it ─► shown and answered, or a notice with this reason

// way is what has to become of a prompt.
type way string

const (
	shown   way = ""        // it is shown, and the answer is one that the agent accepts
	asText  way = "as text" // it is shown, and takes own words
	notSent way = "-"       // the agent never leaves the field out
	large       = way(queue.UnfitLarge)
	unable      = way(queue.UnfitAnswer)
	unclear     = way(queue.UnfitShown)
	secret      = way(queue.UnfitSecret)
)

// sizes are the variants of a field with text: absent, empty, short, at the limit, one above it, ten times the limit.
type sizes [6]way

var (
	allShown = sizes{}
	// decided is for what a person decides about, with the limit of queue.MaxDecided.
	decided = sizes{shown, shown, shown, shown, large, large}
)

// names of the variants, for the test's output.
var sizeNames = [6]string{"absent", "empty", "short", "at the limit", "one above", "ten times"}

// textField describes a text at a path in a prompt: names and indices.
type textField struct {
	path  []any
	limit int // in characters; the fixed part of what is decided is subtracted by fill
	want  sizes
}

// listField describes a list at a path. one returns its i-th entry.
type listField struct {
	path []any
	one  func(i int) any
	want [4]way // absent, empty, of one, of 300
}

// intakeCase describes one prompt of an agent.
type intakeCase struct {
	name   string
	prompt map[string]any // all of it, as the agent sends it
	texts  []textField
	lists  []listField
	odd    map[string]oddValue // other values at a path written with slashes
	answer func(t testing.TB, s queue.Session, sent map[string]any) (queue.Action, func(out string))
}

// oddValue is another value of a field, and what has to become of it.
type oddValue struct {
	raw  string
	want way
}

// variant is one generated prompt.
type variant struct {
	name string
	raw  []byte
	sent map[string]any
	want way
	odd  bool // it was written by hand and is not counted
}

// filler is a text of n characters: words, so that it wraps as text does.
func filler(n int) string { return strings.Repeat("lorem ip ", n/9+1)[:n] }

// varied returns a copy of a JSON value with another value at a path; leftOff: it is taken out.
func varied(v any, path []any, value any) any {
	if len(path) == 0 {
		return value
	}
	switch key := path[0].(type) {
	case string:
		m := maps.Clone(v.(map[string]any))
		if m[key] = varied(m[key], path[1:], value); m[key] == leftOff {
			delete(m, key)
		}
		return m
	default:
		list := slices.Clone(v.([]any))
		list[key.(int)] = varied(list[key.(int)], path[1:], value)
		return list
	}
}

// leftOff stands for a field that is taken out.
var leftOff any = &struct{ int }{}

// variants returns all generated prompts of a case.
func (c intakeCase) variants(t testing.TB) (all []variant) {
	add := func(name string, sent any, want way, odd bool) {
		for _, id := range []string{"tool_use_id", "elicitation_id"} { // an agent asks under a name once
			if m := sent.(map[string]any); m[id] != nil && !strings.HasPrefix(name, id) {
				sent = varied(m, []any{id}, fmt.Sprint(name, len(all)))
			}
		}
		if m := sent.(map[string]any); m["session_id"] != nil && !strings.HasPrefix(name, "session_id") {
			sent = varied(m, []any{"session_id"}, c.name)
		}
		raw, err := json.Marshal(sent)
		require.NoError(t, err)
		all = append(all, variant{c.name + "/" + name, raw, sent.(map[string]any), want, odd})
	}
	for _, f := range c.texts {
		name := strings.Trim(fmt.Sprint(f.path), "[]")
		for i, value := range []any{leftOff, "", "x", filler(f.limit), filler(f.limit + 1), filler(10 * f.limit)} {
			if f.want[i] == notSent {
				continue
			}
			add(name+" "+sizeNames[i], varied(c.prompt, f.path, value), f.want[i], false)
		}
	}
	for _, f := range c.lists {
		name := strings.Trim(fmt.Sprint(f.path), "[]")
		for i, n := range []int{-1, 0, 1, 300} {
			if f.want[i] == notSent {
				continue
			}
			value := leftOff
			if n >= 0 {
				list := make([]any, 0, n)
				for j := range n {
					list = append(list, f.one(j))
				}
				value = list
			}
			add(fmt.Sprintf("%s of %d", name, n), varied(c.prompt, f.path, value), f.want[i], false)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(c.odd)) {
		odd := c.odd[path]
		var steps []any
		for _, step := range strings.Split(strings.TrimRight(path, " "), "/") {
			steps = append(steps, step)
		}
		var value any
		require.NoError(t, json.Unmarshal([]byte(odd.raw), &value), odd.raw)
		add(path+" "+short([]byte(odd.raw)), varied(c.prompt, steps, value), odd.want, true)
	}
	return all
}

// choose answers with the first option of each question, or with words where there is none.
func choose(s queue.Session) queue.Settle {
	var a queue.Answer
	for _, q := range s.Ask.Questions {
		r := queue.Reply{Question: q.ID}
		switch {
		case len(q.Options) > 0:
			for _, o := range q.Options[:max(q.Min, 1)] {
				r.Selected = append(r.Selected, o.ID)
			}
		case q.Format != nil && !q.Format.Fits("text"):
			r.Text = "12"
		default:
			r.Text = "in my own words"
		}
		a.Replies = append(a.Replies, r)
	}
	return queue.Settle{Answer: a, Confirmed: true}
}

// intakeRoom is a room in which one intake gets one prompt after the other.
type intakeRoom struct {
	*room
	queue  *queue.Queue
	missed map[string]bool // the notices of earlier prompts
}

func newIntakeRoom(t testing.TB) *intakeRoom {
	r := &intakeRoom{room: newRoom(t), missed: map[string]bool{}}
	r.dashboard()
	r.queue = queue.New(r.store())
	t.Cleanup(r.endNotices)
	return r
}

// endNotices ends the processes that show the notices of this room, which would stay as long as the agent: this test.
func (r *intakeRoom) endNotices() {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		raw, _ := os.ReadFile(file)
		if text := string(raw); strings.Contains(text, "\x00native\x00notice\x00") && strings.Contains(text, r.room.queue) {
			var pid int
			if _, err := fmt.Sscanf(file, "/proc/%d/", &pid); err == nil {
				_ = syscall.Kill(pid, syscall.SIGTERM)
			}
		}
	}
}

// becomes waits until a prompt is a question or a notice, and returns what it became.
func (r *intakeRoom) becomes(what string) (s queue.Session, became way) {
	r.Helper()
	until(r, what, func() bool {
		live, _, err := r.queue.Store.Live(r.Context())
		require.NoError(r, err)
		for _, one := range live { // an earlier one may not be put away yet
			if one.Pending() {
				s = one
				return true
			}
		}
		present, err := r.queue.Store.Present(r.Context(), queue.RoleNotice)
		require.NoError(r, err)
		for _, p := range present {
			if !r.missed[p.Instance] && p.Notice.Why != "" {
				r.missed[p.Instance], became = true, way(p.Notice.Why)
				return true
			}
		}
		return false
	})
	return s, became
}

// checkWay checks what became of the prompt.
func (v variant) checkWay(t *testing.T, s queue.Session, became way) {
	t.Helper()
	want := v.want
	if want == asText {
		require.True(t, s.Ask.Questions[0].TakesText(), v.name)
		want = shown
	}
	require.Equal(t, want, became, "%s: %s", v.name, short(v.raw))
}

// tryHook tries the variants of a hook's prompts.
func tryHook(t *testing.T, agent string, cases []intakeCase) (tried, needed int) {
	r := newIntakeRoom(t)
	for _, c := range cases {
		for _, v := range c.variants(t) {
			if !v.odd {
				tried++
			}
			p := r.hookOf(agent, v.raw)
			s, became := r.becomes(v.name)
			v.checkWay(t, s, became)
			if became != "" {
				if !v.odd {
					needed++
				}
				require.Equal(t, result{}, p.wait(), v.name)
				continue
			}
			do, check := c.answer(t, s, v.sent)
			_, err := r.queue.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceDashboard, Do: do})
			require.NoError(t, err, v.name)
			got := p.wait()
			require.True(t, json.Valid([]byte(got.out)), "%s: %q", v.name, got.out)
			check(got.out)
			r.ended(r.queue, s.ID)
		}
	}
	return tried, needed
}

// short is the beginning of a prompt, for an error.
func short(raw []byte) string { return string(raw[:min(len(raw), 400)]) }

// at returns the value at a path of what an agent was told.
func at(t testing.TB, out string, path ...string) any {
	t.Helper()
	var v any
	require.NoError(t, json.Unmarshal([]byte(out), &v), out)
	for _, key := range path {
		m, ok := v.(map[string]any)
		require.True(t, ok, out)
		v = m[key]
	}
	return v
}

// allows answers an approval with the option that allows it once, which the agent has to be told at the given path.
func allows(path ...string) func(testing.TB, queue.Session, map[string]any) (queue.Action, func(string)) {
	return func(t testing.TB, s queue.Session, _ map[string]any) (queue.Action, func(string)) {
		require.Equal(t, queue.KindApproval, s.Ask.Kind)
		once := queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{{Question: "approval", Selected: []string{"once"}}}},
			Confirmed: true}
		return once, func(out string) { require.Equal(t, "allow", at(t, out, path...), out) }
	}
}

// event is what all hooks of an agent get, with more.
func event(name string, more map[string]any) map[string]any {
	all := map[string]any{"session_id": "5f0e", "transcript_path": "/home/ana/t.jsonl", "cwd": "/src/shop",
		"permission_mode": "default", "hook_event_name": name}
	maps.Copy(all, more)
	return all
}

// common describes the fields of every event of a hook.
var common = []textField{
	{[]any{"session_id"}, 100, allShown}, {[]any{"cwd"}, queue.MaxNote, allShown},
	{[]any{"transcript_path"}, queue.MaxNote, allShown}, {[]any{"permission_mode"}, 20, allShown},
}

// agentOptions returns options as agents write them.
func agentOptions(labels ...string) (list []any) {
	for _, label := range labels {
		list = append(list, map[string]any{"label": label, "description": "about " + label})
	}
	return list
}

// question is a question as Claude Code writes it.
func question(i int) map[string]any {
	return map[string]any{"question": fmt.Sprintf("Which store, number %d?", i), "header": "Store", "multiSelect": false,
		"options": agentOptions("PostgreSQL", "SQLite")}
}

// questionFields describes the fields of the first question of a list at a path.
func questionFields(at []any, key sizes) []textField {
	below := func(more ...any) []any { return append(append(slices.Clone(at), 0), more...) }
	label := key
	label[0], label[1] = shown, shown
	return []textField{
		{below("question"), queue.MaxNote, key}, {below("header"), queue.MaxTitle, allShown},
		{below("options", 0, "label"), queue.MaxLabel, label},
		{below("options", 1, "description"), queue.MaxNote, allShown},
		{below("options", 1, "preview"), queue.MaxNote, allShown},
	}
}

// questionLists describes the lists of questions at a path.
func questionLists(at []any) []listField {
	return []listField{
		{at, func(i int) any { return question(i) }, [4]way{asText, asText, shown, shown}},
		{append(append(slices.Clone(at), 0), "options"), func(i int) any {
			return map[string]any{"label": fmt.Sprintf("label %d", i)}
		}, [4]way{asText, asText, shown, shown}},
	}
}

// commandCases are the prompts of a hook that asks whether a tool may be used.
func commandCases(event map[string]any, tool, input string, answer func(testing.TB, queue.Session, map[string]any) (queue.Action, func(string))) []intakeCase {
	event = varied(varied(event, []any{tool}, event[tool]), []any{input}, map[string]any{"command": "npm test", "description": "why"}).(map[string]any)
	return []intakeCase{
		{name: "command", prompt: event, answer: answer, texts: []textField{
			{[]any{tool}, 200, allShown},
			{[]any{input, "command"}, 100_000, allShown},
			{[]any{input, "description"}, queue.MaxPromptBytes, allShown},
			{[]any{input, "more"}, queue.MaxNote, allShown},
		}, odd: map[string]oddValue{
			input: {`{}`, shown}, input + " ": {`null`, shown}, input + "  ": {`"text"`, shown}, input + "   ": {`[1, null]`, shown},
			input + "/command": {`["ls"]`, shown}, input + "/command ": {`"  "`, shown}, input + "/command  ": {`"\ufffd �"`, shown},
			input + "/command   ": {`null`, shown}, input + "/timeout": {`5`, shown}, input + "/nested": {`{"a":{"b":[{}]}}`, shown},
		}},
	}
}

func TestIntake_NoPromptOfClaudesIsSilent(t *testing.T) {
	t.Parallel()
	allow := allows("hookSpecificOutput", "decision", "behavior")
	ask := event("PermissionRequest", map[string]any{"tool_name": "Bash"})
	cases := commandCases(ask, "tool_name", "tool_input", allow)
	cases[0].texts = append(cases[0].texts, common...)
	cases[0].texts = append(cases[0].texts, textField{[]any{"agent_type"}, 40, allShown})
	cases = append(cases, intakeCase{name: "command, up to what is decided", prompt: cases[0].prompt, answer: allow,
		texts: []textField{{[]any{"tool_input", "command"}, queue.MaxDecided, decided}}})
	suggests := func(i int) any {
		return map[string]any{"type": "addRules", "behavior": "allow", "destination": "localSettings",
			"rules": []any{map[string]any{"toolName": "Bash", "ruleContent": fmt.Sprintf("npm test %d", i)}}}
	}
	offers := varied(cases[0].prompt, []any{"permission_suggestions"}, []any{suggests(0)}).(map[string]any)
	rule := []any{"permission_suggestions", 0, "rules", 0}
	cases = append(cases,
		intakeCase{name: "offers", prompt: offers, answer: allow, texts: []textField{
			{append(slices.Clone(rule), "ruleContent"), queue.MaxLabel, allShown},
			{append(slices.Clone(rule), "toolName"), queue.MaxLabel, allShown},
			{[]any{"permission_suggestions", 0, "behavior"}, 20, allShown}, {[]any{"permission_suggestions", 0, "type"}, 20, allShown},
		}, lists: []listField{{[]any{"permission_suggestions"}, suggests, [4]way{}},
			{[]any{"permission_suggestions", 0, "rules"}, func(i int) any {
				return map[string]any{"toolName": "Read", "ruleContent": fmt.Sprintf("/src/%d/**", i)}
			}, [4]way{}}}},
		intakeCase{name: "change", prompt: event("PermissionRequest", map[string]any{"tool_name": "Edit",
			"tool_input": map[string]any{"file_path": "/src/shop/a.go", "old_string": "a", "new_string": "b"}}), answer: allow,
			texts: []textField{{[]any{"tool_input", "file_path"}, 4096, allShown}, {[]any{"tool_input", "old_string"}, 100_000, allShown},
				{[]any{"tool_input", "new_string"}, 100_000, allShown}},
			odd: map[string]oddValue{"tool_input/replace_all": {`true`, shown}, "tool_input/replace_all ": {`"often"`, shown},
				"tool_input/old_string": {`"b"`, shown}}},
		intakeCase{name: "file", prompt: event("PermissionRequest", map[string]any{"tool_name": "Write",
			"tool_input": map[string]any{"file_path": "/src/shop/a.go", "content": "package a\n"}}), answer: allow,
			texts: []textField{{[]any{"tool_input", "file_path"}, 4096, allShown}, {[]any{"tool_input", "content"}, 100_000, allShown}}},
		intakeCase{name: "cell", prompt: event("PermissionRequest", map[string]any{"tool_name": "NotebookEdit", "tool_input": map[string]any{
			"notebook_path": "/src/a.ipynb", "cell_id": "c1", "new_source": "print(2)", "edit_mode": "replace", "cell_type": "code"}}),
			answer: allow, texts: []textField{{[]any{"tool_input", "new_source"}, 30_000, allShown}, {[]any{"tool_input", "cell_id"}, 100, allShown},
				{[]any{"tool_input", "edit_mode"}, 20, allShown}, {[]any{"tool_input", "notebook_path"}, 4096, allShown}}},
		intakeCase{name: "plan", prompt: event("PermissionRequest", map[string]any{"tool_name": "ExitPlanMode",
			"tool_input": map[string]any{"plan": "# Move sessions\n\n1. Add redis."}}), answer: planAnswer,
			texts: []textField{{[]any{"tool_input", "plan"}, 100_000, allShown}, {[]any{"tool_input", "planFilePath"}, 4096, allShown}},
			odd:   map[string]oddValue{"tool_input": {`{}`, shown}, "tool_input ": {`null`, shown}}},
		intakeCase{name: "question", prompt: event("PreToolUse", map[string]any{"tool_name": "AskUserQuestion", "tool_use_id": "toolu_1",
			"tool_input": map[string]any{"questions": []any{question(0), question(1)}}}), answer: answersInInput,
			texts: append(questionFields([]any{"tool_input", "questions"}, allShown), textField{[]any{"tool_use_id"}, 100, allShown}),
			lists: questionLists([]any{"tool_input", "questions"}),
			odd: map[string]oddValue{"tool_input/questions": {`["Just?"]`, asText}, "tool_input/questions ": {`"Just?"`, asText},
				"tool_input/questions  ":  {`[{"question":"a","isSecret":false,"options":["x","x (Recommended)"]}]`, shown},
				"tool_input/questions   ": {`[{"question":"a","isSecret":true}]`, secret}}},
		intakeCase{name: "form", prompt: formOf(`{"type":"object","properties":{"store":{"type":"string","title":"Store","description":"where"},` +
			`"kind":{"type":"string","enum":["a","b"]}},"required":["store"]}`), answer: formFilled,
			texts: []textField{{[]any{"message"}, queue.MaxPromptBytes, allShown}, {[]any{"mcp_server_name"}, queue.MaxTitle, allShown},
				{[]any{"elicitation_id"}, 100, allShown}, {[]any{"requested_schema", "properties", "store", "title"}, queue.MaxTitle, allShown},
				{[]any{"requested_schema", "properties", "store", "description"}, queue.MaxNote, allShown},
				{[]any{"requested_schema", "properties", "store", "default"}, queue.MaxNote, allShown}},
			lists: []listField{{[]any{"requested_schema", "properties", "kind", "enum"}, func(i int) any { return fmt.Sprint("value ", i) }, [4]way{}},
				{[]any{"requested_schema", "required"}, func(i int) any { return fmt.Sprint("name ", i) }, [4]way{}}},
			odd: schemaWords},
		intakeCase{name: "form of another kind", prompt: formOf(`{}`), odd: map[string]oddValue{"mode": {`"voice"`, unable}}},
		intakeCase{name: "form without fields", prompt: formOf(`{"type":"object","properties":{}}`), answer: formFilled,
			texts: []textField{{[]any{"message"}, queue.MaxPromptBytes, allShown}},
			odd:   map[string]oddValue{"requested_schema": {`{}`, shown}, "requested_schema ": {`null`, shown}}},
	)
	report(t, "claude", func() (int, int) { return tryHook(t, "claude", cases) })
}

// schemaWords are schemas of one field with words that only describe, and some that nobody can ask here.
var schemaWords = map[string]oddValue{
	field(1):  {`{"type":"integer","multipleOf":5,"minimum":0,"exclusiveMaximum":90}`, shown},
	field(2):  {`{"type":"string","format":"made-up","x-order":3,"$id":"a","examples":["b"]}`, shown},
	field(3):  {`{"type":"string","oneOf":[{"const":"a","title":"A","description":"first"},{"const":"b"}]}`, shown},
	field(4):  {`{"anyOf":[{"const":"a","title":"A"},{"const":"b","title":"B"}]}`, shown},
	field(5):  {`{"enum":["a","b",3]}`, shown},
	field(6):  {`{"anyOf":[{"type":"string"},{"type":"null"}]}`, shown},
	field(7):  {`{"type":["string","null"],"enum":["a"],"enumNames":[]}`, shown},
	field(8):  {`{"$ref":"#/properties/store"}`, shown},
	field(9):  {`{"type":"array","items":{"type":"string","enum":["a","b"]},"minItems":1,"uniqueItems":true}`, shown},
	field(10): {`{"type":"array","items":{"type":"string"}}`, shown},
	field(11): {`{"type":"string","title":"tokenizer"}`, shown},
	field(12): {`{"type":"boolean","default":"yes"}`, shown},
	field(13): {`{"type":"string","title":"API token"}`, secret},
	field(14): {`{"type":"object","properties":{}}`, unclear},
}

// field is the path of a field that has no name of its own; n keeps the paths apart.
func field(n int) string { return "requested_schema/properties/kind" + strings.Repeat(" ", n) }

// formOf is a form of another server, in Claude's event.
func formOf(schema string) map[string]any {
	var v any
	_ = json.Unmarshal([]byte(schema), &v)
	return event("Elicitation", map[string]any{"mcp_server_name": "docs", "message": "Fill this in", "mode": "form", "elicitation_id": "el-1", "requested_schema": v})
}

// formFilled fills a form in, and expects content with a value for each required field that the form has.
func formFilled(t testing.TB, s queue.Session, sent map[string]any) (queue.Action, func(string)) {
	return choose(s), func(out string) {
		require.Equal(t, "accept", at(t, out, "hookSpecificOutput", "action"), out)
		_, isObject := at(t, out, "hookSpecificOutput", "content").(map[string]any)
		require.True(t, isObject, out)
	}
}

// planAnswer agrees to a plan: Claude takes that only with the tool's input unchanged.
func planAnswer(t testing.TB, s queue.Session, sent map[string]any) (queue.Action, func(string)) {
	do, _ := allows()(t, s, sent)
	return do, func(out string) {
		require.Equal(t, "allow", at(t, out, "hookSpecificOutput", "decision", "behavior"), out)
		if input, isObject := sent["tool_input"].(map[string]any); isObject {
			require.Equal(t, input, at(t, out, "hookSpecificOutput", "decision", "updatedInput"))
		}
	}
}

// answersInInput expects Claude's own questions back, and each answer under the text of its question, with the label as
// Claude wrote it.
func answersInInput(t testing.TB, s queue.Session, sent map[string]any) (queue.Action, func(string)) {
	return choose(s), func(out string) {
		if input, _ := sent["tool_input"].(map[string]any); len(asList(input["questions"])) == 0 && input["questions"] != "Just?" {
			require.Equal(t, "deny", at(t, out, "hookSpecificOutput", "permissionDecision"))
			require.Contains(t, at(t, out, "hookSpecificOutput", "permissionDecisionReason"), "in my own words")
			return
		}
		require.Equal(t, "allow", at(t, out, "hookSpecificOutput", "permissionDecision"), short([]byte(out)))
		answers, _ := at(t, out, "hookSpecificOutput", "updatedInput", "answers").(map[string]any)
		input := sent["tool_input"].(map[string]any)
		list, isList := input["questions"].([]any)
		if !isList {
			return
		}
		require.Len(t, answers, len(list), short([]byte(out)))
		for _, one := range list {
			q, isObject := one.(map[string]any)
			if !isObject {
				continue
			}
			text, _ := q["question"].(string)
			require.Contains(t, answers, text)
			if given, _ := q["options"].([]any); len(given) > 0 {
				if first, isObject := given[0].(map[string]any); isObject {
					label, _ := first["label"].(string)
					require.Equal(t, label, answers[text], "the label in full")
				}
			}
		}
	}
}

// asList returns a list of JSON; nil: it is another value.
func asList(v any) []any {
	list, _ := v.([]any)
	return list
}

// toldInWords expects an answer in the reason of a refusal, as agents get it that have no other way.
func toldInWords(path ...string) func(testing.TB, queue.Session, map[string]any) (queue.Action, func(string)) {
	return func(t testing.TB, s queue.Session, sent map[string]any) (queue.Action, func(string)) {
		return choose(s), func(out string) {
			words, _ := at(t, out, path...).(string)
			require.Contains(t, words, "The person answered in choicetui", short([]byte(out)))
			list := asList(sent["tool_input"].(map[string]any)["questions"])
			if len(list) == 0 {
				require.Contains(t, words, "in my own words")
				return
			}
			q, _ := list[0].(map[string]any)
			if given, _ := q["options"].([]any); len(given) > 0 {
				label, _ := given[0].(map[string]any)["label"].(string)
				quoted, _ := json.Marshal(label)
				require.Contains(t, words, strings.Trim(string(quoted), `"`), "the label in full")
			}
		}
	}
}

// report runs the prompts of an intake, says how many there were, and fails if too many stay with the agent.
func report(t *testing.T, intake string, try func() (tried, needed int)) {
	t.Helper()
	tried, needed := try()
	t.Logf("%s: %d prompts, %d of them need the person in the agent's own pane", intake, tried, needed)
	require.LessOrEqual(t, float64(needed), 0.02*float64(tried), "nearly everything is shown")
}

func TestIntake_NoPromptOfTheOtherHooksIsSilent(t *testing.T) {
	t.Parallel()
	permission := event("PermissionRequest", map[string]any{"tool_name": "Bash"})
	decision := allows("hookSpecificOutput", "decision", "behavior")
	id := func(i int) any {
		q := question(i)
		q["id"] = fmt.Sprint("q", i)
		return q
	}
	for agent, cases := range map[string][]intakeCase{
		"codex": append(commandCases(permission, "tool_name", "tool_input", decision),
			intakeCase{name: "patch", prompt: event("PermissionRequest", map[string]any{"tool_name": "apply_patch", "tool_input": map[string]any{
				"command": "*** Begin Patch\n*** Add File: a.txt\n+hello\n*** End Patch"}}), answer: decision,
				texts: []textField{{[]any{"tool_input", "command"}, 100_000, allShown}}},
			intakeCase{name: "question", prompt: event("PreToolUse", map[string]any{"tool_name": "request_user_input", "tool_use_id": "c1",
				"tool_input": map[string]any{"questions": []any{id(0), id(1)}}}),
				answer: toldInWords("hookSpecificOutput", "permissionDecisionReason"),
				texts: append(questionFields([]any{"tool_input", "questions"}, allShown),
					textField{[]any{"tool_input", "questions", 0, "id"}, 100, sizes{notSent, notSent}}),
				lists: []listField{{[]any{"tool_input", "questions"}, id, [4]way{asText, asText, shown, shown}}},
				odd:   map[string]oddValue{"tool_input/questions": {`[{"question":"Which?"}]`, unable}}}),
		"gemini": {{name: "question", prompt: event("BeforeTool", map[string]any{"tool_name": "ask_user", "timestamp": "2026-11-21T21:51:31.652Z",
			"tool_input": map[string]any{"questions": []any{question(0), question(1)}}}), answer: toldInWords("reason"),
			texts: append(append(questionFields([]any{"tool_input", "questions"}, allShown), common...),
				textField{[]any{"tool_input", "questions", 0, "placeholder"}, queue.MaxLabel, allShown}),
			lists: questionLists([]any{"tool_input", "questions"}),
			odd: map[string]oddValue{"tool_input/questions": {`[{"question":"a","type":"yesno"}]`, shown},
				"tool_input/questions ": {`[{"question":"a","type":"text"},{"question":"a","type":"text"}]`, asText}}}},
		"qwen": append(commandCases(varied(permission, []any{"tool_name"}, "run_shell_command").(map[string]any), "tool_name", "tool_input", decision),
			intakeCase{name: "question", prompt: event("PermissionRequest", map[string]any{"tool_name": "ask_user_question",
				"tool_input": map[string]any{"questions": []any{question(0), question(1)}}}),
				answer: toldInWords("hookSpecificOutput", "decision", "message"),
				texts:  questionFields([]any{"tool_input", "questions"}, allShown), lists: questionLists([]any{"tool_input", "questions"}),
				odd: map[string]oddValue{"tool_name": {`"exit_plan_mode"`, unable}}}),
		"copilot": commandCases(map[string]any{"hookName": "permissionRequest", "sessionId": "5f0e", "timestamp": 1795297786001.0,
			"cwd": "/src/shop", "toolName": "bash"}, "toolName", "toolInput", allows("behavior")),
	} {
		t.Run(agent, func(t *testing.T) {
			t.Parallel()
			report(t, agent, func() (int, int) { return tryHook(t, agent, cases) })
		})
	}
}
