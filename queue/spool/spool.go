// Package spool keeps the queue in a directory. It is the default store and needs no lock, no database and no daemon.
// Any process may be killed at any moment.
//
//	live/<id>/000001.json …              each file is the whole session at that revision; the highest number counts
//	drafts/<id>.<instance>.json          replaced by rename, not fsynced
//	done/2026-11/<settled-ms>-<id>.json  archived sessions, listed only when somebody looks
//	present/<random>                     locked (flock) by the running process that it announces
//	tmp/                                 staged files, removed after an hour
//	aside/                               files that could not be read, each with a .reason; nothing here is deleted
//
// Put stages and fsyncs a file in tmp/ and links it to the next number; the link is the compare-and-swap. Then it
// looks the file up by its path, fsyncs the directory, and touches live/<id>, which wakes all processes that watch
// live/:
//
//	Put ─► tmp/x ─ link ─► live/<id>/n+1 ─ fsync ─ touch live/<id> ⇝ watcher.Next ─ reads the highest number
//
// Rules: a revision file inside live/ is never deleted, changed or used twice; only Final sessions are archived;
// events are hints, and a reader relies only on the files.
package spool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
	maxFile    = queue.MaxSessionBytes // larger files are neither written nor read
	staleAfter = time.Hour             // age from which files in tmp/ are removed
)

var subdirs = []string{liveDir, draftsDir, doneDir, presentDir, tmpDir}

var _ queue.Store = (*Store)(nil)

// Store is a queue.Store on one directory. Many may be open on it, in one process or in several. Store keeps sessions
// and drafts itself, and has three parts:
//
//	Store ─┬─ history   done/: History, CountHistory
//	       ├─ running   present/: Announce, Present
//	       └─ tree      the directories, and how files are written in them
type Store struct {
	*tree
	history
	running
}

// Open checks the queue's directory if it exists; the error *Unsafe says how to repair it. Open writes nothing: the
// first write, watch or announcement creates the tree.
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
	t := &tree{dir: abs, flush: (*os.File).Sync}
	s := &Store{tree: t, history: history{tree: t}, running: running{tree: t}}
	s.announced = map[string]announcement{}
	t.remade = s.restorePresence
	return s, nil
}
