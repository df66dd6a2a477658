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

// What is in force while the file cannot be read; the words end a Problem.
const (
	leftAlone   = "using the last good settings, your file is untouched"
	noneGood    = "using defaults, your file is untouched"
	butTheQueue = "using defaults, but for the queue, your file is untouched"
)

// File is the settings file as last read. Its methods may be called from any goroutine.
type File struct {
	path string

	mu    sync.Mutex
	last  reading  // the last good one; before that, of no file
	wrong *Invalid // what the last reading met; nil: nothing
	good  bool     // the file could be read once in this File's life
	seen  stamp    // of the file that Refresh read
}

// Open reads the settings. It always gives a File: a missing or empty file means the defaults, what is wrong with any
// other is in Err.
func Open(path string) *File {
	f := &File{path: path, last: parse(path, nil)}
	f.Reload()
	return f
}

// Path is the file's place.
func (f *File) Path() string { return f.path }

// Settings are the values in force: the file's, and the defaults where it has none or a wrong one; of a file that
// cannot be read, those that this process read before it became so.
func (f *File) Settings() Settings {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.last.settings.Clone()
}

// Err says what is wrong with the file, as an *Invalid with line and column; nil: nothing.
func (f *File) Err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.wrong.asError()
}

// Effective lists every setting with its value in force and where that comes from, and the file's unknown keys.
func (f *File) Effective() []Value {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.last.values()
}

// Refresh is Reload for a file that is not the one it read the last time; it costs a look at the file's name. Watch
// does not call for a change that was found here.
func (f *File) Refresh() (changed bool) {
	now := stampOf(f.path)
	f.mu.Lock()
	same := now.same(f.seen)
	f.seen = now
	f.mu.Unlock()
	return !same && f.Reload()
}

// Reload reads the file again and reports whether the settings, or what is wrong with them, changed.
func (f *File) Reload() (changed bool) {
	return f.take(load(f.path, f.path))
}

// take makes what was read the state.
func (f *File) take(next reading) (changed bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	was, before := f.last.settings, f.wrong
	if !next.wrong.broken() {
		f.last, f.good = next, true
	}
	f.wrong = f.inForce(next.wrong)
	return !reflect.DeepEqual(was, f.last.settings) || !f.wrong.same(before)
}

// inForce ends the words about a broken file with what counts meanwhile; the caller holds mu. A process that has read
// good settings goes on with them, one that has not starts with the defaults.
func (f *File) inForce(wrong *Invalid) *Invalid {
	if !wrong.broken() {
		return wrong
	}
	p := wrong.Problems[0]
	if f.good {
		p.Want = leftAlone
		return unusable(p)
	}
	if p.Want = noneGood; len(wrong.left) > 0 {
		p.Want = butTheQueue
	}
	now := unusable(p)
	now.left = wrong.left
	return now
}

// load reads the file at target; what is wrong with it is said of path, which may be a link to it.
func load(path, target string) reading {
	text, err := read(target)
	if err != nil {
		return reading{wrong: unusable(Problem{Path: path, Wrong: err.Error()})}
	}
	return parse(path, text)
}

// read returns the file's text; none when there is no file.
func read(path string) ([]byte, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a FIFO must not keep us waiting
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
	return text, nil
}

func unreadable(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err // whoever says it names the path
	}
	return fmt.Errorf("this cannot be read: %w", err)
}

// Update changes the settings in the file: it reads the file anew, lets change work on what it says, and writes back
// the keys that change made different, nothing else; unknown keys, order and layout survive. The write is atomic and
// durable. It fails, and writes nothing, when the file is broken or change made a value wrong (*Invalid).
func (f *File) Update(change func(*Settings)) error {
	return f.rewrite(func(old reading) ([]byte, *Invalid) {
		settings := old.settings.Clone()
		change(&settings)
		if wrong := check(f.path, settings); wrong != nil {
			return nil, wrong
		}
		text := old.text
		for _, e := range edits(&old.settings, &settings) {
			text = apply(text, e, 0)
		}
		return text, nil
	})
}

// Unset takes a setting out of the file, so that its default is in force again, as Update writes: nothing else
// changes, but an object that is empty then goes too. It is no error if the setting is not there.
func (f *File) Unset(key string) error {
	return f.rewrite(func(old reading) ([]byte, *Invalid) {
		row, name, known := rowOf(key)
		if !known || len(old.text) == 0 {
			return old.text, nil
		}
		path := row.path(name)
		text := apply(old.text, edit{path: path}, 0)
		list, _ := members(text)
		if at := find(list, path[0]); at >= 0 && len(path) > 1 {
			if inner, object := members(list[at].raw); object && len(inner) == 0 {
				text = apply(text, edit{path: path[:1]}, 0)
			}
		}
		return text, nil
	})
}

// rewrite writes what change makes of the file, which is not broken then, and takes it over.
func (f *File) rewrite(change func(old reading) ([]byte, *Invalid)) error {
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
	old := load(f.path, target)
	next, wrong := old.text, old.wrong
	if !old.wrong.broken() {
		next, wrong = change(old)
	}
	if wrong != nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.inForce(wrong)
	}
	if !slices.Equal(next, old.text) {
		if err := replace(target, next); err != nil {
			return err
		}
	}
	f.take(parse(f.path, next))
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
