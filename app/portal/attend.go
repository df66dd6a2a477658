package portal

import (
	"context"
	"time"
)

// reloadWithin is the time for which a page may be away that is only being reloaded.
const reloadWithin = 2 * time.Second

// attendance tells the queue whether a person looks at a page: that counts as an open dashboard for agents that wait
// only where somebody may answer. A portal without pages does not, nor does a page that shows one question alone.
type attendance struct {
	announce func(context.Context) (release func() error, err error)
	looking  func() int
	bell     chan struct{} // rung when a page comes or goes
	failed   func(error)
}

// keep announces and takes back, until ctx ends.
func (a attendance) keep(ctx context.Context) {
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
			away.Reset(reloadWithin) // and then again
		}
	}
}
