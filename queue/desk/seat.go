package desk

import (
	"fmt"
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
	"github.com/choicetui/choicetui/queue/widen"
)

const (
	yieldOver  = 10 * time.Second // how long a question that is over stays on view while nothing is pending
	typingRest = 2 * time.Second  // how long after the last key nobody is typing any more
)

// Seat serves one person in front of one screen or page. Its own methods decide which question is on view there; its
// parts do the rest.
type Seat struct {
	Guard     Guard
	Team      *Teamwork // what is done about teammates
	Round     *Round    // the approvals that are looked through one by one
	view                // what is on view, and the forms: Up, Session, Form, FormOf, Pending, Seen
	answering           // what the person does to it: Send, Cancel, Move, HoldClock
	undoing             // the answer that is held back: Undoable, SendNow, TakeBack
	drafting            // what is typed, until it is sent: DraftSoon, SaveDraft, Drafted
	listing             // the queue as listed here: Listed, Find, Widen
	missed              // what ended without the person: Missed, ForgetMissed
	handOff             // the question it was opened on: HandOff, HandOffEnded

	d        *Desk
	instance string // of its drafts
	surface  string
	given    string // to which agent the link was given by which this page was opened; empty: to none
	chat     *Chat  // nil: no line can be written from here
	quick    quick
	closed   queue.Session // see Closed
	resting  string        // the session that was set aside here while nothing else was open; see Rests
	over     time.Time     // since when the question on view is seen to be over; zero: it is not
	lastKey  time.Time
	covered  bool        // something else covers the question
	types    func() bool // whether a text is being typed at the face
}

// SeatOptions say what a seat belongs to.
type SeatOptions struct {
	Surface string // of what is sent from here, apart from the session that an attach was opened on
	Given   string // the agent that was given the link by which this page was opened; see queue.Command
	Points  bool   // the face has a cursor; see form.Options
	Frames  bool   // the face tells the guard when a frame is on screen; see Guard.Drawn
	Script  bool   // no person types: Enter waits only for what comes up on its own

	// Unguarded has the guard refuse nothing: a script answers the one question that it was given by name.
	Unguarded bool

	// Types reports whether a text is being typed at the face. nil: only the form on view can say so.
	Types func() bool
}

func newSeat(d *Desk, n int, o SeatOptions) *Seat {
	if o.Surface == "" {
		o.Surface = queue.SurfaceDashboard
	}
	s := &Seat{d: d, instance: seatName(d.o.Instance, n), surface: o.Surface, given: o.Given, lastKey: d.Now(),
		view:    view{now: d.Now, points: o.Points, opened: map[string]*opened{}, seen: map[string]bool{}},
		listing: listing{live: d.live}, handOff: handOff{id: d.o.Attach}, types: o.Types}
	if s.types == nil {
		s.types = func() bool { return s.up != nil && s.up.form.Typing() != form.FieldNone }
	}
	s.Guard.frames, s.Guard.script, s.Guard.off = o.Frames, o.Script, o.Unguarded
	s.Round = &Round{seat: s, d: d}
	s.Team = &Teamwork{seat: s, d: d, of: map[string]*widen.Consult{}, calls: map[string]teamCall{}}
	s.drafting = drafting{seat: s, d: d}
	s.undoing = undoing{seat: s, d: d}
	s.answering = answering{seat: s, d: d, ended: map[string]queue.Command{}, held: map[string]bool{}}
	return s
}

// seatName is under which name the n-th seat of a process saves its drafts.
func seatName(process string, n int) string { return fmt.Sprintf("%s-%d", process, n) }

// processOf returns the instance of the process whose seat has this name. Only a number is cut off, and only once: the
// process may be called so itself. What is no seat's name is the process's own.
func processOf(seat string) string {
	process := strings.TrimRight(seat, "0123456789")
	if cut, ok := strings.CutSuffix(process, "-"); ok && process != seat {
		return cut
	}
	return seat
}

// Desk returns the seat's desk.
func (s *Seat) Desk() *Desk { return s.d }

// Instance names the seat's drafts.
func (s *Seat) Instance() string { return s.instance }

// surfaceOf returns the surface through which this seat sends what it does to a session.
func (s *Seat) surfaceOf(id string) string {
	if id == s.d.o.Attach {
		return queue.SurfaceAttach
	}
	return s.surface
}

// command wraps an action of the person at this seat with its details for the trail.
func (s *Seat) command(id string, do queue.Action) queue.Command {
	return queue.Command{By: queue.ByHuman, Surface: s.surfaceOf(id), Given: s.given, Do: do}
}

// Others counts the pending questions beside the one on view.
func (s *Seat) Others() int {
	if _, pending := s.Pending(); pending {
		return len(s.d.live.waiting) - 1
	}
	return len(s.d.live.waiting)
}

// Pressed notes that the person is there. What is over on view counts as seen then, unless it ended just before: that
// key was pressed for something else.
func (s *Seat) Pressed(now time.Time) {
	s.lastKey = now
	s.Team.On().Forget()
	if s.up != nil && !s.covered && !s.over.IsZero() && now.Sub(s.over) >= Settle {
		s.unmiss(s.Up())
	}
}

// quick are the marks of an approval as they were before keys that may be the beginning of a sentence changed them.
type quick struct {
	session string
	marks   form.Marks
	last    time.Time // the last such key
}

// Take does what a key is for that the guard did not refuse, and tells the guard. On an approval, where Enter waits for
// a while after a mark, marking again what is marked does not begin that wait again.
func (s *Seat) Take(p Press, now time.Time, do func()) {
	s.Try(p, now, func() bool {
		do()
		return true
	})
}

// Try is Take where do may refuse, having changed nothing: it reports whether the key did what it is for, and Try
// returns that.
func (s *Seat) Try(p Press, now time.Time, do func() bool) bool {
	id, before := s.Up(), s.marks()
	if s.Guard.acts(); !do() {
		return false
	}
	s.keepMarks(p, id, before, now)
	marked := p.Effect == Marking && (!p.Decides || s.Up() != id || !s.marks().Equal(before))
	s.Guard.took(p, marked, now)
	return true
}

// marks returns the marks on view.
func (s *Seat) marks() form.Marks {
	if s.up == nil {
		return form.Marks{}
	}
	return s.up.form.Marks()
}

// keepMarks keeps the marks of an approval as they were before a letter changed them; see TakeBackMarks.
func (s *Seat) keepMarks(p Press, id string, before form.Marks, now time.Time) {
	if p.Effect != Marking || !p.Decides || !p.Letter || id == "" {
		return
	}
	if s.quick.session != id || now.Sub(s.quick.last) >= Pause {
		s.quick.session, s.quick.marks = id, before
	}
	s.quick.last = now
}

// TakeBackMarks restores the marks of an approval if a letter that marks nothing follows at once on one that did: that
// was the beginning of a sentence meant for another pane.
func (s *Seat) TakeBackMarks(now time.Time, letter bool) {
	if letter && s.up != nil && s.quick.session == s.Up() && now.Sub(s.quick.last) < Pause {
		s.up.form.Restore(s.quick.marks)
		s.DraftSoon() // the draft may hold the mark already
	}
	s.quick = quick{}
}

// Types reports whether a text is being typed at the face.
func (s *Seat) Types() bool { return s.types() }

// LastKey returns when the person last pressed a key.
func (s *Seat) LastKey() time.Time { return s.lastKey }

// Cover says whether something else is in front of the question, such as a page.
func (s *Seat) Cover(on bool) {
	s.covered = on
	s.Guard.cover(on, s.d.Now())
}

// CameUp tells the guard that what is on view came there on its own, or changed there.
func (s *Seat) CameUp() { s.Guard.cameUp(s.Up(), s.d.Now()) }

// BroughtUp tells the guard that the person brought up what is on view.
func (s *Seat) BroughtUp() { s.Guard.broughtUp(s.Up(), s.d.Now()) }

// dropSession forgets a session that left the live ones, unless it is on view.
func (s *Seat) dropSession(id string) {
	delete(s.seen, id)
	if s.Up() != id {
		s.forgetSession(id)
	}
}

func (s *Seat) forgetSession(id string) {
	delete(s.opened, id)
	delete(s.Team.of, id)
	s.Team.drop(id)
	s.answering.forgetSession(id)
}

// settleView decides what is on view: the session shown stays, also when it is over, until the person leaves it; with
// nobody at the keyboard and nothing typed it gives way.
func (s *Seat) settleView(now time.Time) {
	s.handOff.see(now, s.d.o.Stay)
	if !s.showHandOff() {
		s.endHandOff(now)
		return
	}
	if s.up != nil {
		s.yieldView(now)
	}
	s.wake()
	if s.up == nil && len(s.d.live.waiting) > 0 {
		s.showTop(false)
	}
	s.Team.goOn()
	s.lookForTeam(now)
	s.endHandOff(now)
}

// yieldView takes what is on view off it if it is over and done with.
func (s *Seat) yieldView(now time.Time) {
	on := s.up.session.At(now)
	s.follow(on)
	s.seeTeam(on)
	if on.Pending() {
		s.over = time.Time{}
		return
	}
	if s.over.IsZero() {
		s.over = now
	}
	if s.up.form.Confirming() {
		s.up.form.Decline()
	}
	if on.ID == s.HandOff() {
		return
	}
	if ours := s.EndedBy(on); ours || s.givesWay(now) {
		if !ours && s.typedHere(s.up.form) {
			s.SaveDraft()
			s.closed = on
		}
		s.Guard.replaced()
		s.showNext(ours)
	}
}

// givesWay reports whether a question that is over leaves the view: as soon as another one is pending, else after a
// while if the person has written nothing in it. While they type it stays, because the next letters would be commands.
func (s *Seat) givesWay(now time.Time) bool {
	f := s.up.form
	switch {
	case f.Typing() != form.FieldNone && now.Sub(s.lastKey) < typingRest:
		return false
	case len(s.d.live.waiting) > 0:
		return true
	}
	return !s.typedHere(f) && now.Sub(s.over) > yieldOver
}

// hidesLoss reports whether leaving what is on view now would hide from the person that what they sent for it did not
// count: no key was pressed since that could be read.
func (s *Seat) hidesLoss() bool {
	if s.up == nil {
		return false
	}
	_, late := s.TooLate(s.up.session.At(s.d.Now()))
	return late && (s.over.IsZero() || s.lastKey.Before(s.over.Add(Settle)))
}

// nextTick returns when a question that is over makes room for another, or the seat is left; zero: neither happens.
func (s *Seat) nextTick() time.Time {
	if now := s.d.Now(); s.HandOffEnded() {
		if at := s.leaves(); at.After(now) {
			return at
		}
		return now.Add(leaveAfter)
	}
	if _, pending := s.Pending(); s.up == nil || pending {
		return time.Time{}
	}
	now, at := s.d.Now(), s.over.Add(yieldOver)
	if len(s.d.live.waiting) > 0 {
		at = s.lastKey.Add(typingRest)
	}
	if at = at.Add(time.Millisecond); !at.After(now) {
		return now.Add(yieldOver)
	}
	return at
}

// Closed returns the question with the person's own words that closed without them and gave way to the one on view; the
// zero Session: none did since they last left a question or looked at the history.
func (s *Seat) Closed() queue.Session { return s.closed }

// LeaveEnds reports whether leaving what is on view, once it is over, ends the seat too: it was opened on that.
func (s *Seat) LeaveEnds() bool { return s.up != nil && s.Up() == s.HandOff() }

// Leave takes the session off the view and brings the top of the queue up. A seat that was opened on one session is
// finished then.
func (s *Seat) Leave() {
	switch {
	case s.up == nil:
	case s.LeaveEnds():
		s.LeaveEnded()
	default:
		s.showNext(true)
	}
}

// showNext takes what is on view off it and brings the top of the queue up; left: the person left it or sent it.
func (s *Seat) showNext(left bool) {
	if _, pending := s.Pending(); !pending {
		s.forgetSession(s.Up())
	}
	if s.Round.goOn() {
		return
	}
	s.up = nil
	if left {
		s.closed = queue.Session{}
	}
	s.showTop(left)
}

// nextOpen returns the first listed question that is not set aside, is not on view and has no answer on its way; empty:
// there is none.
func (s *Seat) nextOpen() string {
	list := s.Listed()
	for i := range list {
		w := &list[i]
		if w.Standing == queue.StandingOpen && w.ID != s.Up() && s.d.outbox.Of(w.ID) == nil {
			return w.ID
		}
	}
	return ""
}

// showTop brings the question up that the seat was opened on, while it waits, else the top of the queue: of the
// narrowed one while anything in it matches. left: the person left the one before, or sent it.
func (s *Seat) showTop(left bool) {
	list := s.Listed()
	if at := indexOf(s.d.live.waiting, s.HandOff()); at >= 0 {
		list = s.d.live.waiting[at:]
	}
	if len(list) == 0 {
		list = s.d.live.waiting
	}
	if len(list) == 0 {
		s.Widen()
		s.CameUp()
		s.d.tell(Shown{Seat: s})
		return
	}
	s.Show(list[0].ID)
	if left {
		s.BroughtUp()
	} else {
		s.CameUp()
	}
	if list[0].Parked() {
		s.Team.wait()
	}
}

// Show puts a session on view, with what was typed into it before. Whoever calls it says to the guard whether the
// person picked it.
func (s *Seat) Show(id string) {
	if s.up != nil && s.Up() == id {
		return
	}
	session, ok := s.d.live.Session(id)
	if !ok {
		return
	}
	s.Round.leaveFor(id)
	s.SaveDraft()
	s.view.put(session, s.d.settings, s.d.seats.draftOf(id))
	s.over = time.Time{}
	s.d.tell(Shown{s, id})
}

// Step shows the next or previous question of the queue as listed, and reports whether there was one.
func (s *Seat) Step(n int) bool { return s.ShowAt(s.stepTo(n)) }

// MayStep reports whether Step would show another one.
func (s *Seat) MayStep(n int) bool { return s.another(s.stepTo(n)) }

// stepTo returns the index in the listed queue that a step leads to; it may be out of range.
func (s *Seat) stepTo(n int) int {
	at := indexOf(s.Listed(), s.Up())
	if at < 0 { // the one on view is over: start at the top
		return 0
	}
	return at + n
}

// another reports whether there is a session at this place of the queue as listed, and another than the one on view.
func (s *Seat) another(at int) bool {
	list := s.Listed()
	return at >= 0 && at < len(list) && list[at].ID != s.Up()
}

// ShowAt shows one of the queue as listed, and reports whether that is another one.
func (s *Seat) ShowAt(at int) bool {
	if !s.another(at) {
		return false
	}
	s.Show(s.Listed()[at].ID)
	return true
}

// Narrow lists what matches. What is on view stays there while it matches, as seen from the session where narrowing
// began; else the first match comes up.
func (s *Seat) Narrow(text, from string) {
	s.find = text
	list, was := s.Listed(), s.Up()
	switch {
	case indexOf(list, from) >= 0, text == "", len(list) == 0:
		s.Show(from)
	default:
		s.ShowAt(0)
	}
	if s.Up() != was {
		s.CameUp()
	}
}
