// Package spool keeps the queue in a directory. It is the default store: no lock, no database, no daemon; any
// process may be killed at any moment.
//
//	live/<id>/000001.json …              every file is the whole session at that revision; the highest number is it
//	drafts/<id>.<instance>.json          replaced by rename, not fsynced
//	done/2026-11/<settled-ms>-<id>.json  archived sessions, listed only when somebody looks
//	present/<random>                     flocked by the process that runs
//	tmp/                                 staged files, swept after an hour
//	aside/                               what could not be read, with a .reason beside it; nothing is ever deleted
//
// A write is staged and fsynced in tmp/, linked to the next number (the link is the compare-and-swap), looked up
// again by its path, the directory fsynced, and live/<id> touched, which rings everyone who watches live/:
//
//	Put ─► tmp/x ─ link ─► live/<id>/n+1 ─ fsync ─ touch live/<id> ⇝ watcher.Next ─ reads the highest number
//
// Rules: a revision file inside live/ is never deleted, changed or used twice; only what is Final is archived;
// events are hints, what counts is what is read.
package spool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/choicetui/choicetui/queue"
)

const (
	liveDir    = "live"
	draftsDir  = "drafts"
	doneDir    = "done"
	presentDir = "present"
	tmpDir     = "tmp"
	asideDir   = "aside"
)

const (
	maxFile    = 4 << 20 // larger is neither written nor read
	staleAfter = time.Hour
)

var subdirs = []string{liveDir, draftsDir, doneDir, presentDir, tmpDir}

var _ queue.Store = (*Store)(nil)

// Store is a queue.Store on one directory. Many may be open on it, in one process or several.
type Store struct {
	dir   string
	flush func(*os.File) error // makes a file or a directory durable: fsync, but in tests

	mu       sync.Mutex
	made     bool // the tree stood when last looked
	anchored bool // the directory's own name is on disk
	listed   monthList

	announced announced
}

// Open names the queue's directory and checks it if it is there; *Unsafe says what is wrong and how to repair it.
// It writes nothing: the first write, watch or announcement makes the tree.
func Open(dir string) (*Store, error) {
	if dir == "" {
		return nil, errors.New("failed to open the queue: no directory given")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("failed to open the queue %q: %w", dir, err)
	}
	if err := checkTree(abs); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return &Store{dir: abs, flush: (*os.File).Sync}, nil
}

// makeTree makes what is missing of the tree, checks it, and sweeps tmp; once, unless the tree went away.
func (s *Store) makeTree() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.made {
		return nil
	}
	for _, sub := range subdirs {
		if err := s.makeDir(s.path(sub)); err != nil {
			return fmt.Errorf("failed to make the queue's directory: %w", err)
		}
	}
	if err := checkTree(s.dir); err != nil {
		return err
	}
	s.made = true
	s.restorePresence()
	s.sweepTmp(time.Now())
	return nil
}

// forgetTree makes the next makeTree look again: somebody removed the tree under us.
func (s *Store) forgetTree() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.made, s.anchored = false, false
}

// syncRoot puts the queue's own name on disk before the first session is acknowledged, whoever made it.
func (s *Store) syncRoot() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.anchored {
		return nil
	}
	if err := s.syncDir(filepath.Dir(s.dir)); err != nil && !errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("failed to make the queue durable: %w", err)
	}
	if err := s.syncDir(s.dir); err != nil {
		return fmt.Errorf("failed to make the queue durable: %w", err)
	}
	s.anchored = true
	return nil
}

// writeInTree runs a write, and once more if the tree was missing.
func (s *Store) writeInTree(write func() error) error {
	if err := s.makeTree(); err != nil {
		return err
	}
	err := write()
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	s.forgetTree()
	if err := s.makeTree(); err != nil {
		return err
	}
	return write()
}

// sweepTmp removes what a killed process left in tmp. Nothing there was ever acknowledged.
func (s *Store) sweepTmp(now time.Time) {
	entries, err := os.ReadDir(s.path(tmpDir))
	if err != nil {
		return
	}
	for _, e := range entries {
		if fi, err := e.Info(); err == nil && now.Sub(fi.ModTime()) > staleAfter {
			_ = os.RemoveAll(s.path(tmpDir, e.Name())) // tried again in an hour
		}
	}
}

func (s *Store) path(parts ...string) string {
	return filepath.Join(append([]string{s.dir}, parts...)...)
}

func (s *Store) tempPath() string { return s.path(tmpDir, queue.NewToken()) }

// makeDir makes a directory and its parents, readable by us only. Parents are fsynced on the way; syncRoot does it
// again for those that another process was about to fsync.
func (s *Store) makeDir(dir string) error {
	err := os.Mkdir(dir, 0o700)
	if errors.Is(err, fs.ErrNotExist) && filepath.Dir(dir) != dir {
		if err := s.makeDir(filepath.Dir(dir)); err != nil {
			return err
		}
		err = os.Mkdir(dir, 0o700)
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err == nil {
		_ = s.syncDir(filepath.Dir(dir)) // a parent we may not read; syncRoot reports what matters
	}
	return err
}
