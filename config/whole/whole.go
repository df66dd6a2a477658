// Package whole writes files whole or not at all, and keeps other processes out meanwhile. It does not look at their
// content.
package whole

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// ErrLocked says that another process has the lock.
var ErrLocked = errors.New("another process is at it")

// lockStep is the pause between two tries for a lock.
const lockStep = 5 * time.Millisecond

// maxLinks limits the symbolic links that are followed to a file.
const maxLinks = 40

// Write puts text in the file's place, whole or not at all, for this user alone. It is staged beside it under a name of
// this pattern (see os.CreateTemp), and on the disk when Write returns; SyncDir makes it stay there under its name.
func Write(path, pattern string, text []byte) error {
	temp, err := os.CreateTemp(filepath.Dir(path), pattern) // 0600
	if err != nil {
		return err
	}
	_, err = temp.Write(text)
	if err == nil {
		err = temp.Sync()
	}
	if shut := temp.Close(); err == nil {
		err = shut
	}
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		_ = os.Remove(temp.Name())
	}
	return err
}

// SyncDir makes what happened to names in a directory durable. File systems that cannot are as durable as they get.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOTSUP) {
		return err
	}
	return nil
}

// Follow returns the file at the end of a chain of symbolic links, whether it exists or not: dotfile managers keep the
// real file elsewhere, and a rename over the link would part the two. found is false where the chain has no end; the
// path then is the last link that was followed.
func Follow(path string) (target string, found bool) {
	for range maxLinks {
		to, err := os.Readlink(path)
		if err != nil {
			return path, true // not a link, or nothing there yet
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return path, false
}

// Lock locks a file or a directory that is there, and waits for at most so long. A locked directory leaves no file
// behind. The lock is the open file's: closing it unlocks, and so does the kernel when the process dies. It fails with
// ErrLocked, ctx's error or why it cannot be opened. Where locks are not supported it does without.
func Lock(ctx context.Context, path string, within time.Duration) (*os.File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	for end := time.Now().Add(within); ; time.Sleep(lockStep) {
		switch err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB); {
		case !errors.Is(err, unix.EWOULDBLOCK):
			return file, nil
		case ctx.Err() != nil:
			_ = file.Close()
			return nil, ctx.Err()
		case time.Now().After(end):
			_ = file.Close()
			return nil, ErrLocked
		}
	}
}
