package question

import (
	"context"
	"errors"
	"slices"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// The following methods make the Room an action.Frontend. The Keyboard calls them to learn what the person has read,
// and to show what an action did to the question.

// Keyboard returns what carries out the person's actions on the question.
func (r *Room) Keyboard() *action.Keyboard { return r.keyboard }

// Facts says what the person has read, and what can be done on this screen.
func (r *Room) Facts() action.Facts {
	v := r.at()
	facts := action.Facts{Edits: r.o.Edit != nil, Hides: r.o.SetHides != nil, Reason: v.suggestion, Full: v.full,
		Whole: true, Read: func() bool { return v.opened && prompt{v}.unseen() == 0 && !v.cut }}
	if v.form.Typing() == form.FieldNone {
		facts.Covered = v.onlyText()
	} else {
		facts.Reasons = suggested{v}.ready()
	}
	return facts
}

// needsOptions reports whether the options come back on screen for what an action did.
func needsOptions(v *display, e action.Effect) bool {
	row := action.Of(e.Action)
	switch e.Begin {
	case form.FieldText, form.FieldNote, form.FieldComment, form.FieldFind:
		return v.reading()
	}
	return row != nil && (row.Options || row.Marks) && (e.Offer == nil || v.reading())
}

// Show shows what an action did to the question on view.
func (r *Room) Show(e action.Effect) {
	v := r.at()
	if v == nil {
		return
	}
	if !e.WhyNot.OK() {
		r.showRefusal(v, e)
		return
	}
	if needsOptions(v, e) {
		v.leaveText()
	}
	r.showField(v, e)
	if e.Back {
		r.leave(v)
	}
	r.showStep(v, e)
	if e.Copy != "" {
		r.host.Copy(e.Copy)
	}
	if o := e.Offer; o != nil {
		r.host.Offer(say.Offered(o, prompt{v}.unread(), v.home, r.host.View().Desk().Now(), v.speech()), o.Do)
	}
}

// showStep forgets how far the text was read, or how the rows were shared, if the action has brought another part of
// the form on view.
func (r *Room) showStep(v *display, e action.Effect) {
	switch {
	case e.Action == action.Hidden:
		v.forgetFit()
	case e.Action == action.StartOver && e.Offer == nil:
		v.reader.spots = newReader(v.form.Len()).spots
	case e.Action == action.Enter && v.form.ConfirmsApart():
		v.confirm = confirmState{}
	}
	if v.formAt != v.form.At() {
		v.formAt, v.leftField = v.form.At(), false
		v.leaveText()
		v.forgetFit()
	}
}

// showField opens and closes the text field, and changes what is in it.
func (r *Room) showField(v *display, e action.Effect) {
	switch {
	case e.Closed:
		v.leftField = v.leftField || e.Ends == form.FieldText
		v.field = nil
		v.forgetFit()
	case e.Begin != form.FieldNone:
		v.field, v.suggestion = editor.New(e.Text), -1
		if e.Begin.Ends() || e.Begin == form.FieldFind || e.Begin == form.FieldRefusal {
			v.field = editor.OneLine(e.Text)
		}
		if e.Begin.Ends() && !v.form.Unconfirmed() { // an earlier reason, perhaps from another screen, is not continued
			v.field.SelectAll()
		}
	case e.Reason != nil:
		v.suggestion = *e.Reason
		v.field.SetText(e.Text)
	}
	if e.Edit {
		r.edit(v)
	}
}

// showRefusal changes the screen after an action did nothing, where a message alone does not tell the person why.
func (r *Room) showRefusal(v *display, e action.Effect) {
	switch {
	case e.WhyNot.Is(action.Covered):
		v.leaveText()
		r.host.View().BroughtUp()
	case e.WhyNot.IsTeam() && say.TeamLong(e.WhyNot.Err):
		r.host.View().Team.On().Refuse(errors.Unwrap(e.WhyNot.Err))
	}
}

// leave goes one level back: from the text at full height to the options, else from typing the answer to choosing it
// with keys, else it leaves a screen whose question has ended.
func (r *Room) leave(v *display) {
	switch {
	case v.full:
		prompt{v}.toggleFull()
	case typesFirst(v):
		v.leftField = true
	default:
		r.host.View().FinishEnded()
	}
}

// edit hands the text to the person's editor and takes it back.
func (r *Room) edit(v *display) {
	was := v.field.Text()
	text, err := was, error(nil)
	lent := r.host.Lend(func(ctx context.Context) { text, err = r.o.Edit(ctx, was) })
	switch {
	case !lent:
		r.host.Say(say.TerminalLent)
	case err != nil:
		r.host.Say(say.EditorTrouble(err))
	case text != was:
		v.field.SetText(text)
		r.Typed()
	}
}

// Refused says that the guard refused a key.
func (r *Room) Refused(p desk.Press, why error) {
	if r.o.Refused != nil {
		r.o.Refused(p, why)
	}
}

// Words puts a message into words.
func (r *Room) Words(m action.Message) string {
	if m.OK() {
		return ""
	}
	v := r.at()
	switch {
	case v == nil: // the message comes after the question has left the screen
		in := say.Speech{Frontend: say.OnScreen, Keys: r.host.Keys()}
		return say.Message(m, queue.Session{}, nil, in)
	case m.IsTeam() && say.TeamLong(m.Err):
		return say.TeamNotNow
	}
	return say.Message(m, v.session, v.form, v.speech())
}

// Say shows words for a while.
func (r *Room) Say(words string) { r.host.Say(words) }

// SetHides hides an option in later questions, or shows it again.
func (r *Room) SetHides(entry config.HiddenOption, hide bool, done func(error)) {
	r.o.SetHides(entry, hide, done)
}

// typesFirst reports whether a character begins the answer at once, because the question takes only words and none was
// typed yet. After Esc characters are keys again.
func typesFirst(v *display) bool {
	return v.session.Pending() && v.setAsideWords == nil && !v.leftField && !v.full && v.form.WantsWords()
}

// TypesFirst reports whether the field of an answer that is only words is open and still empty, so that characters in
// PlaceQuestion, and a paste, begin the answer.
func (r *Room) TypesFirst() bool {
	v := r.at()
	return v != nil && typesFirst(v)
}

// Deletes reports whether a key deletes from the words that the agent proposes, in their open field.
func (r *Room) Deletes(key string) bool {
	v := r.at()
	return v != nil && v.proposal() != nil && slices.Contains([]string{"backspace", "alt+backspace", "ctrl+w"}, key)
}

// typesAnswer reports whether the field of an answer that is only words is open.
func typesAnswer(v *display) bool {
	return typesFirst(v) || v.types(form.FieldText) && v.q().Mode == queue.ModeText
}
