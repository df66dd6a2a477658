package jetstream

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// held are the locks by which the processes of one machine know at once that another of them has died. The server only
// hears that somebody is silent, some seconds later: an agent whose bridge was killed and that starts a new one asks
// its question again before that.
//
// A process holds a file of its own name from its first announcement on, and the kernel lets go of it when it dies. A
// file that exists and that nobody holds is that of a dead process. Without such a file nothing is known: the
// process may be on another machine, in another container, or of a version that leaves no file.
type held struct {
	dir string // of this machine and this person alone; empty: not available

	mu   sync.Mutex
	mine *os.File
}

// heldStale is the age from which a file that nobody holds is swept: a new one is locked at once.
const heldStale = time.Hour

// hold holds a process's own file. It is a help and no more, so that nothing fails where that cannot be done.
func (h *held) hold(process string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.dir == "" || h.mine != nil || os.MkdirAll(h.dir, 0o700) != nil || !isPrivate(h.dir) {
		return
	}
	h.sweep()
	f, err := os.OpenFile(filepath.Join(h.dir, process), os.O_RDWR|os.O_CREATE|os.O_EXCL|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return
	}
	if flock(f, syscall.LOCK_EX|syscall.LOCK_NB) != nil { // locks are not supported there: it would look dead
		_ = os.Remove(f.Name())
		_ = f.Close()
		return
	}
	h.mine = f
}

// letGo lets go of the file when the store is closed. The file stays if something is still announced: then it says that
// this process is dead.
func (h *held) letGo(announced bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.mine == nil {
		return
	}
	if !announced {
		_ = os.Remove(h.mine.Name())
	}
	_ = h.mine.Close()
	h.mine = nil
}

// died reports whether a process of this machine is known to be dead.
func (h *held) died(process string) bool {
	if h.dir == "" || !queue.ValidInstance(process) { // somebody else's words, from the server
		return false
	}
	f, err := os.OpenFile(filepath.Join(h.dir, process), os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	is, err := f.Stat()
	return err == nil && is.Mode().IsRegular() && isPrivate(h.dir) && flock(f, syscall.LOCK_SH|syscall.LOCK_NB) == nil
}

// names returns the processes that left a file here.
func (h *held) names() map[string]bool {
	if h.dir == "" {
		return nil
	}
	names := map[string]bool{}
	entries, _ := os.ReadDir(h.dir) // where it cannot be read nothing is known
	for _, e := range entries {
		names[e.Name()] = true
	}
	return names
}

// sweep takes away what dead processes left, once nobody can ask for it any more.
func (h *held) sweep() {
	for name := range h.names() {
		path := filepath.Join(h.dir, name)
		if is, err := os.Lstat(path); err == nil && time.Since(is.ModTime()) > heldStale && h.died(name) {
			_ = os.Remove(path)
		}
	}
}

// isPrivate reports whether a directory belongs to this user and nobody else can use it. Files in any other directory
// prove nothing.
func isPrivate(dir string) bool {
	is, err := os.Lstat(dir)
	if err != nil || !is.IsDir() || is.Mode().Perm()&0o077 != 0 {
		return false
	}
	of, known := is.Sys().(*syscall.Stat_t)
	return known && int(of.Uid) == os.Getuid()
}

func flock(f *os.File, how int) error {
	for {
		if err := syscall.Flock(int(f.Fd()), how); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
