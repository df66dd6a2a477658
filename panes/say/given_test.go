package say

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestAnAnswerByALinkThatAnAgentWasGivenSaysSo(t *testing.T) {
	now := time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)
	s := queue.Session{ID: "k7f3m2qx", AskedAt: now, Deadline: now.Add(time.Minute), Ask: queue.Ask{
		Questions: []queue.Question{{ID: "q", Mode: queue.ModeSingle, Min: 1, Max: 1,
			Options: []queue.Option{{ID: "a", Label: "A"}, {ID: "b", Label: "B"}}}}}}
	by := queue.Command{ID: "1", By: queue.ByHuman, Surface: queue.SurfaceWeb, Given: "cla\x1bude",
		Do: queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{{Question: "q", Selected: []string{"a"}}}}}}
	s, changed, err := queue.Transition(s, by, now)
	require.NoError(t, err)
	require.True(t, changed)
	_, words := Trail{Session: s}.Event(s.Events[0])
	require.Contains(t, words, " by the link given to cla<U+001B>ude, in the browser")
	require.Equal(t, "by the link given to cla<U+001B>ude, in the browser", Settler(*s.Outcome))
	require.Equal(t, "was answered by the link given to cla<U+001B>ude: A", ending(s))
	require.Equal(t, "by the link given to cla<U+001B>ude", OverOf(s, FaceScreen).How)
	_, told := Trail{Session: s}.Told(s.Events[0])
	require.Contains(t, told, "by the link given to cla<U+001B>ude")
}
