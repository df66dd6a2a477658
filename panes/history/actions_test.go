package history

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
)

func TestHistoryClearsWhatWasMissed(t *testing.T) {
	b := newBench(t, 80, 24)
	b.Ask(small("Rename the flag?", 20), web())
	b.Pass(40 * time.Second)
	require.NotEmpty(t, b.View().Missed())
	b.open()
	assert.Empty(t, b.View().Missed())
}

func TestHistoryCopiesTheWholeSession(t *testing.T) {
	b := newBench(t, 80, 24)
	b.past(time.Hour, database(), shop(), 9*time.Second, queue.Settle{Answer: chose("lite")}, true)
	b.open()
	b.press("y")
	for _, part := range []string{"Which database?", "The order service needs transactions", "SQLite", "by claude"} {
		require.Contains(t, b.Copied, part)
	}
}

func TestHistoryTellsTheAgentOfTheSessionWithItsQuestionQuoted(t *testing.T) {
	b := newBench(t, 80, 24)
	b.past(time.Hour, database(), infra(), 9*time.Second, queue.Settle{Answer: chose("pg")}, true)
	b.open()
	b.press("i")
	require.True(t, b.Chat.Open())
	require.Equal(t, "> “Which database?” → PostgreSQL\n", b.Chat.Text())
	require.Equal(t, "infra · codex", b.Chat.Addressed().Origin.Name())
}

func TestHistorySaysWhyThereIsNobodyToTell(t *testing.T) {
	b := newBench(t, 80, 24)
	b.past(time.Hour, database(), infra(), 9*time.Second, queue.Settle{Answer: chose("pg")}, true)
	b.open()
	s := b.Desk.Settings()
	s.Chat.Deliver = "off"
	b.Desk.SetSettings(s)
	b.press("i")
	require.Equal(t, "chat is switched off (setting “chat”)", b.Said)
	require.False(t, b.Chat.Open())
}

func TestKeysOfAnEmptyHistorySayThatNothingIsThere(t *testing.T) {
	b := newBench(t, 80, 24)
	b.open()
	for key, word := range map[string]string{"y": "copy", "i": "message an agent about", "enter": "read"} {
		b.press(key)
		require.Equal(t, "no question here to "+word, b.Said)
	}
}

func TestHistoryShowsWhatWasTypedAndNotSent(t *testing.T) {
	b := newBench(t, 80, 30)
	b.yesterday()
	b.open()
	b.press("j", "j")
	b.drafted("k7f3m2qx", queue.Answer{Comment: "only the managed one"})
	b.press("enter")
	assert.Contains(t, b.picture(), "Typed but not sent: “only the managed one”")
	b.press("esc", "j", "enter")
	assert.NotContains(t, b.picture(), "not sent", "it is another session's")
}

func TestHistoryDraftThatWasSentIsNotCalledUnsent(t *testing.T) {
	b := newBench(t, 80, 24)
	b.yesterday()
	b.open()
	b.press("j", "j")
	s, ok := b.list.current()
	require.True(t, ok)
	b.drafted(s.ID, s.Outcome.Answer)
	b.press("enter")
	assert.NotContains(t, b.picture(), "not sent")
}

func TestHistoryShowsNothingHiddenOfHostileText(t *testing.T) {
	b := newBench(t, 120, 40)
	a := small("Run \x1b[2Jls\u202e?", 300)
	a.Prompt = "safe\u200b \x1b]52;c;ZXZpbA==\x07"
	a.Questions[0].Options[0].Label = "yes\u2066\r no"
	b.past(time.Minute, a, queue.Origin{Client: "evil\x1b]0;x\x07", Cwd: "/tmp/\u202ex"}, time.Second,
		queue.Cancel{Reason: "no\u202e"}, true)
	b.open()
	b.press("y", "enter")
	for _, s := range []string{b.picture(), b.Copied} {
		_, odd := queue.Visible(s)
		assert.False(t, odd, s)
		assert.Contains(t, s, "<U+202E>")
	}
}

func TestEveryKeyOfTheHistoryIsBoundOrTheScreens(t *testing.T) {
	b := newBench(t, 80, 24)
	b.open()
	screens := "peek history settings help quit stop suspend redraw undo_typing redo_typing"
	for _, row := range b.Keys() {
		for _, place := range row.In {
			if place != action.PlaceHistory && place != action.PlaceFind {
				continue
			}
			bound, _ := b.Table().Row(row.Name)
			assert.NotEqual(t, strings.Contains(screens, string(row.Name)), bound.Do != nil, row.Name)
		}
	}
}
