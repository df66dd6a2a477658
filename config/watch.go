package config

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// settle is the time for which the directory must be quiet before the file is read: editors write in several steps.
	settle = 60 * time.Millisecond
	// settleMost bounds that in a directory that is never quiet.
	settleMost = 500 * time.Millisecond
	// pollEvery is the pause between looks if there are no file events, since no inotify instance is left.
	pollEvery = 3 * time.Second
	// pollRarely is the pause between looks beside events, which miss changes on network filesystems and in a directory
	// that came late. Each look wakes the process.
	pollRarely = 15 * time.Second
)

// Watch reads the file whenever it changes and calls changed, on its own goroutine, if the settings or Err differ. A
// change since Open counts, a change by this File's Update does not. Watch blocks until ctx ends and then returns nil;
// without file events it polls.
func (f *File) Watch(ctx context.Context, changed func()) error {
	w := &watch{file: f, changed: changed}
	if notify, err := fsnotify.NewWatcher(); err == nil { // else: no inotify instances left
		w.notify = notify
		defer notify.Close()
	}
	w.watchDirs()
	w.reloadFile()
	return w.run(ctx)
}

type watch struct {
	file    *File
	changed func()
	notify  *fsnotify.Watcher
	told    bool // every watched directory sends events
	seen    stamp
}

// stamp tells one state of the file from another without reading it.
type stamp struct {
	target string
	size   int64
	time   time.Time
	id     os.FileInfo
}

func (w *watch) run(ctx context.Context) error {
	var events chan fsnotify.Event
	var errs chan error
	if w.notify != nil {
		events, errs = w.notify.Events, w.notify.Errors
	}
	poll := time.NewTimer(w.pollInterval())
	defer poll.Stop()
	var quiet <-chan time.Time
	var since time.Time
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-events: // a hint; what it says does not matter
			if quiet == nil {
				since = time.Now()
			}
			quiet = time.After(min(settle, max(0, settleMost-time.Since(since))))
		case <-errs: // overflow: look at once
			w.lookAtFile()
		case <-quiet:
			quiet = nil
			w.lookAtFile()
		case <-poll.C:
			w.lookAtFile()
			poll.Reset(w.pollInterval())
		}
	}
}

// pollInterval returns the pause before the next look.
func (w *watch) pollInterval() time.Duration {
	if w.told {
		return pollRarely
	}
	return pollEvery
}

// lookAtFile reads the file if it is not the one last read.
func (w *watch) lookAtFile() {
	w.watchDirs()
	if now := stampOf(w.file.path); !now.same(w.seen) {
		w.reloadFile()
	}
}

func (w *watch) reloadFile() {
	w.seen = stampOf(w.file.path)
	if w.file.Reload() {
		w.changed()
	}
}

// watchDirs watches the directories of the link and of the file it leads to, or, where one does not exist yet, the
// nearest above it. The file itself is never watched: a rename over it would end that.
func (w *watch) watchDirs() {
	if w.notify == nil {
		return
	}
	wanted := []string{nearestDir(filepath.Dir(w.file.path))}
	if target, err := followLinks(w.file.path); err == nil {
		wanted = append(wanted, nearestDir(filepath.Dir(target)))
	}
	for _, dir := range w.notify.WatchList() {
		if !slices.Contains(wanted, dir) {
			_ = w.notify.Remove(dir)
		}
	}
	w.told = true
	for _, dir := range wanted {
		err := w.notify.Add(dir) // again for a directory that was replaced; a failure leaves the poll
		w.told = w.told && err == nil
	}
}

func nearestDir(dir string) string {
	for {
		if is, err := os.Stat(dir); err == nil && is.IsDir() || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

func stampOf(path string) stamp {
	target, _ := followLinks(path)
	is, err := os.Stat(path)
	if err != nil {
		return stamp{target: target}
	}
	return stamp{target, is.Size(), is.ModTime(), is}
}

func (s stamp) same(o stamp) bool {
	if (s.id == nil) != (o.id == nil) || s.id != nil && !os.SameFile(s.id, o.id) {
		return false
	}
	return s.target == o.target && s.size == o.size && s.time.Equal(o.time)
}
