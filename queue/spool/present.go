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
// unlocked while the process lives, and the kernel frees it when the process dies. A file that somebody removes comes
// back as long as this store is watched or written. release may be called twice.
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
	err = s.writeInTree(func() error {
		fd, err = s.putPresence(token, raw)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("failed to announce this process: %w", err)
	}
	s.announced.keep(token, announcement{raw: raw, fd: fd})
	return sync.OnceValue(func() error { return s.withdrawPresence(token) }), nil
}

// announced is what this process said of itself and has not taken back, by the name of its file in present/.
type announced struct {
	mu   sync.Mutex
	held map[string]announcement
}

// announcement is a file in present/: its contents, and the descriptor that holds its lock.
type announcement struct {
	raw []byte
	fd  int
}

func (a *announced) keep(token string, one announcement) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.held == nil {
		a.held = map[string]announcement{}
	}
	a.held[token] = one
}

// putPresence puts a locked file into present/.
func (s *Store) putPresence(token string, raw []byte) (fd int, err error) {
	staged := s.path(tmpDir, token)
	if fd, err = s.writeLocked(staged, raw); err != nil {
		return -1, err
	}
	if err := os.Rename(staged, s.path(presentDir, token)); err != nil {
		return -1, errors.Join(err, os.Remove(staged), syscall.Close(fd))
	}
	return fd, nil
}

// withdrawPresence takes an announcement back.
func (s *Store) withdrawPresence(token string) error {
	s.announced.mu.Lock()
	defer s.announced.mu.Unlock()
	one := s.announced.held[token]
	delete(s.announced.held, token)
	err := os.Remove(s.path(presentDir, token))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, syscall.Close(one.fd))
}

// restorePresence puts back what somebody removed from present/ while this process runs, under its old name. What fails
// is tried again when present/ is looked at next.
func (s *Store) restorePresence() {
	s.announced.mu.Lock()
	defer s.announced.mu.Unlock()
	if len(s.announced.held) == 0 {
		return
	}
	names, err := readNames(s.path(presentDir))
	if err != nil {
		return
	}
	there := make(map[string]bool, len(names))
	for _, name := range names {
		there[name] = true
	}
	for token, one := range s.announced.held {
		if there[token] {
			continue
		}
		if fd, err := s.putPresence(token, one.raw); err == nil {
			_ = syscall.Close(one.fd) // it locks a file without a name
			s.announced.held[token] = announcement{raw: one.raw, fd: fd}
		}
	}
}

// writeLocked makes a locked file. It returns a bare descriptor: an *os.File would be closed, and the lock lost, once
// nobody refers to it.
func (s *Store) writeLocked(path string, raw []byte) (int, error) {
	if err := s.writeNew(path, raw, false); err != nil {
		return -1, err
	}
	fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return -1, errors.Join(err, os.Remove(path))
	}
	if err := lockFile(fd, syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return -1, errors.Join(fmt.Errorf("the filesystem has no file locks: %w", err), os.Remove(path), syscall.Close(fd))
	}
	return fd, nil
}

// Present lists the running processes, by instance and role. Files of dead ones are removed.
func (s *Store) Present(ctx context.Context) ([]queue.Presence, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	names, err := s.heldNames()
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

// heldNames lists the files in present/ that a living process holds, sorted. A name is never used twice, so equal
// lists mean that nothing changed.
func (s *Store) heldNames() ([]string, error) {
	names, err := readNames(s.path(presentDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !isHeld(s.path(presentDir, name)) })
	slices.Sort(names)
	return names, nil
}

// isHeld reports whether a living process has the file locked, and removes it if none has. What is no regular file
// is nobody's.
func isHeld(path string) bool {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	if fi, err := f.Stat(); err != nil || !fi.Mode().IsRegular() {
		return false
	}
	err = lockFile(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB)
	if err == nil {
		_ = os.Remove(path)
	}
	return errors.Is(err, syscall.EWOULDBLOCK)
}

func lockFile(fd, how int) error {
	for {
		if err := syscall.Flock(fd, how); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
