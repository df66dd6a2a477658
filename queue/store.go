package queue

import "context"

// Store keeps sessions and decides nothing. Many goroutines and processes may use it at once.
type Store interface {
	// Create keeps a new session at revision 1; durable on return. ErrExists. After any other error nothing of it is
	// left, but for ErrInDoubt: it is there, and perhaps not durable.
	Create(ctx context.Context, s Session) (Session, error)
	// Get returns the live session, else the archived one. ErrNotFound; ErrNewer beside the session when a newer
	// choicetui wrote it.
	Get(ctx context.Context, id string) (Session, error)
	// Put writes if the stored revision still is s.Revision, and returns s with the next one; durable on return.
	// ErrConflict, ErrNotFound, ErrNewer, ErrFinal, *Invalid where it is too large to keep; any other error is
	// ambiguous: Get and look for the event, and where it is there, Sync.
	Put(ctx context.Context, s Session) (Session, error)
	// Sync makes durable what Get returns of a session, for whoever finds a write that no Put acknowledged.
	// ErrNotFound.
	Sync(ctx context.Context, id string) error
	// Archive moves a Final session out of the live ones; idempotent, by anyone. ErrPending if it is not final.
	Archive(ctx context.Context, s Session) error
	// Watch reports the given sessions, or with no ids all live ones.
	Watch(ctx context.Context, ids ...string) (Watcher, error)
	// History pages through archived sessions only, newest first; cursor "" starts, next "" ends.
	History(ctx context.Context, cursor string, limit int) (page []Session, next string, err error)
	// SaveDraft keeps the latest draft per session and instance; it survives kill -9.
	SaveDraft(ctx context.Context, d Draft) error
	// Drafts returns a session's drafts, newest first, none older than KeptFor.
	Drafts(ctx context.Context, id string) ([]Draft, error)
	// DropDraft forgets one instance's draft; it is no error if there is none.
	DropDraft(ctx context.Context, id, instance string) error
	// Announce says that a process runs until release is called or it dies.
	Announce(ctx context.Context, p Presence) (release func() error, err error)
	// Present lists the running processes. It may lag a death: 0 s on the spool, at most 20 s on NATS.
	Present(ctx context.Context) ([]Presence, error)
}

// Watcher delivers changes to one reader.
type Watcher interface {
	// Next blocks until something changed, then returns all of it: the latest state per session, revisions never
	// going back, steps between maybe missing. The first batch is everything live. A slow reader costs nobody.
	Next(ctx context.Context) (Changes, error)
	Close() error
}

// Changes is one batch of a watch.
type Changes struct {
	Sessions []Session
	Drafts   []Draft
	Gone     []string // ids archived since
	Broken   []Broken // set aside: corrupt or foreign
	Presence bool     // Present changed
	Degraded bool     // notifications are lost, the store is polled
}

// Broken names something in the queue that could not be read and was set aside.
type Broken struct {
	Name    string // as it was called in the queue
	MovedTo string // where it lies now, for the person who wants to look
	Reason  string
}
