// Package codexwatch answers here what sessions of Codex ask, over the control socket of the app-server that serves
// them all. It is one more client beside Codex's own screens: a request is drawn on both, and the first answer counts.
//
//	Watcher.Run ─► link (one connection) ── thread/resume ─► requests ─► native.Codex ─► opening ─► native.Intake
//	                 ▲                                                                     │
//	                 └──────────────── response ◄──────────────────────────────────────────┘
//
// A question belongs to its source and not to the connection: the app-server asks it again once the connection is
// back. Nothing of Codex's is configured for it, and nothing is left behind there.
package codexwatch

import (
	"context"
	"sync"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/native"
	"github.com/choicetui/choicetui/mcpbridge/native/codex"
)

const (
	// retryEvery is the interval at which a missing socket is tried, and at which the open sessions are looked up.
	retryEvery = 5 * time.Second
	// lostAfter is the time for which a question outlives its connection.
	lostAfter = 10 * time.Second
	// callWithin bounds one step on the socket, and the wait for Codex to say that it took a response.
	callWithin = 10 * time.Second
	// ownerWithin is the time that another watcher has to respond to what it asked.
	ownerWithin = 2 * time.Second
	// mostOpen bounds what is asked at a time; the rest stays with Codex.
	mostOpen = 100
	// firstLine is above the ids of all other requests; nobody waits for the response to a line.
	firstLine = 1_000_000
)

// Watcher watches the sessions of one Codex home.
type Watcher struct {
	Home   string
	Words  native.Words
	Intake func(ctx context.Context) (*native.Intake, error) // asked at the first need

	mu     sync.Mutex
	open   map[string]*opening // by source
	said   int                 // lines to sessions
	asking sync.WaitGroup

	retry, lost time.Duration // for tests; zero: as above
}

// Run watches until ctx ends. Questions that are open then end for ctx's cause, as in Intake.Await. While there is no
// socket, Run keeps looking for one.
func (w *Watcher) Run(ctx context.Context) {
	w.open = map[string]*opening{}
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
	conn, err := codex.DialOwn(dial, codex.SocketIn(w.Home))
	if err != nil {
		return // no app-server, or none of ours
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
		case <-looks.C:
			l.listThreads(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// receiveMessages returns the messages of a connection until its end.
func receiveMessages(ctx context.Context, conn *codex.Conn) <-chan codex.Message {
	messages := make(chan codex.Message)
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
