package spool

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestAMessageIsKeptWatchedAndArchivedLikeAnySession(t *testing.T) {
	s, err := Open(t.TempDir() + "/queue")
	require.NoError(t, err)
	q := queue.New(s)
	made, err := q.Create(t.Context(), queue.NewMessage(queue.Origin{Client: "claude-code"}, "hello\nthere"))
	require.NoError(t, err)
	w, err := s.Watch(t.Context(), queue.AllNews)
	require.NoError(t, err)
	defer w.Close()
	first, err := w.Next(t.Context())
	require.NoError(t, err)
	require.Empty(t, first.Broken)
	require.Equal(t, []queue.Session{made}, first.Sessions)
	claim := queue.Claim{Instance: "a", Conn: "b"}
	for _, a := range []queue.Action{queue.Take{Claim: claim}, queue.Deliver{Claim: claim, Surface: queue.SurfaceMCP}} {
		made, err = q.Do(t.Context(), made.ID, queue.Command{Do: a})
		require.NoError(t, err)
	}
	require.NoError(t, s.Archive(t.Context(), made))
	page, _, err := s.History(t.Context(), "", 10, queue.Whole)
	require.NoError(t, err)
	require.Equal(t, []queue.Session{made}, page)
	require.WithinDuration(t, time.Now(), made.Outcome.At, time.Minute)
}

func TestAListenersPresenceNamesItsAgent(t *testing.T) {
	s, err := Open(t.TempDir() + "/queue")
	require.NoError(t, err)
	p := queue.Presence{Instance: "b-1", Role: queue.RoleListener, Origin: &queue.Origin{Client: "claude-code", Agent: "7-1"}}
	release, err := s.Announce(t.Context(), p)
	require.NoError(t, err)
	all, err := s.Present(t.Context())
	require.NoError(t, err)
	require.Equal(t, []queue.Presence{p}, all)
	require.NoError(t, release())
}

func TestLive_ReadsTheNewestRevisionOfEachSession(t *testing.T) {
	s, err := Open(t.TempDir() + "/queue")
	require.NoError(t, err)
	none, _, err := s.Live(t.Context())
	require.NoError(t, err)
	require.Empty(t, none)
	q := queue.New(s)
	var want []string
	for range 3 {
		made, err := q.Create(t.Context(), queue.NewMessage(queue.Origin{}, "hello"))
		require.NoError(t, err)
		_, err = q.Do(t.Context(), made.ID, queue.Command{Do: queue.Take{Claim: queue.Claim{Instance: "a"}}})
		require.NoError(t, err)
		want = append(want, made.ID)
	}
	require.NoError(t, os.Mkdir(s.path(liveDir, "00000000"), 0o700))
	require.NoError(t, os.WriteFile(s.path(liveDir, "00000000", revisionName(1)), []byte("{"), 0o600))
	all, broken, err := s.Live(t.Context())
	require.NoError(t, err)
	require.Len(t, broken, 1)
	var got []string
	for _, one := range all {
		require.EqualValues(t, 2, one.Revision)
		got = append(got, one.ID)
	}
	require.ElementsMatch(t, want, got)
}
