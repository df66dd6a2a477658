package desk

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatWasSentGoesFirstAndDraftsGiveWay(t *testing.T) {
	t.Parallel()
	w := newWorklist()
	var done []string
	note := func(what string) func() { return func() { done = append(done, what) } }
	w.addDraft("a", note("an old draft of a"))
	w.addLookup(note("first look"))
	w.addDraft("b", note("draft of b"))
	w.addSent(note("first sent"))
	w.addDraft("a", note("draft of a"))
	w.addLookup(note("second look"))
	w.addSent(note("second sent"))
	for f, ok := w.takePiece(); ok; f, ok = w.takePiece() {
		f()
	}
	require.Equal(t, []string{"first sent", "second sent", "first look", "second look", "draft of a", "draft of b"}, done)
	_, more := w.takePiece()
	require.False(t, more)
}

func TestNothingFallsOutWhileTheWorkerHangs(t *testing.T) {
	t.Parallel()
	w := newWorklist()
	hangs, back, done, idle := make(chan struct{}), make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(idle)
		w.runUntil(done)
	}()
	w.addLookup(func() {
		close(hangs)
		<-back
	})
	<-hangs
	const n = 3000
	var sent []int
	for i := range n {
		w.addSent(func() {
			if sent = append(sent, i); len(sent) == n {
				close(done)
			}
		})
		w.addDraft(strconv.Itoa(i%3), func() {})
	}
	require.True(t, w.stuck())
	close(back)
	<-idle
	require.Len(t, sent, n)
	require.IsIncreasing(t, sent)
	require.False(t, w.stuck())
	left := 0
	for _, ok := w.takePiece(); ok; _, ok = w.takePiece() {
		left++
	}
	require.Equal(t, 3, left, "one draft for each session")
}
