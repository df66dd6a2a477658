package spool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/choicetui/choicetui/queue"
)

// Announce says that this process runs. The file is locked before it is renamed in, so nobody ever sees it
// unlocked while the process lives, and the kernel frees it when the process dies. release may be called twice.
func (s *Store) Announce(ctx context.Context, p queue.Presence) (release func() error, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	raw, err := json.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("failed to announce this process: %w", err)
	}
	var fd int
	token := queue.NewToken()
	err = s.again(func() error {
		fd, err = s.lockNew(s.path(tmpDir, token), raw)
		if err != nil {
			return err
		}
		if err := os.Rename(s.path(tmpDir, token), s.path(presentDir, token)); err != nil {
			return errors.Join(err, os.Remove(s.path(tmpDir, token)), syscall.Close(fd))
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("failed to announce this process: %w", err)
	}
	return sync.OnceValue(func() error {
		err := os.Remove(s.path(presentDir, token))
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return errors.Join(err, syscall.Close(fd))
	}), nil
}

// lockNew makes a locked file. It returns a bare descriptor: an *os.File would be closed, and the lock lost, once
// nobody refers to it.
func (s *Store) lockNew(path string, raw []byte) (int, error) {
	if err := s.writeNew(path, raw, false); err != nil {
		return -1, err
	}
	fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return -1, errors.Join(err, os.Remove(path))
	}
	if err := flock(fd, syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return -1, errors.Join(fmt.Errorf("the filesystem has no file locks: %w", err), os.Remove(path), syscall.Close(fd))
	}
	return fd, nil
}

// Present lists the running processes, by instance and role. Files of dead ones are removed.
func (s *Store) Present(ctx context.Context) ([]queue.Presence, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	names, err := s.alive()
	if err != nil {
		return nil, fmt.Errorf("failed to list the running processes: %w", err)
	}
	var all []queue.Presence
	for _, name := range names {
		var p queue.Presence
		raw, err := readFile(s.path(presentDir, name))
		if err == nil && json.Unmarshal(raw, &p) == nil && p.Instance != "" {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b queue.Presence) int {
		if c := strings.Compare(a.Instance, b.Instance); c != 0 {
			return c
		}
		return strings.Compare(a.Role, b.Role)
	})
	return all, nil
}

// alive lists the files in present/ that a living process holds, sorted. A name is never used twice, so equal
// lists mean that nothing changed.
func (s *Store) alive() ([]string, error) {
	names, err := readNames(s.path(presentDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !holds(s.path(presentDir, name)) })
	slices.Sort(names)
	return names, nil
}

// holds reports whether a living process has the file locked, and removes it if none has. What is no regular file
// is nobody's.
func holds(path string) bool {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	if fi, err := f.Stat(); err != nil || !fi.Mode().IsRegular() {
		return false
	}
	err = flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB)
	if err == nil {
		_ = os.Remove(path)
	}
	return errors.Is(err, syscall.EWOULDBLOCK)
}

func flock(fd, how int) error {
	for {
		if err := syscall.Flock(fd, how); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
