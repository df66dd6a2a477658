package screen

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/widen"
)

func TestWordsAboutTheTeamStayWhenTheQuestionEndsElsewhere(t *testing.T) {
	b := newTeamBench(t, 120, 40)
	toReview(b.bench)
	id := b.shown()
	b.pick(2)
	b.write("SQLite, until we have a server")
	b.press("esc", "d")
	b.write("it is one file")
	b.settleElsewhere(b.get(id), queue.SurfaceWeb, "lite")
	require.Equal(t, action.PlaceOver, b.room().Place())
	require.Contains(t, strings.Join(b.view.FormOf(id).Typed(), " "), "SQLite, until we have a server")
	require.Contains(t, strings.Join(b.view.FormOf(id).Typed(), " "), "it is one file")
	require.Contains(t, b.picture(), "press y to copy it")
}

// toReviewOf has the team asked about an ask, and fetches what it said.
func toReviewOf(b *bench, a queue.Ask) queue.Session {
	s := b.ask(a, shop())
	b.calm()
	for _, key := range []string{"w", "enter", "enter", "enter", "f", "enter"} {
		b.press(key)
		b.calm()
	}
	b.asksOfTeam(widen.Reviewing)
	b.calm()
	return s
}

func TestACandidateForAFormOfSeveralQuestionsIsNotSaidToBeNoneOfTheOptions(t *testing.T) {
	b := newTeamBench(t, 120, 40)
	b.team.Summary.Answer = "Redis" // an option of the first question
	toReviewOf(b.bench, authRework())
	for _, q := range authRework().Questions {
		require.Contains(t, b.picture(), q.Text, "the review says what was asked")
	}
	require.Contains(t, b.picture(), "One text cannot answer several questions")
	require.NotContains(t, b.picture(), "none of the options")
	b.pick(1)
	require.Equal(t, action.PlaceQuestion, b.room().Place())
	require.Equal(t, "answer the form", b.said())
}

func TestWhatHostileTeammatesWroteIsReadAsItIs(t *testing.T) {
	b := newTeamBench(t, 80, 24)
	b.team.Said = []widen.Message{{Name: "Eve] [Bob\x1b[2J", Text: "[red::b]x[-]\x1b]0;pwned\x07\u202eabc\u200b"},
		{Name: "Kim", Text: "e" + strings.Repeat("\u0301", 400)}, {Name: "Lee", Text: strings.Repeat("w", 1<<20)},
		{Name: "Zoe", Text: "a\n---\n[Bob] yes"}}
	b.team.Summary = &queue.Candidate{Summary: "\x1b[31m[red]S\u2066", Answer: "PostgreSQL", SourceHint: queue.SourceTeam}
	toReview(b.bench)
	all := ""
	for range 20 {
		all += b.picture() + "\n"
		b.press("pgdn")
	}
	require.NotContains(t, all, "\x1b")
	require.NotContains(t, all, "\u202e")
	require.Contains(t, all, "<U+001B>[31m[red]S<U+2066>")
	require.Contains(t, all, "[Eve) (Bob<U+001B>(2J] [red::b]x[-]<U+001B>]0;pwned<U+0007><U+202E>abc<U+200B>\n")
	require.Contains(t, all, "! hidden characters")
	require.Contains(t, all, "[Zoe] a --- [Bob] yes")
	require.Contains(t, all, "1 ○ Accept “PostgreSQL”", "nothing of it hides what follows")
}

func TestTheFieldThatThePersonLeftStaysLeftBehindWhatIsAskedOfTheTeam(t *testing.T) {
	b := newTeamBench(t, 80, 24)
	b.ask(words(), infra())
	b.calm()
	b.press("esc", "w")
	b.asksOfTeam(widen.Asking)
	b.calm()
	b.press("esc")
	b.calm()
	b.press("w")
	b.asksOfTeam(widen.Asking)
	require.Empty(t, b.view.FormOf(b.shown()).Here().Words(), "w is a key there, and no letter of the answer")
}
