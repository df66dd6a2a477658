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

// done records one thing that was done for an agent: a file that was edited, or a command of the agent's own that was
// run. They are undone in the opposite order.
type done struct {
	Agent   string   `json:"agent"`
	Path    string   `json:"path"`             // the file that it changed
	Existed bool     `json:"existed"`          // it was there before
	Made    string   `json:"made,omitempty"`   // the topmost directory that was made for it
	Before  string   `json:"before"`           // the sum of its text before,
	After   string   `json:"after"`            // and after; of a command empty until it has ended
	Backup  string   `json:"backup,omitempty"` // the path of a copy of its text before
	Old     string   `json:"old,omitempty"`    // the piece of the text that was replaced,
	New     string   `json:"new,omitempty"`    // and the new piece
	Target  int      `json:"target"`           // the index among the agent's other files; -1: the file of its servers
	Remove  []string `json:"remove,omitempty"` // the agent's own command that removes it again
}

// Journal remembers what was done for agents, so that it can be undone, and keeps the texts as they were before. All of
// it lies in one directory that only this person can read: not beside the files, since some agents load every file of a
// directory.
type Journal struct {
	dir    string
	unlock func()
	done   []done
}

// lockWait limits the wait for another set-up.
const lockWait = 10 * time.Second

// BrokenJournal says that the record of earlier set-ups cannot be read.
type BrokenJournal struct {
	Path string
	Err  error
}

func (b *BrokenJournal) Error() string {
	return "what earlier set-ups did cannot be read: " + b.Path + ": " + b.Err.Error()
}

// Unwrap returns what is wrong with the file.
func (b *BrokenJournal) Unwrap() error { return b.Err }

// OpenJournal opens the journal in the state directory, and keeps other set-ups out until Close. It fails with a
// *BrokenJournal where the file cannot be read, which stays as it is.
func OpenJournal(state string) (*Journal, error) {
	j := &Journal{dir: filepath.Join(state, "setup")}
	if err := os.MkdirAll(j.dir, 0o700); err != nil {
		return nil, fmt.Errorf("failed to make the place for backups: %w", err)
	}
	locked, err := whole.Lock(context.Background(), j.dir, lockWait)
	switch {
	case errors.Is(err, whole.ErrLocked):
		return nil, errors.New("another choicetui setup is at work; try again when it has ended")
	case err != nil:
		return nil, fmt.Errorf("failed to open the place for backups: %w", err)
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

// Close lets other set-ups in.
func (j *Journal) Close() { j.unlock() }

func (j *Journal) file() string { return filepath.Join(j.dir, "done.json") }

// Dir returns the directory of the copies.
func (j *Journal) Dir() string { return j.dir }

// begin notes a step that is about to change a file, with a copy of the file's text. remove is the agent's own command
// that undoes it. It fails if the file has changed since it was read.
func (j *Journal) begin(agent string, e Edit, remove []string) (at int, err error) {
	if err := e.File.unchanged(); err != nil {
		return 0, err
	}
	d := done{Agent: agent, Path: e.File.Path, Existed: e.File.Exists, Before: sum(e.File.Text), Target: e.which,
		Remove: remove}
	if d.Backup, err = j.backup(agent, e.File); err != nil {
		return 0, err
	}
	if e.After != nil && remove == nil {
		d.After = sum(e.After)
		d.Old, d.New = hunk(e.File.Text, e.After)
	}
	j.sweepCopies()
	j.done = append(j.done, d)
	return len(j.done) - 1, j.save()
}

// ended notes the text that the step at an index has made of its file.
func (j *Journal) ended(at int, before, after []byte) error {
	d := &j.done[at]
	d.After = sum(after)
	d.Old, d.New = hunk(before, after)
	return j.save()
}

// forget forgets the step at an index. The copy of a step that is undone stays for KeepsCopies; one that was never done
// needs no copy.
func (j *Journal) forget(i int, undone bool) error {
	switch b := j.done[i].Backup; {
	case b == "":
	case undone:
		_ = os.Chtimes(b, time.Time{}, time.Now())
	default:
		_ = os.Remove(b)
	}
	j.done = slices.Delete(j.done, i, i+1)
	j.sweepCopies()
	return j.save()
}

// KeepsCopies is the time for which a copy stays that is no longer needed to undo anything.
const KeepsCopies = 30 * 24 * time.Hour

// sweepCopies removes copies that nothing needs any more, and that are older than KeepsCopies.
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

func (j *Journal) save() error {
	raw, err := json.MarshalIndent(j.done, "", "  ")
	if err != nil {
		return err
	}
	if err := whole.Write(j.file(), ".choicetui-*.tmp", append(raw, '\n')); err != nil {
		return fmt.Errorf("failed to note what was done, in %s: %w", j.file(), err)
	}
	return nil
}

// backup keeps a file's text, for this person alone.
func (j *Journal) backup(agent string, f File) (string, error) {
	if !f.Exists {
		return "", nil
	}
	kept, err := os.CreateTemp(j.dir, agent+"-*-"+filepath.Base(f.Target)) // 0600
	if err != nil {
		return "", fmt.Errorf("failed to keep a copy of it: %w", err)
	}
	_, err = kept.Write(f.Text)
	err = errors.Join(err, kept.Sync(), kept.Close())
	if err != nil {
		_ = os.Remove(kept.Name())
		return "", fmt.Errorf("failed to keep a copy of it: %w", err)
	}
	return kept.Name(), nil
}

// sum tells texts apart.
func sum(text []byte) string {
	s := sha256.Sum256(text)
	return hex.EncodeToString(s[:])
}
