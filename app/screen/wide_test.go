package screen

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// answered asks so many questions and answers each.
func answered(b *bench, n int) {
	for i := range n {
		b.ask(small(fmt.Sprintf("Question %02d?", i), 300), infra())
		b.clock.Pass(9 * time.Second)
		b.press("enter")
		b.clock.Pass(time.Minute)
	}
}

func TestScreenWideAfterSomeAnswers(t *testing.T) {
	for _, size := range [][2]int{{100, 24}, {120, 40}, {200, 60}, {300, 80}} {
		b := newBench(t, size[0], size[1])
		answered(b, 12)
		five(b)
		b.clock.Pass(time.Second)
		b.golden(fmt.Sprintf("wide-%dx%d", size[0], size[1]))
	}
}

func TestTheLeftColumnStandsWhileNothingWaits(t *testing.T) {
	for _, size := range [][2]int{{100, 24}, {120, 30}, {200, 60}, {300, 80}} {
		b := newBench(t, size[0], size[1])
		b.settings.S.TimeoutOverride = new(120)
		b.newSettings()
		left := b.columns(0)
		require.Contains(t, left, "─ nothing is waiting ─", "before the first question")
		require.Contains(t, left, "─ settings · s more ─")
		answered(b, 2)
		b.clock.Pass(time.Second)
		left, right := b.columns(0), b.columns(1)
		require.Contains(t, left, "─ nothing is waiting ─")
		require.NotContains(t, right, "nothing is waiting", "it is said once")
		require.Contains(t, left, "─ settings · s more ─")
		for _, label := range []string{"transport", "time limit", "placeholders", "notes and comments"} {
			require.Contains(t, left, label)
		}
		require.Contains(t, left, "─ today · h history ─")
		require.Contains(t, left, "Question 01?")
		require.Contains(t, right, "Today      2 answered")
		b.golden(fmt.Sprintf("nothing-%dx%d", size[0], size[1]))
	}
}

// columns returns the text left (0) or right (1) of the divider, above the last rule.
func (b *bench) columns(n int) string {
	var out strings.Builder
	for l := range splitLines(b.picture()) {
		if parts := strings.FieldsFunc(l, func(r rune) bool { return strings.ContainsRune("│┬┤", r) }); len(parts) > n {
			out.WriteString(parts[n] + "\n")
		}
	}
	return out.String()
}

func TestBeforeTheQueueIsReadNothingIsSaidOfIt(t *testing.T) {
	b := newBench(t, 120, 30)
	late := New(Options{Services: desk.Services{Queue: b.o.Queue, Settings: b.settings, Instance: "late"}}, ink.Unicode)
	b.Screen = late
	pic := b.picture()
	require.Contains(t, pic, "─ reading the queue ─")
	require.NotContains(t, pic, "nothing is waiting")
	require.NotContains(t, pic, "│")
}

func TestTextAndClockStayWithinOneMeasureOnAVeryWideScreen(t *testing.T) {
	b := newBench(t, 300, 80)
	const left, measure = 65, 100
	check := func(rows int) {
		t.Helper()
		for l := range splitLines(b.picture()) {
			if rows--; rows < 0 {
				return
			}
			require.LessOrEqual(t, len([]rune(strings.TrimRight(l, " ─"))), left+measure, l)
		}
	}
	check(76)
	b.ask(small("Rename the flag?", 20), infra())
	b.clock.Pass(time.Second)
	require.Contains(t, b.picture(), "0:19")
	check(76)
	for range 2 {
		b.clock.Pass(time.Minute)
		b.tick()
	}
	require.Contains(t, b.picture(), "timed out unanswered")
	check(76)
}

func TestTheSettingsAreReachedWhileNothingWaits(t *testing.T) {
	b := newBench(t, 120, 30)
	b.clock.Pass(time.Second)
	require.NotEmpty(t, b.rowWith("c connect", "Tab next area"), b.picture())
	b.press("tab", "down", "down", "right")
	require.False(t, b.settings.S.PlaceholderVisible, b.picture())
	b.press("esc")
	require.Equal(t, action.PlaceEmpty, b.room().Place())
	b.press("tab")
	b.screen.SetSize(80, 24)
	b.picture()
	require.Equal(t, action.PlaceEmpty, b.room().Place(), "they are not on screen any more")
	require.NotContains(t, b.picture(), "Tab next area")
	b.press("tab")
	require.Equal(t, action.PlaceEmpty, b.room().Place())
}

func TestTheLastAnswersStandBesideTheQuestionNewestFirst(t *testing.T) {
	b := newBench(t, 100, 30)
	b.ask(database(), shop())
	require.NotContains(t, b.picture(), "─ today", "nothing was answered")
	b.clock.Pass(9 * time.Second)
	b.press("enter")
	b.ask(small("Deploy?", 300), infra())
	require.NotEmpty(t, b.rowWith("─ today · h history ─", " 1 done ─"), b.picture())
	require.NotEmpty(t, b.rowWith("14:02  Which database?", "shop"), b.picture())
	require.NotEmpty(t, b.rowWith("✓ PostgreSQL"), b.picture())
	answered(b, 12)
	b.ask(small("Deploy?", 300), infra())
	pic := b.picture()
	require.Less(t, strings.Index(pic, "Question 11?"), strings.Index(pic, "Question 10?"), pic)
	require.NotContains(t, pic, "Question 00?", "as many as there are rows for")
}

func TestAnApprovalHasTheSameTitleAmongTheLastAnswersAsInTheList(t *testing.T) {
	b := newBench(t, 100, 30)
	allowed := queue.Answer{Replies: []queue.Reply{{Question: "approval", Selected: []string{"once"}}}}
	b.past(time.Minute, roomtest.ApproveTest(), shop(), time.Second, queue.Settle{Answer: allowed}, false)
	b.ask(small("Deploy?", 300), infra())
	require.NotEmpty(t, b.rowWith(":01  Bash: npm test", "shop"), b.picture())
	require.NotEmpty(t, b.rowWith("✓ Allow once"), b.picture())
}

func TestAnAnswerThatCameTooLateIsNotCountedAmongTheLast(t *testing.T) {
	b := newBench(t, 100, 30)
	s := b.past(time.Minute, database(), shop(), time.Second, queue.Settle{Answer: chose("pg")}, false)
	_, err := b.o.Queue.Do(t.Context(), s.ID, queue.Command{By: queue.ByCaller, Surface: queue.SurfaceClient,
		Do: queue.Collect{Claim: *s.Claim, Untaken: "answered in claude before"}})
	require.NoError(t, err)
	b.ask(small("Deploy?", 300), infra())
	require.NotEmpty(t, b.rowWith("! too late: PostgreSQL"), b.picture())
	require.NotContains(t, b.picture(), "1 answered")
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
	b.clock.Pass(24 * time.Hour)
	b.ask(database(), shop())
	require.NotContains(t, b.picture(), "─ today")
}

func TestAboveAHundredAndFortyColumnsTheQuestionIsAtMostAHundredWide(t *testing.T) {
	for _, w := range []int{141, 160, 188, 200, 300} {
		g := panes.GroundOf(w, 50, panes.Beside{Waiting: 1})
		require.LessOrEqual(t, g.Area.W, 100, w)
		if !g.Right.Empty() {
			require.Equal(t, w, g.Right.X+g.Right.W, w)
			require.Greater(t, g.Right.X, g.Area.X+g.Area.W, w)
		}
	}
	require.True(t, panes.GroundOf(160, 50, panes.Beside{Waiting: 1}).Right.Empty())
	require.False(t, panes.GroundOf(200, 50, panes.Beside{Waiting: 1}).Right.Empty())
}
