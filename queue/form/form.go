package form

import (
	"slices"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// Rules are the person's settings that every form goes by, also one that came before they changed. The zero Rules
// are the defaults.
type Rules struct {
	Hidden        Hidden // see HiddenIn
	NoNotes       bool   // neither notes nor a comment are offered, and none that the person wrote is sent
	NoPlaceholder bool
}

// Options say how a form begins.
type Options struct {
	Rules  Rules
	Draft  *queue.Draft // what was marked and typed before; nil: nothing
	Points bool         // the face has a cursor, and a radio's dot follows it
}

// Source says from which draft a form began.
type Source struct {
	Instance string // whose draft it was; empty: none
	At       time.Time
}

// Form is one ask being answered. It belongs to one goroutine. The zero Form is not usable, see New.
type Form struct {
	Walk

	session    string
	ask        queue.Ask
	comment    string
	reason     string // why the question is cancelled
	code       string // that reason for programs; see queue.Cancel
	typing     typing
	aside      map[asideKey]string // texts that are not part of the answer; see Loosen
	confirming bool
	confirmed  bool
	from       Source
}

// New returns the form before anyone touched it, or as the draft left it.
func New(s queue.Session, o Options) *Form {
	f := &Form{session: s.ID, ask: s.Ask.Shown()}
	f.shared = &shared{rules: o.Rules, points: o.Points, neverHides: neverHides(s.Ask), approves: approves(s.Ask),
		couldNote: s.Ask.Annotates(), native: s.Origin.Dialect == queue.DialectNative}
	d := queue.Draft{Answer: queue.StartAnswer(f.ask)}
	if o.Draft != nil {
		d = *o.Draft
		f.shared.changed, f.from = true, Source{Instance: d.Instance, At: d.At}
	}
	f.comment, f.reason = d.Answer.Comment, d.Reason
	f.takeAside(d.Aside)
	f.lay(d.Answer, d.Answered)
	return f
}

// lay prepares the questions as the answer has them, and brings the first one that is open on view.
func (f *Form) lay(a queue.Answer, taken []string) {
	asked := f.ask.Questions
	if len(asked) == 0 { // an ask without questions is no ask; it can still be shown and cancelled
		asked = []queue.Question{{Mode: queue.ModeText}}
	}
	f.questions = nil
	for i, q := range asked {
		reply := queue.Reply{}
		if at := slices.IndexFunc(a.Replies, func(r queue.Reply) bool { return r.Question == q.ID }); at >= 0 {
			reply = a.Replies[at]
		} else if start := queue.StartAnswer(f.ask); i < len(start.Replies) {
			reply = start.Replies[i]
		}
		isTaken := len(asked) > 1 && slices.Contains(taken, q.ID)
		f.questions = append(f.questions, newQuestion(f.shared.rules.applied(q), f.shared, reply, isTaken))
	}
	f.enter(max(f.FirstOpen(), 0))
}

// applied returns a question as the settings let it be.
func (r Rules) applied(q queue.Question) queue.Question {
	q.Annotate = q.Annotate && !r.NoNotes
	if r.NoPlaceholder {
		q.Placeholder = ""
	}
	return q
}

// Follow puts the person's settings in force. What was typed is kept; a note being typed ends when notes go off. In a
// face that points, questions that are not on view follow when they come there, as their dot may have to move.
func (f *Form) Follow(r Rules) {
	before := f.shared.rules
	f.shared.rules = r
	for i, q := range f.questions {
		q.keepChosen(before)
		if i < len(f.ask.Questions) {
			q.Question = r.applied(f.ask.Questions[i])
		}
		switch {
		case !q.opened:
			q.lay(q.list())
		case i == f.at || !f.shared.points:
			q.relist()
		}
	}
	if r.NoNotes && slices.Contains([]Field{FieldNote, FieldComment, FieldRefusal}, f.typing.field) {
		f.EndTyping()
	}
}

// Rules returns the settings in force.
func (f *Form) Rules() Rules { return f.shared.rules }

// Session returns the id of the session that is answered.
func (f *Form) Session() string { return f.session }

// Ask returns the ask that is being answered.
func (f *Form) Ask() queue.Ask { return f.ask }

// From says from which draft the form began or was taken over; zero: from none.
func (f *Form) From() Source { return f.from }

// Touched reports whether the person pressed any key of the answer here, a motion too. Such a form keeps what it has,
// whatever drafts come from elsewhere; any other is no work of this seat's, and not its to save.
func (f *Form) Touched() bool { return f.shared.touched }

// Touch says that the person began something here that the form does not know of, such as text of several lines.
func (f *Form) Touch() { f.shared.touched = true }

// Changed reports whether there is something worth a draft: the person changed something, or the form began from one.
// It is to be saved where the form is Touched too.
func (f *Form) Changed() bool { return f.shared.changed }

// TakeOver replaces the form's content by another seat's newer draft, and reports whether it did. It does not if the
// person touched this form, if the draft is no newer than the one the form was made from, or if both have the same
// content. To the person the form is then like a new question on screen. unconfirmed: it ended a confirmation, which
// was of something else.
func (f *Form) TakeOver(d queue.Draft) (took, unconfirmed bool) {
	had := queue.Draft{Instance: f.from.Instance, At: f.from.At}
	if f.shared.touched || d.Session != f.session || !d.Replaces(had) {
		return false, false
	}
	points, shows := f.shared.points, f.shared.showHidden
	fresh := New(queue.Session{ID: f.session, Ask: f.ask}, Options{Rules: f.shared.rules, Draft: &d, Points: points})
	if f.Draft().Holds(fresh.Draft()) {
		f.from = fresh.from
		return false, false
	}
	unconfirmed = f.confirming
	*f = *fresh
	if f.shared.showHidden = shows; shows {
		f.Follow(f.shared.rules)
	}
	return true, unconfirmed
}

// Draft returns all typing and marks, including those that would not be sent. The caller fills in Instance and At.
func (f *Form) Draft() queue.Draft {
	d := queue.Draft{Session: f.session, Reason: f.reason, Answer: queue.Answer{Comment: f.comment},
		Aside: f.setAside()}
	for i, q := range f.questions {
		reply := cloned(q.reply)
		if f.typing.loose && i == f.typing.before.at { // the field may have marked something
			reply.Selected = slices.Clone(f.typing.before.selected)
		}
		d.Answer.Replies = append(d.Answer.Replies, reply)
		if q.taken {
			d.Answered = append(d.Answered, q.reply.Question)
		}
	}
	return d
}

// Answer returns the answer that would be sent now: see Question.Sent. While notes are off, the comment is the caller's
// own.
func (f *Form) Answer() queue.Answer {
	a := queue.Answer{Comment: f.comment}
	if f.shared.rules.NoNotes {
		a.Comment = f.ask.Comment
	}
	for _, q := range f.questions {
		a.Replies = append(a.Replies, q.Sent())
	}
	return a
}

// Settle returns the answer as a command, with the person's confirmation if they gave it.
func (f *Form) Settle() queue.Settle {
	return queue.Settle{Answer: f.Answer(), Confirmed: f.confirmed}
}

// Cancel returns the cancel as a command, with the reason if there is one.
func (f *Form) Cancel() queue.Cancel {
	if queue.Blank(f.reason) {
		return queue.Cancel{Code: f.code}
	}
	return queue.Cancel{Reason: f.reason, Code: f.code}
}

// Typed returns all the person's own words, in the order of the questions and their options, followed by the texts that
// were set aside.
func (f *Form) Typed() []string {
	var texts []string
	for _, q := range f.questions {
		texts = append(texts, q.reply.Text)
		for _, o := range q.Options {
			if note := q.NoteOn(o.ID); note != o.Note {
				texts = append(texts, note)
			}
		}
	}
	if f.comment != f.ask.Comment {
		texts = append(texts, f.comment)
	}
	texts = append(texts, f.reason)
	for _, a := range f.setAside() {
		texts = append(texts, a.Text)
	}
	return slices.DeleteFunc(texts, queue.Blank)
}

// HasWork reports whether the form holds work worth a sign: text, marks or answers taken. A cursor that was moved is
// none.
func (f *Form) HasWork() bool {
	if taken, _ := f.Progress(); !f.shared.changed || len(f.Typed()) > 0 || taken > 0 {
		return f.shared.changed
	}
	start := queue.StartAnswer(f.ask)
	for i, q := range f.questions {
		if i < len(start.Replies) && !q.Radio() && !slices.Equal(q.reply.Selected, start.Replies[i].Selected) {
			return true
		}
	}
	return false
}

// leavesNotes reports whether notes or a comment of the person stay behind, as notes are off.
func (f *Form) leavesNotes() bool {
	if f.shared.rules.NoNotes && f.comment != f.ask.Comment && !queue.Blank(f.comment) {
		return true
	}
	return slices.ContainsFunc(f.questions, (*Question).leavesNotes)
}
