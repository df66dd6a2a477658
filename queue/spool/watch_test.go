package spool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

func TestAKilledProcessIsMissed(t *testing.T) {
	t.Parallel()
	s := open(t)
	storetest.Create(t, s) // somebody waits
	w := watching(t, s)
	next(t, w)
	for range 3 {
		c := start(t, "announce", s.dir)
		require.Equal(t, "ready", c.line())
		require.True(t, next(t, w).Presence)
		c.kill()
		require.True(t, next(t, w).Presence)
		there, err := s.Present(t.Context())
		require.NoError(t, err)
		require.Empty(t, there)
	}
}

// TestEventsAloneTellOfEverything turns polling off, so that every change must arrive by an event.
func TestEventsAloneTellOfEverything(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("kqueue does not tell of a touched directory; there the poll does")
	}
	needEvents(t)
	s, ctx := open(t), t.Context()
	w := watching(t, s)
	next(t, w)
	w.(*watcher).due = time.Now().Add(time.Hour)

	v := storetest.Create(t, s)
	require.Equal(t, []queue.Session{v}, next(t, w).Sessions)
	for range 20 {
		var err error
		v, err = s.Put(ctx, v)
		require.NoError(t, err)
		require.Equal(t, []queue.Session{v}, next(t, w).Sessions)
	}
	d := queue.Draft{Session: v.ID, Instance: "web", At: time.Now().UTC()}
	require.NoError(t, s.SaveDraft(ctx, d))
	require.Equal(t, []queue.Draft{d}, next(t, w).Drafts)
	release, err := s.Announce(ctx, queue.Presence{Instance: "x"})
	require.NoError(t, err)
	require.True(t, next(t, w).Presence)
	require.NoError(t, release())
	require.True(t, next(t, w).Presence)
	c := start(t, "announce", s.dir)
	require.Equal(t, "ready", c.line())
	require.True(t, next(t, w).Presence)
	c.kill()
	require.True(t, next(t, w).Presence, "the kernel tells of a killed process, long before a look for dead ones")
	v = storetest.Finish(t, s, v, time.Second)
	require.NoError(t, s.Archive(ctx, v))
	for gone := false; !gone; {
		gone = len(next(t, w).Gone) > 0
	}
}

// needEvents skips a test of the kernel's events, where the person's processes have taken all inotify instances.
func needEvents(t *testing.T) {
	t.Helper()
	watch, err := fsnotify.NewWatcher()
	if errors.Is(err, syscall.EMFILE) {
		t.Skip("this system has no inotify instance left")
	}
	require.NoError(t, err)
	require.NoError(t, watch.Close())
}

// TestWithoutEventsTheStoreIsPolled closes the handle, as if inotify were exhausted.
func TestWithoutEventsTheStoreIsPolled(t *testing.T) {
	t.Parallel()
	s, ctx := open(t), t.Context()
	v := storetest.Create(t, s)
	for _, ids := range [][]string{nil, {v.ID}} {
		w := watching(t, s, ids...)
		in := w.(*watcher)
		events := in.eventSource() != nil
		next(t, w)
		if events {
			in.mu.Lock()
			require.NoError(t, in.events.Close())
			in.events = nil
			in.mu.Unlock()
		}

		var err error
		v, err = s.Put(ctx, v)
		require.NoError(t, err)
		ch := next(t, w)
		require.Equal(t, []queue.Session{v}, ch.Sessions)
		require.NoError(t, s.SaveDraft(ctx, queue.Draft{Session: v.ID, Instance: "web"}))
		require.Len(t, next(t, w).Drafts, 1)

		if events {
			in.armed = time.Now().Add(-time.Hour)
			in.poll(time.Now())
			require.NotNil(t, in.eventSource(), "events are tried again")
		}
		require.NoError(t, s.DropDraft(ctx, v.ID, "web"))
	}
}

// TestAnOverflowIsReadAgainInFull causes more events than the kernel keeps, so that some are lost.
func TestAnOverflowIsReadAgainInFull(t *testing.T) {
	t.Parallel()
	needEvents(t)
	s := open(t)
	w := watching(t, s)
	next(t, w)
	w.(*watcher).due = time.Now().Add(time.Hour) // no poll helps
	v := storetest.Create(t, s)
	for range 20000 + eventBuffer {
		s.ringWatchers(v.ID)
		s.ringWatchers("nobodyis") // the kernel merges equal events in a row
		require.NoError(t, os.WriteFile(s.path(presentDir, "x"), nil, 0o600))
	}
	var err error
	v, err = s.Put(t.Context(), v)
	require.NoError(t, err)
	other := storetest.Create(t, s)
	seen := map[string]uint64{}
	for seen[v.ID] != v.Revision || seen[other.ID] == 0 {
		for _, got := range next(t, w).Sessions {
			seen[got.ID] = got.Revision
		}
	}
}

// TestAnIdleWatcherRests counts the rounds of Next while nothing happens.
func TestAnIdleWatcherRests(t *testing.T) {
	t.Parallel()
	s := open(t)
	for range 20 {
		storetest.Create(t, s)
	}
	w := watching(t, s)
	next(t, w)
	ctx, cancel := context.WithTimeout(t.Context(), 2500*time.Millisecond)
	defer cancel()
	before := w.(*watcher).due
	_, err := w.Next(ctx)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	every := w.(*watcher).pollInterval()
	polls := w.(*watcher).due.Sub(before).Round(every) / every
	require.LessOrEqual(t, polls, time.Duration(3))
	require.GreaterOrEqual(t, polls, time.Duration(1))
}

// TestNothingIsWrittenBehindAnArchive lets outdated writers race Archive: every acknowledged write must be in the
// archive.
func TestNothingIsWrittenBehindAnArchive(t *testing.T) {
	t.Parallel()
	s, ctx := open(t), t.Context()
	for range 60 {
		v := storetest.Create(t, s)
		var mu sync.Mutex
		var acked []string
		var wg sync.WaitGroup
		for i := range 4 {
			wg.Go(func() {
				stale := v
				for j := range 6 {
					e := fmt.Sprintf("w-%d-%d", i, j)
					stale.Events = append(v.Events[:len(v.Events):len(v.Events)], queue.Event{ID: e})
					if put, err := s.Put(ctx, stale); err == nil {
						mu.Lock()
						acked = append(acked, e)
						mu.Unlock()
						_ = put
					}
				}
			})
		}
		wg.Go(func() {
			for final := false; !final; {
				now, err := s.Get(ctx, v.ID)
				if err != nil {
					t.Error("a session on its way to the archive is not found:", err)
					return
				}
				final = now.Final
			}
		})
		wg.Go(func() {
			for {
				now, err := s.Get(ctx, v.ID)
				if err != nil {
					t.Error(err)
					return
				}
				now.Final = true
				if final, err := s.Put(ctx, now); err == nil {
					if err := s.Archive(ctx, final); err != nil {
						t.Error(err)
					}
					return
				}
			}
		})
		wg.Wait()
		final, err := s.Get(ctx, v.ID)
		require.NoError(t, err)
		require.True(t, final.Final)
		require.Empty(t, list(t, s, liveDir))
		for _, e := range acked {
			_, ok := final.Event(e)
			require.True(t, ok, "acknowledged %s is lost", e)
		}
	}
}
