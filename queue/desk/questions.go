package desk

import (
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
	"github.com/choicetui/choicetui/queue/widen"
)

// questions holds the question that is on view, and the forms of all questions that were on view and are not over.
type questions struct {
	now    func() time.Time
	points bool               // see form.Options
	up     *opened            // the question on view; nil: the queue is empty
	opened map[string]*opened // by session: those that were on view and are not over
	seen   map[string]bool
}

// opened is a session that was on view, in its last known state, with its form. The session may have been archived
// since.
type opened struct {
	session queue.Session
	form    *form.Form
	consult *widen.Consult // the consultation with the team about it; nil: none was begun

	asked map[widen.Stage]*teamQuestion // what the person was asked about the team, with what they typed
	front *teamQuestion                 // the one of them that is in front of the session; nil: none is
}

// teamQuestion is a question to the person about the team; see widen.Consult.Question.
type teamQuestion struct {
	stage widen.Stage
	ask   queue.Ask
	form  *form.Form
}

// inFront returns the session with what is on view of it: its own form, or a question about the team.
func (o *opened) inFront() (queue.Session, *form.Form) {
	s, f := o.session, o.form
	if o.front != nil {
		s.Ask, f = o.front.ask, o.front.form
	}
	return s, f
}

// OnView is the question on view with what belongs to it, at one moment.
type OnView struct {
	Session   queue.Session // with a timeout that is due
	Form      *form.Form    // nil: no question is on view
	Pending   bool
	Paused    bool // it was set aside here while nothing else was open; see View.Paused
	Postponed bool // its answer is held back; see View.Undoable
	InBatch   bool // the list of approvals that are alike is open
	OfTeam    bool // Session asks something about the team, in front of the agent's question
}

// OnView returns the question on view with what belongs to it.
func (s *View) OnView() OnView {
	if s.up == nil {
		return OnView{}
	}
	session, f := s.up.inFront()
	v := OnView{Session: session.At(s.d.Now()), Form: f, OfTeam: s.up.front != nil}
	v.Pending = v.Session.Pending()
	if s.paused != "" {
		_, v.Paused = s.Paused()
	}
	if s.postponed != "" {
		v.Postponed = s.UndoableOn()
	}
	v.InBatch = len(s.Batch.list) > 0
	return v
}

// Up returns the id of the session on view; empty if there is none.
func (v *questions) Up() string {
	if v.up == nil {
		return ""
	}
	return v.up.session.ID
}

// Session returns the session on view in its last known state; the zero Session: there is none. Its Ask is what the
// person is asked, also where that is something about the team.
func (v *questions) Session() queue.Session {
	if v.up == nil {
		return queue.Session{}
	}
	s, _ := v.up.inFront()
	return s
}

// Form returns the form on view; nil if there is none.
func (v *questions) Form() *form.Form {
	if v.up == nil {
		return nil
	}
	_, f := v.up.inFront()
	return f
}

// OfTeam reports whether the person is asked something about the team, in front of the question on view.
func (v *questions) OfTeam() bool { return v.up != nil && v.up.front != nil }

// FormOf returns the form of a session that was on view, also where something about the team is in front of it; nil: it
// never was on view, or it is over.
func (v *questions) FormOf(id string) *form.Form {
	if o := v.opened[id]; o != nil {
		return o.form
	}
	return nil
}

// Pending returns the session on view, with a timeout that is due by now, and reports whether it is still pending.
func (v *questions) Pending() (queue.Session, bool) {
	if v.up == nil {
		return queue.Session{}, false
	}
	now := v.up.session.At(v.now())
	return now, now.Pending()
}

// Seen reports whether a session was on view here.
func (v *questions) Seen(id string) bool { return v.seen[id] }

// putSession puts a session on view. It uses the session's form if there is one, else a new form that is filled from
// draft, which may be nil.
func (v *questions) putSession(s queue.Session, settings config.Settings, draft *queue.Draft) {
	if v.opened[s.ID] == nil {
		o := form.Options{Rules: Rules(settings, s), Points: v.points, Draft: draft}
		v.opened[s.ID] = &opened{session: s, form: form.New(s, o)}
	}
	v.up, v.seen[s.ID] = v.opened[s.ID], true
}

// followSession keeps the newest state of a session.
func (v *questions) followSession(now queue.Session) {
	if v.Up() == now.ID {
		v.up.session = now
	}
	if o := v.opened[now.ID]; o != nil {
		o.session = now
	}
}

// followSettings applies changed settings to every form.
func (v *questions) followSettings(now config.Settings) {
	for _, o := range v.opened {
		o.form.Follow(Rules(now, o.session))
	}
}

// Rules returns the settings that affect the form of a session. The command `choicetui answer` uses it too.
func Rules(now config.Settings, s queue.Session) form.Rules {
	var list []form.HiddenOption
	for _, h := range now.HiddenOptions {
		list = append(list, form.HiddenOption{Client: h.Client, ID: h.ID, Label: h.Label})
	}
	return form.Rules{Hidden: form.HiddenIn(s, list), NoNotes: !now.AnnotationsEnabled,
		NoPlaceholder: !now.PlaceholderVisible}
}

// listing filters the queue as the person narrowed it at a view.
type listing struct {
	live *live
	find string // the text that narrows it
}

// Find returns the text by which the queue is narrowed here; empty: all of it is listed.
func (l *listing) Find() string { return l.find }

// ShowAll lists all questions again after narrowing; the question on view stays.
func (l *listing) ShowAll() { l.find = "" }

// Listed returns the pending questions that match Find, in queue order.
func (l *listing) Listed() []queue.Waiting {
	if l.find == "" {
		return l.live.waiting
	}
	want := strings.ToLower(l.find)
	var list []queue.Waiting
	for _, w := range l.live.waiting {
		words := []string{w.Ask.Title, w.Ask.Prompt, w.Ask.Approval.Text(), w.Origin.Name(), w.Origin.Host}
		text := strings.Join(words, " ")
		if strings.Contains(strings.ToLower(text), want) {
			list = append(list, w)
		}
	}
	return list
}

// indexOf returns the index of a session in a list, or -1.
func indexOf(list []queue.Waiting, id string) int {
	return slices.IndexFunc(list, func(w queue.Waiting) bool { return w.ID == id })
}

const mostMiss = 20 // questions listed as missed

// missed lists the questions that ended without the person, here or in the agent. A question leaves the list when the
// person has seen on view that it ended, or has looked at the history.
type missed struct{ list []queue.Session }

// Missed returns the questions that ended without the person, newest first.
func (m *missed) Missed() []queue.Session { return m.list }

// ForgetMissed empties the list, and forgets the question of Closed: the person has looked at the history.
func (s *View) ForgetMissed() { s.missed.list, s.closed = nil, queue.Session{} }

// addMissed adds a question that ended without the person.
func (m *missed) addMissed(session queue.Session) {
	m.removeMissed(session.ID)
	m.list = append([]queue.Session{session}, m.list...)
	m.list = m.list[:min(len(m.list), mostMiss)]
}

// removeMissed takes a question off the list.
func (m *missed) removeMissed(id string) {
	m.list = slices.DeleteFunc(m.list, func(s queue.Session) bool { return s.ID == id })
}
