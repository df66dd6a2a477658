package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/widen/contractserver"
)

// installation holds what an older choicetui leaves to the one that takes its place: a question with the team, one with
// a draft, a parked interview, a rule, a history, bridges that keep running, and settings that nobody can read.
type installation struct {
	*interviewee
	old              *room
	settings, mended string // the file, and its text once the person has mended it
	bridge           *agent // of the question that is with the team
	team, cache      *call  // with the team; pending with a draft
}

const brokenSettings = `{"widen": {{` // line 1, column 12

// whichCache returns another question than the one that goes to the team.
func whichCache() object {
	q := which()
	q["title"], q["prompt"] = "Which cache?", "The order service reads each cart often."
	q["options"] = []object{{"id": "redis", "label": "Redis", "description": "A server more", "recommended": true},
		{"id": "none", "label": "No cache", "description": "As it is"}}
	return q
}

// installOlder makes the installation with the older program alone.
func installOlder(t *testing.T, older string) *installation {
	t.Helper()
	n := &installation{interviewee: newInterviewee(t)}
	n.settings = filepath.Join(n.dir, "config", "choicetui", "config.json")
	raw, err := os.ReadFile(n.settings)
	require.NoError(t, err)
	n.mended = string(raw)
	n.old = n.with(older)
	p := n.old.tmux().dashboard(110, 34)

	first := whichCache()
	first["title"] = "Which queue?"
	call := n.old.connect("gemini-cli").ask(first)
	p.meet("Which queue?")
	p.press("2", "Enter")
	require.Equal(t, "selected", call.answer().status())
	hook := n.old.hook(n.wantsTest(t))
	p.meet("npm test")
	p.press("M")
	p.meet("always allow")
	p.press("Enter")
	require.Zero(t, hook.wait().code)

	n.bridge = n.old.connect("claude-code")
	n.team = n.bridge.ask(which())
	p.asksTeamInOlder("Which database?")
	p.press("Enter")
	p.meet("With the team since")
	n.cache = n.old.connect("codex").ask(whichCache())
	p.see("cache?")
	p.press("K")
	p.meet("Which cache?", "Redis")
	p.press("2")
	p.opens("n", "done")
	p.write("not before Friday")
	p.press("Enter")
	p.meet("not before Friday")
	p.quit()

	n.parksInterview()
	require.NoError(t, os.WriteFile(n.settings, []byte(brokenSettings), 0o600))
	return n
}

// parksInterview has the older program, on lines, park the first question with the team and leave the interview.
func (n *installation) parksInterview() {
	was := *n.interviewee
	was.room = n.old
	was.begin()
	for _, line := range []string{"w", "alice johnson", "c", "!cancel"} {
		_, more := was.prompted()
		require.True(n, more)
		was.types(line)
	}
	was.prompted()
	require.Equal(n, 3, was.p.wait().code)
	require.Contains(n, n.file("widen-pending.jsonl"), `"question_id":"charter.db"`)
}

// wantsTest returns the request of Claude Code to run the tests in a directory that exists: a rule needs one.
func (r *room) wantsTest(t *testing.T) []byte {
	return bytes.ReplaceAll(ofClaude(t, "permission_once").stdin, []byte("/src/shop"), []byte(r.work))
}

// TestAnOlderProgramIsReplacedWithoutALoss installs a new version where an older one has left all this, and breaks and
// mends the settings in between.
func TestAnOlderProgramIsReplacedWithoutALoss(t *testing.T) {
	n := installOlder(t, olderBinary(t))
	t.Run("settings that cannot be read", n.refusesBrokenSettings)
	require.NoError(t, os.WriteFile(n.settings, []byte(n.mended), 0o600))
	require.Equal(t, strings.Replace(n.old.run("list").out, ", parked", ", not waiting", 1), n.run("list").out)
	require.Len(t, n.list(), 4)
	require.Contains(t, n.run("log").out, "Which queue?")
	require.Contains(t, n.run("rules").out, "npm test")

	p := n.tmux().dashboard(110, 34)
	t.Run("the team", func(t *testing.T) { n.decides(t, p) })
	t.Run("the interview", n.finishesInterview)
	hook := n.hook(n.wantsTest(t)) // the older rule knows the command, and not the rest of the request: it does not count
	p.allowsOnce("npm test")
	require.Contains(t, hook.wait().out, `"behavior":"allow"`)

	for _, call := range []string{contractserver.Widen, contractserver.Resolve} {
		decisions := map[string]int{}
		for _, r := range n.server.Requests(call) {
			decisions[r.Decision]++
		}
		assert.Len(t, n.server.Requests(call), 2, call)
		assert.Len(t, decisions, 2, call)
	}
	assert.NoDirExists(t, filepath.Join(n.dir, "state", "choicetui", "widen"))
	assert.Empty(t, n.list())
	assert.NotContains(t, n.run("doctor").out, "fail ")
}

// refusesBrokenSettings has each command name the file, its line and the remedy, while the older bridges work on.
func (n *installation) refusesBrokenSettings(t *testing.T) {
	named := n.settings + ":1:12: "
	for _, args := range [][]string{{"list"}, {"log"}, {"show", "k7f3m2qx"}, {"--plain"}, {"queue", "status"},
		{"interview", "charter.yaml"}} {
		got := n.run(args...)
		assert.Equal(t, 1, got.code, args)
		assert.Contains(t, got.err, named, args)
		assert.Contains(t, got.err, "hint: repair the file or move it away", args)
	}
	got := n.run("doctor")
	assert.Contains(t, got.out, "fail  settings: "+named)
	assert.Contains(t, got.out, "repair the file or move it away")
	got = n.run("gate")
	assert.Zero(t, got.code)
	assert.Contains(t, got.err, "so the prompt goes through: "+named)
	assert.Equal(t, result{}, n.hook(n.wantsTest(t)).wait(), "Claude Code asks this in its own dialog")
	said := n.connect("copilot").ask(which()).refusal()
	assert.Contains(t, said, named)
	p := n.tmux().shell(200, 24)
	p.line("clear; choicetui; echo code $?")
	p.see(named, "repair the file or move it away", "code 1")
	raw, err := os.ReadFile(n.settings)
	assert.NoError(t, err)
	assert.Equal(t, brokenSettings, string(raw))
}

// decides answers what the older bridges asked: the question with a draft, and the one that is with the team.
func (n *installation) decides(t *testing.T, p *pane) {
	p.meet("Which cache?", "not before Friday")
	p.press("Enter")
	got := n.cache.answer()
	assert.Equal(t, []any{"none"}, got.selection()["selected_ids"])
	assert.Contains(t, got.text, "not before Friday")
	p.meet("Which database?", "With the team since")
	p.fetches()
	request, ok := n.team.answer().structured["summarization_request"].(object)
	require.True(t, ok)
	n.bridge.tool("submit_summary", object{"session_id": request["session_id"],
		"candidate_summary": "Both want PostgreSQL.", "candidate_answer": "PostgreSQL", "source_hint": "slack_extraction"})
	p.meet("Both want PostgreSQL.", "a accept")
	p.press("a")
	p.meet("Accept PostgreSQL")
	p.press("Enter")
	p.lose("Both want PostgreSQL.")
	got = n.bridge.tool("poll_selection", object{"session_id": request["session_id"]})
	assert.Equal(t, []any{"pg"}, got.selection()["selected_ids"])
	assert.Len(t, n.server.Requests(contractserver.Discussion), 1)
	until(t, "the team is told", func() bool { return len(n.server.Requests(contractserver.Resolve)) == 1 })
}

// finishesInterview runs the interview again: it continues behind the parked question, and asks that at its end.
func (n *installation) finishesInterview(t *testing.T) {
	p := n.tmux().shell(100, 24)
	p.line("clear; choicetui interview charter.yaml; echo code $?")
	p.meet("│ Under which license", "⏎ Send your text")
	p.press("Enter")
	p.meet("│ What is it called", "⏎ Send your text")
	p.press("Enter")
	p.meet("│ Which database", "1 of 3 with the team; decide them to finish", "and tell the team")
	p.press("Enter")
	p.see("The interview is finished: 3 answered", "code 0")
	assert.Equal(t, 1, strings.Count(n.file("decisions.json"), "charter.db"))
	until(t, "the team is told", func() bool { return len(n.server.Requests(contractserver.Resolve)) == 2 })
}
