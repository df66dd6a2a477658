package desk

import (
	"context"
	"errors"
	"maps"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// ErrUnconfirmed says that the person closed the composer before the queue confirmed the line, so nobody knows whether
// the line was sent.
var ErrUnconfirmed = errors.New("unconfirmed line")

// maybeStored is the error of an attempt to store a message that may have succeeded all the same. The next attempt must
// use the same message, so that the line is not stored twice.
type maybeStored struct {
	message queue.Session
	err     error
}

func (u *maybeStored) Error() string { return u.err.Error() }

// Unwrap returns the error of the attempt to store it.
func (u *maybeStored) Unwrap() error { return u.err }

// outgoingLines tracks lines that were sent and that the queue did not confirm. A line keeps its message as long as its
// text is the same, so that it never reaches its agent twice.
//
//	Send ─► going ─┬ confirmed ─► LineSent
//	          ▲    └ not ─► again after RetryIn, unless it was left or chat is closed; then it is kept as it is:
//	          └── Send of the same text        the watch may find that the queue has it after all
type outgoingLines struct {
	chat   *Chat
	going  *line            // the line that is being sent or will be tried again; nil: none
	unsure map[string]*line // by session: the lines that may be in the queue
}

// TryingAgain reports whether the line being sent was tried before and not confirmed.
func (o *outgoingLines) TryingAgain() bool { return o.going != nil && o.going.message.ID != "" }

// startLine sends a line. If an unconfirmed line to the same agent has the same text, it sends that one again.
func (o *outgoingLines) startLine(l *line) {
	for _, tried := range o.unsure {
		if tried.agent == l.agent && tried.text == l.text {
			l = tried
		}
	}
	l.left = false
	o.going, o.chat.busy = l, l.text
	o.tryLine()
}

// tryLine makes one attempt to send the current line, on a goroutine.
func (o *outgoingLines) tryLine() {
	l := o.going
	l.again = time.Time{}
	tried := *l
	o.chat.agents.errands.runErrand(func() {
		ctx, cancel := context.WithTimeout(context.Background(), sendWithin)
		defer cancel()
		s, err := tried.deliver(ctx)
		o.chat.d.Do(func() { o.chat.lineTried(l, s, err) })
	})
}

// retryLater keeps an unconfirmed line to be tried again, unless the person has left it.
func (o *outgoingLines) retryLater(l *line, u *maybeStored) {
	l.message, l.again = u.message, o.chat.d.Now().Add(RetryIn)
	o.unsure[l.message.ID] = l
	if l.left {
		o.giveLineUp()
		o.chat.d.tell(LineSent{Seat: o.chat.seat, Err: ErrUnconfirmed})
	}
}

// leaveLine marks the current line as one that is not tried again.
func (o *outgoingLines) leaveLine() {
	if o.going == nil {
		return
	}
	if o.going.left = true; !o.going.again.IsZero() {
		o.giveLineUp()
	}
}

// giveLineUp stops trying to send the current line, although it is unknown whether it arrived. If the watch has already
// reported the line, findLine handles it.
func (o *outgoingLines) giveLineUp() {
	id := o.going.message.ID
	o.going, o.chat.busy = nil, ""
	if s, ok := o.chat.d.Session(id); ok {
		o.findLine(s)
	}
}

// forgetSent forgets a line whose result is known.
func (o *outgoingLines) forgetSent(l *line) {
	if o.going == l {
		o.going, o.chat.busy = nil, ""
	}
	maps.DeleteFunc(o.unsure, func(_ string, other *line) bool { return other == l })
}

// nextTry returns when a line is to be tried again; zero: never.
func (o *outgoingLines) nextTry() time.Time {
	if o.going == nil {
		return time.Time{}
	}
	return o.going.again
}

// retryDue tries the line again if that is due. While chat is closed it gives the line up, so that no line is sent at
// the moment when chat opens.
func (o *outgoingLines) retryDue(now time.Time) {
	due := o.nextTry()
	if due.IsZero() || now.Before(due) {
		return
	}
	if closing, _ := o.chat.d.Closing(); closing > 0 {
		o.leaveLine()
		return
	}
	o.tryLine()
}

// findLine handles a line that was given up and then turns up in the queue. If its agent fetches it, it counts as sent.
// If this process was to hand it over, it is cancelled.
func (o *outgoingLines) findLine(s queue.Session) {
	l := o.unsure[s.ID]
	if l == nil || l == o.going {
		return
	}
	ours := l.message.Claim != nil && s.Claim != nil && *s.Claim == *l.message.Claim
	switch {
	case s.Outcome == nil && ours:
		o.chat.d.command(s.ID, queue.Command{By: queue.ByHuman, Surface: o.chat.seat.surface, Do: queue.Cancel{}}, nil)
	case s.Outcome != nil && s.Outcome.Status != queue.StatusDelivered:
		o.forgetSent(l)
	default:
		o.forgetSent(l)
		o.chat.takeOutText(l.agent, l.text)
		o.chat.d.last.noteLine(s)
	}
}
