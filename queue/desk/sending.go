package desk

import (
	"errors"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// Errors that refuse a command of the person's before it is sent.
var (
	ErrSending = errors.New("being sent")
	ErrNoClock = errors.New("no clock")
	ErrLeast   = errors.New("least time")
	ErrMost    = errors.New("most time")
	ErrOver    = errors.New("over")
)

// sending brings into the store what the person sends, however often it takes, and the deadlines that the person
// moved.
type sending struct {
	d      *Desk
	outbox Outbox
}

// Outbox returns the answers and cancels that the store does not have yet.
func (o *sending) Outbox() Outbox { return o.outbox }

// settleSession ends a session by answer or cancel. If it cannot be stored the same command is tried again, until it is
// or the session is over. An answer that the settings hold back goes out later, and the one that the seat still holds
// back goes out first.
func (o *sending) settleSession(seat *Seat, s queue.Session, do queue.Action, draft queue.Draft) error {
	id := s.ID
	if seat.sendBefore(id, do, draft) {
		seat.Guard.noteSent()
		return nil
	}
	draft.Instance = seat.instance
	out := o.outbox.putAction(id, do, draft)
	if out == nil {
		return ErrSending
	}
	seat.Guard.noteSent()
	ends := seat.command(id, do)
	ends.ID = out.Command.ID
	out.Command = ends
	seat.ended[id] = out.Command
	if until := seat.sendTime(s, do); !until.IsZero() {
		seat.holdAnswer(out, until)
		return nil
	}
	if o.d.worker.worklist.stuck() {
		out.Err = ErrStuck
	}
	o.storeOnce(out)
	return nil
}

// storeOnce stores what was sent, once.
func (o *sending) storeOnce(out *Outgoing) {
	out.noteTry(o.d.Now())
	o.d.command(out.Session, out.Command, func(s queue.Session, err error) {
		verdict := o.outbox.judgeAttempt(out, err, o.d.Now())
		switch verdict {
		case wasStored:
			o.outbox.forgetSession(out.Session)
			if _, live := o.d.live.sessions[s.ID]; live {
				o.d.takeSession(s) // only now is it known to last
			}
			o.d.last.sent(s)
			o.d.last.noteCaller(o.d.live)
			o.d.tell(Stored{s})
			o.forgetDraft(s, out.Draft)
		case wasOver: // an earlier answer that was received would read as if this one was
			if !o.noteTooLate(out.Session) && !o.d.last.TooLate {
				o.d.last = Last{}
			}
		case wasRefused, wasUnstored:
			if verdict == wasRefused {
				o.d.seats.unsend(out.Session)
				o.unconfirm(out)
			}
			o.d.tell(NotStored{ID: out.Session, Err: out.Err, Again: verdict == wasUnstored})
		}
		o.d.Refresh()
	})
}

// noteTooLate makes a session the last event if it is over and something that was sent for it did not count, and
// reports whether that is so.
func (o *sending) noteTooLate(id string) bool {
	s, _ := o.d.live.Session(id)
	s = s.At(o.d.Now())
	late := s.ID != "" && o.d.seats.tooLate(s)
	if late {
		o.d.last.overtake(s)
	}
	return late
}

// unconfirm has a confirmation whose answer was refused for good be given again: Enter alone must not send the next.
func (o *sending) unconfirm(out *Outgoing) {
	if seat := o.d.seats.seatNamed(out.Draft.Instance); seat != nil {
		if f := seat.FormOf(out.Session); f != nil {
			f.Unconfirm()
		}
	}
}

// followHeld keeps an answer that is held back true to its session: it is forgotten with it, and goes out before a
// deadline that came nearer.
func (o *sending) followHeld(s queue.Session) {
	out := o.outbox.Of(s.ID)
	switch {
	case out == nil || !out.isHeld():
	case s.Outcome != nil:
		o.outbox.forgetSession(s.ID)
	default:
		out.holdUntil(latestSend(s, out.again))
	}
}

// retryDue tries what is due, and forgets what is over.
func (o *sending) retryDue(now time.Time) {
	for _, out := range o.outbox.dueEntries(now) {
		if s, ok := o.d.live.sessions[out.Session]; ok && s.At(now).Pending() {
			o.storeOnce(out)
		} else {
			o.outbox.forgetSession(out.Session)
			o.noteTooLate(out.Session)
		}
	}
}

// forgetDraft drops the draft of a session that was answered here, unless it holds text that did not go out: that
// stays as long as drafts do, and history shows it.
func (o *sending) forgetDraft(s queue.Session, draft queue.Draft) {
	delete(o.d.seats.drafts, s.ID)
	if len(draft.Unsent(s)) == 0 {
		o.d.dropDraft(s.ID, draft.Instance)
		return
	}
	draft.Session, draft.At = s.ID, o.d.Now().UTC()
	o.d.saveDraft(draft)
}

// moveDeadline sets a deadline in the store. It also sets it here at once, so that the next key counts from the new
// deadline.
func (o *sending) moveDeadline(seat *Seat, s queue.Session, to time.Time, then func()) {
	s.Deadline, s.FuseFrom = to, o.d.Now()
	o.d.live.keepSession(s)
	o.d.seats.followSession(s)
	c := seat.command(s.ID, queue.Move{To: to})
	o.d.command(s.ID, c, func(_ queue.Session, err error) {
		if then != nil {
			then()
		}
		if err != nil && !errors.Is(err, queue.ErrSettled) && !errors.Is(err, queue.ErrFinal) {
			o.d.tell(NotMoved{s.ID, err})
		}
		o.d.Refresh()
	})
}

// expireSession stores a timeout that nobody else has stored yet; whoever notices first does.
func (o *sending) expireSession(id string) {
	o.d.command(id, queue.Command{By: queue.ByClock, Do: queue.Expire{}}, nil)
}
