package plain

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// draftElsewhere saves a draft as another running process does.
func (b *bench) draftElsewhere(s queue.Session, selected ...string) {
	b.t.Helper()
	b.draftReply(s, queue.Reply{Question: "q1", Selected: selected})
}

// draftReply saves a draft with this reply in another view.
func (b *bench) draftReply(s queue.Session, reply queue.Reply) {
	b.t.Helper()
	b.Clock.Pass(time.Millisecond)
	draft := queue.Draft{Session: s.ID, Instance: "other", At: b.Clock.T}
	draft.Answer.Replies = []queue.Reply{reply}
	require.NoError(b.t, b.Disk.SaveDraft(b.t.Context(), draft))
	b.settle()
}

func TestADraftFromElsewhereIsSaidAndTakesBackWhatWasAsked(t *testing.T) {
	const drafted, again = "Draft from elsewhere: SQLite.", "Nothing was sent; Enter asks again."
	for name, c := range map[string]struct {
		mode  string
		lines []string // typed before the draft comes
		said  []string
		after string // what Enter says after the draft came
	}{
		"single, nothing typed": {queue.ModeSingle, nil, []string{drafted}, "Send SQLite"},
		"single, offered":       {queue.ModeSingle, []string{""}, []string{drafted, again}, "Send SQLite"},
		"multi, offered":        {queue.ModeMulti, []string{""}, []string{drafted, again}, "Send SQLite"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, nil)
			a := one(c.mode, func(q *queue.Question) { q.Defaults = []string{"pg"} })
			s := b.ask(a)
			b.types(c.lines...)
			b.news()
			b.draftElsewhere(s, "lite")
			said := b.news()
			for _, words := range c.said {
				require.Contains(t, said, words+"\n")
			}
			b.handleLine(line{"yes", b.Clock.T})
			b.handleLine(line{"2", b.Clock.T})
			require.Contains(t, b.news(), "Not taken")
			require.Contains(t, b.types(""), "Not yet: \"2\" was not taken")
			b.wait(desk.Settle)
			require.Contains(t, b.types(""), c.after)
			require.True(t, b.get(s.ID).Pending())
		})
	}
}

func TestAFormThatSomethingWasTypedForKeepsItsOwn(t *testing.T) {
	for _, typed := range []string{"1", "r", "n 1 because", "t"} {
		b := newBench(t, nil)
		s := b.ask(one(queue.ModeHybrid, func(q *queue.Question) { q.Defaults = []string{"pg"} }))
		b.types(typed)
		b.draftElsewhere(s, "lite")
		require.NotContains(t, b.news(), "Draft from elsewhere", typed)
		require.Equal(t, []string{"pg"}, b.view.Form().Answer().Replies[0].Selected, typed)
	}
}

func TestANewerDraftFromElsewhereReplacesAnOlderOne(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(database())
	b.draftElsewhere(s, "dynamo")
	require.Contains(t, b.news(), "Draft from elsewhere: DynamoDB.\n")
	b.draftElsewhere(s, "lite")
	require.Contains(t, b.news(), "Draft from elsewhere: SQLite.\n")
	b.draftElsewhere(s, "lite")
	require.Empty(t, b.news(), "nothing changed")
	b.wait(desk.Settle)
	b.types("", "")
	require.Equal(t, []string{"lite"}, b.get(s.ID).Outcome.Answer.Replies[0].Selected)
}

func TestADraftIsCalledYoursOnlyWhereNoOtherProcessKeepsIt(t *testing.T) {
	for role, want := range map[string]string{
		queue.RoleDashboard: "Draft from another dashboard: SQLite.\n",
		queue.RoleAttach:    "Draft from choicetui attach: SQLite.\n",
		queue.RolePortal:    "Draft from the browser: SQLite.\n",
		"":                  "From your draft: SQLite.\n", // the process has ended, so the draft is the person's own
	} {
		b := newBench(t, nil)
		if role != "" {
			running := []queue.Presence{{Instance: "bridge"}, {Instance: "me"}, {Instance: "other", Role: role}}
			b.desk.Take(queue.Changes{Presence: true}, running)
		}
		b.ask(database())
		second := b.ask(database())
		b.draftElsewhere(second, "lite")
		b.news()
		require.Contains(t, b.types("next"), want)
		b.wait(desk.Settle)
		b.types("3")
		require.Contains(t, b.types("show"), "From your draft: DynamoDB.\n", "the person made it their own")
	}
}

func TestADraftNamesWhatWasWrittenBeforeThatNothingIsMarked(t *testing.T) {
	b := newBench(t, nil)
	b.ask(database())
	noted, empty := b.ask(database()), b.ask(database())
	b.draftReply(noted, queue.Reply{Question: "q1", Notes: map[string]string{"pg": "why"}})
	b.draftElsewhere(empty)
	b.news()
	require.Contains(t, b.types("next"), "From your draft: a note, nothing marked.\n")
	require.NotContains(t, b.types("next"), "draft")
}

func TestOnlyWordsThatDidNotGoOutAndWereTypedHereAreGivenBack(t *testing.T) {
	const lost = "What you wrote was not sent:\n| use redis\n"
	for name, c := range map[string]struct {
		here bool   // the words were typed in these lines, not in another process
		role string // the role of the other process; empty: it has ended
		sent string // the words that were sent elsewhere
		lost bool
	}{
		"typed in a dashboard and sent":     {false, queue.RoleDashboard, "use redis", false},
		"typed in a dashboard and not sent": {false, queue.RoleDashboard, "", false},
		"typed before and sent":             {false, "", "use redis", false},
		"typed before and not sent":         {false, "", "", true},
		"typed here and sent elsewhere":     {true, "", "use redis", false},
		"typed here and not sent":           {true, "", "other words", true},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, nil)
			if c.role != "" {
				running := []queue.Presence{{Instance: "bridge"}, {Instance: "me"}, {Instance: "other", Role: c.role}}
				b.desk.Take(queue.Changes{Presence: true}, running)
			}
			s := b.ask(one(queue.ModeHybrid, func(q *queue.Question) { q.Min, q.Max = 0, 2 }))
			if c.here {
				b.types("t use redis")
			} else {
				b.draftReply(s, queue.Reply{Question: "q1", Selected: []string{"lite"}, Text: "use redis"})
			}
			b.news()
			_, err := b.o.Queue.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceDashboard,
				Do: queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{
					{Question: "q1", Selected: []string{"lite"}, Text: c.sent}}}}})
			require.NoError(t, err)
			b.settle()
			said := b.news()
			require.Contains(t, said, "Closed: ")
			require.Equal(t, c.lost, strings.Contains(said, lost), said)
		})
	}
}

func TestAFormThatIsAnsweredElsewhereIsNotWrittenAtEachStep(t *testing.T) {
	b := newBench(t, nil)
	a := database()
	second, third := question("q2", queue.ModeMulti), question("q3", queue.ModeSingle)
	second.Header = "Tests"
	a.Questions = append(a.Questions, second, third)
	s := b.ask(a)
	require.Contains(t, b.news(), "1 of 3")
	for _, c := range []struct {
		answered []string
		second   string // the draft for the second question
		said     string // what follows the draft in the line about it
	}{
		{[]string{"q1"}, "", "You are now at question 2 of 3: show writes it.\n"},
		{[]string{"q1"}, "pg", ""},
		{[]string{"q1", "q2", "q3"}, "pg", "You are now at question 1 of 3: show writes it.\n"},
	} {
		b.Clock.Pass(time.Millisecond)
		draft := queue.Draft{Session: s.ID, Instance: "other", At: b.Clock.T, Answered: c.answered}
		draft.Answer.Replies = []queue.Reply{{Question: "q1", Selected: []string{"lite"}},
			{Question: "q2"}, {Question: "q3", Selected: []string{"pg"}}}
		if c.second != "" {
			draft.Answer.Replies[1].Selected = []string{c.second}
		}
		require.NoError(t, b.Disk.SaveDraft(t.Context(), draft))
		b.settle()
		require.Regexp(t, "^Draft from elsewhere: [^\\n]*\\n"+c.said+"$", b.news())
	}
	require.Contains(t, b.types("show"), "\n1 of 3\n")
}

func TestAnAnswerOnALineIsStoredOnceADiskThatHungIsBack(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(database())
	b.types("2")
	for range 1100 {
		b.desk.Later(func() {})
	}
	b.handleLine(line{"", b.Clock.T})
	b.settle()
	require.Equal(t, queue.StatusSelected, b.get(s.ID).Status())
	require.Contains(t, b.news(), "Sent: SQLite")
}
