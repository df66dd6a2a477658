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
// events are hints, and only what is read counts.
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
	maxFile    = queue.MaxSessionBytes // larger is neither written nor read
	staleAfter = time.Hour
)

var subdirs = []string{liveDir, draftsDir, doneDir, presentDir, tmpDir}

var _ queue.Store = (*Store)(nil)

// Store is a queue.Store on one directory. Many may be open on it, in one process or several.
// It keeps sessions and drafts, and has three parts:
//
//	Store ─┬─ history   done/: History, CountHistory
//	       ├─ running   present/: Announce, Present
//	       └─ tree      the directories under all of them, and how anything is written there
type Store struct {
	*tree
	history
	running
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
	t := &tree{dir: abs, flush: (*os.File).Sync}
	s := &Store{tree: t, history: history{tree: t}, running: running{tree: t}}
	s.announced = map[string]announcement{}
	t.remade = s.restorePresence
	return s, nil
}
