package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestComplaintsAboutAnswers(t *testing.T) {
	answered(t,
		complaint{"4 parallel sessions overwrote each other", eachAgentItsOwnAnswer},
		complaint{"6 a cancelled question looked answered", cancelledIsNoAnswer},
		complaint{"6 closing the pane answered the question", closingAnswersNothing},
		complaint{"6 a blank text passed for an answer", blankIsNoAnswer},
		complaint{"7 my own words were dropped beside the marked options", marksAndWords},
		complaint{"7 my own words were gone after I looked at another option", wordsStay},
		complaint{"7 my own words went to another question", wordsStayWithTheirQuestion},
		complaint{"14 answers leave no record", theRecord},
	)
}

// from starts an agent that works in a directory of that name.
func (r *room) from(dir, name string) *agent {
	r.Helper()
	dir = filepath.Join(filepath.Dir(r.work), dir)
	require.NoError(r, os.MkdirAll(dir, 0o700))
	return r.connectIn(dir, name)
}

func eachAgentItsOwnAnswer(r *room) {
	p := r.tmux().dashboard(80, 24)
	keys := map[string]string{"shop": "1", "infra": "2", "web": "3"}
	calls := map[string]*call{}
	for dir := range keys {
		calls[dir] = r.from(dir, "claude-code").ask(with(object{"options": []object{
			{"id": "1", "recommended": true}, {"id": "2"}, {"id": "3"}}}))
	}
	p.see("3 waiting", "shop · claude", "infra · claude", "web · claude")
	for range keys {
		dir := ""
		p.when("the question of one", func(s string) bool {
			dir, _, _ = strings.Cut(strings.TrimPrefix(s, "─ "), " ")
			return calls[dir] != nil && strings.Contains(s, "⏎ Send 1")
		})
		p.meet("─ "+dir+" · claude", "Which database?")
		p.press(keys[dir], "Enter")
		assert.Equal(r, []any{keys[dir]}, calls[dir].answer().selection()["selected_ids"], dir)
		delete(calls, dir)
		for _, other := range calls {
			other.waits()
		}
	}
}

func cancelledIsNoAnswer(r *room) {
	p := r.tmux().dashboard(80, 24)
	call := r.connect("claude-code").use(request{tool: "ask_user_question", args: object{"questions": []object{form[0]}}})
	p.meet("Which format?")
	p.opens("x", "⏎ Cancel and tell claude")
	p.write("not now")
	p.press("Enter")
	o := call.wait()
	require.NoError(r, o.err)
	assert.True(r, o.result.IsError, "a client must not take it for an answer")
	got := read(r, o.result)
	assert.Equal(r, "cancelled", got.structured["status"])
	assert.Equal(r, "not now", got.structured["reason"])
	assert.Nil(r, got.structured["answers"])
	assert.Contains(r, got.text, "No question was answered: ")
	assert.Contains(r, got.text, "Do not choose for the person.")
}

func closingAnswersNothing(r *room) {
	m := r.tmux()
	p := m.dashboard(80, 24)
	call := r.connect("claude-code").ask(which())
	p.meet("⏎ Send PostgreSQL")
	pid := p.process()
	m.do("kill-pane", "-t", p.id)
	gone(r, pid, patience)
	call.waits()
	assert.Equal(r, "pending", r.only().Status)
	p = m.dashboard(80, 24)
	p.meet("⏎ Send PostgreSQL")
	call.waits()
	p.press("j", "Enter")
	assert.Equal(r, []any{"sqlite"}, call.answer().selection()["selected_ids"])
}

func blankIsNoAnswer(r *room) {
	p := r.tmux().dashboard(80, 24)
	call := r.connect("claude-code").ask(with(object{"selection_mode": "text_input", "options": nil}))
	p.meet("Type your answer; Enter twice sends it")
	p.press("Enter")
	p.write("  \u3000 ")
	p.press("Enter")
	p.see("Type your answer")
	p.press("Enter")
	call.waits()
	p.write("PostgreSQL")
	p.see("⏎ twice: send “PostgreSQL”")
	p.sendWords()
	assert.Contains(r, call.answer().selection()["custom_input"], "PostgreSQL")
}

// form is three questions as models write them.
var form = []object{
	{"question": "Which format?", "header": "Format", "multiSelect": false,
		"options": []object{{"label": "Short"}, {"label": "Long (Recommended)"}}},
	{"question": "Which sections?", "header": "Sections", "multiSelect": true,
		"options": []object{{"label": "Intro"}, {"label": "Usage"}, {"label": "Links"}}},
	{"question": "Which name?", "header": "Name", "options": []object{{"label": "README"}, {"label": "GUIDE"}}},
}

func marksAndWords(r *room) {
	p := r.tmux().dashboard(80, 24)
	call := r.connect("claude-code").use(request{tool: "ask_user_question", args: object{"questions": []object{form[1]}}})
	p.meet("Which sections?")
	p.press("1", "3")
	p.opens("t", "Done")
	p.write("a changelog too")
	p.press("Enter")
	p.see("⏎ Send 2: Intro, Links + your text")
	p.press("Enter")
	assert.Equal(r, object{"Which sections?": "Intro, Links, a changelog too"}, call.answer().structured["answers"])
}

func wordsStay(r *room) {
	p := r.tmux().dashboard(80, 24)
	call := r.connect("claude-code").use(request{tool: "ask_user_question", args: object{"questions": []object{form[0]}}})
	p.meet("Which format?")
	p.comesBack("Which format?")
	p.opens("t", "Done")
	p.write("one page at most")
	p.press("Escape")
	p.see("⏎ Send “one page at most”")
	p.press("k")
	p.see("⏎ Send Long · your text stays, unsent", "one page at most")
	call.waits()
	p.press("G")
	p.see("⏎ Send “one page at most”")
	p.press("Enter")
	assert.Equal(r, object{"Which format?": "one page at most"}, call.answer().structured["answers"])
}

func wordsStayWithTheirQuestion(r *room) {
	p := r.tmux().dashboard(80, 24)
	call := r.connect("claude-code").use(request{tool: "ask_user_question", args: object{"questions": form}})
	p.meet("▸ Format", "Which format?")
	p.comesBack("Which format?")
	p.opens("t", "Done")
	p.write("one page")
	p.press("Escape")
	p.see("Next: Sections")
	p.press("Right")
	screen := p.see("▸ Sections", "Which sections?")
	assert.NotContains(r, screen, "one page")
	p.opens("t", "Done")
	p.write("a changelog")
	p.press("Escape")
	p.see("a changelog", "? keys")
	p.press("Left")
	screen = p.see("▸ Format", "one page")
	assert.NotContains(r, screen, "a changelog")
	p.press("Enter")
	p.see("▸ Sections", "a changelog")
	p.press("1", "Enter")
	p.see("▸ Name")
	p.press("Enter")
	p.meet("▸ review", "“one page”", "Intro", "a changelog", "README", "⏎ Send 3 answers")
	p.press("Enter")
	assert.Equal(r, object{"Which format?": "one page", "Which sections?": "Intro, a changelog", "Which name?": "README"},
		call.answer().structured["answers"])
}

func theRecord(r *room) {
	p := r.tmux().dashboard(100, 30)
	a := r.connect("claude-code")
	first := a.ask(which())
	p.typeNote("only until March")
	p.press("Enter", "Enter")
	require.Equal(r, "selected", first.answer().status())
	second := a.ask(with(object{"title": "Which name?", "selection_mode": "text_input", "options": nil}))
	p.meet("Which name?")
	p.comesBack("Which name?")
	p.write("tokens")
	time.Sleep(paused)
	p.press("Enter")
	require.Equal(r, "custom_input", second.answer().status())
	require.Equal(r, "timeout", a.ask(with(object{"title": "Which cache?", "timeout_seconds": 1})).answer().status())

	p.press("h")
	p.see("history · 3 questions", "timed out  Which cache?", "Which name?", "tokens", "Which database?", "PostgreSQL ✎")
	p.press("/")
	p.write("database")
	p.see("1 found")
	p.press("Enter")
	p.see("by claude", "by you, in the dashboard, after 0:", "1 ● PostgreSQL", "✎ only until March", "2 ○ SQLite")
	p.press("Escape")

	said := r.run("log").out
	for _, line := range []string{
		"Which database?  (by a person, in the dashboard: PostgreSQL; note on PostgreSQL: “only until March”)",
		"Which name?  (by a person, in the dashboard: “tokens”)", "Which cache?  (no answer was given)"} {
		assert.Contains(r, said, line)
	}
	var counted struct {
		Asked    int
		Outcomes []struct {
			Outcome string
			Count   int
		}
	}
	require.NoError(r, json.Unmarshal([]byte(r.run("log", "--stats", "--json").out), &counted))
	assert.Equal(r, 3, counted.Asked)
	for _, o := range counted.Outcomes {
		want := 0
		if slices.Contains([]string{"selected", "custom_input", "timeout"}, o.Outcome) {
			want = 1
		}
		assert.Equal(r, want, o.Count, o.Outcome)
	}
}
