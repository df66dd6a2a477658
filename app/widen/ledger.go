package widen

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/choicetui/choicetui/config/whole"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// recordVersion is the version of what the ledger writes. What a newer choicetui wrote is left alone.
const recordVersion = 1

// record holds the facts about a question that goes to the team, from before the first call until the team was told how
// it ended. With it a second try asks about the same decision.
type record struct {
	Schema     int             `json:"schema_version"`
	Place      string          `json:"queue"` // the queue in which the session is
	Session    string          `json:"session_id"`
	Decision   string          `json:"decision_id"`
	Mission    string          `json:"mission_slug"`
	QuestionID string          `json:"question_id"`
	Backend    string          `json:"backend"`
	AskedAt    time.Time       `json:"asked_at"`                          // before the first call
	Called     bool            `json:"called,omitempty"`                  // a call was made, whatever came of it
	Invited    []queue.Member  `json:"invited,omitempty"`                 // by the last call
	Response   json.RawMessage `json:"widen_endpoint_response,omitempty"` // nil: not known whether they were asked
	Pending    string          `json:"pending_file,omitempty"`            // the list that it is on
	Tries      int             `json:"tries,omitempty"`                   // to tell the team how it ended
	NextAt     time.Time       `json:"next_at,omitzero"`                  // not before then again
}

// thread returns the team's thread about the record's decision.
func (r record) thread() Thread {
	return Thread{Decision: r.Decision, URL: widen.ResponseThread(r.Response), Response: r.Response}
}

// ledger is a folder with a file for each record, for this person alone. Records of other queues are ignored.
type ledger struct{ folder, place string }

func (l ledger) path(decision string) string { return filepath.Join(l.folder, decision+".json") }

// open makes the folder if it is missing.
func (l ledger) open() error {
	if err := os.MkdirAll(l.folder, 0o700); err != nil {
		return fmt.Errorf("failed to keep what goes to the team: %w", err)
	}
	return nil
}

// records reads all of this queue's. What cannot be read is left as it is, and named in broken.
func (l ledger) records() (all []record, broken []error) {
	files, err := os.ReadDir(l.folder)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, []error{fmt.Errorf("failed to read what goes to the team: %w", err)}
	}
	for _, f := range files {
		decision, is := strings.CutSuffix(f.Name(), ".json")
		if !is || !widen.IsDecision(decision) {
			continue
		}
		r, err := l.read(decision)
		switch {
		case err != nil:
			broken = append(broken, err)
		case r.Place == l.place && r.Schema <= recordVersion && r.Decision == decision:
			all = append(all, r)
		}
	}
	return all, broken
}

func (l ledger) read(decision string) (r record, err error) {
	raw, err := readKept(l.path(decision))
	if err != nil || len(raw) == 0 {
		return record{}, err
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return record{}, fmt.Errorf("failed to read %q: %w", l.path(decision), err)
	}
	return r, nil
}

// of finds the record of a session; false: there is no record.
func (l ledger) of(session string) (record, bool) {
	all, _ := l.records()
	for _, r := range all {
		if r.Session == session {
			return r, true
		}
	}
	return record{}, false
}

// begin returns the record of a question that is about to go to the team: the one of an earlier try, or a new one.
func (l ledger) begin(s queue.Session, c Call, backend string, now time.Time) (record, error) {
	if r, again := l.of(s.ID); again {
		return r, nil
	}
	r := record{Schema: recordVersion, Place: l.place, Session: s.ID, Decision: widen.NewDecision(now),
		Mission: c.Mission, QuestionID: c.QuestionID, Backend: backend, AskedAt: now.UTC()}
	return r, l.save(r)
}

// save keeps a record; it is durable.
func (l ledger) save(r record) error {
	raw, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("failed to keep a decision: %w", err)
	}
	return writeKept(l.path(r.Decision), append(raw, '\n'))
}

// drop forgets a record whose team was told.
func (l ledger) drop(r record) error { return dropKept(l.path(r.Decision)) }

// hold keeps other processes from working on the same session. It fails with whole.ErrLocked.
func (l ledger) hold(ctx context.Context, session string, within time.Duration) (release func(), err error) {
	if !queue.ValidID(session) {
		return nil, queue.ErrNotFound // it would become a file's name
	}
	if err := l.open(); err != nil {
		return nil, err
	}
	return lockFile(ctx, filepath.Join(l.folder, session+".lock"), within)
}

// holdCourier lets one process at a time tell teams how it ended. It fails with whole.ErrLocked.
func (l ledger) holdCourier(ctx context.Context, within time.Duration) (release func(), err error) {
	if err := l.open(); err != nil {
		return nil, err
	}
	return lockFile(ctx, filepath.Join(l.folder, "courier.lock"), within)
}

// Files on disk are written whole, for this person alone, and changed by one process at a time.

// mostKept limits the size of a file of ours that is read.
const mostKept = 8 << 20

// errTooLong says that a file is longer than anything that was written into it.
var errTooLong = errors.New("the file is too long")

// readKept reads a file whole. A missing file is empty.
func readKept(path string) ([]byte, error) {
	is, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("failed to look at %q: %w", path, err)
	case is.Size() > mostKept:
		return nil, fmt.Errorf("failed to read %q: %w", path, errTooLong)
	}
	raw, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("failed to read %q: %w", path, err)
	}
	return raw, nil
}

// writeKept puts a text in the file's place, whole or not at all, also when the power fails.
func writeKept(path string, text []byte) error {
	if err := whole.Write(path, ".widen-*.tmp", text); err != nil {
		return fmt.Errorf("failed to write %q: %w", path, err)
	}
	return syncFolder(filepath.Dir(path))
}

// dropKept removes a file that may be gone already.
func dropKept(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("failed to remove %q: %w", path, err)
	}
	return syncFolder(filepath.Dir(path))
}

func syncFolder(folder string) error {
	if err := whole.SyncDir(folder); err != nil {
		return fmt.Errorf("failed to sync %q: %w", folder, err)
	}
	return nil
}

// lockAt locks a file or a folder, which is there, for at most so long. It fails with whole.ErrLocked or ctx's error.
func lockAt(ctx context.Context, path string, within time.Duration) (unlock func(), err error) {
	file, err := lockOpen(ctx, path, within)
	if err != nil {
		return nil, err
	}
	return func() { _ = file.Close() }, nil
}

// lockFile locks as lockAt does, but a file that is made for that, and gone when it is unlocked.
func lockFile(ctx context.Context, path string, within time.Duration) (unlock func(), err error) {
	for {
		made, err := os.OpenFile(path, os.O_CREATE|os.O_RDONLY, 0o600)
		if err != nil {
			return nil, fmt.Errorf("failed to lock %q: %w", path, err)
		}
		_ = made.Close()
		file, err := lockOpen(ctx, path, within)
		if errors.Is(err, os.ErrNotExist) {
			continue // whoever had it was just done
		} else if err != nil {
			return nil, err
		}
		if isAt(path, file) {
			return func() { _ = os.Remove(path); _ = file.Close() }, nil
		}
		_ = file.Close() // of a file that is gone by now, which the next one does not see
	}
}

// isAt reports whether an open file still is the one at the path.
func isAt(path string, file *os.File) bool {
	is, err := os.Stat(path)
	if err != nil {
		return false
	}
	open, err := file.Stat()
	return err == nil && os.SameFile(is, open)
}

func lockOpen(ctx context.Context, path string, within time.Duration) (*os.File, error) {
	file, err := whole.Lock(ctx, path, within)
	if err != nil {
		return nil, fmt.Errorf("failed to lock %q: %w", path, err)
	}
	return file, nil
}
