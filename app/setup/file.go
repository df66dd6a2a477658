package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/choicetui/choicetui/config/whole"
)

// maxFileSize is the size in bytes up to which a settings file is read. An agent that keeps its history in that file
// has a few MiB.
const maxFileSize = 32 << 20

// ErrChanged means that another program wrote a file since it was read.
var ErrChanged = errors.New("the file was changed meanwhile, so it is left as it is now; run it again")

// File is a settings file as it was read.
type File struct {
	Path   string // the path that the agent uses
	Target string // the path with its links resolved
	Text   []byte
	Exists bool
	mode   fs.FileMode
	owner  *syscall.Stat_t
}

// Leads names the file behind a link, to follow the path; empty: the path is no link.
func (f File) Leads() string {
	if f.Target == "" || f.Target == f.Path {
		return ""
	}
	return " (a link to " + f.Target + ")"
}

// OpenToOthers reports whether other users may change the file.
func (f File) OpenToOthers() bool { return f.Exists && f.mode&0o022 != 0 }

// ReadFile reads a settings file. A missing file reads as an empty one. It fails with an *Unfit if the path holds
// anything else than a readable file of a usual size.
func ReadFile(path string) (File, error) {
	f := File{Path: path, mode: 0o600}
	var found bool
	if f.Target, found = whole.Follow(path); !found {
		return f, &Unfit{Why: "too many symbolic links; make it a file"}
	}
	file, err := os.OpenFile(f.Target, os.O_RDONLY|syscall.O_NONBLOCK, 0) // opening a FIFO must not wait
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return f, plainError("cannot be read", err)
	}
	defer file.Close()
	is, err := file.Stat()
	switch {
	case err != nil:
		return f, plainError("cannot be read", err)
	case is.IsDir():
		return f, &Unfit{Why: "this is a directory, and a file should be here; move it away"}
	case !is.Mode().IsRegular():
		return f, &Unfit{Why: "this is not a regular file; move it away"}
	}
	if f.Text, err = io.ReadAll(io.LimitReader(file, maxFileSize+1)); err != nil {
		return f, plainError("cannot be read", err)
	}
	if len(f.Text) > maxFileSize {
		return f, &Unfit{Why: "this is larger than 32 MiB; add the lines by hand (choicetui help connect)"}
	}
	f.Exists, f.mode = true, is.Mode().Perm()
	f.owner, _ = is.Sys().(*syscall.Stat_t)
	return f, nil
}

// plainError returns the system's error with a remedy and without the path, which the caller names.
func plainError(what string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	remedy := "fix that, then run it again"
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		remedy = "free some space and run it again"
	case errors.Is(err, fs.ErrPermission):
		remedy = "give yourself permission to write the file and its directory, then run it again"
	case errors.Is(err, syscall.EROFS):
		remedy = "the disk is read-only; add the lines by hand where the file comes from"
	}
	return fmt.Errorf("this %s: %w; %s", what, err, remedy)
}

// checkUnchanged fails with ErrChanged if the file differs from what was read.
func (f File) checkUnchanged() error {
	now, err := ReadFile(f.Path)
	if err != nil {
		return err
	}
	if now.Target != f.Target || now.Exists != f.Exists || !bytes.Equal(now.Text, f.Text) {
		return ErrChanged
	}
	return nil
}

// write replaces the file's text, wholly or not at all, and keeps its owner and mode. It fails with ErrChanged if the
// file has changed since it was read. made is the topmost directory that write had to make; empty: it made none.
func (f File) write(text []byte) (made string, err error) {
	dir := filepath.Dir(f.Target)
	if made, err = makeDir(dir); err != nil {
		return made, plainError("cannot be written", err)
	}
	temp, err := os.CreateTemp(dir, ".choicetui-*.tmp")
	if err != nil {
		return made, plainError("cannot be written", err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(temp.Name())
		}
	}()
	_, err = temp.Write(text)
	if err == nil {
		err = f.restoreOwner(temp)
	}
	if err == nil {
		err = temp.Sync()
	}
	if shut := temp.Close(); err == nil {
		err = shut
	}
	if err != nil {
		return made, plainError("cannot be written", err)
	}
	if err = f.checkUnchanged(); err != nil {
		return made, err
	}
	if err = os.Rename(temp.Name(), f.Target); err != nil {
		return made, plainError("cannot be written", err)
	}
	_ = whole.SyncDir(dir) // without the sync only a power cut can undo the change
	return made, nil
}

// restoreOwner gives a new file the owner and mode of the file that it replaces.
func (f File) restoreOwner(temp *os.File) error {
	if err := temp.Chmod(f.mode); err != nil {
		return err
	}
	if f.owner == nil {
		return nil
	}
	is, err := temp.Stat()
	if err != nil {
		return err
	}
	if now, ok := is.Sys().(*syscall.Stat_t); ok && (now.Uid != f.owner.Uid || now.Gid != f.owner.Gid) {
		return temp.Chown(int(f.owner.Uid), int(f.owner.Gid))
	}
	return nil
}

// makeDir makes a directory and its missing parents, for this person alone. made is the topmost directory that it made.
func makeDir(dir string) (made string, err error) {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) || at == filepath.Dir(at) {
			break
		}
		made = at
	}
	return made, os.MkdirAll(dir, 0o700)
}

// removeFile removes a file that set-up made, and the directories from made downwards, if they are empty.
func (f File) removeFile(made string) error {
	if err := f.checkUnchanged(); err != nil {
		return err
	}
	if err := os.Remove(f.Target); err != nil {
		return plainError("cannot be removed", err)
	}
	for dir := filepath.Dir(f.Target); made != "" && len(dir) >= len(made); dir = filepath.Dir(dir) {
		if os.Remove(dir) != nil {
			break
		}
	}
	return nil
}
