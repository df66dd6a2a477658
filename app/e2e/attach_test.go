package e2e

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// clockTime is a time of day in our sentences.
var clockTime = regexp.MustCompile(`\d\d:\d\d:\d\d`)

// timeless makes sentences of different times equal.
func timeless(s string) string { return clockTime.ReplaceAllString(strings.TrimSpace(s), "TIME") }

// attach runs attach in a shell and waits for its form.
func (p *pane) attach(id string) {
	p.Helper()
	p.line("clear; choicetui attach " + id + "; echo code $?")
	p.meet("Which database?", "attach "+id+"", "⏎ Send PostgreSQL and close")
}

func TestAttachAnswersOnceAndSaysSo(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	p := r.tmux().shell(160, 24)
	s := r.put(database())
	p.attach(s.ID)
	p.press("j", "Enter")
	p.see("SQLite\ncode 0\n$")
	assert.Empty(t, r.list())

	again := r.run("attach", s.ID)
	assert.Equal(t, 5, again.code)
	assert.Empty(t, again.out)
	assert.Equal(t, "choicetui: "+s.ID+" was already answered: SQLite (by a person, with choicetui attach, TIME)\n"+
		"choicetui: hint: a question can be attached only once; have the agent ask again", timeless(again.err))

	call := r.connect("claude-code").ask(object{"session_id": s.ID})
	assert.Equal(t, []any{"sqlite"}, call.answer().selection()["selected_ids"])
	p.line("clear; choicetui attach " + s.ID + "; echo code $?")
	p.see("was already answered: SQLite", "the agent has had the answer since", "code 5")
}

func TestAttachSaysThatItWasCancelled(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	p := r.tmux().shell(80, 24)
	s := r.put(database())
	p.attach(s.ID)
	p.opens("x", "⏎ Cancel and tell claude")
	p.write("show me the monthly cost")
	p.press("Enter")
	p.see("cancelled: show me the monthly cost\ncode 3\n$")
	again := r.run("attach", s.ID)
	assert.Equal(t, 5, again.code)
	assert.Contains(t, timeless(again.err), "was already cancelled: show me the monthly cost (by a person, with choicetui attach, TIME)")
}

func TestAttachSaysThatTheTimeRanOut(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	p := r.tmux().shell(80, 24)
	ask := database()
	ask.TimeoutSeconds = 3
	s := r.put(ask)
	p.line("clear; choicetui attach " + s.ID + "; echo code $?")
	p.see("Which database?", "expires at 0:00")
	p.see("timed out, no answer\ncode 4\n$")
	again := r.run("attach", s.ID)
	assert.Equal(t, 5, again.code)
	assert.Contains(t, timeless(again.err), "has already ended: timed out, no answer (by the clock, TIME)")
}

func TestAttachLeftWithQKeepsTheQuestion(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	p := r.tmux().shell(100, 24)
	s := r.put(database())
	p.attach(s.ID)
	p.press("q")
	p.see("press q again to leave; the question stays in the dashboard")
	p.press("q")
	p.see("not answered yet\ncode 6\n$")
	assert.Equal(t, s.ID, r.only().ID)

	again := r.run("attach", s.ID)
	assert.Equal(t, 5, again.code)
	assert.Equal(t, "choicetui: "+s.ID+" was already attached at TIME; a question can be attached only once\n"+
		"choicetui: hint: the question is still pending: the dashboard or choicetui answer "+s.ID+" can answer it", timeless(again.err))
	assert.Zero(t, r.run("answer", s.ID, "--select", "pg").code)
	assert.Empty(t, r.list())
}

func TestAttachOfAnUnknownSessionSaysSo(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.put(database())
	for id, want := range map[string]string{
		"00000000":  "there is no question 00000000",
		"no such":   `"no such" is not a question id`,
		"../../etc": `"../../etc" is not a question id`,
	} {
		got := r.run("attach", id)
		assert.Equal(t, 5, got.code)
		assert.Empty(t, got.out)
		assert.Contains(t, got.err, want)
	}
}

// beside starts attach as an agent's tool does, without a terminal, in the pane of a tmux; it returns the form's pane.
func (p *pane) beside(args ...string) (*running, *pane) {
	p.Helper()
	agent := p.startWith([]string{"TMUX=" + p.socket() + ",1,0", "TMUX_PANE=" + p.id}, append([]string{"attach"}, args...)...)
	form := &pane{tmux: p.tmux}
	until(p, "a pane beside the agent's", func() bool {
		for _, id := range strings.Fields(p.do("list-panes", "-t", p.id, "-F", "#{pane_id}")) {
			if id != p.id {
				form.id = id
			}
		}
		return form.id != ""
	})
	form.meet("Which database?", "attach ")
	return agent, form
}

func TestAttachWithoutATerminalOpensASplitInTmux(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	p := r.tmux().open(120, 24, "cat")
	p.do("set", "-t", p.id, "remain-on-exit", "off")
	s := r.put(database())
	agent, form := p.beside(s.ID)
	assert.Equal(t, p.id, p.told("#{?pane_active,#{pane_id},}"), "the focus stays with the agent")
	form.press("j", "Enter")
	got := agent.wait()
	assert.Equal(t, result{"SQLite\n", got.err, 0}, got)
	assert.Contains(t, got.err, "the form is open beside this pane, in tmux pane "+form.id)
	until(t, "the split closes", func() bool { return p.do("list-panes", "-t", p.id, "-F", "#{pane_id}") == p.id })
}

func TestAttachWithoutATerminalEndsWhenItsSplitIsLeft(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	p := r.tmux().open(120, 24, "cat")
	p.do("set", "-g", "remain-on-exit", "off")
	left, killed := r.put(database()), r.put(database())

	agent, form := p.beside(left.ID)
	form.quit()
	got := agent.wait()
	assert.Equal(t, result{"not answered yet\n", got.err, 6}, got)

	agent, form = p.beside("--json", killed.ID)
	form.do("kill-pane", "-t", form.id)
	got = agent.wait()
	assert.Equal(t, 6, got.code)
	assert.Contains(t, got.out, killed.ID)
	assert.Len(t, r.list(), 2)
}

func TestAttachWithoutATerminalOutsideTmuxWaitsForTheAnswer(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	s := r.put(database())
	agent := r.start("attach", s.ID)
	until(t, "attach says where it can be answered", func() bool { return strings.Contains(agent.err.String(), "/choice/"+s.ID) })
	done := r.run("answer", s.ID, "--select", "pg", "--note", "pg=managed only")
	require.Zero(t, done.code, done.err)
	got := agent.wait()
	assert.Zero(t, got.code)
	assert.Contains(t, got.out, "PostgreSQL")
	assert.Regexp(t, "^choicetui: there is no terminal here; waiting for an answer from the dashboard or choicetui answer "+s.ID+"\n"+
		"choicetui: this link opens it in a browser, and nothing else: http://127.0.0.1:[0-9]+/choice/"+s.ID+`\?t=[A-Za-z0-9_-]+\n$`, got.err)
	assert.Nil(t, r.show(s.ID)["attached"], "only who draws the form attaches")
}

func TestAttachInATmuxPopup(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	m := r.tmux()
	p := m.open(90, 30, "cat")
	s := r.put(database())
	// A popup belongs to a client: a person who looks at the session.
	client := m.command("attach-session", "-t", p.id)
	client.Env = append(client.Env, "TERM=xterm-256color")
	person := r.console(90, 30, client)
	name := ""
	until(t, "tmux has a client", func() bool { name = m.do("list-clients", "-F", "#{client_name}"); return name != "" })

	popup := m.command("display-popup", "-E", "-c", name, "-t", p.id, "-w", "62", "-h", "18", "-d", r.work,
		"choicetui attach "+s.ID+" >summary; echo $? >code")
	said := make(chan string, 1)
	go func() { out, _ := popup.CombinedOutput(); said <- string(out) }()
	until(t, "the form in the popup", func() bool {
		person.mu.Lock()
		defer person.mu.Unlock()
		raw := string(person.raw)
		return strings.Contains(raw, "Which database?") && strings.Contains(raw, "attach "+s.ID)
	})
	time.Sleep(guarded)
	person.press("j", "\r")
	select {
	case out := <-said:
		assert.Empty(t, out)
	case <-time.After(patience):
		require.Fail(t, "the popup stays open")
	}
	assert.Equal(t, "SQLite", r.text("summary"))
	assert.Equal(t, "0", r.text("code"))
}

func TestAttachHasTheQueueBesideItsQuestionAndLeavesWithItsOwnAnswer(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	p := r.tmux().shell(120, 30)
	other, s := database(), database()
	other.Title = "Which cache?"
	asked := r.put(other)
	own := r.put(s)
	p.attach(own.ID)
	p.see("Which cache?", "attach ", "1 more waiting")
	p.press("K")
	p.see("⏎ Send PostgreSQL")
	time.Sleep(guarded)
	p.press("Enter")
	p.see("and close")
	assert.Equal(t, "dashboard", r.show(asked.ID)["outcome"].(map[string]any)["surface"])
	time.Sleep(guarded)
	p.press("j", "Enter")
	p.see("SQLite\ncode 0\n$")
}

func TestAttachThatStaysIsADashboardWithTheExitCodeOfItsQuestion(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	p := r.tmux().shell(80, 24)
	other, s := database(), database()
	other.Title = "Which cache?"
	own := r.put(s)
	p.line("clear; choicetui attach --stay " + own.ID + "; echo code $?")
	p.meet("Which database?", "attach ")
	time.Sleep(guarded)
	p.opens("x", "⏎ Cancel and tell claude")
	p.press("Enter")
	p.see("nothing is waiting")
	r.put(other)
	p.see("Which cache?")
	p.quit()
	p.see("cancelled\ncode 3\n$")
	assert.Len(t, r.list(), 1)
}

func TestAttachWithoutATerminalHandsStayToItsSplit(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	p := r.tmux().open(120, 24, "cat")
	p.do("set", "-t", p.id, "remain-on-exit", "off")
	s := r.put(database())
	agent, form := p.beside("--stay", s.ID)
	form.press("j", "Enter")
	got := agent.wait()
	assert.Equal(t, result{"SQLite\n", got.err, 0}, got, "the agent goes on with its answer")
	form.see("nothing is waiting")
	assert.Contains(t, p.do("list-panes", "-t", p.id, "-F", "#{pane_id}"), form.id)
}
