package plain

import (
	"context"
	"errors"
	"maps"
	"os"
	"os/signal"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/choicetui/choicetui/app/term"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

const (
	sweepEvery = 10 * time.Minute
	rewatch    = time.Second
	// lastTry is how long after the end of the input an answer may still take to be stored.
	lastTry = 10 * time.Second
	// lookAgain is how often the clock is looked at while something waits: a timer does not count while the machine
	// sleeps, nor does it follow a clock that is put right.
	lookAgain = 5 * time.Second
)

// Run reads lines and writes lines until the person leaves, the input ends, the hand-off is over or ctx ends. Its
// errors are app.Run's, apart from those about screens.
func Run(ctx context.Context, o Options) (Result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	role := queue.RoleDashboard
	var ids []string
	if o.Attach != "" {
		role, ids = queue.RoleAttach, []string{o.Attach}
	}
	watcher, err := o.Queue.Store.Watch(ctx, ids...)
	if err != nil {
		return Result{}, err
	}
	defer watcher.Close()
	release, err := o.Queue.Store.Announce(ctx, queue.Presence{Instance: o.Instance, Role: role})
	if err != nil {
		return Result{}, err
	}
	defer release()
	if o.Attach != "" { // announced first: an attached session whose form is not present counts as left
		attach := queue.Command{By: queue.ByHuman, Surface: queue.SurfaceAttach, Do: queue.Attach{Instance: o.Instance, Pane: o.Pane}}
		if s, err := o.Queue.Do(ctx, o.Attach, attach); err != nil {
			return Result{Session: s}, err
		}
	}
	d := NewDesk(o)
	idle := make(chan struct{})
	go d.feed(ctx, watcher)
	go d.worker(idle)
	go func() { _ = o.Settings.Watch(ctx, func() { d.post(d.newSettings) }) }()
	err = d.loop(ctx, read(ctx, o.In, d.now))
	close(d.done)
	d.flush(idle)
	d.result.Session = d.live[o.Attach]
	if err == nil {
		err = d.failed
	}
	return d.result, err
}

// loop is the one place where the desk's state changes.
func (d *Desk) loop(ctx context.Context, lines <-chan line) error {
	signals := make(chan os.Signal, 1)
	for _, sig := range []os.Signal{unix.SIGINT, unix.SIGTERM, unix.SIGHUP} {
		if !signal.Ignored(sig) {
			signal.Notify(signals, sig)
		}
	}
	defer signal.Stop(signals)
	d.newSettings()
	if d.o.Attach == "" {
		d.say("choicetui, the plain mode. help says what can be typed.")
	}
	sweep := time.Now().Add(sweepEvery)
	for !d.over && d.out.err == nil {
		open := lines
		if !d.ready() {
			open = nil
		}
		timer := time.NewTimer(d.nap(time.Until(d.next(sweep))))
		select {
		case f := <-d.posts:
			f()
		case l, more := <-open:
			if more {
				d.line(l)
			} else {
				lines = nil
				d.inputEnded()
			}
		case sig := <-signals:
			timer.Stop()
			return d.stopped(sig.(unix.Signal))
		case <-ctx.Done():
			d.leave()
		case <-timer.C:
			if now := time.Now(); !now.Before(sweep) {
				sweep = now.Add(sweepEvery)
				d.sweep()
			}
		}
		timer.Stop()
		d.pass()
	}
	return d.out.err
}

// ready reports whether a line may be taken now: not before the queue was read, nor while an answer is on its way.
func (d *Desk) ready() bool {
	return d.loaded && (d.busy == 0 || d.now().After(d.blocked))
}

// pass does what time brings: what is overdue, what is to be tried again, the end.
func (d *Desk) pass() {
	now := d.now()
	if d.busy > 0 && now.After(d.blocked) {
		d.complain("the disk does not answer; the answer under way is not saved yet")
	}
	d.refresh()
	d.retry(now)
	if !d.closing.IsZero() && (d.outbox.Len() == 0 || now.After(d.closing)) {
		d.leave()
	}
}

// nap is how long to sleep of the time until pass has something to do.
func (d *Desk) nap(until time.Duration) time.Duration {
	if len(d.waiting) == 0 {
		return until
	}
	return min(until, lookAgain)
}

// next is when pass has something to do.
func (d *Desk) next(sweep time.Time) time.Time {
	next := sweep
	sooner := func(t time.Time) {
		if !t.IsZero() && t.Before(next) {
			next = t
		}
	}
	sooner(d.nextEnd)
	sooner(d.alerts.Next())
	sooner(d.closing)
	if d.busy > 0 {
		sooner(d.blocked.Add(time.Millisecond))
	}
	sooner(d.outbox.NextTry())
	return next
}

// inputEnded leaves, once an answer under way is stored.
func (d *Desk) inputEnded() {
	if d.asked == asksTake || d.asked == asksConfirm || d.asked == asksCancel {
		d.say("The input ended before that was confirmed: nothing was sent.")
	}
	if n := len(d.waiting); n == 1 && d.outbox.Len() == 0 {
		d.say("The input ended; 1 question stays in the queue.")
	} else if n > 1 {
		d.say("The input ended; %d questions stay in the queue.", n)
	}
	d.closing = d.now()
	if d.outbox.Len() > 0 {
		d.closing = d.now().Add(lastTry)
	}
}

// stopped is the end by a signal; Ctrl-C is the person's way to leave.
func (d *Desk) stopped(sig unix.Signal) error {
	d.leave()
	if sig == unix.SIGINT {
		return nil
	}
	return term.Signal{Sig: sig}
}

// newSettings takes over what the settings file says now.
func (d *Desk) newSettings() {
	d.settings = d.o.Settings.Settings()
	d.words = newVocabulary(d.settings)
	for _, f := range d.forms {
		q := f.Here().ID
		was := f.Rules().Hidden[q]
		f.Follow(d.rules(f.s))
		if now := f.Rules().Hidden[q]; f == d.form && !maps.Equal(now, was) {
			d.say("Your settings hide %s of this question now: show writes it again.", say.Count(len(now), "option"))
		}
	}
	if err := d.o.Settings.Err(); err != nil {
		d.complain("the settings file: " + err.Error())
	}
}

// sweep stores what is overdue and archives what is final.
func (d *Desk) sweep() {
	if d.o.Attach != "" {
		return
	}
	all := slices.Collect(maps.Values(d.live))
	d.later(func() func() {
		_ = d.o.Queue.Sweep(context.Background(), all) // the next sweep tries again
		return nil
	})
}

// post has the desk run f, soon; from any goroutine but its own.
func (d *Desk) post(f func()) {
	select {
	case d.posts <- f:
	case <-d.done:
	}
}

// worker does what waits for a disk, until the desk is done; then it closes idle.
func (d *Desk) worker(idle chan<- struct{}) {
	defer close(idle)
	d.work.RunUntil(d.done)
}

// flush does what is left for the worker: the last draft, a time that is up.
func (d *Desk) flush(idle <-chan struct{}) {
	select {
	case <-idle:
	case <-time.After(patience):
		return
	}
	d.work.Finish()
}

// feed posts what the watch reports until ctx ends.
func (d *Desk) feed(ctx context.Context, w queue.Watcher) {
	present, _ := d.o.Queue.Store.Present(ctx) // else everybody counts as gone until the first change
	for first := true; ctx.Err() == nil; first = false {
		ch, err := w.Next(ctx)
		switch {
		case err == nil:
			if ch.Presence && !first {
				present, _ = d.o.Queue.Store.Present(ctx)
			}
			ch.Presence = ch.Presence || first
			running := present
			d.post(func() { d.changed(ch, running) })
		case ctx.Err() != nil || errors.Is(err, context.Canceled):
			return
		default:
			d.post(func() {
				d.loaded = true
				d.complain("the queue cannot be read: " + err.Error())
			})
			time.Sleep(rewatch)
		}
	}
}
