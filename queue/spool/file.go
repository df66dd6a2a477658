package spool

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/choicetui/choicetui/queue"
)

// unreadablef returns an *queue.Unreadable that says what is wrong with something in the queue.
func unreadablef(format string, args ...any) error {
	return &queue.Unreadable{Reason: fmt.Sprintf(format, args...)}
}

// readFile reads a file of ours: regular, not behind a link, of a sane size. It never blocks on a fifo.
func readFile(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	switch {
	case errors.Is(err, syscall.ELOOP):
		return nil, unreadablef("is a symbolic link")
	case errors.Is(err, syscall.ENXIO): // a socket
		return nil, unreadablef("is no regular file")
	case err != nil:
		return nil, err
	}
	defer f.Close()
	fi, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !fi.Mode().IsRegular():
		return nil, unreadablef("is no regular file")
	case fi.Size() > maxFile:
		return nil, unreadablef("takes %d bytes, more than %d", fi.Size(), maxFile)
	}
	raw := make([]byte, fi.Size())
	if _, err := io.ReadFull(f, raw); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
			return nil, unreadablef("ends early")
		}
		return nil, err
	}
	return raw, nil
}

// readNames lists a directory that is no link, in no order.
func readNames(path string) ([]string, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_DIRECTORY, 0)
	if errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP) {
		return nil, unreadablef("is no directory")
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

// sameFile reports whether two names are one file. fs.ErrNotExist if either is missing.
func sameFile(a, b string) (bool, error) {
	fa, err := os.Lstat(a)
	if err != nil {
		return false, err
	}
	fb, err := os.Lstat(b)
	if err != nil {
		return false, err
	}
	return os.SameFile(fa, fb), nil
}

// linkNew publishes a staged file under a new name. fs.ErrExist: the name is another file; the same file under that
// name already (a repeated call on a network disk) is success.
func linkNew(staged, name string) error {
	err := os.Link(staged, name)
	switch {
	case errors.Is(err, fs.ErrExist):
		if ours, serr := sameFile(staged, name); serr == nil && ours {
			return nil
		}
	case errors.Is(err, syscall.EPERM), errors.Is(err, errors.ErrUnsupported):
		return fmt.Errorf("the filesystem has no hard links, put the queue on a local disk: %w", err)
	}
	return err
}

// fileMark tells one version of a file or a directory from the next.
type fileMark struct {
	ino   uint64
	mtime int64
}

func markOf(path string) (fileMark, error) {
	fi, err := os.Lstat(path)
	if err != nil {
		return fileMark{}, err
	}
	at := fileMark{mtime: fi.ModTime().UnixNano()}
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		at.ino = uint64(st.Ino)
	}
	return at, nil
}
