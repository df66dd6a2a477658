package portal

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"
)

// reloadWithin is how long the dashboard stays announced after the last page has gone, because that page may only be
// reloading. A failed announcement is tried again after the same time.
const reloadWithin = 2 * time.Second

// attendance tells the queue that a dashboard is open while a person has a page open, because some agents ask only if
// somebody may answer. A page that shows only one question does not count.
type attendance struct {
	announce func(context.Context) (release func() error, err error)
	looking  func() int    // returns the number of open pages that count
	bell     chan struct{} // receives a value when a page comes or goes
	failed   func(error)
}

// keepAnnounced announces the dashboard to the queue when the first page is opened, and withdraws it a while after the
// last page was closed, until ctx ends.
func (a attendance) keepAnnounced(ctx context.Context) {
	var release func() error
	leave := func() {
		if release == nil {
			return
		}
		if err := release(); err != nil {
			a.failed(err)
		}
		release = nil
	}
	defer leave()
	away := time.NewTimer(0)
	defer away.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-a.bell:
			away.Reset(reloadWithin)
		case <-away.C:
			if a.looking() == 0 {
				leave()
			}
		}
		if release != nil || a.looking() == 0 {
			continue
		}
		var err error
		if release, err = a.announce(ctx); err != nil {
			release = nil
			a.failed(err)
			away.Reset(reloadWithin) // tries again then
		}
	}
}

const (
	lifeLooks = 5 * time.Second
	idleFor   = 20 * time.Second // a portal that nobody needs ends within 30 s
)

// life decides when a portal that was started on demand ends, so that no process is left that nobody needs.
type life struct {
	dir     string        // the queue's directory
	waiting func() int    // returns the number of pending questions
	looking func() int    // returns the number of connected pages
	every   time.Duration // how often it looks; zero: lifeLooks and idleFor count
	idle    time.Duration // for how long nobody must have needed the portal
}

// waitUntilUnused blocks until no question has been pending and no page open for a while, the queue's directory is
// gone, or ctx ends.
func (l life) waitUntilUnused(ctx context.Context) {
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
