package desk

import (
	"context"
	"errors"
	"time"

	"github.com/choicetui/choicetui/queue"
)

const (
	holdBelow = 45 * time.Second // with less left, typing moves the deadline
	holdTo    = time.Minute
	leastLeft = time.Minute // what a person may shorten a deadline to
)

// Why a command of the person is refused before it is sent.
var (
	ErrSending = errors.New("it is being sent")
	ErrNoClock = errors.New("its clock stands still")
	ErrLeast   = errors.New("it never goes under a minute")
	ErrMost    = errors.New("24 hours is the most")
	ErrOver    = errors.New("it is over")
)

// Outbox is what the person sent and the store does not have yet.
func (d *Desk) Outbox() Outbox { return d.outbox }

// endedHere reports whether a seat of this desk ended the session.
func (d *Desk) endedHere(s queue.Session) bool {
	for _, seat := range d.seats {
		if _, ours := s.Event(seat.ended[s.ID]); ours {
			return true
		}
	}
	return false
}

// settle ends a session by answer or cancel. If it cannot be stored the same command is tried again, until it is or
// the session is over.
func (d *Desk) settle(seat *Seat, id string, do queue.Action, draft queue.Draft) error {
	draft.Instance = seat.instance
	out := d.outbox.put(id, do, draft)
	if out == nil {
		return ErrSending
	}
	out.Command.By, out.Command.Surface = queue.ByHuman, seat.surfaceOf(id)
	seat.ended[id] = out.Command.ID
	if d.work.stuck() {
		out.Err = ErrStuck
	}
	d.try(out)
	return nil
}

// try stores what was sent, once.
func (d *Desk) try(out *Outgoing) {
	out.try(d.now())
	d.Command(out.Session, out.Command, func(s queue.Session, err error) {
		verdict := d.outbox.judge(out, err, d.now())
		switch verdict {
		case wasStored:
			d.outbox.forget(out.Session)
			if _, live := d.live.sessions[s.ID]; live {
				d.takeSession(s) // only now is it known to last
			}
			d.last.sent(s)
			d.last.callerPresence(d)
			d.tell(Stored{s})
			d.forgetDraft(s, out.Draft)
		case wasOver: // its view says who won
		case wasRefused, wasUnstored:
			d.tell(NotStored{ID: out.Session, Err: out.Err, Again: verdict == wasUnstored})
		}
		d.Refresh()
	})
}

// retry tries again what is due, and forgets what is over.
func (d *Desk) retry(now time.Time) {
	for _, out := range d.outbox.due(now) {
		if s, ok := d.live.sessions[out.Session]; ok && s.At(now).Pending() {
			d.try(out)
		} else {
			d.outbox.forget(out.Session)
		}
	}
}

// forgetDraft drops the draft of a session that was answered here, unless it holds text that did not go out: that
// stays as long as drafts do, and history shows it.
func (d *Desk) forgetDraft(s queue.Session, draft queue.Draft) {
	delete(d.drafts, s.ID)
	if len(draft.Unsent(s)) == 0 {
		d.DropDraft(s.ID, draft.Instance)
		return
	}
	draft.Session, draft.At = s.ID, d.now().UTC()
	d.SaveDraft(draft)
}

// move sets a deadline, here at once, so that the next key counts from it, and in the store.
func (d *Desk) move(seat *Seat, s queue.Session, to time.Time, then func()) {
	s.Deadline, s.FuseFrom = to, d.now()
	d.live.sessions[s.ID], d.live.stale = s, true
	for _, seat := range d.seats {
		seat.follow(s)
	}
	c := queue.Command{By: queue.ByHuman, Surface: seat.surfaceOf(s.ID), Do: queue.Move{To: to}}
	d.Command(s.ID, c, func(_ queue.Session, err error) {
		if then != nil {
			then()
		}
		if err != nil && !errors.Is(err, queue.ErrSettled) && !errors.Is(err, queue.ErrFinal) {
			d.tell(NotMoved{s.ID, err})
		}
		d.Refresh()
	})
}

// expire stores a timeout that nobody else has stored yet; whoever notices first does.
func (d *Desk) expire(id string) {
	d.Command(id, queue.Command{By: queue.ByClock, Do: queue.Expire{}}, nil)
}

// abandonBound cancels the questions that belong to one call whose caller is gone: nobody can collect their answer,
// so nobody should write one (docs/design.md section 4, rule 6).
func (d *Desk) abandonBound() {
	if gone := abandonedSessions(d.live.sessions, d.Alive); len(gone) > 0 {
		d.Later(func() { _ = d.o.Queue.Sweep(context.Background(), gone) }) // asks again who is present
	}
}

// abandonedSessions are those of the live sessions that belong to one call whose caller is gone. Nobody can collect
// their answer, so nobody should write one: a face has them swept at once, and does not wait for its next sweep.
func abandonedSessions(live map[string]queue.Session, alive func(instance string) bool) []queue.Session {
	var gone []queue.Session
	for _, s := range live {
		if s.Outcome == nil && s.Bound() && s.Gone(alive) {
			gone = append(gone, s)
		}
	}
	return gone
}
