package desk

import (
	"time"

	"github.com/choicetui/choicetui/queue"
)

// leaveAfter is the time without a key after which a view is left automatically, once the question that it was opened
// on has ended without its person.
const leaveAfter = 2 * time.Second

// handOff follows the question that a view was opened on, and decides when the view is left.
type handOff struct {
	id    string        // empty: there is no such question, or the view stays after its end
	last  queue.Session // the question as last seen; the zero Session: not seen yet
	shown bool          // the question was shown
	ours  bool          // this view ended the question
	over  time.Time     // when the question was first seen to have ended; zero: the question is pending
}

// seeEnd notes when the question has ended. If the view stays after that, seeEnd forgets the question.
func (h *handOff) seeEnd(now time.Time, stays bool) {
	if h.id == "" || h.last.ID == "" || h.last.At(now).Pending() {
		return
	}
	if h.over.IsZero() {
		h.over = now
	}
	if stays {
		*h = handOff{}
	}
}

// HandOff returns the id of the session that the view was opened on and ends with; empty: the view has no such session,
// or no longer.
func (h *handOff) HandOff() string { return h.id }

// HandOffEnded reports whether the session of HandOff has ended, so that the view is about to be left.
func (h *handOff) HandOffEnded() bool { return !h.over.IsZero() }

// HandOffLast returns the last known state of the session of HandOff.
func (h *handOff) HandOffLast() queue.Session { return h.last }

// followSession passes the newest state of a session to the parts of the view.
func (s *View) followSession(now queue.Session) {
	s.questions.followSession(now)
	if now.ID == s.handOff.id {
		s.handOff.last, s.handOff.ours = now, s.handOff.ours || s.EndedBy(now)
	}
}

// followHandOff notes whether the question that the view was opened on has ended, and shows it before any other. It
// returns false if that question is not in the queue: then no question is shown yet.
func (s *View) followHandOff(now time.Time) bool {
	if s.handOff.seeEnd(now, s.d.o.Stay); s.showHandOff() {
		return true
	}
	s.endHandOff(now)
	return false
}

// showHandOff shows the question that the view was opened on, before any other. It returns false if that question is
// not in the queue.
func (s *View) showHandOff() bool {
	if s.handOff.id == "" || s.handOff.shown {
		return true
	}
	if _, held := s.d.ruling.postponed[s.handOff.id]; held { // until the rules were looked up
		return false
	}
	if _, live := s.d.live.sessions[s.handOff.id]; !live {
		if s.d.o.Visit != "" && s.d.live.loaded { // it ended just before the tmux popup for it opened
			s.handOff = handOff{}
			return true
		}
		return false
	}
	s.handOff.shown = true
	s.Show(s.handOff.id)
	s.CameUp()
	return true
}

// endHandOff sends Finished if the view may be closed: the person has answered its question, or the question ended some
// time ago and nobody is typing. A tmux popup continues with the next open question.
func (s *View) endHandOff(now time.Time) {
	if !s.HandOffEnded() || s.d.outbox.Len() > 0 || len(s.Batch.list) > 0 && s.Batch.keeps() {
		return
	}
	if s.handOff.ours || !now.Before(s.leaveTime()) && !s.keepsText() && !s.hidesLoss() {
		if next := s.nextVisit(now); next != "" {
			s.handOff = handOff{id: next}
			s.showHandOff()
			return
		}
		s.d.tell(Finished{})
	}
}

// ClosesWith reports whether the view is left once the person has answered this question.
func (s *View) ClosesWith(id string) bool {
	return !s.d.Stays() && id == s.handOff.id && s.nextVisit(s.d.Now()) == ""
}

// nextVisit returns the open question with which a tmux popup continues; empty: there is none, or this is no popup.
func (s *View) nextVisit(now time.Time) string {
	if s.d.o.Visit == "" {
		return ""
	}
	for _, w := range s.d.live.waiting {
		if w.Standing == queue.StandingOpen && w.ID != s.handOff.id && w.At(now).Pending() {
			return w.ID
		}
	}
	return ""
}

// leaveTime returns when the view is left automatically, unless a text is being typed.
func (s *View) leaveTime() time.Time {
	if s.d.o.Alone {
		return s.handOff.over
	}
	from := s.lastKey
	if s.handOff.over.After(from) {
		from = s.handOff.over
	}
	return from.Add(leaveAfter)
}

// keepsText reports whether the view must stay for the sake of a text: one is being typed, or the form of the view's
// question contains the person's own words. Those were not sent, and the person may want to copy them.
func (s *View) keepsText() bool { return s.types() || s.typedHere(s.FormOf(s.handOff.id)) }

// FinishEnded sends Finished if the question that the view was opened on has ended.
func (s *View) FinishEnded() {
	if s.HandOffEnded() {
		s.d.tell(Finished{})
	}
}
