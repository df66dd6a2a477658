// Package stdio speaks MCP in newline-delimited JSON with the one client at the other end of stdin and stdout.
//
//	in ─ lines ─► loop ─┬ request ─► rpc.Calls ─► go serve ─► Call.Finish ─► out ─► Call.End
//	                    └ cancelled ─► rpc.Calls: the call's context ends, nothing is written
//
// A client is gone when its input ends, and also when nobody reads what is written to it: its questions are shown as
// gone then, although its input is still open.
//
// The requests of a batch take the same way in parallel. Their responses are written as one array after the last of
// them was served.
package stdio

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"syscall"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/mcpbridge/rpc"
)

// loop serves the one connection.
type loop struct {
	client *rpc.Peer
	out    *output
	calls  *rpc.Calls

	batches bool // initialize agreed on a protocol version that has batches
}

// line holds one line of the input, or the error of reading it.
type line struct {
	raw []byte
	err error
}

// Serve answers a client until in ends or nobody reads out any more (nil), in fails (its error), or ctx is done (its
// cause). Nothing else may write to out. If ctx ends first, the goroutine that reads in continues until its read
// returns: a read on a terminal or pipe cannot be interrupted.
func Serve(ctx context.Context, srv *rpc.Server, in io.Reader, out io.Writer) error {
	l := &loop{
		client: &rpc.Peer{ID: "stdio"}, out: &output{w: out, broken: make(chan struct{})}, calls: rpc.NewCalls(srv),
	}
	defer l.calls.Close()
	done := make(chan struct{})
	defer close(done)
	unread := watchReader(out, done)
	arrived := make(chan line)
	go readLines(newLines(in, rpc.MaxMessage), arrived, done)
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-l.out.broken:
			return nil
		case <-unread:
			return nil
		case ln := <-arrived:
			var big *oversized
			switch {
			case errors.As(ln.err, &big):
				l.out.writeMessage(rpc.Refuse(big.requestID(), mcp.INVALID_REQUEST, big.Error()))
			case errors.Is(ln.err, io.EOF):
				return nil
			case ln.err != nil:
				return ln.err
			case len(ln.raw) > 0:
				l.dispatch(ctx, ln.raw)
			}
		}
	}
}

// readLines sends the lines of the input to arrived, until the input ends or done is closed.
func readLines(in *lines, arrived chan<- line, done <-chan struct{}) {
	for {
		raw, err := in.nextLine()
		select {
		case arrived <- line{raw, err}:
		case <-done:
			return
		}
		var big *oversized
		if err != nil && !errors.As(err, &big) {
			return
		}
	}
}

// dispatch serves one line. initialize is served before the next line is read, because later messages depend on it.
func (l *loop) dispatch(ctx context.Context, raw []byte) {
	if l.batches && rpc.IsBatch(raw) {
		l.dispatchBatch(ctx, raw)
		return
	}
	m, refusal := rpc.Parse(raw)
	switch {
	case refusal != nil:
		l.out.writeMessage(refusal)
	case m.IsResponse():
	case m.IsNotification():
		l.takeNotification(m)
	default:
		c, refusal := l.startCall(ctx, m)
		switch {
		case refusal != nil:
			l.out.writeMessage(refusal)
		case m.Is(mcp.MethodInitialize):
			l.batches = l.serveCall(c, raw).TakesBatches()
		default:
			go l.serveCall(c, raw)
		}
	}
}

// dispatchBatch serves the messages of a batch. It returns before they are served.
func (l *loop) dispatchBatch(ctx context.Context, raw []byte) {
	var calls []*rpc.Call
	var parts [][]byte
	responses, refusal := rpc.TakeBatch(raw,
		func(m rpc.Message) { l.takeNotification(m) },
		func(m rpc.Message, part []byte) *rpc.Envelope {
			c, refusal := l.startCall(ctx, m)
			if refusal == nil {
				calls, parts = append(calls, c), append(parts, part)
			}
			return refusal
		})
	if refusal != nil {
		l.out.writeMessage(refusal)
		return
	}
	go l.serveBatch(calls, parts, responses)
}

// serveBatch serves calls in parallel and writes their responses after those in responses, as one array.
func (l *loop) serveBatch(calls []*rpc.Call, parts [][]byte, responses []*rpc.Envelope) {
	served, errs := make([]*rpc.Envelope, len(calls)), make([]error, len(calls))
	var all sync.WaitGroup
	for i, c := range calls {
		all.Go(func() { served[i] = c.Serve(parts[i]) })
	}
	all.Wait()
	for i, c := range calls {
		if errs[i] = c.Finish(); errs[i] == nil {
			responses = append(responses, served[i])
		}
	}
	var written error
	if len(responses) > 0 {
		written = l.out.writeMessage(responses)
	}
	for i, c := range calls {
		c.End(cmp.Or(errs[i], written))
	}
}

// takeNotification handles a notification. All but notifications/cancelled are ignored.
func (l *loop) takeNotification(m rpc.Message) {
	if !m.Is(mcp.MethodNotificationCancelled) {
		return
	}
	if key, reason, ok := m.Cancelled(); ok {
		l.calls.Withdraw(key, &call.Withdrawn{Reason: reason})
	}
}

// startCall puts a request in flight, or returns the error response.
func (l *loop) startCall(ctx context.Context, m rpc.Message) (*rpc.Call, *rpc.Envelope) {
	key, _ := rpc.Key(m.ID)
	reply := &call.Reply{ID: m.ID, Progress: l.progress, Notify: l.writeNotification}
	c, err := l.calls.Start(ctx, l.client, key, reply)
	if err != nil {
		return nil, rpc.Refuse(m.ID, mcp.INVALID_REQUEST, err.Error())
	}
	return c, nil
}

// serveCall serves a call, and writes and returns its response.
func (l *loop) serveCall(c *rpc.Call, raw []byte) *rpc.Envelope {
	response := c.Serve(raw)
	err := c.Finish()
	if err == nil {
		err = l.out.writeMessage(response)
	}
	c.End(err)
	return response
}

// progress writes a heartbeat before it returns, so that the result cannot overtake it.
func (l *loop) progress(token any, value float64, words string) {
	l.out.writeMessage(rpc.Progress(token, value, words))
}

// writeNotification writes a notification of the server.
func (l *loop) writeNotification(notification any) { l.out.writeMessage(notification) }

// output writes each message as a line. It may be used from several goroutines.
type output struct {
	mu     sync.Mutex
	w      io.Writer
	broken chan struct{} // closed once a write shows that nobody reads any more
}

// writeMessage writes a message as one line.
func (o *output) writeMessage(v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	raw = append(raw, '\n')
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, err = o.w.Write(raw); errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
		select {
		case <-o.broken:
		default:
			close(o.broken)
		}
	}
	return err
}
