package jetstream

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/choicetui/choicetui/queue"
)

const (
	connectWithin = 2 * time.Second // one server's time to take a connection
	greetWithin   = 5 * time.Second // its time to let us in then, which over a slow link takes several answers
	answerWithin  = 3 * time.Second // the server's time for one answer; whoever calls may give a call less
	reconnectWait = 200 * time.Millisecond
	toldWithin    = 100 * time.Millisecond // the library tells of a first try that failed at once
	pingEvery     = 10 * time.Second       // a connection on which two of these find no answer counts as lost
)

// link is the one connection to the server. It is made at the first call and kept for ever: where it breaks, calls fail
// at once until it is back.
type link struct {
	options     Options
	now         func() time.Time // this machine's clock
	greetWithin time.Duration    // greetWithin, shorter in tests

	mu     sync.Mutex
	nc     *nats.Conn // nil: not tried yet
	js     jetstream.JetStream
	up     chan struct{} // closed while there is a connection
	down   chan struct{} // closed while there is no connection
	whenUp func()        // called, in its own time, whenever a connection came about
	closed bool

	tried    chan struct{}          // holds one thing once it is known how the first try to connect ended
	why      atomic.Pointer[error]  // why there is no connection; nil: it is up, or the reason is not known
	refused  refusal                // the last one that nobody waited for
	refusals map[*refusalWatch]bool // who waits for one
}

func newLink(o Options) (*link, error) {
	o, err := o.check()
	if err != nil {
		return nil, fmt.Errorf("failed to open the queue: %w", err)
	}
	if _, err := login(o); err != nil {
		return nil, fmt.Errorf("failed to open the queue: %w", err)
	}
	down := make(chan struct{})
	close(down)
	return &link{options: o, now: time.Now, greetWithin: greetWithin, up: make(chan struct{}), down: down,
		tried: make(chan struct{}, 1), refusals: map[*refusalWatch]bool{}}, nil
}

// connect makes the connection at the first call. A server that is not there is no error here: it is tried again for
// as long as the process runs, and each call says that it is not there.
func (l *link) connect() (*nats.Conn, jetstream.JetStream, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, nil, fmt.Errorf("%w: it was closed", queue.ErrUnreachable)
	}
	if l.nc != nil {
		return l.nc, l.js, nil
	}
	options, err := l.dialling()
	if err != nil {
		return nil, nil, err
	}
	nc, err := nats.Connect(l.options.URL, options...)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", queue.ErrUnreachable, err)
	}
	js, err := jetstream.New(nc, jetstream.WithDefaultTimeout(answerWithin))
	if err != nil {
		nc.Close()
		return nil, nil, fmt.Errorf("failed to speak to the queue's server: %w", err)
	}
	l.nc, l.js = nc, js
	if nc.IsConnected() { // its handler may come later than the first call
		l.setUp()
		return nc, js, nil
	}
	select { // the library forgets why that was before it tries again, and tells it meanwhile
	case <-l.tried:
	case <-time.After(toldWithin):
	}
	return nc, js, nil
}

// login returns the options by which both sides know each other: the credentials, and the authority that vouches for
// the server's certificate.
func login(o Options) (options []nats.Option, err error) {
	if o.Credentials != "" {
		mine, err := credentialsFile(o.Credentials).options()
		if err != nil {
			return nil, err
		}
		options = append(options, mine)
	}
	if o.Authority != "" {
		its, err := trust(o.Authority)
		if err != nil {
			return nil, err
		}
		options = append(options, its)
	}
	return options, nil
}

// dialling returns the options by which the connection is made and kept, and its changes are reported.
func (l *link) dialling() ([]nats.Option, error) {
	options, err := login(l.options)
	if err != nil {
		return nil, err
	}
	return append(options,
		nats.Name("choicetui"), nats.SetCustomDialer(l), nats.Timeout(l.greetWithin),
		nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1),
		nats.ReconnectBufSize(-1), nats.ReconnectWait(reconnectWait), nats.IgnoreAuthErrorAbort(),
		nats.PingInterval(pingEvery), nats.MaxPingsOutstanding(2),
		nats.ConnectHandler(l.noteUp), nats.ReconnectHandler(l.noteUp),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			l.noteWhy(err)
			l.noteDown()
		}),
		nats.ReconnectErrHandler(func(_ *nats.Conn, err error) {
			l.noteWhy(err)
			select {
			case l.tried <- struct{}{}:
			default:
			}
		}),
		nats.ErrorHandler(l.noteRefusal), // without one the library writes to the terminal
		nats.CustomInboxPrefix(credentialsFile(l.options.Credentials).inbox()),
	), nil
}

// noteUp notes that there is a connection. The library calls it, never while connect holds the lock for long.
func (l *link) noteUp(*nats.Conn) {
	l.mu.Lock()
	l.setUp()
	l.mu.Unlock()
	go l.whenUp()
}

// setUp opens the way for those who wait for a connection. The caller holds the lock.
func (l *link) setUp() {
	l.why.Store(nil)
	select {
	case <-l.up:
	default:
		close(l.up)
		l.down = make(chan struct{})
	}
}

func (l *link) noteDown() {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-l.down:
	default:
		close(l.down)
		l.up = make(chan struct{})
	}
}

// lost returns a channel that closes once the present connection is gone.
func (l *link) lost() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.down
}

// back returns a channel that closes once there is a connection.
func (l *link) back() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.up
}

func (l *link) close() {
	l.mu.Lock()
	l.closed = true
	nc := l.nc
	l.mu.Unlock()
	if nc != nil {
		nc.Close()
	}
}

// call serves one request of the store to the server, in as many steps as it takes, with its connection.
type call struct {
	context.Context
	cancel context.CancelFunc
	caller context.Context
	conn   *nats.Conn
	js     jetstream.JetStream
	link   *link
	began  time.Time
}

// begin starts a call. It fails at once where ctx has ended or there is no connection.
func (l *link) begin(ctx context.Context) (*call, error) {
	if err := ended(ctx); err != nil {
		return nil, err
	}
	nc, js, err := l.connect()
	if err != nil {
		return nil, err
	}
	if !nc.IsConnected() {
		return nil, l.whyDown(nc)
	}
	c := &call{caller: ctx, conn: nc, js: js, link: l, began: time.Now()}
	c.Context, c.cancel = context.WithCancel(answerByAnswer{ctx})
	return c, nil
}

// answerByAnswer is a caller's context for a call of several questions. It ends when the caller's does, and names no
// time: then the library gives each answer its own, and a slow link is not taken for a server that says nothing.
type answerByAnswer struct{ context.Context }

func (answerByAnswer) Deadline() (time.Time, bool) { return time.Time{}, false }

// late says that the time of whoever asked was over before the server had answered.
type late struct{ cause error }

func (e *late) Error() string {
	return queue.ErrUnreachable.Error() + ": the server did not answer in time"
}
func (e *late) Unwrap() []error { return []error{queue.ErrUnreachable, e.cause} }

// ended returns why a caller stopped waiting; nil: it still waits.
func ended(caller context.Context) error {
	err := caller.Err()
	if errors.Is(err, context.DeadlineExceeded) {
		return &late{err}
	}
	return err
}

// wasLost reports whether an error says that nobody answered.
func wasLost(err error) bool {
	for _, lost := range []error{context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected,
		nats.ErrReconnectBufExceeded, nats.ErrConnectionClosed, nats.ErrConnectionReconnecting, nats.ErrStaleConnection,
		jetstream.ErrNoStreamResponse, nats.ErrNoStreamResponse, nats.ErrNoServers} {
		if errors.Is(err, lost) {
			return true
		}
	}
	return false
}

// neverSent reports whether an error says that nothing was handed to the server, or that nobody there took it: then
// nothing was written, and nothing will be.
func neverSent(err error) bool {
	var api *jetstream.APIError
	for _, unsent := range []error{nats.ErrNoResponders, nats.ErrReconnectBufExceeded, nats.ErrConnectionClosed,
		nats.ErrConnectionReconnecting, nats.ErrMaxPayload, jetstream.ErrNoStreamResponse, nats.ErrNoServers} {
		if errors.Is(err, unsent) {
			return true
		}
	}
	return errors.As(err, &api)
}
