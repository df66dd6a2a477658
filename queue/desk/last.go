package desk

import (
	"time"

	"github.com/choicetui/choicetui/queue"
)

// Last is the last event that a frontend shows: an answer, with whether its agent has received it, or a question that
// ended without the person.
type Last struct {
	ID          string
	Session     queue.Session // the session in the state after the answer was stored
	Message     bool          // the event is a line to an agent, not an answer
	At          time.Time
	Received    bool
	Unconfirmed bool           // the agent had its own dialog open, and has not said yet whether it took the answer
	TakenBack   bool           // the person took the message back
	Unfetched   bool           // the agent never fetched the message
	Doubt       bool           // the answer or line may not have arrived
	Kept        bool           // the caller has gone; the answer is kept for it
	Lost        *queue.Session // a question that was ended elsewhere; the other fields are not set then
	TooLate     bool           // an answer from here for the question of Lost did not count
}

// noteAnswer makes an answer or a cancel from here the last event.
func (l *Last) noteAnswer(s queue.Session) {
	*l = Last{ID: s.ID, Session: s, At: s.Outcome.At}
	l.followSession(s)
}

// noteLine makes a line to an agent the last event.
func (l *Last) noteLine(s queue.Session) {
	*l = Last{ID: s.ID, Session: s, Message: true, At: s.AskedAt}
	l.followSession(s)
}

// followSession notes the newest state of the session of the last event.
func (l *Last) followSession(s queue.Session) {
	if s.ID != l.ID {
		return
	}
	if _, untaken := s.Untaken(); untaken {
		l.noteTooLate(s)
		return
	}
	l.Unconfirmed = s.Unconfirmed()
	if e, ok := s.Last(queue.EventCollected); ok {
		_, l.Received = s.Received()
		l.Doubt, l.At = !l.Received, e.At
	}
	if !s.IsMessage() || s.Outcome == nil {
		return
	}
	switch o := *s.Outcome; {
	case o.Surface == queue.SurfaceMCP && o.InDoubt():
		l.Doubt = true
	case o.Status == queue.StatusDelivered && o.Surface == queue.SurfaceMCP:
		l.Received, l.At = true, o.At
	case o.Status == queue.StatusCancelled, o.Status == queue.StatusLost:
		l.TakenBack = true
	case o.Status == queue.StatusTimeout:
		l.Unfetched = true
	}
}

// noteLoss makes a question that was ended elsewhere the last event, unless the present one is newer.
func (l *Last) noteLoss(s queue.Session) {
	if s.Outcome.At.After(l.At) {
		*l = Last{Lost: &s, At: s.Outcome.At}
	}
}

// noteTooLate makes a question the last event if the answer from here did not count, because the question had ended
// before. It replaces any other event, because the person believes that the answer was sent.
func (l *Last) noteTooLate(s queue.Session) { *l = Last{Lost: &s, TooLate: true, At: s.Outcome.At} }

// noteCaller notes whether the caller of the last answer is still there to receive it.
func (l *Last) noteCaller(live *live) {
	if s, ok := live.sessions[l.ID]; ok {
		l.Kept = !s.IsMessage() && !s.EndsWithCall() && s.Gone(live.Alive)
	}
}
