package jetstream

import (
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/choicetui/choicetui/config/whole"
	"github.com/choicetui/choicetui/queue"
)

// held are the locks by which the processes of one machine learn at once that another of them has died. The server
// only notices some seconds later that a process is silent. An agent whose bridge was killed may start a new one, and
// ask its question again, before that.
//
// A process locks a file with its own name before its first announcement, and the kernel frees the lock when the
// process dies. So an unlocked file is a dead process's. If there is no file nothing is known: the process may be on
// another machine, in another container, or of a version without these files.
type held struct {
	dir string // directory of this machine and user only; empty: no locks

	mu   sync.Mutex
	mine *os.File
}

// heldStale is the age from which an unlocked file is removed. A younger file may not be locked yet.
const heldStale = time.Hour

// lockMine creates and locks this process's file. Errors are ignored: without the lock, other processes only learn of
// the death later.
func (h *held) lockMine(process string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.dir == "" || h.mine != nil || os.MkdirAll(h.dir, 0o700) != nil || !whole.IsPrivate(h.dir) {
		return
	}
	h.sweepFiles()
	f, err := os.OpenFile(filepath.Join(h.dir, process), os.O_RDWR|os.O_CREATE|os.O_EXCL|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return
	}
	if whole.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil { // without locks the process would look dead
		_ = os.Remove(f.Name())
		_ = f.Close()
		return
	}
	h.mine = f
}

// unlockMine unlocks the file when the store is closed. With announced, something of this process is still on the
// server; then the file stays, as a sign that the process is dead.
func (h *held) unlockMine(announced bool) {
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

// hasDied reports whether a process of this machine is known to be dead: its file is here, and the lock is free.
func (h *held) hasDied(process string) bool {
	if h.dir == "" || !queue.ValidInstance(process) { // the name comes from the server and is not trusted
		return false
	}
	f, err := os.OpenFile(filepath.Join(h.dir, process), os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	fi, err := f.Stat()
	return err == nil && fi.Mode().IsRegular() && whole.IsPrivate(h.dir) &&
		whole.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) == nil
}

// names returns the names of the files here, which are names of processes.
func (h *held) names() map[string]bool {
	if h.dir == "" {
		return nil
	}
	names := map[string]bool{}
	entries, _ := os.ReadDir(h.dir) // without the directory nothing is known
	for _, e := range entries {
		names[e.Name()] = true
	}
	return names
}

// sweepFiles removes the files of dead processes after heldStale, when no announcement of them is left.
func (h *held) sweepFiles() {
	for name := range h.names() {
		path := filepath.Join(h.dir, name)
		if fi, err := os.Lstat(path); err == nil && time.Since(fi.ModTime()) > heldStale && h.hasDied(name) {
			_ = os.Remove(path)
		}
	}
}
