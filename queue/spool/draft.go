package spool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// SaveDraft replaces the draft of one session and instance. It does not fsync, since every pause in typing saves a
// draft: a draft survives kill -9, but not always a power cut.
func (s *Store) SaveDraft(ctx context.Context, d queue.Draft) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	if err := queue.CheckDraftName(d); err != nil {
		return err
	}
	if d.At.IsZero() {
		d.At = time.Now().UTC()
	}
	raw, err := json.Marshal(d)
	if err == nil && len(raw) > maxFile {
		err = fmt.Errorf("it takes %d bytes", len(raw))
	}
	if err == nil {
		path := s.path(draftsDir, draftName(d.Session, d.Instance))
		err = s.writeInTree(func() error { return s.replaceFile(raw, path) })
	}
	if err != nil {
		return fmt.Errorf("failed to keep the draft of session %q: %w", d.Session, err)
	}
	return nil
}

// Drafts returns a session's drafts, newest first, none older than queue.KeptFor.
func (s *Store) Drafts(ctx context.Context, id string) ([]queue.Draft, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	names, err := readNames(s.path(draftsDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("failed to list the drafts: %w", err)
	}
	var drafts []queue.Draft
	for _, name := range names {
		if of, _, ok := parseDraft(name); !ok || of != id {
			continue
		}
		if d, err := s.readDraft(name); err == nil {
			drafts = append(drafts, d)
		}
	}
	queue.SortDrafts(drafts)
	return drafts, nil
}

// DropDraft removes one instance's draft.
func (s *Store) DropDraft(ctx context.Context, id, instance string) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	if !queue.ValidID(id) || !queue.ValidInstance(instance) {
		return nil
	}
	err := os.Remove(s.path(draftsDir, draftName(id, instance)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("failed to drop the draft of session %q: %w", id, err)
	}
	return nil
}

// readDraft reads one draft. It removes a draft older than queue.KeptFor and fails with fs.ErrNotExist. The error for
// a damaged draft is *queue.Unreadable.
func (s *Store) readDraft(name string) (queue.Draft, error) {
	path := s.path(draftsDir, name)
	raw, err := readFile(path)
	if err != nil {
		return queue.Draft{}, err
	}
	id, instance, _ := parseDraft(name)
	d, err := queue.DecodeDraft(raw, id, instance)
	if err != nil {
		return queue.Draft{}, err
	}
	if time.Since(d.At) > queue.KeptFor {
		_ = os.Remove(path) // the next look tries again
		return queue.Draft{}, fs.ErrNotExist
	}
	return d, nil
}

func draftName(id, instance string) string { return id + "." + instance + ".json" }

// parseDraft splits the name of a draft's file. ok is false for any other name.
func parseDraft(name string) (id, instance string, ok bool) {
	base, isJSON := strings.CutSuffix(name, ".json")
	id, instance, cut := strings.Cut(base, ".")
	return id, instance, isJSON && cut && queue.ValidID(id) && queue.ValidInstance(instance)
}
