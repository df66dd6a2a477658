package spool

import (
	"sync"

	"github.com/fsnotify/fsnotify"
)

// bell is what the kernel tells of.
type bell struct {
	mu     sync.Mutex
	events *fsnotify.Watcher // nil: none to be had, the store is polled
	closed chan struct{}
}

// handle is where the events come from; nil: there are none.
func (b *bell) handle() *fsnotify.Watcher {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.events
}

// replace takes another handle, nil for none, and closes the one before.
func (b *bell) replace(events *fsnotify.Watcher) {
	b.mu.Lock()
	defer b.mu.Unlock()
	closeEvents(b.events)
	b.events = events
	select {
	case <-b.closed: // Close came between
		closeEvents(events)
	default:
	}
}

// closeEvents closes a handle without waiting: the kernel takes some 10 ms to let go of an inotify instance, and a
// caller who closes its watch has an answer to pass on.
func closeEvents(events *fsnotify.Watcher) {
	if events != nil {
		go func() { _ = events.Close() }()
	}
}
