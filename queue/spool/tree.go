package spool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/choicetui/choicetui/config/whole"
	"github.com/choicetui/choicetui/queue"
)

// tree is the queue's directory. It creates missing directories when something is written.
type tree struct {
	dir    string
	flush  func(*os.File) error // makes a file or a directory durable: fsync, except in tests
	remade func()               // called each time after the tree was created or found

	mu       sync.Mutex
	made     bool // the tree existed at the last look
	anchored bool // the name of the root directory is durable
}

// makeTree creates missing directories, checks the tree and sweeps tmp/. It does this once, and again after
// forgetTree.
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

// begin is the first step of whatever reads or writes the queue. It fails with ctx's error, and with *Unsafe if the
// directory was opened to other users or replaced since it was found.
func (t *tree) begin(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := checkTree(t.dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// forgetTree makes the next makeTree look again after somebody removed the tree.
func (t *tree) forgetTree() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.made, t.anchored = false, false
}

// syncRoot makes the root directory's own name durable before the first session is acknowledged, even if another
// process created the directory.
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

// writeInTree calls write, and a second time if the tree was missing.
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

// sweepTmp removes files that killed processes left in tmp/. Nothing in them was ever acknowledged.
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

// path returns a path below the root directory.
func (t *tree) path(parts ...string) string {
	return filepath.Join(append([]string{t.dir}, parts...)...)
}

// tempPath returns an unused path in tmp/.
func (t *tree) tempPath() string { return t.path(tmpDir, queue.NewToken()) }

// makeDir creates a directory and its parents, accessible to this user only. It fsyncs the parents; syncRoot repeats
// that for parents that another process created but may not have fsynced.
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
		_ = t.syncDir(filepath.Dir(dir)) // the parent may not be readable; syncRoot reports errors that matter
	}
	return err
}

// Whether a file that writeNew has written survives a power cut.
const durable, volatile = true, false

// writeNew creates a file that must not exist. If it fails, no file is left.
func (t *tree) writeNew(path string, raw []byte, isDurable bool) (err error) {
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
	if err == nil && isDurable {
		err = t.flush(f)
	}
	return errors.Join(err, f.Close())
}

// syncDir makes the names in a directory durable. File systems that cannot fsync a directory are not an error.
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

// replaceFile creates or replaces a file by rename. The change is not durable.
func (t *tree) replaceFile(raw []byte, name string) error {
	staged := t.tempPath()
	if err := t.writeNew(staged, raw, volatile); err != nil {
		return err
	}
	if err := os.Rename(staged, name); err != nil {
		return errors.Join(err, os.Remove(staged))
	}
	return nil
}

// Unsafe means that other users could read, write or replace a directory. Repair is the shell command that corrects
// it.
type Unsafe struct {
	Dir     string
	Problem string
	Repair  string
}

func (e *Unsafe) Error() string {
	return fmt.Sprintf("the queue's directory %s; to repair it run: %s", e.Problem, e.Repair)
}

// checkTree checks the root and those of its directories that exist. It fails with fs.ErrNotExist if there is no root
// yet.
func checkTree(dir string) error {
	if err := checkDir(dir, dir); err != nil {
		return err
	}
	for _, sub := range subdirs {
		if err := checkDir(dir, filepath.Join(dir, sub)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// checkDir accepts a real directory of this user. Only the root's mode is checked, since it keeps other users out of
// everything below.
func checkDir(root, dir string) error {
	fi, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("failed to look at the queue directory: %w", err)
	}
	me := os.Geteuid()
	owner := whole.Owner(fi)
	switch {
	case fi.Mode()&fs.ModeSymlink != 0:
		return &Unsafe{Dir: dir, Problem: "is a symbolic link" + linkTarget(dir), Repair: unlink(dir)}
	case !fi.IsDir():
		repair := "mv " + shellQuote(dir) + " " + shellQuote(dir+".old")
		return &Unsafe{Dir: dir, Problem: "is not a directory", Repair: repair}
	case owner != me:
		return &Unsafe{
			Dir: dir, Problem: fmt.Sprintf("belongs to user %d, not to you (%d)", owner, me),
			Repair: fmt.Sprintf("sudo chown -R %d %s", me, shellQuote(root)),
		}
	case dir == root && fi.Mode().Perm()&0o077 != 0:
		return &Unsafe{
			Dir: dir, Problem: fmt.Sprintf("is open to other users (mode %04o)", fi.Mode().Perm()),
			Repair: "chmod 700 " + shellQuote(dir),
		}
	}
	return nil
}

// unlink returns the command that puts a directory back where a link to it is.
func unlink(dir string) string {
	to, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "rm " + shellQuote(dir)
	}
	here := shellQuote(dir)
	return "rm " + here + " && mv " + shellQuote(to) + " " + here + " && chmod 700 " + here
}

// linkTarget describes the target of a symbolic link, for an error message.
func linkTarget(dir string) string {
	to, err := os.Readlink(dir)
	if err != nil {
		return ""
	}
	return fmt.Sprintf(" to %q (name the real directory instead, or remove the link)", to)
}

func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

const reasonSuffix = ".reason"

// setAside moves an unreadable file or directory to aside/ and writes the reason beside it. If another process did so
// first, it returns what that one set aside. If the move fails, b has no MovedTo and its reason says why. ok is false
// only if the file is gone and not in aside/ either: then it was archived or dropped, and nothing is broken.
func (t *tree) setAside(dir, name, reason string) (b queue.Broken, ok bool) {
	to := t.path(asideDir, asideName(name)+queue.NewToken())
	err := t.makeDir(t.path(asideDir))
	if err == nil {
		// Written before the move, so that the reason is there as soon as the file is. Only the move must succeed.
		_ = t.writeNew(to+reasonSuffix, []byte(reason+"\n"), volatile)
		err = os.Rename(t.path(dir, name), to)
	}
	switch {
	case err == nil:
		return queue.Broken{Name: name, MovedTo: to, Reason: reason}, true
	case errors.Is(err, fs.ErrNotExist):
		_ = os.Remove(to + reasonSuffix)
		return t.wasSetAside(name)
	}
	_ = os.Remove(to + reasonSuffix)
	return queue.Broken{Name: name, Reason: reason + "; failed to set it aside: " + err.Error()}, true
}

// wasSetAside returns what any process set aside under this name.
func (t *tree) wasSetAside(name string) (queue.Broken, bool) {
	names, _ := readNames(t.path(asideDir)) // usually there is no such directory
	for _, n := range names {
		if strings.HasPrefix(n, asideName(name)) && !strings.HasSuffix(n, reasonSuffix) {
			to := t.path(asideDir, n)
			raw, _ := readFile(to + reasonSuffix)
			reason := cmp.Or(strings.TrimSpace(string(raw)), "was set aside")
			return queue.Broken{Name: name, MovedTo: to, Reason: reason}, true
		}
	}
	return queue.Broken{}, false
}

// asideName returns the prefix of a name in aside/. It is cut, so that a token fits behind a name of any length.
func asideName(name string) string { return filepath.Base(name[:min(len(name), 200)]) + "." }

// unreadableReason returns the reason to set a file aside. isBad is false for errors of the machine, which are not
// the file's fault.
func unreadableReason(err error) (reason string, isBad bool) {
	var bad *queue.Unreadable
	if errors.As(err, &bad) {
		return bad.Reason, true
	}
	if errors.Is(err, fs.ErrPermission) {
		return "cannot be read: " + err.Error(), true
	}
	return "", false
}

// unreadablef returns a *queue.Unreadable with this reason.
func unreadablef(format string, args ...any) error {
	return &queue.Unreadable{Reason: fmt.Sprintf(format, args...)}
}

// readFile reads a regular file of a sane size that is not a symbolic link. It never blocks on a fifo.
func readFile(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	switch {
	case errors.Is(err, syscall.ELOOP):
		return nil, unreadablef("is a symbolic link")
	case errors.Is(err, syscall.ENXIO): // a socket
		return nil, unreadablef("is not a regular file")
	case err != nil:
		return nil, err
	}
	defer f.Close()
	fi, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !fi.Mode().IsRegular():
		return nil, unreadablef("is not a regular file")
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

// readNames lists a directory that is not a symbolic link, in no order.
func readNames(path string) ([]string, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_DIRECTORY, 0)
	if errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP) {
		return nil, unreadablef("is not a directory")
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

// sameFile reports whether two names are links to one file. It fails with fs.ErrNotExist if either is missing.
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

// linkNew links a staged file to a new name. It fails with fs.ErrExist if the name is another file. If the name is
// already this very file, as after a repeated call on a network disk, it succeeds.
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

// fileState identifies one version of a file or a directory.
type fileState struct {
	ino   uint64
	mtime int64
}

// stateOf returns the present fileState of a path.
func stateOf(path string) (fileState, error) {
	fi, err := os.Lstat(path)
	if err != nil {
		return fileState{}, err
	}
	at := fileState{mtime: fi.ModTime().UnixNano()}
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		at.ino = uint64(st.Ino)
	}
	return at, nil
}
