package desk

import (
	"fmt"
	"slices"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

const (
	yieldOver = 10 * time.Second // without a key: a question that is over gives way
	mostMiss  = 20               // questions listed as missed
)

// Seat is one person in front of one screen or page: which question is on view there, and the answer in the making.
type Seat struct {
	Guard Guard

	d        *Desk
	instance string // of its drafts
	o        SeatOptions
	up       *opened            // on view; nil: nothing waits
	opened   map[string]*opened // by session: what was on view and is not over
	over     time.Time          // since when the question on view is seen to be over; zero: it is not
	seen     map[string]bool
	missed   []queue.Session   // ended without the person, newest first
	ended    map[string]string // session → the command by which this seat ends it
	held     map[string]bool   // sessions whose clock this seat held
	holding  bool              // a hold of the clock is under way
	find     string            // what narrows the queue here
	lastKey  time.Time
	covered  bool // something else stands in front of the question
	drafting *time.Timer
	chat     *Chat // nil: no line can be written from here
}

// opened is a session that was on view, as it was last seen, and its form. It may have left the live ones since.
type opened struct {
	session queue.Session
	form    *form.Form
}

// SeatOptions say what a seat belongs to.
type SeatOptions struct {
	Surface string // of what is sent from here, apart from the session that an attach was opened on
	Points  bool   // the face has a cursor; see form.Options
}

func newSeat(d *Desk, n int, o SeatOptions) *Seat {
	if o.Surface == "" {
		o.Surface = queue.SurfaceDashboard
	}
	return &Seat{d: d, instance: fmt.Sprintf("%s-%d", d.o.Instance, n), o: o, opened: map[string]*opened{},
		seen: map[string]bool{}, ended: map[string]string{}, held: map[string]bool{}, lastKey: d.Now()}
}

// Desk is the desk that the seat stands at.
func (s *Seat) Desk() *Desk { return s.d }

// Instance names the seat's drafts.
func (s *Seat) Instance() string { return s.instance }

// surfaceOf is the surface through which this seat sends what it does to a session.
func (s *Seat) surfaceOf(id string) string {
	if id == s.d.o.Attach {
		return queue.SurfaceAttach
	}
	return s.o.Surface
}

// Up is the id of the session on view; empty: nothing waits.
func (s *Seat) Up() string {
	if s.up == nil {
		return ""
	}
	return s.up.session.ID
}

// Session is the session on view as it was last seen; the zero Session: nothing waits.
func (s *Seat) Session() queue.Session {
	if s.up == nil {
		return queue.Session{}
	}
	return s.up.session
}

// Form is the answer in the making on view; nil: nothing waits.
func (s *Seat) Form() *form.Form {
	if s.up == nil {
		return nil
	}
	return s.up.form
}

// FormOf is the answer in the making of a session that was on view before; nil: it was not.
func (s *Seat) FormOf(id string) *form.Form {
	if o := s.opened[id]; o != nil {
		return o.form
	}
	return nil
}

// Pending is the session on view as the clock left it, if it still waits.
func (s *Seat) Pending() (queue.Session, bool) {
	if s.up == nil {
		return queue.Session{}, false
	}
	now := s.up.session.At(s.d.Now())
	return now, now.Pending()
}

// Seen reports whether a session was on view here.
func (s *Seat) Seen(id string) bool { return s.seen[id] }

// Held reports whether this seat held a session's clock while its person typed.
func (s *Seat) Held(id string) bool { return s.held[id] }

// Drafted reports whether something was typed or marked for a session, here or elsewhere.
func (s *Seat) Drafted(id string) bool {
	if o := s.opened[id]; o != nil {
		return o.form.HasWork()
	}
	_, draft := s.d.seats.drafts[id]
	return draft
}

// Others is how many wait beside what is on view.
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
	if s.up != nil && !s.covered && !s.over.IsZero() && now.Sub(s.over) >= Settle {
		s.unmiss(s.Up())
	}
}

// LastKey is when the person last pressed one.
func (s *Seat) LastKey() time.Time { return s.lastKey }

// Cover says whether something else stands in front of the question, such as a page.
func (s *Seat) Cover(on bool) { s.covered = on }

// follow takes over the newest state of a session.
func (s *Seat) follow(now queue.Session) {
	if s.Up() == now.ID {
		s.up.session = now
	}
	if o := s.opened[now.ID]; o != nil {
		o.session = now
	}
}

// drop forgets a session that left the live ones, unless it is on view.
func (s *Seat) drop(id string) {
	delete(s.seen, id)
	if s.Up() != id {
		s.forget(id)
	}
}

func (s *Seat) forget(id string) {
	delete(s.opened, id)
	delete(s.ended, id)
	delete(s.held, id)
	s.d.outbox.forget(id)
}

// followSettings puts the person's settings in force in every form.
func (s *Seat) followSettings() {
	for _, o := range s.opened {
		o.form.Follow(rules(s.d.settings, o.session))
	}
}

// endedBy reports whether it was this seat that ended a session.
func (s *Seat) endedBy(over queue.Session) bool {
	_, ours := over.Event(s.ended[over.ID])
	return ours
}

// rules are the settings that the form of a session goes by.
func rules(now config.Settings, s queue.Session) form.Rules {
	var list []form.HiddenOption
	for _, h := range now.HiddenOptions {
		list = append(list, form.HiddenOption{Client: h.Client, ID: h.ID, Label: h.Label})
	}
	return form.Rules{Hidden: form.HiddenIn(s, list), NoNotes: !now.AnnotationsEnabled,
		NoPlaceholder: !now.PlaceholderVisible}
}

// settle decides what is on view: the session shown stays, also when it is over, until the person leaves it; with
// nobody at the keyboard and nothing typed it gives way.
func (s *Seat) settle(now time.Time) {
	if s.up != nil && !s.settleUp(now) {
		return
	}
	if s.up == nil && len(s.d.live.waiting) > 0 {
		s.Top()
	}
}

// settleUp reports whether what was on view has left it.
func (s *Seat) settleUp(now time.Time) bool {
	on := s.up.session.At(now)
	s.follow(on)
	if on.Pending() {
		s.over = time.Time{}
		return false
	}
	if s.over.IsZero() {
		s.over = now
	}
	if s.up.form.Confirming() {
		s.up.form.Decline()
	}
	ours := s.endedBy(on)
	switch {
	case on.ID == s.d.o.Attach:
		if ours || s.idle() {
			s.d.tell(Finished{s})
		}
		return false
	case !ours && !s.yields(now):
		return false
	}
	s.leave()
	return true
}

// idle reports whether nothing of the person's stands in the form.
func (s *Seat) idle() bool {
	return s.up.form.Typing() == form.FieldNone && len(s.up.form.Typed()) == 0
}

// yields reports whether a question that is over has been on view for long enough without a key, counted from when it
// was first shown as over, and nothing typed.
func (s *Seat) yields(now time.Time) bool {
	from := s.lastKey
	if s.over.After(from) {
		from = s.over
	}
	return now.Sub(from) > yieldOver && s.idle()
}

// nextTick is when a question that is over gives way; zero: none does.
func (s *Seat) nextTick() time.Time {
	if _, pending := s.Pending(); s.up == nil || pending {
		return time.Time{}
	}
	return s.d.Now().Add(yieldOver)
}

// Leave takes the session off the view and brings the top of the queue up. A seat that was opened on one session is
// finished then.
func (s *Seat) Leave() {
	switch {
	case s.up == nil:
	case s.Up() == s.d.o.Attach:
		s.d.tell(Finished{s})
	default:
		s.leave()
	}
}

func (s *Seat) leave() {
	if _, pending := s.Pending(); !pending {
		s.forget(s.Up())
	}
	s.up = nil
	s.Top()
}

// Top brings the top of the queue up, of the narrowed one while anything in it matches.
func (s *Seat) Top() {
	list := s.Listed()
	if len(list) == 0 {
		list = s.d.live.waiting
	}
	if len(list) == 0 {
		s.find = ""
		s.d.tell(Shown{Seat: s})
		return
	}
	s.Show(list[0].ID)
	s.Guard.Appear(s.d.Now())
}

// Show puts a session on view, with what was typed into it before. Whoever calls it says to the guard whether the
// person picked it.
func (s *Seat) Show(id string) {
	if s.up != nil && s.Up() == id {
		return
	}
	session, ok := s.d.live.sessions[id]
	if !ok {
		return
	}
	s.SaveDraft()
	if s.opened[id] == nil {
		s.opened[id] = s.open(session)
	}
	s.up, s.over = s.opened[id], time.Time{}
	s.seen[id] = true
	s.d.tell(Shown{s, id})
}

func (s *Seat) open(session queue.Session) *opened {
	o := form.Options{Rules: rules(s.d.settings, session), Points: s.o.Points}
	if kept, ok := s.d.seats.drafts[session.ID]; ok {
		o.Draft = &kept
	}
	return &opened{session, form.New(session, o)}
}

// Step shows the next or previous question of the queue as listed, and reports whether there was one.
func (s *Seat) Step(n int) bool {
	list := s.Listed()
	at := indexOf(list, s.Up())
	if at < 0 { // the one on view is over: start at the top
		return s.ShowAt(0)
	}
	return s.ShowAt(at + n)
}

// ShowAt shows one of the queue as listed, and reports whether that is another one.
func (s *Seat) ShowAt(at int) bool {
	list := s.Listed()
	if at < 0 || at >= len(list) || list[at].ID == s.Up() {
		return false
	}
	s.Show(list[at].ID)
	return true
}

func indexOf(list []queue.Waiting, id string) int {
	return slices.IndexFunc(list, func(w queue.Waiting) bool { return w.ID == id })
}

// Missed are the questions that ended without the person, newest first.
func (s *Seat) Missed() []queue.Session { return s.missed }

// ForgetMissed forgets them: the person has looked.
func (s *Seat) ForgetMissed() { s.missed = nil }

// miss lists a question that ended without the person. It stays listed until it was seen over on view, or until the
// person looks at the history.
func (s *Seat) miss(session queue.Session) {
	s.unmiss(session.ID)
	s.missed = append([]queue.Session{session}, s.missed...)
	s.missed = s.missed[:min(len(s.missed), mostMiss)]
}

func (s *Seat) unmiss(id string) {
	s.missed = slices.DeleteFunc(s.missed, func(m queue.Session) bool { return m.ID == id })
}
