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

// PendingName is the file name of the list of parked questions, which lies beside an interview's file.
const PendingName = "widen-pending.jsonl"

const (
	lockWait = 5 * time.Second // for another interview of the same directory
	mostList = 8 << 20         // bytes
)

// list keeps a question's line in the list of those that the person left to the team: one line each, as the
// widen-pending-entry schema has it. There is a line while the question is parked. Interviews of one directory share
// the list; a line that cannot be read stays as it is, and a list of nothing is no file.
func (r *Interview) list(ctx context.Context, s queue.Session) error {
	if s.Widen == nil {
		return nil
	}
	var line bytes.Buffer
	if s.Outcome == nil && s.Parked() {
		raw, err := json.Marshal(entryOf(s))
		if err == nil {
			err = json.Compact(&line, raw) // the response came as its server wrote it, perhaps over several lines
		}
		if err == nil {
			_, err = widen.ParsePending(line.Bytes())
		}
		if err != nil {
			return nil // no line of that list
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

func entryOf(s queue.Session) widen.PendingEntry {
	e := widen.PendingEntry{SchemaVersion: widen.PendingVersion, DecisionID: s.Widen.Decision,
		MissionSlug: s.Widen.Mission, QuestionID: s.Widen.QuestionID, QuestionText: team.QuestionText(s),
		Response: s.Widen.Response}
	if s.Widen.ParkedAt != nil {
		e.EnteredPendingAt = s.Widen.ParkedAt.UTC()
	}
	return e
}

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
