// Package watch puts the requests of all Codex sessions into the queue, over the control socket of the app-server
// that serves them. To the server it is one more client beside Codex's own screens: a request is shown on both, and the
// first answer counts.
//
//	Watcher.Run ─► link (one connection) ── thread/resume ─► requests ─► prompt.Codex ─► openRequest ─► prompt.Intake
//	                 ▲                                                                     │
//	                 └──────────────── response ◄──────────────────────────────────────────┘
//
// A question is kept when the connection breaks: the app-server sends the request again over the next connection, and
// the same source finds the same question. Codex needs no configuration for this.
package codex

import (
	"context"
	"sync"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/agents/codex/socket"
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
)

const (
	// retryEvery is the interval between two tries to connect, and between two listings of the open sessions.
	retryEvery = 5 * time.Second
	// lostAfter is the time for which a question is kept after its connection broke.
	lostAfter = 10 * time.Second
	// callWithin limits one step on the socket, and the wait for Codex to confirm a response.
	callWithin = 10 * time.Second
	// ownerWithin is the time that another watcher has to respond to a question that it owns.
	ownerWithin = 2 * time.Second
	// mostOpen limits the requests that are open here at a time. More are left to Codex.
	mostOpen = 1000
	// lineIDBase is the number above which the requests that carry the person's lines have their ids. It is higher than
	// the ids of all requests whose responses are awaited.
	lineIDBase = 1_000_000
)

// Watcher watches the sessions of one Codex home.
type Watcher struct {
	Home   string
	Intake func(ctx context.Context) (*prompt.Intake, error) // called at each question

	mu     sync.Mutex
	open   map[string]*openRequest // the requests that Codex has open, by their source
	said   int                     // the number of lines that were sent to sessions
	asking sync.WaitGroup

	retry, lost time.Duration // retryEvery and lostAfter, which tests shorten
}

// Run watches until ctx ends. The questions that are open then end with the cause of ctx, as in Intake.Await. While
// there is no socket, Run looks for one.
func (w *Watcher) Run(ctx context.Context) {
	w.open = map[string]*openRequest{}
	if w.retry == 0 {
		w.retry, w.lost = retryEvery, lostAfter
	}
	for ctx.Err() == nil {
		next := time.NewTimer(w.retry)
		w.serveConnection(ctx)
		select {
		case <-next.C:
		case <-ctx.Done():
		}
		next.Stop()
	}
	w.endAll(context.Cause(ctx))
	w.asking.Wait()
}

// serveConnection serves one connection until it ends.
func (w *Watcher) serveConnection(ctx context.Context) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	dial, cancel := context.WithTimeout(ctx, callWithin)
	defer cancel()
	conn, err := socket.DialOwn(dial, socket.In(w.Home))
	if err != nil {
		return // there is no app-server of this user
	}
	defer conn.Close()
	defer w.loseConnection(conn)
	l := newLink(w, conn)
	l.listThreads(ctx)
	messages := receiveMessages(ctx, conn)
	looks := time.NewTicker(w.retry)
	defer looks.Stop()
	for {
		select {
		case m, ok := <-messages:
			if !ok {
				return
			}
			l.takeMessage(ctx, m)
		case m := <-l.late:
			l.takeLate(ctx, m)
		case <-looks.C:
			l.listThreads(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// receiveMessages returns a channel with the messages of a connection. It is closed when the connection ends.
func receiveMessages(ctx context.Context, conn *socket.Conn) <-chan socket.Message {
	messages := make(chan socket.Message)
	go func() {
		defer close(messages)
		for {
			m, err := conn.Next(ctx)
			if err != nil {
				return
			}
			select {
			case messages <- m:
			case <-ctx.Done():
				return
			}
		}
	}()
	return messages
}
