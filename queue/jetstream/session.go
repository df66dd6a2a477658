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

// maxHeads limits the number of sessions whose head (see head) is remembered. At the limit all heads are forgotten, and
// read again when needed.
const maxHeads = 4096

// head contains the facts about a live session that a write needs: the key's revision on the server, which the server
// compares, and parts of the document.
type head struct {
	sequence uint64 // revision of the key on the server
	revision uint64 // revision of the session
	final    bool   // the session is Closed
	newer    bool   // a newer choicetui wrote the session
}

// knownHead returns the remembered head of a live session, if there is one.
func (s *Store) knownHead(id string) (head, bool) {
	s.heading.Lock()
	defer s.heading.Unlock()
	h, ok := s.heads[id]
	return h, ok
}

func (s *Store) keepHead(id string, h head) {
	s.heading.Lock()
	defer s.heading.Unlock()
	if len(s.heads) >= maxHeads {
		clear(s.heads)
	}
	s.heads[id] = h
}

func (s *Store) dropHead(id string) {
	s.heading.Lock()
	defer s.heading.Unlock()
	delete(s.heads, id)
}

// document returns a session's document. It fails with *queue.Invalid if the server does not accept a document that
// large. room is the space to leave for later events.
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
	eventsRoom = 64 << 10 // space for later events, so that a session that can be created can also be answered
)

// tooLarge returns the error of a session that is larger than the server's limit for one message.
func tooLarge(most int64) error {
	return &queue.Invalid{Problems: []queue.Problem{{
		Wrong: "the session would take more than the queue's server keeps in one piece",
		Want:  fmt.Sprintf("at most %d bytes (max_payload of the server): shorten the text", most-headerRoom),
	}}}
}

// Create stores a new session at revision 1. If the server does not acknowledge it, Create finds out whether it is
// stored; if it is not, Create makes sure that a delayed write cannot store it later.
func (s *Store) Create(ctx context.Context, v queue.Session) (queue.Session, error) {
	if !queue.ValidID(v.ID) {
		return queue.Session{}, fmt.Errorf("failed to keep a session: %q is not a session id", v.ID)
	}
	v.Schema, v.Revision = queue.Schema, 1
	c, err := s.link.beginCall(ctx)
	if err != nil {
		return queue.Session{}, fmt.Errorf("failed to keep session %q: %w", v.ID, err)
	}
	defer c.cancel()
	raw, err := c.document(v, eventsRoom)
	if err != nil {
		return queue.Session{}, err
	}
	kv, err := s.bucket(c, pendingStream, orMake)
	if err != nil {
		return queue.Session{}, err
	}
	var sequence uint64
	err = s.link.askServer(c, liveSubject(kv, v.ID), func(until context.Context) (err error) {
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
		s.forgetOpened()
	}
	return queue.Session{}, fmt.Errorf("failed to keep session %q: %w", v.ID, c.explain(err))
}

// resolveCreate finds the result of a Create that was not acknowledged: nil if the session is stored and durable,
// cause if it is not stored and will not be, else queue.ErrInDoubt. It ignores the caller's deadline, which may be
// over.
func (s *Store) resolveCreate(ctx context.Context, kv jetstream.KeyValue, id string, raw []byte, cause error) error {
	c, err := s.link.beginCall(context.WithoutCancel(ctx))
	if err != nil {
		return fmt.Errorf("%w: %w", queue.ErrInDoubt, cause)
	}
	defer c.cancel()
	for c.Err() == nil {
		e, err := kv.Get(c, id)
		switch {
		case errors.Is(err, jetstream.ErrKeyNotFound): // not stored, and after barKey it never will be
			if err = c.barKey(liveSubject(kv, id)); err == nil {
				return cause
			}
		case err == nil && bytes.Equal(e.Value(), raw): // stored; an acknowledged write of the same makes it durable
			if _, err = kv.Update(c, id, raw, e.Revision()); err == nil {
				return nil
			}
		case err == nil: // a later write of somebody else made the session durable
			return nil
		}
		if err != nil && !isMismatch(err) { // after a mismatch the key has changed, and is read again
			break
		}
	}
	return fmt.Errorf("%w: %w", queue.ErrInDoubt, cause)
}

// barKey puts a marker under an unused key, so that a delayed write that expects an unused key fails.
func (c *call) barKey(subject string) error {
	m := nats.NewMsg(subject)
	m.Header.Set("KV-Operation", "PURGE")
	m.Header.Set(jetstream.MsgRollup, jetstream.MsgRollupSubject)
	m.Header.Set(jetstream.ExpectedLastSubjSeqHeader, strconv.Itoa(0))
	_, err := c.js.PublishMsg(c, m, jetstream.WithMsgTTL(markerKept))
	return err
}

// Get returns the live session, else the archived one. Archive writes a session into the history before it removes
// the live one.
func (s *Store) Get(ctx context.Context, id string) (queue.Session, error) {
	if !queue.ValidID(id) {
		return queue.Session{}, queue.ErrNotFound
	}
	c, err := s.link.beginCall(ctx)
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

// readLive reads the live session and remembers its head. It fails with queue.ErrNotFound, *queue.Unreadable, or,
// beside the session, queue.ErrNewer.
func (s *Store) readLive(c *call, id string) (queue.Session, jetstream.KeyValueEntry, error) {
	kv, err := s.bucket(c, pendingStream, ifThere)
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

// Put writes the next revision if the stored one is v.Revision. The server compares; the head that is remembered or
// read here only supplies the revision of the key.
func (s *Store) Put(ctx context.Context, v queue.Session) (queue.Session, error) {
	if !queue.ValidID(v.ID) {
		return queue.Session{}, queue.ErrNotFound
	}
	if v.Schema > queue.Schema {
		return queue.Session{}, queue.ErrNewer
	}
	c, err := s.link.beginCall(ctx)
	if err != nil {
		return queue.Session{}, fmt.Errorf("failed to write session %q: %w", v.ID, err)
	}
	defer c.cancel()
	next := v
	next.Schema, next.Revision = queue.Schema, v.Revision+1
	raw, err := c.document(next, 0)
	if err != nil {
		return queue.Session{}, err
	}
	if h, ok := s.knownHead(v.ID); ok && h.checkWrite(v.Revision) == nil {
		if err := s.replaceDocument(c, next, raw, h.sequence); !isMismatch(err) {
			return storedSession(next, err)
		}
	}
	for {
		h, err := s.freshHead(c, v)
		if err != nil {
			return queue.Session{}, err
		}
		if err := s.replaceDocument(c, next, raw, h.sequence); !isMismatch(err) {
			return storedSession(next, err)
		}
	}
}

// storedSession returns the result of a write: the session as stored, or the error.
func storedSession(v queue.Session, err error) (queue.Session, error) {
	if err != nil {
		return queue.Session{}, err
	}
	return v, nil
}

// checkWrite returns the reason if a writer that has a revision of the session may not write the next one.
func (h head) checkWrite(revision uint64) error {
	switch {
	case h.newer:
		return queue.ErrNewer
	case h.revision != revision:
		return queue.ErrConflict
	case h.final:
		return queue.ErrFinal // Archive may be under way, and would lose this revision
	}
	return nil
}

// freshHead reads the head (see head) of a session that is about to be written. It fails if the session cannot be
// written.
func (s *Store) freshHead(c *call, v queue.Session) (head, error) {
	now, e, err := s.readLive(c, v.ID)
	switch {
	case errors.Is(err, queue.ErrNotFound):
		return head{}, s.missingError(c, v)
	case err != nil && !errors.Is(err, queue.ErrNewer):
		return head{}, fmt.Errorf("failed to read session %q: %w", v.ID, err)
	}
	h := head{sequence: e.Revision(), revision: now.Revision, final: now.Closed(), newer: err != nil}
	return h, h.checkWrite(v.Revision)
}

// missingError returns the error for a writer that finds no live session: queue.ErrConflict if another revision was
// archived, else queue.ErrNotFound.
func (s *Store) missingError(c *call, v queue.Session) error {
	now, err := s.readDone(c, v.ID)
	switch {
	case (err == nil || errors.Is(err, queue.ErrNewer)) && now.Revision != v.Revision:
		return queue.ErrConflict
	case err == nil, errors.Is(err, queue.ErrNewer), errors.Is(err, queue.ErrNotFound):
		return queue.ErrNotFound
	}
	return err
}

// replaceDocument writes a session's document over the one at a sequence. After any error the remembered head is
// dropped.
func (s *Store) replaceDocument(c *call, v queue.Session, raw []byte, sequence uint64) error {
	kv, err := s.bucket(c, pendingStream, orMake)
	if err != nil {
		return err
	}
	var now uint64
	err = s.link.askServer(c, liveSubject(kv, v.ID), func(until context.Context) (err error) {
		now, err = kv.Update(until, v.ID, raw, sequence)
		return err
	})
	if err != nil {
		s.dropHead(v.ID)
		if isMismatch(err) {
			return err
		}
		if isGone(err) {
			s.forgetOpened()
		}
		return fmt.Errorf("failed to write session %q: %w", v.ID, c.explain(err))
	}
	s.keepHead(v.ID, head{sequence: now, revision: v.Revision, final: v.Closed()})
	return nil
}

// Sync writes the live document over itself, so that the server acknowledges it. A document in the history was
// acknowledged before it left the live ones.
func (s *Store) Sync(ctx context.Context, id string) error {
	if !queue.ValidID(id) {
		return queue.ErrNotFound
	}
	c, err := s.link.beginCall(ctx)
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
			return nil // only a newer program may write it, and it waits for its own acknowledgement
		case err != nil:
			return fmt.Errorf("failed to read session %q: %w", id, err)
		}
		if err := s.replaceDocument(c, v, e.Value(), e.Revision()); !isMismatch(err) {
			return err
		}
	}
}

// Archive moves a Final session into the history. The stored session counts, not the caller's copy.
func (s *Store) Archive(ctx context.Context, v queue.Session) error {
	if !queue.ValidID(v.ID) {
		return queue.ErrNotFound
	}
	c, err := s.link.beginCall(ctx)
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

// moveToDone writes a session's document into the history and then removes the live one.
func (s *Store) moveToDone(c *call, v queue.Session, e jetstream.KeyValueEntry) error {
	if err := s.keepDone(c, v, e.Value()); err != nil {
		return fmt.Errorf("failed to archive session %q: %w", v.ID, err)
	}
	kv, err := s.bucket(c, pendingStream, orMake)
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

// Live reads every live session once. It leaves documents that it cannot read where they are; a watch sets them aside.
func (s *Store) Live(ctx context.Context) (live []queue.Session, broken []queue.Broken, err error) {
	err = s.eachLive(ctx, func(e jetstream.KeyValueEntry) {
		if !queue.ValidID(e.Key()) {
			return // other keys are not sessions
		}
		v, bad := s.decodeLive(e)
		if bad != nil {
			broken = append(broken, queue.Broken{Name: e.Key(), Reason: bad.Reason})
			return
		}
		live = append(live, v)
	})
	return live, broken, err
}

// eachLive calls see with every document of the live sessions. If the caller's time is over before all are read, see
// gets those read so far.
func (s *Store) eachLive(ctx context.Context, see func(jetstream.KeyValueEntry)) error {
	c, err := s.link.beginCall(ctx)
	if err != nil {
		return fmt.Errorf("failed to list the sessions: %w", err)
	}
	defer c.cancel()
	kv, err := s.bucket(c, pendingStream, ifThere)
	if errors.Is(err, errAbsent) {
		return nil
	}
	if err != nil {
		return err
	}
	all, err := s.readKeys(c, kv)
	for _, e := range all {
		see(e)
	}
	if err != nil {
		return fmt.Errorf("failed to list the sessions: %w", c.explain(err))
	}
	return nil
}

// decodeLive decodes a document of the live sessions. For a newer schema it returns the fields that this program
// knows.
func (s *Store) decodeLive(e jetstream.KeyValueEntry) (queue.Session, *queue.Unreadable) {
	if !queue.ValidID(e.Key()) {
		return queue.Session{}, &queue.Unreadable{Reason: "is not a session of this queue"}
	}
	v, err := s.decode(e)
	var bad *queue.Unreadable
	errors.As(err, &bad)
	return v, bad
}

// decode decodes a live session's document like queue.DecodeSession, and checks its deadline.
func (s *Store) decode(e jetstream.KeyValueEntry) (queue.Session, error) {
	v, err := queue.DecodeSession(e.Value(), e.Key(), 0)
	if err != nil {
		return v, err
	}
	return v, s.checkDeadline(v, e)
}

// checkDeadline works like queue.CheckDeadline, by the later of this machine's clock and the server's time of the
// document. So a machine whose clock is slow does not set questions aside.
func (s *Store) checkDeadline(v queue.Session, e jetstream.KeyValueEntry) error {
	now := s.link.now()
	if came := e.Created(); came.After(now) {
		now = came
	}
	return queue.CheckDeadline(v, now)
}

const reasonSuffix = ".reason"

// asideName returns the prefix of a key in the bucket _aside. A name that is not valid in a key is left out.
func asideName(name string) string {
	if !queue.ValidInstance(name) {
		name = "unnamed"
	}
	return name + "."
}

// setAside copies an unreadable document to the bucket _aside, with the reason in a key beside it, and removes the
// original. ok is false if somebody changed the original meanwhile.
func (s *Store) setAside(c *call, from string, e jetstream.KeyValueEntry, reason string) (b queue.Broken, ok bool) {
	b = queue.Broken{Name: e.Key(), Reason: reason}
	key := asideName(e.Key()) + queue.NewToken()
	aside, err := s.bucket(c, asideStream, orMake)
	if err == nil {
		err = s.moveAside(c, from, e, aside, key, reason)
	}
	switch {
	case err == nil:
		b.MovedTo = s.asidePlace(key)
		return b, true
	case isMismatch(err): // somebody else was faster, or repaired the document
		_ = aside.Purge(c, key, jetstream.PurgeTTL(markerKept))
		_ = aside.Purge(c, key+reasonSuffix, jetstream.PurgeTTL(markerKept))
		return s.wasSetAside(c, e.Key())
	}
	b.Reason += "; failed to set it aside: " + c.explain(err).Error()
	return b, true
}

// moveAside writes a document and the reason into the bucket aside, and then removes the original if nobody changed it.
func (s *Store) moveAside(
	c *call, from string, e jetstream.KeyValueEntry, aside jetstream.KeyValue, key, reason string,
) error {
	if _, err := aside.Create(c, key+reasonSuffix, []byte(reason+"\n")); err != nil {
		return err
	}
	if _, err := aside.Create(c, key, e.Value()); err != nil {
		return err
	}
	kv, err := s.bucket(c, from, orMake)
	if err != nil {
		return err
	}
	return kv.Purge(c, e.Key(), jetstream.LastRevision(e.Revision()), jetstream.PurgeTTL(markerKept))
}

// asidePlace describes the place of a document that was set aside, for a person.
func (s *Store) asidePlace(key string) string {
	return "the bucket " + s.link.options.Bucket + asideStream + ", key " + key
}

// wasSetAside returns what any process set aside under this name.
func (s *Store) wasSetAside(c *call, name string) (queue.Broken, bool) {
	aside, err := s.bucket(c, asideStream, ifThere) // usually there is no such bucket
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

// SaveDraft replaces the draft of one session and instance. The server removes it after queue.KeptFor.
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

// saveRaw writes a draft's document under a key.
func (s *Store) saveRaw(ctx context.Context, key string, raw []byte) error {
	c, err := s.link.beginCall(ctx)
	if err != nil {
		return err
	}
	defer c.cancel()
	if most := c.conn.MaxPayload(); int64(len(raw)+headerRoom) > most {
		return tooLarge(most)
	}
	kv, err := s.bucket(c, draftsStream, orMake)
	if err != nil {
		return err
	}
	err = s.link.askServer(c, "$KV."+kv.Bucket()+"."+key, func(until context.Context) error {
		_, err := kv.Put(until, key, raw)
		return err
	})
	if isGone(err) {
		s.forgetOpened()
	}
	return c.explain(err)
}

// Drafts returns a session's drafts, newest first, none older than queue.KeptFor.
func (s *Store) Drafts(ctx context.Context, id string) ([]queue.Draft, error) {
	if !queue.ValidID(id) {
		return nil, nil
	}
	c, err := s.link.beginCall(ctx)
	if err != nil {
		return nil, fmt.Errorf("failed to list the drafts: %w", err)
	}
	defer c.cancel()
	kv, err := s.bucket(c, draftsStream, ifThere)
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

// DropDraft removes one instance's draft.
func (s *Store) DropDraft(ctx context.Context, id, instance string) error {
	if !queue.ValidID(id) || !queue.ValidInstance(instance) {
		return nil
	}
	c, err := s.link.beginCall(ctx)
	if err != nil {
		return fmt.Errorf("failed to drop the draft of session %q: %w", id, err)
	}
	defer c.cancel()
	kv, err := s.bucket(c, draftsStream, ifThere)
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

// decodeDraft decodes one draft. ok is false for expired drafts and foreign keys, which are skipped until the server
// removes them after a day.
func decodeDraft(key string, raw []byte) (d queue.Draft, ok bool) {
	id, instance, cut := strings.Cut(key, ".")
	d, err := queue.DecodeDraft(raw, id, instance)
	ok = err == nil && cut && queue.CheckDraftName(d) == nil && time.Since(d.At) <= queue.KeptFor
	return d, ok
}

func draftKey(id, instance string) string { return id + "." + instance }
