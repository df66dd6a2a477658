package jetstream

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/choicetui/choicetui/queue"
)

const (
	roomPrefix = "room."
	roomKept   = time.Second // the least that a server can be told
)

// TryRoom reports as an error that the server has no room left. It writes a few bytes that nobody reads, and takes them
// back; if this process dies in between, the server forgets them by itself. Where nothing may be written, or nothing
// was ever kept, it is not known and no error.
func TryRoom(ctx context.Context, s *Store) error {
	c, err := s.link.begin(ctx)
	if err != nil {
		return err
	}
	defer c.cancel()
	kv, err := s.bucket(c, presentShelf, false)
	if errors.Is(err, errAbsent) {
		return nil
	}
	if err != nil {
		return err
	}
	key := roomPrefix + queue.NewToken()
	until, done := s.link.untilRefused(c, "$KV."+kv.Bucket()+"."+roomPrefix)
	revision, err := kv.Create(until, key, nil, jetstream.KeyTTL(roomKept))
	if refused := done(); refused != nil {
		return nil
	}
	if err != nil {
		return c.explain(err)
	}
	_ = kv.Purge(c, key, jetstream.LastRevision(revision), jetstream.PurgeTTL(roomKept)) // else it goes by itself
	return nil
}
