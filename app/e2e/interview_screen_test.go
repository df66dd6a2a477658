package e2e

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/widen/contractserver"
)

func TestInterviewInTheDashboardLeavesWhenItIsDone(t *testing.T) {
	t.Parallel()
	i := newInterviewee(t)
	p := i.tmux().shell(100, 24)
	p.line("clear; choicetui interview charter.yaml; echo code $?")
	for _, text := range []string{"Which database", "Under which license", "What is it called"} {
		p.meet(text, "⏎ Send “")
		p.press("Enter")
	}
	p.see("The interview is finished: 3 answered. The answers are in answers.yaml", "code 0")
	assert.Equal(t, "mission: shop-charter\nanswers:\n  charter.db: SQLite\n  charter.license: MIT\n  charter.name: shop\n",
		i.file("answers.yaml"))
}

func TestInterviewInTheDashboardLeftWithQCanBeResumed(t *testing.T) {
	t.Parallel()
	i := newInterviewee(t)
	p := i.tmux().shell(100, 24)
	p.line("clear; choicetui interview charter.yaml; echo code $?")
	p.meet("Which database", "⏎ Send “")
	p.press("Enter")
	p.meet("Under which license")
	p.leavesWords()
	p.quit()
	p.see("the interview was stopped: 1 of 3 questions are decided", "code 3")
	p.line("clear; choicetui interview charter.yaml; echo code $?")
	p.meet("Under which license", "⏎ Send “")
	p.press("Enter")
	p.meet("What is it called")
	require.Zero(t, i.run("answer", i.only().ID, "--text", "store").code)
	p.see("The interview is finished: 3 answered", "code 0")
}

func TestInterviewInTheDashboardGoesOnFromAParkedQuestionAndWaitsForItInTheEnd(t *testing.T) {
	t.Parallel()
	i := newInterviewee(t)
	p := i.tmux().shell(100, 24)
	p.line("clear; choicetui interview charter.yaml; echo code $?")
	p.meet("Which database", "w ask the team")
	p.leavesWords()
	p.opens("w", "Next: Message")
	p.press("Enter")
	p.meet("Next: Meanwhile")
	p.toSend("2")
	p.press("Enter")
	for _, text := range []string{"│ Under which license", "│ What is it called"} {
		p.meet(text, "⏎ Send “")
		assert.Contains(t, i.file("widen-pending.jsonl"), `"question_id":"charter.db"`)
		p.press("Enter")
	}
	p.meet("│ Which database", "and tell the team")
	p.press("Enter")
	p.see("The interview is finished: 3 answered", "code 0")
	assert.NoFileExists(t, filepath.Join(i.work, "widen-pending.jsonl"))
	until(t, "the team is told", func() bool { return len(i.server.Requests(contractserver.Resolve)) == 1 })
}

// ask waits for a prompt, and for as long as a person needs to read it, and types a line.
func (c *console) ask(prompt, line string) {
	c.Helper()
	c.readable(prompt)
	time.Sleep(guarded)
	c.press(line + "\n")
}

func TestInterviewOnATerminalEchoesBehindItsPrompts(t *testing.T) {
	t.Parallel()
	i := newInterviewee(t)
	c := i.lines(i.args...)
	c.ask("[!cancel]\n", "w")
	c.ask("Audience > ", "alice johnson")
	c.ask("(default: b): ", "")
	c.ask("Waiting > ", "MySQL")
	text := c.readable("Resolved locally. SaaS will close the Slack thread shortly.\n")
	assert.Contains(t, text, "\nAudience > alice johnson\nAudience confirmed: Alice Johnson (1 member)\n")
	assert.Contains(t, text, "\nWaiting > MySQL\nResolved locally.")
	c.press("\x03")
	assert.Equal(t, 3, c.ended())
}

func TestInterviewOnATerminalAsksNobodyAfterCtrlC(t *testing.T) {
	t.Parallel()
	i := newInterviewee(t)
	c := i.lines(i.args...)
	c.ask("[!cancel]\n", "w")
	c.readable("Audience > ")
	c.press("\x03")
	text := c.readable("The team was not asked.\n\nWhich database")
	assert.Equal(t, 2, strings.Count(text, "Which database do we use for orders? [SQLite]:"))
	assert.Empty(t, i.server.Requests(contractserver.Widen))
	c.press("\x04")
	assert.Equal(t, 3, c.ended())
}

func TestInterviewOnATerminalTakesNoLineThatWasTypedAhead(t *testing.T) {
	t.Parallel()
	i := newInterviewee(t)
	c := i.lines(i.args...)
	c.press("w\n\n\n\n")
	c.readable("Not taken: \"w\" came too soon. Type it again.\n")
	time.Sleep(guarded)
	assert.Regexp(t, regexp.MustCompile(`Which database`), i.only().Title, "nothing was answered")
	assert.Empty(t, i.server.Requests(contractserver.Widen))
}
