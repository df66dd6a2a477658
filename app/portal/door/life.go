package door

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"
)

const (
	lifeLooks = 5 * time.Second
	idleFor   = 20 * time.Second // a portal that nobody needs ends within 30 s
)

// life decides when a portal that was started on demand ends, so that no process is left that nobody needs.
type life struct {
	dir     string     // the queue's directory
	waiting func() int // returns the number of pending questions
	looking func() int // returns the number of connected pages
}

// waitUntilUnused blocks until no question has been pending and no page open for a while, the queue's directory is
// gone, or ctx ends.
func (l life) waitUntilUnused(ctx context.Context) {
	look := time.NewTicker(lifeLooks)
	defer look.Stop()
	for since := time.Now(); ; {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		}
		if _, err := os.Lstat(l.dir); errors.Is(err, fs.ErrNotExist) {
			return
		}
		if l.waiting() > 0 || l.looking() > 0 {
			since = time.Now()
		} else if time.Since(since) >= idleFor {
			return
		}
	}
}
