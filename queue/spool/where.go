package spool

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Place is what a store asks of the file system that a directory lies on.
type Place struct {
	Free   uint64 // bytes that this person may still write
	Remote bool   // others write to it without an event here, so the screen polls
	Aside  int    // sessions that were set aside, since they cannot be read
	Links  error  // hard links do not work, and no answer could be stored
}

// Look tells about the place of a queue that is there. It writes nothing but a file that goes again at once.
func Look(dir string) (p Place, err error) {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return p, fmt.Errorf("failed to look at the queue's file system: %w", err)
	}
	p.Free, p.Remote = uint64(fs.Bavail)*uint64(fs.Bsize), remote(dir)
	names, _ := readNames(filepath.Join(dir, asideDir)) // as a rule there is no such directory
	for _, name := range names {
		if filepath.Ext(name) != reasonSuffix {
			p.Aside++
		}
	}
	p.Links = tryLink(dir)
	return p, nil
}

// tryLink makes a hard link as a commit does.
func tryLink(dir string) error {
	f, err := os.CreateTemp(filepath.Join(dir, tmpDir), "look-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err := f.Close(); err != nil {
		return err
	}
	defer os.Remove(f.Name() + "l")
	return os.Link(f.Name(), f.Name()+"l")
}
