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
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/trail"
)

func TestHistoryListHasTheRowsItsPreviewLeavesAndCountsTheRest(t *testing.T) {
	b := newBench(t, 80, 24)
	b.many(40)
	b.open()
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
	b.open()
	shown := strings.Count(b.picture(), "Question")
	assert.Contains(t, strings.Split(b.picture(), "\n")[0], fmt.Sprintf("▼ %d", 40-shown))
}

func TestHistoryRuleOverThePreviewDoesNotMoveDownAgain(t *testing.T) {
	b := newBench(t, 80, 24)
	b.many(40)
	long := database()
	long.Prompt = strings.Repeat("A line of the prompt.\n", 8)
	b.past(30*time.Second, long, shop(), time.Second, queue.Settle{Answer: chose("pg")}, true)
	b.Calm()
	b.open()
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

func TestDrawingHistoryChangesNothingThatAKeyReads(t *testing.T) {
	keysOf := func(draw bool) (cursor, top int) {
		b := newBench(t, 80, 24)
		b.many(90)
		b.open()
		for _, key := range []string{"pgdn", "pgdn", "g", "ctrl+d", "enter", "pgdn", "enter", "G", "k", "k", "k"} {
			if b.press(key); draw {
				b.picture()
			}
		}
		return b.list.cursor, b.list.top
	}
	cursor, top := keysOf(true)
	unseenCursor, unseenTop := keysOf(false)
	assert.Equal(t, []int{cursor, top}, []int{unseenCursor, unseenTop})
	assert.NotZero(t, cursor)
}

func TestHistoryShowsItsCursorWhenThePageGetsSmaller(t *testing.T) {
	b := newBench(t, 80, 24)
	b.many(40)
	b.open()
	b.press("j", "j", "j", "j", "j", "j", "j")
	b.Room.SetRect(0, 0, 40, 6)
	assert.GreaterOrEqual(t, b.list.top+b.shown, 8)
	assert.Equal(t, 7, b.list.cursor)
}

func TestHistoryNamesAnAgentWithALongDirectory(t *testing.T) {
	b := newBench(t, 80, 24)
	o := shop()
	o.Cwd = "/home/me/src/tokens-lib"
	b.past(time.Minute, database(), o, time.Second, queue.Settle{Answer: chose("pg")}, true)
	b.Calm()
	b.open()
	assert.Contains(t, b.picture(), "tokens-lib  ")
}

func TestHistoryReadingCountsTheLinesAboveAndBelow(t *testing.T) {
	b := newBench(t, 80, 24)
	long := database()
	long.Prompt = strings.Repeat("A line of the prompt.\n", 60)
	b.past(time.Minute, long, shop(), time.Second, queue.Settle{Answer: chose("pg")}, true)
	b.Calm()
	b.open()
	b.press("enter")
	var below int
	_, err := fmt.Sscanf(lineWith(b.picture(), "▼"), " ▼ %d lines below", &below)
	require.NoError(t, err, b.picture())
	b.press("j", "j")
	assert.Contains(t, b.picture(), fmt.Sprintf(" ▲ 2 ▼ %d lines below", below-2))
	b.press("G")
	assert.Contains(t, b.picture(), fmt.Sprintf(" ▲ %d lines above", below))
	b.press("k")
	assert.Contains(t, b.picture(), fmt.Sprintf(" ▲ %d ▼ 1 line below", below-1), "the last line was just on screen")
}

// lineWith returns the first row of a picture that holds the words.
func lineWith(picture, words string) string {
	for l := range strings.SplitSeq(picture, "\n") {
		if strings.Contains(l, words) {
			return l
		}
	}
	return ""
}

func TestHistoryTellsAQuestionForMoreDetailFromACancel(t *testing.T) {
	for w, says := range map[int]string{40: "asked for", 60: "asked for", 80: "more detail  Which", 120: "more detail  Which"} {
		b := newBench(t, w, 24)
		b.past(30*time.Second, database(), shop(), time.Second,
			queue.Cancel{Reason: "the cost", Code: queue.ReasonMoreDetail}, true)
		b.open()
		row := b.picture()
		for _, l := range strings.Split(b.picture(), "\n") {
			if strings.Contains(l, "Which") {
				row = l
				break
			}
		}
		assert.Contains(t, row, says, "%d cells", w)
		assert.NotContains(t, row, "cancelled", "%d cells", w)
		if w >= 80 {
			assert.Contains(t, row, "“the cost”", "the column has said already how it ended")
		}
	}
}

func TestAnAnswerThatCameTooLateIsListedAsOne(t *testing.T) {
	s := queue.Session{ID: "1", Ask: roomtest.ApproveCommand(), Outcome: &queue.Outcome{Status: queue.StatusSelected,
		By: queue.ByHuman, Answer: queue.Answer{Replies: []queue.Reply{{Question: "q1", Selected: []string{"refuse"}}}}}}
	require.NotEqual(t, "too late", entryOf(s, trail.Place{}).ended())
	s.Events = []queue.Event{{Kind: queue.EventExpired, Detail: "answered in claude before"}}
	e := entryOf(s, trail.Place{})
	require.Equal(t, "too late", e.ended())
	require.True(t, strings.HasPrefix(e.said(ink.Unicode, columns{}), "too late: "), e.said(ink.Unicode, columns{}))
	require.NotEqual(t, ink.Plain, e.endedStyle(ink.Plain))
}
