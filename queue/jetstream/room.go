package jetstream

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/choicetui/choicetui/queue"
)

const (
	roomPrefix = "room-"     // no session's id begins so, and none has so many characters
	roomKept   = time.Second // the least that a server can be told
)

// ErrTakesNothing says that the server answers, and not where something is to be stored. It is so where it could not
// write to its disk once: it stores nothing more then until it is started again.
var ErrTakesNothing = errors.New("the queue's server answers, but stores nothing: its disk may be full")

// TryRoom reports as an error that the server has no room left, or ErrTakesNothing if it stores nothing any more. It
// writes a few bytes that nobody reads, and takes them back; if this process dies in between, the server forgets them
// later. If nothing may be written, or nothing was ever kept, the answer is unknown, which is no error.
func TryRoom(ctx context.Context, s *Store) error {
	c, err := s.link.begin(ctx)
	if err != nil {
		return err
	}
	defer c.cancel()
	key := roomPrefix + queue.NewToken()
	err = tryWriting(c, s.place, presentShelf, func(until context.Context, kv jetstream.KeyValue) error {
		revision, err := kv.Create(until, key, nil, jetstream.KeyTTL(roomKept))
		if err == nil { // if this fails, the server forgets it later
			_ = kv.Purge(c, key, jetstream.LastRevision(revision), jetstream.PurgeTTL(roomKept))
		}
		return err
	})
	if err != nil {
		return err
	}
	// Each bucket has a file of its own that may not be written any more. Here only the mark of something that was
	// removed is left for that second: who follows the questions takes no notice of it.
	return tryWriting(c, s.place, pendingShelf, func(until context.Context, kv jetstream.KeyValue) error {
		return kv.Purge(until, key, jetstream.PurgeTTL(roomKept))
	})
}

// tryWriting writes something to a bucket. It is no error if the bucket is missing, or writing is not allowed.
func tryWriting(c *call, p *place, shelf string, write func(context.Context, jetstream.KeyValue) error) error {
	kv, err := p.bucket(c, shelf, false)
	if errors.Is(err, errAbsent) {
		return nil
	}
	if err != nil {
		return err
	}
	until, done := p.link.untilRefused(c, "$KV."+kv.Bucket()+"."+roomPrefix)
	err = write(until, kv)
	if refused := done(); refused != nil {
		return nil
	}
	if wasLost(err) && c.caller.Err() == nil && c.conn.FlushTimeout(stillThereWithin) == nil {
		return ErrTakesNothing
	}
	return c.explain(err)
}
