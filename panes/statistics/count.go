package statistics

import (
	"context"
	"time"

	"github.com/choicetui/choicetui/queue"
)

const (
	partSize    = 50 // archived sessions that one call reads: a part
	partsAtOnce = 4  // parts that the desk's worker reads in one job; not more, because other jobs wait for it
)

// count holds the sums of one reading of the archive so far. Only the job on the desk's worker touches it while it
// runs.
type count struct {
	tally  *queue.Tally
	from   time.Time       // only questions from this time on count; zero: all do
	seen   map[string]bool // the sessions that were not archived at the start: they count only once
	live   []queue.Session
	next   string
	read   int
	shown  int // the value of read when the numbers were last computed
	done   bool
	failed error
}

// startCount starts counting again, for the last days or for all time.
func (p *Page) startCount() {
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

// readOn has the desk's worker add up a few more parts of the archive, until all are read.
func (p *Page) readOn(ctx context.Context, n *count) {
	d := p.desk()
	d.Later(func() {
		n.addParts(ctx, d.Queue().Store)
		var stats *queue.Stats
		if n.done || n.failed != nil || n.read >= 2*n.shown { // not after each part, because Stats sorts
			s := n.tally.Stats()
			stats, n.shown = &s, n.read
		}
		d.Do(func() { p.showSums(ctx, n, stats) })
	})
}

// showSums shows the sums so far, and has the rest counted. It does nothing if the page was closed or the count was
// started again since.
func (p *Page) showSums(ctx context.Context, n *count, stats *queue.Stats) {
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

// addParts adds up the sessions that are not archived, then a few parts of the archive. It is done when the sessions
// become older than from.
func (n *count) addParts(ctx context.Context, store queue.Store) {
	for _, s := range n.live {
		n.seen[s.ID] = true
		n.tally.Add(s)
	}
	n.live = nil
	for range partsAtOnce {
		page, next, err := store.History(ctx, n.next, partSize)
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
