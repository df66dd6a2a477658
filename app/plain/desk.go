package plain

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/choicetui/choicetui/app/desk"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// Settings is what the plain mode needs of the settings file.
type Settings interface {
	Settings() config.Settings
	Err() error
	Watch(ctx context.Context, changed func()) error
}

// Options say what the plain mode runs on.
type Options struct {
	Queue    *queue.Queue
	Settings Settings
	Instance string // this process's Presence
	Attach   string // the one session of a hand-off; empty: the whole queue
	Pane     string // this process's tmux pane
	Home     string // shown as ~
	In       io.Reader
	Out      io.Writer
	Typed    bool                             // In is a terminal: a person types the lines
	Rings    bool                             // Out is a terminal, which has a bell
	Alerts   func(desk.AlertWays) desk.Alerts // tells a person who has not typed for a while
	ASCII    bool                             // Out shows nothing else
	Width    func() int                       // cells of a row of Out; nil: rows have no end
}

// Result is how it ended.
type Result struct {
	Session queue.Session // of a hand-off, as last seen
	Left    bool          // the person left without an answer
}

// asks is what the desk has asked last: what Enter on an empty line, or yes, would do.
type asks int

const (
	asksNothing asks = iota
	asksTake         // send what is chosen, or go on with it
	asksConfirm      // the agent's explicit confirmation: only the word yes
	asksCancel
	asksQuit
)

// Desk is the state of one plain dashboard. Only its own loop touches it.
type Desk struct {
	o        Options
	out      printer
	now      func() time.Time
	settings config.Settings
	words    vocabulary

	live    map[string]queue.Session
	present map[string]bool
	drafts  map[string]queue.Draft
	waiting []queue.Waiting // in queue order, as of the last change
	nextEnd time.Time       // the soonest deadline of all that wait
	stale   bool            // waiting must be computed anew
	names   queue.Names
	told    map[string]bool // questions whose arrival was told
	forms   map[string]*answering
	form    *answering // on view; nil: nothing waits
	idle    bool       // it was said that nothing waits
	loaded  bool       // the first batch of the queue has come
	gone    bool       // it was said that nobody waits for the one on view

	guard  guard
	asked  asks
	reason string  // of asksCancel
	typing *typing // text of several lines under way

	alerts   desk.Alerts
	lastLine time.Time
	outbox   desk.Outbox          // answers and cancels until they are stored
	busy     int                  // first tries under way: lines wait for them
	blocked  time.Time            // but no longer than this
	sent     map[string]string    // settled here, not received yet → who asked
	trouble  map[string]time.Time // what was complained about, so that it is not said twice a second

	work    *desk.Work
	posts   chan func()
	done    chan struct{} // closed when the desk takes no more posts
	closing time.Time     // the input ended; at this time at the latest the desk closes
	over    bool
	result  Result
	failed  error
}

// NewDesk is a desk that has seen nothing of the queue yet.
func NewDesk(o Options) *Desk {
	d := &Desk{o: o, out: printer{out: o.Out, ascii: o.ASCII, width: o.Width}, now: o.Queue.Now, settings: o.Settings.Settings(),
		live: map[string]queue.Session{}, present: map[string]bool{}, drafts: map[string]queue.Draft{}, told: map[string]bool{},
		forms: map[string]*answering{}, outbox: desk.NewOutbox(), sent: map[string]string{}, trouble: map[string]time.Time{},
		guard: newGuard(o), work: desk.NewWork(),
		posts: make(chan func()), done: make(chan struct{})}
	d.lastLine = d.now()
	d.words = newVocabulary(d.settings)
	d.alerts = o.Alerts(d.alertWays())
	return d
}

// alertWays is how the person is told of what is new, beside the lines: by the bell of a terminal, or a command.
func (d *Desk) alertWays() desk.AlertWays {
	ways := desk.AlertWays{Own: d.o.Attach, Failed: func(err error) {
		d.post(func() { d.complain("notify.desktop: " + err.Error()) })
	}}
	if d.o.Rings {
		ways.Bell = func() error {
			_, err := io.WriteString(d.o.Out, "\a")
			return err
		}
	}
	return ways
}

func (d *Desk) say(format string, args ...any) { d.out.say(format, args...) }

// complain says what is wrong, once a minute.
func (d *Desk) complain(problem string) {
	if at, said := d.trouble[problem]; said && d.now().Sub(at) < time.Minute {
		return
	}
	d.trouble[problem] = d.now()
	d.say("! %s", problem)
}

// alive says whether an instance's process runs.
func (d *Desk) alive(instance string) bool { return d.present[instance] }

// changed takes one batch of the watch.
func (d *Desk) changed(ch queue.Changes, present []queue.Presence) {
	if ch.Presence {
		d.present = map[string]bool{}
		for _, p := range present {
			d.present[p.Instance] = true
		}
		d.stale = true
	}
	for _, s := range ch.Sessions {
		d.take(s)
	}
	for _, id := range ch.Gone {
		d.left(id)
	}
	for _, draft := range ch.Drafts {
		d.takeDraft(draft)
	}
	for _, b := range ch.Broken {
		d.complain("set aside " + b.Name + ": " + b.Reason)
	}
	if ch.Degraded {
		d.complain("no notifications from the file system: the queue is looked at once a second")
	}
	d.loaded = true
	d.refresh()
	if ch.Presence {
		d.abandonBound()
	}
}

// abandonBound cancels the questions that belong to one call whose caller is gone.
func (d *Desk) abandonBound() {
	gone := desk.AbandonedSessions(d.live, d.alive)
	if len(gone) == 0 {
		return
	}
	d.later(func() func() {
		_ = d.o.Queue.Sweep(context.Background(), gone) // asks again who is present
		return nil
	})
}

// take keeps the newest state of a session and says what happened to it.
func (d *Desk) take(s queue.Session) {
	old, known := d.live[s.ID]
	if known && old.Revision > s.Revision || d.outbox.Doubts(s) {
		return
	}
	if f := d.forms[s.ID]; f != nil {
		if f == d.form && s.Outcome == nil && known && !s.Deadline.Equal(old.Deadline) {
			d.say("Time: %s.", d.timeLeft(s))
		}
		f.s = s
	}
	d.live[s.ID] = s
	d.stale = true
	if s.Outcome != nil {
		d.ended(s)
	}
	if _, collected := s.Last(queue.EventCollected); collected && d.sent[s.ID] != "" {
		d.say("Received: %s has it.", d.sent[s.ID])
		delete(d.sent, s.ID)
	}
}

// left forgets a session that went from the live ones; how it ended is read from the archive, and what is not there
// either is lost.
func (d *Desk) left(id string) {
	if _, waits := d.told[id]; waits || d.sent[id] != "" {
		d.fetch(id)
	}
	delete(d.live, id)
	delete(d.drafts, id)
	d.stale = true
}

func (d *Desk) fetch(id string) {
	d.later(func() func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		s, err := d.o.Queue.Store.Get(ctx, id)
		return func() {
			switch _, live := d.live[id]; {
			case err == nil:
				d.take(s)
				delete(d.live, id)
			case errors.Is(err, queue.ErrNotFound) && !live && d.forms[id] != nil:
				d.ended(d.forms[id].s.Lost(d.now()))
				d.refresh()
			}
		}
	})
}

// ended says once how a question ended that was told of.
func (d *Desk) ended(s queue.Session) {
	if !d.told[s.ID] {
		return
	}
	delete(d.told, s.ID)
	if d.outbox.Ended(s) {
		d.settled(s)
		return
	}
	d.outbox.Forget(s.ID)
	d.say("Over: %s %s.", short(s.Ask.Title, 100), say.Ending(s))
	f := d.forms[s.ID]
	if f == nil {
		return
	}
	if texts := f.Typed(); len(texts) > 0 {
		d.say("What you wrote was not sent:")
		for _, t := range texts {
			d.out.block("| ", t)
		}
	}
	d.close(f)
}

// close takes a question that is over from the view; while text is typed, its lines still go nowhere else.
func (d *Desk) close(f *answering) {
	delete(d.forms, f.s.ID)
	if f != d.form {
		return
	}
	d.takeBack()
	if d.typing == nil {
		d.form = nil
	}
}

// refresh brings the queue up to date, tells what is new in it, and shows the next question when its turn comes.
func (d *Desk) refresh() {
	now := d.now()
	if d.stale || !d.nextEnd.IsZero() && !now.Before(d.nextEnd) {
		d.reorder(now)
	}
	d.tellNew()
	d.warn(now)
	if d.form != nil || !d.loaded {
		return
	}
	switch {
	case len(d.waiting) > 0:
		d.idle = false
		d.show(d.waiting[0].ID)
	case d.o.Attach != "":
		d.over = true
	case !d.idle:
		d.idle = true
		d.say("Nothing waits.")
	}
}

func (d *Desk) reorder(now time.Time) {
	all := make([]queue.Session, 0, len(d.live))
	for id, s := range d.live {
		if d.o.Attach == "" || id == d.o.Attach {
			all = append(all, s)
		}
	}
	for _, s := range all {
		if s.Outcome == nil && !s.At(now).Pending() { // nobody stored it yet; whoever notices first does
			d.do(s.ID, queue.Command{By: queue.ByClock, Do: queue.Expire{}}, nil)
			d.live[s.ID] = s.At(now)
			d.ended(s.At(now))
		}
	}
	d.waiting = queue.WaitingOrder(all, d.alive, now)
	d.stale, d.nextEnd, d.names = false, time.Time{}, queue.Names{}
	for i := range d.waiting {
		d.names.Add(d.waiting[i].Origin)
		if end := d.waiting[i].Deadline; !end.IsZero() && (d.nextEnd.IsZero() || end.Before(d.nextEnd)) {
			d.nextEnd = end
		}
	}
	d.tellGone()
}

// tellGone says when nobody waits any more for the answer to the question on view. A question that belongs to one call
// is cancelled then, and nothing is kept for anybody.
func (d *Desk) tellGone() {
	at := d.position()
	if at < 0 {
		return
	}
	gone := d.waiting[at].Gone(d.alive) && !d.waiting[at].Bound()
	if gone && !d.gone {
		d.say("%s is gone; your answer is kept 24 hours for the same ask.", say.Who(d.form.s.Origin))
	}
	d.gone = gone
}

// position is where the question on view stands in the queue; -1: it does not.
func (d *Desk) position() int {
	if d.form == nil {
		return -1
	}
	return slices.IndexFunc(d.waiting, func(w queue.Waiting) bool { return w.ID == d.form.s.ID })
}

// tellNew tells of arrivals that do not come on view at once: a line each, or one for many.
func (d *Desk) tellNew() {
	const most = 3
	var fresh []queue.Waiting
	for i, w := range d.waiting {
		if d.told[w.ID] {
			continue
		}
		d.told[w.ID] = true
		if i > 0 || d.form != nil {
			fresh = append(fresh, w)
		}
	}
	if len(fresh) > most {
		d.say("%d more questions wait: list shows them.", len(fresh))
		return
	}
	for _, w := range fresh {
		d.say("Also waiting: %s from %s, %s. %s shows it.", short(w.Ask.Title, 100), d.names.Of(w.Origin), d.timeLeft(w.Session), w.ID)
	}
}

// warn says whose time is nearly up, and rings for somebody who has not typed for a while.
func (d *Desk) warn(now time.Time) {
	if !d.loaded {
		return
	}
	n := d.settings.Notify
	asked, ending := d.alerts.See(d.waiting, time.Duration(n.WarnSeconds)*time.Second, now)
	for _, s := range ending {
		d.say("! %s left for %s. Then %s. %s gives a minute more.", say.Spoken(s.Deadline.Sub(now)), short(s.Ask.Title, 100),
			atTheEnd(s), d.words.short("more"))
	}
	if d.alerts.Away(false, false, d.lastLine, now) {
		d.alerts.Tell(asked, ending, n, d.names.Of, now)
	}
}

// show puts a question on view, with what was typed into it before.
func (d *Desk) show(id string) {
	s, ok := d.live[id]
	if !ok {
		return
	}
	f := d.forms[id]
	if f == nil {
		f = d.begin(s)
		d.forms[id] = f
	}
	d.takeBack()
	d.form, d.gone = f, false
	d.announce()
	d.tellGone()
	d.guard.appeared(d.now())
}
