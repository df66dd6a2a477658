package widen

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/widen"
)

// PendingName is the file name of the list of parked questions, wherever it is.
const PendingName = "widen-pending.jsonl"

// lockWait is the time for which a change of ours waits for another process's.
const lockWait = 5 * time.Second

// PendingFile is the list of questions that went to the team and that the person went on from: one line each, as the
// widen-pending-entry schema has it. Several processes may change it; a line that cannot be read stays as it is.
type PendingFile struct{ Path string }

// List reads the list, in its order. broken says which lines are wrong, or that the file is.
func (p PendingFile) List() (entries []widen.PendingEntry, broken []error) {
	raw, err := readKept(p.Path)
	if err != nil {
		return nil, []error{err}
	}
	for n, line := range bytes.Split(raw, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		e, err := widen.ParsePending(line)
		if err != nil {
			broken = append(broken, &Failure{Words: say.PendingBroken(p.Path, n+1, err), Err: err})
			continue
		}
		entries = append(entries, e)
	}
	return entries, broken
}

// Add puts a question on the list, or in the place of what is there about the same decision. It is durable.
func (p PendingFile) Add(ctx context.Context, e widen.PendingEntry) error {
	if problems := e.Check(); len(problems) > 0 {
		return fmt.Errorf("failed to park a question: %s", problems[0])
	}
	var line bytes.Buffer
	raw, err := json.Marshal(e)
	if err == nil {
		err = json.Compact(&line, raw) // the response came as its server wrote it, perhaps over several lines
	}
	if err != nil {
		return fmt.Errorf("failed to park a question: %w", err)
	}
	return p.rewrite(ctx, e.DecisionID, append(line.Bytes(), '\n'))
}

// Remove takes a decision off the list; it is no error if it is not there.
func (p PendingFile) Remove(ctx context.Context, decision string) error {
	return p.rewrite(ctx, decision, nil)
}

// rewrite leaves out what is there about a decision, and ends with the line. A list of nothing is no file.
func (p PendingFile) rewrite(ctx context.Context, decision string, line []byte) error {
	unlock, err := lockAt(ctx, filepath.Dir(p.Path), lockWait)
	if err != nil {
		return err
	}
	defer unlock()
	raw, err := readKept(p.Path)
	if err != nil {
		return err
	}
	var kept []byte
	for old := range bytes.Lines(raw) {
		if e, err := widen.ParsePending(old); err == nil && e.DecisionID == decision {
			continue
		}
		kept = append(kept, bytes.TrimRight(old, "\r\n")...)
		kept = append(kept, '\n')
	}
	kept = append(kept, line...)
	switch {
	case bytes.Equal(kept, raw):
		return nil
	case len(kept) == 0:
		return dropKept(p.Path)
	}
	return writeKept(p.Path, kept)
}

// removeIfThere takes a decision off a list whose folder may be gone, as with an interview that was thrown away.
func (p PendingFile) removeIfThere(ctx context.Context, decision string) error {
	if _, err := os.Stat(p.Path); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return p.Remove(ctx, decision)
}
