package plain

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
)

func approval(change func(a *queue.Ask)) queue.Ask {
	a := database()
	a.Kind, a.Title, a.Prompt = queue.KindApproval, "Run a command?", "The old build is in the way."
	a.Approval = &queue.Approval{Tool: "Bash", Dir: "/home/me/src/shop", Marks: []string{queue.MarkDestroys},
		Parts: []queue.Part{{Kind: queue.PartCommand, Text: "rm -rf ./dist\nmake \u202eall"}}}
	a.Questions[0].Options = []queue.Option{{ID: "once", Label: "Yes", Act: queue.ActOnce, Recommended: true},
		{ID: "always", Label: "Yes, always", Act: queue.ActAlways, Description: "adds the rule Bash(make:*)"},
		{ID: "no", Label: "No", Act: queue.ActRefuse}}
	a.Questions[0].Defaults = []string{"once"}
	if change != nil {
		change(&a)
	}
	return a
}

func TestAnApprovalIsWrittenInFullAndFirst(t *testing.T) {
	b := newBench(t, nil)
	b.ask(approval(nil))
	text := b.news()
	at := 0
	for _, words := range []string{"Approval ", "Run a command?", "! It has hidden characters", "! It may be destructive.",
		"Permission is needed for this command:\n| rm -rf ./dist\n| make <U+202E>all\n",
		"Tool: Bash, in ~/src/shop.\nThe agent's reason:\n| The old build is in the way.",
		"  1, recommended: Yes", "     | adds the rule Bash(make:*)", "Type \"allow\", \"refuse REASON\" or a number."} {
		next := strings.Index(text[at:], words)
		require.GreaterOrEqual(t, next, 0, "%q behind %q of\n%s", words, text[:at], text)
		at += next
	}
	require.NotContains(t, text, "chosen")
}

func TestAnApprovalIsAllowedAndRefusedByItsWords(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(approval(nil))
	require.Contains(t, b.types(""), "Nothing is chosen yet")
	require.Contains(t, b.types("recommended"), "You can only allow or refuse.")
	require.Contains(t, b.types("allow"), "Send Yes to")
	require.True(t, b.get(s.ID).Pending())
	b.types("")
	require.Equal(t, []string{"once"}, b.get(s.ID).Outcome.Answer.Replies[0].Selected)

	s = b.ask(approval(func(a *queue.Ask) { a.Confirm = true }))
	require.Contains(t, b.types("allow", ""), "! It may be destructive.")
	require.True(t, b.get(s.ID).Pending())
	require.Contains(t, b.types("refuse not the whole of it"), "Send No + note to")
	b.types("")
	got := b.get(s.ID).Outcome.Answer.Replies[0]
	require.Equal(t, []string{"no"}, got.Selected)
	require.Equal(t, "not the whole of it", got.Notes["no"])

	b.ask(database())
	require.Contains(t, b.types("allow"), "Only an approval can be allowed or refused.")
	require.Contains(t, b.types("refuse no"), "Only an approval can be allowed or refused.")
}

func TestARefusalThatIsNotOfferedIsACancel(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(approval(func(a *queue.Ask) { a.Questions[0].Options = a.Questions[0].Options[:2] }))
	require.Contains(t, b.types("refuse not now"), `with the reason "not now"`)
	b.types("")
	require.Equal(t, queue.StatusCancelled, b.get(s.ID).Status())
}

func TestAnApprovalIsNotDecidedByLinesThatNobodyTypes(t *testing.T) {
	for _, lines := range [][]string{{"allow", ""}, {"refuse no", ""}, {"cancel", ""}} {
		b := newBench(t, func(o *Options) { o.Typed = false })
		s := b.ask(approval(nil))
		require.Contains(t, b.types(lines...), "Nothing was sent; only a person at a terminal may decide an approval.")
		require.True(t, b.get(s.ID).Pending(), lines)
	}
}

func TestLinesShowAChangeOfBlanksAndWhereALinkLeads(t *testing.T) {
	b := newBench(t, nil)
	b.ask(roomtest.ApproveBlanks())
	require.Contains(t, b.news(), "Permission is needed for this change, in which only blanks differ "+
		"(clean.sh → /home/me/bin/clean.sh):\n| -<4 blanks>rm -rf build \\<1 CR>\n| -      --dry-run\n"+
		"| +<1 tab>rm -rf build \\<1 blank>\n| +      --dry-run\n")
}

func TestLinesWriteOutWhatTakesNoInkInAnApproval(t *testing.T) {
	b := newBench(t, nil)
	b.ask(approval(func(a *queue.Ask) {
		a.Title, a.Prompt, a.Confirm = "Run ⚠\ufe0f1", "Why ⚠\ufe0f2 ⚠\ufe0f3", true
		a.Approval.Tool, a.Approval.Dir, a.Approval.Parts[0].Text = "Bash⚠\ufe0f4", "/⚠\ufe0f5", "rm ⚠\ufe0f6"
		a.Questions[0].Options[0].Label, a.Questions[0].Options[0].Description = "Yes ⚠\ufe0f7", "once ⚠\ufe0f8"
	}))
	text := b.news() + b.types("allow", "")
	require.NotContains(t, text, "\ufe0f")
	require.Contains(t, text, "! It has hidden characters")
	for n := range 8 {
		require.Contains(t, text, fmt.Sprintf("⚠<U+FE0F>%d", n+1))
	}
}
