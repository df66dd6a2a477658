// Package book keeps the person's permission rules (see package rules) in a file, one line of JSON per rule.
//
//	Read ─► the file, if nobody else can have written it ─► rules, and the broken lines
//	Add, Revoke ─► lock the directory ─► read ─► write a file beside it ─► rename
//
// A line that is not a rule allows nothing. It is reported and kept unchanged, because a newer choicetui may have
// written it.
package book

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/choicetui/choicetui/config/whole"
	"github.com/choicetui/choicetui/queue/rules"
)

const (
	// MaxRules limits the rules that hold at the same time.
	MaxRules = 200
	maxBytes = 1 << 20
	lockWait = 3 * time.Second
)

var (
	// ErrNoRule means that the rule does not exist, or no longer.
	ErrNoRule = errors.New("there is no such rule")
	// ErrFull means that the file has MaxRules rules.
	ErrFull = fmt.Errorf("there are %d rules already", MaxRules)
	// ErrBusy means that another process is changing the rules and did not finish within lockWait.
	ErrBusy = errors.New("another choicetui is changing the rules")
)

// Unsafe means that somebody else may have written the file. Nothing in it is read.
type Unsafe struct {
	Path, Problem string
	Repair        string // shell command that corrects it
}

func (u *Unsafe) Error() string { return u.Path + " " + u.Problem }

// Broken is a line that is not a rule.
type Broken struct {
	Line   int // from 1
	Reason string
}

// Book is the file of rules. It is read again each time, so that a revoked rule has no effect anywhere.
type Book struct{ path string }

// At returns the book whose file has this path. The file is created with the first rule.
func At(path string) *Book { return &Book{path} }

// Path returns the path of the file, which may not exist yet.
func (b *Book) Path() string { return b.path }

// Read returns every rule in the file, expired ones too, and the lines that are not rules. A missing file has no rules.
// Read fails with an *Unsafe if somebody else may have written the file.
func (b *Book) Read() (list []rules.Rule, broken []Broken, err error) {
	lines, err := b.readLines()
	for n, l := range lines {
		if l.reason != "" {
			broken = append(broken, Broken{n + 1, l.reason})
		} else {
			list = append(list, l.rule)
		}
	}
	return list, broken, err
}

// Real returns a directory's path without symbolic links, and an error if it does not exist.
func (b *Book) Real(dir string) (string, error) { return realDir(dir) }

// Rules returns the rules that Read returns, without the broken lines.
func (b *Book) Rules() ([]rules.Rule, error) {
	list, _, err := b.Read()
	return list, err
}

// Add appends a rule and removes expired ones.
func (b *Book) Add(r rules.Rule) error {
	if err := r.Check(); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(b.path), 0o700); err != nil {
		return fmt.Errorf("failed to make the place of the rules: %w", err)
	}
	return b.changeLines(func(lines []line) ([]line, error) {
		kept, live := lines[:0], 0
		for _, l := range lines {
			if l.reason == "" && !r.MadeAt.Before(l.rule.Until) {
				continue
			}
			kept = append(kept, l)
			live++
		}
		if live >= MaxRules {
			return nil, ErrFull
		}
		raw, err := json.Marshal(r)
		return append(kept, line{raw: raw}), err
	})
}

// Revoke removes a rule and returns it. From then on the rule allows nothing. It fails with ErrNoRule.
func (b *Book) Revoke(id string) (gone rules.Rule, err error) {
	if _, err := os.Lstat(b.path); errors.Is(err, fs.ErrNotExist) {
		return gone, ErrNoRule
	}
	err = b.changeLines(func(lines []line) ([]line, error) {
		kept, found := lines[:0], false
		for _, l := range lines {
			if l.reason == "" && l.rule.ID == id {
				gone, found = l.rule, true
				continue
			}
			kept = append(kept, l)
		}
		if !found {
			return nil, ErrNoRule
		}
		return kept, nil
	})
	return gone, err
}

// line is one line of the file. A line that Add appends has only raw.
type line struct {
	raw    []byte
	rule   rules.Rule
	reason string // why the line is not a rule; empty: it is one
}

// readLines reads and decodes the lines of the file.
func (b *Book) readLines() ([]line, error) {
	raw, err := b.readFile()
	if err != nil || len(raw) == 0 {
		return nil, err
	}
	seen := map[string]bool{}
	var lines []line
	for one := range bytes.Lines(raw) {
		l := readLine(bytes.TrimSuffix(one, []byte("\n")))
		if l.reason == "" && seen[l.rule.ID] {
			l.reason = "its id is another rule's"
		}
		seen[l.rule.ID] = true
		lines = append(lines, l)
	}
	return lines, nil
}

// readLine decodes one line. A line with an unknown field is not accepted as a rule, because the field may narrow the
// rule.
func readLine(raw []byte) line {
	l := line{raw: raw}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	switch err := d.Decode(&l.rule); {
	case err != nil:
		l.reason = err.Error()
	case d.InputOffset() != int64(len(bytes.TrimRight(raw, " \t\r"))):
		l.reason = "something follows it"
	case l.rule.Check() != nil:
		l.reason = "it is not a rule that was made here"
	}
	return l
}

// readFile returns the file's text. It fails with *Unsafe if somebody else may have written it.
func (b *Book) readFile() ([]byte, error) {
	file, err := os.OpenFile(b.path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.Is(err, unix.ELOOP):
		return nil, &Unsafe{b.path, "is a symbolic link", "rm " + quote(b.path)}
	case err != nil:
		return nil, fmt.Errorf("failed to read the rules: %w", err)
	}
	defer file.Close()
	if err := checkOwn(file); err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(io.LimitReader(file, maxBytes+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("failed to read the rules: %w", err)
	case len(raw) > maxBytes:
		return nil, fmt.Errorf("failed to read the rules: %s is larger than 1 MiB", b.path)
	}
	return whole.WithoutMark(raw), nil
}

// checkOwn fails with *Unsafe unless the file is this user's and nobody else can write or replace it.
func checkOwn(file *os.File) error {
	is, err := file.Stat()
	if err != nil {
		return fmt.Errorf("failed to look at the rules: %w", err)
	}
	if !is.Mode().IsRegular() {
		return &Unsafe{file.Name(), "is not a file", "rm " + quote(file.Name())}
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
		case whole.Owner(one.is) != os.Geteuid():
			return &Unsafe{one.name, "belongs to somebody else", "rm " + quote(file.Name())}
		case one.is.Mode().Perm()&0o022 != 0:
			return &Unsafe{one.name, "can be written by others", "chmod go-w " + quote(one.name)}
		}
	}
	return nil
}

// quote returns a path as one word for a shell.
func quote(path string) string { return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'" }

// changeLines replaces the lines by the result of f, while no other process changes them.
func (b *Book) changeLines(f func([]line) ([]line, error)) error {
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

// lockDir keeps other processes from changing the rules. It locks the directory itself, so it leaves no lock file.
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

// replaceFile replaces the file as a whole or not at all, readable by this user only.
func replaceFile(path string, text []byte) error {
	if err := whole.Write(path, ".rules-*.tmp", text); err != nil {
		return err
	}
	_ = whole.SyncDir(filepath.Dir(path)) // without it only a power cut may undo the change
	return nil
}

// realDir returns a directory's path without symbolic links. It fails if the directory does not exist.
func realDir(dir string) (string, error) {
	path, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", fmt.Errorf("failed to find the directory: %w", err)
	}
	if is, err := os.Stat(path); err != nil || !is.IsDir() {
		return "", fmt.Errorf("%s is not a directory", path)
	}
	return filepath.Abs(path)
}
