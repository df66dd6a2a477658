package question

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestATitleThatOnlyListsTheQuestionsIsLeftToTheTabs(t *testing.T) {
	for title, said := range map[string]bool{"Sessions, Hashing, Rollout": false, "Sessions, Hashi…": false,
		"Auth rework": true, "Sessions, Hashing": true} {
		b := newBench(t, 80, 24)
		a := authRework()
		a.Title = title
		b.ask(a, web())
		rows := strings.Split(b.picture(), "\n")
		require.Equal(t, said, rows[1] == title, rows[1])
		if !said {
			require.Contains(t, rows[1], "▸ Sessions     Hashing")
			require.Equal(t, "Where do sessions live?", rows[6], "below the context of all")
		}
	}
}

func TestTabsWithoutNamesTakeTheRoomThereIs(t *testing.T) {
	a := authRework()
	a.Questions = a.Questions[:2]
	for i, text := range []string{"Where do sessions live?\nAll of them", "Which hash for new passwords?\nNew ones only"} {
		a.Questions[i].Header, a.Questions[i].Text = "", text
	}
	for w, tabs := range map[int]string{
		80: " ▸ Where do sessions live?     Which hash for new passwords?     review",
		68: " ▸ Where do sessions live?     Which hash for new passw…     review",
		50: " ▸ 1 of 2: Where do sessions l… · 0 of 2 answered",
	} {
		b := newBench(t, w, 24)
		b.ask(a, web())
		require.Contains(t, strings.Split(b.picture(), "\n"), tabs, "%d cells", w)
	}
}

func TestWhereTheTabsDoNotFitItIsSaidHowManyAreAnswered(t *testing.T) {
	a := authRework()
	for len(a.Questions) < 9 {
		q := a.Questions[1]
		q.ID, q.Header = queue.NewID(), "Hashing of part "+strings.Repeat("I", len(a.Questions))
		a.Questions = append(a.Questions, q)
	}
	for w, tabs := range map[int]string{
		80: " ▸ 4 of 9: Hashing of part III · 3 of 9 answered",
		60: " ▸ 4 of 9: Hashing of part III · 3 of 9 answered",
		40: " ▸ 4 of 9: Hashing o… · 3 of 9 answered",
		34: " ▸ 4 of 9: Hashing … · 3 answered",
		30: " ▸ 4 of 9: Hashing of … · ✓ 3",
	} {
		b := newBench(t, w, 24)
		b.ask(a, web())
		b.calm()
		b.press("enter", "enter", "enter")
		require.Contains(t, b.picture(), tabs, "%d cells", w)
		b.calm()
		for range 6 {
			b.press("right")
		}
		if w >= 40 {
			require.Contains(t, b.picture(), " ▸ review of 9 · 3 of 9 answered")
		}
	}
}

func TestOnlyWhatNobodyEndedIsAWarning(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(*bench, queue.Session)
		says string
		kind headKind
	}{
		"a person, in the browser": {func(b *bench, s queue.Session) { b.SettleElsewhere(s, queue.SurfaceWeb, "lite") },
			"Answered: SQLite · in the browser", headEnded},
		"the clock": {func(b *bench, s queue.Session) {
			b.pass(s.Deadline.Sub(b.Clock.T))
			b.View().Pressed(b.Clock.T)
			b.Desk.Tick()
			b.Calm()
		},
			"! Timed out: no answer", headNotice},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, 80, 24)
			s := b.ask(database(), shop())
			c.end(b, s)
			b.picture()
			var found headingLine
			for _, l := range b.room.on.page.heading {
				if strings.Contains(l.text, c.says) {
					found = l.headingLine
				}
			}
			require.Equal(t, headingLine{text: c.says, kind: c.kind}, found)
		})
	}
}
