package plain

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/desk"
	"github.com/choicetui/choicetui/queue"
)

func TestLinesAskForMoreDetail(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(database())
	b.wait(desk.Settle)
	require.Contains(t, b.types("detail what it costs"), `Ask claude for more detail, "what it costs"? Enter asks for it`)
	require.True(t, b.get(s.ID).Pending())
	b.types("")
	got := b.get(s.ID).Outcome
	require.Equal(t, queue.ReasonMoreDetail, got.ReasonCode)
	require.Equal(t, "what it costs", got.Reason)
}

func TestLinesSetAQuestionAside(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(database())
	b.wait(desk.Settle)
	b.types("later", "no")
	require.Nil(t, b.get(s.ID).LaterUntil)
	require.Contains(t, b.types("later", ""), "Set aside until ")
	require.NotNil(t, b.get(s.ID).LaterUntil)
}

func TestLinesHoldAnAnswerBackAndTakeItBack(t *testing.T) {
	b := newBench(t, nil)
	now := b.desk.Settings()
	now.UndoSeconds = 3
	b.desk.SetSettings(now)
	s := b.ask(database())
	b.wait(desk.Settle)
	require.Contains(t, b.types("2", ""), "It is sent in 3 seconds; u takes it back.")
	require.True(t, b.get(s.ID).Pending())
	require.Contains(t, b.types("undo"), "Taken back: nothing was sent.")
	b.wait(time.Minute)
	require.True(t, b.get(s.ID).Pending())
	b.types("2", "", "")
	require.False(t, b.get(s.ID).Pending(), "Enter sends it now")
}

func TestOwnWordsWhereOptionsOnlyAreTakenBecomeTheReasonOfACancel(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(database())
	b.wait(desk.Settle)
	b.types("text use DuckDB")
	require.True(t, b.get(s.ID).Pending())
	b.types("")
	require.Equal(t, "use DuckDB", b.get(s.ID).Outcome.Reason)
}
