// Package stdio speaks MCP over newline-delimited JSON with the one client at the other end of two pipes.
//
// It replaces the library's own loop, which has 5 workers, answers pings behind blocked calls and loses cancels that
// arrive right behind their call.
//
//	in ─ lines ─► loop ─┬ request ─► rpc.Calls ─► go serve ─► HandleMessage ─► off the books ─► out ─► Call.End
//	                    └ cancelled ─► rpc.Calls: the call's context ends, nothing is written
package stdio

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/mcpbridge/rpc"
)

// loop serves the one connection.
type loop struct {
	srv    *server.MCPServer
	client *rpc.Session
	out    *output
	calls  *rpc.Calls
}

type line struct {
	raw []byte
	err error
}

// Serve answers a client until in ends (nil), fails (its error) or ctx is done (its cause). out is the protocol's
// alone. The goroutine that reads in may outlive it when ctx ends first: a read on a terminal or pipe cannot be broken
// off.
func Serve(ctx context.Context, srv *server.MCPServer, in io.Reader, out io.Writer) error {
	l := &loop{srv: srv, client: rpc.NewSession("stdio"), out: &output{w: out}, calls: rpc.NewCalls(srv)}
	defer l.calls.Close()
	done := make(chan struct{})
	defer close(done)
	go l.forward(done)
	arrived := make(chan line)
	go read(newLines(in, rpc.MaxMessage), arrived, done)
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case ln := <-arrived:
			var big *oversized
			switch {
			case errors.As(ln.err, &big):
				l.out.write(rpc.Refuse(big.id(), mcp.INVALID_REQUEST, big.Error()))
			case errors.Is(ln.err, io.EOF):
				return nil
			case ln.err != nil:
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

// forward writes the library's own notifications until done.
func (l *loop) forward(done <-chan struct{}) {
	for {
		select {
		case n := <-l.client.ClientNotifications():
			l.out.write(n)
		case <-done:
			return
		}
	}
}

// take dispatches one message. initialize is served before the next line is read: what follows depends on it.
func (l *loop) take(ctx context.Context, raw []byte) {
	m, refusal := rpc.Parse(raw)
	switch {
	case refusal != nil:
		l.out.write(refusal)
	case m.IsResponse():
	case m.IsNotification() && m.Is(string(mcp.MethodNotificationCancelled)):
		if key, reason, ok := m.Cancelled(); ok {
			l.calls.Withdraw(key, &call.Withdrawn{Reason: reason})
		}
	case m.IsNotification():
		l.srv.HandleMessage(l.srv.WithContext(ctx, l.client), raw)
	default:
		l.start(ctx, m, raw)
	}
}

func (l *loop) start(ctx context.Context, m rpc.Message, raw []byte) {
	key, _ := rpc.Key(m.ID)
	c, err := l.calls.Start(ctx, l.client, key, &call.Reply{ID: m.ID, Progress: l.progress})
	switch {
	case err != nil:
		l.out.write(rpc.Refuse(m.ID, mcp.INVALID_REQUEST, err.Error()))
	case m.Is(string(mcp.MethodInitialize)):
		l.serve(c, raw)
	default:
		go l.serve(c, raw)
	}
}

func (l *loop) serve(c *rpc.Call, raw []byte) {
	response := c.Serve(raw)
	err := c.Finish()
	if err == nil {
		err = l.out.write(response)
	}
	c.End(err)
}

// progress is written at once by the goroutine that will write the result, so it cannot come after it.
func (l *loop) progress(token any, value float64, words string) {
	l.out.write(rpc.Progress(token, value, words))
}

// output writes one message a line; many goroutines may use it.
type output struct {
	mu sync.Mutex
	w  io.Writer
}

func (o *output) write(v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	raw = append(raw, '\n')
	o.mu.Lock()
	defer o.mu.Unlock()
	_, err = o.w.Write(raw)
	return err
}
