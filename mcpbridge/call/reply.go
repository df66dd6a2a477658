package call

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/choicetui/choicetui/queue"
)

// ErrClosed ends a call because its connection is gone: nobody withdrew the question.
var ErrClosed = errors.New("connection closed")

// Withdrawn ends a call because the client cancelled it.
type Withdrawn struct{ Reason string }

func (w *Withdrawn) Error() string { return "cancelled by the client: " + w.Reason }

// note returns the reason as the queue takes it.
func (w *Withdrawn) note() string { return queue.Shorten(w.Reason, queue.MaxNote, "") }

// timedOut reports whether the client merely lost patience: then the question stays, and the same ask again takes it
// over.
func (w *Withdrawn) timedOut() bool { return queue.LostPatience(w.Reason) }

// Reply carries a transport's details of one call to the call, and the call's details of its response back. Only the
// goroutine that serves the call touches it until the call is served, and only the transport afterwards.
type Reply struct {
	// ID is the request's, as it came.
	ID json.RawMessage
	// Progress tells the client that its call is alive. It returns when the message is on its way, so that the result
	// cannot overtake it.
	Progress func(token any, value float64, message string)
	// Agent and Instance are the call's own where a transport serves many agents. Empty on stdio: there Options.Origin
	// knows the one agent, and this process is its presence.
	Agent, Instance string
	// Opened is told before anything is done in the queue; nil: nobody wants to know.
	Opened func(ctx context.Context, q *queue.Queue)

	session string
	unsaid  bool
	ended   func(err error)
}

// Session returns the id of the queue's session behind the call; empty: nobody was asked.
func (r *Reply) Session() string { return r.session }

// Unsaid reports whether the caller is gone, so that there is no result to write.
func (r *Reply) Unsaid() bool { return r.unsaid }

// End says what became of the result: it was written (nil), or it never will be (a *Withdrawn, ErrClosed, the error of
// the write). The transport calls it once; the session is then collected, withdrawn or given back.
func (r *Reply) End(err error) {
	if r.ended != nil {
		r.ended(err)
	}
}

// atEnd has something done when the call ends, before what is done already.
func (r *Reply) atEnd(do func(err error)) {
	before := r.ended
	r.ended = func(err error) {
		do(err)
		if before != nil {
			before(err)
		}
	}
}

type replyKey struct{}

// WithReply returns the context in which the library has to serve the call.
func WithReply(ctx context.Context, r *Reply) context.Context {
	return context.WithValue(ctx, replyKey{}, r)
}

func replyFrom(ctx context.Context) *Reply {
	r, _ := ctx.Value(replyKey{}).(*Reply)
	if r == nil {
		return &Reply{Progress: func(any, float64, string) {}}
	}
	return r
}
