package spool

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

// spoil replaces the next revision by something that choicetui never writes.
var spoil = map[string]func(t *testing.T, next string){
	"cut off":     func(t *testing.T, next string) { put(t, next, `{"schema":1,"id":"`) },
	"empty":       func(t *testing.T, next string) { put(t, next, "") },
	"not json":    func(t *testing.T, next string) { put(t, next, "hello") },
	"another one": func(t *testing.T, next string) { put(t, next, `{"schema":1,"id":"zzzzzzzz","revision":2}`) },
	"wrong revision": func(t *testing.T, next string) {
		put(t, next, `{"schema":1,"id":"`+filepath.Base(filepath.Dir(next))+`","revision":9}`)
	},
	"nothing asked": func(t *testing.T, next string) {
		put(t, next, `{"schema":1,"id":"`+filepath.Base(filepath.Dir(next))+`","revision":2}`)
	},
	"newer and bare": func(t *testing.T, next string) {
		put(t, next, `{"schema":99,"id":"`+filepath.Base(filepath.Dir(next))+`"}`)
	},
	"waits for ever": func(t *testing.T, next string) {
		raw, err := os.ReadFile(filepath.Join(filepath.Dir(next), revisionName(1)))
		require.NoError(t, err)
		var v queue.Session
		require.NoError(t, json.Unmarshal(raw, &v))
		v.Revision, v.Deadline = 2, time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
		raw, err = json.Marshal(v)
		require.NoError(t, err)
		put(t, next, string(raw))
	},
	"huge":        func(t *testing.T, next string) { put(t, next, ""); require.NoError(t, os.Truncate(next, maxFile+1)) },
	"a link":      func(t *testing.T, next string) { require.NoError(t, os.Symlink("/etc/passwd", next)) },
	"a fifo":      func(t *testing.T, next string) { require.NoError(t, syscall.Mkfifo(next, 0o600)) },
	"a directory": func(t *testing.T, next string) { require.NoError(t, os.Mkdir(next, 0o700)) },
}

func put(t *testing.T, path, text string) {
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

func TestACorruptHighestRevisionIsSetAsideNeverPassedOver(t *testing.T) {
	t.Parallel()
	for name, spoil := range spoil {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			bad, good := storetest.Create(t, s), storetest.Create(t, s)
			known := watching(t, s)
			require.Len(t, next(t, known).Sessions, 2)
			spoil(t, s.path(liveDir, bad.ID, revisionName(2)))

			_, err := s.Get(t.Context(), bad.ID)
			require.Error(t, err, "an older revision is not the session")
			require.NotErrorIs(t, err, queue.ErrNotFound)
			_, err = s.Put(t.Context(), bad)
			require.Error(t, err)
			require.DirExists(t, s.path(liveDir, bad.ID), "reading moves nothing")

			fresh := watching(t, s)
			ch := next(t, fresh)
			require.Len(t, ch.Sessions, 1)
			require.Equal(t, good.ID, ch.Sessions[0].ID)
			require.Len(t, ch.Broken, 1)
			b := ch.Broken[0]
			require.Equal(t, bad.ID, b.Name)
			require.NotEmpty(t, b.Reason)
			_, err = os.Lstat(filepath.Join(b.MovedTo, revisionName(2)))
			require.NoError(t, err, "nothing is deleted")
			require.FileExists(t, filepath.Join(b.MovedTo, revisionName(1)))
			reason, err := os.ReadFile(b.MovedTo + reasonSuffix)
			require.NoError(t, err)
			require.Equal(t, b.Reason, strings.TrimSpace(string(reason)))

			ch = next(t, known)
			require.Equal(t, []string{bad.ID}, ch.Gone, "others learn it too")
			require.Equal(t, []queue.Broken{b}, ch.Broken)
			_, err = s.Get(t.Context(), bad.ID)
			require.ErrorIs(t, err, queue.ErrNotFound)
		})
	}
}

func TestForeignThingsAreSetAsideAndHiddenOnesStay(t *testing.T) {
	t.Parallel()
	s := open(t)
	v := storetest.Create(t, s)
	require.NoError(t, os.WriteFile(s.path(liveDir, "notes.txt"), []byte("mine"), 0o600))
	require.NoError(t, os.WriteFile(s.path(liveDir, "k7f3m2qx"), nil, 0o600))
	require.NoError(t, os.Mkdir(s.path(liveDir, "k7f3m2qz"), 0o700))
	require.NoError(t, os.Symlink(s.path(liveDir, v.ID), s.path(liveDir, "zzzzzzzz")))
	require.NoError(t, os.Mkdir(s.path(liveDir, strings.Repeat("n", 255)), 0o700))
	require.NoError(t, os.WriteFile(s.path(liveDir, ".DS_Store"), nil, 0o600))
	require.NoError(t, os.WriteFile(s.path(liveDir, v.ID, "000001.json~"), nil, 0o600))
	require.NoError(t, os.WriteFile(s.path(draftsDir, "x.json"), nil, 0o600))
	require.NoError(t, os.WriteFile(s.path(draftsDir, draftName(v.ID, "web")), nil, 0o600))
	require.NoError(t, syscall.Mkfifo(s.path(presentDir, "fifo"), 0o600))

	one := watching(t, s, v.ID)
	require.Len(t, next(t, one).Sessions, 1)
	require.Len(t, list(t, s, liveDir), 7, "who waits for one session leaves the rest alone")

	ch := next(t, watching(t, s))
	require.Len(t, ch.Sessions, 1)
	names := map[string]bool{}
	for _, b := range ch.Broken {
		names[b.Name] = true
		_, err := os.Lstat(b.MovedTo)
		require.NoError(t, err)
	}
	require.Len(t, names, 6, "%v", names)
	require.ElementsMatch(t, []string{v.ID, ".DS_Store"}, list(t, s, liveDir))
	p, err := s.Present(t.Context())
	require.NoError(t, err)
	require.Empty(t, p)

	w := watching(t, s)
	next(t, w)
	require.NoError(t, os.WriteFile(s.path(liveDir, "late.txt"), nil, 0o600))
	require.Equal(t, "late.txt", next(t, w).Broken[0].Name)
}

func TestAFileOfANewerSchemaIsShownNeverWritten(t *testing.T) {
	t.Parallel()
	s := open(t)
	v := storetest.Create(t, s)
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	var doc map[string]any
	require.NoError(t, json.Unmarshal(raw, &doc))
	doc["schema"], doc["revision"], doc["novelty"], doc["claim"] = queue.Schema+1, 2, true, "in another shape"
	raw, err = json.Marshal(doc)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(s.path(liveDir, v.ID, revisionName(2)), raw, 0o600))

	got, err := s.Get(t.Context(), v.ID)
	require.ErrorIs(t, err, queue.ErrNewer)
	require.Equal(t, v.Ask, got.Ask)
	require.EqualValues(t, 2, got.Revision)
	_, err = s.Put(t.Context(), got)
	require.ErrorIs(t, err, queue.ErrNewer)
	_, err = s.Put(t.Context(), v)
	require.ErrorIs(t, err, queue.ErrNewer)
	require.ErrorIs(t, s.Archive(t.Context(), got), queue.ErrNewer)
	ch := next(t, watching(t, s))
	require.Empty(t, ch.Broken)
	require.Equal(t, []queue.Session{got}, ch.Sessions)
}

func TestADraftsNameCannotLeaveItsDirectory(t *testing.T) {
	t.Parallel()
	s := open(t)
	v := storetest.Create(t, s)
	for _, instance := range []string{"", "../x", "a/b", "a.b", strings.Repeat("x", 65)} {
		require.Error(t, s.SaveDraft(t.Context(), queue.Draft{Session: v.ID, Instance: instance}), instance)
		require.NoError(t, s.DropDraft(t.Context(), v.ID, instance))
	}
	require.Error(t, s.SaveDraft(t.Context(), queue.Draft{Session: "../live", Instance: "web"}))
}

func FuzzDecodeNeverPanics(f *testing.F) {
	raw, err := json.Marshal(sample(time.Unix(1790000000, 0)))
	require.NoError(f, err)
	f.Add(raw)
	widened := sample(time.Unix(1790000000, 0))
	asked := storetest.Widen().Widened
	asked.State, asked.Request = queue.WidenParked, &queue.Request{ID: "r", Block: "said"}
	widened.Widen, widened.Outcome.Team = &asked, &queue.Resolution{Summary: queue.Summary{Source: queue.SourceTeam}}
	raw, err = json.Marshal(widened)
	require.NoError(f, err)
	f.Add(raw)
	f.Add([]byte(`{"schema":3,"id":7}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		v, err := queue.DecodeSession(raw, "k7f3m2qx", 3)
		if err == nil {
			require.Equal(t, "k7f3m2qx", v.ID)
			require.NotEmpty(t, v.Ask.Questions)
		}
	})
}

func watching(t *testing.T, s *Store, ids ...string) queue.Watcher {
	t.Helper()
	w, err := s.Watch(t.Context(), queue.AllNews, ids...)
	require.NoError(t, err)
	t.Cleanup(func() { _ = w.Close() })
	return w
}

// next returns the next batch.
func next(t *testing.T, w queue.Watcher) queue.Changes {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	ch, err := w.Next(ctx)
	require.NoError(t, err)
	return ch
}
