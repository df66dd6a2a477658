// Package whole replaces files completely or not at all. It also has the locks with which a caller keeps other
// processes out while it reads and then writes; Write itself takes none.
package whole

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// ErrLocked reports that another process has the lock.
var ErrLocked = errors.New("another process is at it")

// lockStep is the pause between two tries for a lock.
const lockStep = 5 * time.Millisecond

// maxLinks limits the symbolic links that are followed to a file.
const maxLinks = 40

// Write replaces the file at path, completely or not at all, by one with this text that only this user can read. The
// text is first written to a temporary file beside it, named by pattern (see os.CreateTemp). When Write returns, the
// text is on the disk; SyncDir makes the name durable too.
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

// SyncDir makes changes of names in a directory durable. It returns nil on file systems that cannot do that.
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

// Follow returns the file at the end of a chain of symbolic links, whether or not it exists. Dotfile managers link to
// the real file, and a rename over the link would separate the two. found is false if the chain is too long; target is
// the last link that was followed then.
func Follow(path string) (target string, found bool) {
	for range maxLinks {
		to, err := os.Readlink(path)
		if err != nil {
			return path, true // path is no link, or does not exist
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return path, false
}

// Owner returns the id of the user who owns a file; -1: it is not known.
func Owner(is os.FileInfo) int {
	if of, known := is.Sys().(*syscall.Stat_t); known {
		return int(of.Uid)
	}
	return -1
}

// IsPrivate reports whether a directory is this user's, and nobody else can use it.
func IsPrivate(dir string) bool {
	is, err := os.Lstat(dir)
	return err == nil && is.IsDir() && is.Mode().Perm()&0o077 == 0 && Owner(is) == os.Geteuid()
}

// Reasons why ReadPrivate refuses a file.
var (
	ErrNoFile  = errors.New("not a regular file")
	ErrForeign = errors.New("belongs to somebody else")
	ErrShared  = errors.New("others can read it")
)

// Mark is the byte order mark that some editors write at the start of a file.
const Mark = "\xef\xbb\xbf"

// WithoutMark returns a text without a byte order mark at its start. Whatever a person may have saved is read through
// it.
func WithoutMark(text []byte) []byte { return bytes.TrimPrefix(text, []byte(Mark)) }

// ReadPrivate reads a file that belongs to this user and that nobody else can read, but no more than the given number
// of bytes. It fails with ErrNoFile, ErrForeign or ErrShared, or with the file system's error.
func ReadPrivate(path string, most int64) ([]byte, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0) // opening a pipe must not wait
	if err != nil {
		return nil, err
	}
	defer file.Close()
	is, err := file.Stat()
	switch {
	case err != nil:
		return nil, err
	case !is.Mode().IsRegular():
		return nil, ErrNoFile
	case Owner(is) != os.Geteuid():
		return nil, ErrForeign
	case is.Mode().Perm()&0o077 != 0:
		return nil, ErrShared
	}
	text, err := io.ReadAll(io.LimitReader(file, most))
	return WithoutMark(text), err
}

// Flock calls flock(2), and calls it again if a signal interrupts it.
func Flock(file int, how int) error {
	for {
		if err := unix.Flock(file, how); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// LockFile locks a file without waiting, and makes it if it is missing. how is unix.LOCK_EX or unix.LOCK_SH. Closing
// the returned file unlocks, and so does the end of the process. The error is ErrLocked if another process has the
// lock.
func LockFile(path string, how int) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, err
	}
	if err = Flock(int(file.Fd()), how|unix.LOCK_NB); err == nil {
		return file, nil
	}
	_ = file.Close()
	if errors.Is(err, unix.EWOULDBLOCK) {
		err = ErrLocked
	}
	return nil, err
}

// Lock locks an existing file or directory and waits for the lock at most within. A locked directory needs no lock
// file. Closing the returned file unlocks, and so does the end of the process. The errors are ErrLocked, that of ctx,
// and that of opening path. On file systems without locks it returns without one.
func Lock(ctx context.Context, path string, within time.Duration) (*os.File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	for end := time.Now().Add(within); ; time.Sleep(lockStep) {
		switch err := Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB); {
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
