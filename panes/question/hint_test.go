package question

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
)

const hinted = "[WIDEN-HINT] This looks like a good widen candidate — press w to consult the team.\n"

// rowOf returns the first row that holds the words.
func rowOf(t *testing.T, rows []string, words string) int {
	t.Helper()
	for n, row := range rows {
		if strings.Contains(row, words) {
			return n
		}
	}
	require.Fail(t, "not on screen", words)
	return 0
}

func TestAHintIsShownDimAboveThePromptWithoutItsMark(t *testing.T) {
	b := newBench(t, 100, 40)
	a := endpoints()
	a.Prompt = hinted + a.Prompt
	b.ask(a, shop())
	picture := b.picture()
	require.NotContains(t, picture, "WIDEN-HINT")
	require.Equal(t, 1, strings.Count(strings.Join(strings.Fields(picture), " "), "This looks like a good widen candidate — press w to consult the team."))
	rows := strings.Split(picture, "\n")
	at := rowOf(t, rows, "This looks like")
	require.Less(t, rowOf(t, rows, a.Title), at)
	require.Less(t, at, rowOf(t, rows, "Traffic"))
	cells, w, _ := b.screen.GetContents()
	require.Equal(t, ink.Dim, cells[at*w+rowIndent(rows[at])].Style)
}

func rowIndent(row string) int { return len(row) - len(strings.TrimLeft(row, " ")) }

func TestAHintIsReadAtFullHeightWhereThereIsNoRowForIt(t *testing.T) {
	b := newBench(t, 60, 16)
	a := many(12, 9)
	a.Prompt = hinted + a.Prompt
	b.ask(a, shop())
	require.NotContains(t, b.picture(), "WIDEN-HINT")
	require.NotContains(t, b.picture(), "This looks like")
	b.press("z")
	require.Contains(t, b.picture(), "This looks like a good widen candidate")
}

func TestTheKeysOfAnApprovalAreNamedByItsOptionsIfThoseAreShort(t *testing.T) {
	b := newBench(t, 80, 24)
	approve := queue.Option{ID: "approve", Label: "Approve", Act: queue.ActOnce}
	deny := queue.Option{ID: "deny", Label: "No, and tell me why not", Act: queue.ActRefuse}
	b.ask(roomtest.Approval("Deploy?", "All tests pass.", queue.Approval{Tool: "deploy",
		Parts: []queue.Part{{Kind: queue.PartCommand, Text: "make deploy"}}}, deny, approve), shop())
	require.Contains(t, b.picture(), "y approve  n refuse")
}
