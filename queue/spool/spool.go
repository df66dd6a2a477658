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

	"golang.org/x/sys/unix"

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

// Place describes the file system of a queue's directory as far as the store depends on it.
type Place struct {
	Free   uint64 // bytes that this person may still write
	Remote bool   // other machines write to it without an event here, so the store is polled
	Aside  int    // number of files set aside; see Aside
	Links  error  // why hard links do not work; no answer can be stored without them
}

// Look describes the place of an existing queue. It writes nothing except a file that it removes again at once.
func Look(dir string) (p Place, err error) {
	var disk unix.Statfs_t
	if err := unix.Statfs(dir, &disk); err != nil {
		return p, fmt.Errorf("failed to look at the queue's file system: %w", err)
	}
	p.Free, p.Remote = uint64(disk.Bavail)*uint64(disk.Bsize), isRemote(dir)
	p.Aside = Aside(dir)
	p.Links, err = tryLink(dir)
	return p, err
}

// Aside counts the sessions and drafts that were set aside because they could not be read.
func Aside(dir string) int {
	names, _ := readNames(filepath.Join(dir, asideDir)) // usually there is no such directory
	n := 0
	for _, name := range names {
		if filepath.Ext(name) != reasonSuffix {
			n++
		}
	}
	return n
}

// tryLink makes a hard link like commitRevision. noLinks says why links do not work, err why no file can be created.
func tryLink(dir string) (noLinks, err error) {
	in := filepath.Join(dir, tmpDir)
	if _, err := os.Lstat(in); errors.Is(err, fs.ErrNotExist) { // no question was asked here yet
		in = dir
	}
	f, err := os.CreateTemp(in, "look-")
	if err != nil {
		return nil, fmt.Errorf("failed to write to the queue: %w", err)
	}
	defer os.Remove(f.Name())
	if err := f.Close(); err != nil {
		return nil, fmt.Errorf("failed to write to the queue: %w", err)
	}
	defer os.Remove(f.Name() + "l")
	return os.Link(f.Name(), f.Name()+"l"), nil
}
