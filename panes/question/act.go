package question

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
)

// tell says what the form said to an action while it was done; nothing where that is nothing.
func (r verbs) tell(v *view, why form.WhyNot, a keys.Action) {
	if words := whyNot(v, why, a); words != "" {
		r.host.Say(words)
	}
}

// enter does what the Enter line says.
func (r verbs) enter(v *view, _ string) {
	seat := r.host.Seat()
	if _, rests := seat.Rests(); rests {
		seat.EndRest()
		return
	}
	switch {
	case !v.session.Pending():
		r.endTyping(v)
		return
	case v.form.Typing() == form.FieldNone && seat.UndoableOn():
		seat.SendNow()
		return
	}
	if v.form.Typing() == form.FieldRefusal {
		approver{r}.enterRefusal(v)
		return
	}
	switch v.form.Enter() {
	case form.StepSend:
		r.sendAnswer(seat)
	case form.StepType:
		r.begin(v, form.FieldText)
	case form.StepEnd:
		r.endTyping(v)
	case form.StepTake, form.StepOpen:
		r.reviewed()
	case form.StepConfirm:
		v.confirm = confirmState{}
		seat.CameUp()
	case form.StepCancel:
		r.endTyping(v)
		r.send(seat.Cancel)
	}
}

// sendAnswer answers the session on view. Where that is otherwise than the team said, the person may say why first.
func (r verbs) sendAnswer(seat *desk.Seat) {
	if seat.Team.AsksWhy() {
		teammates{r}.askWhy()
		return
	}
	r.send(seat.Send)
}

// send ends the session on view by answer or cancel.
func (r verbs) send(end func() error) {
	if err := end(); errors.Is(err, desk.ErrSending) {
		r.host.Say(say.BeingSent(say.FaceScreen))
	}
}

// reviewed tells the guard that the person went to another step of the form.
func (r verbs) reviewed() { r.host.Seat().BroughtUp() }

func (r verbs) mark(v *view, key string) {
	if sends, _ := v.q().Toggle(); sends {
		r.enter(v, key)
	}
}

// digit goes to an option, and where several are allowed marks it; where no more can be, it only goes there.
func (r verbs) digit(v *view, key string) {
	v.moving(func() {
		sends, why := v.q().Digit(nth(v, keys.PlaceQuestion, keys.ActDigit, key))
		if r.tell(v, why, keys.ActDigit); sends {
			r.enter(v, key)
		}
	})
}

func (r verbs) recommend(v *view, _ string) {
	v.moving(func() { v.q().Recommend() })
}

func (r verbs) markAll(v *view, _ string) { v.q().All() }

// begin opens a text field, and reports whether it did.
func (r verbs) begin(v *view, field form.Field) bool {
	text, why := v.form.Begin(field)
	if !why.OK() {
		return false
	}
	v.open(field, text)
	return true
}

// open makes the text field.
func (v *view) open(field form.Field, text string) {
	v.field, v.reasons = editor.New(text), -1
	if field.Ends() || field == form.FieldFind || field == form.FieldRefusal {
		v.field = editor.OneLine(text)
	}
}

// typesFirst reports whether letters go into the answer. Esc makes them keys.
func typesFirst(v *view) bool {
	return v.session.Pending() && v.resting == nil && !v.typed && !v.full && v.form.WantsWords()
}

// TypesFirst reports whether a key is the first letter of the answer to a question that takes nothing but words.
func (r *Room) TypesFirst(key string) bool {
	v := r.view()
	return v != nil && r.Place() == keys.PlaceQuestion && typesFirst(v) && v.keys.BeginsText(key)
}

// TypeFirst opens the field of the answer. What is typed there at once may be meant for another pane.
func (r *Room) TypeFirst() {
	if v := r.view(); v != nil {
		if text, why := v.form.Begin(form.FieldText); why.OK() {
			v.open(form.FieldText, text)
			v.form.Loosen()
			r.host.Seat().DraftSoon()
		}
	}
}

// endTyping leaves the text field; the text stays.
func (r verbs) endTyping(v *view) {
	v.typed = v.typed || v.form.Typing() == form.FieldText
	v.form.EndTyping()
	v.field = nil
	v.thaw()
	r.host.Seat().EndHold()
}

// back goes one level back.
func (r verbs) back(v *view, _ string) {
	if _, rests := r.host.Seat().Rests(); rests {
		r.host.Seat().EndRest()
		return
	}
	switch typing := v.form.Typing(); {
	case typing != form.FieldNone:
		r.endTyping(v)
		if typing == form.FieldFind {
			v.q().Widen()
		}
	case !v.session.Pending():
		r.host.Seat().Leave()
	case v.form.Confirming():
		v.form.Decline()
	case !v.form.Reviewing() && v.q().Widen():
		v.thaw()
	case v.full:
		prompt{v}.toggleFull()
	case typesFirst(v):
		v.typed = true
	default:
		r.host.Seat().LeaveEnded()
	}
}

// nextReason puts a suggested reason into the cancel line; step is +1 or -1.
func (r verbs) nextReason(v *view, step int) {
	ready := suggested{v}.ready()
	if len(ready) == 0 {
		return
	}
	n := len(ready)
	if v.reasons < 0 && step < 0 { // the last one is next to none
		v.reasons = 0
	}
	v.reasons = ((v.reasons+step)%n + n) % n
	v.field.SetText(ready[v.reasons])
	v.form.Type(v.field.Text())
}

// edit hands the text to the person's editor and takes it back: the text being typed, else the person's own words where
// the ask takes them, else the comment.
func (r verbs) edit(v *view, _ string) {
	if field, _ := editable(v); v.editor() == nil && !r.begin(v, field) {
		return
	}
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
		r.typed()
	}
}

// editable returns the text that the person's editor would begin, and the action that begins it by a key.
func editable(v *view) (form.Field, keys.Action) {
	if v.q().MayWrite().OK() {
		return form.FieldText, keys.ActText
	}
	return form.FieldComment, keys.ActComment
}

func (r verbs) showHidden(v *view, _ string) {
	v.q().ShowHidden()
	v.thaw()
}

// turn goes to another question, or the review.
func (r verbs) turn(v *view, turn func(*form.Form) bool) {
	if turn(v.form) {
		r.reviewed()
	}
}

// recommendAll answers all open questions as their agent recommends.
func (r verbs) recommendAll(v *view, key string) {
	if !v.form.Several() {
		r.recommend(v, key)
		return
	}
	if missing := v.form.RecommendAll(); missing > 0 {
		r.host.Say(say.Unrecommended(missing))
	}
	r.reviewed()
}

func (r verbs) changeOne(v *view, key string) {
	v.form.GoTo(nth(v, keys.PlaceReview, keys.ActChangeOne, key) - 1)
	r.reviewed()
}

// startOver forgets all answers, at the second time in a row.
func (r verbs) startOver(v *view, _ string) {
	why := v.form.StartOver()
	if r.tell(v, why, keys.ActStartOver); why.OK() {
		v.reader.spots = newReader(v.form.Len()).spots
	}
}

// confirmIt puts the mark on the confirmation; Enter then sends.
func (r verbs) confirmIt(v *view, _ string) { v.form.Confirm() }

func (r verbs) copyTyped(v *view, _ string) {
	r.host.Copy(strings.Join(v.form.Typed(), "\n\n"))
}

func (r verbs) moreTime(v *view, _ string) { r.move(v, time.Minute) }
func (r verbs) lessTime(v *view, _ string) { r.move(v, -time.Minute) }

// move gives the question more time or takes some. Pressed several times at once, the last ones may be too many.
func (r verbs) move(v *view, by time.Duration) {
	if words := notMoved(v, r.host.Seat().Move(by)); words != "" {
		r.host.Say(words)
	}
}
