package question

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
)

func TestNothingOfAnApprovalIsMarkedAndEnterSaysSo(t *testing.T) {
	b := newBench(t, 80, 24)
	a := roomtest.ApproveDiff()
	a.Questions[0].Defaults = []string{"once"}
	a.Questions[0].Options[0].Recommended = true
	a.Questions[0].SingleSubmit = true
	s := b.ask(a, shop())
	b.pass(time.Second)
	require.NotContains(t, b.picture(), "●")
	require.NotContains(t, b.picture(), "▸1")
	require.Contains(t, b.footer(), "Choose an option")
	b.press("enter", "enter")
	require.True(t, b.stored(s.ID).Pending())
	require.Contains(t, b.footer(), "Choose an option")
	b.press("1")
	require.True(t, b.stored(s.ID).Pending(), "a digit only marks, whatever is set")
}

func TestARefusalGoesOutWithItsWords(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(roomtest.ApproveCommand(), shop())
	b.pass(time.Second)
	b.press("n")
	require.Equal(t, action.PlaceReason, b.room.Place())
	require.Contains(t, b.picture(), "n refuse · what to tell the agent (optional):")
	b.write("not the whole of dist")
	require.Contains(t, b.footer(), "⏎ Refuse + “not the whole of dist”")
	b.pass(time.Second)
	b.press("enter")
	got := b.stored(s.ID).Outcome.Answer.Replies[0]
	require.Equal(t, []string{"refuse"}, got.Selected, "marked as it is, a refusal wants no confirmation")
	require.Equal(t, "not the whole of dist", got.Notes["refuse"])
}

func TestWhereTheAgentOffersNoRefusalACancelIsOne(t *testing.T) {
	b := newBench(t, 80, 24)
	a := roomtest.ApproveDiff()
	a.Questions[0].Options = a.Questions[0].Options[:2]
	s := b.ask(a, shop())
	b.pass(time.Second)
	b.press("n")
	b.write("not now")
	require.Contains(t, b.footer(), "⏎ Cancel and tell claude")
	b.press("enter")
	require.Equal(t, queue.StatusCancelled, b.stored(s.ID).Status())
}

func TestWhatIsAskedForStandsInFullAndFirstHoweverSmallThePane(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {50, 20}, {80, 24}, {120, 40}} {
		b := newBench(t, size[0], size[1])
		b.ask(roomtest.ApproveDiff(), shop())
		b.pass(time.Second)
		var all strings.Builder
		for range 60 {
			all.WriteString(b.picture())
			b.press("pgdn")
		}
		for i := range 30 {
			require.Contains(t, all.String(), fmt.Sprintf("VALUES (%d,", i), size)
		}
		require.NotContains(t, b.footer(), "unread", size)
		if size[1] >= 20 {
			require.Contains(t, b.picture(), "~/src/shop · The nightly job", size)
		}
	}
}

func TestADraftMarksNothingOfAnApproval(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(roomtest.ApproveDiff(), shop())
	b.pass(time.Second)
	d := b.View().Form().Draft()
	d.Instance, d.At, d.Answer.Replies[0].Selected = "other", b.Clock.T, []string{"once"}
	require.NoError(t, b.Queue.Store.SaveDraft(t.Context(), d))
	b.Calm()
	require.Empty(t, b.View().Form().Here().Selected())
	require.Equal(t, s.ID, b.View().Up())
}
