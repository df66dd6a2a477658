package cli

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// follow prints the last events, oldest first, then every new one as it is stored.
func (r *logRun) follow(ctx context.Context) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	q, err := r.sh.open()
	if err != nil {
		return err
	}
	r.wish.host = q.Host
	watcher, err := q.Store.Follow(ctx) // before the trail, so that nothing falls between
	if err != nil {
		return err
	}
	defer watcher.Close()
	printed := printedEvents{from: r.sh.now().Add(-time.Hour), ids: map[string]bool{}}
	entries, err := trail{r.sh, q, r.wish}.tail(ctx, printed)
	if err != nil {
		return err
	}
	for {
		if err := r.print(entries); err != nil {
			return err
		}
		changes, err := watcher.Next(ctx)
		if ctx.Err() != nil {
			return nil
		} else if err != nil && !outlasted(ctx, err) {
			return err
		}
		r.sh.warnBroken(changes.Broken)
		entries = r.fresh(ctx, q, changes, printed)
	}
}

func (r *logRun) print(entries []entry) error {
	var p page
	for _, e := range entries {
		if err := e.print(&p, r.wish); err != nil {
			return err
		}
	}
	return p.send(r.sh.out)
}

// fresh returns the events that a batch of changes adds to the trail, oldest first.
func (r *logRun) fresh(ctx context.Context, q *queue.Queue, changes queue.Changes, printed printedEvents) []entry {
	changed := changes.Sessions
	for _, id := range changes.Gone {
		if s, err := q.Store.Get(ctx, id); err == nil { // its last event came with the archive
			changed = append(changed, s)
		}
	}
	var out []entry
	for _, s := range changed {
		for _, e := range r.wish.entries(s.At(q.Now())) {
			if printed.add(e) {
				out = append(out, e)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b entry) int { return a.At.Compare(b.At) })
	return out
}

// printedEvents remembers what --follow has printed or passed over of late. What happened before it began is never
// new, however it comes to be read again.
type printedEvents struct {
	from time.Time
	ids  map[string]bool
}

// add notes an event, and reports whether it is a new one.
func (p printedEvents) add(e entry) bool {
	if e.At.Before(p.from) || p.ids[e.Session+e.id] {
		return false
	}
	p.ids[e.Session+e.id] = true
	return true
}
