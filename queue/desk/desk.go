package desk

import (
	"context"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// Settings gives the desk the settings file.
type Settings interface {
	Settings() config.Settings
	Watch(ctx context.Context, changed func()) error
}

// Options say what a desk works on.
type Options struct {
	Queue    *queue.Queue
	Settings Settings
	Instance string       // this process's Presence
	Attach   string       // the session that an attach was opened on; empty: none
	Alone    bool         // the face shows that session and nothing else of the queue
	Stay     bool         // it continues as the dashboard when that session has ended
	Pane     string       // this process's tmux pane
	Team     widen.Team   // asks teammates; nil: none is set up
	Rules    Rulebook     // the person's rules; nil: this desk applies none
	Chat     ChatWays     // gives lines to agents at once; nil: nothing is typed into terminals
	Go       func(func()) // starts a goroutine; nil: a plain one. A face that owns a terminal restores it on a panic
}

// only returns the session of a desk that has just this one; empty: it has the whole queue.
func (o Options) only() string {
	if o.Alone {
		return o.Attach
	}
	return ""
}

// Desk is the queue as one process sees it. Only its owner touches it, apart from Do and Bell. Its own methods take
// over what comes from the queue (sessions.go) and give the clock its turn; everything else is done by its parts.
type Desk struct {
	*inbox      // how others reach the owner: Do, Bell, Drain
	*news       // who is told what happens: Subscribe
	*faults     // what is wrong: Trouble
	*worker     // what takes time: Later, Store, Beside, Work
	*feed       // the watch on the queue: Open, TakeFirst, Leave
	*live       // the queue as last seen: Waiting, Session, Alive, Name
	*closing    // what keeps chat closed: Closing
	*sending    // what the person sends: Outbox
	*colleagues // who else answers: Answering
	*ruling     // what the person's rules allow: Rule, AddRule, AllowedBefore
	*upkeep     // what is done for the whole queue: Upkeep

	o        Options
	settings config.Settings
	seats    seats
	agents   *agents // to whom a line can be written
	last     Last
	reach    reach
	today    Today
}

// New returns a desk that has seen nothing of the queue yet.
func New(o Options) *Desk {
	if o.Go == nil {
		o.Go = func(f func()) { go f() }
	}
	d := &Desk{inbox: newInbox(), news: &news{}, live: newLive(o), o: o,
		settings: o.Settings.Settings(), seats: seats{drafts: map[string]queue.Draft{}}}
	list := newWorklist()
	d.faults = &faults{news: d.news, worklist: list}
	d.worker = &worker{worklist: list, idle: make(chan struct{}), start: o.Go, queue: o.Queue, inbox: d.inbox,
		faults: d.faults, unsaved: map[string]queue.Draft{}, saving: map[string]bool{}}
	d.feed = &feed{o: o, inbox: d.inbox, take: d.takeBatch}
	d.closing = &closing{live: d.live, now: d.Now}
	d.sending = &sending{d: d, outbox: newOutbox()}
	d.ruling = newRuling(d, o.Rules)
	d.colleagues = newColleagues(o.Queue)
	d.upkeep = &upkeep{queue: o.Queue, attach: o.Attach, alone: o.Alone, whole: d.Stays(), today: &d.today,
		live: d.live, inbox: d.inbox, worker: d.worker, news: d.news}
	d.agents = newAgents(d)
	d.Subscribe(d.agents.hear)
	return d
}

// Now returns the wall time that everything here goes by.
func (d *Desk) Now() time.Time { return d.o.Queue.Now() }

// Queue returns the queue that the desk works on.
func (d *Desk) Queue() *queue.Queue { return d.o.Queue }

// Attach returns the session that this desk was opened on; empty: none.
func (d *Desk) Attach() string { return d.o.Attach }

// Stays reports whether this is a dashboard, for as long as the person likes; else it is the form of one session and
// ends with it.
func (d *Desk) Stays() bool { return d.o.Attach == "" || d.o.Stay }

// Last returns the last event.
func (d *Desk) Last() *Last { return &d.last }

// Today returns this desk's account of today's answers.
func (d *Desk) Today() *Today { return &d.today }

// Settings returns the settings in force.
func (d *Desk) Settings() config.Settings { return d.settings }

// SetSettings puts settings in force: those of the file, or a change that is still on its way into it.
func (d *Desk) SetSettings(s config.Settings) {
	d.settings = s
	for _, seat := range d.seats.list {
		seat.followSettings(s)
	}
	d.tell(SettingsChanged{})
}

// Seat seats one more face at the desk.
func (d *Desk) Seat(o SeatOptions) *Seat {
	d.seats.seated++
	s := newSeat(d, d.seats.seated, o)
	d.seats.list = append(d.seats.list, s)
	return s
}

// Unseat takes a face away whose person has gone, such as a page that was closed. What was typed there is saved, and an
// answer that was held back goes out.
func (d *Desk) Unseat(s *Seat) {
	s.SaveDraft()
	s.SendNow()
	if s.chat != nil {
		s.chat.leaveSeat()
	}
	d.seats.leave(s)
}

// HasDraft reports whether something was typed or marked for a session, at whichever seat.
func (d *Desk) HasDraft(session string) bool { return d.seats.draftOf(session) != nil }

// RoleOfSeat returns the role of the process whose seat saved a draft under this instance; empty: it does not run. A
// seat of this desk, such as a page in a browser, has a role of its own.
func (d *Desk) RoleOfSeat(instance string) string {
	if seat := d.seats.named(instance); seat != nil {
		return roleOf[seat.surface]
	}
	return d.live.role(processOf(instance))
}

// roleOf is the role of a process that is nothing but a seat of this surface.
var roleOf = map[string]string{queue.SurfaceDashboard: queue.RoleDashboard, queue.SurfaceAttach: queue.RoleAttach,
	queue.SurfaceWeb: queue.RolePortal}

// Start has the desk follow the queue and the settings, and work, until ctx ends.
func (d *Desk) Start(ctx context.Context) {
	d.o.Go(func() { d.worker.runUntil(ctx) })
	for _, src := range d.feed.sources {
		d.o.Go(func() { d.feed.follow(ctx, src) })
	}
	if d.o.Team != nil {
		d.o.Go(func() {
			d.o.Team.Tell(ctx, func(err error) { d.Do(func() { d.tell(TeamTrouble{err}) }) })
		})
	}
	d.o.Go(func() {
		_ = d.o.Settings.Watch(ctx, func() { d.Do(func() { d.SetSettings(d.o.Settings.Settings()) }) })
	})
}

// LookAgain is the longest a face sleeps in one go while something waits. A timer does not count while the machine
// sleeps, nor does it follow a wall clock that is put right.
const LookAgain = 5 * time.Second

// Run owns the desk until ctx ends, for faces without an event loop of their own. It wakes for what is handed over and
// for the clock.
func (d *Desk) Run(ctx context.Context) {
	for ctx.Err() == nil {
		var due <-chan time.Time
		if next := d.NextTick(); !next.IsZero() {
			due = time.After(min(next.Sub(d.Now()), LookAgain))
		}
		select {
		case <-d.Bell():
			d.Drain()
		case <-due:
			d.Tick()
		case <-ctx.Done():
		}
	}
}

// NextTick returns when the clock will next end a question, make something due, or open chat; zero: never.
func (d *Desk) NextTick() time.Time {
	var next time.Time
	sooner := func(t time.Time) {
		if !t.IsZero() && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	if end := d.live.nextEnd; !end.IsZero() {
		sooner(end.Add(time.Millisecond))
	}
	sooner(d.sending.outbox.nextTry())
	sooner(d.ruling.nextDue())
	sooner(d.colleagues.next())
	sooner(d.closing.next(d.Now()))
	for _, seat := range d.seats.list {
		sooner(seat.nextTick())
		if seat.chat != nil {
			sooner(seat.chat.nextTry())
		}
	}
	return next
}

// Tick is the clock's turn: what is overdue ends, what is due is tried again.
func (d *Desk) Tick() {
	d.sending.retryDue(d.Now())
	d.ruling.showDue(d.Now())
	if d.colleagues.dropDue(d.Now()) {
		d.tell(Ordered{})
	}
	for _, seat := range d.seats.list {
		if seat.chat != nil {
			seat.chat.retryDue(d.Now())
		}
	}
	d.Refresh()
}

// Flush stores what was sent, but does not wait long: the process is about to be stopped.
func (d *Desk) Flush() {
	for _, seat := range d.seats.list {
		seat.SaveDraft()
		seat.SendNow()
	}
	done := make(chan struct{})
	d.worker.Later(func() { close(done) }) // the worker comes to it behind all that was sent
	closesSoon(done)
}

// Close saves what was typed and stores what was sent, not for long, and leaves the queue. The faces have closed, and
// the context of Start has ended.
func (d *Desk) Close() {
	for _, seat := range d.seats.list {
		seat.SaveDraft()
		seat.SendNow()
		if seat.chat != nil {
			seat.chat.Settle()
		}
	}
	d.worker.finish()
	runsSoon(d.Leave)
}
