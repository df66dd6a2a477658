package desk

import (
	"context"
	"errors"
	"maps"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// ErrUnconfirmed says that a line was left on its way, so nobody knows whether it was sent.
var ErrUnconfirmed = errors.New("unconfirmed line")

// unkept says that a message may be in the queue, or may come to be: it is the one that is to be stored again.
type unkept struct {
	message queue.Session
	err     error
}

func (u *unkept) Error() string { return u.err.Error() }

// Unwrap returns the error of the attempt to store it.
func (u *unkept) Unwrap() error { return u.err }

// outgoingLines are the lines that were sent and that the queue did not confirm. A line stays the same message for as
// long as its text is the same, so that it never reaches its agent twice.
//
//	Send ─► going ─┬ confirmed ─► LineSent
//	          ▲    └ not ─► again after RetryIn, unless it was left or chat is closed; then it is kept as it is:
//	          └── Send of the same text        the watch may find that the queue has it after all
type outgoingLines struct {
	chat   *Chat
	going  *line            // on its way, or to be tried again; nil: none
	unsure map[string]*line // those that may be in the queue, by session
}

// TryingAgain reports whether the line on its way was tried before, and not confirmed.
func (o *outgoingLines) TryingAgain() bool { return o.going != nil && o.going.message.ID != "" }

// start sends a line, or one that was not confirmed and says the same once more.
func (o *outgoingLines) start(l *line) {
	for _, tried := range o.unsure {
		if tried.agent == l.agent && tried.text == l.text {
			l = tried
		}
	}
	l.left = false
	o.going, o.chat.busy = l, l.text
	o.try()
}

// try sends the line that is on its way, beside the owner.
func (o *outgoingLines) try() {
	l := o.going
	l.again = time.Time{}
	tried := *l
	o.chat.agents.errands.run(func() {
		ctx, cancel := context.WithTimeout(context.Background(), sendWithin)
		defer cancel()
		s, err := tried.send(ctx)
		o.chat.d.Do(func() { o.chat.lineTried(l, s, err) })
	})
}

// tryLater keeps a line that was not confirmed, to be tried again.
func (o *outgoingLines) tryLater(l *line, u *unkept) {
	l.message, l.again = u.message, o.chat.d.Now().Add(RetryIn)
	o.unsure[l.message.ID] = l
	if l.left {
		o.rest()
		o.chat.d.tell(LineSent{Seat: o.chat.seat, Err: ErrUnconfirmed})
	}
}

// leave has the line that is on its way not be tried again.
func (o *outgoingLines) leave() {
	if o.going == nil {
		return
	}
	if o.going.left = true; !o.going.again.IsZero() {
		o.rest()
	}
}

// rest ends a line's way without knowing whether it arrived, unless the watch has seen it.
func (o *outgoingLines) rest() {
	id := o.going.message.ID
	o.going, o.chat.busy = nil, ""
	if s, ok := o.chat.d.Session(id); ok {
		o.find(s)
	}
}

// done ends a line's way for good.
func (o *outgoingLines) done(l *line) {
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

// retryDue tries the due line again. While chat is closed it gives up instead, so that no line is sent when chat opens.
func (o *outgoingLines) retryDue(now time.Time) {
	due := o.nextTry()
	if due.IsZero() || now.Before(due) {
		return
	}
	if closing, _ := o.chat.d.Closing(); closing > 0 {
		o.leave()
		return
	}
	o.try()
}

// find takes over that a line which is not tried again is in the queue after all. Its agent fetches it, so it counts as
// sent; one that we were to give to its agent is taken out instead.
func (o *outgoingLines) find(s queue.Session) {
	l := o.unsure[s.ID]
	if l == nil || l == o.going {
		return
	}
	ours := l.message.Claim != nil && s.Claim != nil && *s.Claim == *l.message.Claim
	switch {
	case s.Outcome == nil && ours:
		o.chat.d.command(s.ID, queue.Command{By: queue.ByHuman, Surface: o.chat.seat.surface, Do: queue.Cancel{}}, nil)
	case s.Outcome != nil && s.Outcome.Status != queue.StatusDelivered:
		o.done(l)
	default:
		o.done(l)
		o.chat.takeOutText(l.agent, l.text)
		o.chat.d.last.said(s)
	}
}
