package spool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// tree is the queue's directory with its content. Missing directories are made when somebody writes.
type tree struct {
	dir    string
	flush  func(*os.File) error // makes a file or a directory durable: fsync, but in tests
	remade func()               // is called when the tree was made, the first time too

	mu       sync.Mutex
	made     bool // the tree stood when last looked
	anchored bool // the directory's own name is on disk
}

// makeTree makes what is missing of the tree, checks it, and sweeps tmp; once, unless the tree went away.
func (t *tree) makeTree() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.made {
		return nil
	}
	for _, sub := range subdirs {
		if err := t.makeDir(t.path(sub)); err != nil {
			return fmt.Errorf("failed to make the queue's directory: %w", err)
		}
	}
	if err := checkTree(t.dir); err != nil {
		return err
	}
	t.made = true
	t.remade()
	t.sweepTmp(time.Now())
	return nil
}

// forgetTree makes the next makeTree look again: somebody removed the tree under us.
func (t *tree) forgetTree() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.made, t.anchored = false, false
}

// syncRoot puts the queue's own name on disk before the first session is acknowledged, whoever made it.
func (t *tree) syncRoot() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.anchored {
		return nil
	}
	if err := t.syncDir(filepath.Dir(t.dir)); err != nil && !errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("failed to make the queue durable: %w", err)
	}
	if err := t.syncDir(t.dir); err != nil {
		return fmt.Errorf("failed to make the queue durable: %w", err)
	}
	t.anchored = true
	return nil
}

// writeInTree runs a write, and once more if the tree was missing.
func (t *tree) writeInTree(write func() error) error {
	if err := t.makeTree(); err != nil {
		return err
	}
	err := write()
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	t.forgetTree()
	if err := t.makeTree(); err != nil {
		return err
	}
	return write()
}

// sweepTmp removes what a killed process left in tmp. Nothing there was ever acknowledged.
func (t *tree) sweepTmp(now time.Time) {
	entries, err := os.ReadDir(t.path(tmpDir))
	if err != nil {
		return
	}
	for _, e := range entries {
		if fi, err := e.Info(); err == nil && now.Sub(fi.ModTime()) > staleAfter {
			_ = os.RemoveAll(t.path(tmpDir, e.Name())) // tried again in an hour
		}
	}
}

// HoldMoves keeps other processes from moving a queue to this place until release is called, or this process dies. It
// holds nothing where another one does. Where locks are not supported it does without.
func (t *tree) HoldMoves() (release func(), held bool, err error) {
	if err := t.makeTree(); err != nil {
		return nil, false, err
	}
	dir, err := os.Open(t.path(doneDir))
	if err != nil {
		return nil, false, fmt.Errorf("failed to hold the queue: %w", err)
	}
	if err := lockFile(int(dir.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, false, dir.Close()
	}
	return func() { _ = dir.Close() }, true, nil
}

func (t *tree) path(parts ...string) string {
	return filepath.Join(append([]string{t.dir}, parts...)...)
}

func (t *tree) tempPath() string { return t.path(tmpDir, queue.NewToken()) }

// makeDir makes a directory and its parents, readable by us only. Parents are fsynced on the way; syncRoot does it
// again for those that another process was about to fsync.
func (t *tree) makeDir(dir string) error {
	err := os.Mkdir(dir, 0o700)
	if errors.Is(err, fs.ErrNotExist) && filepath.Dir(dir) != dir {
		if err := t.makeDir(filepath.Dir(dir)); err != nil {
			return err
		}
		err = os.Mkdir(dir, 0o700)
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err == nil {
		_ = t.syncDir(filepath.Dir(dir)) // a parent we may not read; syncRoot reports what matters
	}
	return err
}

// writeNew makes a file that was not there. On failure nothing is left.
func (t *tree) writeNew(path string, raw []byte, durable bool) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(path)
		}
	}()
	_, err = f.Write(raw)
	if err == nil && durable {
		err = t.flush(f)
	}
	return errors.Join(err, f.Close())
}

// syncDir makes the names in a directory durable. Filesystems that cannot are left to their own promises.
func (t *tree) syncDir(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := t.flush(f); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}

// replaceFile puts a file in the place of one that may be there. It is not durable.
func (t *tree) replaceFile(raw []byte, name string) error {
	staged := t.tempPath()
	if err := t.writeNew(staged, raw, false); err != nil {
		return err
	}
	if err := os.Rename(staged, name); err != nil {
		return errors.Join(err, os.Remove(staged))
	}
	return nil
}
