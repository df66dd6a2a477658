package form

import (
	"slices"

	"github.com/choicetui/choicetui/queue"
)

// Enter does the form's part of what Plan says and returns the step. What is sent or cancelled then is the face's to
// send, see Settle and Cancel. Enter alone does not touch the form: it continues with what is there. A loose text
// becomes part of the answer.
func (f *Form) Enter() Step {
	f.Attach()
	step := f.Plan(Facts{}).Step
	if f.typing.field == FieldRefusal && step != StepNothing {
		f.EndTyping()
	}
	switch step {
	case StepType:
		f.Begin(FieldText)
	case StepArm:
		f.Here().armed = true
	case StepEnd:
		f.EndTyping()
	case StepTake:
		f.Take()
	case StepOpen:
		f.enter(f.FirstOpen())
	case StepConfirm:
		f.confirming = true
	}
	return step
}

// Confirming reports whether the confirmation is on view.
func (f *Form) Confirming() bool { return f.confirming }

// Confirmed reports whether the person gave the confirmation that is on view.
func (f *Form) Confirmed() bool { return f.confirmed }

// Confirm gives the confirmation that the ask wants; Enter then sends.
func (f *Form) Confirm() WhyNot {
	f.shared.touched = true
	if !f.confirming {
		return because(ConfirmationNotShown)
	}
	f.confirmed = true
	return WhyNot{}
}

// Decline goes back from the confirmation to the answer, and reports whether it was on view.
func (f *Form) Decline() bool {
	was := f.confirming
	f.confirming, f.confirmed = false, false
	return was
}

// Unconfirm takes the confirmation back, as its answer was refused; what is to be confirmed stays on view.
func (f *Form) Unconfirm() { f.confirmed = false }

// StartOver forgets every answer, notes and comment too: at the second time in a row.
func (f *Form) StartOver() WhyNot {
	f.shared.touched = true
	if !f.shared.changed {
		return because(NothingAnswered)
	}
	if f.startOver = !f.startOver; f.startOver {
		return because(PressAgain)
	}
	f.comment = f.ask.Comment
	f.lay(queue.StartAnswer(f.ask), nil)
	return WhyNot{}
}

// CommentText returns the comment on the whole, the caller's as long as the person wrote none.
func (f *Form) CommentText() string { return f.comment }

// Comment puts a comment on the whole; an empty one takes it away.
func (f *Form) Comment(text string) { f.shared.put(&f.comment, text) }

// ReasonText returns the typed reason for cancelling the question.
func (f *Form) ReasonText() string { return f.reason }

// GiveReason says why the question is to be cancelled.
func (f *Form) GiveReason(text string) {
	f.shared.put(&f.reason, text)
	f.code = ""
}

// WantDetail says that the question is to be cancelled because the person wants to know more first, and what.
func (f *Form) WantDetail(text string) {
	f.shared.put(&f.reason, text)
	f.code = queue.ReasonMoreDetail
}

// Approves reports whether the form is an approval that is decided by one choice among its agent's. Nothing is marked
// there before the person does so, whatever the ask or a draft says.
func (f *Form) Approves() bool { return f.shared.approves }

// Allow puts the mark on what allows this once.
func (f *Form) Allow() WhyNot { return f.markAct(queue.ActOnce) }

// Refuse puts the mark on the refusal.
func (f *Form) Refuse() WhyNot { return f.markAct(queue.ActRefuse) }

// Offers reports whether the agent offers a choice that does this there, such as queue.ActOnce.
func (f *Form) Offers(act string) bool {
	_, why := f.optionOf(act)
	return why.OK()
}

// beginningRefusal returns the typing of why it is refused, or why that takes no words.
func (f *Form) beginningRefusal() (typing, WhyNot) {
	o, why := f.optionOf(queue.ActRefuse)
	if why.OK() {
		why = f.Here().MayNote()
	}
	return begun(FieldRefusal, o.ID, f.Here().NoteOn(o.ID), o.Note), why
}

func (f *Form) markAct(act string) WhyNot {
	f.shared.touched = true
	o, why := f.optionOf(act)
	if !why.OK() {
		return why
	}
	return f.Here().Mark(o.ID)
}

// optionOf returns the first option that does this at the agent.
func (f *Form) optionOf(act string) (queue.Option, WhyNot) {
	if !f.shared.approves {
		return queue.Option{}, because(NothingHere)
	}
	list := f.Here().Options
	at := slices.IndexFunc(list, func(o queue.Option) bool { return o.Act == act })
	if at < 0 {
		return queue.Option{}, because(NotOffered)
	}
	return list[at], WhyNot{}
}

// BeginInstead begins the reason of a cancel where own words were meant and the question takes none.
func (f *Form) BeginInstead() (text string) {
	text, _ = f.Begin(FieldReason)
	f.typing.instead = true
	return text
}

// Instead reports whether the reason of a cancel is typed where own words were meant.
func (f *Form) Instead() bool { return f.typing.instead }

// BeginRefusal marks the refusal and begins the words that go with it.
func (f *Form) BeginRefusal() (text string, why WhyNot) {
	before := f.Marks()
	if why := f.Refuse(); !why.OK() {
		return "", why
	}
	text, why = f.Begin(FieldRefusal)
	if why.OK() {
		f.LeavesTo(before)
	}
	return text, why
}

// Typing returns the text that keys go to, FieldNone when they are commands.
func (f *Form) Typing() Field { return f.typing.field }

// TypingNote returns the option whose note is being typed.
func (f *Form) TypingNote() string { return f.typing.note }

// Begin begins the typing of a text and returns what the face's text field starts with. Own words bring the cursor to
// their row; a note is on the option under it. A text that was put aside there is brought back, loose.
func (f *Form) Begin(field Field) (text string, why WhyNot) {
	t, why := f.beginning(field)
	return f.begin(t, why)
}

// BeginNote is Begin for a note on the option of this number, counted from 1 over all options. In a face that points
// the cursor goes there.
func (f *Form) BeginNote(n int) (text string, why WhyNot) {
	q := f.Here()
	switch {
	case f.Reviewing():
		return f.begin(typing{}, because(NothingHere))
	case !q.MayNote().OK():
		return f.begin(typing{}, q.MayNote())
	}
	if why := q.choosable(n); !why.OK() {
		return f.begin(typing{}, why)
	}
	if row := slices.Index(q.shown, n-1); q.shared.points && row >= 0 && row != q.cursor {
		q.goTo(row)
	}
	o := q.Options[n-1]
	return f.begin(begun(FieldNote, o.ID, q.NoteOn(o.ID), o.Note), WhyNot{})
}

func (f *Form) begin(t typing, why WhyNot) (text string, _ WhyNot) {
	f.shared.touched = true
	if !why.OK() {
		return "", why
	}
	t.before = f.Marks()
	if aside, ok := f.aside[f.asideKey(t)]; ok {
		t.text, t.agents, t.loose, t.marks = aside, "", true, t.before
	}
	switch t.field {
	case FieldText:
		f.Here().toWords()
	case FieldReason:
		f.code = ""
	case FieldDetail:
		f.code = queue.ReasonMoreDetail
	}
	f.typing, f.Here().armed, f.startOver = t, false, false
	return t.text, WhyNot{}
}

// Takes says why Begin would refuse to begin a text, for a face that shows what is possible.
func (f *Form) Takes(field Field) WhyNot {
	_, why := f.beginning(field)
	return why
}

// beginning returns the typing of a text as it would begin, or why it would not. An approval is decided on the details
// that it has.
func (f *Form) beginning(field Field) (typing, WhyNot) {
	q := f.Here()
	switch field {
	case FieldComment:
		switch {
		case !f.ask.Annotates():
			return typing{}, because(NotesOff)
		case f.shared.rules.NoNotes:
			return typing{}, because(NotesOffInSettings)
		}
		return begun(field, "", f.comment, f.ask.Comment), WhyNot{}
	case FieldReason:
		return begun(field, "", f.reason, ""), WhyNot{}
	case FieldRefusal:
		return f.beginningRefusal()
	case FieldDetail:
		if f.ask.Kind == queue.KindApproval {
			return typing{}, because(NotForApprovals)
		}
		return begun(field, "", f.reason, ""), WhyNot{}
	}
	if f.Reviewing() {
		return typing{}, because(NothingHere)
	}
	switch field {
	case FieldText:
		if !q.TakesText() {
			return typing{}, because(OptionsOnly)
		}
		return begun(field, "", q.reply.Text, ""), WhyNot{}
	case FieldNote:
		o, ok := q.Current()
		why := q.MayNote()
		if why.OK() && !ok {
			why = because(NothingHere)
		}
		return begun(field, o.ID, q.NoteOn(o.ID), o.Note), why
	case FieldFind:
		if len(q.Options) == 0 {
			return typing{}, because(NoOptions)
		}
		return begun(field, "", q.find, ""), WhyNot{}
	}
	return typing{}, because(NothingHere)
}

// Type takes over what the face's text field holds, after each change of it.
func (f *Form) Type(text string) {
	f.typing.text = text
	if f.typing.loose {
		return
	}
	text = f.typing.written()
	switch f.typing.field {
	case FieldText:
		f.Here().Write(text)
	case FieldNote, FieldRefusal:
		f.Here().Note(f.typing.note, text)
	case FieldComment:
		f.Comment(text)
	case FieldReason:
		f.GiveReason(text)
	case FieldDetail:
		f.WantDetail(text)
	case FieldFind:
		f.Here().Narrow(text)
	}
}

// EndTyping leaves the text field. The text stays; a loose one is put aside.
func (f *Form) EndTyping() {
	q := f.Here()
	if f.typing.loose {
		f.putAside()
	}
	if f.typing.field == FieldFind && q.find != "" && q.Radio() && !q.chosenInSight() {
		q.followDot() // what is sent is what is on screen
	}
	f.typing = typing{}
}
