package setup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/choicetui/choicetui/config/whole"
)

// backup describes a file that set-up has written, and the copy of its text before. It has one copy for each file: a
// later set-up takes a new one only if somebody else has written the file meanwhile.
type backup struct {
	Path    string `json:"path"`
	Existed bool   `json:"existed"`          // whether the file existed before
	Made    string `json:"made,omitempty"`   // the topmost directory that was made for the file
	Before  string `json:"before"`           // the hash of the text in the copy
	After   string `json:"after"`            // the hash of the text that set-up wrote; empty: it is not known
	Copy    string `json:"backup,omitempty"` // the path of the copy; empty: there was no file
}

// Backups keeps the copies, and the list of them. It is a directory of its own that only this person can read. It is
// not beside the settings files, because some agents load every file of a directory.
type Backups struct {
	dir    string
	unlock func()
	all    []backup
}

// lockWait limits how long a set-up waits for another one to end.
const lockWait = 10 * time.Second

// BrokenList is the error that the list of the copies cannot be read.
type BrokenList struct {
	Path string
	Err  error
}

func (b *BrokenList) Error() string {
	return "the record of earlier set-ups cannot be read: " + b.Path + ": " + b.Err.Error()
}

// Unwrap returns what is wrong with the file.
func (b *BrokenList) Unwrap() error { return b.Err }

// OpenBackups opens the copies in the state directory, and locks them against other set-ups until Close. It fails with
// a *BrokenList if the list cannot be read, and leaves the file as it is.
func OpenBackups(state string) (*Backups, error) {
	b := &Backups{dir: filepath.Join(state, "setup")}
	if err := os.MkdirAll(b.dir, 0o700); err != nil {
		return nil, fmt.Errorf("failed to create the backup directory: %w", err)
	}
	locked, err := whole.Lock(context.Background(), b.dir, lockWait)
	switch {
	case errors.Is(err, whole.ErrLocked):
		return nil, errors.New("another choicetui setup is running; try again when it has finished")
	case err != nil:
		return nil, fmt.Errorf("failed to open the backup directory: %w", err)
	}
	b.unlock = func() { _ = locked.Close() }
	raw, err := os.ReadFile(b.list())
	var all []backup
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return b, nil
	case err == nil:
		err = json.Unmarshal(raw, &all)
	}
	if err != nil {
		b.Close()
		return nil, &BrokenList{Path: b.list(), Err: err}
	}
	for _, one := range all {
		b.add(one)
	}
	return b, nil
}

// Close unlocks the copies for other set-ups.
func (b *Backups) Close() { b.unlock() }

// list returns the path of the list.
func (b *Backups) list() string { return filepath.Join(b.dir, "done.json") }

// Dir returns the directory with the copies.
func (b *Backups) Dir() string { return b.dir }

// of returns the backup of a file; a zero backup: set-up has not written the file.
func (b *Backups) of(path string) backup {
	for _, one := range b.all {
		if one.Path == path {
			return one
		}
	}
	return backup{}
}

// add adds a write to the list. The copy of an earlier write stays, if nobody else has written the file since.
func (b *Backups) add(next backup) {
	at := slices.IndexFunc(b.all, func(one backup) bool { return one.Path == next.Path })
	if at < 0 {
		b.all = append(b.all, next)
		return
	}
	one := &b.all[at]
	if one.After != next.Before {
		one.Copy, one.Before, one.Existed = next.Copy, next.Before, one.Existed && next.Existed
	}
	if one.After = next.After; next.Made != "" {
		one.Made = next.Made
	}
}

// keep copies the text of a file that is about to be written, and notes the new text; nil: it is not known yet. The
// copy's name begins with name. It fails with ErrChanged if the file has changed since it was read. forget takes the
// note back if the file is not written after all.
func (b *Backups) keep(name string, f File, after []byte) (forget func(), err error) {
	if err := f.checkUnchanged(); err != nil {
		return nil, err
	}
	old := slices.Clone(b.all)
	next := backup{Path: f.Path, Existed: f.Exists, Before: textSum(f.Text)}
	if after != nil {
		next.After = textSum(after)
	}
	if f.Exists && b.of(f.Path).After != next.Before {
		if next.Copy, err = b.copyText(name, f); err != nil {
			return nil, err
		}
	}
	b.sweepCopies()
	b.add(next)
	return func() {
		_ = os.Remove(next.Copy)
		b.all = old
		_ = b.save()
	}, b.save()
}

// wrote notes the text that a file has after it was written, and the topmost directory that was made for it.
func (b *Backups) wrote(path string, text []byte, made string) error {
	b.add(backup{Path: path, Existed: true, Before: b.of(path).After, After: textSum(text), Made: made})
	return b.save()
}

// restored removes a file from the list, because it has its old text again. Its copy is kept for KeepsCopies.
func (b *Backups) restored(path string) error {
	if one := b.of(path); one.Copy != "" {
		_ = os.Chtimes(one.Copy, time.Time{}, time.Now())
	}
	b.all = slices.DeleteFunc(b.all, func(one backup) bool { return one.Path == path })
	b.sweepCopies()
	return b.save()
}

// KeepsCopies is how long a copy is kept after set-up has no use for it any more.
const KeepsCopies = 30 * 24 * time.Hour

// sweepCopies removes the copies that are older than KeepsCopies and belong to no file in the list.
func (b *Backups) sweepCopies() {
	files, err := os.ReadDir(b.dir)
	if err != nil {
		return
	}
	needed := map[string]bool{b.list(): true}
	for _, one := range b.all {
		needed[one.Copy] = true
	}
	for _, file := range files {
		path := filepath.Join(b.dir, file.Name())
		is, err := file.Info()
		if err == nil && is.Mode().IsRegular() && !needed[path] && time.Since(is.ModTime()) > KeepsCopies {
			_ = os.Remove(path)
		}
	}
}

// save writes the list to the disk.
func (b *Backups) save() error {
	raw, err := json.MarshalIndent(b.all, "", "  ")
	if err != nil {
		return err
	}
	if err := whole.Write(b.list(), ".choicetui-*.tmp", append(raw, '\n')); err != nil {
		return fmt.Errorf("failed to record the change in %s: %w", b.list(), err)
	}
	return nil
}

// copyText copies a file's text into the directory, for this person alone, and returns the path of the copy.
func (b *Backups) copyText(name string, f File) (string, error) {
	kept, err := os.CreateTemp(b.dir, name+"-*-"+filepath.Base(f.Target)) // 0600
	if err != nil {
		return "", fmt.Errorf("failed to save a backup: %w", err)
	}
	_, err = kept.Write(f.Text)
	if err = errors.Join(err, kept.Sync(), kept.Close()); err != nil {
		_ = os.Remove(kept.Name())
		return "", fmt.Errorf("failed to save a backup: %w", err)
	}
	return kept.Name(), nil
}

// text returns the text of the copy. found is false if there is none, or if somebody has changed it.
func (one backup) text() (text []byte, found bool) {
	text, err := os.ReadFile(one.Copy)
	return text, err == nil && textSum(text) == one.Before
}

// textSum returns a hash by which texts are compared.
func textSum(text []byte) string {
	s := sha256.Sum256(text)
	return hex.EncodeToString(s[:])
}
