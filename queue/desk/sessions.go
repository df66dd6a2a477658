package desk

import (
	"errors"
	"slices"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// Take applies a batch of the watch, for tests that read the watch themselves. present counts only if the batch says
// that the list of processes changed.
func (d *Desk) Take(ch queue.Changes, present []queue.Presence) {
	d.takeBatch(batch{changes: ch, present: present, from: &source{}})
}

// takeBatch applies one change of the queue.
func (d *Desk) takeBatch(b batch) {
	local := b.from.host == ""
	if !local && !slices.Contains(d.feed.sources, b.from) { // the batch was on its way when its host was left
		return
	}
	if local && (b.err != nil || d.trouble.Queue != nil || d.beside != nil) {
		d.noteWatch(b)
	}
	if b.err != nil {
		return
	}
	if len(d.unsaved) > 0 {
		d.saveUnsaved()
	}
	if b.changes.Presence {
		d.takePresent(b.from.host, b.present)
	}
	if b.from.beside && !d.Stays() {
		b.changes.Broken = nil // a form for one question does not report the files of others
	}
	if !d.live.loaded && local && !b.from.beside { // others may be first, but do not have the desk's own question
		d.live.loaded = true
		close(d.live.came)
	}
	if state := b.changes.Host; state != nil {
		if d.noteHost(*state); state.Connected {
			d.upkeep.noteJoined()
		}
	}
	d.takeChanges(b.changes)
	if b.changes.Presence {
		d.sweepAbandoned()
	}
}

// takeChanges applies the changes of the sessions and drafts.
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

// takeDraft applies a draft from elsewhere. Of a draft by another person the frontends learn only that somebody types.
func (d *Desk) takeDraft(draft queue.Draft) {
	if !d.colleagues.isOthers(draft) {
		d.views.takeDraft(draft)
		d.tell(Drafted{draft})
		return
	}
	if d.colleagues.noteTyping(draft) {
		d.tell(Ordered{})
	}
}

// takePresent applies a new list of the processes that run on a host; empty: on this machine's queue.
func (d *Desk) takePresent(host string, list []queue.Presence) {
	was := d.live.roles
	list = d.live.notePresent(host, list)
	if d.colleagues.notePresent(was, d.live.roles) {
		d.tell(Ordered{})
	}
	d.last.noteCaller(&d.live)
	d.tell(Present{list})
}

// takeSession applies the newest state of a session, and its end if it has ended.
func (d *Desk) takeSession(s queue.Session) {
	if d.ruling.rules != nil && d.holdBack(s) {
		return
	}
	was, known := d.live.Session(s.ID)
	if known && (was.Revision > s.Revision || was.Revision == s.Revision && was.Outcome != nil) {
		return
	}
	sends := d.outbox.Of(s.ID) != nil
	if sends && d.outbox.endedSession(s) { // our own answer, which the store has not confirmed yet; see storeOnce
		return
	}
	d.live.keepSession(s)
	d.views.followSession(s)
	if sends {
		d.followPostponed(s)
	}
	if !s.At(d.Now()).Pending() {
		d.takeOutcome(was, known, s)
	}
	if s.ID == d.last.ID {
		d.last.followSession(s)
	}
	d.tell(Changed{was, s})
}

// takeOutcome applies the end of a session. If the session was not known, it was settled before this desk looked and is
// not archived yet.
func (d *Desk) takeOutcome(was queue.Session, known bool, s queue.Session) {
	if known && (was.At(d.Now()).Pending() || was.Outcome == nil && s.Outcome != nil) {
		d.noteEnd(s)
	}
	d.today.addSession(s)
	d.before.Add(s)
}

// runCommand makes the worker run a command, and applies its result unless the disk did not confirm it.
func (d *Desk) runCommand(id string, c queue.Command, then func(queue.Session, error)) {
	d.doCommand(id, c, func(s queue.Session, err error) {
		if !errors.Is(err, queue.ErrInDoubt) {
			d.takeResult(s)
		}
		if then != nil {
			then(s, err)
		}
	})
}

// takeResult applies the state in which our command left a session. If the watch has already reported the session as
// gone, it stays gone, and its end is read from the archive.
func (d *Desk) takeResult(s queue.Session) {
	if s.ID == "" {
		return
	}
	if _, live := d.live.sessions[s.ID]; live || d.ruling.isPostponed(s.ID) {
		d.takeSession(s)
		return
	}
	d.fetchEnd(s.ID, queue.Session{})
}

// See applies the state of a session that a caller has just read from the queue.
func (d *Desk) See(s queue.Session) {
	d.takeResult(s)
	d.Refresh()
}

// noteEnd counts a session that has just been seen to end, and reports it with Ended.
func (d *Desk) noteEnd(s queue.Session) {
	if s = s.At(d.Now()); s.Outcome == nil {
		return
	}
	if s.Widen != nil && d.o.Team != nil {
		d.o.Team.Ring()
	}
	ours := d.views.endedHere(s)
	if !s.IsMessage() { // a message cannot be missed or answered
		d.today.addSession(s)
		d.before.Add(s)
		if !ours {
			d.noteLoss(s)
		}
	}
	d.tell(Ended{s, ours})
}

// noteLoss handles a question that was not ended at this desk. If the question ended without the person, every view
// lists it as missed, except if the person called it off in the agent. The question becomes the last event if it was
// missed, if a permission rule answered it, or if it was on view here. If an answer was sent from here and did not
// count, it becomes the last event in any case.
func (d *Desk) noteLoss(s queue.Session) {
	tooLate := d.views.tooLate(s)
	if tooLate {
		d.last.noteTooLate(s)
	}
	missed := s.Outcome.Ending().Missed
	if missed && !s.CalledOff() {
		d.views.missAll(s)
	}
	known := missed || s.Outcome.By == queue.ByRule || d.views.seen(s.ID)
	if known && !tooLate && s.Outcome.Status != queue.StatusLost {
		d.last.noteLoss(s)
	}
}

// dropSession forgets a session that is no longer live. If its end was not reported yet it is read from the archive
// first.
func (d *Desk) dropSession(id string) {
	if d.ruling.rules != nil {
		d.releasePostponed(id)
		d.ruling.forgetSession(id)
	}
	was := d.live.dropSession(id)
	delete(d.views.drafts, id)
	if len(d.colleagues.typed) > 0 {
		d.colleagues.forgetSession(id)
	}
	missing := was.ID == "" && id == d.o.opened() // the desk's own question ended before the first batch came
	switch {
	case wasPending(was), d.last.ID == id && !d.last.Received, missing:
		d.fetchEnd(id, was)
	case was.ID != "": // a session that was never known has nothing to forget
		d.views.dropSession(id)
	}
	d.tell(Left{id})
}

// wasPending reports whether a session was pending in its last known state. The zero Session, which means that none is
// known, was not.
func wasPending(was queue.Session) bool { return was.ID != "" && was.Outcome == nil }

// fetchEnd reads from the archive how a session ended that is no longer live. was is its last known state, if its end
// is not reported yet; else the zero Session. If the archive cannot be read now, or the session is live after all,
// fetchEnd tries again, because the question would otherwise stay on view as if it were pending.
func (d *Desk) fetchEnd(id string, was queue.Session) {
	d.fetching[id]++
	d.StoreFor(id, func(ctx storeContext) {
		s, err := d.o.Queue.Get(ctx, id)
		d.Do(func() {
			if d.fetching[id]--; d.fetching[id] == 0 {
				delete(d.fetching, id)
			}
			if _, back := d.live.sessions[id]; back {
				return
			}
			over := s.Outcome != nil || errors.Is(err, queue.ErrNotFound) || errors.Is(err, queue.ErrNewer)
			if !over {
				d.unread[id] = unreadEnd{was, d.Now().Add(RetryIn)}
				return
			}
			d.takeEnd(was, s, err)
			d.views.dropSession(id)
			d.Refresh()
		})
	})
}

// readsEnd reports whether the end of a session that is no longer live is being read, or will be.
func (d *Desk) readsEnd(id string) bool {
	_, later := d.unread[id]
	return later || d.fetching[id] > 0
}

// followViews corrects a question on view that is shown as pending although it is not: it ended, or it is no longer
// live and its end is not being read. However that came about, nobody may answer it any more.
func (d *Desk) followViews() {
	for _, view := range d.views.list {
		if view.up == nil || view.up.session.Outcome != nil || !d.live.loaded {
			continue
		}
		id := view.up.session.ID
		s, live := d.live.sessions[id]
		switch {
		case live && s.Outcome != nil:
			d.views.followSession(*s)
		case !live && !d.readsEnd(id) && !d.ruling.isPostponed(id):
			d.fetchEnd(id, view.up.session)
		}
	}
}

// unreadEnd is a session that is no longer live and whose end could not be read: its last known state, and when to try
// again.
type unreadEnd struct {
	was   queue.Session
	again time.Time
}

// readUnread tries again to read how sessions ended, for each session whose next try is due.
func (d *Desk) readUnread(now time.Time) {
	for id, u := range d.unread {
		if !now.Before(u.again) {
			delete(d.unread, id)
			d.fetchEnd(id, u.was)
		}
	}
}

// takeEnd applies the end of a session that was read from the archive. A pending question that is not in the archive
// either, or that only a newer program can read, counts as lost. was is the session's last known state.
func (d *Desk) takeEnd(was, s queue.Session, err error) {
	if err != nil && wasPending(was) && !was.IsMessage() {
		s, err = was.Lost(d.Now()), nil
	}
	if err != nil {
		return
	}
	d.views.followSession(s)
	d.last.followSession(s)
	if wasPending(was) {
		d.noteEnd(s)
	}
}

// Refresh sorts the queue again if it changed or a deadline has passed, and lets each view choose its question. Call it
// once after all changes of one batch.
func (d *Desk) Refresh() {
	now := d.Now()
	if d.live.outdated(now) {
		for _, s := range d.live.orderWaiting(now) {
			d.expireSession(s.ID)
			d.noteEnd(s)
		}
		d.closing.noteGone(now)
		d.tell(Ordered{})
	}
	d.followViews()
	for _, view := range d.views.list {
		view.settleView(now)
	}
}
