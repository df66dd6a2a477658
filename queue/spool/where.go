package spool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Place describes the file system of a directory as far as a store depends on it.
type Place struct {
	Free   uint64 // bytes that this person may still write
	Remote bool   // others write to it without an event here, so the screen polls
	Aside  int    // see Aside
	Links  error  // hard links do not work, and no answer could be stored
}

// Look tells about the place of a queue that is there. It writes nothing but a file that goes again at once.
func Look(dir string) (p Place, err error) {
	var disk unix.Statfs_t
	if err := unix.Statfs(dir, &disk); err != nil {
		return p, fmt.Errorf("failed to look at the queue's file system: %w", err)
	}
	p.Free, p.Remote = uint64(disk.Bavail)*uint64(disk.Bsize), remote(dir)
	p.Aside = Aside(dir)
	p.Links, err = tryLink(dir)
	return p, err
}

// Aside counts what was set aside in a queue since it cannot be read: sessions and drafts.
func Aside(dir string) int {
	names, _ := readNames(filepath.Join(dir, asideDir)) // as a rule there is no such directory
	n := 0
	for _, name := range names {
		if filepath.Ext(name) != reasonSuffix {
			n++
		}
	}
	return n
}

// tryLink makes a hard link as a commit does. noLinks says why that cannot be done, and err why no file can be made.
func tryLink(dir string) (noLinks, err error) {
	in := filepath.Join(dir, tmpDir)
	if _, err := os.Lstat(in); errors.Is(err, fs.ErrNotExist) { // nothing was asked here yet
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
