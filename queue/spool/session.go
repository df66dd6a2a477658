package spool

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// Create stores a new session at revision 1. It builds the session's directory in tmp and renames the whole, so that
// no reader sees half of it. It fails with queue.ErrExists if a live session has the id.
func (s *Store) Create(ctx context.Context, v queue.Session) (queue.Session, error) {
	if err := s.begin(ctx); err != nil {
		return queue.Session{}, err
	}
	if !queue.ValidID(v.ID) {
		return queue.Session{}, fmt.Errorf("failed to keep a session: %q is not a session id", v.ID)
	}
	v.Schema, v.Revision = queue.Schema, 1
	raw, err := queue.EncodeSession(v)
	if err != nil {
		return queue.Session{}, err
	}
	err = s.writeInTree(func() error { return s.moveToLive(v.ID, raw) })
	if err != nil {
		return queue.Session{}, fmt.Errorf("failed to keep session %q: %w", v.ID, err)
	}
	return v, nil
}

// moveToLive builds a new session's directory in tmp/, moves it to live/ and makes it durable.
func (s *Store) moveToLive(id string, raw []byte) error {
	if err := s.syncRoot(); err != nil {
		return err
	}
	staged := s.tempPath()
	if err := os.Mkdir(staged, 0o700); err != nil {
		return err
	}
	defer os.RemoveAll(staged)
	if err := s.writeNew(staged+"/"+revisionName(1), raw, durable); err != nil {
		return err
	}
	if err := s.syncDir(staged); err != nil {
		return err
	}
	err := os.Rename(staged, s.path(liveDir, id))
	if errors.Is(err, fs.ErrExist) || errors.Is(err, syscall.ENOTEMPTY) || errors.Is(err, syscall.ENOTDIR) {
		return queue.ErrExists
	}
	if err != nil {
		return err
	}
	if err := s.syncDir(s.path(liveDir)); err != nil {
		return s.takeSessionBack(id, err)
	}
	return nil
}

// takeSessionBack removes a new session whose name could not be made durable, so that a failed Create leaves nothing
// behind. If somebody has acted on the session in the meantime it stays, because a person's work is never removed;
// then Create fails with queue.ErrInDoubt.
func (s *Store) takeSessionBack(id string, cause error) error {
	away := s.tempPath()
	err := os.Rename(s.path(liveDir, id), away)
	if errors.Is(err, fs.ErrNotExist) { // somebody removed the tree
		return cause
	}
	if err != nil {
		return fmt.Errorf("%w: %w", queue.ErrInDoubt, errors.Join(cause, err))
	}
	if _, err := os.Lstat(away + "/" + revisionName(2)); err == nil {
		err := os.Rename(away, s.path(liveDir, id))
		return fmt.Errorf("%w: %w", queue.ErrInDoubt, errors.Join(cause, err))
	}
	_ = os.RemoveAll(away) // sweepTmp removes the rest
	return cause
}

// Get returns the live session, else the archived one. It looks among the live ones twice, because a session may be
// archived between two looks. A session that cannot be read is an error, never an older revision of it. The error is
// *queue.SetAside if the session was set aside.
func (s *Store) Get(ctx context.Context, id string) (queue.Session, error) {
	if !queue.ValidID(id) {
		return queue.Session{}, queue.ErrNotFound
	}
	if err := s.begin(ctx); err != nil {
		return queue.Session{}, err
	}
	for _, look := range []func(string) (queue.Session, error){s.readLive, s.readDone, s.readLive} {
		if err := ctx.Err(); err != nil {
			return queue.Session{}, err
		}
		v, err := look(id)
		switch {
		case err == nil || errors.Is(err, queue.ErrNewer):
			return v, err
		case !errors.Is(err, fs.ErrNotExist):
			return queue.Session{}, fmt.Errorf("failed to read session %q: %w", id, err)
		}
	}
	if moved, ok := s.wasSetAside(id); ok {
		return queue.Session{}, &queue.SetAside{Broken: moved}
	}
	return queue.Session{}, queue.ErrNotFound
}

// Put writes the next revision if the stored one is v.Revision. It fails with queue.ErrConflict if another revision
// is stored, or if a later revision was archived meanwhile; with queue.ErrFinal if the stored session is Closed; with
// queue.ErrNotFound if there is none; and with *queue.Invalid if v takes more than queue.MaxSessionBytes.
func (s *Store) Put(ctx context.Context, v queue.Session) (queue.Session, error) {
	if err := s.begin(ctx); err != nil {
		return queue.Session{}, err
	}
	if !queue.ValidID(v.ID) {
		return queue.Session{}, queue.ErrNotFound
	}
	now, err := s.readLive(v.ID)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return queue.Session{}, s.missingError(v.ID, v.Revision)
	case errors.Is(err, queue.ErrNewer) || v.Schema > queue.Schema:
		return queue.Session{}, queue.ErrNewer
	case err != nil:
		return queue.Session{}, fmt.Errorf("failed to read session %q: %w", v.ID, err)
	case now.Revision != v.Revision:
		return queue.Session{}, queue.ErrConflict
	case now.Closed():
		return queue.Session{}, queue.ErrFinal // Archive may be under way, and would lose this revision
	}
	v.Schema = queue.Schema
	v.Revision++
	raw, err := queue.EncodeSession(v)
	if err != nil {
		return queue.Session{}, err
	}
	if err := s.commitRevision(v.ID, v.Revision, raw); err != nil {
		return queue.Session{}, err
	}
	return v, nil
}

// commitRevision links a staged file to the name of the revision. As soon as the link is found by its path, the
// session has this revision, whatever fails afterwards.
func (s *Store) commitRevision(id string, revision uint64, raw []byte) error {
	staged, name := s.tempPath(), s.path(liveDir, id, revisionName(revision))
	if err := s.writeNew(staged, raw, durable); err != nil {
		return fmt.Errorf("failed to write session %q: %w", id, err)
	}
	defer os.Remove(staged)
	ours, err := os.Lstat(staged)
	if err == nil {
		err = linkNew(staged, name)
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		return queue.ErrConflict
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(staged); errors.Is(err, fs.ErrNotExist) {
			return queue.ErrConflict // swept from tmp: this process was suspended for an hour, and has to read again
		}
		return s.missingError(id, revision-1)
	case err != nil:
		return fmt.Errorf("failed to write session %q: %w", id, err)
	}
	// If the session's directory was moved by Archive during the link, readers do not find the new name.
	switch there, err := os.Lstat(name); {
	case errors.Is(err, fs.ErrNotExist):
		return s.missingError(id, revision-1)
	case err != nil:
		return fmt.Errorf("failed to confirm session %q: %w", id, err)
	case !os.SameFile(ours, there):
		return queue.ErrConflict
	}
	return s.syncLive(id)
}

// Sync makes the newest revision of a session durable.
func (s *Store) Sync(ctx context.Context, id string) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	if !queue.ValidID(id) {
		return queue.ErrNotFound
	}
	return s.syncLive(id)
}

// syncLive makes the names of a session's revisions durable and wakes all watchers. The files were made durable
// before they got their names. If the session is archived by now, Archive has made it durable in done/.
func (s *Store) syncLive(id string) error {
	err := s.syncDir(s.path(liveDir, id))
	if errors.Is(err, fs.ErrNotExist) {
		if _, err = s.readDone(id); errors.Is(err, queue.ErrNewer) {
			err = nil
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return queue.ErrNotFound
	case err != nil:
		return fmt.Errorf("failed to make session %q durable: %w", id, err)
	}
	s.ringWatchers(id)
	return nil
}

// ringWatchers wakes every process that watches live/, by touching the session's directory. A watcher that misses
// this finds the change when it polls.
func (s *Store) ringWatchers(id string) {
	now := time.Now()
	_ = os.Chtimes(s.path(liveDir, id), now, now)
}

// missingError returns the error for a writer that has read this revision and now finds no live session:
// queue.ErrConflict if another revision was archived meanwhile, else queue.ErrNotFound.
func (s *Store) missingError(id string, revision uint64) error {
	if v, err := s.readDone(id); (err == nil || errors.Is(err, queue.ErrNewer)) && v.Revision != revision {
		return queue.ErrConflict
	}
	return queue.ErrNotFound
}

// Archive moves a Final session to done/. The stored session decides, not the caller's copy.
func (s *Store) Archive(ctx context.Context, v queue.Session) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	if !queue.ValidID(v.ID) {
		return queue.ErrNotFound
	}
	now, err := s.readLive(v.ID)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s.checkArchived(v)
	case errors.Is(err, queue.ErrNewer):
		return queue.ErrNewer
	case err != nil:
		return fmt.Errorf("failed to read session %q: %w", v.ID, err)
	case !now.Final:
		return queue.ErrPending
	}
	if err := s.moveToDone(now); err != nil {
		return fmt.Errorf("failed to archive session %q: %w", v.ID, err)
	}
	return nil
}

// moveToDone links a session's last revision into done/ and then removes its directory from live/.
func (s *Store) moveToDone(v queue.Session) error {
	month, err := s.linkDone(v)
	switch {
	case errors.Is(err, fs.ErrNotExist): // somebody else just archived it
		return s.checkArchived(v)
	case err != nil:
		return err
	}
	if err := s.syncDir(s.path(doneDir, month)); err != nil {
		return err
	}
	if err := s.syncDir(s.path(doneDir)); err != nil {
		return err
	}
	away := s.tempPath()
	if err := os.Rename(s.path(liveDir, v.ID), away); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	_ = os.RemoveAll(away) // sweepTmp removes the rest
	return nil
}

// linkDone links a session's last revision into done/ and returns the month.
func (s *Store) linkDone(v queue.Session) (month string, err error) {
	month, name := doneName(v)
	from, to := s.path(liveDir, v.ID, revisionName(v.Revision)), s.path(doneDir, month, name)
	err = linkNew(from, to)
	if errors.Is(err, fs.ErrNotExist) {
		if err := s.makeDir(s.path(doneDir, month)); err != nil {
			return "", err
		}
		err = linkNew(from, to)
	}
	if !errors.Is(err, fs.ErrExist) {
		return month, err
	}
	if err := sameBytes(from, to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	return month, nil
}

// checkArchived returns nil if the session is in done/, else queue.ErrNotFound.
func (s *Store) checkArchived(v queue.Session) error {
	month, name := doneName(v)
	if _, err := os.Lstat(s.path(doneDir, month, name)); err == nil {
		return nil
	}
	if _, err := s.readDone(v.ID); errors.Is(err, fs.ErrNotExist) {
		return queue.ErrNotFound
	}
	return nil
}

// sameBytes returns errOther if two files differ. The same session may be live and archived after a backup was
// restored.
func sameBytes(a, b string) error {
	ra, err := readFile(a)
	if err != nil {
		return err
	}
	rb, err := readFile(b)
	if err != nil {
		return err
	}
	if !bytes.Equal(ra, rb) {
		return fmt.Errorf("%q %w", b, errOther)
	}
	return nil
}

// errOther means that a name in done/ is used by another file.
var errOther = errors.New("is there with other contents")

// readLive reads the highest revision. It fails with fs.ErrNotExist, *queue.Unreadable, or, beside the session,
// queue.ErrNewer.
func (s *Store) readLive(id string) (queue.Session, error) {
	top, err := s.highestRevision(id)
	if err != nil {
		return queue.Session{}, err
	}
	return s.readRevision(id, top)
}

// readRevision reads one revision of a live session. It fails as readLive does.
func (s *Store) readRevision(id string, n uint64) (queue.Session, error) {
	raw, err := readFile(s.path(liveDir, id, revisionName(n)))
	if err != nil {
		return queue.Session{}, err
	}
	v, err := queue.DecodeSession(raw, id, n)
	if err != nil {
		return v, err
	}
	return v, queue.CheckDeadline(v, time.Now())
}

// highestRevision returns the number of the newest revision.
func (s *Store) highestRevision(id string) (uint64, error) {
	dir := s.path(liveDir, id)
	names, err := readNames(dir)
	if err != nil {
		return 0, err
	}
	var top uint64
	for _, name := range names {
		if n, ok := parseRevision(name); ok {
			top = max(top, n)
		}
	}
	if top == 0 {
		if _, err := os.Lstat(dir); err != nil { // archived while it was listed
			return 0, err
		}
		return 0, unreadablef("no question is in it")
	}
	return top, nil
}

func revisionName(n uint64) string { return fmt.Sprintf("%06d.json", n) }

// parseRevision returns the number in the name of a revision's file. ok is false for any other name.
func parseRevision(name string) (uint64, bool) {
	digits, ok := strings.CutSuffix(name, ".json")
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	return n, err == nil && n > 0 && revisionName(n) == name
}

const (
	readers   = 4  // goroutines that read, so that the disk and the decoder work at the same time
	fewToRead = 16 // up to this number of sessions one goroutine reads all
)

// Live reads every live session once. It does not use a watch, which would cost a command an inotify instance: the
// kernel needs about 10 ms to free that when the process ends. If the disk hangs, it returns when ctx ends.
func (s *Store) Live(ctx context.Context) ([]queue.Session, []queue.Broken, error) {
	names, err := s.liveNames(ctx)
	if err != nil {
		return nil, nil, err
	}
	var mu sync.Mutex
	var live []queue.Session
	var broken []queue.Broken
	read := make(chan struct{})
	go func() {
		defer close(read)
		inParallel(len(names), func(i int) {
			if !queue.ValidID(names[i]) || ctx.Err() != nil { // other names in live/ are not sessions
				return
			}
			v, err := s.readLive(names[i])
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil, errors.Is(err, queue.ErrNewer):
				live = append(live, v)
			case !errors.Is(err, fs.ErrNotExist): // a missing one was archived meanwhile
				broken = append(broken, queue.Broken{Name: names[i], Reason: err.Error()})
			}
		})
	}()
	select {
	case <-read:
	case <-ctx.Done():
	}
	mu.Lock()
	defer mu.Unlock()
	return slices.Clip(live), slices.Clip(broken), ctx.Err()
}

// liveNames lists live/. A missing directory has no names.
func (s *Store) liveNames(ctx context.Context) ([]string, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	names, err := readNames(s.path(liveDir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("failed to list the sessions: %w", err)
	}
	return names, nil
}

// reading is the result of readOne. session is set only if the reader did not know the revision top yet.
type reading struct {
	top     uint64
	session queue.Session
	err     error
}

// readAll reads sessions by name and returns them in the same order. At the start of a dashboard these are hundreds,
// and take most of the time before the first frame.
func (w *watcher) readAll(names []string) []reading {
	found := make([]reading, len(names))
	inParallel(len(names), func(i int) { found[i] = w.readOne(names[i]) })
	return found
}

// readOne reads one session unless the watcher knows its highest revision. It changes nothing, because several run at
// once.
func (w *watcher) readOne(name string) (r reading) {
	if !queue.ValidID(name) {
		return r
	}
	if r.top, r.err = w.store.highestRevision(name); r.err == nil && r.top > w.revisions[name] {
		r.session, r.err = w.store.readRevision(name, r.top)
	}
	return r
}

// inParallel calls do for every number below n, from several goroutines if there are many.
func inParallel(n int, do func(i int)) {
	if n <= fewToRead {
		for i := range n {
			do(i)
		}
		return
	}
	var next atomic.Int64
	var all sync.WaitGroup
	for range readers {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	all.Wait()
}
