package plain

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
)

const (
	minute    = time.Minute
	holdBelow = 45 * time.Second // with less left, typing moves the deadline
	holdTo    = time.Minute
	leastLeft = time.Minute // what `less` never goes under
	retryIn   = 2 * time.Second
	patience  = 5 * time.Second // what the store may take before lines are read on
)

// sending is the end of a session under way: an answer or a cancel.
type sending struct {
	id    string // the command's
	do    queue.Action
	why   string    // why it is not saved yet
	again time.Time // when it is tried again; zero: it is being tried
}

// do runs a command on the worker, and then takes its result over.
func (d *Desk) do(id string, c queue.Command, then func(queue.Session, error)) {
	if c.By == "" {
		c.By, c.Surface = queue.ByHuman, queue.SurfaceDashboard
		if d.o.Attach != "" {
			c.Surface = queue.SurfaceAttach
		}
	}
	d.later(func() func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		s, err := d.o.Queue.Do(ctx, id, c)
		return func() {
			if s.ID != "" {
				d.take(s)
			}
			if then != nil {
				then(s, err)
			}
		}
	})
}

// later has the worker run f, in order, and the desk what f returns.
func (d *Desk) later(f func() func()) {
	select {
	case d.work <- func() {
		if then := f(); then != nil {
			d.post(then)
		}
	}:
	default:
		d.complain("the disk does not answer: try again")
	}
}

// settle ends the question on view by answer or cancel.
func (d *Desk) settle(do queue.Action) {
	id := d.form.s.ID
	if d.sending[id] != nil {
		d.say("It is being sent already.")
		return
	}
	d.sending[id] = &sending{id: queue.NewToken(), do: do}
	d.busy++
	d.blocked = d.now().Add(patience)
	d.try(id, func() { d.busy-- })
}

// try stores it. If that fails it is tried again, until it is stored or the question is over.
func (d *Desk) try(id string, tried func()) {
	c := d.sending[id]
	c.again = time.Time{}
	d.do(id, queue.Command{ID: c.id, Do: c.do}, func(_ queue.Session, err error) {
		tried()
		var bad *queue.Invalid
		switch {
		case err == nil || d.sending[id] != c:
		case errors.Is(err, queue.ErrSettled), errors.Is(err, queue.ErrFinal): // take has said who won
			delete(d.sending, id)
		case errors.As(err, &bad):
			delete(d.sending, id)
			d.say("Not sent: %s.", strings.ReplaceAll(bad.Error(), "\n", "; "))
		case errors.Is(err, queue.ErrNewer), errors.Is(err, queue.ErrNotFound):
			delete(d.sending, id)
			d.say("Not sent: %s.", err.Error())
		default:
			c.why, c.again = err.Error(), d.now().Add(retryIn)
			d.complain("not saved, trying again: " + c.why)
		}
		d.refresh()
	})
}

// retry tries again what is due.
func (d *Desk) retry(now time.Time) {
	for id, c := range d.sending {
		if !c.again.IsZero() && !now.Before(c.again) {
			d.try(id, func() {})
		}
	}
}

// settled says what went out, and forgets its draft, unless it holds text that did not go out.
func (d *Desk) settled(s queue.Session) {
	c := d.sending[s.ID]
	delete(d.sending, s.ID)
	name := d.names.Of(s.Origin)
	if _, cancelled := c.do.(queue.Cancel); cancelled {
		d.say("Cancelled %s; %s is told.", short(s.Ask.Title, 100), name)
	} else {
		d.say("Sent: %s to %s.", cut(s.Summary()), name)
	}
	d.sent[s.ID] = name
	draft, kept := d.drafts[s.ID]
	if f := d.forms[s.ID]; f != nil {
		draft, kept = f.draft(), true
	}
	delete(d.drafts, s.ID)
	d.later(func() func() {
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

// save keeps what was chosen and typed, at once.
func (d *Desk) save() {
	if d.form == nil || !d.form.wrote {
		return
	}
	draft := d.form.draft()
	draft.Instance, draft.At = d.o.Instance, d.now().UTC()
	d.later(func() func() {
		err := d.o.Queue.Store.SaveDraft(context.Background(), draft)
		if err == nil {
			return nil
		}
		return func() { d.complain("the draft is not saved: " + err.Error()) }
	})
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
