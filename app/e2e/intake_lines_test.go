package e2e

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// talk is a way on which an agent sends its prompts one after the other and stays. send sends one, told waits for what
// the agent is sent for it, and over says that the prompt has ended at the agent.
type talk struct {
	send func(v variant, id string)
	told func(id string) string
	over func(id string)
}

// tryTalk tries the variants of prompts that come on one way.
func tryTalk(t *testing.T, r *intakeRoom, way talk, cases []intakeCase) (tried, needed int) {
	for _, c := range cases {
		for n, v := range c.variants(t) {
			if !v.odd {
				tried++
			}
			id := fmt.Sprintf("%d%03d", len(c.name), n)
			way.send(v, id)
			s, became := r.becomes(v.name)
			v.checkWay(t, s, became)
			if became != "" {
				if !v.odd {
					needed++
				}
				way.over(id)
				until(t, "the notice ends", func() bool {
					present, err := r.queue.Store.Present(t.Context(), queue.RoleNotice)
					return err == nil && len(present) == 0
				})
				continue
			}
			do, check := c.answer(t, s, v.sent)
			_, err := r.queue.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceDashboard, Do: do})
			require.NoError(t, err, v.name)
			out := way.told(id)
			require.True(t, json.Valid([]byte(out)), "%s: %q", v.name, out)
			check(out)
			way.over(id)
			r.ended(r.queue, s.ID)
		}
	}
	return tried, needed
}

// permits answers an approval with the first option, and expects the given word at a path.
func permits(word string, path ...string) func(testing.TB, queue.Session, map[string]any) (queue.Action, func(string)) {
	return func(t testing.TB, s queue.Session, _ map[string]any) (queue.Action, func(string)) {
		require.Equal(t, queue.KindApproval, s.Ask.Kind)
		return choose(s), func(out string) { require.Equal(t, word, at(t, out, path...), short([]byte(out))) }
	}
}

// listsLabels expects the label of the first option as the agent wrote it, in a list at a path.
func listsLabels(path ...string) func(testing.TB, queue.Session, map[string]any) (queue.Action, func(string)) {
	return func(t testing.TB, s queue.Session, sent map[string]any) (queue.Action, func(string)) {
		return choose(s), func(out string) {
			told, isTold := at(t, out, path...).([]any)
			require.True(t, isTold, short([]byte(out)))
			list := asList(sent["questions"])
			require.Len(t, told, len(list))
			q, _ := list[0].(map[string]any)
			if given := asList(q["options"]); len(given) > 0 {
				label, _ := given[0].(map[string]any)["label"].(string)
				require.Equal(t, []any{label}, told[0])
			}
		}
	}
}

func TestIntake_NoPromptOfAPluginIsSilent(t *testing.T) {
	t.Parallel()
	permission := map[string]any{"sessionID": "ses_1", "permission": "bash", "patterns": []any{"npm test"},
		"always": []any{"npm test"}, "metadata": map[string]any{"command": "npm test", "description": "why"}}
	edit := map[string]any{"sessionID": "ses_1", "permission": "edit", "patterns": []any{"a.go"}, "always": []any{"*"},
		"metadata": map[string]any{"filepath": "/src/work/a.go", "diff": "Index: /src/work/a.go\n=====\n--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n"}}
	once := permits("once", "body", "reply")
	questions := []any{"questions"}
	cases := []intakeCase{
		{name: "permission", prompt: permission, answer: once, texts: []textField{
			{[]any{"permission"}, 200, allShown}, {[]any{"patterns", 0}, queue.MaxNote, allShown}, {[]any{"always", 0}, queue.MaxLabel, allShown},
			{[]any{"metadata", "command"}, 100_000, allShown}, {[]any{"metadata", "description"}, queue.MaxNote, allShown},
			{[]any{"sessionID"}, 100, allShown},
		}, lists: []listField{
			{[]any{"patterns"}, func(i int) any { return fmt.Sprint("pattern ", i) }, [4]way{}},
			{[]any{"always"}, func(i int) any { return fmt.Sprint("rule ", i) }, [4]way{}},
		}, odd: map[string]oddValue{"metadata": {`{}`, shown}, "metadata ": {`null`, shown}, "patterns": {`"all"`, shown}}},
		{name: "change of a file", prompt: edit, answer: once, texts: []textField{
			{[]any{"metadata", "diff"}, 100_000, allShown}, {[]any{"metadata", "filepath"}, 4096, allShown}}},
		{name: "own question", prompt: map[string]any{"sessionID": "ses_1", "questions": []any{question(0), question(1)}},
			answer: listsLabels("body", "answers"), texts: questionFields(questions, allShown),
			lists: []listField{{[]any{"questions"}, func(i int) any { return question(i) }, [4]way{notSent, unable, shown, shown}},
				questionLists(questions)[1]}},
		{name: "large", prompt: permission, answer: once, odd: map[string]oddValue{
			"metadata/command": {`"` + filler(queue.MaxDecided+1) + `"`, large}, "metadata/command ": {`"` + filler(17<<20) + `"`, large}}},
	}
	for _, client := range []string{"opencode", "kilo"} {
		t.Run(client, func(t *testing.T) {
			t.Parallel()
			r := newIntakeRoom(t)
			p := r.plugin()
			report(t, client, func() (int, int) {
				return tryTalk(t, r, talk{
					send: func(v variant, id string) {
						kind := "permission"
						if v.sent["questions"] != nil || v.sent["permission"] == nil && v.sent["patterns"] == nil {
							kind = "question"
						}
						v.sent["id"] = id
						raw, err := json.Marshal(v.sent)
						require.NoError(t, err)
						p.send(fmt.Sprintf(`{"type":%q,"id":%q,"client":%q,"directory":"/src/work","properties":%s}`, kind, id, client, raw))
					},
					told: func(string) string { return p.reply() },
					over: func(id string) {
						p.send(fmt.Sprintf(`{"type":"closed","id":%q}`, id))
						p.send(fmt.Sprintf(`{"type":"done","id":%q,"taken":true}`, id))
					},
				}, cases)
			})
		})
	}
}

func TestIntake_NoPromptOfCodexSocketIsSilent(t *testing.T) {
	t.Parallel()
	const thread = "01a2000d-938f-77a0-9c03-595a8ce1966f"
	about := func(method string, more map[string]any) map[string]any {
		more["method"], more["threadId"], more["turnId"], more["itemId"] = method, thread, "u", "call_1"
		return more
	}
	codexQuestion := func(i int) any {
		q := question(i)
		q["id"], q["isOther"], q["isSecret"] = fmt.Sprint("q", i), true, false
		return q
	}
	command := about("item/commandExecution/requestApproval", map[string]any{"kind": "command", "reason": "why", "command": "npm test",
		"cwd": "/src/work2", "availableDecisions": []any{"accept", "acceptForSession", "decline", "cancel"},
		"commandActions": []any{map[string]any{"type": "unknown", "command": "npm test"}}})
	accepted := permits("accept", "result", "decision")
	filled := func(t testing.TB, s queue.Session, _ map[string]any) (queue.Action, func(string)) {
		return choose(s), func(out string) { require.Equal(t, "accept", at(t, out, "result", "action"), short([]byte(out))) }
	}
	answered := func(t testing.TB, s queue.Session, sent map[string]any) (queue.Action, func(string)) {
		return choose(s), func(out string) {
			answers, _ := at(t, out, "result", "answers").(map[string]any)
			require.Len(t, answers, len(asList(sent["questions"])), short([]byte(out)))
		}
	}
	var schema any
	require.NoError(t, json.Unmarshal([]byte(`{"type":"object","properties":{"store":{"type":"string"},"kind":{"enum":["a","b"]}}}`), &schema))
	cases := []intakeCase{
		{name: "command", prompt: command, answer: accepted, texts: []textField{
			{[]any{"command"}, 100_000, allShown}, {[]any{"reason"}, queue.MaxPromptBytes, allShown}, {[]any{"cwd"}, queue.MaxNote, allShown},
			{[]any{"turnId"}, 100, allShown}, {[]any{"environmentId"}, 100, allShown}, {[]any{"itemId"}, 100, allShown},
		}, odd: map[string]oddValue{"availableDecisions": {`null`, shown}, "availableDecisions ": {`[]`, shown}, "command": {`null`, shown},
			"commandActions": {`[]`, shown}, "kind": {`"stdin"`, unable}, "command ": {`"` + filler(queue.MaxDecided+1) + `"`, large},
			"command  ": {`"` + filler(5<<20) + `"`, large}}},
		{name: "the model's question", prompt: about("item/tool/requestUserInput", map[string]any{"isBlocking": true,
			"questions": []any{codexQuestion(0), codexQuestion(1)}}), answer: answered,
			texts: questionFields([]any{"questions"}, allShown),
			lists: []listField{{[]any{"questions"}, codexQuestion, [4]way{notSent, unable, shown, shown}}, questionLists([]any{"questions"})[1]}},
		{name: "another server's form", prompt: about("mcpServer/elicitation/request", map[string]any{"serverName": "docs", "mode": "form",
			"message": "Fill this in", "requestedSchema": schema}), answer: filled,
			texts: []textField{{[]any{"message"}, queue.MaxPromptBytes, allShown}, {[]any{"serverName"}, queue.MaxTitle, allShown}},
			lists: []listField{{[]any{"requestedSchema", "properties", "kind", "enum"}, func(i int) any { return fmt.Sprint("value ", i) }, [4]way{}}},
			odd:   map[string]oddValue{"requestedSchema": {`null`, shown}, "requestedSchema ": {`{}`, shown}}},
		{name: "permission", prompt: about("item/permissions/requestApproval", map[string]any{"cwd": "/src/work2", "reason": "why",
			"permissions": map[string]any{"network": map[string]any{"enabled": true}}}),
			answer: func(t testing.TB, s queue.Session, _ map[string]any) (queue.Action, func(string)) {
				return choose(s), func(out string) { require.NotNil(t, at(t, out, "result", "permissions"), short([]byte(out))) }
			},
			texts: []textField{{[]any{"reason"}, queue.MaxPromptBytes, allShown}, {[]any{"cwd"}, queue.MaxNote, allShown}},
			odd:   map[string]oddValue{"permissions": {`{"camera":true}`, unclear}, "permissions ": {`{}`, shown}}},
		{name: "an unannounced change", prompt: about("item/fileChange/requestApproval", map[string]any{"reason": "why"}),
			odd: map[string]oddValue{"reason": {`"tidy up"`, unclear}}},
	}
	r := newIntakeRoom(t)
	home := codexHome(t)
	server := r.codex(home, "", thread)
	r.beside(home)
	until(t, "the program has joined", func() bool {
		server.mu.Lock()
		defer server.mu.Unlock()
		return server.joined
	})
	report(t, "codex socket", func() (int, int) {
		return tryTalk(t, r, talk{
			send: func(v variant, id string) {
				params := varied(varied(v.sent, []any{"method"}, leftOff), []any{"threadId"}, leftOff)
				raw, err := json.Marshal(params)
				require.NoError(t, err)
				server.tell(fmt.Sprintf(`{"method":%q,"id":%s,"params":{"threadId":%q,%s}`, v.sent["method"], id, thread, raw[1:]))
			},
			told: func(id string) (out string) {
				until(t, "Codex is told", func() bool {
					server.mu.Lock()
					defer server.mu.Unlock()
					for _, response := range server.responses {
						if fmt.Sprint(int(at(t, response, "id").(float64))) == id {
							out = response
						}
					}
					return out != ""
				})
				return out
			},
			over: func(id string) {
				server.tell(fmt.Sprintf(`{"method":"serverRequest/resolved","params":{"threadId":%q,"requestId":%s}}`, thread, id))
			},
		}, cases)
	})
}
