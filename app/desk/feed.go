package desk

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/choicetui/choicetui/queue"
)

const (
	rewatch    = time.Second            // after a watch that failed
	firstFrame = 300 * time.Millisecond // what can wait leaves the start to the first frame
	sweepEvery = 10 * time.Minute
	dayPages   = 20
	dayPage    = 50
)

// feed is the watch on the queue.
type feed struct {
	watcher queue.Watcher
	release func() error
	first   chan batch // what is in the queue, while it is being read; nil: it was taken over, or is not read yet
}

// batch is one change of the queue with who runs beside it.
type batch struct {
	changes queue.Changes
	present []queue.Presence // nil: unchanged
	err     error
}

// Open joins the queue: it watches it, says that this process runs as role, and takes the one form of the session that
// the desk was opened on. The error is the store's; a session that cannot be attached is returned beside
// queue.ErrUsed, ErrSettled or ErrFinal. After an error nothing is left open.
func (d *Desk) Open(ctx context.Context, role string) (s queue.Session, err error) {
	var ids []string
	if d.o.Attach != "" {
		ids = []string{d.o.Attach}
	}
	watcher, err := d.o.Queue.Store.Watch(ctx, ids...)
	if err != nil {
		return s, err
	}
	release, err := d.o.Queue.Store.Announce(ctx, queue.Presence{Instance: d.o.Instance, Role: role})
	if err != nil {
		return s, errors.Join(err, watcher.Close())
	}
	if d.o.Attach != "" { // announced first: an attached session whose form is not present counts as left
		attach := queue.Attach{Instance: d.o.Instance, Pane: d.o.Pane}
		s, err = d.o.Queue.Do(ctx, d.o.Attach, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceAttach, Do: attach})
		if err != nil {
			_, _ = release(), watcher.Close() // the first error says what is wrong
			return s, err
		}
	}
	d.feed = feed{watcher: watcher, release: release}
	return s, nil
}

// TakeFirst waits at most so long for what is in the queue, and takes it over: a first frame that shows it needs no
// second one. It is called between Open and Start, or not at all.
func (d *Desk) TakeFirst(ctx context.Context, within time.Duration) {
	first := make(chan batch, 1)
	d.o.Go(func() { first <- d.read(ctx) })
	select {
	case b := <-first:
		d.takeBatch(b)
	case <-time.After(within):
		d.feed.first = first
	}
}

// Start has the desk follow the queue and the settings, and work, until ctx ends.
func (d *Desk) Start(ctx context.Context) {
	first := d.feed.first
	d.o.Go(func() { d.runWorker(ctx) })
	d.o.Go(func() {
		if first != nil {
			b := <-first
			d.Do(func() { d.takeBatch(b) })
		}
		d.follow(ctx)
	})
	d.o.Go(func() {
		_ = d.o.Settings.Watch(ctx, func() { d.Do(func() { d.SetSettings(d.o.Settings.Settings()) }) })
	})
}

// Close saves what was typed and stores what was sent, not for long, and leaves the queue. The faces have closed, and
// the context of Start has ended.
func (d *Desk) Close() {
	for _, seat := range d.seats {
		seat.SaveDraft()
	}
	d.flush()
	for d.Drain(); d.Work(); d.Drain() { // what an answer that was stored leaves to do
	}
	d.Leave()
}

// Leave leaves the queue: the watch ends, and this process counts as gone.
func (d *Desk) Leave() { _, _ = d.feed.release(), d.feed.watcher.Close() } // the process ends: the kernel does the same

func (d *Desk) read(ctx context.Context) batch {
	ch, err := d.feed.watcher.Next(ctx)
	b := batch{changes: ch, err: err}
	if err == nil && ch.Presence {
		b.present, _ = d.o.Queue.Store.Present(ctx)
	}
	return b
}

// follow hands over what the watch reports until ctx ends.
func (d *Desk) follow(ctx context.Context) {
	for ctx.Err() == nil {
		b := d.read(ctx)
		if ctx.Err() != nil || errors.Is(b.err, context.Canceled) {
			return
		}
		d.Do(func() { d.takeBatch(b) })
		if b.err != nil {
			time.Sleep(rewatch)
		}
	}
}

// Take takes over a batch of the watch, for faces and tests that read it themselves; present counts where the batch says
// that it changed.
func (d *Desk) Take(ch queue.Changes, present []queue.Presence) {
	d.takeBatch(batch{changes: ch, present: present})
}

// takeBatch takes a batch over.
func (d *Desk) takeBatch(b batch) {
	was := d.trouble.Queue
	if d.trouble.Queue = b.err; was != nil || b.err != nil {
		d.tell(Troubled{})
	}
	if b.err != nil {
		return
	}
	if b.changes.Presence {
		d.takePresent(b.present)
	}
	d.takeChanges(b.changes)
	if b.changes.Presence {
		d.abandonBound()
	}
}

// Upkeep reads today's answers once the first frame stands, and then stores what is overdue and archives what is
// final, every ten minutes until ctx ends. settled runs when the start is over, and after each round. A desk that was
// opened on one session leaves this to the others.
func (d *Desk) Upkeep(ctx context.Context, settled func()) {
	if d.o.Attach != "" || !pause(ctx, firstFrame) {
		return
	}
	d.readToday(ctx)
	settled()
	for ctx.Err() == nil {
		live := make(chan []queue.Session, 1)
		d.Do(func() {
			var all []queue.Session
			for _, s := range d.live.sessions {
				all = append(all, s)
			}
			live <- all
		})
		select {
		case all := <-live:
			_ = d.o.Queue.Sweep(ctx, all) // the next sweep tries again
		case <-ctx.Done():
			return
		}
		if pause(ctx, sweepEvery) {
			settled()
		}
	}
}

// pause waits, and reports whether ctx still goes on.
func pause(ctx context.Context, wait time.Duration) bool {
	select {
	case <-time.After(wait):
		return true
	case <-ctx.Done():
		return false
	}
}

// readToday reads back what was settled today.
func (d *Desk) readToday(ctx context.Context) {
	today := d.now().Local().Format(time.DateOnly)
	cursor := ""
	for range dayPages {
		page, next, err := d.o.Queue.Store.History(ctx, cursor, dayPage)
		if err != nil || len(page) == 0 {
			return
		}
		older := slices.ContainsFunc(page, func(s queue.Session) bool {
			return s.Outcome != nil && s.Outcome.At.Local().Format(time.DateOnly) < today
		})
		d.Do(func() {
			for _, s := range slices.Backward(page) {
				d.today.Add(s)
				if s.AskedAt.Local().Format(time.DateOnly) == today {
					d.tell(Remembered{s})
				}
			}
		})
		if cursor = next; older || next == "" {
			return
		}
	}
}

// NextTick is when the clock next ends a question, makes something due, or opens chat; zero: never.
func (d *Desk) NextTick() time.Time {
	var next time.Time
	sooner := func(t time.Time) {
		if !t.IsZero() && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	if end := d.live.nextEnd; !end.IsZero() {
		sooner(end.Add(time.Millisecond))
	}
	sooner(d.outbox.nextTry())
	sooner(d.closing.next(d.now()))
	for _, seat := range d.seats {
		sooner(seat.nextTick())
	}
	return next
}

// Tick is the clock's turn: what is overdue ends, what is due is tried again.
func (d *Desk) Tick() {
	now := d.now()
	d.retry(now)
	d.Refresh()
}
