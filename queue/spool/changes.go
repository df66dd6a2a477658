package spool

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// gatherChanges reads everything that is marked. any is false if there is nothing to tell.
func (w *watcher) gatherChanges() (ch queue.Changes, any bool) {
	if w.rescan {
		w.rescan = false
		w.markEverything()
	}
	names := slices.Sorted(maps.Keys(w.dirty))
	for i, found := range w.readAll(names) {
		w.reportSession(names[i], found, &ch)
	}
	clear(w.dirty)
	for _, name := range slices.Sorted(maps.Keys(w.dirtyDrafts)) {
		w.reportDraft(name, &ch)
	}
	clear(w.dirtyDrafts)
	if w.presence {
		w.presence = false
		w.reportPresence(&ch)
	}
	ch.Degraded = w.handle() == nil
	any = w.first || w.told != ch.Degraded || ch.Presence ||
		len(ch.Sessions)+len(ch.Drafts)+len(ch.Gone)+len(ch.Broken) > 0
	ch.Presence = ch.Presence || w.first
	w.first, w.told = false, ch.Degraded
	return ch, any
}

// reportSession tells of a session if it is newer than what the reader knows.
func (w *watcher) reportSession(name string, found reading, ch *queue.Changes) {
	if !queue.ValidID(name) {
		w.removeForeign(name, ch)
		return
	}
	known, seen := w.revisions[name]
	v, err := found.session, found.err
	if err == nil && found.top <= known {
		return
	}
	switch bad, isBad := unreadableReason(err); {
	case err == nil, errors.Is(err, queue.ErrNewer):
		if v.Revision > known {
			w.revisions[name] = v.Revision
			ch.Sessions = append(ch.Sessions, v)
		}
	case errors.Is(err, fs.ErrNotExist):
		w.reportGone(name, seen, ch)
	case isBad:
		w.refuseSession(name, bad, ch)
	default: // too many open files, a disk error: not the session's fault
		w.retry[name] = true
	}
}

// removeForeign sets aside what is no session. Hidden names are the system's (.DS_Store, .nfs…) and stay.
func (w *watcher) removeForeign(name string, ch *queue.Changes) {
	if w.only != nil || strings.HasPrefix(name, ".") || w.refused[name] {
		return
	}
	if _, err := markOf(w.store.path(liveDir, name)); err != nil {
		return
	}
	if b, ok := w.store.setAside(liveDir, name, "is no session of this queue"); ok {
		ch.Broken = append(ch.Broken, b)
		w.refused[name] = b.MovedTo == ""
	}
}

func (w *watcher) reportDraft(name string, ch *queue.Changes) {
	id, _, ok := parseDraft(name)
	if w.only != nil && (!ok || !w.only[id]) {
		return
	}
	at, err := markOf(w.store.path(draftsDir, name))
	if err != nil {
		delete(w.drafts, name)
		return
	}
	if w.drafts[name] == at || strings.HasPrefix(name, ".") {
		return
	}
	w.drafts[name] = at
	d, err := w.store.readDraft(name)
	if !ok {
		err = unreadablef("is no draft of this queue")
	}
	switch bad, isBad := unreadableReason(err); {
	case err == nil:
		ch.Drafts = append(ch.Drafts, d)
	case isBad:
		if b, ok := w.store.setAside(draftsDir, name, bad); ok {
			ch.Broken = append(ch.Broken, b)
		}
	case !errors.Is(err, fs.ErrNotExist):
		delete(w.drafts, name) // read again when the directory is listed next
		w.drafted.mark.mtime = 0
	}
}

func (w *watcher) reportPresence(ch *queue.Changes) {
	w.store.restorePresence()
	holders, err := w.store.heldNames()
	if err != nil || slices.Equal(holders, w.holders) {
		return
	}
	w.holders = holders
	ch.Presence = true
}

// reportGone tells of a session that is not live any more, and why. Of a session asked for by id it is news that it
// never was, once.
func (w *watcher) reportGone(name string, seen bool, ch *queue.Changes) {
	if !seen && w.only == nil { // it came and went: somebody quicker may have set it aside
		if b, ok := w.store.wasSetAside(name); ok {
			ch.Broken = append(ch.Broken, b)
		}
		return
	}
	if !seen && !(w.only[name] && w.first) {
		return
	}
	w.forgetSession(name)
	ch.Gone = append(ch.Gone, name)
	if b, ok := w.store.wasSetAside(name); ok {
		ch.Broken = append(ch.Broken, b)
	}
}

// refuseSession sets a session aside. It is in Gone too if the reader has it.
func (w *watcher) refuseSession(name, reason string, ch *queue.Changes) {
	if w.refused[name] {
		return
	}
	if b, ok := w.store.setAside(liveDir, name, reason); ok {
		ch.Broken = append(ch.Broken, b)
		w.refused[name] = b.MovedTo == ""
	}
	if _, seen := w.revisions[name]; seen || w.only[name] {
		w.forgetSession(name)
		ch.Gone = append(ch.Gone, name)
	}
}

func (w *watcher) forgetSession(name string) {
	delete(w.revisions, name)
	delete(w.marks, name)
}
