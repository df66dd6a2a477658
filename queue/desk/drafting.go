package desk

import (
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

// draftDelay is the pause in typing after which the draft is saved; no unsaved typing is older than 200 ms.
const draftDelay = 150 * time.Millisecond

// drafting keeps what is typed and marked at a seat, and takes over what was elsewhere.
type drafting struct {
	seat *Seat
	d    *Desk
	soon *time.Timer // saves a moment from now; nil: nothing changed since the form was saved
}

// DraftSoon saves the form on view a moment from now.
func (t *drafting) DraftSoon() {
	if t.soon == nil && t.seat.up != nil {
		t.soon = time.AfterFunc(draftDelay, func() { t.d.Do(t.SaveDraft) })
	}
}

// SaveDraft saves the form on view now, if the person changed anything here. What was only taken over stays the other
// seat's.
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

// takeOver puts what was typed elsewhere into the form of a session, unless the person here has pressed a key of the
// answer in it, its answer is on the way, or the guard remembers a choice that was not taken. On view that is like a
// new question: keys wait a moment.
func (t *drafting) takeOver(draft queue.Draft) {
	o := t.seat.opened[draft.Session]
	if o == nil || o.session.Outcome != nil || t.d.outbox.Of(draft.Session) != nil || t.seat.Guard.Remembers() {
		return
	}
	took, unconfirmed := o.form.TakeOver(draft)
	if !took {
		return
	}
	if o == t.seat.up {
		t.seat.CameUp()
	}
	t.d.tell(DraftTaken{t.seat, draft.Session, unconfirmed})
}

// Drafted reports whether something was typed or marked for a session, here or elsewhere.
func (t *drafting) Drafted(id string) bool {
	if f := t.seat.FormOf(id); f != nil {
		return f.HasWork()
	}
	return t.d.seats.draftOf(id) != nil
}

// Foreign reports whether the answer on view is a draft from elsewhere that the person has not made their own yet. role
// is that of the process that keeps it; empty: it has ended.
func (t *drafting) Foreign() (role string, foreign bool) { return t.foreign(t.seat.Form()) }

// ForeignOf reports the same of a session that was opened here, also where it is not on view.
func (t *drafting) ForeignOf(id string) (role string, foreign bool) {
	return t.foreign(t.seat.FormOf(id))
}

// typedHere reports whether the form contains a text of this person's own. Words of a draft from elsewhere do not count
// until the person continues them here.
func (t *drafting) typedHere(f *form.Form) bool {
	if f == nil || len(f.Typed()) == 0 {
		return false
	}
	_, foreign := t.foreign(f)
	return !foreign
}

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
