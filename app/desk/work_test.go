package desk_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/desk"
)

func TestWhatWasSentGoesFirstAndDraftsGiveWay(t *testing.T) {
	t.Parallel()
	w := desk.NewWork()
	var done []string
	note := func(what string) func() { return func() { done = append(done, what) } }
	w.Draft("a", note("an old draft of a"))
	w.Look(note("first look"))
	w.Draft("b", note("draft of b"))
	w.Send(note("first sent"))
	w.Draft("a", note("draft of a"))
	w.Look(note("second look"))
	w.Send(note("second sent"))
	w.Finish()
	require.Equal(t, []string{"first sent", "second sent", "first look", "second look", "draft of a", "draft of b"}, done)
	_, more := w.TakePiece()
	require.False(t, more)
}

func TestNothingFallsOutWhileTheWorkerHangs(t *testing.T) {
	t.Parallel()
	w := desk.NewWork()
	hangs, back, done, idle := make(chan struct{}), make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(idle)
		w.RunUntil(done)
	}()
	w.Look(func() {
		close(hangs)
		<-back
	})
	<-hangs
	const n = 3000
	var sent []int
	for i := range n {
		w.Send(func() {
			if sent = append(sent, i); len(sent) == n {
				close(done)
			}
		})
		w.Draft(strconv.Itoa(i%3), func() {})
	}
	require.True(t, w.Stuck())
	close(back)
	<-idle
	require.Len(t, sent, n)
	require.IsIncreasing(t, sent)
	require.False(t, w.Stuck())
	left := 0
	for _, ok := w.TakePiece(); ok; _, ok = w.TakePiece() {
		left++
	}
	require.Equal(t, 3, left, "one draft for each session")
}
