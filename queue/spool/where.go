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
	Aside  int    // see Aside
	Links  error  // hard links do not work, and no answer could be stored
}

// Look tells about the place of a queue that is there. It writes nothing but a file that goes again at once.
func Look(dir string) (p Place, err error) {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return p, fmt.Errorf("failed to look at the queue's file system: %w", err)
	}
	p.Free, p.Remote = uint64(fs.Bavail)*uint64(fs.Bsize), remote(dir)
	p.Aside = Aside(dir)
	p.Links = tryLink(dir)
	return p, nil
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
