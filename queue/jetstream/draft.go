package jetstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/choicetui/choicetui/queue"
)

// SaveDraft replaces the draft of one session and instance. The server forgets it after queue.KeptFor.
func (s *Store) SaveDraft(ctx context.Context, v queue.Draft) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := queue.CheckDraftName(v); err != nil {
		return err
	}
	if v.At.IsZero() {
		v.At = time.Now().UTC()
	}
	raw, err := json.Marshal(v)
	if err == nil {
		err = s.saveRaw(ctx, draftKey(v.Session, v.Instance), raw)
	}
	if err != nil {
		return fmt.Errorf("failed to keep the draft of session %q: %w", v.Session, err)
	}
	return nil
}

func (s *Store) saveRaw(ctx context.Context, key string, raw []byte) error {
	c, err := s.link.begin(ctx)
	if err != nil {
		return err
	}
	defer c.cancel()
	if most := c.conn.MaxPayload(); int64(len(raw)+headerRoom) > most {
		return tooLarge(most)
	}
	kv, err := s.bucket(c, draftsStream, true)
	if err != nil {
		return err
	}
	err = s.link.ask(c, "$KV."+kv.Bucket()+"."+key, func(until context.Context) error {
		_, err := kv.Put(until, key, raw)
		return err
	})
	if isGone(err) {
		s.forget()
	}
	return c.explain(err)
}

// Drafts returns a session's drafts, newest first, none older than queue.KeptFor.
func (s *Store) Drafts(ctx context.Context, id string) ([]queue.Draft, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !queue.ValidID(id) {
		return nil, nil
	}
	c, err := s.link.begin(ctx)
	if err != nil {
		return nil, fmt.Errorf("failed to list the drafts: %w", err)
	}
	defer c.cancel()
	kv, err := s.bucket(c, draftsStream, false)
	if errors.Is(err, errAbsent) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	all, err := s.readKeys(c, kv, draftKey(id, "*"))
	if err != nil {
		return nil, fmt.Errorf("failed to list the drafts: %w", c.explain(err))
	}
	var found []queue.Draft
	for _, e := range all {
		if v, ok := decodeDraft(e.Key(), e.Value()); ok {
			found = append(found, v)
		}
	}
	queue.SortDrafts(found)
	return found, nil
}

// DropDraft forgets one instance's draft.
func (s *Store) DropDraft(ctx context.Context, id, instance string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !queue.ValidID(id) || !queue.ValidInstance(instance) {
		return nil
	}
	c, err := s.link.begin(ctx)
	if err != nil {
		return fmt.Errorf("failed to drop the draft of session %q: %w", id, err)
	}
	defer c.cancel()
	kv, err := s.bucket(c, draftsStream, false)
	if errors.Is(err, errAbsent) {
		return nil
	}
	if err == nil {
		err = kv.Purge(c, draftKey(id, instance), jetstream.PurgeTTL(markerKept))
	}
	if err != nil {
		return fmt.Errorf("failed to drop the draft of session %q: %w", id, c.explain(err))
	}
	return nil
}

// decodeDraft reads one draft. ok is false for expired drafts and for foreign keys. Those are skipped: the server drops
// them after a day.
func decodeDraft(key string, raw []byte) (d queue.Draft, ok bool) {
	id, instance, cut := strings.Cut(key, ".")
	d, err := queue.DecodeDraft(raw, id, instance)
	ok = err == nil && cut && queue.CheckDraftName(d) == nil && time.Since(d.At) <= queue.KeptFor
	return d, ok
}

func draftKey(id, instance string) string { return id + "." + instance }
