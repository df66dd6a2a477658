package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestComplaintsAboutAgents(t *testing.T) {
	answered(t,
		complaint{"also: a message to the blocked agent was dropped", messagesAreKept},
		complaint{"also: the answer had to wait behind queued messages", answersComeFirst},
		complaint{"also: the question makes no sense without the conversation", selfContained},
		complaint{"also: agents send bad options", badOptions},
		complaint{"also: questions 2 to N were dropped", noQuestionIsDropped},
		complaint{"also: a header of 13 characters broke the call", longWords},
		complaint{"also: what is too long broke the call", tooLong},
	)
}

func messagesAreKept(r *room) {
	p := r.tmux().dashboard(80, 24)
	a := r.connect("claude-code")
	call := a.ask(which())
	p.meet("Which database?", "─ 1 waiting ")
	p.opens("i", "Can't send: “Which database?” from shop · claude is waiting. Your text is kept.")
	p.write("mind the staging data")
	p.press("Enter")
	p.see("Can't send", "› mind the staging data")
	p.press("Escape")
	p.meet("⏎ Send PostgreSQL")
	p.press("Enter")
	require.Equal(r, "selected", call.answer().status())
	p.see("nothing is waiting")
	p.opens("i", "› mind the staging data", "⏎ Send to shop · claude")
	p.press("Enter")
	p.see("✓ “", "delivered when it next asks") // the composer says the latter before it is sent, too
	assert.Equal(r, "mind the staging data", a.use(request{tool: "next_message"}).answer().structured["text"])
}

func answersComeFirst(r *room) {
	p := r.tmux().dashboard(80, 24)
	a := r.connect("claude-code")
	first := a.ask(which())
	p.meet("⏎ Send PostgreSQL")
	p.press("Enter")
	require.Equal(r, "selected", first.answer().status())
	p.see("nothing is waiting", "chat · to shop · claude")
	p.opens("i", "type a line to shop · claude")
	p.write("now the README")
	p.see("⏎ Send to shop · claude")
	p.press("Enter")
	p.see("✓ “", "delivered when it next asks") // the composer says the latter before it is sent, too
	p.press("Escape")
	call := a.ask(with(object{"title": "Which cache?"}))
	p.meet("Which cache?", "⏎ Send PostgreSQL")
	held := a.use(request{tool: "next_message", args: object{"wait_seconds": 0}}).answer()
	assert.Equal(r, "pending", held.structured["status"])
	assert.EqualValues(r, 1, held.structured["waiting"])
	p.press("Enter")
	got := call.answer()
	assert.Equal(r, "selected", got.status())
	lines, _ := got.structured["messages"].([]any)
	require.Len(r, lines, 1, "the line comes with the answer")
	assert.Equal(r, "now the README", lines[0].(object)["text"])
}

func selfContained(r *room) {
	p := r.tmux().dashboard(80, 24)
	a := r.connect("claude-code")
	call := a.ask(with(object{"title": "Option B?", "prompt": "As discussed.", "options": []object{{"id": "yes", "recommended": true}, {"id": "no"}}}))
	p.meet("Option B?", "─ shop · claude · ")
	p.press("Enter")
	got := call.answer()
	assert.Contains(r, got.text, "Advice for your next question: prompt: 13 characters of context is not much to go on; "+
		"say what you are doing, why you ask and what depends on it")
	assert.Contains(r, got.text, `options[0]: "yes" does not say what happens; name the action`)
	assert.NotEmpty(r, got.structured["advice"])
	served, err := a.client.ListTools(r.Context(), mcp.ListToolsRequest{})
	require.NoError(r, err)
	told := map[string]string{}
	for _, tool := range served.Tools {
		told[tool.Name] = tool.Description
	}
	assert.Contains(r, told["provide_choice"], "what you are doing right now and why you ask")
	assert.Contains(r, told["ask_user_question"], "Put what you are doing and why you ask into the question")
}

func badOptions(r *room) {
	p := r.tmux().dashboard(80, 24)
	a := r.connect("claude-code")
	said := a.ask(object{"title": " ", "prompt": "Which one?", "selection_mode": "one", "timeout_seconds": 0, "choices": []string{"a"},
		"options": []object{{"id": "pg"}, {"id": "pg", "label": []int{3}}, {"label": "x"}}}).refusal()
	assert.Contains(r, said, "The request was refused and nobody was asked: 8 problems. Repair all of it and call again.")
	for _, repair := range []string{
		"- title is missing or blank; it must not be empty",
		`- selection_mode is "one"; want single, multi, text_input or hybrid`,
		"- timeout_seconds is 0; want a whole number of seconds from 1 to 86400",
		`- choices is not a known field; use "options", or leave it out`,
		`- options[1].id "pg" is also the id of options[0]; want a different id for each option`,
		"- options[1].label is a list; want text",
		"- options[2].id is missing or blank; it must not be empty",
		`- options has no recommended option; want "recommended": true on at least one, the one you would take`,
	} {
		assert.Contains(r, said, repair)
	}
	assert.Empty(r, r.list(), "nobody is asked")
	assert.Contains(r, p.screen(), "nothing is waiting")
	call := a.ask(which())
	p.meet("Which database?")
	p.press("Enter")
	assert.Equal(r, "selected", call.answer().status())
}

func noQuestionIsDropped(r *room) {
	p := r.tmux().dashboard(80, 24)
	call := r.connect("claude-code").use(request{tool: "ask_user_question", args: object{"questions": form}})
	p.meet("▸ Format", "  Sections", "  Name", "review", "Next: Sections")
	p.press("Enter")
	p.meet("✓ Format", "▸ Sections")
	call.waits()
	p.press("Right", "Right")
	p.meet("▸ review", "Sections  not answered yet", "Name      not answered yet", "Next: Sections · 2 not answered yet")
	p.press("Enter")
	p.meet("▸ Sections")
	p.press("2", "Enter")
	p.meet("✓ Sections", "▸ Name")
	call.waits()
	p.press("2", "Enter")
	p.meet("▸ review", "⏎ Send 3 answers")
	call.waits()
	p.press("Enter")
	assert.Equal(r, object{"Which format?": "Long (Recommended)", "Which sections?": "Usage", "Which name?": "GUIDE"},
		call.answer().structured["answers"])
}

func longWords(r *room) {
	p := r.tmux().dashboard(80, 24)
	header := "Backend setup and everything that goes with it"
	label := strings.Repeat("a very long label ", 10) + "end"
	question := strings.Repeat("Some context that a model writes. ", 100) + "Which one?"
	choices := []object{{"label": label, "description": strings.Repeat("what follows ", 300)}}
	for i := range 30 {
		choices = append(choices, object{"label": fmt.Sprintf("choice %d", i)})
	}
	call := r.connect("gemini-cli").use(request{tool: "ask_user_question", args: object{"questions": []object{
		{"question": question, "header": header, "options": choices},
		{"question": "And which name?", "header": "Error handling", "options": []object{{"label": "README"}, {"label": "GUIDE"}}},
	}}})
	p.meet("Backend setup", "Error handling", "▸1 ● a very long label")
	p.press("Enter")
	p.see("▸ Error handling")
	p.press("Enter")
	p.meet("▸ review")
	p.press("Enter")
	answers := call.answer().structured["answers"].(object)
	assert.Equal(r, label, answers[question])
	assert.Equal(r, "README", answers["And which name?"])
}

func tooLong(r *room) {
	a := r.connect("gemini-cli")
	said := a.ask(with(object{"title": strings.Repeat("t", 201), "prompt": strings.Repeat("p", 40_000)})).refusal()
	assert.Contains(r, said, "title has 201 characters; want at most 200")
	assert.Contains(r, said, "prompt takes 40000 bytes; want at most 32768 bytes")
	assert.Contains(r, said, "Repair all of it and call again.")
}
