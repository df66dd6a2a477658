package history

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/trail"
)

// own returns a settled session answered with a person's own words.
func own(text string) queue.Session {
	at := roomtest.Noon
	s := queue.Session{ID: "k7f3m2qx", AskedAt: at, Ask: queue.Ask{Title: "Name the package", Prompt: "Why.",
		Questions: []queue.Question{{ID: "q1", Mode: queue.ModeText}}}}
	s.Outcome = &queue.Outcome{Status: queue.StatusCustom, By: queue.ByHuman,
		At: at.Add(61*time.Second + 900*time.Millisecond), Answer: said(text)}
	s.Events = []queue.Event{{Kind: queue.EventAsked, At: at},
		{Kind: queue.EventSettled, By: queue.ByHuman, At: s.Outcome.At}}
	return s
}

func said(text string) queue.Answer {
	return queue.Answer{Replies: []queue.Reply{{Question: "q1", Text: text}}}
}

func textOf(l laid) string {
	rows := make([]string, len(l))
	for i := range l {
		rows[i] = l[i].String()
	}
	return strings.Join(rows, "\n")
}

func TestAQuoteNeverEndsOnALineOfItsOwn(t *testing.T) {
	text := sessionText{Session: own("one line\nand another\n\n"), Year: 2026}
	assert.Contains(t, textOf(text.lay(ink.Unicode, 80)), "  typed  “one line\n         and another”\n")
	text.Whole, text.Drafts = true, []queue.Draft{{Answer: said("a draft\n")}}
	assert.Contains(t, textOf(text.lay(ink.Unicode, 80)), "“a draft”")
}

func TestATimeTakenIsOfWholeSecondsThatHavePassed(t *testing.T) {
	assert.Contains(t, textOf(sessionText{Session: own("x"), Year: 2026}.lay(ink.Unicode, 80)), "after 1:01")
	assert.Equal(t, "1:01", say.Took(61*time.Second+900*time.Millisecond))
	assert.Equal(t, "59:59", say.Took(time.Hour-time.Millisecond))
}

func TestOwnWordsInANarrowHistoryUseItsWidth(t *testing.T) {
	text := sessionText{Session: own("x"), Year: 2026, Whole: true,
		Drafts: []queue.Draft{{Answer: said("only if the managed offering stays under 300 a month")}}}
	rows := strings.Split(textOf(text.lay(ink.Unicode, 39)), "\n")
	for i, l := range rows {
		if strings.HasPrefix(l, "Typed but") {
			assert.GreaterOrEqual(t, ink.Width(rows[i+1]), 30, rows[i+1])
			return
		}
	}
	assert.Fail(t, "not there")
}

func TestTheContextOfAFormsQuestionStandsBelowIt(t *testing.T) {
	s := own("x")
	s.Ask.Questions = []queue.Question{{ID: "q1", Mode: queue.ModeText, Text: "Which hash?\n\npasswords only"},
		{ID: "q2", Header: "Cost", Mode: queue.ModeText, Text: "How much?\na month"}}
	whole := textOf(sessionText{Session: s, Year: 2026, Whole: true}.lay(ink.Unicode, 80))
	assert.Contains(t, whole, "\n  Which hash?\n  passwords only\n  typed  “x”\n\n  Cost  How much?\n  a month\n")
	preview := textOf(sessionText{Session: s, Year: 2026}.lay(ink.Unicode, 80))
	assert.Contains(t, preview, "\n  Which hash?\n  typed  “x”\n\n  Cost  How much?")
}

func TestWhatTakesNoInkInAnApprovalIsWrittenOut(t *testing.T) {
	s := own("x")
	s.Ask.Kind, s.Ask.Title, s.Ask.Prompt = queue.KindApproval, "Run ⚠\ufe0f1", "Why ⚠\ufe0f2"
	s.Ask.Approval = &queue.Approval{Tool: "Bash⚠\ufe0f3", Parts: []queue.Part{{Kind: queue.PartCommand, Text: "rm ⚠\ufe0f4"}}}
	s.Ask.Questions[0].Options = []queue.Option{{ID: "a", Label: "Yes ⚠\ufe0f5", Description: "once ⚠\ufe0f6"}}
	text := sessionText{Session: s, Year: 2026}.plain()
	assert.Contains(t, text, say.HiddenCharacters)
	assert.NotContains(t, text, "\ufe0f")
	for n := range 6 {
		assert.Contains(t, text, fmt.Sprintf("⚠<U+FE0F>%d", n+1))
	}
	assert.Equal(t, "Run ⚠<U+FE0F>1", entryOf(s, trail.Place{}).Title)
}

func TestTheTextSaysWhatTheTeamSaidAndWhy(t *testing.T) {
	at := time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)
	s := queue.Session{ID: "k7f3m2qx", AskedAt: at, Ask: queue.Ask{Kind: queue.KindChoice, Title: "Store",
		Prompt:    "[WIDEN-HINT] ask them\nWe need one.",
		Questions: []queue.Question{{ID: "q1", Mode: queue.ModeSingle, Options: []queue.Option{{ID: "a", Label: "A"}}}}},
		Outcome: &queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, At: at.Add(time.Minute),
			Answer: queue.Answer{Replies: []queue.Reply{{Question: "q1", Selected: []string{"a"}}}},
			Team: &queue.Resolution{Rationale: "one file is enough",
				Summary: queue.Summary{Text: "They want\u202e the other.", Source: queue.SourceOwner}}},
		Events: []queue.Event{{Kind: queue.EventAsked, At: at}, {Kind: queue.EventSettled, By: queue.ByHuman, At: at.Add(time.Minute)}}}
	text := sessionText{Session: s, Whole: true}.plain()
	require.Contains(t, text, "Answered   14:03:00 by you, after 1:00, not as the team said\n")
	require.Contains(t, text, "  the team: They want<U+202E> the other.\n  reason: one file is enough\n")
	require.Contains(t, text, "\nask them\nWe need one.\n")
	require.NotContains(t, text, "WIDEN-HINT")
}
