// Package form implements an answer while the person makes it. Every frontend uses it: the full screen, the lines, the
// command line, the web page.
//
// It is pure: it knows no screen, no store and no clock, and contains no sentence for a person. A frontend turns keys,
// lines or clicks into calls of the form's methods (verbs), asks the form for its state and for the effect of Enter,
// and puts both into words:
//
//	queue.Ask, queue.Draft ─► New ─► Form ── Plan ──► the effect of Enter, or the reason why it does nothing
//	                                  │   └─ Draft ─► the store: everything marked and typed
//	keys, lines, clicks ── verbs ──►  │
//	                                  └───── Settle, Cancel ─► queue.Command
//
// A Form contains the questions one after the other, the review of several, the confirmation, the comment, the reason
// of a cancel, and the state of typing. A Question is one of them with the reply so far: its rows, marks, own words
// and notes. A verb that can be refused returns a WhyNot, which is zero if the verb was carried out.
//
// The frontend keeps the state that exists only on screen: scrolling, which lines were seen, layout and the text field
// itself. It passes Facts about that state if they matter for Enter.
//
// Some frontends point and some do not. A frontend that points has a cursor, and in a radio (a question with one
// answer) the dot, which is the mark of the chosen option, follows the cursor, so there is an answer from the start. In
// a frontend that does not point, such as the lines, a radio has no answer until the person chooses an option.
//
// A question that the person has answered, in a form with several questions, is taken. An option that the person never
// wants to see is hidden, and folded while it has no row. A text that may have been meant for another pane is
// unconfirmed; see Doubt.
package form

import (
	"slices"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// Rules are the person's settings. They apply to every form, also to one that was made before they changed. The zero
// Rules are the defaults.
type Rules struct {
	Hidden        Hidden // options to hide; see HiddenIn
	NoNotes       bool   // notes and comments are not offered, and those that the person wrote are not sent
	NoPlaceholder bool
}

// Options configures a new form.
type Options struct {
	Rules  Rules
	Draft  *queue.Draft // earlier marks and typing, or nil
	Points bool         // the frontend has a cursor, and a radio's dot follows it
	OfTeam bool         // the ask is about the team: its options say what is done, and its texts have no hints
}

// Source identifies the draft from which a form began.
type Source struct {
	Instance string // instance that saved the draft; empty: no draft
	At       time.Time
}

// Form is the person's answer to one ask while they make it. It may be used by one goroutine only. The zero Form is
// not usable; call New.
type Form struct {
	Walk

	session    string
	ask        queue.Ask
	comment    string // on the whole ask
	reason     string // reason for cancelling the question
	code       string // reason code; see queue.Cancel
	typing     typing
	aside      map[asideKey]string // texts that are not part of the answer; see Doubt
	confirming bool                // the confirmation is on view
	confirmed  bool                // the person has confirmed the answer
	from       Source              // the draft from which the form began
	ofTeam     bool                // see Options
}

// New returns a form in the state of the draft, or, without one, before the person touched it.
func New(s queue.Session, o Options) *Form {
	f := &Form{session: s.ID, ask: s.Ask.Shown(), ofTeam: o.OfTeam}
	f.shared = &shared{rules: o.Rules, points: o.Points, neverHides: neverHides(s.Ask), approves: approves(s.Ask),
		couldNote: s.Ask.Annotates(), native: s.Origin.Dialect == queue.DialectNative}
	d := queue.Draft{Answer: queue.StartAnswer(f.ask)}
	if o.Draft != nil {
		d = *o.Draft
		f.shared.changed, f.from = true, Source{Instance: d.Instance, At: d.At}
	}
	f.comment, f.reason = d.Answer.Comment, d.Reason
	f.restoreAside(d.Aside)
	f.layQuestions(d.Answer, d.Answered)
	return f
}

// layQuestions sets up the questions with the replies of the answer, and brings the first open question on view.
func (f *Form) layQuestions(a queue.Answer, taken []string) {
	asked := f.ask.Questions
	if len(asked) == 0 { // such an ask is not valid, but can be shown and cancelled
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
		f.questions = append(f.questions, newQuestion(f.shared.rules.adjustQuestion(q), f.shared, reply, isTaken))
	}
	f.enterQuestion(max(f.FirstOpen(), 0))
}

// adjustQuestion returns a question without the parts that the settings turn off.
func (r Rules) adjustQuestion(q queue.Question) queue.Question {
	q.Annotate = q.Annotate && !r.NoNotes
	if r.NoPlaceholder {
		q.Placeholder = ""
	}
	return q
}

// Follow applies changed settings. Typed text is kept; typing a note ends if notes are turned off. In a frontend that
// points, a question that is not on view is updated when it comes on view, since its dot may have to move.
func (f *Form) Follow(r Rules) {
	before := f.shared.rules
	f.shared.rules = r
	for i, q := range f.questions {
		q.keepChosen(before)
		if i < len(f.ask.Questions) {
			q.Question = r.adjustQuestion(f.ask.Questions[i])
		}
		switch {
		case !q.opened:
			q.layRows(q.listRows())
		case i == f.at || !f.shared.points:
			q.rebuildRows()
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

// From returns the draft from which the form began or which it took over; zero if there was none.
func (f *Form) From() Source { return f.from }

// Touched reports whether the person used any key of the answer in this form, including the cursor keys. A touched
// form does not take over drafts from elsewhere. An untouched form contains no work done here, so it must not be
// saved.
func (f *Form) Touched() bool { return f.shared.touched }

// Touch marks the form as touched when the person began something that the form does not see, such as text of several
// lines.
func (f *Form) Touch() { f.shared.touched = true }

// Changed reports whether the form contains anything for a draft: the person changed something, or the form began
// from a draft. A frontend saves the form if it is also Touched.
func (f *Form) Changed() bool { return f.shared.changed }

// TakeOver replaces the form's content with a newer draft from another place and reports whether it did. It does not
// if the person touched this form or is confirming its answer, if the draft is not newer than the form's own source, or
// if both have the same content. For the person the form is then like a new question on screen.
func (f *Form) TakeOver(d queue.Draft) bool {
	had := queue.Draft{Instance: f.from.Instance, At: f.from.At}
	if f.shared.touched || f.confirming || d.Session != f.session || !d.Replaces(had) {
		return false
	}
	points, shows := f.shared.points, f.shared.showHidden
	fresh := New(queue.Session{ID: f.session, Ask: f.ask}, Options{Rules: f.shared.rules, Draft: &d, Points: points})
	if f.Draft().Holds(fresh.Draft()) {
		f.from = fresh.from
		return false
	}
	*f = *fresh
	if f.shared.showHidden = shows; shows {
		f.Follow(f.shared.rules)
	}
	return true
}

// Draft returns all typing and marks, including those that would not be sent. The caller sets Instance and At.
func (f *Form) Draft() queue.Draft {
	d := queue.Draft{Session: f.session, Reason: f.reason, Answer: queue.Answer{Comment: f.comment},
		Aside: f.listAside()}
	for i, q := range f.questions {
		reply := cloneReply(q.reply)
		if f.typing.unconfirmed && i == f.typing.before.at { // opening the field may have marked something
			reply.Selected = slices.Clone(f.typing.before.selected)
		}
		d.Answer.Replies = append(d.Answer.Replies, reply)
		if q.taken {
			d.Answered = append(d.Answered, q.reply.Question)
		}
	}
	return d
}

// Answer returns the answer that would be sent now; see Question.Sent. While notes are off, it has the caller's
// comment.
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

// Cancel returns the cancel as a command, with the reason if there is one, and with the notes and the comment.
func (f *Form) Cancel() queue.Cancel {
	cancel := queue.Cancel{Code: f.code, Said: f.ask.KeepNotes(f.Answer())}
	if !queue.Blank(f.reason) {
		cancel.Reason = f.reason
	}
	return cancel
}

// Typed returns all texts that the person typed, in the order of the questions and their options, followed by the
// asides.
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
	for _, a := range f.listAside() {
		texts = append(texts, a.Text)
	}
	return slices.DeleteFunc(texts, queue.Blank)
}

// HasWork reports whether the form contains text, marks or answers that a list should show as work in progress. A
// moved cursor does not count.
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

// leavesNotes reports whether notes or a comment of the person will not be sent because notes are off.
func (f *Form) leavesNotes() bool {
	if f.shared.rules.NoNotes && f.comment != f.ask.Comment && !queue.Blank(f.comment) {
		return true
	}
	return slices.ContainsFunc(f.questions, (*Question).leavesNotes)
}

// approves reports whether an ask is an approval that the person decides by one of its options, possibly together
// with some of its rows (see queue.Ask.Grants). Any other form of approval is answered like a question.
func approves(a queue.Ask) bool {
	return a.Kind == queue.KindApproval && len(a.Questions) == 1 &&
		(a.Questions[0].Mode == queue.ModeSingle || a.Grants())
}
