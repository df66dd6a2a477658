package spool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/choicetui/choicetui/config/whole"
	"github.com/choicetui/choicetui/queue"
)

// running implements the announcements of processes in present/.
type running struct {
	*tree
	announcing sync.Mutex
	// announced has this process's announcements that were not released, by the name of their file. It is guarded by
	// announcing.
	announced map[string]announcement
	restoring atomic.Bool // only one goroutine restores files at a time; others skip it
}

// Announce writes a file for this process. The file is locked before it is renamed into present/, so that nobody sees
// it unlocked while the process lives; the kernel frees the lock when the process dies. If somebody removes the file,
// it is restored as long as this store is watched or written to. release may be called twice.
func (r *running) Announce(ctx context.Context, p queue.Presence) (release func() error, err error) {
	if err := r.begin(ctx); err != nil {
		return nil, err
	}
	raw, err := json.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("failed to announce this process: %w", err)
	}
	var fd int
	token := queue.NewToken()
	err = r.writeInTree(func() error {
		fd, err = r.putPresence(token, raw)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("failed to announce this process: %w", err)
	}
	r.announcing.Lock()
	defer r.announcing.Unlock()
	r.announced[token] = announcement{raw: raw, fd: fd}
	return sync.OnceValue(func() error { return r.withdrawPresence(token) }), nil
}

// announcement is the content of a file in present/ and the descriptor that holds its lock.
type announcement struct {
	raw []byte
	fd  int
}

// putPresence puts a locked file into present/.
func (r *running) putPresence(token string, raw []byte) (fd int, err error) {
	staged := r.path(tmpDir, token)
	if fd, err = r.writeLocked(staged, raw); err != nil {
		return -1, err
	}
	if err := os.Rename(staged, r.path(presentDir, token)); err != nil {
		return -1, errors.Join(err, os.Remove(staged), syscall.Close(fd))
	}
	return fd, nil
}

// withdrawPresence removes an announcement.
func (r *running) withdrawPresence(token string) error {
	r.announcing.Lock()
	one := r.announced[token]
	delete(r.announced, token)
	r.announcing.Unlock() // a hanging disk must not block other announcements
	err := os.Remove(r.path(presentDir, token))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, syscall.Close(one.fd))
}

// restorePresence writes this process's files again that somebody removed from present/, under their old names. A
// failed attempt is repeated at the next look at present/.
func (r *running) restorePresence() {
	announced := r.announcements()
	if len(announced) == 0 || !r.restoring.CompareAndSwap(false, true) {
		return
	}
	defer r.restoring.Store(false)
	names, err := readNames(r.path(presentDir))
	if err != nil {
		return
	}
	there := make(map[string]bool, len(names))
	for _, name := range names {
		there[name] = true
	}
	for token, one := range announced {
		if there[token] {
			continue
		}
		if fd, err := r.putPresence(token, one.raw); err == nil {
			r.replacePresence(token, one, fd)
		}
	}
}

// announcements returns a copy of this process's announcements.
func (r *running) announcements() map[string]announcement {
	r.announcing.Lock()
	defer r.announcing.Unlock()
	return maps.Clone(r.announced)
}

// replacePresence records the descriptor of a restored file, unless the announcement was released meanwhile.
func (r *running) replacePresence(token string, was announcement, fd int) {
	r.announcing.Lock()
	now, still := r.announced[token]
	if still = still && now.fd == was.fd; still {
		r.announced[token] = announcement{raw: was.raw, fd: fd}
	}
	r.announcing.Unlock()
	if still {
		_ = syscall.Close(was.fd) // the old descriptor locks a removed file
		return
	}
	_ = os.Remove(r.path(presentDir, token))
	_ = syscall.Close(fd)
}

// writeLocked creates a locked file. It returns a bare descriptor, because the garbage collector would close an
// *os.File and so free the lock.
func (r *running) writeLocked(path string, raw []byte) (int, error) {
	if err := r.writeNew(path, raw, volatile); err != nil {
		return -1, err
	}
	fd, err := syscall.Open(path, syscall.O_RDWR|syscall.O_CLOEXEC|syscall.O_NOFOLLOW, 0) // see sweepDeaths
	if err != nil {
		return -1, errors.Join(err, os.Remove(path))
	}
	if err := whole.Flock(fd, syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		err = fmt.Errorf("the filesystem has no file locks: %w", err)
		return -1, errors.Join(err, os.Remove(path), syscall.Close(fd))
	}
	return fd, nil
}

// Present lists the running processes that have one of the roles, or all without roles. It removes files of dead
// processes.
func (r *running) Present(ctx context.Context, roles ...string) ([]queue.Presence, error) {
	if err := r.begin(ctx); err != nil {
		return nil, err
	}
	names, err := r.heldNames()
	if err != nil {
		return nil, fmt.Errorf("failed to list the running processes: %w", err)
	}
	var all []queue.Presence
	for _, name := range names {
		raw, err := readFile(r.path(presentDir, name))
		if err != nil {
			continue
		}
		if p, ok := queue.DecodePresence(raw); ok && p.In(roles) {
			all = append(all, p)
		}
	}
	queue.SortPresences(all)
	return all, nil
}

// heldNames lists the files in present/ that a living process has locked, sorted. A name is never used twice, so
// equal lists mean that nothing changed.
func (r *running) heldNames() ([]string, error) {
	names, err := readNames(r.path(presentDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !isHeld(r.path(presentDir, name)) })
	slices.Sort(names)
	return names, nil
}

// isHeld reports whether a living process has the file locked. It removes a file that no process has locked. Files
// that are not regular are ignored.
func isHeld(path string) bool {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	if fi, err := f.Stat(); err != nil || !fi.Mode().IsRegular() {
		return false
	}
	err = whole.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB)
	if err == nil {
		_ = os.Remove(path)
	}
	return errors.Is(err, syscall.EWOULDBLOCK)
}
