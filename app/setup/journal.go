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

// doneStep records one change that set-up made for an agent: an edited file, or a command of the agent's own that was
// run. Steps are undone in the opposite order.
type doneStep struct {
	Agent   string   `json:"agent"`
	Path    string   `json:"path"`             // the file that the step changed
	Existed bool     `json:"existed"`          // whether the file existed before
	Made    string   `json:"made,omitempty"`   // the topmost directory that was made for the file
	Before  string   `json:"before"`           // the hash of the file's text before,
	After   string   `json:"after"`            // and after; for a command it is empty until the command has ended
	Backup  string   `json:"backup,omitempty"` // the path of a copy of the text before
	Old     string   `json:"old,omitempty"`    // the piece of the text that was replaced,
	New     string   `json:"new,omitempty"`    // and the new piece
	Target  int      `json:"target"`           // the index among the agent's other files; -1: the file of its servers
	Remove  []string `json:"remove,omitempty"` // the agent's own command that undoes the step
}

// Journal remembers what was done for agents so that it can be undone, and keeps copies of the texts before. It is a
// directory of its own that only this person can read. It is not beside the settings files, because some agents load
// every file of a directory.
type Journal struct {
	dir    string
	unlock func()
	done   []doneStep
}

// lockWait limits how long a set-up waits for another one to end.
const lockWait = 10 * time.Second

// BrokenJournal is the error that the record of earlier set-ups cannot be read.
type BrokenJournal struct {
	Path string
	Err  error
}

func (b *BrokenJournal) Error() string {
	return "the record of earlier set-ups cannot be read: " + b.Path + ": " + b.Err.Error()
}

// Unwrap returns what is wrong with the file.
func (b *BrokenJournal) Unwrap() error { return b.Err }

// OpenJournal opens the journal in the state directory, and locks it against other set-ups until Close. It fails with a
// *BrokenJournal if the record cannot be read, and leaves the file as it is.
func OpenJournal(state string) (*Journal, error) {
	j := &Journal{dir: filepath.Join(state, "setup")}
	if err := os.MkdirAll(j.dir, 0o700); err != nil {
		return nil, fmt.Errorf("failed to create the backup directory: %w", err)
	}
	locked, err := whole.Lock(context.Background(), j.dir, lockWait)
	switch {
	case errors.Is(err, whole.ErrLocked):
		return nil, errors.New("another choicetui setup is running; try again when it has finished")
	case err != nil:
		return nil, fmt.Errorf("failed to open the backup directory: %w", err)
	}
	j.unlock = func() { _ = locked.Close() }
	raw, err := os.ReadFile(j.file())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return j, nil
	case err == nil:
		err = json.Unmarshal(raw, &j.done)
	}
	if err != nil {
		j.Close()
		return nil, &BrokenJournal{Path: j.file(), Err: err}
	}
	return j, nil
}

// Close unlocks the journal for other set-ups.
func (j *Journal) Close() { j.unlock() }

// file returns the path of the record.
func (j *Journal) file() string { return filepath.Join(j.dir, "done.json") }

// Dir returns the directory with the copies.
func (j *Journal) Dir() string { return j.dir }

// noteBegin notes a step that is about to change a file, and copies the file's text. remove is the agent's own command
// that undoes the step. It fails with ErrChanged if the file has changed since it was read. at is the step's index.
func (j *Journal) noteBegin(agent string, e Edit, remove []string) (at int, err error) {
	if err := e.File.checkUnchanged(); err != nil {
		return 0, err
	}
	d := doneStep{Agent: agent, Path: e.File.Path, Existed: e.File.Exists, Before: textSum(e.File.Text),
		Target: e.which, Remove: remove}
	if d.Backup, err = j.backUp(agent, e.File); err != nil {
		return 0, err
	}
	if e.After != nil && remove == nil {
		d.After = textSum(e.After)
		d.Old, d.New = changedPart(e.File.Text, e.After)
	}
	j.sweepCopies()
	j.done = append(j.done, d)
	return len(j.done) - 1, j.save()
}

// noteEnd notes the text that the step at an index has left in its file.
func (j *Journal) noteEnd(at int, before, after []byte) error {
	d := &j.done[at]
	d.After = textSum(after)
	d.Old, d.New = changedPart(before, after)
	return j.save()
}

// forgetUndone removes the step at an index, which was undone, from the record. Its copy is kept for KeepsCopies.
func (j *Journal) forgetUndone(i int) error {
	if b := j.done[i].Backup; b != "" {
		_ = os.Chtimes(b, time.Time{}, time.Now())
	}
	return j.forgetStep(i)
}

// forgetNeverDone removes the step at an index, which was not carried out, from the record. It needs no copy.
func (j *Journal) forgetNeverDone(i int) error {
	if b := j.done[i].Backup; b != "" {
		_ = os.Remove(b)
	}
	return j.forgetStep(i)
}

// forgetStep removes the step at an index from the record.
func (j *Journal) forgetStep(i int) error {
	j.done = slices.Delete(j.done, i, i+1)
	j.sweepCopies()
	return j.save()
}

// KeepsCopies is how long a copy is kept after its step was undone.
const KeepsCopies = 30 * 24 * time.Hour

// sweepCopies removes the copies that are older than KeepsCopies and that no step needs.
func (j *Journal) sweepCopies() {
	all, err := os.ReadDir(j.dir)
	if err != nil {
		return
	}
	needed := map[string]bool{j.file(): true}
	for _, d := range j.done {
		needed[d.Backup] = true
	}
	for _, one := range all {
		path := filepath.Join(j.dir, one.Name())
		is, err := one.Info()
		if err == nil && is.Mode().IsRegular() && !needed[path] && time.Since(is.ModTime()) > KeepsCopies {
			_ = os.Remove(path)
		}
	}
}

// save writes the record to the disk.
func (j *Journal) save() error {
	raw, err := json.MarshalIndent(j.done, "", "  ")
	if err != nil {
		return err
	}
	if err := whole.Write(j.file(), ".choicetui-*.tmp", append(raw, '\n')); err != nil {
		return fmt.Errorf("failed to record the change in %s: %w", j.file(), err)
	}
	return nil
}

// backUp copies a file's text into the journal's directory, for this person alone, and returns the path of the copy. A
// missing file has none.
func (j *Journal) backUp(agent string, f File) (string, error) {
	if !f.Exists {
		return "", nil
	}
	kept, err := os.CreateTemp(j.dir, agent+"-*-"+filepath.Base(f.Target)) // 0600
	if err != nil {
		return "", fmt.Errorf("failed to save a backup: %w", err)
	}
	_, err = kept.Write(f.Text)
	err = errors.Join(err, kept.Sync(), kept.Close())
	if err != nil {
		_ = os.Remove(kept.Name())
		return "", fmt.Errorf("failed to save a backup: %w", err)
	}
	return kept.Name(), nil
}

// textSum returns a hash by which texts are compared.
func textSum(text []byte) string {
	s := sha256.Sum256(text)
	return hex.EncodeToString(s[:])
}
