package portal

import (
	"context"
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
