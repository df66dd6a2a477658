package desk

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// live is the queue as it was last seen.
type live struct {
	sessions map[string]queue.Session
	present  map[string]string // instance → role
	waiting  []queue.Waiting   // in queue order, as of the last change
	names    queue.Names
	nextEnd  time.Time // the soonest deadline of all that wait
	stale    bool      // waiting must be computed anew
	loaded   bool      // the first batch has come
}

func newLive() live {
	return live{sessions: map[string]queue.Session{}, present: map[string]string{}}
}

// Loaded reports whether the queue was read once.
func (d *Desk) Loaded() bool { return d.live.loaded }

// Waiting is all that waits, in queue order, as of the last change.
func (d *Desk) Waiting() []queue.Waiting { return d.live.waiting }

// Gone counts those that wait for nobody; they come last.
func (d *Desk) Gone() (n int) {
	list := d.live.waiting
	for n < len(list) && list[len(list)-1-n].Standing == queue.StandingGone {
		n++
	}
	return n
}

// Session is a live session as it was last seen, and whether there is one.
func (d *Desk) Session(id string) (queue.Session, bool) {
	s, ok := d.live.sessions[id]
	return s, ok
}

// Sessions gives every live session to see, in no order.
func (d *Desk) Sessions(see func(queue.Session)) {
	for _, s := range d.live.sessions {
		see(s)
	}
}

// Alive says whether an instance's process runs.
func (d *Desk) Alive(instance string) bool {
	_, ok := d.live.present[instance]
	return ok
}

// Role is what an instance's process is; empty: it does not run.
func (d *Desk) Role(instance string) string { return d.live.present[instance] }

// Others reports whether another process of a role runs beside this one.
func (d *Desk) Others(role string) bool {
	for instance, r := range d.live.present {
		if r == role && instance != d.o.Instance {
			return true
		}
	}
	return false
}

// Name is how an agent is called among those that wait: two alike are told apart.
func (d *Desk) Name(o queue.Origin) string { return d.live.names.Of(o) }

// Restless notes that what waits must be put in order anew at the next Refresh.
func (d *Desk) Restless() { d.live.stale = true }

// takeChanges takes one batch of the watch.
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
		d.trouble.Broken = &b
		d.tell(SetAside{b})
	}
	if d.trouble.Degraded != ch.Degraded {
		d.trouble.Degraded = ch.Degraded
		d.tell(Troubled{})
	}
	d.live.loaded = true
	d.Refresh()
}

// takePresent takes over who runs.
func (d *Desk) takePresent(list []queue.Presence) {
	d.live.present = map[string]string{}
	for _, p := range list {
		d.live.present[p.Instance] = p.Role
	}
	d.live.stale = true
	d.last.callerPresence(d)
	d.tell(Present{list})
}

// takeSession keeps the newest state of a session and notes how it ended.
func (d *Desk) takeSession(s queue.Session) {
	was, known := d.live.sessions[s.ID]
	if known && (was.Revision > s.Revision || was.Revision == s.Revision && was.Outcome != nil) {
		return
	}
	if d.outbox.ended(s) { // it is there, but the disk has yet to confirm it: see try
		return
	}
	d.live.sessions[s.ID] = s
	d.live.stale = true
	for _, seat := range d.seats {
		seat.follow(s)
	}
	if known && (was.At(d.now()).Pending() || was.Outcome == nil && s.Outcome != nil) {
		d.noteEnd(s)
	}
	d.last.follow(s)
	d.today.Add(s) // settled before this desk looked, and not archived
	d.tell(Changed{was, s})
}

// takeResult takes the state of a session that a command of ours has left. The watch may have been faster: a session
// that is not live any more stays gone, and how it ended is read from the archive.
func (d *Desk) takeResult(s queue.Session) {
	if s.ID == "" {
		return
	}
	if _, live := d.live.sessions[s.ID]; live {
		d.takeSession(s)
		return
	}
	d.fetchEnd(s.ID, queue.Session{})
}

// noteEnd notes an outcome that has just been seen.
func (d *Desk) noteEnd(s queue.Session) {
	if s = s.At(d.now()); s.Outcome == nil {
		return
	}
	ours := d.endedHere(s)
	if !s.IsMessage() { // a message is no question: nothing was missed, nothing answered
		d.today.Add(s)
		if s.Outcome.By == queue.ByCaller || s.Outcome.By == queue.ByClock {
			if !d.onView(s.ID) { // the view says so itself
				d.last.lose(s)
			}
			for _, seat := range d.seats {
				seat.miss(s)
			}
		}
	}
	d.tell(Ended{s, ours})
}

// onView reports whether a person can see a question that is on view somewhere here.
func (d *Desk) onView(id string) bool {
	return slices.ContainsFunc(d.seats, func(s *Seat) bool { return !s.covered && s.Up() == id })
}

// dropSession forgets a session that left the live ones. What is still to be said of it is read from the archive, and
// its seats forget it after that.
func (d *Desk) dropSession(id string) {
	was := d.live.sessions[id]
	delete(d.live.sessions, id)
	delete(d.drafts, id)
	d.live.stale = true
	if waited(was) || d.last.ID == id && !d.last.Received {
		d.fetchEnd(id, was)
	} else {
		d.dropFromSeats(id)
	}
	d.tell(Left{id})
}

func waited(was queue.Session) bool { return was.ID != "" && was.Outcome == nil }

func (d *Desk) dropFromSeats(id string) {
	for _, seat := range d.seats {
		seat.drop(id)
	}
}

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
			d.dropFromSeats(id)
			d.Refresh()
		})
	})
}

// takeEnd takes over a session as the archive has it. A question that is not there either is lost.
func (d *Desk) takeEnd(was, s queue.Session, err error) {
	if errors.Is(err, queue.ErrNotFound) && waited(was) && !was.IsMessage() {
		s, err = was.Lost(d.now()), nil
	}
	if err != nil {
		return
	}
	for _, seat := range d.seats {
		seat.follow(s)
	}
	d.last.follow(s)
	if waited(was) {
		d.noteEnd(s)
	}
}

// Refresh brings the queue up to date, if anything in it changed or ended, and has each seat put on view what belongs
// there. Whoever changed something calls it once, after all changes of one batch.
func (d *Desk) Refresh() {
	now := d.now()
	if d.live.stale || !d.live.nextEnd.IsZero() && !now.Before(d.live.nextEnd) {
		d.order(now)
	}
	for _, seat := range d.seats {
		seat.settle(now)
		if seat.chat != nil {
			seat.chat.probeAddressed()
		}
	}
}

func (d *Desk) order(now time.Time) {
	all := make([]queue.Session, 0, len(d.live.sessions))
	for id, s := range d.live.sessions {
		if d.o.Attach == "" || id == d.o.Attach {
			all = append(all, s)
		}
	}
	before := d.live.waiting
	d.live.waiting = queue.WaitingOrder(all, d.Alive, now)
	d.live.stale, d.live.nextEnd, d.live.names = false, time.Time{}, queue.Names{}
	for i := range d.live.waiting {
		w := &d.live.waiting[i]
		d.live.names.Add(w.Origin)
		if end := w.Deadline; !end.IsZero() && (d.live.nextEnd.IsZero() || end.Before(d.live.nextEnd)) {
			d.live.nextEnd = end
		}
	}
	for i := range before { // what the clock ended without anybody storing it
		id := before[i].ID
		if s, ok := d.live.sessions[id]; ok && s.Outcome == nil && !s.At(now).Pending() {
			d.live.sessions[id] = s.At(now)
			d.expire(id)
			d.noteEnd(s)
		}
	}
	d.closing.see(d, now)
	d.tell(Ordered{})
}

// RoleOfSeat is what the process is whose seat saved a draft under this instance; empty: it does not run. A seat of
// this desk is what it is itself, such as a page in a browser.
func (d *Desk) RoleOfSeat(instance string) string {
	for _, seat := range d.seats {
		if seat.instance == instance {
			return roleOf[seat.o.Surface]
		}
	}
	if role := d.Role(instance); role != "" {
		return role
	}
	return d.Role(instance[:max(strings.LastIndexByte(instance, '-'), 0)])
}

// roleOf is the role of a process that is nothing but a seat of this surface.
var roleOf = map[string]string{queue.SurfaceDashboard: queue.RoleDashboard, queue.SurfaceAttach: queue.RoleAttach,
	queue.SurfaceWeb: queue.RolePortal}
