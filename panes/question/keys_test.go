package question

import (
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

func TestTheCancelLineCanBeCarriedOutWhateverTheSettingsSayOfEnter(t *testing.T) {
	b := newBench(t, 80, 24)
	b.rebind(map[string][]string{"enter": {"ctrl+d"}, "half_down": {"f5"}})
	s := b.ask(database(), shop())
	b.calm()
	b.press("x", "enter")
	require.Equal(t, "Enter was enter, now ^D: your own keys", b.footer())
	require.Empty(t, b.View().Form().Draft().Reason, "nor is it text in a line of one row")
	b.press("down")
	require.Contains(t, b.footer(), "^D Cancel and tell claude")
	b.press("ctrl+d")
	require.Equal(t, queue.StatusCancelled, b.stored(s.ID).Status())
}

func TestOwnKeysForDigitsReachWhatTheRowsAndTheFooterSay(t *testing.T) {
	b := newBench(t, 120, 40)
	b.rebind(map[string][]string{"digit": {"!", "@"}, "change_one": {"f5", "b", "c"}})
	s := b.ask(three(), shop())
	b.calm()
	require.Contains(t, b.picture(), "! ● PostgreSQL")
	require.Contains(t, b.picture(), "@ ○ SQLite")
	require.Contains(t, b.picture(), "  ○ DynamoDB")
	require.Contains(t, b.picture(), "! @ choose")
	b.press("1")
	require.Equal(t, "1 was digit, now ! @: your own keys", b.footer())
	b.calm()
	b.press("@", "enter", "!", "enter", "@", "enter")
	require.Contains(t, b.picture(), "F5 Store")
	require.Contains(t, b.picture(), "b  Cache")
	require.Contains(t, b.picture(), "F5 b c change an answer")
	b.calm()
	b.press("b")
	require.Contains(t, b.picture(), "▸ Cache")
	b.press("@", "enter")
	b.calm()
	b.press("enter")
	got := b.stored(s.ID).Outcome.Answer.Replies
	require.Equal(t, [][]string{{"lite"}, {"lite"}, {"lite"}}, [][]string{got[0].Selected, got[1].Selected,
		got[2].Selected})
}

func TestHidingWorksInEveryQuestionOfAForm(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(three(), shop())
	b.calm()
	b.press("right", "j", "V", "enter")
	require.Contains(t, b.footer(), "hidden in all future questions")
	b.press("left")
	require.NotContains(t, b.picture(), "2 ○ SQLite", "the same option of the same client, in another question")
	require.Equal(t, []config.HiddenOption{{Client: "claude-code", ID: "lite", Label: "SQLite"}},
		b.Desk.Settings().HiddenOptions)
	b.press("v", "2", "V")
	require.Contains(t, b.footer(), "shown again from now on")
	require.Empty(t, b.Desk.Settings().HiddenOptions)
	b.press("right")
	require.Contains(t, b.picture(), "2 ● SQLite", "its dot never moved")
	require.True(t, b.stored(s.ID).Pending())
}

func TestEscLeavesFullHeight(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(migration(), infra())
	before := b.room.display().full
	b.picture()
	b.press("z")
	require.True(t, b.room.display().full)
	b.press("esc")
	require.Equal(t, before, b.room.display().full)
	require.NotNil(t, b.View().Form())
}

func TestUnboundKeysAreNotInTheFooter(t *testing.T) {
	b := newBench(t, 120, 40)
	b.ask(database(), shop())
	for key, action := range map[string]string{"n note": "note", "a comment": "comment", "1-3 choose": "digit",
		"? keys": "help"} {
		b.rebind(nil)
		require.Contains(t, b.picture(), key)
		b.rebind(map[string][]string{action: nil})
		footer := strings.Split(b.picture(), "\n")[39]
		_, word, _ := strings.Cut(key, " ")
		require.NotContains(t, footer, word, action)
	}
	b.rebind(map[string][]string{"back": nil})
	b.press("n")
	require.NotContains(t, b.picture(), "back (keeps text)")
}

func TestSuggestedReasonsAreSaidInASmallPane(t *testing.T) {
	b := newBench(t, 40, 12)
	b.ask(database(), shop())
	b.calm()
	b.press("x", "down")
	require.Contains(t, b.picture(), "x cancel · reason: …omething else first\n")
	require.Contains(t, b.picture(), "Esc back  ↑↓ suggested reasons\n")
	b.press("esc", "m")
	require.Contains(t, b.picture(), "Esc back  ↑↓ suggestions\n")
}

func TestReadingToTheEndCountsEveryRow(t *testing.T) {
	b := newBench(t, 40, 12)
	b.ask(marked(), shop())
	b.pass(time.Second)
	b.press("z")
	seen := ""
	for range 40 {
		seen += b.picture()
		b.press("pgdn")
	}
	for _, words := range []string{"evil.example", "nothing is", "hidden -->", "make deploy", "x.example/plan"} {
		require.Contains(t, seen, words)
	}
	require.Zero(t, prompt{b.room.display()}.unseen())
	require.NotContains(t, b.footer(), "unread")
}

func TestAddedAndRemovedLinesHaveColourAndSign(t *testing.T) {
	b := newBench(t, 120, 40)
	b.ask(marked(), shop())
	b.picture()
	cells, w, _ := b.screen.GetContents()
	found := map[string]tcell.Color{}
	for i := range cells {
		if i%w < w-3 && len(cells[i].Runes) > 0 && len(cells[i+3].Runes) > 0 && cells[i+3].Runes[0] == 's' {
			if r := string(cells[i].Runes); r == "+" || r == "-" {
				found[r], _, _ = cells[i].Style.Decompose()
			}
		}
	}
	require.Equal(t, map[string]tcell.Color{"+": tcell.ColorGreen, "-": tcell.ColorRed}, found)
}

func TestAnnotationsOffOffersNoneAnywhereUntilOnAgain(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	require.Contains(t, b.picture(), "n note  a comment")
	b.set(func(s *config.Settings) { s.AnnotationsEnabled = false })
	require.NotContains(t, b.picture(), "n note")
	require.NotContains(t, b.picture(), "a comment")
	for _, key := range []string{"n", "a"} {
		b.press(key)
		require.Nil(t, b.room.Field())
		require.Contains(t, b.footer(), "off in the settings: s")
	}
	b.set(func(s *config.Settings) { s.AnnotationsEnabled = true })
	b.press("n")
	require.Equal(t, form.FieldNote, b.View().Form().Typing(), "until it is on again")
	b.press("esc", "enter")
	require.Equal(t, queue.StatusSelected, b.stored(s.ID).Status())
}

func TestANoteWrittenBeforeStaysBehindUnsentWhileAnnotationsAreOff(t *testing.T) {
	b := newBench(t, 80, 24)
	a := database()
	a.Questions[0].Options[1].Note, a.Comment = "the caller's", "from the caller"
	s := b.ask(a, shop())
	b.calm()
	b.press("n")
	b.write("mine")
	b.set(func(s *config.Settings) { s.AnnotationsEnabled = false })
	require.Equal(t, form.FieldNone, b.View().Form().Typing(), "the field closes, its text is kept")
	require.Contains(t, b.footer(), "your notes are not sent (notes are off)")
	require.Equal(t, "mine", b.View().Form().Draft().Answer.Replies[0].Notes["pg"])
	b.press("enter")
	got := b.stored(s.ID).Outcome.Answer
	require.Equal(t, map[string]string{"lite": "the caller's"}, got.Replies[0].Notes)
	require.Equal(t, "from the caller", got.Comment)
}

func TestPlaceholdersOffHidesTheOneOfAQuestionAlreadyThere(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(one(queue.ModeHybrid, func(q *queue.Question) { q.Max, q.Placeholder = 1, "such as CockroachDB" }), shop())
	require.Contains(t, b.picture(), "such as CockroachDB")
	b.set(func(s *config.Settings) { s.PlaceholderVisible = false })
	require.NotContains(t, b.picture(), "such as CockroachDB")
	require.Contains(t, b.picture(), "your own words")
}

func TestWordsOnScreenNameReboundKeys(t *testing.T) {
	b := newBench(t, 80, 24)
	b.rebind(map[string][]string{"text": {"l"}, "note": {"N"}, "comment": nil, "cancel": {"X"}, "undo_last": {"f2"},
		"back": {"f9"}, "less_time": {"_"}})
	b.ask(database(), shop())
	b.calm()
	b.press("V")
	b.press("enter")
	require.Equal(t, "hidden in all future questions; F2 shows it again", b.footer())
	b.press("X")
	require.Contains(t, b.picture(), "X cancel · reason")
	require.Contains(t, b.picture(), "F9 back")
	b.press("f9")
	require.Nil(t, b.room.Field())
	require.NotContains(t, b.picture(), "  comment")
	b.pass(4 * time.Minute)
	b.press("_")
	require.Equal(t, "_ needs more than 1:00 left", b.footer())
}

func TestAPlaceholderStaysUntilTheFirstCharacter(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(one(queue.ModeHybrid, func(q *queue.Question) { q.Max, q.Placeholder = 1, "such as CockroachDB" }), shop())
	b.calm()
	b.press("t")
	require.Contains(t, b.picture(), "such as CockroachDB")
	b.write("M")
	require.NotContains(t, b.picture(), "such as CockroachDB")
	require.NotContains(t, b.picture(), "uch as")
}

func TestTheFooterNamesTheDigitsOfTheOptionsThatAreShown(t *testing.T) {
	b := newBench(t, 99, 24)
	b.set(func(s *config.Settings) {
		s.HiddenOptions = []config.HiddenOption{{Client: "claude-code", ID: "lite", Label: "SQLite"}}
	})
	b.ask(one(queue.ModeMulti, nil), shop())
	require.Contains(t, b.picture(), "1 3 mark")
	b.press("v")
	require.Contains(t, b.picture(), "1-3 mark")
}
