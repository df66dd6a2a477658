package form

import (
	"slices"

	"github.com/choicetui/choicetui/queue"
)

// Enter carries out the form's part of the Plan and returns its step. The frontend then sends the answer or the cancel;
// see Settle and Cancel. Enter alone does not count as touching the form. An unconfirmed text becomes part of the
// answer.
func (f *Form) Enter() Step {
	if f.typing.field == FieldText && f.Plan(Facts{}).Step == StepNothing {
		return StepNothing
	}
	f.Attach()
	step := f.Plan(Facts{}).Step
	if (f.typing.field == FieldRefusal || f.typing.field == FieldText) && step != StepNothing {
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
		f.enterQuestion(f.FirstOpen())
	case StepConfirm:
		f.confirming = true
	}
	return step
}

// Confirming reports whether the confirmation is on view.
func (f *Form) Confirming() bool { return f.confirming }

// ConfirmsApart reports whether the confirmation is on view in place of the question. That of an approval is one more
// key below the request, which stays on view.
func (f *Form) ConfirmsApart() bool { return f.confirming && !f.shared.approves }

// Confirm records the person's confirmation. Enter then sends the answer.
func (f *Form) Confirm() WhyNot {
	f.shared.touched = true
	if !f.confirming {
		return because(ConfirmationNotShown)
	}
	f.confirmed = true
	return WhyNot{}
}

// Decline returns from the confirmation to the answer, and reports whether the confirmation was on view.
func (f *Form) Decline() bool {
	was := f.confirming
	f.confirming, f.confirmed = false, false
	return was
}

// Unconfirm takes the person's confirmation back after the queue refused the answer. The confirmation stays on view.
func (f *Form) Unconfirm() { f.confirmed = false }

// StartOver removes every answer, with notes and the comment. The frontend asks first.
func (f *Form) StartOver() WhyNot {
	f.shared.touched = true
	if why := f.MayStartOver(); !why.OK() {
		return why
	}
	f.comment = f.ask.Comment
	f.layQuestions(queue.StartAnswer(f.ask), nil)
	return WhyNot{}
}

// MayStartOver returns why there is nothing to remove.
func (f *Form) MayStartOver() WhyNot {
	if !f.shared.changed {
		return because(NothingAnswered)
	}
	return WhyNot{}
}

// CommentText returns the comment on the whole ask: the person's, or else the caller's.
func (f *Form) CommentText() string { return f.comment }

// Comment sets the comment on the whole ask; an empty text removes it.
func (f *Form) Comment(text string) { f.shared.setText(&f.comment, text) }

// ReasonText returns the typed reason for cancelling the question.
func (f *Form) ReasonText() string { return f.reason }

// GiveReason sets the reason for cancelling the question.
func (f *Form) GiveReason(text string) {
	f.shared.setText(&f.reason, text)
	f.code = ""
}

// WantDetail sets the detail that the person wants to know before deciding. The question is to be cancelled with
// queue.ReasonMoreDetail.
func (f *Form) WantDetail(text string) {
	f.shared.setText(&f.reason, text)
	f.code = queue.ReasonMoreDetail
}

// Approves reports whether the form is an approval that is decided by one choice among its agent's. Only the person
// marks anything in it, whatever the ask or a draft says.
func (f *Form) Approves() bool { return f.shared.approves }

// Allow marks the option that allows this once.
func (f *Form) Allow() WhyNot { return f.markAct(queue.ActOnce) }

// Refuse marks the refusal.
func (f *Form) Refuse() WhyNot { return f.markAct(queue.ActRefuse) }

// Offers reports whether the agent's approval has an option with this act, such as queue.ActOnce.
func (f *Form) Offers(act string) bool {
	_, why := f.optionWithAct(act)
	return why.OK()
}

// refusalTyping returns the typing of the reason for a refusal, or why the refusal accepts no words.
func (f *Form) refusalTyping() (typing, WhyNot) {
	o, why := f.optionWithAct(queue.ActRefuse)
	if why.OK() {
		why = f.Here().acceptsNotes()
	}
	return beginTyping(FieldRefusal, o.ID, f.Here().NoteOn(o.ID), o.Note), why
}

// markAct marks the first option with this effect at the agent.
func (f *Form) markAct(act string) WhyNot {
	f.shared.touched = true
	o, why := f.optionWithAct(act)
	if !why.OK() {
		return why
	}
	return f.Here().Mark(o.ID)
}

// optionWithAct returns the first option with this effect at the agent.
func (f *Form) optionWithAct(act string) (queue.Option, WhyNot) {
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

// BeginInstead begins the reason of a cancel for a person who wanted to type own words, which the question does not
// accept.
func (f *Form) BeginInstead() (text string) {
	text, _ = f.Begin(FieldReason)
	f.typing.instead = true
	return text
}

// Instead reports whether the open field was opened by BeginInstead.
func (f *Form) Instead() bool { return f.typing.instead }

// BeginRefusal marks the refusal and begins typing its reason.
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

// Typing returns the field that is open; FieldNone if none is, so that keys are commands.
func (f *Form) Typing() Field { return f.typing.field }

// TypingNote returns the option whose note is being typed.
func (f *Form) TypingNote() string { return f.typing.note }

// Begin opens a field and returns the text with which the frontend's text field starts. FieldText moves the cursor to
// the row of own words; FieldNote is a note on the option under the cursor. A text that was put aside from this field
// comes back as an unconfirmed text.
func (f *Form) Begin(field Field) (text string, why WhyNot) {
	t, why := f.typingIn(field)
	return f.openField(t, why)
}

// BeginNote opens the note on option n, counted from 1 over all options. In a frontend that points, the cursor moves
// there.
func (f *Form) BeginNote(n int) (text string, why WhyNot) {
	q := f.Here()
	why = q.acceptsNotes()
	if f.Reviewing() {
		why = because(NothingHere)
	}
	if why.OK() {
		why = q.checkNumber(n)
	}
	if !why.OK() {
		return f.openField(typing{}, why)
	}
	if row := slices.Index(q.shown, n-1); q.shared.points && row >= 0 && row != q.cursor {
		q.goTo(row)
	}
	o := q.Options[n-1]
	return f.openField(beginTyping(FieldNote, o.ID, q.NoteOn(o.ID), o.Note), WhyNot{})
}

// openField opens a field with its typing, unless why refuses it. It returns the text with which the field starts.
func (f *Form) openField(t typing, why WhyNot) (text string, _ WhyNot) {
	f.shared.touched = true
	if !why.OK() {
		return "", why
	}
	t.before, t.was = f.Marks(), t.keptText()
	if aside, ok := f.aside[f.asideKey(t)]; ok {
		t.text, t.agents, t.unconfirmed, t.marks = aside, "", true, t.before
	}
	switch t.field {
	case FieldText:
		f.Here().toWords()
	case FieldReason:
		f.code = ""
	case FieldDetail:
		f.code = queue.ReasonMoreDetail
	}
	f.typing, f.Here().armed = t, false
	return t.text, WhyNot{}
}

// Takes returns the reason for which Begin would refuse a field, for a frontend that shows which fields are possible.
func (f *Form) Takes(field Field) WhyNot {
	_, why := f.typingIn(field)
	return why
}

// typingIn returns the typing that Begin would start in a field, or the reason why it would not.
func (f *Form) typingIn(field Field) (typing, WhyNot) {
	q := f.Here()
	switch field {
	case FieldComment:
		switch {
		case !f.ask.Annotates():
			return typing{}, because(NotesOff)
		case f.shared.rules.NoNotes:
			return typing{}, because(NotesOffInSettings)
		}
		return beginTyping(field, "", f.comment, f.ask.Comment), WhyNot{}
	case FieldReason:
		return beginTyping(field, "", f.reason, ""), WhyNot{}
	case FieldRefusal:
		return f.refusalTyping()
	case FieldDetail:
		if f.ask.Kind == queue.KindApproval {
			return typing{}, because(NotForApprovals)
		}
		return beginTyping(field, "", f.reason, ""), WhyNot{}
	}
	if f.Reviewing() {
		return typing{}, because(NothingHere)
	}
	switch field {
	case FieldText:
		if !q.TakesText() {
			return typing{}, because(OptionsOnly)
		}
		return beginTyping(field, "", q.reply.Text, ""), WhyNot{}
	case FieldNote:
		o, ok := q.Current()
		why := q.acceptsNotes()
		if why.OK() && !ok {
			why = because(NothingHere)
		}
		return beginTyping(field, o.ID, q.NoteOn(o.ID), o.Note), why
	case FieldFind:
		if len(q.Options) == 0 {
			return typing{}, because(NoOptions)
		}
		return beginTyping(field, "", q.find, ""), WhyNot{}
	}
	return typing{}, because(NothingHere)
}

// Type takes over the text of the frontend's text field after each change.
func (f *Form) Type(text string) {
	if f.typing.unconfirmed {
		f.shared.touched, f.shared.changed = true, f.shared.changed || f.typing.text != text
		f.typing.text = text
		return
	}
	f.typing.text = text
	f.keepText(f.typing.keptText())
}

// keepText makes a text the one of the open field in the answer.
func (f *Form) keepText(text string) {
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

// EndTyping closes the open field. Its text stays; an unconfirmed text is put aside.
func (f *Form) EndTyping() {
	q := f.Here()
	if f.typing.unconfirmed {
		f.putAside()
	}
	if f.typing.field == FieldFind && q.find != "" && q.Radio() && !q.chosenInSight() {
		q.followDot() // only an option on screen may be sent
	}
	f.typing = typing{}
}
