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

// lockWait limits the wait for another interview of the same directory.
const lockWait = 5 * time.Second

// updatePending adds a question's line to the list of parked questions while the question is parked, and removes it
// otherwise. A line has the format of the schema widen-pending-entry. All interviews of a directory share the list.
// Lines that cannot be read stay unchanged. An empty list is removed.
func (r *Interview) updatePending(ctx context.Context, s queue.Session) error {
	if s.Widen == nil {
		return nil
	}
	var line []byte
	if s.Outcome == nil && s.Parked() {
		entry := widen.PendingEntry{SchemaVersion: widen.PendingVersion, DecisionID: s.Widen.Decision,
			MissionSlug: s.Widen.Mission, QuestionID: s.Widen.QuestionID, QuestionText: team.QuestionText(s),
			Response: s.Widen.Response}
		if s.Widen.ParkedAt != nil {
			entry.EnteredPendingAt = s.Widen.ParkedAt.UTC()
		}
		raw, err := json.Marshal(entry)
		if err == nil {
			_, err = widen.ParsePending(raw)
		}
		if err != nil {
			return nil // the entry does not fit the schema, so it is left out
		}
		line = append(raw, '\n')
	}
	dir := filepath.Dir(r.o.File.Path)
	path := filepath.Join(dir, PendingName)
	lock, err := whole.Lock(ctx, dir, lockWait)
	if err != nil {
		return fmt.Errorf("failed to lock %q: %w", dir, err)
	}
	defer lock.Close()
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var kept []byte
	for l := range bytes.Lines(whole.WithoutMark(old)) {
		if e, err := widen.ParsePending(l); err == nil && e.DecisionID == s.Widen.Decision {
			continue
		}
		kept = append(append(kept, bytes.TrimRight(l, "\r\n")...), '\n')
	}
	kept = append(kept, line...)
	switch {
	case bytes.Equal(kept, old):
		return nil
	case len(kept) > 0:
		return writeFile(path, kept)
	}
	return os.Remove(path)
}
