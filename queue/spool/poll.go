package spool

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// fileMark tells one version of a file from the next.
type fileMark struct {
	ino   uint64
	mtime int64
	size  int64
}

func markOf(path string) (fileMark, bool) {
	fi, err := os.Lstat(path)
	if err != nil {
		return fileMark{}, false
	}
	return fileMark{ino: inode(fi), mtime: fi.ModTime().UnixNano(), size: fi.Size()}, true
}

func inode(fi fs.FileInfo) uint64 {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Ino)
	}
	return 0
}

// dirMark remembers a listed directory. Its mtime says whether names came or went since, unless it was so young
// that a change in the same tick of a coarse clock would not show.
type dirMark struct {
	ino    uint64
	mtime  time.Time
	listed time.Time
}

// changed reports whether the directory must be listed again, whether it is another one than last time, and its
// new mark.
func (m dirMark) changed(path string, now time.Time) (list, other bool, next dirMark, err error) {
	fi, err := os.Lstat(path)
	if err != nil {
		return false, false, m, err
	}
	next = dirMark{ino: inode(fi), mtime: fi.ModTime(), listed: now}
	other = m.ino != 0 && m.ino != next.ino
	if !other && next.mtime.Equal(m.mtime) && m.listed.Sub(m.mtime) > racy {
		return false, false, m, nil
	}
	return true, other, next, nil
}

// markAll lists everything and marks what the reader may not know.
func (w *watcher) markAll() {
	w.presence = true
	w.live, w.drafted, w.present = dirMark{}, dirMark{}, dirMark{}
	now := time.Now()
	for id := range w.revisions {
		w.dirty[id] = true
	}
	w.listLive(now)
	w.listDrafts(now)
	w.checkPresent(now)
}

// poll looks for what events did not tell: it costs the same with 20 sessions and with 10,000.
func (w *watcher) poll(now time.Time) {
	w.due = now.Add(w.every())
	if now.Sub(w.probed) >= probeEvery || w.handle() == nil {
		w.probed, w.presence = now, true
	}
	for name := range w.again {
		w.dirty[name] = true
	}
	clear(w.again)
	w.listLive(now)
	w.listDrafts(now)
	w.checkPresent(now)
	w.nextInTurn()
	if w.handle() == nil && now.Sub(w.armed) > rearmEvery {
		w.arm()
	}
	if now.Sub(w.swept) > staleAfter {
		w.swept = now
		w.store.sweep(now)
		w.drafted = dirMark{} // reading the drafts again drops those too old
		clear(w.drafts)
	}
}

// every is the time between polls: a second where only polling tells, or somebody waits for one session. Where
// events come, on a local disk, a poll only catches a ring that was lost with the process that should have rung.
func (w *watcher) every() time.Duration {
	if w.only != nil || w.handle() == nil || w.store.remote() {
		return pollEvery
	}
	return pollRarely
}

// listLive marks sessions that came or went. With ids given each of them is looked at.
func (w *watcher) listLive(now time.Time) {
	for id := range w.only {
		w.dirty[id] = true
	}
	list, other, next, err := w.live.changed(w.store.path(liveDir), now)
	if errors.Is(err, fs.ErrNotExist) || other {
		w.rebuild()
		return
	}
	if err != nil || !list {
		return
	}
	if w.only != nil {
		w.live = next
		return
	}
	names, err := readNames(w.store.path(liveDir))
	if err != nil {
		return
	}
	w.live = next
	here := make(map[string]bool, len(names))
	for _, name := range names {
		here[name] = true
		if _, seen := w.revisions[name]; !seen && !w.refused[name] {
			w.dirty[name] = true
		}
	}
	for id := range w.revisions {
		if !here[id] {
			w.dirty[id] = true
		}
	}
}

func (w *watcher) listDrafts(now time.Time) {
	list, other, next, err := w.drafted.changed(w.store.path(draftsDir), now)
	if errors.Is(err, fs.ErrNotExist) || other {
		w.rebuild()
		return
	}
	if err != nil || !list {
		return
	}
	names, err := readNames(w.store.path(draftsDir))
	if err != nil {
		return
	}
	w.drafted = next
	here := make(map[string]bool, len(names))
	for _, name := range names {
		here[name] = true
		w.dirtyDrafts[name] = true
	}
	for name := range w.drafts {
		if !here[name] {
			delete(w.drafts, name)
		}
	}
}

// checkPresent notices that present/ itself was removed. No event tells of that as long as a process holds a file that
// was in it.
func (w *watcher) checkPresent(now time.Time) {
	_, other, next, err := w.present.changed(w.store.path(presentDir), now)
	if errors.Is(err, fs.ErrNotExist) || other {
		w.rebuild()
		return
	}
	if err == nil {
		w.present = next
	}
}

// nextInTurn marks a few of the sessions the reader knows: a commit whose ring was lost shows up after a round.
func (w *watcher) nextInTurn() {
	if w.only != nil {
		return
	}
	n := turn
	if w.handle() == nil {
		n = turnNoEvent
	}
	if len(w.order) == 0 {
		for id := range w.revisions {
			w.order = append(w.order, id)
		}
		for id := range w.marks {
			if _, known := w.revisions[id]; !known {
				delete(w.marks, id)
			}
		}
	}
	now := time.Now()
	for _, id := range w.order[:min(n, len(w.order))] {
		// A stat is a tenth of a listing, and an idle dashboard does little else. The mark is taken before the
		// listing, so what comes in between shows next time.
		mark, ok := markOf(w.store.path(liveDir, id))
		if ok && mark == w.marks[id] && now.UnixNano()-mark.mtime > int64(racy) {
			continue
		}
		w.marks[id] = mark
		w.dirty[id] = true
	}
	w.order = w.order[min(n, len(w.order)):]
}
