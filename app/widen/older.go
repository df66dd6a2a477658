package widen

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/config/whole"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// Older versions of this program keep a file for each decision beside the queue, from before the first call to the team
// until the team was told. takeRecords moves the content of such a file into the session and removes the file. If an
// older version has archived a session before its team was told, nothing can be written into the session any more. Then
// a draft of the session records that the team was told.

// record holds the fields of such a file that are used.
type record struct {
	Schema     int             `json:"schema_version"`
	Place      string          `json:"queue"`
	Session    string          `json:"session_id"`
	Decision   string          `json:"decision_id"`
	Mission    string          `json:"mission_slug"`
	QuestionID string          `json:"question_id"`
	Backend    string          `json:"backend"`
	Called     bool            `json:"called"`                  // a call was made, successful or not
	Invited    []queue.Member  `json:"invited"`                 // the people whom the last call asked
	Response   json.RawMessage `json:"widen_endpoint_response"` // nil: nobody knows whether they were asked
}

// recordVersion is the version of these files. Records of a newer version are left alone.
const recordVersion = 1

// takeRecords moves the records of older versions about this queue into its sessions. It returns the closed sessions
// whose team must still be told, and the ids of the sessions whose records stay for now, because an older version is
// working on them or the queue failed. Records that cannot be read stay too.
func (o Options) takeRecords(ctx context.Context) (closed []queue.Session, stay []string, err error) {
	files, err := os.ReadDir(o.Dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil, nil
	} else if err != nil {
		return nil, nil, fmt.Errorf("failed to read what goes to the team: %w", err)
	}
	for _, f := range files {
		path := filepath.Join(o.Dir, f.Name())
		decision, is := strings.CutSuffix(f.Name(), ".json")
		if !is || !widen.IsDecision(decision) {
			continue
		}
		r, failed := readRecord(path)
		if failed != nil {
			err = failed
			continue
		}
		if r.Place != o.Place || r.Schema > recordVersion || r.Decision != decision || !queue.ValidID(r.Session) {
			continue
		}
		free := []func(){}
		for _, lock := range []string{"courier.lock", r.Session + ".lock"} {
			if release, held := lockOlder(ctx, filepath.Join(o.Dir, lock)); held {
				free = append(free, release)
			}
		}
		if len(free) < 2 {
			stay = append(stay, r.Session)
		} else if untold, failed := o.takeRecord(ctx, r); failed != nil {
			stay, err = append(stay, r.Session), failed
		} else {
			closed = append(closed, untold...)
		}
		for _, release := range free {
			release()
		}
	}
	_ = os.Remove(o.Dir) // succeeds only if the directory is empty
	return closed, stay, err
}

// readRecord reads the file of one decision. The record is empty if the file does not exist any more.
func readRecord(path string) (r record, err error) {
	raw, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) { // another process took it
		return r, nil
	} else if err == nil {
		err = json.Unmarshal(whole.WithoutMark(raw), &r)
	}
	if err != nil {
		return r, fmt.Errorf("failed to read %q: %w", path, err)
	}
	return r, nil
}

// lockOlder takes a lock file of an older version, which creates the file for the lock and removes it afterwards. held
// is false if an older version holds the lock.
func lockOlder(ctx context.Context, path string) (release func(), held bool) {
	file, err := whole.Lock(ctx, path, 0)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return func() {}, true
	case err != nil:
		return nil, false
	}
	return func() { _ = os.Remove(path); _ = file.Close() }, true
}

// takeRecord moves one record into its session and removes the file. If nothing can be written into the session any
// more, takeRecord returns the session as it would be with the record, and the file stays until the team was told.
func (o Options) takeRecord(ctx context.Context, r record) (untold []queue.Session, err error) {
	s, err := o.Queue.Store.Get(ctx, r.Session)
	switch now := o.Queue.Now(); {
	case errors.Is(err, queue.ErrNotFound):
		s = queue.Session{ID: r.Session}.Lost(now)
	case err != nil:
		return nil, fmt.Errorf("failed to read the question %s: %w", r.Session, err)
	default:
		s = s.At(now)
	}
	if _, taken := s.TeamAsked(); !r.Called || taken {
		return nil, o.dropRecord(r.Decision)
	}
	asked := queue.Widened{Decision: r.Decision, Mission: r.Mission, QuestionID: r.QuestionID, Team: r.Invited,
		ThreadURL: widen.ResponseThread(r.Response), Response: r.Response}
	if s.Final || s.Outcome != nil && s.Widen == nil {
		s.Events = append(slices.Clip(s.Events),
			queue.Event{Kind: queue.EventTeamCalled, Detail: r.Backend + " " + r.Decision})
		s.Widen = &asked
		return []queue.Session{s}, nil
	}
	actions := []queue.Action{queue.CallTeam{Decision: r.Decision, Backend: r.Backend}}
	if len(r.Response) > 0 && s.Widen == nil {
		actions = append(actions, queue.Widen{Widened: asked})
	}
	for _, do := range actions {
		c := queue.Command{By: queue.ByHuman, Person: o.Queue.Person, Do: do} // only a person asks the team
		if _, err := o.Queue.Do(ctx, r.Session, c); err != nil {
			return nil, fmt.Errorf("failed to take over the question %s: %w", r.Session, err)
		}
	}
	return nil, o.dropRecord(r.Decision)
}

// tellerName is the instance of the draft which says that the team of a closed session was told.
const tellerName = "team-told"

// toldClosed reports whether a process has told the team of a closed session.
func (o Options) toldClosed(ctx context.Context, id string) (bool, error) {
	drafts, err := o.Queue.Store.Drafts(ctx, id)
	return slices.ContainsFunc(drafts, func(d queue.Draft) bool { return d.Instance == tellerName }), err
}

// keepTold notes that the team of a closed session was told, and removes the record of an older version about it.
func (o Options) keepTold(ctx context.Context, s queue.Session) error {
	asked, _ := s.TeamAsked()
	return errors.Join(o.dropRecord(asked.Decision),
		o.Queue.Store.SaveDraft(ctx, queue.Draft{Session: s.ID, Instance: tellerName}))
}

// dropRecord removes the record of a decision, if there is one.
func (o Options) dropRecord(decision string) error {
	path := filepath.Join(o.Dir, decision+".json")
	if err := os.Remove(path); errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return fmt.Errorf("failed to remove %q: %w", path, err)
	}
	return whole.SyncDir(o.Dir) // its error names the directory
}
