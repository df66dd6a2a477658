package spool

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// setAside moves what cannot be read out of the way, to aside/, with the reason in a file beside it. ok is false if
// it is no longer there and nobody set it aside: it was archived, or dropped.
func (s *Store) setAside(dir, name, reason string) (b queue.Broken, ok bool) {
	b = queue.Broken{Name: name, Reason: reason}
	if err := s.makeDir(s.path(asideDir)); err != nil {
		b.Reason += "; failed to set it aside: " + err.Error()
		return b, true
	}
	to := s.path(asideDir, clip(name)+"."+queue.NewToken())
	noted := s.writeNew(to+reasonSuffix, []byte(reason+"\n"), false)
	err := os.Rename(s.path(dir, name), to)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		_ = os.Remove(to + reasonSuffix)
		return s.wasSetAside(name)
	case err != nil:
		_ = os.Remove(to + reasonSuffix)
		b.Reason += "; failed to set it aside: " + err.Error()
		return b, true
	case noted != nil:
		b.Reason += "; failed to note the reason: " + noted.Error()
	}
	b.MovedTo = to
	return b, true
}

const reasonSuffix = ".reason"

// wasSetAside reports what another process set aside under this name.
func (s *Store) wasSetAside(name string) (queue.Broken, bool) {
	names, err := readNames(s.path(asideDir))
	if err != nil { // as a rule there is no such directory
		return queue.Broken{}, false
	}
	for _, n := range names {
		if !strings.HasPrefix(n, clip(name)+".") || strings.HasSuffix(n, reasonSuffix) {
			continue
		}
		to := s.path(asideDir, n)
		raw, _ := readFile(to + reasonSuffix)
		return queue.Broken{Name: name, MovedTo: to, Reason: cmp.Or(strings.TrimSpace(string(raw)), "was set aside")}, true
	}
	return queue.Broken{}, false
}

// clip leaves room for a token behind a name of any length.
func clip(name string) string { return filepath.Base(name[:min(len(name), 200)]) }

// unreadableReason tells what is wrong with a file from what is wrong with the machine.
func unreadableReason(err error) (string, bool) {
	var bad *unreadable
	if errors.As(err, &bad) {
		return bad.reason, true
	}
	if errors.Is(err, fs.ErrPermission) {
		return "cannot be read: " + err.Error(), true
	}
	return "", false
}

// lost reports a session that is not live any more, and why. Of a session asked for by id it is news that it
// never was, once.
func (w *watcher) lost(name string, seen bool, ch *queue.Changes) {
	if !seen && w.only == nil { // it came and went: somebody quicker may have set it aside
		if b, ok := w.store.wasSetAside(name); ok {
			ch.Broken = append(ch.Broken, b)
		}
		return
	}
	if !seen && !(w.only[name] && w.first) {
		return
	}
	delete(w.revisions, name)
	ch.Gone = append(ch.Gone, name)
	if b, ok := w.store.wasSetAside(name); ok {
		ch.Broken = append(ch.Broken, b)
	}
}

// refuse sets a session aside. It is in Gone too if the reader has it.
func (w *watcher) refuse(name, reason string, ch *queue.Changes) {
	if w.refused[name] {
		return
	}
	if b, ok := w.store.setAside(liveDir, name, reason); ok {
		ch.Broken = append(ch.Broken, b)
		w.refused[name] = b.MovedTo == ""
	}
	if _, seen := w.revisions[name]; seen || w.only[name] {
		delete(w.revisions, name)
		ch.Gone = append(ch.Gone, name)
	}
}
