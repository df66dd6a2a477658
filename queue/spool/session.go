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

// Create keeps a new session at revision 1. The directory is built in tmp and renamed in whole, so nobody sees
// half of it. queue.ErrExists if a live session has the id.
func (s *Store) Create(ctx context.Context, v queue.Session) (queue.Session, error) {
	if err := ctx.Err(); err != nil {
		return queue.Session{}, err
	}
	if !queue.ValidID(v.ID) {
		return queue.Session{}, fmt.Errorf("failed to keep a session: %q is no session id", v.ID)
	}
	v.Schema, v.Revision = v.NeedsSchema(), 1
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

func (s *Store) moveToLive(id string, raw []byte) error {
	if err := checkDir(s.dir, s.dir); err != nil { // it may have been opened to others while a bridge runs
		return err
	}
	if err := s.syncRoot(); err != nil {
		return err
	}
	staged := s.tempPath()
	if err := os.Mkdir(staged, 0o700); err != nil {
		return err
	}
	defer os.RemoveAll(staged)
	if err := s.writeNew(staged+"/"+revisionName(1), raw, true); err != nil {
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

// takeSessionBack removes a new session whose name could not be made durable, so that a refused ask leaves nothing
// behind. One that somebody has acted on in the meantime stays, since nothing that a person did is taken back: then the
// ask is in doubt.
func (s *Store) takeSessionBack(id string, cause error) error {
	away := s.tempPath()
	err := os.Rename(s.path(liveDir, id), away)
	if errors.Is(err, fs.ErrNotExist) { // the tree was removed under us
		return cause
	}
	if err != nil {
		return fmt.Errorf("%w: %w", queue.ErrInDoubt, errors.Join(cause, err))
	}
	if _, err := os.Lstat(away + "/" + revisionName(2)); err == nil {
		err := os.Rename(away, s.path(liveDir, id))
		return fmt.Errorf("%w: %w", queue.ErrInDoubt, errors.Join(cause, err))
	}
	_ = os.RemoveAll(away) // else swept later
	return cause
}

// Get returns the live session, else the archived one. It looks at the live ones twice, since a session may be
// archived between the two looks. A session that cannot be read is an error, never an older revision of it, and
// *queue.SetAside once it was moved out of the way.
func (s *Store) Get(ctx context.Context, id string) (queue.Session, error) {
	if !queue.ValidID(id) {
		return queue.Session{}, queue.ErrNotFound
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

// Put writes the next revision if the stored one is v.Revision. It returns queue.ErrConflict otherwise, also for a
// session that was archived meanwhile, since it has changed too; queue.ErrFinal if the stored session is Closed, and
// queue.ErrNotFound if it does not exist. A session larger than queue.MaxSessionBytes is *queue.Invalid.
func (s *Store) Put(ctx context.Context, v queue.Session) (queue.Session, error) {
	if err := ctx.Err(); err != nil {
		return queue.Session{}, err
	}
	if !queue.ValidID(v.ID) {
		return queue.Session{}, queue.ErrNotFound
	}
	now, err := s.readLive(v.ID)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return queue.Session{}, s.explainMissing(v.ID, v.Revision)
	case errors.Is(err, queue.ErrNewer) || v.Schema > queue.Schema:
		return queue.Session{}, queue.ErrNewer
	case err != nil:
		return queue.Session{}, fmt.Errorf("failed to read session %q: %w", v.ID, err)
	case now.Revision != v.Revision:
		return queue.Session{}, queue.ErrConflict
	case now.Closed():
		return queue.Session{}, queue.ErrFinal // Archive may be under way: it would leave this revision behind
	}
	v.Schema = v.NeedsSchema()
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

// commitRevision links one revision. Once the link is seen by its path the session has it, whatever happens after.
func (s *Store) commitRevision(id string, revision uint64, raw []byte) error {
	staged, name := s.tempPath(), s.path(liveDir, id, revisionName(revision))
	if err := s.writeNew(staged, raw, true); err != nil {
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
			return queue.ErrConflict // swept away: this process stood still for an hour, and has to read again
		}
		return s.explainMissing(id, revision-1)
	case err != nil:
		return fmt.Errorf("failed to write session %q: %w", id, err)
	}
	// The directory may have been archived while the link was under way: then the name is not where readers look.
	switch there, err := os.Lstat(name); {
	case errors.Is(err, fs.ErrNotExist):
		return s.explainMissing(id, revision-1)
	case err != nil:
		return fmt.Errorf("failed to confirm session %q: %w", id, err)
	case !os.SameFile(ours, there):
		return queue.ErrConflict
	}
	return s.syncLive(id)
}

// Sync makes the newest revision of a session durable.
func (s *Store) Sync(ctx context.Context, id string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !queue.ValidID(id) {
		return queue.ErrNotFound
	}
	return s.syncLive(id)
}

// syncLive makes the names of a session's revisions durable, and tells everyone to look. Each file was durable before
// it got its name. A session that is archived by now is durable in done/: whoever archived it saw to that.
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

// ringWatchers wakes everyone who watches live/. It is a hint; whoever misses it polls.
func (s *Store) ringWatchers(id string) {
	now := time.Now()
	_ = os.Chtimes(s.path(liveDir, id), now, now)
}

// explainMissing says why a session is not among the live ones to a writer that had this revision of it.
func (s *Store) explainMissing(id string, revision uint64) error {
	if v, err := s.readDone(id); (err == nil || errors.Is(err, queue.ErrNewer)) && v.Revision != revision {
		return queue.ErrConflict
	}
	return queue.ErrNotFound
}

// Archive moves a Final session to done/. The stored session decides, not the caller's copy.
func (s *Store) Archive(ctx context.Context, v queue.Session) error {
	if err := ctx.Err(); err != nil {
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
	_ = os.RemoveAll(away) // else swept later
	return nil
}

// linkDone gives a session its name in done/, and returns the month. Where a copy of it that departed has that name,
// as it has if the session was answered before, it takes the next.
func (s *Store) linkDone(v queue.Session) (month string, err error) {
	from := s.path(liveDir, v.ID, revisionName(v.Revision))
	for later := range queue.MaxEvents { // each copy that departed has one event more
		month, name := laterName(v, later)
		to := s.path(doneDir, month, name)
		err := linkNew(from, to)
		if errors.Is(err, fs.ErrNotExist) {
			if err := s.makeDir(s.path(doneDir, month)); err != nil {
				return "", err
			}
			err = linkNew(from, to)
		}
		if !errors.Is(err, fs.ErrExist) {
			return month, err
		}
		switch err := sameBytes(from, to); {
		case errors.Is(err, errOther) && givesWay(v, to):
		case err == nil, errors.Is(err, fs.ErrNotExist):
			return month, nil
		default:
			return "", err
		}
	}
	return "", fmt.Errorf("%q %w", v.ID, errOther)
}

// givesWay reports whether a file in done/ is an earlier copy of a session, which departed.
func givesWay(v queue.Session, path string) bool {
	raw, err := readFile(path)
	if err != nil {
		return false
	}
	old, err := queue.DecodeSession(raw, v.ID, 0)
	return err == nil && queue.Supersedes(v, old)
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

// sameBytes accepts a copy of the session in done/, as a restored backup leaves it; errOther if it differs.
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

// errOther says what is the matter with a name in done/.
var errOther = errors.New("is there with other contents")

// readLive reads the highest revision. fs.ErrNotExist, *queue.Unreadable, queue.ErrNewer beside the session.
func (s *Store) readLive(id string) (queue.Session, error) {
	top, err := s.highestRevision(id)
	if err != nil {
		return queue.Session{}, err
	}
	return s.readRevision(id, top)
}

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
		if _, err := os.Lstat(dir); err != nil { // archived while we listed it
			return 0, err
		}
		return 0, unreadablef("no question is in it")
	}
	return top, nil
}

func revisionName(n uint64) string { return fmt.Sprintf("%06d.json", n) }

func parseRevision(name string) (uint64, bool) {
	digits, ok := strings.CutSuffix(name, ".json")
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	return n, err == nil && n > 0 && revisionName(n) == name
}

const (
	readers   = 4  // the disk and the decoder have something to do at the same time
	fewToRead = 16 // so few are read without company
)

// Live reads every live session once. It needs no watch: that would cost a command an inotify instance, and the kernel
// takes some 10 ms to let go of one when the process ends.
func (s *Store) Live(ctx context.Context) ([]queue.Session, []queue.Broken, error) {
	names, err := s.liveNames()
	if err != nil {
		return nil, nil, err
	}
	b := batch{watcher: &watcher{store: s, known: nothingKnown(), marked: nothingMarked()}}
	for i, found := range b.readAll(names) {
		b.addSession(names[i], found)
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	return b.Sessions, b.Broken, nil
}

// Pending reads in a hurry what waits. What cannot be read it leaves where it is, for a watch to set aside. It does not
// wait for a disk that hangs when ctx has ended.
func (s *Store) Pending(ctx context.Context) ([]queue.Session, []queue.Broken, error) {
	names, err := s.liveNames()
	if err != nil {
		return nil, nil, err
	}
	var mu sync.Mutex
	var pending []queue.Session
	var broken []queue.Broken
	read := make(chan struct{})
	go func() {
		defer close(read)
		inParallel(len(names), func(i int) {
			if !queue.ValidID(names[i]) || ctx.Err() != nil { // what is no session keeps nobody waiting
				return
			}
			found, err := s.readPending(names[i])
			mu.Lock()
			defer mu.Unlock()
			switch {
			case found != nil && err == nil:
				pending = append(pending, *found)
			case err != nil && !errors.Is(err, fs.ErrNotExist): // else it was archived meanwhile
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
	return slices.Clip(pending), slices.Clip(broken), ctx.Err()
}

// liveNames lists live/, which may be missing.
func (s *Store) liveNames() ([]string, error) {
	names, err := readNames(s.path(liveDir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("failed to list the sessions: %w", err)
	}
	return names, nil
}

// readPending reads one session; nil: it waits for nobody.
func (s *Store) readPending(id string) (*queue.Session, error) {
	top, err := s.highestRevision(id)
	if err != nil {
		return nil, err
	}
	raw, err := readFile(s.path(liveDir, id, revisionName(top)))
	if err != nil {
		return nil, err
	}
	v, err := queue.DecodePending(raw, id, top)
	if v == nil || v.Schema > queue.Schema {
		return v, err
	}
	return v, queue.CheckDeadline(*v, time.Now())
}

// reading is a session as its directory shows it. Where the reader knows that revision already, it is not read.
type reading struct {
	top     uint64
	session queue.Session
	err     error
}

// readAll reads sessions by name, in their order: at start hundreds of them, which is most of what a first frame
// waits for.
func (w *watcher) readAll(names []string) []reading {
	found := make([]reading, len(names))
	inParallel(len(names), func(i int) { found[i] = w.readOne(names[i]) })
	return found
}

// readOne only reads, also what the watcher knows: many run at once.
func (w *watcher) readOne(name string) (r reading) {
	if !queue.ValidID(name) {
		return r
	}
	if r.top, r.err = w.store.highestRevision(name); r.err == nil && r.top > w.revisions[name] {
		r.session, r.err = w.store.readRevision(name, r.top)
	}
	return r
}

// inParallel calls do with every number below n, several at once where there are many.
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
