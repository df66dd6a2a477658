package jetstream

import (
	"context"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// openAgain is the pause after a watch that could not be opened, on a server which is there.
const openAgain = time.Second

// sink takes what a follower reads. Its methods are called one after the other for one feed, and at the same time for
// several.
type sink interface {
	begin(feeds int)                               // everything comes once more, feed by feed
	take(feed int, e jetstream.KeyValueEntry)      // one key as it is now
	synced(feed int)                               // all that was there has come
	lost(err error)                                // nothing comes for a while
	openFeeds(ctx context.Context) ([]feed, error) // opens all of them, or fails
}

// feed holds one open watch on keys of a bucket, until stop is called.
type feed struct {
	updates <-chan jetstream.KeyValueEntry
	stop    func()
}

// follower keeps watches open for as long as its life lasts. The library would continue a watch on its own, but only
// after missing its heartbeats, some 17 s after a server is back; so each watch is made again with the connection.
type follower struct {
	link *link
	sink sink
	life context.Context
}

// start opens the feeds for the first time, whose failure is the caller's, and follows them from then on.
func (f follower) start(ctx context.Context) error {
	lost := f.link.lost()
	feeds, err := f.open(ctx)
	if err != nil {
		return err
	}
	go f.follow(feeds, lost)
	return nil
}

func (f follower) open(ctx context.Context) ([]feed, error) {
	feeds, err := f.sink.openFeeds(ctx)
	if err == nil {
		f.sink.begin(len(feeds))
	}
	return feeds, err
}

func (f follower) follow(feeds []feed, lost <-chan struct{}) {
	for {
		f.pump(feeds, lost)
		if f.life.Err() != nil {
			return
		}
		f.sink.lost(errLost)
		for feeds = nil; feeds == nil; {
			if !f.awaitLink() {
				return
			}
			lost = f.link.lost()
			var err error
			if feeds, err = f.open(f.life); err != nil && f.life.Err() == nil {
				f.sink.lost(err)
				time.Sleep(openAgain)
			}
		}
	}
}

// awaitLink waits until there is a connection. Meanwhile it reports if one side does not let the other in, because that
// needs somebody's help. It returns false when life ends.
func (f follower) awaitLink() bool {
	look := time.NewTicker(openAgain)
	defer look.Stop()
	for said := ""; ; {
		select {
		case <-f.life.Done():
			return false
		case <-f.link.back():
			return true
		case <-look.C:
		}
		if why := f.link.whyBarred(); why != nil && why.Error() != said {
			said = why.Error()
			f.sink.lost(why)
		}
	}
}

// pump hands on what the feeds bring until the connection or a feed is lost, or life ends. Afterwards nothing of these
// feeds comes any more.
func (f follower) pump(feeds []feed, lost <-chan struct{}) {
	ended := make(chan struct{}, len(feeds))
	var all sync.WaitGroup
	for i, one := range feeds {
		all.Go(func() {
			for e := range one.updates {
				if e == nil {
					f.sink.synced(i)
				} else {
					f.sink.take(i, e)
				}
			}
			ended <- struct{}{}
		})
	}
	select {
	case <-lost:
	case <-ended:
	case <-f.life.Done():
	}
	for _, one := range feeds {
		one.stop()
	}
	all.Wait()
}

// openFeed watches keys of one bucket, and makes the bucket if it is missing.
func (p *storage) openFeed(ctx context.Context, name string, keys ...string) (feed, error) {
	c, err := p.link.begin(ctx)
	if err != nil {
		return feed{}, err
	}
	defer c.cancel()
	kv, err := p.bucket(c, name, true)
	if err != nil {
		return feed{}, err
	}
	w, stop, err := p.link.watchKeys(ctx, kv, keys)
	if isGone(err) {
		p.forget()
		return feed{}, errLost // it is made again when it is opened next
	}
	if err != nil {
		return feed{}, c.explain(err)
	}
	return feed{updates: w.Updates(), stop: stop}, nil
}
