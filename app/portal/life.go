package portal

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"
)

const (
	lifeLooks = 5 * time.Second
	idleFor   = 20 * time.Second // so that at most 30 s pass until it is noticed
)

// life ends a portal that was started on demand: it lasts while a question is pending or a page is open.
type life struct {
	dir     string     // the queue's
	waiting func() int // how many questions wait
	looking func() int // how many pages are connected
	every   time.Duration
	idle    time.Duration
}

// last returns when nothing has waited and nobody has looked for a while, when the queue's directory is gone, or when
// ctx ends.
func (l life) last(ctx context.Context) {
	if l.every == 0 {
		l.every, l.idle = lifeLooks, idleFor
	}
	look := time.NewTicker(l.every)
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
		} else if time.Since(since) >= l.idle {
			return
		}
	}
}
