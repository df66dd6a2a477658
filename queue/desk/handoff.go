package desk

import (
	"time"

	"github.com/choicetui/choicetui/queue"
)

// leaveAfter is the time without a key after which a seat is left automatically, once the question that it was opened
// on has ended without its person.
const leaveAfter = 2 * time.Second

// handOff is the question that a seat was opened on, as the seat sees it. It says when the seat is left.
type handOff struct {
	id    string        // empty: none, or the seat stays now that it has ended
	last  queue.Session // as last seen; the zero Session: not yet
	shown bool          // it was brought up
	ours  bool          // this seat ended it
	over  time.Time     // since when it is seen to have ended; zero: it waits
}

// follow takes over the newest state of a session; ours: this seat has ended it.
func (h *handOff) follow(now queue.Session, ours bool) {
	if h.id != "" && now.ID == h.id {
		h.last, h.ours = now, h.ours || ours
	}
}

// see notes that the question has ended, and has the seat forget it if that stays then.
func (h *handOff) see(now time.Time, stays bool) {
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

// HandOff returns the session that the seat was opened on and ends with; empty: there is none, or no longer.
func (h *handOff) HandOff() string { return h.id }

// HandOffEnded reports whether that session has ended, and the seat is about to be left.
func (h *handOff) HandOffEnded() bool { return !h.over.IsZero() }

// HandOffLast returns the last known state of that session.
func (h *handOff) HandOffLast() queue.Session { return h.last }

// follow takes over the newest state of a session.
func (s *Seat) follow(now queue.Session) {
	s.view.follow(now)
	s.handOff.follow(now, s.EndedBy(now))
}

// showHandOff brings the question up that the seat was opened on, before any other; false: it is not there.
func (s *Seat) showHandOff() bool {
	if s.handOff.id == "" || s.handOff.shown {
		return true
	}
	if _, live := s.d.live.sessions[s.handOff.id]; !live {
		return false
	}
	s.handOff.shown = true
	s.Show(s.handOff.id)
	s.CameUp()
	return true
}

// endHandOff tells that the seat has no reason to stay: its question has ended, by what its person sent, or some time
// ago and nobody is at it.
func (s *Seat) endHandOff(now time.Time) {
	if !s.HandOffEnded() || s.d.outbox.Len() > 0 {
		return
	}
	if s.handOff.ours || !now.Before(s.leaves()) && !s.typing() && !s.hidesLoss() {
		s.d.tell(Finished{s})
	}
}

// leaves returns when the seat is left automatically, if nothing is typed there.
func (s *Seat) leaves() time.Time {
	if s.d.o.Alone {
		return s.handOff.over
	}
	from := s.lastKey
	if s.handOff.over.After(from) {
		from = s.handOff.over
	}
	return from.Add(leaveAfter)
}

// typing reports whether a text is being typed, or the form of the question that the seat was opened on has one of the
// person's own: it was not sent, and the person may want to copy it.
func (s *Seat) typing() bool { return s.types() || s.typedHere(s.FormOf(s.handOff.id)) }

// LeaveEnded leaves the seat if the question that it was opened on has ended.
func (s *Seat) LeaveEnded() {
	if s.HandOffEnded() {
		s.d.tell(Finished{s})
	}
}
