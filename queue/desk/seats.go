package desk

import (
	"slices"

	"github.com/choicetui/choicetui/queue"
)

// seats are the faces at one desk, and what was typed at them or elsewhere.
type seats struct {
	list   []*Seat
	seated int                    // how many ever sat here: no two drafts have one name
	drafts map[string]queue.Draft // by session: the newest, whoever typed it
}

// leave takes a seat away whose person has gone.
func (s *seats) leave(gone *Seat) {
	s.list = slices.DeleteFunc(slices.Clone(s.list), func(seat *Seat) bool { return seat == gone })
}

// named returns the seat whose drafts have this instance; nil: it belongs to another process.
func (s *seats) named(instance string) *Seat {
	for _, seat := range s.list {
		if seat.instance == instance {
			return seat
		}
	}
	return nil
}

// follow has every seat take over the newest state of a session.
func (s *seats) follow(now queue.Session) {
	for _, seat := range s.list {
		seat.follow(now)
	}
}

// drop has every seat forget a session that left the live ones.
func (s *seats) drop(id string) {
	for _, seat := range s.list {
		seat.dropSession(id)
	}
}

// miss has every seat list a question that ended without the person.
func (s *seats) miss(lost queue.Session) {
	for _, seat := range s.list {
		seat.miss(lost)
	}
}

// endedHere reports whether a seat of this desk ended the session.
func (s *seats) endedHere(over queue.Session) bool {
	for _, seat := range s.list {
		if seat.EndedBy(over) {
			return true
		}
	}
	return false
}

// tooLate reports whether a seat of this desk sent something for the session that did not count.
func (s *seats) tooLate(over queue.Session) bool {
	return slices.ContainsFunc(s.list, func(seat *Seat) bool {
		_, late := seat.TooLate(over)
		return late
	})
}

// unsend has the seats forget their answers to a session: the store refused the answer, which is reported separately.
func (s *seats) unsend(id string) {
	for _, seat := range s.list {
		delete(seat.ended, id)
	}
}

// seen reports whether a question was on view somewhere here.
func (s *seats) seen(id string) bool {
	return slices.ContainsFunc(s.list, func(seat *Seat) bool { return seat.Seen(id) })
}

// draftOf returns the draft for a session; nil: there is none.
func (s *seats) draftOf(session string) *queue.Draft {
	if draft, ok := s.drafts[session]; ok {
		return &draft
	}
	return nil
}

// keepDraft keeps the newest draft of a session, and offers it to every other seat.
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

// takeDraft takes over what the watch says was typed; what a seat of this desk typed is known here.
func (s *seats) takeDraft(draft queue.Draft) {
	if s.named(draft.Instance) == nil {
		s.keepDraft(draft)
	}
}
