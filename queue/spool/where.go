package spool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

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
