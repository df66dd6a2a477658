package interview

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	team "github.com/choicetui/choicetui/app/widen"
	"github.com/choicetui/choicetui/config/whole"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// PendingName is the name of the file that lists the parked questions. It is in the directory of the interview's file.
const PendingName = "widen-pending.jsonl"

const (
	lockWait = 5 * time.Second // limits the wait for another interview of the same directory
	mostList = 8 << 20         // limits the bytes of the list
)

// updatePending adds a question's line to the list of parked questions while the question is parked, and removes it
// otherwise. A line has the format of the schema widen-pending-entry. All interviews of a directory share the list.
// Lines that cannot be read stay unchanged. An empty list is removed.
func (r *Interview) updatePending(ctx context.Context, s queue.Session) error {
	if s.Widen == nil {
		return nil
	}
	var line bytes.Buffer
	if s.Outcome == nil && s.Parked() {
		raw, err := json.Marshal(entryOf(s))
		if err == nil {
			err = json.Compact(&line, raw) // the server's response may have several lines
		}
		if err == nil {
			_, err = widen.ParsePending(line.Bytes())
		}
		if err != nil {
			return nil // the entry does not fit the schema, so it is left out
		}
		line.WriteByte('\n')
	}
	dir := filepath.Dir(r.o.File.Path)
	path := filepath.Join(dir, PendingName)
	lock, err := whole.Lock(ctx, dir, lockWait)
	if err != nil {
		return fmt.Errorf("failed to lock %q: %w", dir, err)
	}
	defer lock.Close()
	old, err := readList(path)
	if err != nil {
		return err
	}
	var kept []byte
	for l := range bytes.Lines(old) {
		if e, err := widen.ParsePending(l); err == nil && e.DecisionID == s.Widen.Decision {
			continue
		}
		kept = append(append(kept, bytes.TrimRight(l, "\r\n")...), '\n')
	}
	kept = append(kept, line.Bytes()...)
	switch {
	case bytes.Equal(kept, old):
		return nil
	case len(kept) > 0:
		return writeFile(path, kept)
	}
	return os.Remove(path)
}

// entryOf returns the line of a parked question.
func entryOf(s queue.Session) widen.PendingEntry {
	e := widen.PendingEntry{SchemaVersion: widen.PendingVersion, DecisionID: s.Widen.Decision,
		MissionSlug: s.Widen.Mission, QuestionID: s.Widen.QuestionID, QuestionText: team.QuestionText(s),
		Response: s.Widen.Response}
	if s.Widen.ParkedAt != nil {
		e.EnteredPendingAt = s.Widen.ParkedAt.UTC()
	}
	return e
}

// readList reads the list; a missing file is an empty list.
func readList(path string) ([]byte, error) {
	is, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err == nil && is.Size() > mostList:
		return nil, fmt.Errorf("failed to read %s: it is too long", path)
	case err != nil:
		return nil, err
	}
	return os.ReadFile(path)
}
