package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// asking is a shell in which a question lies in ask.json.
func asking(t *testing.T, w, h int) *pane {
	t.Helper()
	r := newRoom(t)
	request := `{"title":"Which database?","prompt":"The order service needs transactions.","selection_mode":"single",
		"options":[{"id":"pg","label":"PostgreSQL","recommended":true},{"id":"lite","label":"SQLite"}]}`
	require.NoError(t, os.WriteFile(filepath.Join(r.work, "ask.json"), []byte(request), 0o600))
	return r.tmux().shell(w, h)
}

// ask types `choicetui ask` with arguments, and waits for the form.
func (p *pane) ask(args string) {
	p.Helper()
	p.line("clear; choicetui ask ask.json " + args + "; echo code $?")
	p.meet("Which database?", "attach ", "⏎ Send PostgreSQL and close")
}

func TestAskAtATerminalOpensItsFormThere(t *testing.T) {
	t.Parallel()
	p := asking(t, 80, 24)
	p.ask("")
	assert.Equal(t, p.id, p.do("list-panes", "-s", "-t", p.id, "-F", "#{pane_id}"), "no split beside it")
	p.press("j", "Enter")
	p.see("SQLite\ncode 0\n$")
	assert.Empty(t, p.list())

	p.ask("")
	p.opens("x", "⏎ Cancel and tell")
	p.write("show me the cost")
	p.press("Enter")
	p.see("cancelled: show me the cost\ncode 3\n$")

	p.ask(">answer")
	p.press("j", "Enter")
	p.see("code 0\n$")
	assert.Equal(t, "lite", p.text("answer"), "what is not a terminal gets what a model gets")
}

func TestTheFormOfAskEndsWhenAnotherSurfaceAnswers(t *testing.T) {
	t.Parallel()
	p := asking(t, 80, 24)
	p.ask("")
	require.Zero(t, p.run("answer", p.only().ID, "--select", "lite").code)
	p.see("SQLite\ncode 0\n$")

	p.ask("")
	d := p.dashboard(80, 24)
	d.meet("Which database?")
	d.press("j", "Enter")
	p.see("SQLite\ncode 0\n$")
}

func TestAskWhoseFormIsLeftWaitsUntilItIsStopped(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(p *pane){"q": (*pane).quit, "Ctrl-C": func(p *pane) { p.press("C-c") }} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := asking(t, 120, 24)
			p.ask("")
			id := p.only().ID
			leave(p)
			p.see("the question is still pending: the dashboard or choicetui answer "+id+" can answer it", "Ctrl-C withdraws it")
			require.Zero(t, p.run("answer", id, "--select", "lite").code)
			p.see("SQLite\ncode 0\n$")

			p.ask("")
			leave(p)
			p.see("Ctrl-C withdraws it")
			p.press("C-c")
			p.see("stopped before an answer came; the question is withdrawn", "code 1\n$")
			assert.Empty(t, p.list())
		})
	}
}

func TestAskAtATerminalSaysThatItsQuestionIsInTheOpenDashboard(t *testing.T) {
	t.Parallel()
	p := asking(t, 120, 24)
	d := p.dashboard(80, 24)
	p.line("clear; choicetui ask ask.json; echo code $?")
	d.meet("Which database?")
	p.see("the question is in the open dashboard; choicetui attach " + p.only().ID + " opens it in another terminal")
	d.press("j", "Enter")
	p.see("lite\ncode 0\n$")
}

func TestAskInAPipeLeavesTheKeysOfTheTerminalAlone(t *testing.T) {
	t.Parallel()
	p := asking(t, 120, 24)
	p.line("clear; unset TMUX; choicetui ask <ask.json 2>said; echo code $?")
	until(t, "it says how to answer", func() bool {
		said, _ := os.ReadFile(filepath.Join(p.work, "said"))
		return strings.Contains(string(said), "choicetui attach ")
	})
	p.line("2")
	time.Sleep(300 * time.Millisecond)
	id := p.only().ID
	require.Zero(t, p.run("answer", id, "--select", "pg").code)
	p.see("pg\ncode 0\n$")
}
