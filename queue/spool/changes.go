package spool

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// known records what the reader of a watch has been told, so that it is told nothing twice.
type known struct {
	revisions map[string]uint64
	refused   map[string]bool     // names that could not even be set aside
	marks     map[string]fileMark // of live/<id> when last looked at in turn
	drafts    map[string]fileMark
	holders   []string // files in present/ that are held
	first     bool     // nothing yet: the first batch is due even if empty
	degraded  bool     // that there are no events
}

func nothingKnown() known {
	return known{
		revisions: map[string]uint64{}, refused: map[string]bool{},
		marks: map[string]fileMark{}, drafts: map[string]fileMark{}, first: true,
	}
}

func (k *known) forgetSession(name string) {
	delete(k.revisions, name)
	delete(k.marks, name)
}

// gatherChanges reads everything that is marked. any is false if there is nothing to tell.
func (w *watcher) gatherChanges() (ch queue.Changes, any bool) {
	if w.rescan {
		w.rescan = false
		w.markEverything()
	}
	b := batch{watcher: w}
	names := slices.Sorted(maps.Keys(w.dirty))
	b.Sessions = slices.Grow(b.Sessions, len(names))
	for i, found := range w.readAll(names) {
		b.addSession(names[i], found)
	}
	clear(w.dirty)
	for _, name := range slices.Sorted(maps.Keys(w.dirtyDrafts)) {
		b.addDraft(name)
	}
	clear(w.dirtyDrafts)
	if w.presence {
		w.presence = false
		b.addPresence()
	}
	ch = b.Changes
	ch.Degraded = w.handle() == nil
	any = w.first || w.degraded != ch.Degraded || ch.Presence ||
		len(ch.Sessions)+len(ch.Drafts)+len(ch.Gone)+len(ch.Broken) > 0
	ch.Presence = ch.Presence || w.first
	w.first, w.degraded = false, ch.Degraded
	return ch, any
}

// batch gathers the changes for one Next.
type batch struct {
	*watcher
	queue.Changes
}

// addSession tells of a session if it is newer than what the reader knows.
func (b *batch) addSession(name string, found reading) {
	if !queue.ValidID(name) {
		b.removeForeign(name)
		return
	}
	has, seen := b.revisions[name]
	v, err := found.session, found.err
	if err == nil && found.top <= has {
		return
	}
	switch bad, isBad := unreadableReason(err); {
	case err == nil, errors.Is(err, queue.ErrNewer):
		if v.Revision > has {
			b.revisions[name] = v.Revision
			b.Sessions = append(b.Sessions, v)
		}
	case errors.Is(err, fs.ErrNotExist):
		b.addGone(name, seen)
	case isBad:
		b.refuseSession(name, bad)
	default: // too many open files, a disk error: not the session's fault
		b.retry[name] = true
	}
}

// removeForeign sets aside what is no session. Hidden names are the system's (.DS_Store, .nfs…) and stay.
func (b *batch) removeForeign(name string) {
	if b.only != nil || strings.HasPrefix(name, ".") || b.refused[name] {
		return
	}
	if _, err := markOf(b.store.path(liveDir, name)); err != nil {
		return
	}
	if moved, ok := b.store.setAside(liveDir, name, "is no session of this queue"); ok {
		b.Broken = append(b.Broken, moved)
		b.refused[name] = moved.MovedTo == ""
	}
}

func (b *batch) addDraft(name string) {
	id, _, ok := parseDraft(name)
	if b.only != nil && (!ok || !b.only[id]) {
		return
	}
	at, err := markOf(b.store.path(draftsDir, name))
	if err != nil {
		delete(b.drafts, name)
		return
	}
	if b.drafts[name] == at || strings.HasPrefix(name, ".") {
		return
	}
	b.drafts[name] = at
	d, err := b.store.readDraft(name)
	if !ok {
		err = unreadablef("is no draft of this queue")
	}
	switch bad, isBad := unreadableReason(err); {
	case err == nil:
		b.Drafts = append(b.Drafts, d)
	case isBad:
		if moved, ok := b.store.setAside(draftsDir, name, bad); ok {
			b.Broken = append(b.Broken, moved)
		}
	case !errors.Is(err, fs.ErrNotExist):
		delete(b.drafts, name) // read again when the directory is listed next
		b.drafted.mark.mtime = 0
	}
}

func (b *batch) addPresence() {
	b.store.restorePresence()
	holders, err := b.store.heldNames()
	if err != nil || slices.Equal(holders, b.holders) {
		return
	}
	b.holders = holders
	b.Presence = true
}

// addGone tells of a session that is not live any more, and why. Of a session asked for by id it is news that it
// never was, once.
func (b *batch) addGone(name string, seen bool) {
	if !seen && b.only == nil { // it came and went: somebody quicker may have set it aside
		if moved, ok := b.store.wasSetAside(name); ok {
			b.Broken = append(b.Broken, moved)
		}
		return
	}
	if !seen && !(b.only[name] && b.first) {
		return
	}
	b.forgetSession(name)
	b.Gone = append(b.Gone, name)
	if moved, ok := b.store.wasSetAside(name); ok {
		b.Broken = append(b.Broken, moved)
	}
}

// refuseSession sets a session aside. It is in Gone too if the reader has it.
func (b *batch) refuseSession(name, reason string) {
	if b.refused[name] {
		return
	}
	if moved, ok := b.store.setAside(liveDir, name, reason); ok {
		b.Broken = append(b.Broken, moved)
		b.refused[name] = moved.MovedTo == ""
	}
	if _, seen := b.revisions[name]; seen || b.only[name] {
		b.forgetSession(name)
		b.Gone = append(b.Gone, name)
	}
}
