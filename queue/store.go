package queue

import "context"

// Store keeps sessions. It decides nothing: Transition decides, and Queue connects the two. The comments in this file
// are all that the author of a store needs, and storetest.Run tests them. For every method:
//
//   - Many goroutines and processes may use a store at once. The caller owns everything that is returned.
//   - If ctx has ended, the call returns its error, and has written nothing.
//   - Durable means that no kill and no power cut after the return undoes the write.
//   - An id that ValidID refuses names no session: ErrNotFound, or an error of the store's own from a method that
//     stores something under the id. The same holds for an instance and ValidInstance. Both may become file names or
//     keys.
//   - Sessions are returned as they are stored. A surface shows them as At(now).
//   - A session that a newer choicetui wrote, by its Schema, is returned as far as it is understood, and never written.
//     A store writes each session with Schema.
//   - Errors are those named here, to be matched with errors.Is and errors.As, or the store's own: a disk, a network.
type Store interface {
	// Create stores a new session at revision 1 and returns it; durable on return. ErrExists if a live session has its
	// id. After ErrInDoubt the session is stored, but perhaps not durable. After any other error nothing of it is
	// left.
	Create(ctx context.Context, s Session) (Session, error)
	// Get returns the live session, else the archived one. It also finds a session that is being archived just now.
	// ErrNotFound; ErrNewer beside the session.
	Get(ctx context.Context, id string) (Session, error)
	// Put is the compare-and-swap: it writes if the stored revision is s.Revision, and returns s with the next
	// revision; durable on return. Revisions have no gaps. If many callers put the same revision, exactly one
	// succeeds. ErrConflict if another revision is stored, live or archived. ErrFinal if the live session is Closed.
	// ErrNotFound if there is none, or if this very revision is archived. ErrNewer if s or the stored session has a
	// newer schema. *Invalid if s takes more than MaxSessionBytes; the stored session stays. After any other error the
	// write may have happened: look for the event with Get, and if it is there, call Sync.
	Put(ctx context.Context, s Session) (Session, error)
	// Sync makes the state that Get returns durable. It is for a write that is stored although its Put failed.
	// ErrNotFound.
	Sync(ctx context.Context, id string) error
	// Archive moves a session from the live ones into the history; durable on return. Any process may call it, more
	// than once. The stored session counts, not s: ErrPending if it is not Final. ErrNotFound; ErrNewer.
	Archive(ctx context.Context, s Session) error

	// Live returns every live session, in no order. It changes nothing: sessions that cannot be read are listed in
	// broken, with an empty MovedTo. If ctx ends first, the sessions read so far are returned beside its error.
	// Commands that read once use it, because a watch would cost them too much.
	Live(ctx context.Context) (live []Session, broken []Broken, err error)
	// Watch reports changes of the given sessions, or without ids of all live ones. ctx ends this call only, not the
	// watch.
	Watch(ctx context.Context, news News, ids ...string) (Watcher, error)

	// History pages through archived sessions, newest outcome first, each once. An empty cursor starts, an empty next
	// ends. A page has at least one session, whatever limit is. A cursor that no page returned as next may be refused.
	// With Outline a store may leave out what Session.Outline does.
	History(ctx context.Context, cursor string, limit int, fields Fields) (page []Session, next string, err error)
	// CountHistory returns the number of sessions in the history, without reading them.
	CountHistory(ctx context.Context) (int, error)

	// SaveDraft replaces the draft of one session and instance, dated now if d.At is zero. The draft survives kill
	// -9, but not always a power cut. The session need not exist.
	SaveDraft(ctx context.Context, d Draft) error
	// Drafts returns a session's drafts, newest first, none older than KeptFor.
	Drafts(ctx context.Context, id string) ([]Draft, error)
	// DropDraft removes one instance's draft. It is no error if there is none.
	DropDraft(ctx context.Context, id, instance string) error

	// Announce registers a running process until release is called or the process dies. release may be called twice.
	// ctx ends this call only.
	Announce(ctx context.Context, p Presence) (release func() error, err error)
	// Present lists the running processes by instance and role; with roles, only those that have one of them. A dead
	// process may still be listed for a while: 0 s on the spool, at most 20 s on NATS.
	Present(ctx context.Context, roles ...string) ([]Presence, error)
}

// News says what a watch reports beside the sessions.
type News int

const (
	// AllNews is for frontends: drafts, and each process that comes or goes.
	AllNews News = iota
	// FewNews is for a process that asked and waits for the answer: no drafts, and Presence only when a dashboard comes
	// or goes. A store may report more. On a server, each of thousands of agents is then told only of its own
	// sessions, while each frontend is told of everybody's.
	FewNews
)

// Watcher delivers changes to one reader.
type Watcher interface {
	// Next blocks until something changed, then returns all changes: the latest state of each session, with revisions
	// that never go back. Steps in between may be missing. No batch is empty except the first, which comes at once and
	// contains everything live, with its drafts; in it Presence is set, and Gone has the requested ids that are not
	// live. Next fails with ctx's error, and with fs.ErrClosed after Close; after any other error it may be called
	// again. A slow reader delays nobody else.
	Next(ctx context.Context) (Changes, error)
	// Close ends the watch and a blocked Next. It may be called from another goroutine, and twice.
	Close() error
}

// Changes is one batch of a watch.
type Changes struct {
	Sessions []Session
	Drafts   []Draft
	Gone     []string   // ids that are not live any more: archived, set aside, or lost
	Broken   []Broken   // documents set aside, because they are corrupt or foreign
	Presence bool       // the result of Present changed
	Host     *HostState // the connection to the host of the store, if it has changed; nil for a store on this machine
}

// Broken names a document in the queue that could not be read and was set aside.
type Broken struct {
	Name    string // its name in the queue
	MovedTo string // its present place, for a person who wants to look; empty: it was not moved
	Reason  string
}
