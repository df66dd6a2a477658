package statistics

import (
	"context"
	"time"

	"github.com/choicetui/choicetui/queue"
)

const (
	part  = 50 // archived sessions read at once
	parts = 4  // parts that the worker reads in one job, because other jobs wait for it
)

// count holds the sums of one reading so far. Only the job that runs on the worker touches it.
type count struct {
	tally  *queue.Tally
	from   time.Time       // the time from which questions count; zero if all of them do
	seen   map[string]bool // the sessions that were live at the start, which do not count again from the archive
	live   []queue.Session
	next   string
	read   int
	shown  int // the value of read when the numbers were last computed
	done   bool
	failed error
}

// start starts the count over, for the last days or for all time.
func (p *Page) start() {
	if p.stop != nil {
		p.stop()
	}
	ctx, stop := context.WithCancel(context.Background())
	p.stop, p.done, p.fault, p.read, p.top = stop, false, "", 0, 0
	n := &count{seen: map[string]bool{}}
	now := p.desk().Now()
	if !p.all {
		t := now.Local()
		n.from = time.Date(t.Year(), t.Month(), t.Day()-Days+1, 0, 0, 0, 0, t.Location())
	}
	n.tally = queue.NewTally(n.from, now.Local().Location())
	p.desk().Sessions(func(s queue.Session) { n.live = append(n.live, s.At(now)) })
	p.readOn(ctx, n)
}

// End stops counting for the page. The screen calls it when another page takes its place.
func (p *Page) End() { p.stop() }

// readOn adds up a few more parts of the archive on the worker, and repeats that until the archive ends.
func (p *Page) readOn(ctx context.Context, n *count) {
	d := p.desk()
	d.Later(func() {
		n.add(ctx, d.Queue().Store)
		var stats *queue.Stats
		if n.done || n.failed != nil || n.read >= 2*n.shown { // computing them sorts, so it is not done for each part
			s := n.tally.Stats()
			stats, n.shown = &s, n.read
		}
		d.Do(func() { p.took(ctx, n, stats) })
	})
}

// took shows the sums so far and has the rest counted, unless the page was left or the count was started again since.
func (p *Page) took(ctx context.Context, n *count, stats *queue.Stats) {
	if ctx.Err() != nil {
		return
	}
	if p.read = n.read; stats != nil {
		p.stats = *stats
	}
	switch {
	case n.failed != nil:
		p.fault = n.failed.Error()
	case n.done:
		p.done = true
	default:
		p.readOn(ctx, n)
	}
}

// add adds the live sessions, then a few parts of the archive. It ends where all sessions are older than the span.
func (n *count) add(ctx context.Context, store queue.Store) {
	for _, s := range n.live {
		n.seen[s.ID] = true
		n.tally.Add(s)
	}
	n.live = nil
	for range parts {
		page, next, err := store.History(ctx, n.next, part)
		if err != nil {
			n.failed = err
			return
		}
		for _, s := range page {
			if !n.seen[s.ID] {
				n.tally.Add(s)
			}
		}
		n.read += len(page)
		if n.next = next; next == "" || page[len(page)-1].SettledAt().Before(n.from) {
			n.done = true
			return
		}
	}
}
