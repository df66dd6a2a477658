package desk

import (
	"errors"

	"github.com/choicetui/choicetui/queue"
)

// Take takes over a batch of the watch, for tests that read it themselves; present counts where the batch says that it
// changed.
func (d *Desk) Take(ch queue.Changes, present []queue.Presence) {
	d.takeBatch(batch{changes: ch, present: present})
}

// takeBatch takes over one change of the queue.
func (d *Desk) takeBatch(b batch) {
	if d.noteWatch(b); b.err != nil {
		return
	}
	d.saveUnsaved()
	if b.changes.Presence {
		d.takePresent(b.present)
	}
	if b.beside && !d.Stays() {
		b.changes.Broken = nil // a form says nothing of another question's file
	}
	if !d.live.loaded && !b.beside { // not before the one question that the desk was opened on is there
		d.live.loaded = true
		close(d.live.came)
	}
	d.noteDegraded(b.changes.Degraded)
	d.takeChanges(b.changes)
	if b.changes.Presence {
		d.sweepAbandoned()
	}
}

// takeChanges takes over the changes of the queue.
func (d *Desk) takeChanges(ch queue.Changes) {
	for _, s := range ch.Sessions {
		d.takeSession(s)
	}
	for _, id := range ch.Gone {
		d.dropSession(id)
	}
	for _, draft := range ch.Drafts {
		d.takeDraft(draft)
	}
	for _, b := range ch.Broken {
		d.noteBroken(b)
	}
	d.Refresh()
}

// takeDraft takes over a draft from elsewhere. The faces are told that another person types, but not the text.
func (d *Desk) takeDraft(draft queue.Draft) {
	if !d.colleagues.isOthers(draft) {
		d.seats.takeDraft(draft)
		return
	}
	if d.colleagues.note(draft) {
		d.tell(Ordered{})
	}
}

// takePresent takes over who runs.
func (d *Desk) takePresent(list []queue.Presence) {
	was := d.live.roles
	d.live.notePresent(list)
	if d.colleagues.notePresent(was, d.live.roles) {
		d.tell(Ordered{})
	}
	d.last.noteCaller(d.live)
	d.tell(Present{list})
}

// takeSession keeps the newest state of a session and notes how it ended.
func (d *Desk) takeSession(s queue.Session) {
	if d.ruling.holdBack(s) {
		return
	}
	was, known := d.live.Session(s.ID)
	if known && (was.Revision > s.Revision || was.Revision == s.Revision && was.Outcome != nil) {
		return
	}
	if d.outbox.ended(s) { // it is there, but the disk has yet to confirm it: see sending.storeOnce
		return
	}
	d.live.keep(s)
	d.seats.follow(s)
	d.sending.followHeld(s)
	if !s.At(d.Now()).Pending() {
		d.takeOutcome(was, known, s)
	}
	d.last.follow(s)
	d.tell(Changed{was, s})
}

// takeOutcome takes over the end of a session. A session that is not known was settled before this desk looked, and is
// not archived yet.
func (d *Desk) takeOutcome(was queue.Session, known bool, s queue.Session) {
	if known && (was.At(d.Now()).Pending() || was.Outcome == nil && s.Outcome != nil) {
		d.noteEnd(s)
	}
	d.today.add(s)
	d.before.Add(s)
}

// command has the worker run a command, and takes its result over, unless the disk did not confirm it.
func (d *Desk) command(id string, c queue.Command, then func(queue.Session, error)) {
	d.doCommand(id, c, func(s queue.Session, err error) {
		if !errors.Is(err, queue.ErrInDoubt) {
			d.takeResult(s)
		}
		if then != nil {
			then(s, err)
		}
	})
}

// takeResult takes the state of a session that a command of ours has left. The watch may have been faster: a session
// that is not live any more stays gone, and how it ended is read from the archive.
func (d *Desk) takeResult(s queue.Session) {
	if s.ID == "" {
		return
	}
	if _, live := d.live.sessions[s.ID]; live || d.ruling.holds(s.ID) {
		d.takeSession(s)
		return
	}
	d.fetchEnd(s.ID, queue.Session{})
}

// noteEnd notes an outcome that has just been seen.
func (d *Desk) noteEnd(s queue.Session) {
	if s = s.At(d.Now()); s.Outcome == nil {
		return
	}
	if s.Widen != nil && d.o.Team != nil {
		d.o.Team.Ring()
	}
	ours := d.seats.endedHere(s)
	if !s.IsMessage() { // a message is no question: nothing was missed, nothing answered
		d.today.add(s)
		d.before.Add(s)
		if !ours {
			d.noteLoss(s)
		}
	}
	d.tell(Ended{s, ours})
}

// noteLoss notes a question that ended without anybody here. A question that somebody missed is told at every seat; the
// person did not miss a call that they called off in the agent. Answers by a rule are told too. Answers from elsewhere
// are told only at the seats that have seen the question. Whoever sent something that did not count is always told.
func (d *Desk) noteLoss(s queue.Session) {
	tooLate := d.seats.tooLate(s)
	if tooLate {
		d.last.overtake(s)
	}
	missed := s.Outcome.Ending().Missed
	if missed && !s.CalledOff() {
		d.seats.miss(s)
	}
	known := missed || s.Outcome.By == queue.ByRule || d.seats.seen(s.ID)
	if known && !tooLate && s.Outcome.Status != queue.StatusLost {
		d.last.lose(s)
	}
}

// dropSession forgets a session that left the live ones. What is still to be said of it is read from the archive, and
// its seats forget it after that.
func (d *Desk) dropSession(id string) {
	d.ruling.letGo(id)
	d.ruling.drop(id)
	was := d.live.drop(id)
	delete(d.seats.drafts, id)
	d.colleagues.forget(id)
	missing := was.ID == "" && id == d.o.Attach // it ended before the first batch
	switch {
	case waited(was), d.last.ID == id && !d.last.Received, missing:
		d.fetchEnd(id, was)
	case was.ID != "": // else that was done before
		d.seats.drop(id)
	}
	d.tell(Left{id})
}

func waited(was queue.Session) bool { return was.ID != "" && was.Outcome == nil }

// fetchEnd reads from the archive how a session ended that left the live ones; was: its last state there, if its end is
// not told yet.
func (d *Desk) fetchEnd(id string, was queue.Session) {
	d.Store(func(ctx storeContext) {
		s, err := d.o.Queue.Store.Get(ctx, id)
		d.Do(func() {
			if _, back := d.live.sessions[id]; back {
				return
			}
			d.takeEnd(was, s, err)
			d.seats.drop(id)
			d.Refresh()
		})
	})
}

// takeEnd takes over a session as the archive has it. A question that is not there either is lost.
func (d *Desk) takeEnd(was, s queue.Session, err error) {
	if errors.Is(err, queue.ErrNotFound) && waited(was) && !was.IsMessage() {
		s, err = was.Lost(d.Now()), nil
	}
	if err != nil {
		return
	}
	d.seats.follow(s)
	d.last.follow(s)
	if waited(was) {
		d.noteEnd(s)
	}
}

// Refresh brings the queue up to date, if anything in it changed or ended, and has each seat put on view what belongs
// there. Whoever changed something calls it once, after all changes of one batch.
func (d *Desk) Refresh() {
	now := d.Now()
	if d.live.outdated(now) {
		for _, s := range d.live.order(now) {
			d.sending.expireSession(s.ID)
			d.noteEnd(s)
		}
		d.closing.see(now)
		d.tell(Ordered{})
	}
	for _, seat := range d.seats.list {
		seat.settleView(now)
		if seat.chat != nil {
			seat.chat.probeAddressed()
		}
	}
}
