package e2e

import (
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// leavesWords leaves the open field of proposed words, behind which letters are keys.
func (p *pane) leavesWords() {
	p.Helper()
	p.press("Escape")
	p.see("▸t")
}

// waitsForTeam has the person ask the team about the question on view, and wait.
func (p *pane) waitsForTeam() {
	p.Helper()
	p.leavesWords()
	p.opens("w", "Next: Message")
	p.press("Enter")
	p.meet("Next: Meanwhile")
	p.toSend("1")
	p.press("Enter")
}

func TestAParkedQuestionOfAnInterviewGivesWayAlsoAfterAKillAndIsNotAnsweredByASecondEnter(t *testing.T) {
	t.Parallel()
	i := newInterviewee(t)
	p := i.tmux().shell(100, 24)
	p.line("clear; sh -c 'echo $$ >pid; exec choicetui interview charter.yaml'; echo code $?")
	p.meet("Which database", "w ask the team")
	p.waitsForTeam()
	p.meet("With the team since", "you are waiting", "and tell the team")
	p.press("c")
	p.meet("Answer other questions")
	p.press("Enter", "Enter")
	p.see("│ Under which license") // first, because another Enter on the parked question would keep it
	p.settle("│ Under which license", "⏎ Send “")
	assert.Contains(t, i.file("widen-pending.jsonl"), `"question_id":"charter.db"`)
	assert.NotContains(t, i.file("answers.yaml.partial"), "SQLite")

	require.NoError(t, syscall.Kill(i.pid("pid"), syscall.SIGKILL))
	p.see("code 137")
	p.line("clear; choicetui interview charter.yaml; echo code $?")
	p.meet("│ Under which license", "⏎ Send “")
	p.press("Enter")
	p.meet("│ What is it called", "⏎ Send “")
	p.press("Enter")
	p.meet("│ Which database", "1 of 3 with the team; decide them to finish", "and tell the team")
	p.press("Enter")
	p.see("The interview is finished: 3 answered", "code 0")
	assert.Equal(t, 1, strings.Count(i.file("decisions.json"), "charter.db"))
}
