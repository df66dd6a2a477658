package queue

import "context"

// Store keeps sessions and decides nothing: Transition decides, and Queue joins the two. A store is written from this
// file alone, and storetest.Run tests all of it. What holds for every method:
//
//   - Many goroutines and processes may use a store at once. Nothing that is returned is shared with it.
//   - A ctx that has ended ends the call with its error, and then nothing was written.
//   - Durable means that no kill and no power cut after the return undoes it.
//   - An id that ValidID refuses names no session: ErrNotFound, or an error of the store's own where something is kept
//     under it. The same holds for an instance and ValidInstance. Both may become names of files or keys.
//   - Sessions are returned as they are stored. Whoever shows one asks for it At(now).
//   - A session that a newer choicetui wrote, by its Schema, is returned as far as it is understood and never written.
//     Every session is kept under this Schema.
//   - Errors are the ones named here, to be matched with errors.Is and errors.As, or the store's own: a disk, a
//     network.
type Store interface {
	// Create keeps a new session at revision 1 and returns it so; durable on return. ErrExists if a live session has
	// its id. After any other error nothing of it is left, but for ErrInDoubt: it is there, and perhaps not durable.
	Create(ctx context.Context, s Session) (Session, error)
	// Get returns the live session, else the archived one; of one that is on its way there it finds either. Of a
	// session that departed and came back it returns what it is now, not the departed copy. ErrNotFound; ErrNewer
	// beside the session.
	Get(ctx context.Context, id string) (Session, error)
	// Put is the compare-and-swap: it writes if the stored revision is s.Revision, and returns s with the next one;
	// durable on return. Revisions have no gaps, and of many who put the same one exactly one is not refused.
	// ErrConflict if another revision is stored, live or archived; ErrFinal if the live session is Closed; ErrNotFound,
	// also for the archived session itself; ErrNewer if either is of a newer schema; *Invalid if it takes more than
	// MaxSessionBytes, and what was stored stays. Any other error is ambiguous: Get and look for the event, and where
	// it is there, Sync.
	Put(ctx context.Context, s Session) (Session, error)
	// Sync makes durable what Get returns of a session, for whoever finds a write that no Put acknowledged.
	// ErrNotFound.
	Sync(ctx context.Context, id string) error
	// Archive moves a session out of the live ones into the history; durable on return, idempotent, by anyone. The
	// stored session decides, not s: ErrPending if it is not Final. ErrNotFound; ErrNewer. Departed copies of it that
	// the history has stay there beside it.
	Archive(ctx context.Context, s Session) error

	// Live returns every live session once, in no order, and what of them could not be read and was set aside. It is
	// for a command that looks and goes, to which a watch would cost too much.
	Live(ctx context.Context) ([]Session, []Broken, error)
	// Pending is Live in a hurry: only sessions without an outcome, messages too, and of each only what says whether
	// it waits, for whom and how urgently: Schema, ID, Revision, Origin, Ask.Kind, Ask.Title, AskedAt, Deadline,
	// Claim, DroppedAt, Attached, Widen.State, and of the last event the time. It changes nothing: what cannot be read
	// is named in broken with an empty MovedTo. When ctx ends first, what was read until then comes beside its error.
	Pending(ctx context.Context) (pending []Session, broken []Broken, err error)
	// Watch reports the given sessions, or with no ids all live ones. ctx counts for this call only.
	Watch(ctx context.Context, ids ...string) (Watcher, error)
	// Follow is Watch for a process that asked and waits: without drafts, and of Presence it says only that a dashboard
	// came or went. A store may report more. On a server, thousands that follow cost what they ask; thousands that
	// watch are each told of all the others.
	Follow(ctx context.Context, ids ...string) (Watcher, error)

	// History pages through archived sessions, newest outcome first, each once, and departed copies as well; cursor ""
	// starts, next "" ends. At least one session a page, whatever limit is. A cursor that is no page's next may be
	// refused.
	History(ctx context.Context, cursor string, limit int) (page []Session, next string, err error)
	// CountHistory returns the number of sessions that History pages through, without reading them.
	CountHistory(ctx context.Context) (int, error)

	// SaveDraft keeps the latest draft per session and instance, dated now if d.At is zero. It survives kill -9; it
	// need not survive a power cut. The session need not exist.
	SaveDraft(ctx context.Context, d Draft) error
	// Drafts returns a session's drafts, newest first, none older than KeptFor.
	Drafts(ctx context.Context, id string) ([]Draft, error)
	// DropDraft forgets one instance's draft; it is no error if it does not exist.
	DropDraft(ctx context.Context, id, instance string) error

	// Announce says that a process runs until release is called, which may be twice, or until it dies. ctx counts for
	// this call only.
	Announce(ctx context.Context, p Presence) (release func() error, err error)
	// Present lists the running processes by instance and role, and with roles only those that have one of them. It may
	// lag a death: 0 s on the spool, at most 20 s on NATS.
	Present(ctx context.Context, roles ...string) ([]Presence, error)
}

// Watcher delivers changes to one reader.
type Watcher interface {
	// Next blocks until something changed, then returns all of it: the latest state per session, revisions never
	// going back, steps between maybe missing, no batch empty. The first batch is everything live, with its drafts, and
	// comes at once even if there is nothing; in it Presence is set and Gone has the ids asked for that are not live.
	// It fails with ctx's error, and with fs.ErrClosed after Close; after any other error it may be called again. A
	// slow reader costs nobody.
	Next(ctx context.Context) (Changes, error)
	// Close ends the watch and a Next that blocks. It may come from another goroutine, and twice.
	Close() error
}

// Changes holds one batch of a watch.
type Changes struct {
	Sessions []Session
	Drafts   []Draft
	Gone     []string // ids that are not live any more: archived, set aside, or lost
	Broken   []Broken // set aside: corrupt or foreign
	Presence bool     // Present changed
	Degraded bool     // notifications are lost, the store is polled
}

// Broken names something in the queue that could not be read and was set aside.
type Broken struct {
	Name    string // as it was called in the queue
	MovedTo string // where it lies now, for the person who wants to look; empty: it still is where it was
	Reason  string
}
