package desk

import (
	"time"

	"github.com/choicetui/choicetui/queue"
)

// Last holds the last event that a face shows: an answer and whether its agent has it, or a question that ended without
// the person.
type Last struct {
	ID          string
	Session     queue.Session // as it was sent
	Message     bool          // a line to an agent, not an answer
	At          time.Time
	Received    bool
	Unconfirmed bool           // the agent had its own dialog open, and has not said yet whether it took the answer
	TakenBack   bool           // a message that the person took back
	Unfetched   bool           // a message that its agent never fetched
	Doubt       bool           // it may not have arrived
	Kept        bool           // nobody waits for the answer now; it is kept
	Lost        *queue.Session // a question that ended otherwise than from here, in place of all else
	TooLate     bool           // of Lost: something was sent from here, and did not count
}

// sent makes an answer or a cancel the last event.
func (l *Last) sent(s queue.Session) {
	*l = Last{ID: s.ID, Session: s, At: s.Outcome.At}
	l.follow(s)
}

// said makes a line to an agent the last event.
func (l *Last) said(s queue.Session) {
	*l = Last{ID: s.ID, Session: s, Message: true, At: s.AskedAt}
	l.follow(s)
}

// follow notes the newest state of the session of the last event.
func (l *Last) follow(s queue.Session) {
	if s.ID != l.ID {
		return
	}
	if _, untaken := s.Untaken(); untaken {
		l.overtake(s)
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

// lose makes a question that ended otherwise than from here the last event.
func (l *Last) lose(s queue.Session) {
	if s.Outcome.At.After(l.At) {
		*l = Last{Lost: &s, At: s.Outcome.At}
	}
}

// overtake makes a question the last event for which something was sent that did not count. It is said whatever came
// before, since the person believes it sent.
func (l *Last) overtake(s queue.Session) { *l = Last{Lost: &s, TooLate: true, At: s.Outcome.At} }

// noteCaller notes whether the caller of what was answered last is there to receive it.
func (l *Last) noteCaller(live *live) {
	if s, ok := live.sessions[l.ID]; ok {
		l.Kept = !s.IsMessage() && !s.Bound() && s.Gone(live.Alive)
	}
}
