package call

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/choicetui/choicetui/queue"
)

// ErrClosed ends a call whose connection is gone. The question is not withdrawn.
var ErrClosed = errors.New("connection closed")

// Withdrawn ends a call because the client cancelled it.
type Withdrawn struct{ Reason string }

func (w *Withdrawn) Error() string { return "cancelled by the client: " + w.Reason }

// note returns the reason, cut to the length that the queue allows.
func (w *Withdrawn) note() string { return queue.Shorten(w.Reason, queue.MaxNote, "") }

// timedOut reports whether the client merely lost patience. Then the question stays, and the same ask again joins it.
func (w *Withdrawn) timedOut() bool { return queue.LostPatience(w.Reason) }

// Reply carries a transport's details of one call to the call, and the call's details of its response back. Only the
// goroutine that serves the call touches it until the call is served, and only the transport afterwards.
type Reply struct {
	// ID holds the request's id as it came.
	ID json.RawMessage
	// Progress tells the client that its call is alive. It returns when the message is on its way, so that the result
	// cannot overtake it.
	Progress func(token any, value float64, message string)
	// Notify writes a notification ahead of the response; nil: there is no way for one.
	Notify func(notification any)
	// Agent and Instance name the calling agent where a transport serves many. They are empty on stdio: there
	// Options.Origin describes the one agent, and this process is its presence.
	Agent, Instance string
	// Client is the client as it introduced itself; nil: it did not.
	Client *mcp.Implementation
	// Opened is called before the call does anything in the queue; may be nil.
	Opened func(ctx context.Context, q *queue.Queue)

	session    string
	callerGone bool
	ended      func(err error)
}

// Session returns the id of the queue's session behind the call; empty: nobody was asked.
func (r *Reply) Session() string { return r.session }

// CallerGone reports whether the caller is gone, so that there is no result to write.
func (r *Reply) CallerGone() bool { return r.callerGone }

// End ends the call after its result was written (nil) or cannot be written (a *Withdrawn, ErrClosed, the error of the
// write). The transport calls it once. The session is then collected, withdrawn or given back.
func (r *Reply) End(err error) {
	if r.ended != nil {
		r.ended(err)
	}
}

// atEnd registers a function for End. Functions run in the reverse order of their registration.
func (r *Reply) atEnd(do func(err error)) {
	before := r.ended
	r.ended = func(err error) {
		do(err)
		if before != nil {
			before(err)
		}
	}
}
