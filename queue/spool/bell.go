package spool

import (
	"sync"

	"github.com/fsnotify/fsnotify"
)

// bell reports the kernel's events.
type bell struct {
	mu     sync.Mutex
	events *fsnotify.Watcher // nil: none to be had, the store is polled
	deaths func()            // ends what sweepDeaths began; nil: deaths are looked for
	closed chan struct{}
}

// handle returns the source of the events; nil: there are none.
func (b *bell) handle() *fsnotify.Watcher {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.events
}

// hearsDeaths reports whether the kernel tells who dies.
func (b *bell) hearsDeaths() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.deaths != nil
}

// replace takes other handles, nil for none, and closes those before.
func (b *bell) replace(events *fsnotify.Watcher, deaths func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.silence()
	b.events, b.deaths = events, deaths
	select {
	case <-b.closed: // Close came between
		b.silence()
	default:
	}
}

// silence closes the handles; the caller holds mu.
func (b *bell) silence() {
	closeEvents(b.events)
	if b.deaths != nil {
		b.deaths()
		b.deaths = nil
	}
}

// closeEvents closes a handle without waiting: the kernel takes some 10 ms to let go of an inotify instance, and a
// caller who closes its watch has an answer to pass on.
func closeEvents(events *fsnotify.Watcher) {
	if events != nil {
		go func() { _ = events.Close() }()
	}
}
