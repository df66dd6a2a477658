package transcript

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// errForeign reports a file that is not read: it is no regular file, or another user owns it.
var errForeign = errors.New("not a regular file of this user")

// File is a file below an agent's own directory.
type File struct {
	root, path string // path is relative to root
	changed    time.Time
	length     int64
}

func (f File) Version() string { return fmt.Sprint(f.path, " ", f.changed.UnixNano(), " ", f.length) }

// below returns the file at an absolute path below root. ok is false if it is elsewhere, also through a link, or is no
// regular file of this user.
func below(root, path string) (f File, ok bool) {
	rel, err := filepath.Rel(root, path)
	if err != nil || !filepath.IsLocal(rel) || !filepath.IsAbs(path) {
		return f, false
	}
	f = File{root: root, path: rel}
	opened, err := f.Open()
	if err != nil {
		return f, false
	}
	defer opened.Close()
	info, err := opened.Stat()
	if err != nil {
		return f, false
	}
	f.changed, f.length = info.ModTime(), info.Size()
	return f, true
}

// Open opens the file. The root refuses a link that leads out of it, and a pipe is not waited for.
func (f File) Open() (*os.File, error) {
	root, err := os.OpenRoot(f.root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	opened, err := root.OpenFile(f.path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := opened.Stat()
	if err == nil {
		owner, known := info.Sys().(*syscall.Stat_t)
		if !info.Mode().IsRegular() || !known || int(owner.Uid) != os.Getuid() {
			err = errForeign
		}
	}
	if err != nil {
		opened.Close()
		return nil, err
	}
	return opened, nil
}

// Tail returns the last mostBytes of the file, without a line whose beginning is missing.
func (f File) Tail(context.Context) ([]byte, error) {
	opened, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	info, err := opened.Stat()
	if err != nil {
		return nil, err
	}
	from := max(0, info.Size()-MostBytes)
	raw, err := io.ReadAll(io.NewSectionReader(opened, from, MostBytes))
	if err != nil {
		return nil, err
	}
	if from > 0 {
		_, raw, _ = bytes.Cut(raw, []byte("\n"))
	}
	return raw, nil
}

// Recent returns the files below the roots that match a pattern and may have a pending call. few is false if there are
// too many of them to be certain of a match.
func Recent(roots []string, pattern string) (list []Source, few bool) {
	for _, f := range filesIn(roots, pattern) {
		if time.Since(f.changed) < oldest {
			list = append(list, f)
		}
	}
	return list, len(list) <= mostFiles
}

// filesIn returns the files of this user below the roots that match a pattern.
func filesIn(roots []string, pattern string) (list []File) {
	for _, root := range roots {
		paths, _ := filepath.Glob(filepath.Join(GlobSafe(root), pattern))
		for _, path := range paths {
			if f, is := below(root, path); is {
				list = append(list, f)
			}
		}
	}
	return list
}

// Roots returns the directories in which an agent keeps its sessions: one in each of its homes. usual is its home below
// the person's.
func (w Where) Roots(usual string, below ...string) (list []string) {
	for _, home := range append([]string{filepath.Join(w.Home, usual)}, w.Homes...) {
		root := filepath.Join(append([]string{home}, below...)...)
		if filepath.IsAbs(root) && !slices.Contains(list, root) {
			list = append(list, root)
		}
	}
	return list
}

// IsName reports whether an id can be a part of a file's name.
func IsName(id string) bool { return filepath.Base(id) == id && filepath.IsLocal(id) && id != "." }

// GlobSafe escapes a path for filepath.Glob.
func GlobSafe(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
