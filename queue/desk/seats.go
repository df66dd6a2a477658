package desk

import (
	"slices"

	"github.com/choicetui/choicetui/queue"
)

// seats holds the seats of a desk, and the drafts of all sessions.
type seats struct {
	list   []*Seat
	seated int                    // counts all seats that ever existed, so that no two get the same name
	drafts map[string]queue.Draft // by session: the newest draft, from any process
}

// removeSeat removes a seat.
func (s *seats) removeSeat(gone *Seat) {
	s.list = slices.DeleteFunc(slices.Clone(s.list), func(seat *Seat) bool { return seat == gone })
}

// seatNamed returns the seat that saves its drafts under this instance; nil: that is another process.
func (s *seats) seatNamed(instance string) *Seat {
	for _, seat := range s.list {
		if seat.instance == instance {
			return seat
		}
	}
	return nil
}

// followSession passes the newest state of a session to every seat.
func (s *seats) followSession(now queue.Session) {
	for _, seat := range s.list {
		seat.followSession(now)
	}
}

// dropSession makes every seat forget a session that is no longer live.
func (s *seats) dropSession(id string) {
	for _, seat := range s.list {
		seat.dropSession(id)
	}
}

// missAll lists a question that ended without the person as missed at every seat.
func (s *seats) missAll(lost queue.Session) {
	for _, seat := range s.list {
		seat.addMissed(lost)
	}
}

// endedHere reports whether a seat of this desk ended the session.
func (s *seats) endedHere(over queue.Session) bool {
	return slices.ContainsFunc(s.list, func(seat *Seat) bool { return seat.EndedBy(over) })
}

// tooLate reports whether something that a seat of this desk sent for the session did not count.
func (s *seats) tooLate(over queue.Session) bool {
	return slices.ContainsFunc(s.list, func(seat *Seat) bool {
		_, late := seat.TooLate(over)
		return late
	})
}

// forgetSent makes the seats forget the answer that they sent to a session, because the store refused it. NotStored
// reports the reason.
func (s *seats) forgetSent(id string) {
	for _, seat := range s.list {
		delete(seat.ended, id)
	}
}

// seen reports whether a question was on view at any seat.
func (s *seats) seen(id string) bool {
	return slices.ContainsFunc(s.list, func(seat *Seat) bool { return seat.Seen(id) })
}

// draftOf returns the newest draft for a session; nil if there is none.
func (s *seats) draftOf(session string) *queue.Draft {
	if draft, ok := s.drafts[session]; ok {
		return &draft
	}
	return nil
}

// keepDraft keeps a draft if it is the newest of its session, and offers it to every other seat.
func (s *seats) keepDraft(draft queue.Draft) {
	if old, ok := s.drafts[draft.Session]; ok && !draft.Replaces(old) {
		return
	}
	s.drafts[draft.Session] = draft
	for _, seat := range s.list {
		if seat.instance != draft.Instance {
			seat.takeOver(draft)
		}
	}
}

// takeDraft takes a draft that the watch reports. Drafts of this desk's own seats are known already.
func (s *seats) takeDraft(draft queue.Draft) {
	if s.seatNamed(draft.Instance) == nil {
		s.keepDraft(draft)
	}
}
