// Package desk implements the person's side of the queue, without a frontend: no cells, no keys, no sentences for a
// screen.
//
//	Store.Watch ─► feed ─┐                 ┌─► news ─► screen, lines, page, notices
//	worker's results ────┼─ Do ─► Drain ───┤
//	frontends, clock ────────┘  (the owner)    └─► worker ─► Queue.Do, drafts, whatever takes time
//
// A frontend is one way to show the queue to a person: the full screen, the plain lines or a page in a browser. A
// process has one Desk: it knows all sessions and their order, keeps each answer until it is stored, saves drafts,
// sweeps the queue, and reports what happens as typed events. Each screen or page has one View: it decides which
// question is shown there, holds the answer in the making and the guard against stray keys, and lists missed questions.
// A question that is shown at a view is "on view"; one that has ended is "over". A question comes up when it comes on
// view. A form is an answer in the making; see package form. Chat sends the lines that a person writes to agents. The
// last event is the line that tells the person what became of their last answer, or what ended without them. To attach
// means to open the dashboard on one question, which ends with that question.
//
// Each of the three embeds parts, one for each concern; the exported methods of a part are methods of the whole. A part
// knows only what it is given. What takes several parts is a method of the whole, in the file of its concern:
//
//	Desk   applies changes of the queue (sessions.go), sends (sending.go), settings, Tick, Close
//	├─ inbox, news, faults   functions for the owner; subscribers to events; the present faults
//	├─ worker                slow work, one piece after another (worklist)
//	├─ feed                  the watch on the queue, joining and leaving it
//	├─ live, closing         the queue as last seen, its order, who runs (presence); what keeps chat closed
//	├─ Outbox                answers and cancels, until they are stored
//	├─ ruling                the person's permission rules for approvals, and what was allowed before
//	├─ upkeep                today's answers, sweeping
//	├─ Last, Today           the result of the last answer; how long answers took today
//	└─ views                 the views, and all drafts
//	View   chooses the question on view; answers it (answering.go), sets it aside (later.go), takes an answer back
//	       (undoing.go), saves drafts (drafting.go)
//	├─ view                  the question on view, and its form
//	├─ answering             what the person sent here
//	├─ listing, missed       the queue as listed here; questions that ended without the person
//	└─ Guard                 refuses keys that were probably not meant for the question on view
//	Chat   sends a line, takes one back
//	├─ agents                the known agents, where each runs, how it is reached
//	├─ composer              the recipient of a line (address.go), the unsent texts (compose.go, keptLines)
//	└─ errands               calls of tmux, beside the owner
//
// One goroutine, the owner, may touch a Desk and its views: in the full screen tview's event loop, elsewhere the
// goroutine of Run. All others pass it functions with Do, which never waits. The owner never waits for a disk or a
// process, except when it joins the queue at the start and, for a few seconds at most, when it leaves it.
package desk

import (
	"cmp"
	"context"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// Options configure a desk; New reads them.
type Options struct {
	Services
	Attach string // the session that `choicetui attach` was opened on; empty: none
	Visit  string // the session that the frontend of a popup shows first, without attaching; empty: none
	Alone  bool   // the frontend shows only the session of Attach
	Stay   bool   // the frontend becomes the dashboard once the session of Attach has ended
	// starts a goroutine; nil: a plain go statement. A frontend with a terminal passes one that restores the terminal
	// on a panic
	Go func(func())
}

// onlySession returns the id of the one session that the desk shows; empty: it shows the whole queue.
func (o Options) onlySession() string {
	if o.Alone {
		return o.Attach
	}
	return ""
}

// opened returns the session that the desk shows first; empty: none.
func (o Options) opened() string { return cmp.Or(o.Attach, o.Visit) }

// Desk is the queue as one process sees it. Only its owner may touch it; Do and Bell are safe everywhere. Its own
// methods apply changes of the queue (sessions.go) and act when time has passed (Tick); its parts do everything else.
type Desk struct {
	inbox      // functions for the owner: Do, Bell, Drain
	news       // the subscribers to events: Subscribe
	faults     // the present faults: Trouble
	worker     // slow work: Later, Store, Beside, Work
	feed       // the watch on the queue: Open, TakeFirst, Leave
	live       // the queue as last seen: Waiting, Session, Alive, Name
	closing    // the questions that keep chat closed: Closing
	colleagues // other people who are answering: Answering
	ruling     // the person's permission rules: AllowedBefore
	upkeep     // work for the whole queue: Upkeep

	o        Options
	settings config.Settings
	outbox   Outbox // the answers and cancels that the store does not have yet (sending.go)
	views    views
	agents   *agents              // the agents that a line can be written to
	unread   map[string]unreadEnd // by session: ends that could not be read yet
	fetching map[string]int       // by session: the attempts to read its end that are under way
	last     Last
	reach    reach
	today    Today
}

// New returns a desk that has seen nothing of the queue yet.
func New(o Options) *Desk {
	if o.Go == nil {
		o.Go = func(f func()) { go f() }
	}
	list := newWorklist()
	d := &Desk{o: o, settings: o.Settings.Settings(), outbox: newOutbox(), unread: map[string]unreadEnd{},
		fetching: map[string]int{}, views: views{drafts: map[string]queue.Draft{}},
		reach: reach{setUp: o.Team != nil && o.Team.SetUp(), err: widen.ErrUnknown},
		inbox: inbox{bell: make(chan struct{}, 1)}, live: newLive(o), ruling: newRuling(o.Rules),
		colleagues: newColleagues(o.Queue), today: Today{person: o.Queue.Person}}
	d.faults = faults{news: &d.news, worklist: list}
	d.worker = worker{worklist: list, idle: make(chan struct{}), start: o.Go, queue: o.Queue, inbox: &d.inbox,
		faults: &d.faults, unsaved: map[string]queue.Draft{}, saving: map[string]bool{}, remote: map[string]*worklist{}}
	d.feed = feed{o: o, inbox: &d.inbox, takeBatch: d.takeBatch}
	d.closing = closing{live: &d.live, now: d.Now}
	d.upkeep = upkeep{queue: o.Queue, attach: o.Attach, alone: o.Alone, whole: d.Stays(), today: &d.today,
		live: &d.live, inbox: &d.inbox, worker: &d.worker, news: &d.news, joined: make(chan struct{}, 1)}
	d.agents = newAgents(d)
	d.Subscribe(d.agents.hear)
	return d
}

// Now returns the wall time. All of this package uses this clock.
func (d *Desk) Now() time.Time { return d.o.Queue.Now() }

// Queue returns the queue that the desk works on.
func (d *Desk) Queue() *queue.Queue { return d.o.Queue }

// Services returns what surrounds the desk.
func (d *Desk) Services() Services { return d.o.Services }

// Attach returns the session that this desk was opened on; empty: none.
func (d *Desk) Attach() string { return d.o.Attach }

// Opened returns the session that this desk shows first, attached or not; empty: none.
func (d *Desk) Opened() string { return d.o.opened() }

// Stays reports whether this desk serves a dashboard, which runs until the person ends it. Otherwise it serves the form
// of one session and ends with that session.
func (d *Desk) Stays() bool { return d.o.Attach == "" && d.o.Visit == "" || d.o.Stay }

// Last returns the last event.
func (d *Desk) Last() *Last { return &d.last }

// Today returns the account of today's answers.
func (d *Desk) Today() *Today { return &d.today }

// Settings returns the settings in force.
func (d *Desk) Settings() config.Settings { return d.settings }

// SetSettings puts settings in force. They come from the file, or contain a change that is not written to it yet.
func (d *Desk) SetSettings(s config.Settings) {
	d.settings = s
	d.reach.setUp = d.o.Team != nil && d.o.Team.SetUp()
	for _, view := range d.views.list {
		view.followSettings(s)
	}
	d.tell(SettingsChanged{})
}

// View adds a view for one more frontend.
func (d *Desk) View(o ViewOptions) *View {
	d.views.seated++
	s := newView(d, d.views.seated, o)
	d.views.list = append(d.views.list, s)
	return s
}

// CloseView removes the view of a frontend that was closed, such as a page. It saves the draft there and sends an
// answer that was held back.
func (d *Desk) CloseView(s *View) {
	s.SaveDraft()
	s.SendNow()
	if s.chat != nil {
		s.chat.leaveView()
	}
	d.views.removeView(s)
}

// HasDraft reports whether a draft for the session exists, at any view or from another process.
func (d *Desk) HasDraft(session string) bool { return d.views.draftOf(session) != nil }

// RoleOfView returns the role of the process whose view saved drafts under this instance; empty: that process has
// ended. For a view of this desk, such as a page in a browser, it returns the role of a process that would be only that
// view.
func (d *Desk) RoleOfView(instance string) string {
	if view := d.views.viewNamed(instance); view != nil {
		return roleOf[view.surface]
	}
	return d.live.role(processOf(instance))
}

// roleOf is the role of a process that is nothing but a view of this surface.
var roleOf = map[string]string{queue.SurfaceDashboard: queue.RoleDashboard, queue.SurfaceAttach: queue.RoleAttach,
	queue.SurfaceWeb: queue.RolePortal}

// Start starts the goroutines that follow the queue and the settings and do the slow work. They end with ctx.
func (d *Desk) Start(ctx context.Context) {
	d.worker.begin(ctx)
	for _, src := range d.feed.sources {
		d.o.Go(func() { d.feed.followSource(ctx, src) })
	}
	d.o.Queue.FollowHosts(func(host string) { d.Do(func() { d.followHost(ctx, host) }) })
	if d.o.Team != nil {
		d.o.Go(func() {
			d.o.Team.Tell(ctx, func(err error) { d.Do(func() { d.tell(TeamTrouble{err}) }) })
		})
	}
	d.o.Go(func() {
		_ = d.o.Settings.Watch(ctx, func() { d.Do(func() { d.SetSettings(d.o.Settings.Settings()) }) })
	})
}

// LookAgain is the longest that a frontend sleeps without looking at the clock while a question is pending. A timer
// stops while the machine sleeps, and ignores corrections of the wall clock.
const LookAgain = 5 * time.Second

// Run owns the desk until ctx ends, for frontends without an event loop of their own. It runs the functions that Do
// received, and calls Tick when it is due.
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

// NextTick returns the next time at which Tick has something to do: a question ends, a retry is due, or chat opens.
// Zero: never.
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
	if len(d.outbox.outgoing) > 0 {
		sooner(d.outbox.nextTry())
	}
	for _, u := range d.unread {
		sooner(u.again)
	}
	if len(d.ruling.postponed) > 0 {
		sooner(d.ruling.nextDue())
	}
	if len(d.colleagues.typed) > 0 {
		sooner(d.colleagues.nextStop())
	}
	if len(d.closing.gone) > 0 {
		sooner(d.closing.nextOpening(d.Now()))
	}
	for _, view := range d.views.list {
		sooner(view.nextTick())
		if view.chat != nil && view.chat.going != nil {
			sooner(view.chat.nextTry())
		}
	}
	return next
}

// Tick does what is due by now: it ends overdue questions and repeats failed attempts.
func (d *Desk) Tick() {
	d.resendDue(d.Now())
	d.showPostponedDue(d.Now())
	d.readUnread(d.Now())
	if d.colleagues.dropDue(d.Now()) {
		d.tell(Ordered{})
	}
	for _, view := range d.views.list {
		if view.chat != nil {
			view.chat.retryDue(d.Now())
			view.chat.probeAddressed() // chat may have opened, because a caller has been gone for long enough
		}
	}
	d.Refresh()
}

// Flush saves drafts and stores what was sent. It waits a few seconds at most, because the process is about to be
// stopped.
func (d *Desk) Flush() {
	for _, view := range d.views.list {
		view.SaveDraft()
		view.SendNow()
	}
	done := make(chan struct{})
	d.worker.Later(func() { close(done) }) // the worker runs this after everything that was sent
	closesSoon(done)
}

// Close saves drafts, stores what was sent, and leaves the queue; each step takes a few seconds at most. The caller has
// closed the frontends and ended the context of Start.
func (d *Desk) Close() {
	for _, view := range d.views.list {
		view.SaveDraft()
		view.SendNow()
		if view.chat != nil {
			view.chat.Settle()
		}
	}
	d.worker.finish()
	runsSoon(d.Leave)
}
