package mcpbridge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// closeWithin bounds how long the loop waits at its end for calls to give their claims back.
const closeWithin = 2 * time.Second

// loop is the stdio transport, instead of mcp-go's (5 workers, pings stuck behind blocked calls, cancels lost that
// arrive right behind their call). A call is on the books before the next line is read, so no cancel can miss it.
//
//	In ─ lines ─► take ─┬ request ─► books ─► go serve ─► HandleMessage ─► off the books ─► Out ─► reply.after
//	                    └ cancelled ─► books: ctx ends, nothing is written
type loop struct {
	srv    *server.MCPServer
	client *client
	out    *output
	mu     sync.Mutex
	calls  map[string]*call
	busy   sync.WaitGroup
}

// message is the part of a JSON-RPC message the loop looks at.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method *string         `json:"method"`
	Params json.RawMessage `json:"params"`
}

type line struct {
	raw []byte
	err error
}

// run serves until in ends (nil), fails (its error) or ctx is done (its cause). The goroutine that reads in may
// outlive it when ctx ends first: a read on a terminal or pipe cannot be broken off.
func (l *loop) run(ctx context.Context, in io.Reader) error {
	done := make(chan struct{})
	defer close(done)
	go l.client.forward(done)
	arrived := make(chan line)
	go read(newLines(in, maxLine), arrived, done)
	for {
		select {
		case <-ctx.Done():
			l.close()
			return context.Cause(ctx)
		case ln := <-arrived:
			var big *oversized
			switch {
			case errors.As(ln.err, &big):
				l.out.write(refusal(big.id(), mcp.INVALID_REQUEST, big.Error()))
			case errors.Is(ln.err, io.EOF):
				l.close()
				return nil
			case ln.err != nil:
				l.close()
				return ln.err
			case len(ln.raw) > 0:
				l.take(ctx, ln.raw)
			}
		}
	}
}

func read(in *lines, arrived chan<- line, done <-chan struct{}) {
	for {
		raw, err := in.next()
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

// take dispatches one message. initialize is served before the next line is read: what follows depends on it.
func (l *loop) take(ctx context.Context, raw []byte) {
	null := json.RawMessage("null")
	var m message
	if !json.Valid(raw) {
		l.out.write(refusal(null, mcp.PARSE_ERROR, "message is not valid JSON"))
		return
	}
	if raw[0] == '[' {
		l.out.write(refusal(null, mcp.INVALID_REQUEST, "batches are not supported: send one message a line"))
		return
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		l.out.write(refusal(null, mcp.INVALID_REQUEST, "message is no JSON-RPC request"))
		return
	}
	key, ok := idKey(m.ID)
	switch {
	case m.Method == nil && len(m.ID) > 0:
		// A response to a request of ours; we send none that wait for it.
	case m.Method == nil:
		l.out.write(refusal(null, mcp.INVALID_REQUEST, "message has no method"))
	case len(m.ID) == 0 && *m.Method == string(mcp.MethodNotificationCancelled):
		l.withdraw(m.Params)
	case len(m.ID) == 0:
		l.srv.HandleMessage(l.context(ctx), raw)
	case !ok:
		l.out.write(refusal(null, mcp.INVALID_REQUEST, "id must be a string or a number"))
	default:
		l.start(ctx, key, m, raw)
	}
}

func (l *loop) context(ctx context.Context) context.Context { return l.srv.WithContext(ctx, l.client) }

func (l *loop) start(ctx context.Context, key string, m message, raw []byte) {
	c := &call{key: key, reply: reply{id: m.ID}}
	c.ctx, c.cancel = context.WithCancelCause(context.WithValue(l.context(ctx), replyKey{}, &c.reply))
	l.mu.Lock()
	_, taken := l.calls[key]
	if !taken {
		l.calls[key] = c
	}
	l.mu.Unlock()
	if taken {
		c.cancel(nil)
		l.out.write(refusal(m.ID, mcp.INVALID_REQUEST, "another request with this id is in flight"))
		return
	}
	l.busy.Add(1)
	if *m.Method == string(mcp.MethodInitialize) {
		l.serve(c, raw)
		return
	}
	go l.serve(c, raw)
}

// serve answers one call. Off the books first, then written: a client may use the id again as soon as it reads
// the response, and a cancel that comes later than this changes nothing any more.
func (l *loop) serve(c *call, raw []byte) {
	defer l.busy.Done()
	defer c.cancel(nil)
	response := response(c.reply.id, l.srv.HandleMessage(c.ctx, raw))
	l.mu.Lock()
	delete(l.calls, c.key)
	gone := c.withdrawn
	l.mu.Unlock()
	var err error
	switch {
	case gone != nil:
		err = gone
	case c.reply.unsaid:
		err = errClosed
	default:
		err = l.out.write(response)
	}
	if c.reply.after != nil {
		c.reply.after(err)
	}
}

// withdraw ends the call a client cancelled; nothing will be written for it.
func (l *loop) withdraw(params json.RawMessage) {
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
		Reason    any             `json:"reason"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	key, _ := idKey(p.RequestID)
	reason, _ := p.Reason.(string)
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.calls[key]; c != nil {
		c.withdrawn = &withdrawn{reason: reason}
		c.cancel(c.withdrawn)
	}
}

// close ends what waits and gives it a moment to release its claims; if that takes longer, the death of this
// process says the same.
func (l *loop) close() {
	l.mu.Lock()
	for _, c := range l.calls {
		c.cancel(errClosed)
	}
	l.mu.Unlock()
	idle := make(chan struct{})
	go func() {
		l.busy.Wait()
		close(idle)
	}()
	select {
	case <-idle:
	case <-time.After(closeWithin):
	}
}

// idKey is equal for equal ids and different for 5 and "5"; ok is false for what is no id.
func idKey(raw json.RawMessage) (key string, ok bool) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return "", false
	}
	if raw[0] == '"' {
		var s string
		err := json.Unmarshal(raw, &s)
		return "s" + s, err == nil
	}
	return "n" + string(raw), raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9'
}
