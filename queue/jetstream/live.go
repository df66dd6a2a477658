package jetstream

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/choicetui/choicetui/queue"
)

// listing is the bucket of live sessions as a whole.
type listing struct{ *place }

// Live reads every live session once, and sets aside documents that are not sessions.
func (s listing) Live(ctx context.Context) (live []queue.Session, broken []queue.Broken, err error) {
	err = s.eachLive(ctx, func(c *call, e jetstream.KeyValueEntry) {
		v, bad := s.decodeLive(e)
		if bad == nil {
			live = append(live, v)
			return
		}
		if moved, ok := s.setAside(c, pendingShelf, e, bad.Reason); ok {
			broken = append(broken, moved)
		}
	})
	return live, broken, err
}

// Pending reads in a hurry what waits, and leaves what it cannot read where it is.
func (s listing) Pending(ctx context.Context) (pending []queue.Session, broken []queue.Broken, err error) {
	err = s.eachLive(ctx, func(_ *call, e jetstream.KeyValueEntry) {
		if !queue.ValidID(e.Key()) {
			return // what is no session keeps nobody waiting
		}
		v, err := queue.DecodePending(e.Value(), e.Key(), 0)
		if v != nil && v.Schema <= queue.Schema {
			err = s.checkDeadline(*v, e)
		}
		switch {
		case err != nil:
			broken = append(broken, queue.Broken{Name: e.Key(), Reason: err.Error()})
		case v != nil:
			pending = append(pending, *v)
		}
	})
	return pending, broken, err
}

// eachLive gives every document in the bucket of live sessions to see; where it fails, those that it has read.
func (s listing) eachLive(ctx context.Context, see func(*call, jetstream.KeyValueEntry)) error {
	c, err := s.link.begin(ctx)
	if err != nil {
		return fmt.Errorf("failed to list the sessions: %w", err)
	}
	defer c.cancel()
	kv, err := s.bucket(c, pendingShelf, false)
	if errors.Is(err, errAbsent) {
		return nil
	}
	if err != nil {
		return err
	}
	all, err := s.readKeys(c, kv)
	for _, e := range all {
		see(c, e)
	}
	if err != nil {
		return fmt.Errorf("failed to list the sessions: %w", c.explain(err))
	}
	return nil
}

// decodeLive reads a document of the bucket of live sessions. A newer one is returned as far as it is understood.
func (p *place) decodeLive(e jetstream.KeyValueEntry) (queue.Session, *queue.Unreadable) {
	if !queue.ValidID(e.Key()) {
		return queue.Session{}, &queue.Unreadable{Reason: "is no session of this queue"}
	}
	v, err := p.decode(e)
	var bad *queue.Unreadable
	errors.As(err, &bad)
	return v, bad
}

// decode reads a live session's document, as queue.DecodeSession does.
func (p *place) decode(e jetstream.KeyValueEntry) (queue.Session, error) {
	v, err := queue.DecodeSession(e.Value(), e.Key(), 0)
	if err != nil {
		return v, err
	}
	return v, p.checkDeadline(v, e)
}

// checkDeadline is queue.CheckDeadline. The server's clock says when the document came: where this machine's is behind,
// nobody's question is set aside for that.
func (p *place) checkDeadline(v queue.Session, e jetstream.KeyValueEntry) error {
	now := p.link.now()
	if came := e.Created(); came.After(now) {
		now = came
	}
	return queue.CheckDeadline(v, now)
}
