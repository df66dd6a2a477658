package desk

import (
	"fmt"
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

const (
	yieldOver  = 10 * time.Second // an ended question stays on view this long while no other is pending
	typingEnds = 2 * time.Second  // this long after the last key the person no longer counts as typing
)

// View serves one person at one screen or page. Its own methods choose the question that is on view there; its parts do
// the rest.
type View struct {
	Guard     Guard
	Team      *Teamwork // asks the team
	Batch     *Batch    // approvals that are alike, marked in a list and sent together
	questions           // the question on view, and the forms: Up, Session, Form, FormOf, Pending, Seen
	answering           // the person's actions on it: EndedBy, TooLate
	listing             // the queue as listed here: Listed, Find, ShowAll
	missed              // questions that ended without the person: Missed, ForgetMissed
	handOff             // the question that the view was opened on: HandOff, HandOffEnded

	d         *Desk
	instance  string // names this view's drafts
	surface   string
	given     string        // the agent that was given the link to this page; empty: no agent was
	chat      *Chat         // nil: this frontend has no line to agents
	kept      keptMarks     // marks to restore if the last letters were meant for another pane
	closed    queue.Session // see Closed
	paused    string        // the session that was set aside here while nothing else was open; see Paused
	postponed string        // the session whose answer was held back last; see Undoable
	saving    *time.Timer   // the timer that saves the draft; nil: nothing changed since the last one
	over      time.Time     // when the question on view was first seen to be over; zero: it is not over
	lastKey   time.Time
	covered   bool        // a page or another pane covers the question
	types     func() bool // whether a text is being typed at the frontend
}

// ViewOptions describe the frontend that a view serves.
type ViewOptions struct {
	Surface string // the surface of its commands, except those for the session of Options.Attach
	Given   string // the agent that was given the link by which this page was opened; see queue.Command
	Points  bool   // the frontend has a cursor in the form; see form.Options
	Frames  bool   // the frontend tells the guard when a frame is on screen; see Guard.Drawn
	Script  bool   // a script types: the guard delays Enter only on a question that came up on its own

	// Unguarded switches the guard off: a script answers the one question that it named.
	Unguarded bool

	// Types reports whether a text is being typed at the frontend. nil: only the form on view is asked.
	Types func() bool
}

func newView(d *Desk, n int, o ViewOptions) *View {
	if o.Surface == "" {
		o.Surface = queue.SurfaceDashboard
	}
	s := &View{d: d, instance: viewName(d.o.Instance, n), surface: o.Surface, given: o.Given, lastKey: d.Now(),
		questions: questions{now: d.Now, points: o.Points, opened: map[string]*opened{}, seen: map[string]bool{}},
		listing:   listing{live: &d.live}, handOff: handOff{id: d.o.opened()}, types: o.Types}
	if s.types == nil {
		s.types = func() bool { return s.up != nil && s.up.form.Typing() != form.FieldNone }
	}
	s.Guard.frames, s.Guard.script, s.Guard.off = o.Frames, o.Script, o.Unguarded
	s.Batch = &Batch{view: s, d: d}
	s.Team = &Teamwork{view: s, d: d, calls: map[string]teamCall{}}
	s.answering = answering{ended: map[string]queue.Command{}, extended: map[string]bool{}}
	return s
}

// viewName returns the name of the n-th view of a process, under which that view saves its drafts.
func viewName(process string, n int) string { return fmt.Sprintf("%s-%d", process, n) }

// processOf returns the instance of the process whose view has this name. It cuts off one number, because the process's
// own name may end in a number too. A name that no view can have is returned unchanged.
func processOf(view string) string {
	process := strings.TrimRight(view, "0123456789")
	if cut, ok := strings.CutSuffix(process, "-"); ok && process != view {
		return cut
	}
	return view
}

// Desk returns the view's desk.
func (s *View) Desk() *Desk { return s.d }

// Instance returns the name under which the view saves its drafts.
func (s *View) Instance() string { return s.instance }

// surfaceOf returns the surface through which this view sends what it does to a session.
func (s *View) surfaceOf(id string) string {
	if id == s.d.o.Attach {
		return queue.SurfaceAttach
	}
	return s.surface
}

// command returns the person's action as a command for the store, with the view's details for the audit trail.
func (s *View) command(id string, do queue.Action) queue.Command {
	return queue.Command{By: queue.ByHuman, Surface: s.surfaceOf(id), Given: s.given, Do: do}
}

// Others returns the number of pending questions besides the one on view.
func (s *View) Others() int {
	if _, pending := s.Pending(); pending {
		return len(s.d.live.waiting) - 1
	}
	return len(s.d.live.waiting)
}

// Pressed notes that the person pressed a key. If the question on view ended at least Settle ago, the person has seen
// that, and it is no longer missed. A key just after the end was meant for something else.
func (s *View) Pressed(now time.Time) {
	s.lastKey = now
	if c := s.Team.Begun; c != nil {
		c.Forget()
	}
	if s.up != nil && !s.covered && !s.over.IsZero() && now.Sub(s.over) >= Settle {
		s.removeMissed(s.Up())
	}
}

// keptMarks contains the marks of an approval from before a letter changed them. TakeBackMarks restores them if the
// letter turns out to be the beginning of a sentence that was meant for another pane.
type keptMarks struct {
	session string
	marks   form.Marks
	last    time.Time // when such a letter was last pressed
}

// Take runs do for a key that the guard did not refuse, and tells the guard. On an approval Enter waits after a mark;
// marking the marked choice again does not restart that wait.
func (s *View) Take(p Press, now time.Time, do func()) {
	s.Try(p, now, func() bool {
		do()
		return true
	})
}

// Try does the same as Take for a do that may refuse. It returns the result of do: false means that do changed nothing.
func (s *View) Try(p Press, now time.Time, do func() bool) bool {
	marks := p.Effect == Marking
	decides := marks && p.Decides
	id, before := s.Up(), form.Marks{}
	if decides {
		before = s.marks()
	}
	if s.Guard.beginAction(p, now); !do() {
		return false
	}
	if decides && p.Letter && id != "" {
		s.keepMarks(id, before, now)
	}
	same := decides && s.Up() == id && s.marks().Equal(before) && len(s.Batch.list) == 0
	s.Guard.noteTaken(p, marks && !same, now)
	return true
}

// marks returns the marks of the form on view.
func (s *View) marks() form.Marks {
	if f := s.Form(); f != nil {
		return f.Marks()
	}
	return form.Marks{}
}

// keepMarks saves the marks of an approval from before a letter changed them; TakeBackMarks restores them.
func (s *View) keepMarks(id string, before form.Marks, now time.Time) {
	if s.kept.session != id || now.Sub(s.kept.last) >= Pause {
		s.kept.session, s.kept.marks = id, before
	}
	s.kept.last = now
}

// TakeBackMarks restores the saved marks of an approval if letter is set: a letter that marks nothing was pressed
// directly after one that did. The person was typing a sentence that was meant for another pane. In a batch nothing
// stays marked.
func (s *View) TakeBackMarks(now time.Time, letter bool) {
	if letter && s.up != nil && s.kept.session == s.Up() && now.Sub(s.kept.last) < Pause {
		s.Form().Restore(s.kept.marks)
		if len(s.Batch.list) > 0 {
			s.Batch.unmark()
		}
		s.DraftSoon() // the draft may hold the mark already
	}
	s.kept = keptMarks{}
}

// Types reports whether a text is being typed at the frontend.
func (s *View) Types() bool { return s.types() }

// LastKey returns when the person last pressed a key.
func (s *View) LastKey() time.Time { return s.lastKey }

// Cover notes whether something, such as a page, is in front of the question.
func (s *View) Cover(on bool) {
	s.covered = on
	s.Guard.noteCover(on, s.d.Now())
}

// CameUp tells the guard that the question on view appeared or changed without the person's doing.
func (s *View) CameUp() { s.Guard.noteCameUp(s.Up(), s.d.Now()) }

// BroughtUp tells the guard that the person brought up the question on view.
func (s *View) BroughtUp() { s.Guard.noteBroughtUp(s.Up(), s.d.Now()) }

// dropSession forgets a session that is no longer live, unless it is on view.
func (s *View) dropSession(id string) {
	delete(s.seen, id)
	if s.Up() != id {
		s.forgetSession(id)
	}
}

// forgetSession forgets the form, the consultation and the person's actions of a session.
func (s *View) forgetSession(id string) {
	delete(s.opened, id)
	if len(s.Team.calls) > 0 {
		s.Team.dropCall(id)
	}
	s.answering.forgetSession(id)
	s.d.outbox.forgetSession(id)
}

// settleView decides which question is on view. A question that has ended stays on view until the person leaves it,
// unless givesWay says that another one may replace it. settleView also ends a view that was opened on one question
// once that is due, and checks now and then whether the team can be reached.
func (s *View) settleView(now time.Time) {
	if s.handOff.id != "" && !s.followHandOff(now) {
		return
	}
	if s.up != nil {
		s.yieldView(now)
	}
	if s.paused != "" {
		s.resumeIfDue()
	}
	if s.up == nil && len(s.d.live.waiting) > 0 {
		s.showTop(onItsOwn)
	}
	if s.Team.parkedView != "" {
		s.Team.leaveParked()
	}
	if s.d.reach.setUp {
		s.lookForTeam(now)
	}
	if s.handOff.id != "" {
		s.endHandOff(now)
	}
}

// yieldView replaces the question on view if it is over and may leave.
func (s *View) yieldView(now time.Time) {
	on := s.up.session.At(now)
	if on.Outcome != nil && s.up.session.Outcome == nil { // its time is up, even if the store does not say so yet
		s.followSession(on)
	}
	if s.Team.Begun != nil {
		s.Team.followView(on)
	}
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
	if on.ID == s.HandOff() || len(s.Batch.list) > 0 && s.Batch.keeps() {
		return
	}
	if ours := s.EndedBy(on); ours || s.givesWay(now) {
		if !ours && s.typedHere(s.up.form) {
			s.SaveDraft()
			s.closed = on
		}
		s.Guard.noteReplaced()
		s.showNext(ours)
	}
}

// givesWay reports whether an ended question leaves the view: at once if another is pending, and after yieldOver if the
// person has typed no words into it. While they are typing it stays, because the next letters would be taken as
// commands.
func (s *View) givesWay(now time.Time) bool {
	f := s.up.form
	switch {
	case f.Typing() != form.FieldNone && now.Sub(s.lastKey) < typingEnds:
		return false
	case len(s.d.live.waiting) > 0:
		return true
	}
	return !s.typedHere(f) && now.Sub(s.over) > yieldOver
}

// hidesLoss reports whether the frontend must not leave the question yet: the answer that the person sent did not
// count, and they have pressed no key since the frontend showed that, so they may not have seen it.
func (s *View) hidesLoss() bool {
	if s.up == nil {
		return false
	}
	_, late := s.TooLate(s.up.session.At(s.d.Now()))
	return late && (s.over.IsZero() || s.lastKey.Before(s.over.Add(Settle)))
}

// nextTick returns when settleView has to be called again, because an ended question gives way or the view is left.
// Zero: neither will happen.
func (s *View) nextTick() time.Time {
	if now := s.d.Now(); !s.handOff.over.IsZero() {
		if at := s.leaveTime(); at.After(now) {
			return at
		}
		return now.Add(leaveAfter)
	}
	if _, pending := s.Pending(); s.up == nil || pending {
		return time.Time{}
	}
	now, at := s.d.Now(), s.over.Add(yieldOver)
	if len(s.d.live.waiting) > 0 {
		at = s.lastKey.Add(typingEnds)
	}
	if at = at.Add(time.Millisecond); !at.After(now) { // it stays for another reason: look again later
		return now.Add(yieldOver)
	}
	return at
}

// Closed returns the question that ended elsewhere and left the view although the person had typed words into it. It is
// the zero Session if there is none, and once the person leaves a question or looks at the history.
func (s *View) Closed() queue.Session { return s.closed }

// ShowsHandOff reports whether the question on view is the one that the view was opened on, so that the view ends when
// the question is left.
func (s *View) ShowsHandOff() bool { return s.up != nil && s.Up() == s.HandOff() }

// Leave replaces the session on view by the top of the queue. If the view was opened on that session, Leave ends the
// view instead, but only once the session has ended.
func (s *View) Leave() {
	switch {
	case s.up == nil:
	case s.ShowsHandOff():
		s.FinishEnded()
	default:
		s.showNext(byPerson)
	}
}

// Why another question comes on view: the person left or answered the one before, or it happened on its own.
const byPerson, onItsOwn = true, false

// showNext replaces the question on view by the top of the queue. left is byPerson or onItsOwn.
func (s *View) showNext(left bool) {
	if _, pending := s.Pending(); !pending {
		s.forgetSession(s.Up())
	}
	s.up, s.Team.Begun = nil, nil
	if left {
		s.closed = queue.Session{}
	}
	s.showTop(left)
}

// nextOpen returns the first listed question that is open, not on view, and not being answered; empty: there is no such
// question.
func (s *View) nextOpen() string {
	list := s.Listed()
	for i := range list {
		w := &list[i]
		if w.Standing == queue.StandingOpen && w.ID != s.Up() && s.d.outbox.Of(w.ID) == nil {
			return w.ID
		}
	}
	return ""
}

// showTop shows the question that the view was opened on while that is pending, else the top of the narrowed queue,
// else the top of the whole queue. left is byPerson or onItsOwn.
func (s *View) showTop(left bool) {
	list := s.Listed()
	if at := indexOf(s.d.live.waiting, s.HandOff()); at >= 0 {
		list = s.d.live.waiting[at:]
	}
	if len(list) == 0 {
		list = s.d.live.waiting
	}
	if len(list) == 0 {
		s.ShowAll()
		s.CameUp()
		s.d.tell(Shown{View: s})
		return
	}
	s.Show(list[0].ID)
	if _, aside := list[0].AsideUntil(s.d.Now()); aside { // nothing else is open, so it waits until its time
		s.paused = list[0].ID
	}
	if left {
		s.BroughtUp()
	} else {
		s.CameUp()
	}
	if list[0].Parked() {
		s.Team.noteParkedView()
	}
}

// Show puts a session on view, with its draft. The caller then calls BroughtUp or CameUp, because only the caller knows
// whether the person picked it.
func (s *View) Show(id string) {
	if s.up != nil && s.Up() == id {
		return
	}
	session, ok := s.d.live.Session(id)
	if !ok {
		return
	}
	if len(s.Batch.list) > 0 && !s.Batch.follows(id) {
		s.Batch.Leave()
	}
	s.SaveDraft()
	s.questions.putSession(session, s.d.settings, s.d.views.draftOf(id))
	s.Team.Begun = s.up.consult
	s.Team.follow(true)
	s.over = time.Time{}
	s.d.tell(Shown{s, id})
}

// Step shows the next (1) or previous (-1) question of the queue as listed, and reports whether there was another one.
// After the last question comes the first.
func (s *View) Step(n int) bool { return s.ShowAt(s.around(n)) }

// MayStep reports whether Step would show another question.
func (s *View) MayStep(n int) bool { return s.isOther(s.around(n)) }

// around returns the index, in the listed queue, of the question that Step(n) shows.
func (s *View) around(n int) int {
	of := max(len(s.Listed()), 1)
	return (s.stepTo(n) + of) % of
}

// StepWithin is like Step, but ends at the first and the last question.
func (s *View) StepWithin(n int) bool { return s.ShowAt(s.stepTo(n)) }

// MayStepWithin reports whether StepWithin would show another question.
func (s *View) MayStepWithin(n int) bool { return s.isOther(s.stepTo(n)) }

// stepTo returns the index, in the listed queue, of the question that StepWithin(n) shows. It may be out of range.
func (s *View) stepTo(n int) int {
	at := indexOf(s.Listed(), s.Up())
	if at < 0 { // the one on view is over: start at the top
		return 0
	}
	return at + n
}

// isOther reports whether the listed queue has a session at this index, and it is not the one on view.
func (s *View) isOther(at int) bool {
	list := s.Listed()
	return at >= 0 && at < len(list) && list[at].ID != s.Up()
}

// ShowAt shows the question at this index of the listed queue, and reports whether that changed the view.
func (s *View) ShowAt(at int) bool {
	if !s.isOther(at) {
		return false
	}
	s.Show(s.Listed()[at].ID)
	return true
}

// Narrow limits the list to questions that contain text. from is the session that was on view when narrowing began.
// Narrow shows that session as long as it matches, else the first match.
func (s *View) Narrow(text, from string) {
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
