package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	// maxSize is the largest file that is read; a person's settings are a few KiB.
	maxSize = 1 << 20
	// maxLinks is how many symbolic links are followed to the file.
	maxLinks = 40
	// lockWait is how long Update waits for another process's Update, which takes milliseconds.
	lockWait = 5 * time.Second
)

// File is the settings file as last read. Its methods may be called from any goroutine.
type File struct {
	path string

	mu     sync.Mutex
	last   loaded // settings are the last good ones
	failed error  // what the last reading met; nil: nothing
	good   bool   // the file could be read once in this File's life
}

// Open reads the settings. It always gives a File: a missing or empty file means the defaults, what is wrong with any
// other is in Err.
func Open(path string) *File {
	f := &File{path: path, last: parse(path, nil)}
	f.Reload()
	return f
}

// What is in force while the file cannot be read; the words end a Problem.
const (
	leftAlone = "the file is left as it is, and the last good settings stay in force"
	noneGood  = "the file is left as it is, and the defaults are in force: no good settings were ever read here"
)

// Path is the file's place.
func (f *File) Path() string { return f.path }

// Settings are the values in force: the file's, and the defaults where it has none or a wrong one; of a file that
// cannot be read, those that this process read before it became so.
func (f *File) Settings() Settings {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.last.settings.Clone()
}

// Err says what is wrong with the file, by line and column, as an *Invalid, or why it cannot be read; nil: nothing.
func (f *File) Err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.failed
}

// Effective lists every setting with its value in force and where that comes from, and the file's unknown keys.
func (f *File) Effective() []Value {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.last.values)
}

// Reload reads the file again and reports whether the settings, or what is wrong with them, changed.
func (f *File) Reload() (changed bool) {
	text, err := read(f.path)
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.take(text, err)
}

// take makes what was read the state.
func (f *File) take(text []byte, err error) (changed bool) {
	before, failed := f.last, f.failed
	f.failed = err
	if err == nil {
		next := parse(f.path, text)
		if next.err != nil {
			f.failed = next.err
		}
		if next.err == nil || !next.err.Broken {
			f.last, f.good = next, true
		}
	}
	f.failed = f.inForce(f.failed)
	return !reflect.DeepEqual(before.settings, f.last.settings) || fmt.Sprint(failed) != fmt.Sprint(f.failed)
}

// Broken reports whether err says that the settings cannot be read as a whole.
func Broken(err error) bool {
	var bad *Invalid
	return err != nil && (!errors.As(err, &bad) || bad.Broken)
}

// inForce is err with what counts while the file cannot be read; the caller holds mu. A process that has read good
// settings goes on with them, one that has not starts with the defaults.
func (f *File) inForce(err error) error {
	var bad *Invalid
	if f.good || !errors.As(err, &bad) || !bad.Broken {
		return err
	}
	said := &Invalid{Broken: true, Problems: slices.Clone(bad.Problems)}
	for i := range said.Problems {
		if said.Problems[i].Want == leftAlone {
			said.Problems[i].Want = noneGood
		}
	}
	return said
}

// read returns the file's text; none when there is no file.
func read(path string) ([]byte, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a FIFO must not keep us waiting
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("failed to read the settings: %w", err)
	}
	defer file.Close()
	if is, err := file.Stat(); err != nil || !is.Mode().IsRegular() {
		return nil, whole(path, "this is not a regular file")
	}
	text, err := io.ReadAll(io.LimitReader(file, maxSize+1))
	if err != nil {
		return nil, fmt.Errorf("failed to read the settings: %w", err)
	}
	if len(text) > maxSize {
		return nil, whole(path, "this is larger than 1 MiB")
	}
	return text, nil
}

// whole is a file that is wrong as a whole.
func whole(path, wrong string) error {
	return &Invalid{Broken: true, Problems: []Problem{{Path: path, Wrong: wrong, Want: leftAlone}}}
}

// Update changes the settings in the file: it reads the file anew, lets change work on what it says, and writes back
// the keys that change made different, nothing else; unknown keys, order and layout survive. The write is atomic and
// durable. It fails, and writes nothing, when the file is broken or change made a value wrong (*Invalid).
func (f *File) Update(change func(*Settings)) error {
	return f.rewrite(func(text []byte) ([]byte, error) { return edited(f.path, text, change) })
}

// Unset takes a setting out of the file, so that its default is in force again, as Update writes: nothing else
// changes, but an object that is empty then goes too. It is no error if the setting is not there.
func (f *File) Unset(key string) error {
	return f.rewrite(func(text []byte) ([]byte, error) {
		if old := parse(f.path, text); old.err != nil && old.err.Broken {
			return nil, old.err
		}
		if len(text) == 0 {
			return text, nil
		}
		path := strings.Split(key, ".")
		text = apply(text, edit{path: path}, 0)
		list, _ := members(text)
		for _, m := range list {
			if inner, err := members(m.raw); len(path) > 1 && m.key == path[0] && err == nil && len(inner) == 0 {
				return apply(text, edit{path: path[:1]}, 0), nil
			}
		}
		return text, nil
	})
}

// rewrite writes what change makes of the file's text, and takes it over.
func (f *File) rewrite(change func(text []byte) ([]byte, error)) error {
	target, err := follow(f.path)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
		return fmt.Errorf("failed to create the settings' directory: %w", err)
	}
	unlock, err := lock(filepath.Dir(target))
	if err != nil {
		return err
	}
	defer unlock()
	text, err := read(target)
	if err != nil {
		return err
	}
	next, err := change(text)
	if err != nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.inForce(err)
	}
	if !slices.Equal(next, text) {
		if err := replace(target, next); err != nil {
			return err
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.take(next, nil)
	return nil
}

// edited is the text after the change.
func edited(path string, text []byte, change func(*Settings)) ([]byte, error) {
	old := parse(path, text)
	if old.err != nil && old.err.Broken {
		return nil, old.err
	}
	settings := old.settings.Clone()
	change(&settings)
	if err := check(path, settings); err != nil {
		return nil, err
	}
	edits := difference(nil, encode(old.settings), encode(settings))
	if len(edits) > 0 && len(text) == 0 {
		text = []byte("{}\n")
	}
	for _, e := range edits {
		text = apply(text, e, 0)
	}
	return text, nil
}

// check holds settings against the same table the file is held against.
func check(path string, s Settings) error {
	if len(s.Widen) > 0 && (s.Widen[0] != '{' || !valid(s.Widen)) {
		return &Invalid{Problems: []Problem{{Path: path, Key: "widen", Wrong: brief(s.Widen), Want: "an object"}}}
	}
	if found := parse(path, encode(s)); found.err != nil {
		for i := range found.err.Problems {
			found.err.Problems[i].Line = 0 // of a text nobody sees
		}
		return found.err
	}
	return nil
}

// follow returns the file that a chain of symbolic links ends at, whether it exists or not: dotfile managers keep the
// real one elsewhere, and a rename over the link would part the two.
func follow(path string) (string, error) {
	for range maxLinks {
		to, err := os.Readlink(path)
		if err != nil {
			return path, nil // not a link, or nothing there yet
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return "", fmt.Errorf("failed to find the settings: too many links at %q", path)
}
