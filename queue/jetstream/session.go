package jetstream

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/choicetui/choicetui/queue"
)

// fewHeads limits the live sessions that are remembered; a process that knows more starts over.
const fewHeads = 4096

// head holds the facts about a live session that a write needs: the key's revision on the server, which decides, and
// parts of the document under it.
type head struct {
	sequence uint64
	revision uint64
	final    bool
	newer    bool
}

func (s *Store) knownHead(id string) (head, bool) {
	s.heading.Lock()
	defer s.heading.Unlock()
	h, ok := s.heads[id]
	return h, ok
}

func (s *Store) keepHead(id string, h head) {
	s.heading.Lock()
	defer s.heading.Unlock()
	if len(s.heads) >= fewHeads {
		clear(s.heads)
	}
	s.heads[id] = h
}

func (s *Store) dropHead(id string) {
	s.heading.Lock()
	defer s.heading.Unlock()
	delete(s.heads, id)
}

// document returns a session's document, if the server takes one as large. room is left for what is still to happen to
// it.
func (c *call) document(v queue.Session, room int) ([]byte, error) {
	raw, err := queue.EncodeSession(v)
	if err != nil {
		return nil, err
	}
	if most := c.conn.MaxPayload(); int64(len(raw)+headerRoom+room) > most {
		return nil, tooLarge(most)
	}
	return raw, nil
}

const (
	headerRoom = 512      // a message's headers count as well
	eventsRoom = 64 << 10 // a session that was created can also be answered
)

func tooLarge(most int64) error {
	return &queue.Invalid{Problems: []queue.Problem{{
		Wrong: "the session would take more than the queue's server keeps in one piece",
		Want:  fmt.Sprintf("at most %d bytes (max_payload of the server): shorten the text", most-headerRoom),
	}}}
}

// Create keeps a new session at revision 1. After an error that leaves open whether the server has it, it looks, and
// where it is not there it sees to it that it does not come later.
func (s *Store) Create(ctx context.Context, v queue.Session) (queue.Session, error) {
	if !queue.ValidID(v.ID) {
		return queue.Session{}, fmt.Errorf("failed to keep a session: %q is no session id", v.ID)
	}
	v.Schema, v.Revision = v.NeedsSchema(), 1
	c, err := s.link.begin(ctx)
	if err != nil {
		return queue.Session{}, fmt.Errorf("failed to keep session %q: %w", v.ID, err)
	}
	defer c.cancel()
	raw, err := c.document(v, eventsRoom)
	if err != nil {
		return queue.Session{}, err
	}
	kv, err := s.bucket(c, pendingStream, true)
	if err != nil {
		return queue.Session{}, err
	}
	var sequence uint64
	err = s.link.ask(c, liveSubject(kv, v.ID), func(until context.Context) (err error) {
		sequence, err = kv.Create(until, v.ID, raw)
		return err
	})
	switch {
	case err == nil:
		s.keepHead(v.ID, head{sequence: sequence, revision: 1})
		return v, nil
	case isMismatch(err), errors.Is(err, jetstream.ErrKeyExists):
		return queue.Session{}, queue.ErrExists
	case !neverSent(err) && !errors.Is(err, queue.ErrRefused):
		if err = s.resolveCreate(ctx, kv, v.ID, raw, c.explain(err)); err == nil {
			return v, nil
		}
	case isGone(err):
		s.forget()
	}
	return queue.Session{}, fmt.Errorf("failed to keep session %q: %w", v.ID, c.explain(err))
}

// resolveCreate finds out about a Create that nobody acknowledged: nil if the session is there and durable, cause if it
// is not and will not be, else queue.ErrInDoubt. The caller's time may be over, so it has its own.
func (s *Store) resolveCreate(ctx context.Context, kv jetstream.KeyValue, id string, raw []byte, cause error) error {
	c, err := s.link.begin(context.WithoutCancel(ctx))
	if err != nil {
		return fmt.Errorf("%w: %w", queue.ErrInDoubt, cause)
	}
	defer c.cancel()
	for c.Err() == nil {
		e, err := kv.Get(c, id)
		switch {
		case errors.Is(err, jetstream.ErrKeyNotFound):
			if err = c.bar(liveSubject(kv, id)); err == nil {
				return cause
			}
		case err == nil && bytes.Equal(e.Value(), raw):
			if _, err = kv.Update(c, id, raw, e.Revision()); err == nil {
				return nil
			}
		case err == nil: // somebody has acted on it, so it was there, and their write made it durable
			return nil
		}
		if err != nil && !isMismatch(err) {
			break
		}
	}
	return fmt.Errorf("%w: %w", queue.ErrInDoubt, cause)
}

// bar puts a marker under a key that was never used, so that a write which is still under way finds that taken.
func (c *call) bar(subject string) error {
	m := nats.NewMsg(subject)
	m.Header.Set("KV-Operation", "PURGE")
	m.Header.Set(jetstream.MsgRollup, jetstream.MsgRollupSubject)
	m.Header.Set(jetstream.ExpectedLastSubjSeqHeader, strconv.Itoa(0))
	_, err := c.js.PublishMsg(c, m, jetstream.WithMsgTTL(markerKept))
	return err
}

// Get returns the live session, else the archived one. The history has a session before the live ones lose it.
func (s *Store) Get(ctx context.Context, id string) (queue.Session, error) {
	if !queue.ValidID(id) {
		return queue.Session{}, queue.ErrNotFound
	}
	c, err := s.link.begin(ctx)
	if err != nil {
		return queue.Session{}, fmt.Errorf("failed to read session %q: %w", id, err)
	}
	defer c.cancel()
	v, _, err := s.readLive(c, id)
	if errors.Is(err, queue.ErrNotFound) {
		v, err = s.readDone(c, id)
	}
	switch {
	case err == nil, errors.Is(err, queue.ErrNewer):
		return v, err
	case errors.Is(err, queue.ErrNotFound):
		if moved, ok := s.wasSetAside(c, id); ok {
			return queue.Session{}, &queue.SetAside{Broken: moved}
		}
		return queue.Session{}, queue.ErrNotFound
	}
	return queue.Session{}, fmt.Errorf("failed to read session %q: %w", id, err)
}

// readLive reads the live session and remembers its head. queue.ErrNotFound, *queue.Unreadable, queue.ErrNewer beside
// the session.
func (s *Store) readLive(c *call, id string) (queue.Session, jetstream.KeyValueEntry, error) {
	kv, err := s.bucket(c, pendingStream, false)
	if errors.Is(err, errAbsent) {
		return queue.Session{}, nil, queue.ErrNotFound
	}
	if err != nil {
		return queue.Session{}, nil, err
	}
	e, err := kv.Get(c, id)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound), isGone(err):
		s.dropHead(id)
		return queue.Session{}, nil, queue.ErrNotFound
	case err != nil:
		return queue.Session{}, nil, c.explain(err)
	}
	v, err := s.decode(e)
	if err == nil || errors.Is(err, queue.ErrNewer) {
		s.keepHead(id, head{sequence: e.Revision(), revision: v.Revision, final: v.Closed(), newer: err != nil})
	}
	return v, e, err
}

// Put writes the next revision if the stored one is v.Revision. The server compares: what is remembered or read here
// only says which revision of the key was decided on.
func (s *Store) Put(ctx context.Context, v queue.Session) (queue.Session, error) {
	if !queue.ValidID(v.ID) {
		return queue.Session{}, queue.ErrNotFound
	}
	if v.Schema > queue.Schema {
		return queue.Session{}, queue.ErrNewer
	}
	c, err := s.link.begin(ctx)
	if err != nil {
		return queue.Session{}, fmt.Errorf("failed to write session %q: %w", v.ID, err)
	}
	defer c.cancel()
	next := v
	next.Schema, next.Revision = v.NeedsSchema(), v.Revision+1
	raw, err := c.document(next, 0)
	if err != nil {
		return queue.Session{}, err
	}
	if h, ok := s.knownHead(v.ID); ok && h.allows(v.Revision) == nil {
		if err := s.replace(c, next, raw, h.sequence); !isMismatch(err) {
			return written(next, err)
		}
	}
	for {
		h, err := s.freshHead(c, v)
		if err != nil {
			return queue.Session{}, err
		}
		if err := s.replace(c, next, raw, h.sequence); !isMismatch(err) {
			return written(next, err)
		}
	}
}

func written(v queue.Session, err error) (queue.Session, error) {
	if err != nil {
		return queue.Session{}, err
	}
	return v, nil
}

// allows says why a session with this head cannot be written by somebody who had a revision of it; nil: it can.
func (h head) allows(revision uint64) error {
	switch {
	case h.newer:
		return queue.ErrNewer
	case h.revision != revision:
		return queue.ErrConflict
	case h.final:
		return queue.ErrFinal // Archive may be under way: it would leave this revision behind
	}
	return nil
}

// freshHead reads the head of a session that is about to be written, and says why it cannot be.
func (s *Store) freshHead(c *call, v queue.Session) (head, error) {
	now, e, err := s.readLive(c, v.ID)
	switch {
	case errors.Is(err, queue.ErrNotFound):
		return head{}, s.explainMissing(c, v)
	case err != nil && !errors.Is(err, queue.ErrNewer):
		return head{}, fmt.Errorf("failed to read session %q: %w", v.ID, err)
	}
	h := head{sequence: e.Revision(), revision: now.Revision, final: now.Closed(), newer: err != nil}
	return h, h.allows(v.Revision)
}

// explainMissing says why a session is not among the live ones to a writer that had a revision of it.
func (s *Store) explainMissing(c *call, v queue.Session) error {
	now, err := s.readDone(c, v.ID)
	switch {
	case (err == nil || errors.Is(err, queue.ErrNewer)) && now.Revision != v.Revision:
		return queue.ErrConflict
	case err == nil, errors.Is(err, queue.ErrNewer), errors.Is(err, queue.ErrNotFound):
		return queue.ErrNotFound
	}
	return err
}

// replace writes a session's document over the one at a sequence. Whatever went wrong, what was remembered of the
// session does not count any more.
func (s *Store) replace(c *call, v queue.Session, raw []byte, sequence uint64) error {
	kv, err := s.bucket(c, pendingStream, true)
	if err != nil {
		return err
	}
	var now uint64
	err = s.link.ask(c, liveSubject(kv, v.ID), func(until context.Context) (err error) {
		now, err = kv.Update(until, v.ID, raw, sequence)
		return err
	})
	if err != nil {
		s.dropHead(v.ID)
		if isMismatch(err) {
			return err
		}
		if isGone(err) {
			s.forget()
		}
		return fmt.Errorf("failed to write session %q: %w", v.ID, c.explain(err))
	}
	s.keepHead(v.ID, head{sequence: now, revision: v.Revision, final: v.Closed()})
	return nil
}

// Sync has the server acknowledge what Get returns: the same document is written once more over itself. What is in the
// history was acknowledged before it left the live ones.
func (s *Store) Sync(ctx context.Context, id string) error {
	if !queue.ValidID(id) {
		return queue.ErrNotFound
	}
	c, err := s.link.begin(ctx)
	if err != nil {
		return fmt.Errorf("failed to make session %q durable: %w", id, err)
	}
	defer c.cancel()
	for {
		v, e, err := s.readLive(c, id)
		switch {
		case errors.Is(err, queue.ErrNotFound):
			if _, err = s.readDone(c, id); errors.Is(err, queue.ErrNewer) {
				err = nil
			}
			return err
		case errors.Is(err, queue.ErrNewer):
			return nil // it is not ours to write, and whoever wrote it has its own acknowledgement
		case err != nil:
			return fmt.Errorf("failed to read session %q: %w", id, err)
		}
		if err := s.replace(c, v, e.Value(), e.Revision()); !isMismatch(err) {
			return err
		}
	}
}

// Archive moves a Final session into the history. The stored session decides, not the caller's copy.
func (s *Store) Archive(ctx context.Context, v queue.Session) error {
	if !queue.ValidID(v.ID) {
		return queue.ErrNotFound
	}
	c, err := s.link.begin(ctx)
	if err != nil {
		return fmt.Errorf("failed to archive session %q: %w", v.ID, err)
	}
	defer c.cancel()
	for {
		now, e, err := s.readLive(c, v.ID)
		switch {
		case errors.Is(err, queue.ErrNotFound):
			if _, err := s.readDone(c, v.ID); !errors.Is(err, queue.ErrNewer) {
				return err
			}
			return nil
		case errors.Is(err, queue.ErrNewer):
			return queue.ErrNewer
		case err != nil:
			return fmt.Errorf("failed to read session %q: %w", v.ID, err)
		case !now.Final:
			return queue.ErrPending
		}
		if err := s.moveToDone(c, now, e); !isMismatch(err) {
			return err
		}
	}
}

// moveToDone writes a session's document into the history and then takes it from the live ones.
func (s *Store) moveToDone(c *call, v queue.Session, e jetstream.KeyValueEntry) error {
	if err := s.keepDone(c, v, e.Value()); err != nil {
		return fmt.Errorf("failed to archive session %q: %w", v.ID, err)
	}
	kv, err := s.bucket(c, pendingStream, true)
	if err != nil {
		return err
	}
	err = kv.Purge(c, v.ID, jetstream.LastRevision(e.Revision()), jetstream.PurgeTTL(markerKept))
	if err != nil && !isMismatch(err) {
		return fmt.Errorf("failed to archive session %q: %w", v.ID, c.explain(err))
	}
	s.dropHead(v.ID)
	return err
}

// Live reads every live session once, and sets aside documents that are not sessions.
func (s *Store) Live(ctx context.Context) (live []queue.Session, broken []queue.Broken, err error) {
	err = s.eachLive(ctx, func(c *call, e jetstream.KeyValueEntry) {
		v, bad := s.decodeLive(e)
		if bad == nil {
			live = append(live, v)
			return
		}
		if moved, ok := s.setAside(c, pendingStream, e, bad.Reason); ok {
			broken = append(broken, moved)
		}
	})
	return live, broken, err
}

// Pending reads in a hurry what waits, and leaves what it cannot read where it is.
func (s *Store) Pending(ctx context.Context) (pending []queue.Session, broken []queue.Broken, err error) {
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
func (s *Store) eachLive(ctx context.Context, see func(*call, jetstream.KeyValueEntry)) error {
	c, err := s.link.begin(ctx)
	if err != nil {
		return fmt.Errorf("failed to list the sessions: %w", err)
	}
	defer c.cancel()
	kv, err := s.bucket(c, pendingStream, false)
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
func (s *Store) decodeLive(e jetstream.KeyValueEntry) (queue.Session, *queue.Unreadable) {
	if !queue.ValidID(e.Key()) {
		return queue.Session{}, &queue.Unreadable{Reason: "is no session of this queue"}
	}
	v, err := s.decode(e)
	var bad *queue.Unreadable
	errors.As(err, &bad)
	return v, bad
}

// decode reads a live session's document, as queue.DecodeSession does.
func (s *Store) decode(e jetstream.KeyValueEntry) (queue.Session, error) {
	v, err := queue.DecodeSession(e.Value(), e.Key(), 0)
	if err != nil {
		return v, err
	}
	return v, s.checkDeadline(v, e)
}

// checkDeadline checks a session as queue.CheckDeadline does. The server's clock says when the document came: if this
// machine's is behind, nobody's question is set aside for that.
func (s *Store) checkDeadline(v queue.Session, e jetstream.KeyValueEntry) error {
	now := s.link.now()
	if came := e.Created(); came.After(now) {
		now = came
	}
	return queue.CheckDeadline(v, now)
}

const reasonSuffix = ".reason"

// asideName begins the key under which something is set aside. A name that cannot be a part of another key is left out.
func asideName(name string) string {
	if !queue.ValidInstance(name) {
		name = "unnamed"
	}
	return name + "."
}

// setAside copies what cannot be read to the bucket for that, with the reason in a key beside it, and then takes it
// away if it still is the same. ok is false if somebody has changed it meanwhile.
func (s *Store) setAside(c *call, from string, e jetstream.KeyValueEntry, reason string) (b queue.Broken, ok bool) {
	b = queue.Broken{Name: e.Key(), Reason: reason}
	key := asideName(e.Key()) + queue.NewToken()
	aside, err := s.bucket(c, asideStream, true)
	if err == nil {
		_, err = aside.Create(c, key+reasonSuffix, []byte(reason+"\n"))
	}
	if err == nil {
		_, err = aside.Create(c, key, e.Value())
	}
	if err == nil {
		var kv jetstream.KeyValue
		if kv, err = s.bucket(c, from, true); err == nil {
			err = kv.Purge(c, e.Key(), jetstream.LastRevision(e.Revision()), jetstream.PurgeTTL(markerKept))
		}
	}
	switch {
	case err == nil:
		b.MovedTo = s.asidePlace(key)
		return b, true
	case isMismatch(err):
		_ = aside.Purge(c, key, jetstream.PurgeTTL(markerKept)) // another one was quicker, or it was mended
		_ = aside.Purge(c, key+reasonSuffix, jetstream.PurgeTTL(markerKept))
		return s.wasSetAside(c, e.Key())
	}
	b.Reason += "; failed to set it aside: " + c.explain(err).Error()
	return b, true
}

func (s *Store) asidePlace(key string) string {
	return "the bucket " + s.link.options.Bucket + asideStream + ", key " + key
}

// wasSetAside reports what somebody set aside under this name.
func (s *Store) wasSetAside(c *call, name string) (queue.Broken, bool) {
	aside, err := s.bucket(c, asideStream, false) // as a rule there is no such bucket
	if err != nil || !queue.ValidInstance(name) {
		return queue.Broken{}, false
	}
	all, err := s.readKeys(c, aside, asideName(name)+"*", asideName(name)+"*"+reasonSuffix)
	if err != nil {
		return queue.Broken{}, false
	}
	reasons := map[string]string{}
	for _, e := range all {
		if key, ok := strings.CutSuffix(e.Key(), reasonSuffix); ok {
			reasons[key] = strings.TrimSpace(string(e.Value()))
		}
	}
	for _, e := range all {
		if !strings.HasSuffix(e.Key(), reasonSuffix) {
			return queue.Broken{Name: name, MovedTo: s.asidePlace(e.Key()),
				Reason: cmp.Or(reasons[e.Key()], "was set aside")}, true
		}
	}
	return queue.Broken{}, false
}

// SaveDraft replaces the draft of one session and instance. The server forgets it after queue.KeptFor.
func (s *Store) SaveDraft(ctx context.Context, v queue.Draft) error {
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
