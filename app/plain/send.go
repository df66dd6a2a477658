package plain

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/choicetui/choicetui/app/desk"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

const (
	minute    = time.Minute
	holdBelow = 45 * time.Second // with less left, typing moves the deadline
	holdTo    = time.Minute
	leastLeft = time.Minute     // what `less` never goes under
	patience  = 5 * time.Second // what the store may take before lines are read on
)

// do runs a command on the worker, and then takes its result over.
func (d *Desk) do(id string, c queue.Command, then func(queue.Session, error)) {
	if c.By == "" {
		c.By, c.Surface = queue.ByHuman, queue.SurfaceDashboard
		if d.o.Attach != "" {
			c.Surface = queue.SurfaceAttach
		}
	}
	d.work.Send(d.posting(func() func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		s, err := d.o.Queue.Do(ctx, id, c)
		return func() {
			if s.ID != "" && !errors.Is(err, queue.ErrInDoubt) {
				d.take(s)
			}
			if then != nil {
				then(s, err)
			}
		}
	}))
}

// later has the worker run f, in order, and the desk what f returns.
func (d *Desk) later(f func() func()) { d.work.Look(d.posting(f)) }

// keepDraft has the worker run f, which writes or drops the draft of a session, unless newer words come first.
func (d *Desk) keepDraft(session string, f func() error) {
	d.work.Draft(session, d.posting(func() func() {
		err := f()
		if err == nil {
			return nil
		}
		return func() { d.complain("the draft is not saved: " + err.Error()) }
	}))
	if d.work.Stuck() {
		d.complain("the disk does not answer: what you send waits")
	}
}

// posting is a piece of work whose result is taken over on the desk.
func (d *Desk) posting(f func() func()) func() {
	return func() {
		if then := f(); then != nil {
			d.post(then)
		}
	}
}

// settle ends the question on view by answer or cancel.
func (d *Desk) settle(do queue.Action) {
	out := d.outbox.Put(d.form.s.ID, do, queue.Draft{})
	if out == nil {
		d.say("It is being sent already.")
		return
	}
	d.busy++
	d.blocked = d.now().Add(patience)
	d.try(out, func() { d.busy-- })
}

// try stores it. If that fails it is tried again, until it is stored or the question is over.
func (d *Desk) try(out *desk.Outgoing, tried func()) {
	out.Try(d.now())
	d.do(out.Session, out.Command, func(s queue.Session, err error) {
		tried()
		switch d.outbox.Judge(out, err, d.now()) {
		case desk.Stored:
			d.take(s) // if it was in doubt, it was not taken yet
		case desk.Over: // take has said who won
		case desk.Refused:
			d.say("Not sent: %s.", strings.ReplaceAll(out.Err.Error(), "\n", "; "))
		case desk.Unstored:
			d.complain("not saved, trying again: " + out.Err.Error())
		}
		d.refresh()
	})
}

// retry tries again what is due.
func (d *Desk) retry(now time.Time) {
	for _, out := range d.outbox.Due(now) {
		d.try(out, func() {})
	}
}

// settled says what went out, and forgets its draft, unless it holds text that did not go out.
func (d *Desk) settled(s queue.Session) {
	out := d.outbox.Of(s.ID)
	d.outbox.Forget(s.ID)
	name := d.names.Of(s.Origin)
	if _, cancelled := out.Command.Do.(queue.Cancel); cancelled {
		d.say("Cancelled %s; %s is told.", short(s.Ask.Title, 100), name)
	} else {
		d.say("Sent: %s to %s.", say.Heard(s.Summary()), name)
	}
	d.sent[s.ID] = name
	draft, kept := d.drafts[s.ID]
	if f := d.forms[s.ID]; f != nil {
		draft, kept = f.Draft(), true
	}
	delete(d.drafts, s.ID)
	d.keepDraft(s.ID, func() error {
		if kept && len(draft.Unsent(s)) > 0 {
			draft.Instance, draft.At = d.o.Instance, d.now().UTC()
			_ = d.o.Queue.Store.SaveDraft(context.Background(), draft)
			return nil
		}
		_ = d.o.Queue.Store.DropDraft(context.Background(), s.ID, d.o.Instance)
		return nil
	})
	if f := d.forms[s.ID]; f != nil {
		d.close(f)
	}
}

// save keeps what was chosen and typed here, at once.
func (d *Desk) save() {
	if d.form == nil || !d.form.Changed() || !d.form.Touched() {
		return
	}
	draft := d.form.Draft()
	draft.Instance, draft.At = d.o.Instance, d.now().UTC()
	d.keepDraft(draft.Session, func() error { return d.o.Queue.Store.SaveDraft(context.Background(), draft) })
}

// moveClock gives a minute or takes one, never going under one minute.
func (d *Desk) moveClock(by time.Duration) {
	f := d.here()
	if f == nil {
		return
	}
	if f.s.Deadline.IsZero() {
		d.say("The clock stands still.")
		return
	}
	to := f.s.Deadline.Add(by)
	switch left := f.s.Deadline.Sub(d.now()); {
	case by < 0 && left <= leastLeft:
		d.say("It never goes under a minute.")
		return
	case by < 0 && left+by < leastLeft:
		to = d.now().Add(leastLeft)
	case by > 0 && left+by > queue.MaxTimeout:
		d.say("24 hours is the most.")
		return
	}
	d.moveTo(f.s.ID, to)
}

// moveTo sets the deadline; the new time is said as it comes back.
func (d *Desk) moveTo(id string, to time.Time) {
	d.do(id, queue.Command{ID: queue.NewToken(), Do: queue.Move{To: to}}, func(_ queue.Session, err error) {
		if err != nil && !errors.Is(err, queue.ErrSettled) && !errors.Is(err, queue.ErrFinal) {
			d.say("The clock was not moved: %s.", err.Error())
		}
		d.refresh()
	})
}

// holdClock keeps the time from running out under somebody who types.
func (d *Desk) holdClock() {
	f := d.form
	if !d.settings.HoldWhileTyping || f == nil || f.s.Outcome != nil || f.s.Deadline.IsZero() || f.s.Deadline.Sub(d.now()) >= holdBelow {
		return
	}
	d.moveTo(f.s.ID, d.now().Add(holdTo))
}
