package book

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/choicetui/choicetui/config/whole"
)

// isOwn fails with an *Unsafe unless the file is this user's and nobody else can write it, or put another in its place.
func isOwn(file *os.File) error {
	is, err := file.Stat()
	if err != nil {
		return fmt.Errorf("failed to look at the rules: %w", err)
	}
	if !is.Mode().IsRegular() {
		return &Unsafe{file.Name(), "is no file", "rm " + quote(file.Name())}
	}
	dir := filepath.Dir(file.Name())
	place, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("failed to look at the place of the rules: %w", err)
	}
	for _, one := range []struct {
		name string
		is   os.FileInfo
	}{{file.Name(), is}, {dir, place}} {
		switch {
		case ownerOf(one.is) != os.Geteuid():
			return &Unsafe{one.name, "belongs to somebody else", "rm " + quote(file.Name())}
		case one.is.Mode().Perm()&0o022 != 0:
			return &Unsafe{one.name, "can be written by others", "chmod go-w " + quote(one.name)}
		}
	}
	return nil
}

func ownerOf(is os.FileInfo) int {
	if sys, ok := is.Sys().(*syscall.Stat_t); ok {
		return int(sys.Uid)
	}
	return -1
}

// quote returns a path as one word for a shell.
func quote(path string) string { return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'" }

// change writes what f makes of the lines, while no other process does.
func (b *Book) change(f func([]line) ([]line, error)) error {
	unlock, err := lockDir(filepath.Dir(b.path))
	if err != nil {
		return err
	}
	defer unlock()
	lines, err := b.readLines()
	if err != nil {
		return err
	}
	if lines, err = f(lines); err != nil {
		return err
	}
	var text []byte
	for _, l := range lines {
		text = append(append(text, l.raw...), '\n')
	}
	if err := replaceFile(b.path, text); err != nil {
		return fmt.Errorf("failed to write the rules: %w", err)
	}
	return nil
}

// lockDir keeps other processes' changes out. The lock is on the directory itself, so it leaves no file.
func lockDir(dir string) (unlock func(), err error) {
	locked, err := whole.Lock(context.Background(), dir, lockWait)
	switch {
	case errors.Is(err, whole.ErrLocked):
		return nil, ErrBusy
	case err != nil:
		return nil, fmt.Errorf("failed to open the place of the rules: %w", err)
	}
	return func() { _ = locked.Close() }, nil
}

// replaceFile puts text in the file's place, whole or not at all, for this user alone to read.
func replaceFile(path string, text []byte) error {
	if err := whole.Write(path, ".rules-*.tmp", text); err != nil {
		return err
	}
	_ = whole.SyncDir(filepath.Dir(path)) // it is written; only a power cut may undo it
	return nil
}

// realDir returns a directory without symbolic links.
func realDir(dir string) (string, error) {
	path, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", fmt.Errorf("failed to find the directory: %w", err)
	}
	if is, err := os.Stat(path); err != nil || !is.IsDir() {
		return "", fmt.Errorf("%s is no directory", path)
	}
	return filepath.Abs(path)
}
