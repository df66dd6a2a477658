package app

import (
	"context"
	"errors"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/rivo/tview"

	"github.com/choicetui/choicetui/app/term"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/queue"
)

const (
	firstBatch  = 100 * time.Millisecond // how long the first frame waits for the queue
	settleTmux  = 3 * time.Second        // a tmux command takes no longer
	firstFrame  = 300 * time.Millisecond // what can wait leaves the start to the first frame
	gcPercent   = 25                     // a pane that is open all day holds little memory; frames are too rare to feel it
	sweepEvery  = 10 * time.Minute
	rewatch     = time.Second
	flushWithin = 2 * time.Second
	dayPages    = 20
	dayPage     = 50
)

// Run shows the dashboard, or with Attach one hand-off form, until the person leaves or ctx ends. The terminal is
// left as it was found. It returns the attached session as last seen. The error is term.ErrNoTerminal, term.ErrGone, a term.Signal, or the queue's; a session that
// cannot be attached is returned beside queue.ErrUsed, ErrSettled or ErrFinal.
func Run(ctx context.Context, o Options) (queue.Session, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	role := queue.RoleDashboard
	if o.Attach != "" {
		role = queue.RoleAttach
	}
	if err := term.Available(); err != nil {
		return queue.Session{}, err
	}
	debug.SetGCPercent(-1) // until the first frame stands; housekeep turns it on
	watcher, err := o.Queue.Store.Watch(ctx, only(o.Attach)...)
	if err != nil {
		return queue.Session{}, err
	}
	defer watcher.Close()
	release, err := o.Queue.Store.Announce(ctx, queue.Presence{Instance: o.Instance, Role: role})
	if err != nil {
		return queue.Session{}, err
	}
	defer release()
	if o.Attach != "" { // announced first: an attached session whose form is not present counts as left
		attach := queue.Command{By: queue.ByHuman, Surface: queue.SurfaceAttach, Do: queue.Attach{Instance: o.Instance, Pane: o.Pane}}
		if s, err := o.Queue.Do(ctx, o.Attach, attach); err != nil {
			return s, err
		}
	}
	screen, err := term.Open()
	if err != nil {
		return queue.Session{}, err
	}
	first := make(chan batch, 1)
	screen.Go(func() { first <- next(ctx, o.Queue.Store, watcher) })
	glyphs := ink.Unicode
	if !screen.Unicode() {
		glyphs = ink.ASCII
	}
	d := NewDashboard(o, glyphs)
	d.processors = runtime.GOMAXPROCS(0)
	err = d.run(ctx, screen, watcher, first)
	s, live := d.live[o.Attach]
	if !live && d.form != nil {
		s = d.form.Session
	}
	return s, err
}

func only(id string) []string {
	if id == "" {
		return nil
	}
	return []string{id}
}

func (d *Dashboard) run(ctx context.Context, screen *term.Screen, watcher queue.Watcher, first chan batch) error {
	app := tview.NewApplication()
	d.term = term.New(app, screen)
	d.stop = d.term.Stop
	d.alertOn(screen, d.term.Go)
	app.SetRoot(&root{Box: tview.NewBox(), d: d}, true)
	early := false
	select {
	case b := <-first:
		d.arrived(b)
		early = true
	case <-time.After(firstBatch):
	}
	d.term.Go(d.pump)
	d.term.Go(d.worker)
	d.term.Go(func() {
		if !early {
			b := <-first
			d.post(func() { d.arrived(b) })
		}
		d.feed(ctx, watcher)
	})
	d.term.Go(func() { d.housekeep(ctx) })
	d.term.Go(func() {
		_ = d.o.Settings.Watch(ctx, func() { d.post(d.newSettings) })
	})
	err := d.term.Run(ctx)
	d.saveDraft() // the event loop is over, so the state is ours: a signal leaves no time for it before
	d.saveChatDraft()
	d.flush()
	d.settleChat()
	d.uncount()
	return err
}

// pump runs what was posted on the event loop, all of it in one update and so one draw.
func (d *Dashboard) pump() {
	for {
		select {
		case <-d.posts.bell:
			if !d.term.Update(d.drain) {
				return
			}
		case <-d.term.Context().Done():
			return
		}
	}
}

// worker does what waits for a disk or a process.
func (d *Dashboard) worker() {
	defer close(d.idle)
	d.work.RunUntil(d.term.Context().Done())
}

// flush does what is left for the worker after the screen closed: the last draft, an answer under way.
func (d *Dashboard) flush() {
	select {
	case <-d.idle:
	case <-time.After(flushWithin):
		return // a disk that hangs keeps nobody from leaving
	}
	d.work.Finish()
}

// batch is one change of the queue with who runs beside it.
type batch struct {
	changes queue.Changes
	present []queue.Presence // nil: unchanged
	err     error
}

func next(ctx context.Context, store queue.Store, w queue.Watcher) batch {
	ch, err := w.Next(ctx)
	b := batch{changes: ch, err: err}
	if err == nil && ch.Presence {
		b.present, _ = store.Present(ctx)
	}
	return b
}

// feed posts what the watch reports until ctx ends.
func (d *Dashboard) feed(ctx context.Context, w queue.Watcher) {
	if present, err := d.o.Queue.Store.Present(ctx); err == nil {
		d.post(func() { d.arrived(batch{changes: queue.Changes{Presence: true}, present: present}) })
	}
	for ctx.Err() == nil {
		b := next(ctx, d.o.Queue.Store, w)
		if b.err == nil {
			d.post(func() { d.arrived(b) })
			continue
		}
		if ctx.Err() != nil || errors.Is(b.err, context.Canceled) {
			return
		}
		d.post(func() { d.arrived(b) })
		time.Sleep(rewatch)
	}
}

// arrived takes a batch over on the event loop.
func (d *Dashboard) arrived(b batch) {
	if d.troubles.queue = ""; b.err != nil {
		d.troubles.queue = "the queue cannot be read: " + b.err.Error()
		return
	}
	if b.changes.Presence {
		d.present = map[string]string{}
		for _, p := range b.present {
			d.present[p.Instance] = p.Role
		}
		d.meetListeners(b.present)
		d.keptFor()
		d.stale = true
	}
	d.changed(b.changes)
	if b.changes.Presence {
		d.abandonBound()
	}
}

// spread lets the program use several processors, for the pages that read much, or one: that is enough to wait with,
// and handing work from thread to thread is most of what a tick of the clock costs.
func (d *Dashboard) spread(wide bool) {
	n := 1
	if wide {
		n = d.processors
	}
	if d.processors > 1 && runtime.GOMAXPROCS(0) != n {
		runtime.GOMAXPROCS(n)
	}
}

// housekeep reads today's answers for the empty screen, stores what is overdue and archives what is final.
func (d *Dashboard) housekeep(ctx context.Context) {
	defer debug.SetGCPercent(gcPercent)
	if d.o.Attach != "" {
		return
	}
	select {
	case <-time.After(firstFrame):
	case <-ctx.Done():
		return
	}
	debug.SetGCPercent(gcPercent)
	d.post(func() { d.spread(d.page != nil) })
	d.readDay(ctx)
	giveBack() // what starting took is not needed for the days that follow
	for ctx.Err() == nil {
		live := make(chan []queue.Session, 1)
		d.post(func() {
			var all []queue.Session
			for _, s := range d.live {
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
		select {
		case <-time.After(sweepEvery):
			giveBack()
		case <-ctx.Done():
		}
	}
}

// readDay reads back what was settled today.
func (d *Dashboard) readDay(ctx context.Context) {
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
		d.post(func() {
			for _, s := range slices.Backward(page) {
				d.day.add(s)
				if !s.IsMessage() && s.AskedAt.Local().Format(time.DateOnly) == today {
					d.meet(s)
				}
			}
		})
		if cursor = next; older || next == "" {
			return
		}
	}
}

// fetchEnd reads from the archive how a session ended that left the live ones. What is not there either is lost.
func (d *Dashboard) fetchEnd(id string) {
	d.later(func() {
		ctx, cancel := context.WithTimeout(context.Background(), settleTmux)
		defer cancel()
		s, err := d.o.Queue.Store.Get(ctx, id)
		if errors.Is(err, queue.ErrNotFound) {
			d.post(func() { d.lost(id) })
		}
		if err != nil {
			return
		}
		d.post(func() {
			if d.form != nil && d.shown() == id {
				d.form.Session = s
			}
			d.last.follow(s)
			d.ended(s)
			d.refresh()
		})
	})
}

// lost ends a question on screen that the queue does not have any more.
func (d *Dashboard) lost(id string) {
	if _, live := d.live[id]; live || d.form == nil || d.shown() != id {
		return
	}
	d.form.Session = d.form.Session.Lost(d.now())
	d.refresh()
}

func median(took []time.Duration) time.Duration {
	if len(took) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(took))
	return sorted[(len(sorted)-1)/2] // as statistics have it: a time that somebody really took
}
