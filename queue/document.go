package queue

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// Every store keeps sessions, drafts and presences as JSON documents. The functions below encode, decode and check
// these documents. A store decides only where it keeps them.

// Unreadable says why a document in the queue is not valid. A store sets such a document aside. Errors of a disk, a
// network or a limit are never Unreadable.
type Unreadable struct{ Reason string }

func (e *Unreadable) Error() string { return e.Reason }

// unreadablef returns an *Unreadable with this reason.
func unreadablef(format string, args ...any) error {
	return &Unreadable{Reason: fmt.Sprintf(format, args...)}
}

// SetAside is an ErrNotFound with a reason: the session's document could not be read, and the store moved it elsewhere.
type SetAside struct{ Broken }

func (e *SetAside) Error() string {
	return fmt.Sprintf("%q was set aside because it cannot be read: %s; it is now at %s", e.Name, e.Reason, e.MovedTo)
}

// Is matches ErrNotFound, since no session is left under that name.
func (e *SetAside) Is(target error) bool { return target == ErrNotFound }

// EncodeSession returns the document of a session. It fails with *Invalid, beside the document, if the document is
// larger than any store accepts.
func EncodeSession(s Session) ([]byte, error) {
	raw, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("failed to encode session %q: %w", s.ID, err)
	}
	return raw, CheckSize(len(raw))
}

// DecodeSession reads a session, which must have this id, and this revision unless it is 0. For a newer schema it
// returns the fields that this program knows, beside ErrNewer. Any other error is *Unreadable.
func DecodeSession(raw []byte, id string, revision uint64) (Session, error) {
	var v Session
	err := json.Unmarshal(raw, &v)
	switch {
	case v.Schema > Schema && isBare(max(revision, v.Revision), v.AskedAt):
		return v, unreadablef(bareWords, v.Schema)
	case v.Schema > Schema:
		v.ID, v.Revision = id, max(revision, v.Revision)
		return v, ErrNewer
	case err != nil:
		return v, unreadablef("is not a session: %v", err)
	case v.ID != id:
		return v, unreadablef("says it is session %q", v.ID)
	case revision != 0 && v.Revision != revision:
		return v, unreadablef("says it is revision %d", v.Revision)
	case v.Schema < 1 || v.Revision < 1 || len(v.Ask.Questions) == 0 && !v.IsMessage():
		return v, unreadablef("is not a session: schema %d, revision %d, %d questions",
			v.Schema, v.Revision, len(v.Ask.Questions))
	}
	return v, nil
}

// MostAhead is the furthest plausible deadline of a live session, counted from now: the longest timeout, and a day
// for a wrong clock on the machine that set it.
const MostAhead = MaxTimeout + 24*time.Hour

// CheckDeadline returns *Unreadable for a pending session whose deadline lies more than MostAhead in the future.
func CheckDeadline(s Session, now time.Time) error {
	if s.Outcome == nil && s.Deadline.After(now.Add(MostAhead)) {
		return unreadablef("waits until %s, and no question waits for longer than %d hours",
			s.Deadline.UTC().Format(time.RFC3339), MaxTimeout/time.Hour)
	}
	return nil
}

// isBare reports whether a document lacks the fields that a session of every schema has: its revision and the time at
// which it was asked.
func isBare(revision uint64, asked time.Time) bool { return revision < 1 || asked.IsZero() }

// bareWords is the message about a document of a newer schema that isBare.
const bareWords = "is not a session: it is of schema %d, and says no revision or not when it was asked"

// CheckDraftName fails if the draft's session or instance is not a valid name.
func CheckDraftName(d Draft) error {
	if !ValidID(d.Session) || !ValidInstance(d.Instance) {
		return fmt.Errorf("failed to keep a draft: %q by %q is not the name of a draft", d.Session, d.Instance)
	}
	return nil
}

// DecodeDraft decodes a draft, which must be of this session and this instance. It accepts a draft of any age. Any
// error is *Unreadable.
func DecodeDraft(raw []byte, session, instance string) (Draft, error) {
	var d Draft
	if err := json.Unmarshal(raw, &d); err != nil {
		return Draft{}, unreadablef("is not a draft: %v", err)
	}
	if d.Session != session || d.Instance != instance {
		return Draft{}, unreadablef("says it is the draft of %q by %q", d.Session, d.Instance)
	}
	return d, nil
}

// SortDrafts puts drafts in the order of Store.Drafts: the newest first.
func SortDrafts(drafts []Draft) {
	slices.SortFunc(drafts, func(a, b Draft) int { return b.At.Compare(a.At) })
}

// DecodePresence decodes the announcement of a process. ok is false if raw is not a valid announcement.
func DecodePresence(raw []byte) (p Presence, ok bool) {
	err := json.Unmarshal(raw, &p)
	return p, err == nil && p.Instance != ""
}

// In reports whether a process has one of the roles. Without roles it returns true.
func (p Presence) In(roles []string) bool { return len(roles) == 0 || slices.Contains(roles, p.Role) }

// SortPresences puts processes in the order of Store.Present: by instance, then by role.
func SortPresences(all []Presence) {
	slices.SortFunc(all, func(a, b Presence) int {
		return cmp.Or(cmp.Compare(a.Instance, b.Instance), cmp.Compare(a.Role, b.Role))
	})
}
