package config

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/choicetui/choicetui/config/whole"
)

const (
	// maxSize limits the bytes of the file. A person's settings are a few KiB.
	maxSize = 1 << 20
	// lockWait limits the wait for the Update of another process, which takes milliseconds.
	lockWait = 5 * time.Second
)

// Endings of the description of a file that cannot be read. They tell the person which settings are in force.
const (
	leftAlone = "using the last good settings; your file is untouched"
	noneGood  = "no settings were read; your file is untouched"
	noQueue   = "fix the file first: it may name another queue"
)

// File is the settings file as it was last read. Its methods may be called from any goroutine.
type File struct {
	path string

	mu    sync.Mutex
	last  reading  // the last good reading; before the first, the defaults
	wrong *Invalid // the problems of the last reading; nil: there were none
	good  bool     // there was a good reading
	seen  stamp    // the state of the file at the last Refresh
}

// Open reads the settings file. It always returns a File. A missing or empty file means the defaults; Err returns the
// problems of any other file.
func Open(path string) *File {
	f := &File{path: path, last: parseText(path, nil)}
	f.Reload()
	return f
}

// Reopen opens the same file as an independent File. While the file cannot be read, the last good settings of f are in
// force there too.
func (f *File) Reopen() *File {
	f.mu.Lock()
	again := &File{path: f.path, last: f.last, good: f.good}
	f.mu.Unlock()
	again.Reload()
	return again
}

// Path returns the file's path.
func (f *File) Path() string { return f.path }

// Settings returns the settings in force: those of the file, and the default of each setting that the file lacks or has
// wrong. While the file cannot be read, the last good settings stay in force.
func (f *File) Settings() Settings {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.last.settings.Clone()
}

// Err returns an *Invalid with the problems of the file, with lines and columns; nil: there are none.
func (f *File) Err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.wrong.asError()
}

// Unusable returns an *Invalid for the first of these settings whose value in the file is wrong; nil: all of them are
// in force. Callers use it for settings that a default must not replace: a person who named a server does not mean a
// directory. A file that cannot be read may contain one of them, so until a good reading all of them are unusable.
func (f *File) Unusable(keys ...string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.wrong.broken() && !f.good {
		p := f.wrong.Problems[0]
		p.Want = noQueue
		return unreadableFile(p)
	}
	if f.last.wrong == nil {
		return nil
	}
	for _, p := range f.last.wrong.Problems { // also while the file is broken: these settings are still in force
		isInForce := func(v Value) bool { return v.Key == p.Key && v.From == FromFile } // as when it is given twice
		if slices.Contains(keys, p.Key) && !slices.ContainsFunc(f.last.found, isInForce) {
			return &Invalid{Problems: []Problem{p}}
		}
	}
	return nil
}

// Effective lists every setting with its value in force and the source of the value, and then the unknown keys of the
// file.
func (f *File) Effective() []Value {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.last.values()
}

// Refresh reloads the file if it has changed since the last Refresh. It costs a stat of the file. Watch does not report
// changes that Refresh has loaded.
func (f *File) Refresh() (changed bool) {
	now := stampOf(f.path)
	f.mu.Lock()
	same := now.same(f.seen)
	f.seen = now
	f.mu.Unlock()
	return !same && f.Reload()
}

// Reload reads the file again. It reports whether the settings or their problems changed.
func (f *File) Reload() (changed bool) {
	return f.adoptReading(loadReading(f.path, f.path))
}

// adoptReading makes a reading the current one. It reports whether the settings or their problems changed.
func (f *File) adoptReading(next reading) (changed bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	was, before := f.last.settings, f.wrong
	if !next.wrong.broken() {
		f.last, f.good = next, true
	}
	f.wrong = f.withSettingsInForce(next.wrong)
	return !reflect.DeepEqual(was, f.last.settings) || !f.wrong.same(before)
}

// withSettingsInForce adds to the problem of a broken file which settings are in force: the last good ones, or the
// defaults. The caller holds mu.
func (f *File) withSettingsInForce(wrong *Invalid) *Invalid {
	if !wrong.broken() {
		return wrong
	}
	p := wrong.Problems[0]
	if p.Want = noneGood; f.good {
		p.Want = leftAlone
	}
	return unreadableFile(p)
}

// loadReading reads the file at target. Its problems name path, which may be a link to target.
func loadReading(path, target string) reading {
	text, err := readFile(target)
	if err != nil {
		return reading{wrong: unreadableFile(Problem{Path: path, Wrong: err.Error()})}
	}
	return parseText(path, text)
}

// readFile returns the text of a file. A missing file has no text and is no error.
func readFile(path string) ([]byte, error) {
	if !filepath.IsAbs(path) { // as Path is where HOME is relative
		return nil, errRelativeHome()
	}
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // O_NONBLOCK: opening a FIFO must not block
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, unreadable(err)
	}
	defer file.Close()
	if is, err := file.Stat(); err != nil || !is.Mode().IsRegular() {
		return nil, errors.New("this is not a regular file")
	}
	text, err := io.ReadAll(io.LimitReader(file, maxSize+1))
	if err != nil {
		return nil, unreadable(err)
	}
	if len(text) > maxSize {
		return nil, errors.New("this is larger than 1 MiB")
	}
	return whole.WithoutMark(text), nil
}

// unreadable wraps the error of reading the file, without the path.
func unreadable(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err // a Problem names the path already
	}
	return fmt.Errorf("this cannot be read: %w", err)
}

// Update changes the settings in the file. It reads the file again, calls change with its settings, and writes back
// only the keys whose values differ: unknown keys, order and layout survive. The write is atomic and durable. If the
// file is broken, or change makes a value wrong, it writes nothing and the error is an *Invalid.
func (f *File) Update(change func(*Settings)) error {
	return f.rewrite(func(old reading) ([]byte, *Invalid) {
		settings := old.settings.Clone()
		change(&settings)
		if wrong := checkSettings(f.path, settings); wrong != nil {
			return nil, wrong
		}
		text := old.text
		for _, e := range editsBetween(&old.settings, &settings) {
			text = applyEdit(text, e, 0)
		}
		return text, nil
	})
}

// Unset removes a setting from the file, so that its default is in force again. An object that is empty after that is
// removed too. Everything else is as with Update. It is no error if the file does not have the setting.
func (f *File) Unset(key string) error {
	return f.rewrite(func(old reading) ([]byte, *Invalid) {
		row, name, known := RowOf(key)
		if !known || len(old.text) == 0 {
			return old.text, nil
		}
		path := row.keysInFile(name)
		text := applyEdit(old.text, edit{path: path}, 0)
		list, _ := members(text)
		if at := lastIndexOf(list, path[0]); at >= 0 && len(path) > 1 {
			if inner, object := members(list[at].raw); object && len(inner) == 0 {
				text = applyEdit(text, edit{path: path[:1]}, 0)
			}
		}
		return text, nil
	})
}

// rewrite replaces the text of the file by the text that change returns, and loads it. It does not call change for a
// broken file.
func (f *File) rewrite(change func(old reading) ([]byte, *Invalid)) error {
	target, err := followLinks(f.path)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
		return fmt.Errorf("failed to create the settings' directory: %w", err)
	}
	unlock, err := lockDir(filepath.Dir(target))
	if err != nil {
		return err
	}
	defer unlock()
	old := loadReading(f.path, target)
	next, wrong := old.text, old.wrong
	if !old.wrong.broken() {
		next, wrong = change(old)
	}
	if wrong != nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.withSettingsInForce(wrong)
	}
	if !slices.Equal(next, old.text) {
		if err := replaceFile(target, next); err != nil {
			return err
		}
	}
	f.adoptReading(parseText(f.path, next))
	return nil
}

// followLinks returns the file at the end of a chain of symbolic links, whether or not it exists.
func followLinks(path string) (string, error) {
	target, found := whole.Follow(path)
	if !found {
		return "", fmt.Errorf("failed to find the settings: too many links at %q", target)
	}
	return target, nil
}

// lockDir locks out the Updates of other processes: of two that start from the same text, one would lose its change. It
// locks the directory itself, so no lock file remains.
func lockDir(dir string) (unlock func(), err error) {
	locked, err := whole.Lock(context.Background(), dir, lockWait)
	switch {
	case errors.Is(err, whole.ErrLocked):
		return nil, fmt.Errorf("failed to change the settings: another process is changing them in %q", dir)
	case err != nil:
		return nil, fmt.Errorf("failed to open the settings' directory: %w", err)
	}
	return func() { _ = locked.Close() }, nil
}

// replaceFile replaces the file by one with this text, completely or not at all, also if the power fails.
func replaceFile(path string, text []byte) error {
	dir := filepath.Dir(path)
	sweepTemps(dir)
	err := whole.Write(path, tempPattern, text)
	if err == nil {
		err = whole.SyncDir(dir)
	}
	if err != nil {
		return fmt.Errorf("failed to write the settings: %w", err)
	}
	return nil
}

const (
	tempPattern = ".config-*.tmp"
	tempAge     = time.Minute // a temporary file that is still being written is only milliseconds old
)

// sweepTemps removes temporary files of processes that were killed while they wrote.
func sweepTemps(dir string) {
	left, _ := filepath.Glob(filepath.Join(dir, tempPattern))
	for _, name := range left {
		if is, err := os.Lstat(name); err == nil && time.Since(is.ModTime()) > tempAge {
			_ = os.Remove(name)
		}
	}
}
