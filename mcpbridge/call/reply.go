package call

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/choicetui/choicetui/queue"
)

// ErrClosed ends a call whose connection is gone. Its question is not withdrawn.
var ErrClosed = errors.New("connection closed")

// Withdrawn ends a call that the client cancelled.
type Withdrawn struct{ Reason string }

func (w *Withdrawn) Error() string { return "cancelled by the client: " + w.Reason }

// note returns the client's reason, cut to the length that the queue allows.
func (w *Withdrawn) note() string { return queue.Shorten(w.Reason, queue.MaxNote, "") }

// timedOut reports whether the client cancelled only because its own time limit was over. Then the question stays, and
// the same ask joins it.
func (w *Withdrawn) timedOut() bool { return queue.LostPatience(w.Reason) }

// Reply connects a transport and one call. The exported fields are set before the call. Only the goroutine that serves
// the call uses a Reply until the call has its result, and only the transport after that.
type Reply struct {
	// ID is the id of the request as it was received.
	ID json.RawMessage
	// Progress tells the client that its call is alive. It returns when the message cannot be overtaken by the result.
	Progress func(token any, value float64, message string)
	// Notify writes a notification ahead of the response; nil: the transport cannot.
	Notify func(notification any)
	// Agent and Instance name the calling agent if the transport serves many. They are empty on stdio: there
	// Options.Origin describes the one agent, and the agent runs as long as this process.
	Agent, Instance string
	// Client is the name and version with which the client introduced itself; nil: it did not.
	Client *mcp.Implementation
	// Opened is called before the call uses the queue. It may be nil.
	Opened func(ctx context.Context, q *queue.Queue)

	session    string
	callerGone bool
	ended      func(err error)
}

// Session returns the id of the call's session in the queue; empty: nobody was asked.
func (r *Reply) Session() string { return r.session }

// CallerGone reports whether the caller is gone, so that no result is written.
func (r *Reply) CallerGone() bool { return r.callerGone }

// End ends the call. The transport calls it once, with nil after the result was written, or with the reason why it
// cannot be: a *Withdrawn, ErrClosed, or the error of the write. The session is then collected, withdrawn or released.
func (r *Reply) End(err error) {
	if r.ended != nil {
		r.ended(err)
	}
}

// atEnd registers a function that End calls. Functions run in the reverse order of their registration.
func (r *Reply) atEnd(do func(err error)) {
	before := r.ended
	r.ended = func(err error) {
		do(err)
		if before != nil {
			before(err)
		}
	}
}
