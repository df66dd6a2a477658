package screen

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// answered asks so many questions and answers each.
func answered(b *bench, n int) {
	for i := range n {
		b.ask(small(fmt.Sprintf("Question %02d?", i), 300), infra())
		b.clock.pass(9 * time.Second)
		b.press("enter")
		b.clock.pass(time.Minute)
	}
}

func TestScreenWideAfterSomeAnswers(t *testing.T) {
	for _, size := range [][2]int{{100, 24}, {120, 40}, {200, 60}, {300, 80}} {
		b := newBench(t, size[0], size[1])
		answered(b, 12)
		five(b)
		b.clock.pass(time.Second)
		b.golden(fmt.Sprintf("wide-%dx%d", size[0], size[1]))
	}
}

func TestTheLastAnswersStandBesideTheQuestionNewestFirst(t *testing.T) {
	b := newBench(t, 100, 30)
	b.ask(database(), shop())
	require.NotContains(t, b.picture(), "─ today", "nothing was answered")
	b.clock.pass(9 * time.Second)
	b.press("enter")
	b.ask(small("Deploy?", 300), infra())
	require.NotEmpty(t, b.rowWith("─ today · h all ─", " 1 answered ─"), b.picture())
	require.NotEmpty(t, b.rowWith("14:02  Which database?", "shop"), b.picture())
	require.NotEmpty(t, b.rowWith("✓ PostgreSQL"), b.picture())
	answered(b, 12)
	b.ask(small("Deploy?", 300), infra())
	pic := b.picture()
	require.Less(t, strings.Index(pic, "Question 11?"), strings.Index(pic, "Question 10?"), pic)
	require.NotContains(t, pic, "Question 00?", "as many as there are rows for")
}

func TestTheLastAnswersGiveWayToAQueueThatGrows(t *testing.T) {
	b := newBench(t, 100, 24)
	answered(b, 3)
	for n := range 15 {
		b.ask(small(fmt.Sprintf("Waiting %02d?", n), 900+n), infra())
		pic := b.picture()
		for i := range n + 1 {
			require.Contains(t, pic, fmt.Sprintf("Waiting %02d?", i), "%d wait: a row each goes first\n%s", n+1, pic)
		}
	}
	require.NotContains(t, b.picture(), "─ today")
}

func TestYesterdaysAnswersAreNotTodays(t *testing.T) {
	b := newBench(t, 100, 30)
	answered(b, 1)
	b.clock.pass(24 * time.Hour)
	b.ask(database(), shop())
	require.NotContains(t, b.picture(), "─ today")
}
