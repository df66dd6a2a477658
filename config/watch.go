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
	// settle is the time without events after which the file is read, because editors write in several steps.
	settle = 60 * time.Millisecond
	// settleMost limits that wait in a directory with constant events.
	settleMost = 500 * time.Millisecond
	// pollEvery is the pause between two looks if the system gives no file events.
	pollEvery = 3 * time.Second
	// pollRarely is the pause between two looks if there are file events. Events miss changes on network filesystems
	// and in directories that are created later. The pause is long because each look wakes the process.
	pollRarely = 15 * time.Second
)

// Watch reads the file whenever it changes. It calls changed, on its own goroutine, if the settings or Err differ. It
// reports a change since Open, but none made by this File's Update. Without file events it polls. It blocks until ctx
// ends and then returns nil.
func (f *File) Watch(ctx context.Context, changed func()) error {
	w := &watch{file: f, changed: changed}
	if notify, err := fsnotify.NewWatcher(); err == nil { // after an error, such as no free inotify instance, w polls
		w.notify = notify
		defer notify.Close()
	}
	w.watchDirs()
	w.reloadFile()
	return w.run(ctx)
}

// watch holds the state of one File.Watch.
type watch struct {
	file    *File
	changed func()
	notify  *fsnotify.Watcher
	evented bool // all watched directories send events, so polling can be rare
	seen    stamp
}

// stamp identifies a state of the file without its content.
type stamp struct {
	target string
	size   int64
	time   time.Time
	id     os.FileInfo
}

// run looks at the file after events, and at intervals.
func (w *watch) run(ctx context.Context) error {
	var events chan fsnotify.Event
	var errs chan error
	if w.notify != nil {
		events, errs = w.notify.Events, w.notify.Errors
	}
	poll := time.NewTimer(w.pollInterval())
	defer poll.Stop()
	var quiet <-chan time.Time // fires when no event has come for a while; nil: none has come since the last look
	var firstEvent time.Time   // the first event since the last look
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-events: // which event it is does not matter
			if quiet == nil {
				firstEvent = time.Now()
			}
			quiet = time.After(min(settle, max(0, settleMost-time.Since(firstEvent))))
		case <-errs: // events were lost
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
	if w.evented {
		return pollRarely
	}
	return pollEvery
}

// lookAtFile reads the file if it has changed since the last time.
func (w *watch) lookAtFile() {
	w.watchDirs()
	if now := stampOf(w.file.path); !now.same(w.seen) {
		w.reloadFile()
	}
}

// reloadFile reads the file, and calls changed if the settings or their problems differ.
func (w *watch) reloadFile() {
	w.seen = stampOf(w.file.path)
	if w.file.Reload() {
		w.changed()
	}
}

// watchDirs watches the directory of the file and the directory that the file's link leads to. If one of them does not
// exist yet, it watches the nearest directory above it. The file itself is not watched, because that would end with a
// rename over it.
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
	w.evented = true
	for _, dir := range wanted {
		err := w.notify.Add(dir) // Add again, because the directory may have been replaced
		w.evented = w.evented && err == nil
	}
}

// nearestDir returns the directory, or the nearest one above it that exists.
func nearestDir(dir string) string {
	for {
		if is, err := os.Stat(dir); err == nil && is.IsDir() || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

// stampOf returns the present stamp of a file. For a missing file it has only the target.
func stampOf(path string) stamp {
	target, _ := followLinks(path)
	is, err := os.Stat(path)
	if err != nil {
		return stamp{target: target}
	}
	return stamp{target, is.Size(), is.ModTime(), is}
}

// same reports whether two stamps are of the same state.
func (s stamp) same(o stamp) bool {
	if (s.id == nil) != (o.id == nil) || s.id != nil && !os.SameFile(s.id, o.id) {
		return false
	}
	return s.target == o.target && s.size == o.size && s.time.Equal(o.time)
}
