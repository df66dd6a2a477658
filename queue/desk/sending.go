package desk

import (
	"errors"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// Reasons why an action of the person is refused before it is sent.
var (
	ErrSending = errors.New("being sent") // an answer to the question is on its way to the store
	ErrNoClock = errors.New("no clock")   // the question has no deadline that could be moved
	ErrLeast   = errors.New("least time") // the deadline cannot be moved any nearer
	ErrMost    = errors.New("most time")  // the deadline would be too far away
	ErrOver    = errors.New("over")       // the question has ended
)

// Outbox returns the answers and cancels that the store does not have yet.
func (d *Desk) Outbox() Outbox { return d.outbox }

// settleSession ends a session with an answer or a cancel. If the command cannot be stored, it is tried again until it
// is stored or the session is over. With the setting undo_seconds an answer is held back for a while (see undoing), and
// an earlier answer that the view still holds back is sent first.
func (d *Desk) settleSession(view *View, s queue.Session, do queue.Action, draft queue.Draft) error {
	id := s.ID
	if view.sendBefore(id, do, draft) {
		view.Guard.noteSent()
		return nil
	}
	draft.Instance = view.instance
	out := d.outbox.putAction(id, do, draft)
	if out == nil {
		return ErrSending
	}
	view.Guard.noteSent()
	ends := view.command(id, do)
	ends.ID = out.Command.ID
	out.Command = ends
	view.ended[id] = out.Command
	if until := view.sendTime(s, do); !until.IsZero() {
		view.holdAnswer(out, until)
		return nil
	}
	if d.worker.worklist.stuck() {
		out.Err = ErrStuck
	}
	d.storeOnce(out)
	return nil
}

// storeOnce makes one attempt to store an entry of the outbox, and applies the result.
func (d *Desk) storeOnce(out *Outgoing) {
	out.noteTry(d.Now())
	d.runCommand(out.Session, out.Command, func(s queue.Session, err error) {
		verdict := d.outbox.judgeAttempt(out, err, d.Now())
		switch verdict {
		case wasStored:
			d.outbox.forgetSession(out.Session)
			if _, live := d.live.sessions[s.ID]; live {
				d.takeSession(s) // not shown before, because only now the store has confirmed it
			}
			d.last.noteAnswer(s)
			d.last.noteCaller(&d.live)
			d.tell(Stored{s})
			d.forgetDraft(s, out.Draft)
		case wasOver: // an earlier answer must not stay the last event: it would look as if this one had been received
			if !d.noteTooLate(out.Session) && !d.last.TooLate {
				d.last = Last{}
			}
		case wasRefused, wasUnstored:
			if verdict == wasRefused {
				d.views.forgetSent(out.Session)
				d.unconfirm(out)
			}
			d.tell(NotStored{ID: out.Session, Err: out.Err, Again: verdict == wasUnstored})
		}
		d.Refresh()
	})
}

// noteTooLate makes a session the last event if it is over and an answer or cancel from here did not count. It reports
// whether that is so.
func (d *Desk) noteTooLate(id string) bool {
	s, _ := d.live.Session(id)
	s = s.At(d.Now())
	late := s.ID != "" && d.views.tooLate(s)
	if late {
		d.last.noteTooLate(s)
	}
	return late
}

// unconfirm takes the person's confirmation back after the store refused the answer for good. Otherwise Enter alone
// would send the next answer without a new confirmation.
func (d *Desk) unconfirm(out *Outgoing) {
	if view := d.views.viewNamed(out.Draft.Instance); view != nil {
		if f := view.FormOf(out.Session); f != nil {
			f.Unconfirm()
		}
	}
}

// followPostponed updates an answer that is held back after its session changed. It forgets the answer if the session
// has ended, and sends it earlier if the deadline came nearer.
func (d *Desk) followPostponed(s queue.Session) {
	out := d.outbox.Of(s.ID)
	switch {
	case out == nil || !out.IsPostponed():
	case s.Outcome != nil:
		d.outbox.forgetSession(s.ID)
	default:
		out.holdUntil(latestSend(s, out.again))
	}
}

// resendDue tries the entries that are due, and forgets those whose session is over. An entry whose session's end is
// not known yet waits.
func (d *Desk) resendDue(now time.Time) {
	for _, out := range d.outbox.dueEntries(now) {
		s, live := d.live.sessions[out.Session]
		switch {
		case live && s.At(now).Pending():
			d.storeOnce(out)
		case !live && d.readsEnd(out.Session):
			out.again = now.Add(RetryIn)
		default:
			d.outbox.forgetSession(out.Session)
			d.noteTooLate(out.Session)
		}
	}
}

// forgetDraft drops the draft of a session that was answered here. It keeps a draft with text that was not sent,
// because the history shows that text as long as drafts are kept.
func (d *Desk) forgetDraft(s queue.Session, draft queue.Draft) {
	delete(d.views.drafts, s.ID)
	if len(draft.Unsent(s)) == 0 {
		d.dropDraft(s.ID, draft.Instance)
		return
	}
	draft.Session, draft.At = s.ID, d.Now().UTC()
	d.saveDraft(draft)
}

// moveDeadline sets a deadline in the store. It also sets it here at once, so that the next key counts from the new
// deadline.
func (d *Desk) moveDeadline(view *View, s queue.Session, to time.Time, then func()) {
	s.Deadline, s.CountdownFrom = to, d.Now()
	d.live.keepSession(s)
	d.views.followSession(s)
	c := view.command(s.ID, queue.Move{To: to})
	d.runCommand(s.ID, c, func(_ queue.Session, err error) {
		if then != nil {
			then()
		}
		if err != nil && !errors.Is(err, queue.ErrSettled) && !errors.Is(err, queue.ErrFinal) {
			d.tell(NotMoved{s.ID, err})
		}
		d.Refresh()
	})
}

// expireSession stores the timeout of a session. Every process that notices a timeout stores it; the first one wins.
func (d *Desk) expireSession(id string) {
	d.runCommand(id, queue.Command{By: queue.ByClock, Do: queue.TimeOut{}}, nil)
}
