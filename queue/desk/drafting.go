package desk

import (
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

// draftDelay is the pause in typing after which the draft is saved; no unsaved typing is older than 200 ms.
const draftDelay = 150 * time.Millisecond

// drafting saves the text and marks of the forms at a seat as drafts, and applies drafts from elsewhere to them.
type drafting struct {
	seat *Seat
	d    *Desk
	soon *time.Timer // the timer of the next save; nil: nothing changed since the last one
}

// DraftSoon saves the form on view after draftDelay.
func (t *drafting) DraftSoon() {
	if t.soon == nil && t.seat.up != nil {
		t.soon = time.AfterFunc(draftDelay, func() { t.d.Do(t.SaveDraft) })
	}
}

// SaveDraft saves the form on view now, if the person changed it here. A draft that was only taken over from another
// seat stays that seat's.
func (t *drafting) SaveDraft() {
	if t.soon == nil {
		return
	}
	t.soon.Stop()
	t.soon = nil
	f := t.seat.Form()
	if f == nil || !f.Changed() || !f.Touched() {
		return
	}
	draft := f.Draft()
	draft.Instance, draft.At = t.seat.instance, t.d.Now().UTC()
	t.d.seats.keepDraft(draft)
	t.d.saveDraft(draft)
}

// takeOver applies a draft from elsewhere to the form of its session. It does nothing if the person here has already
// pressed a key in that form or confirms its answer, if that is being sent, or if the guard remembers a refused choice.
// If the form is on view, the guard treats it like a new question.
func (t *drafting) takeOver(draft queue.Draft) {
	o := t.seat.opened[draft.Session]
	if o == nil || o.session.Outcome != nil || t.d.outbox.Of(draft.Session) != nil || t.seat.Guard.Remembers() {
		return
	}
	if !o.form.TakeOver(draft) {
		return
	}
	if o == t.seat.up {
		t.seat.CameUp()
	}
	t.d.tell(DraftTaken{t.seat, draft.Session})
}

// Drafted reports whether a session has text or marks, here or in a draft from elsewhere.
func (t *drafting) Drafted(id string) bool {
	if f := t.seat.FormOf(id); f != nil {
		return f.HasWork()
	}
	return t.d.seats.draftOf(id) != nil
}

// Foreign reports whether the form on view holds a draft from elsewhere that the person has not touched yet. role is
// the role of the process that saved it; empty: that process has ended.
func (t *drafting) Foreign() (role string, foreign bool) { return t.foreign(t.seat.Form()) }

// ForeignOf reports the same of any session whose form was opened here, on view or not.
func (t *drafting) ForeignOf(id string) (role string, foreign bool) {
	return t.foreign(t.seat.FormOf(id))
}

// typedHere reports whether the form contains text that the person typed here. Text of a draft from elsewhere does not
// count until the person changes it here.
func (t *drafting) typedHere(f *form.Form) bool {
	if f == nil || len(f.Typed()) == 0 {
		return false
	}
	_, foreign := t.foreign(f)
	return !foreign
}

// foreign does the work of Foreign for any form of this seat.
func (t *drafting) foreign(f *form.Form) (role string, foreign bool) {
	if f == nil || f.Touched() {
		return "", false
	}
	from := f.From().Instance
	if from == "" || from == t.seat.instance {
		return "", false
	}
	return t.d.RoleOfSeat(from), true
}
