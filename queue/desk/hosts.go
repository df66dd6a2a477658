package desk

import (
	"context"
	"slices"

	"github.com/choicetui/choicetui/queue"
)

// followHost forgets what is known of a host, and follows the queue that it has now, if it has one.
func (d *Desk) followHost(ctx context.Context, host string) {
	d.feed.closeHost(host)
	for id := range d.live.sessions {
		if of, _ := queue.SplitID(id); of == host {
			d.dropSession(id)
		}
	}
	d.takePresent(host, nil)
	d.noteHost(queue.HostState{Host: host, Connected: true}) // it is not missed any more
	if q := d.o.Queue.OfHost(host); q != nil {
		src := &source{store: q.Store, host: host}
		d.feed.sources = append(d.feed.sources, src)
		d.o.Go(func() { d.feed.followSource(ctx, src) })
	}
	d.Refresh()
}

// closeHost ends the watch on the queue of a host.
func (f *feed) closeHost(host string) {
	f.sources = slices.DeleteFunc(f.sources, func(src *source) bool {
		if src.host != host {
			return false
		}
		_ = src.closeWatch()
		return true
	})
}
