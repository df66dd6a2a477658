package queue

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// Every store keeps sessions, drafts and announcements of processes as JSON documents. The functions below write and
// read them, and say why a document is not valid. A store adds where it keeps them.

// Unreadable says why a document in the queue is not what it should be. Its holder is set aside; an error of a disk,
// of a network or of a limit is never this.
type Unreadable struct{ Reason string }

func (e *Unreadable) Error() string { return e.Reason }

func unreadablef(format string, args ...any) error {
	return &Unreadable{Reason: fmt.Sprintf(format, args...)}
}

// SetAside is an ErrNotFound with its reason: a session of this name could not be read, and lies elsewhere now.
type SetAside struct{ Broken }

func (e *SetAside) Error() string {
	return fmt.Sprintf("%q was set aside, it cannot be read: %s; it lies at %s", e.Name, e.Reason, e.MovedTo)
}

// Is reports that nothing is under that name any more.
func (e *SetAside) Is(target error) bool { return target == ErrNotFound }

// EncodeSession returns the document of a session; *Invalid beside it where no store would keep so large a one.
func EncodeSession(s Session) ([]byte, error) {
	raw, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("failed to encode session %q: %w", s.ID, err)
	}
	return raw, CheckSize(len(raw))
}

// DecodeSession reads a session that must have this id, and this revision unless it is 0. Of a newer schema it returns
// what it understands, beside ErrNewer; any other error is *Unreadable.
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
		return v, unreadablef("is no session: %v", err)
	case v.ID != id:
		return v, unreadablef("says it is session %q", v.ID)
	case revision != 0 && v.Revision != revision:
		return v, unreadablef("says it is revision %d", v.Revision)
	case v.Schema < 1 || v.Revision < 1 || len(v.Ask.Questions) == 0 && !v.IsMessage():
		return v, unreadablef("is no session: schema %d, revision %d, %d questions",
			v.Schema, v.Revision, len(v.Ask.Questions))
	}
	return v, nil
}

// MostAhead bounds how far ahead of now a live session's deadline may be: as long as a question may wait, and a day for
// the clock of the machine that set it.
const MostAhead = MaxTimeout + 24*time.Hour

// CheckDeadline returns *Unreadable for a live session that would wait for longer than any question may. One that has
// an outcome waits for nothing.
func CheckDeadline(s Session, now time.Time) error {
	if s.Outcome == nil && s.Deadline.After(now.Add(MostAhead)) {
		return unreadablef("waits until %s, and no question waits for longer than %d hours",
			s.Deadline.UTC().Format(time.RFC3339), MaxTimeout/time.Hour)
	}
	return nil
}

// isBare reports whether a document lacks what a session of any schema has: which revision it is and when it was asked.
func isBare(revision uint64, asked time.Time) bool { return revision < 1 || asked.IsZero() }

// bareWords say why a document of a newer schema cannot be read.
const bareWords = "is no session: it is of schema %d, and says no revision or not when it was asked"

// waitingPart holds the fields of a session that say whether it is pending, for whom and how urgently. Decoding only
// these saves half of the time.
type waitingPart struct {
	Schema   int    `json:"schema"`
	ID       string `json:"id"`
	Revision uint64 `json:"revision"`
	Origin   Origin `json:"origin"`
	Ask      struct {
		Kind      string     `json:"kind"`
		Title     string     `json:"title"`
		Questions []struct{} `json:"questions"`
	} `json:"ask"`
	AskedAt   time.Time   `json:"asked_at"`
	Deadline  time.Time   `json:"deadline"`
	Claim     *Claim      `json:"claim"`
	DroppedAt *time.Time  `json:"dropped_at"`
	Attached  *Attachment `json:"attached"`
	Widen     *struct {
		State string `json:"state"`
	} `json:"widen"`
	Perhaps string    `json:"perhaps"`
	Outcome *struct{} `json:"outcome"`
	Events  []struct {
		At time.Time `json:"at"`
	} `json:"events"`
}

// DecodePending reads of a session what Store.Pending promises; nil: it has an outcome. The session must have this id,
// and this revision unless it is 0, else the error is *Unreadable. One of a newer schema is read as far as it goes.
func DecodePending(raw []byte, id string, revision uint64) (*Session, error) {
	var p waitingPart
	err := json.Unmarshal(raw, &p)
	newer := p.Schema > Schema
	if err != nil && !newer {
		return nil, unreadablef("is no session: %v", err)
	}
	asks := len(p.Ask.Questions) > 0 || p.Ask.Kind == KindMessage
	other := revision != 0 && p.Revision != revision
	if !newer && (p.ID != id || other || p.Schema < 1 || !asks) {
		return nil, unreadablef("is no session: says it is %q, revision %d", p.ID, p.Revision)
	}
	if newer && isBare(max(revision, p.Revision), p.AskedAt) {
		return nil, unreadablef(bareWords, p.Schema)
	}
	if p.Outcome != nil {
		return nil, nil
	}
	v := &Session{
		Schema: p.Schema, ID: id, Revision: max(revision, p.Revision), Origin: p.Origin,
		Ask:     Ask{Kind: p.Ask.Kind, Title: p.Ask.Title},
		AskedAt: p.AskedAt, Deadline: p.Deadline, Claim: p.Claim, DroppedAt: p.DroppedAt, Attached: p.Attached,
		Perhaps: p.Perhaps,
	}
	if p.Widen != nil {
		v.Widen = &Widened{State: p.Widen.State}
	}
	if n := len(p.Events); n > 0 {
		v.Events = []Event{{At: p.Events[n-1].At}}
	}
	return v, nil
}

// CheckDraftName fails where a draft names no session or no instance that could be.
func CheckDraftName(d Draft) error {
	if !ValidID(d.Session) || !ValidInstance(d.Instance) {
		return fmt.Errorf("failed to keep a draft: %q by %q is no draft's name", d.Session, d.Instance)
	}
	return nil
}

// DecodeDraft reads the draft of this session by this instance, however old it is; any error is *Unreadable.
func DecodeDraft(raw []byte, session, instance string) (Draft, error) {
	var d Draft
	if err := json.Unmarshal(raw, &d); err != nil {
		return Draft{}, unreadablef("is no draft: %v", err)
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

// DecodePresence reads what a process says of itself; false: it is nothing that a process says.
func DecodePresence(raw []byte) (p Presence, ok bool) {
	err := json.Unmarshal(raw, &p)
	return p, err == nil && p.Instance != ""
}

// In reports whether a process has one of the roles. With no roles it always has.
func (p Presence) In(roles []string) bool { return len(roles) == 0 || slices.Contains(roles, p.Role) }

// SortPresences puts processes in the order of Store.Present: by instance, then by role.
func SortPresences(all []Presence) {
	slices.SortFunc(all, func(a, b Presence) int {
		return cmp.Or(cmp.Compare(a.Instance, b.Instance), cmp.Compare(a.Role, b.Role))
	})
}
