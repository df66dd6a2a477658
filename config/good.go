package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// A process that runs while the file breaks goes on with what it read before. One that starts then has read nothing:
// it takes the copy that the others keep. The copy is never the source of truth while the file can be read.

// LastGood is where a value comes from that the copy has and the file, which is broken, cannot say.
const LastGood Source = "last good"

// What is in force while the file cannot be read; the words end a Problem.
const (
	leftAlone   = "the file is left as it is, and the last good settings stay in force"
	noneGood    = "the file is left as it is, and the defaults are in force: no good settings were ever read here"
	keptInstead = "the file is left as it is, and the last good settings, from %s, are in force"
)

// keeping is a File's copy of the last good text.
type keeping struct {
	path  string    // of the copy; empty: there is none
	write bool      // this process keeps it up to date
	text  []byte    // the last good text; good says whether there is one
	good  bool      // the file was good once in this File's life
	from  time.Time // the copy that is in force instead of the file is of then; zero: it is not
}

// OpenKept is Open with a copy of the last good settings at kept, which is in force where the file is broken when it is
// opened. It writes nothing until Keep or Update.
func OpenKept(path, kept string) *File {
	f := &File{path: path, last: parse(path, nil), kept: keeping{path: kept}}
	f.Reload()
	return f
}

// Keep has the copy follow the file from now on; for processes that write state anyway.
func (f *File) Keep() {
	f.mu.Lock()
	f.kept.write = true
	f.mu.Unlock()
	f.save()
}

// LastGood is when the copy was made that is in force instead of the file; zero: none is.
func (f *File) LastGood() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.kept.from
}

// Broken reports whether err says that the settings cannot be read as a whole.
func Broken(err error) bool {
	var bad *Invalid
	return err != nil && (!errors.As(err, &bad) || bad.Broken)
}

// save writes the copy if it is not what was read last. That it cannot be written is no reason to stop: the file itself
// is there and good.
func (f *File) save() {
	f.mu.Lock()
	k := f.kept
	f.mu.Unlock()
	if k.path == "" || !k.write || !k.good {
		return
	}
	there, err := read(k.path)
	if err == nil && slices.Equal(there, k.text) { // also: neither was ever there
		return
	}
	if os.MkdirAll(filepath.Dir(k.path), 0o700) == nil {
		_ = replace(k.path, k.text)
	}
}

// fallBack takes the copy over, if nothing better was read in this File's life; the caller holds mu.
func (f *File) fallBack() {
	if f.kept.good || f.kept.path == "" || !f.kept.from.IsZero() {
		return
	}
	is, err := os.Stat(f.kept.path)
	if err != nil {
		return
	}
	text, err := read(f.kept.path)
	if err != nil {
		return
	}
	next := parse(f.path, text)
	if next.err != nil && next.err.Broken {
		return
	}
	next.values = slices.DeleteFunc(next.values, func(v Value) bool { return v.From == Unknown })
	for i, v := range next.values {
		if v.From == FromFile {
			next.values[i].From, next.values[i].Line, next.values[i].Column = LastGood, 0, 0
		}
	}
	f.last, f.kept.from = next, is.ModTime()
}

// truly is err with what is really in force instead; the caller holds mu.
func (f *File) truly(err error) error {
	var bad *Invalid
	if f.kept.good || !errors.As(err, &bad) || !bad.Broken {
		return err
	}
	words := noneGood
	if at := f.kept.from; !at.IsZero() {
		words = fmt.Sprintf(keptInstead, at.Local().Format(time.DateTime))
	}
	said := &Invalid{Broken: true, Problems: slices.Clone(bad.Problems)}
	for i := range said.Problems {
		if said.Problems[i].Want == leftAlone {
			said.Problems[i].Want = words
		}
	}
	return said
}
