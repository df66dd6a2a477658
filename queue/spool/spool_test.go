package spool

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

func TestMain(m *testing.M) {
	if mode := os.Getenv(childMode); mode != "" {
		os.Exit(child(mode))
	}
	os.Exit(m.Run())
}

func open(t testing.TB) *Store {
	t.Helper()
	s, err := Open(filepath.Join(t.TempDir(), "state", "queue"))
	require.NoError(t, err)
	return s
}

func TestSpoolKeepsTheContract(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) queue.Store { return open(t) })
}

func TestOpenAndReadingWriteNothing(t *testing.T) {
	t.Parallel()
	s := open(t)
	_, err := s.Get(t.Context(), "k7f3m2qx")
	require.ErrorIs(t, err, queue.ErrNotFound)
	_, _, err = s.History(t.Context(), "", 10, queue.Whole)
	require.NoError(t, err)
	_, err = s.Drafts(t.Context(), "k7f3m2qx")
	require.NoError(t, err)
	_, err = s.Present(t.Context())
	require.NoError(t, err)
	require.NoError(t, s.DropDraft(t.Context(), "k7f3m2qx", "web"))
	require.NoDirExists(t, filepath.Dir(s.dir))
}

func TestTheTreeIsOursAlone(t *testing.T) {
	t.Parallel()
	s := open(t)
	v := storetest.Create(t, s)
	require.NoError(t, s.SaveDraft(t.Context(), queue.Draft{Session: v.ID, Instance: "web"}))
	require.NoError(t, filepath.Walk(filepath.Dir(s.dir), func(path string, fi os.FileInfo, err error) error {
		require.NoError(t, err)
		require.Zero(t, fi.Mode().Perm()&0o077, path)
		return nil
	}))
	require.Empty(t, list(t, s, tmpDir), "nothing stays in tmp")
}

func TestATreeThatWasRemovedIsMadeAgain(t *testing.T) {
	t.Parallel()
	s := open(t)
	storetest.Create(t, s)
	w, err := s.Watch(t.Context(), queue.AllNews)
	require.NoError(t, err)
	defer w.Close()
	ch, err := w.Next(t.Context())
	require.NoError(t, err)
	require.Len(t, ch.Sessions, 1)

	require.NoError(t, os.RemoveAll(s.dir))
	v := storetest.Create(t, s)
	gone := false
	for arrived := false; !arrived || !gone; {
		ch, err := w.Next(t.Context())
		require.NoError(t, err)
		gone = gone || len(ch.Gone) == 1
		arrived = arrived || len(ch.Sessions) == 1 && ch.Sessions[0].ID == v.ID
	}
	other := storetest.Create(t, s) // and the new directories are watched
	begin := time.Now()
	for {
		ch, err := w.Next(t.Context())
		require.NoError(t, err)
		if len(ch.Sessions) == 1 && ch.Sessions[0].ID == other.ID {
			break
		}
	}
	t.Logf("seen after %v", time.Since(begin))
}

func TestStagedFilesAreSweptAfterAnHour(t *testing.T) {
	t.Parallel()
	s := open(t)
	storetest.Create(t, s)
	old, young := s.path(tmpDir, "old"), s.path(tmpDir, "young")
	for _, dir := range []string{old, young} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, "x"), 0o700))
	}
	past := time.Now().Add(-2 * time.Hour)
	require.NoError(t, os.Chtimes(old, past, past))
	again, err := Open(s.dir)
	require.NoError(t, err)
	storetest.Create(t, again)
	require.NoDirExists(t, old)
	require.DirExists(t, young)
}

func TestTheMonthOfAnArchiveIsWhenItWasSettled(t *testing.T) {
	t.Parallel()
	s := open(t)
	v := storetest.Finish(t, s, storetest.Create(t, s), time.Minute)
	require.NoError(t, s.Archive(t.Context(), v))
	month := v.Outcome.At.UTC().Format("2006-01")
	require.Equal(t, []string{month}, list(t, s, doneDir))
	name := list(t, s, filepath.Join(doneDir, month))[0]
	require.Regexp(t, `^\d{13}-`+v.ID+`\.json$`, name)
	require.Empty(t, list(t, s, liveDir))
	require.Empty(t, list(t, s, tmpDir))
}

func TestAnArchiveBrokenOffHalfwayIsFinishedByAnyone(t *testing.T) {
	t.Parallel()
	for name, as := range map[string]func(from, to string) error{
		"linked": os.Link,
		"copied": func(from, to string) error { // a backup put back
			raw, err := os.ReadFile(from)
			require.NoError(t, err)
			return os.WriteFile(to, raw, 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			v := storetest.Finish(t, s, storetest.Create(t, s), time.Minute)
			month, file := doneName(v)
			require.NoError(t, os.Mkdir(s.path(doneDir, month), 0o700))
			require.NoError(t, as(s.path(liveDir, v.ID, revisionName(v.Revision)), s.path(doneDir, month, file)))
			require.NoError(t, s.Archive(t.Context(), v))
			require.Empty(t, list(t, s, liveDir))
			got, err := s.Get(t.Context(), v.ID)
			require.NoError(t, err)
			require.Equal(t, v, got)
		})
	}
}

func TestHistoryPagesAcrossMonthsAndPassesOverTheUnreadable(t *testing.T) {
	t.Parallel()
	s := open(t)
	var want []string
	for i := range 30 {
		v := archive(t, s, time.Date(2026, time.Month(1+i/3), 1+i%3, 0, 0, 0, 0, time.UTC))
		want = append([]string{v.ID}, want...)
	}
	require.NoError(t, os.WriteFile(s.path(doneDir, "2026-05", "1777777777777-zzzzzzzz.json"), []byte("{"), 0o600))
	require.NoError(t, os.WriteFile(s.path(doneDir, "2026-05", "notes.txt"), nil, 0o600))
	require.NoError(t, os.Mkdir(s.path(doneDir, "old"), 0o700))
	require.NoError(t, os.WriteFile(s.path(doneDir, "2026-06x"), nil, 0o600))
	var got []string
	for cursor, page := "", []queue.Session(nil); ; {
		var err error
		page, cursor, err = s.History(t.Context(), cursor, 4, queue.Whole)
		require.NoError(t, err)
		for _, v := range page {
			got = append(got, v.ID)
		}
		if cursor == "" {
			break
		}
	}
	require.Equal(t, want, got)
	_, _, err := s.History(t.Context(), "../../etc", 4, queue.Whole)
	require.Error(t, err)
}

func TestHistory_APageOfDamagedFilesIsPassedOver(t *testing.T) {
	t.Parallel()
	s := open(t)
	good := archive(t, s, time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))
	for i := range 40 {
		bad := archive(t, s, time.Date(2026, 3, 2, 0, i, 0, 0, time.UTC))
		month, name := doneName(bad)
		require.NoError(t, os.WriteFile(s.path(doneDir, month, name), []byte(`{"schema":`), 0o600))
	}
	for _, fields := range []queue.Fields{queue.Whole, queue.Outline} {
		page, next, err := s.History(t.Context(), "", 20, fields)
		require.NoError(t, err)
		require.Len(t, page, 1, "a page has at least one session")
		require.Equal(t, good.ID, page[0].ID)
		require.Empty(t, next)
	}
}

func TestPagingListsAMonthOnce(t *testing.T) {
	t.Parallel()
	s := open(t)
	for i := range 20 {
		archive(t, s, time.Date(2026, 3, 1, 0, i, 0, 0, time.UTC))
	}
	old := time.Now().Add(-time.Minute)
	require.NoError(t, os.Chtimes(s.path(doneDir, "2026-03"), old, old))
	_, cursor, err := s.History(t.Context(), "", 2, queue.Whole)
	require.NoError(t, err)
	require.Empty(t, s.listed.names, "the first page alone keeps nothing")
	_, cursor, err = s.History(t.Context(), cursor, 2, queue.Whole)
	require.NoError(t, err)
	require.Len(t, s.listed.names, 20)
	s.listed.names = s.listed.names[:5:5] // what the next page is made of
	page, cursor, err := s.History(t.Context(), cursor, 2, queue.Whole)
	require.NoError(t, err)
	require.Len(t, page, 1)
	require.Empty(t, cursor)
	archive(t, s, time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)) // a changed directory is listed again
	page, _, err = s.History(t.Context(), "9999999999999-zzzzzzzz.json", 100, queue.Whole)
	require.NoError(t, err)
	require.Len(t, page, 21)
}

func TestADeadProcessIsNotPresentAndItsFileGoes(t *testing.T) {
	t.Parallel()
	s := open(t)
	w, err := s.Watch(t.Context(), queue.AllNews)
	require.NoError(t, err)
	defer w.Close()
	_, err = w.Next(t.Context())
	require.NoError(t, err)

	c := start(t, "announce", s.dir)
	require.Equal(t, "ready", c.line())
	p, err := s.Present(t.Context())
	require.NoError(t, err)
	require.Equal(t, []queue.Presence{{Instance: "child", Role: queue.RoleBridge}}, p)
	ch, err := w.Next(t.Context())
	require.NoError(t, err)
	require.True(t, ch.Presence)

	c.kill()
	p, err = s.Present(t.Context())
	require.NoError(t, err)
	require.Empty(t, p)
	require.Empty(t, list(t, s, presentDir))
	ch, err = w.Next(t.Context())
	require.NoError(t, err)
	require.True(t, ch.Presence)
}

// archive files a finished session as settled at a time.
func archive(t testing.TB, s *Store, at time.Time) queue.Session {
	t.Helper()
	v := sample(at)
	require.NoError(t, file(s, v))
	return v
}

func list(t testing.TB, s *Store, sub string) []string {
	t.Helper()
	names, err := readNames(s.path(sub))
	require.NoError(t, err)
	return names
}
