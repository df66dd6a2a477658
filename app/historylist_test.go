package app

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestHistoryListHasTheRowsItsPreviewLeavesAndCountsTheRest(t *testing.T) {
	b := newBench(t, 80, 24)
	b.many(40)
	b.press("h")
	shown := strings.Count(b.picture(), "answered   Question")
	assert.Greater(t, shown, 6, b.picture())
	assert.Contains(t, b.picture(), fmt.Sprintf("─ ▼ %d · Question 0039?", 40-shown))
	for range shown + 2 {
		b.press("j")
	}
	assert.Contains(t, b.picture(), fmt.Sprintf("─ ▲ 3 ▼ %d · Question", 40-shown-3))
	b.press("G")
	assert.Contains(t, b.picture(), fmt.Sprintf("─ ▲ %d · Question 0000?", 40-shown))
}

func TestHistoryListWithoutPreviewCountsTheRestInItsRule(t *testing.T) {
	b := newBench(t, 40, 12)
	b.many(40)
	b.press("h")
	shown := strings.Count(b.picture(), "Question")
	assert.Contains(t, strings.Split(b.picture(), "\n")[0], fmt.Sprintf("▼ %d", 40-shown))
}

func TestHistoryRuleOverThePreviewDoesNotMoveDownAgain(t *testing.T) {
	b := newBench(t, 80, 24)
	b.many(40)
	long := database()
	long.Prompt = strings.Repeat("A line of the prompt.\n", 8)
	b.past(30*time.Second, long, shop(), time.Second, queue.Settle{Answer: chose("pg")}, true)
	b.settle()
	b.press("h")
	rule := func() int {
		for i, l := range strings.Split(b.picture(), "\n") {
			if i > 0 && strings.HasPrefix(l, "─") {
				return i
			}
		}
		return -1
	}
	at := rule()
	b.press("j")
	assert.Equal(t, at, rule(), "a smaller preview leaves the rule where it was")
}

func TestHistoryNamesAnAgentWithALongDirectory(t *testing.T) {
	b := newBench(t, 80, 24)
	o := shop()
	o.Cwd = "/home/me/src/tokens-lib"
	b.past(time.Minute, database(), o, time.Second, queue.Settle{Answer: chose("pg")}, true)
	b.settle()
	b.press("h")
	assert.Contains(t, b.picture(), "tokens-lib  ")
}

func TestHistoryReadingCountsTheLinesAboveAndBelow(t *testing.T) {
	b := newBench(t, 80, 24)
	long := database()
	long.Prompt = strings.Repeat("A line of the prompt.\n", 60)
	b.past(time.Minute, long, shop(), time.Second, queue.Settle{Answer: chose("pg")}, true)
	b.settle()
	b.press("h", "enter")
	var below int
	_, err := fmt.Sscanf(lineWith(b.picture(), "▼"), " ▼ %d lines below", &below)
	require.NoError(t, err, b.picture())
	b.press("j", "j")
	assert.Contains(t, b.picture(), fmt.Sprintf(" ▲ 2 ▼ %d lines below", below-2))
	b.press("G")
	assert.Contains(t, b.picture(), fmt.Sprintf(" ▲ %d lines above", below))
	assert.Equal(t, below, b.history.scroll, "the last line is just on screen")
}

// lineWith is the first row of a picture that holds the words.
func lineWith(picture, words string) string {
	for l := range strings.SplitSeq(picture, "\n") {
		if strings.Contains(l, words) {
			return l
		}
	}
	return ""
}

func TestHistoryCountsASessionOnceThatWasArchivedAMomentAgo(t *testing.T) {
	b := newBench(t, 80, 24)
	b.many(300) // more than is read at once
	s := b.past(time.Second, small("Which port?", 300), infra(), 4*time.Second, queue.Settle{Answer: chose("pg")}, false)
	b.settle()
	done, err := b.o.Queue.Do(t.Context(), s.ID, queue.Command{By: queue.ByCaller, Surface: queue.SurfaceClient, Do: queue.Collect{Claim: queue.Claim{Instance: "bridge", Conn: "1"}}})
	require.NoError(t, err)
	require.NoError(t, b.o.Queue.Store.Archive(t.Context(), done))
	b.Key(event("h")) // before the change has come
	require.Contains(t, b.history.kept, s.ID)
	b.settle()
	require.False(t, b.history.feed.done)
	assert.Contains(t, b.picture(), "history · 301 settled")
	b.press("/")
	b.write("port")
	assert.Contains(t, b.picture(), "history · 301 settled")
}

func TestHistoryCountsTheSameWhenNarrowedOnceAllOfItWasRead(t *testing.T) {
	b := newBench(t, 80, 24)
	b.many(3)
	s := b.past(time.Second, small("Which port?", 300), infra(), 4*time.Second, queue.Settle{Answer: chose("pg")}, false)
	b.settle()
	b.press("h")
	assert.Contains(t, b.picture(), "history · 4 settled")
	b.history.total = 99 // whatever was counted before
	b.history.exact = false
	b.press("/")
	b.write("zzz")
	b.press("esc")
	b.settle()
	b.press("/")
	b.write("port")
	assert.Contains(t, b.picture(), "history · 4 settled")
	_ = s
}
