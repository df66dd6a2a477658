package spool

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/choicetui/choicetui/queue"
)

const (
	readers   = 4  // the disk and the decoder have something to do at the same time
	fewToRead = 16 // so few are read without company
)

// Live reads every live session once. It needs no watch: that would cost a command an inotify instance, and the kernel
// takes some 10 ms to let go of one when the process ends.
func (s *Store) Live(ctx context.Context) ([]queue.Session, []queue.Broken, error) {
	names, err := s.liveNames()
	if err != nil {
		return nil, nil, err
	}
	b := batch{watcher: &watcher{store: s, known: nothingKnown(), marked: nothingMarked()}}
	for i, found := range b.readAll(names) {
		b.addSession(names[i], found)
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	return b.Sessions, b.Broken, nil
}

// Pending reads in a hurry what waits. What cannot be read it leaves where it is, for a watch to set aside. It does not
// wait for a disk that hangs when ctx has ended.
func (s *Store) Pending(ctx context.Context) ([]queue.Session, []queue.Broken, error) {
	names, err := s.liveNames()
	if err != nil {
		return nil, nil, err
	}
	var mu sync.Mutex
	var pending []queue.Session
	var broken []queue.Broken
	read := make(chan struct{})
	go func() {
		defer close(read)
		inParallel(len(names), func(i int) {
			if !queue.ValidID(names[i]) || ctx.Err() != nil { // what is no session keeps nobody waiting
				return
			}
			found, err := s.readPending(names[i])
			mu.Lock()
			defer mu.Unlock()
			switch {
			case found != nil && err == nil:
				pending = append(pending, *found)
			case err != nil && !errors.Is(err, fs.ErrNotExist): // else it was archived meanwhile
				broken = append(broken, queue.Broken{Name: names[i], Reason: err.Error()})
			}
		})
	}()
	select {
	case <-read:
	case <-ctx.Done():
	}
	mu.Lock()
	defer mu.Unlock()
	return slices.Clip(pending), slices.Clip(broken), ctx.Err()
}

// liveNames lists live/; there may be none.
func (s *Store) liveNames() ([]string, error) {
	names, err := readNames(s.path(liveDir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("failed to list the sessions: %w", err)
	}
	return names, nil
}

// readPending reads one session; nil: it waits for nobody.
func (s *Store) readPending(id string) (*queue.Session, error) {
	top, err := s.highestRevision(id)
	if err != nil {
		return nil, err
	}
	raw, err := readFile(s.path(liveDir, id, revisionName(top)))
	if err != nil {
		return nil, err
	}
	v, err := queue.DecodePending(raw, id, top)
	if v == nil || v.Schema > queue.Schema {
		return v, err
	}
	return v, queue.CheckDeadline(*v, time.Now())
}

// reading is a session as its directory shows it. Where the reader knows that revision already, it is not read.
type reading struct {
	top     uint64
	session queue.Session
	err     error
}

// readAll reads sessions by name, in their order: at start hundreds of them, which is most of what a first frame
// waits for.
func (w *watcher) readAll(names []string) []reading {
	found := make([]reading, len(names))
	inParallel(len(names), func(i int) { found[i] = w.readOne(names[i]) })
	return found
}

// readOne only reads, also what the watcher knows: many run at once.
func (w *watcher) readOne(name string) (r reading) {
	if !queue.ValidID(name) {
		return r
	}
	if r.top, r.err = w.store.highestRevision(name); r.err == nil && r.top > w.revisions[name] {
		r.session, r.err = w.store.readRevision(name, r.top)
	}
	return r
}

// inParallel calls do with every number below n, several at once where there are many.
func inParallel(n int, do func(i int)) {
	if n <= fewToRead {
		for i := range n {
			do(i)
		}
		return
	}
	var next atomic.Int64
	var all sync.WaitGroup
	for range readers {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	all.Wait()
}
