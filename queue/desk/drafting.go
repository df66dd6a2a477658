package desk

import (
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

// draftDelay is the pause in typing after which the draft is saved; no unsaved typing is older than 200 ms.
const draftDelay = 150 * time.Millisecond

// DraftSoon saves the form on view after draftDelay.
func (s *View) DraftSoon() {
	if s.saving == nil && s.up != nil {
		s.saving = time.AfterFunc(draftDelay, func() { s.d.Do(s.SaveDraft) })
	}
}

// SaveDraft saves the form on view now, if the person changed it here. A draft that was only taken over from another
// view stays that view's.
func (s *View) SaveDraft() {
	if s.saving == nil {
		return
	}
	s.saving.Stop()
	s.saving = nil
	if s.up == nil || !s.up.form.Changed() || !s.up.form.Touched() {
		return
	}
	draft := s.up.form.Draft()
	draft.Instance, draft.At = s.instance, s.d.Now().UTC()
	s.d.views.keepDraft(draft)
	s.d.saveDraft(draft)
}

// takeOver applies a draft from elsewhere to the form of its session. It does nothing if the person here has already
// pressed a key in that form or confirms its answer, if that is being sent, or if the guard remembers a refused choice.
// If the form is on view, the guard treats it like a new question.
func (s *View) takeOver(draft queue.Draft) {
	o := s.opened[draft.Session]
	if o == nil || o.session.Outcome != nil || s.d.outbox.Of(draft.Session) != nil || s.Guard.Remembers() {
		return
	}
	if !o.form.TakeOver(draft) {
		return
	}
	if o == s.up {
		s.CameUp()
	}
	s.d.tell(DraftTaken{s, draft.Session})
}

// Drafted reports whether a session has text or marks, here or in a draft from elsewhere.
func (s *View) Drafted(id string) bool {
	if f := s.FormOf(id); f != nil {
		return f.HasWork()
	}
	return s.d.views.draftOf(id) != nil
}

// Foreign reports whether the form on view holds a draft from elsewhere that the person has not touched yet. role is
// the role of the process that saved it; empty: that process has ended.
func (s *View) Foreign() (role string, foreign bool) { return s.foreign(s.Form()) }

// ForeignOf reports the same of any session whose form was opened here, on view or not.
func (s *View) ForeignOf(id string) (role string, foreign bool) {
	return s.foreign(s.FormOf(id))
}

// typedHere reports whether the form contains text that the person typed here. Text of a draft from elsewhere does not
// count until the person changes it here.
func (s *View) typedHere(f *form.Form) bool {
	if f == nil || len(f.Typed()) == 0 {
		return false
	}
	_, foreign := s.foreign(f)
	return !foreign
}

// foreign does the work of Foreign for any form of this view.
func (s *View) foreign(f *form.Form) (role string, foreign bool) {
	if f == nil || f.Touched() {
		return "", false
	}
	from := f.From().Instance
	if from == "" || from == s.instance {
		return "", false
	}
	return s.d.RoleOfView(from), true
}
