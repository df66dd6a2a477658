package desk

import (
	"slices"

	"github.com/choicetui/choicetui/queue"
)

// views holds the views of a desk, and the drafts of all sessions.
type views struct {
	list   []*View
	seated int                    // counts all views that ever existed, so that no two get the same name
	drafts map[string]queue.Draft // by session: the newest draft, from any process
}

// removeView removes a view.
func (s *views) removeView(gone *View) {
	s.list = slices.DeleteFunc(slices.Clone(s.list), func(view *View) bool { return view == gone })
}

// viewNamed returns the view that saves its drafts under this instance; nil: that is another process.
func (s *views) viewNamed(instance string) *View {
	for _, view := range s.list {
		if view.instance == instance {
			return view
		}
	}
	return nil
}

// followSession passes the newest state of a session to every view.
func (s *views) followSession(now queue.Session) {
	for _, view := range s.list {
		view.followSession(now)
	}
}

// dropSession makes every view forget a session that is no longer live.
func (s *views) dropSession(id string) {
	for _, view := range s.list {
		view.dropSession(id)
	}
}

// missAll lists a question that ended without the person as missed at every view.
func (s *views) missAll(lost queue.Session) {
	for _, view := range s.list {
		view.addMissed(lost)
	}
}

// endedHere reports whether a view of this desk ended the session.
func (s *views) endedHere(over queue.Session) bool {
	return slices.ContainsFunc(s.list, func(view *View) bool { return view.EndedBy(over) })
}

// tooLate reports whether something that a view of this desk sent for the session did not count.
func (s *views) tooLate(over queue.Session) bool {
	return slices.ContainsFunc(s.list, func(view *View) bool {
		_, late := view.TooLate(over)
		return late
	})
}

// forgetSent makes the views forget the answer that they sent to a session, because the store refused it. NotStored
// reports the reason.
func (s *views) forgetSent(id string) {
	for _, view := range s.list {
		delete(view.ended, id)
	}
}

// seen reports whether a question was on view anywhere.
func (s *views) seen(id string) bool {
	return slices.ContainsFunc(s.list, func(view *View) bool { return view.Seen(id) })
}

// draftOf returns the newest draft for a session; nil if there is none.
func (s *views) draftOf(session string) *queue.Draft {
	if draft, ok := s.drafts[session]; ok {
		return &draft
	}
	return nil
}

// keepDraft keeps a draft if it is the newest of its session, and offers it to every other view.
func (s *views) keepDraft(draft queue.Draft) {
	if old, ok := s.drafts[draft.Session]; ok && !draft.Replaces(old) {
		return
	}
	s.drafts[draft.Session] = draft
	for _, view := range s.list {
		if view.instance != draft.Instance {
			view.takeOver(draft)
		}
	}
}

// takeDraft takes a draft that the watch reports. Drafts of this desk's own views are known already.
func (s *views) takeDraft(draft queue.Draft) {
	if s.viewNamed(draft.Instance) == nil {
		s.keepDraft(draft)
	}
}
