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
	connectWithin = 2 * time.Second // time for a server to accept a connection
	greetWithin   = 5 * time.Second // time for the login after that, which takes several answers over a slow link
	answerWithin  = 3 * time.Second // time for one answer of the server; a caller may allow less for a whole call
	reconnectWait = 200 * time.Millisecond
	toldWithin    = 100 * time.Millisecond // time for the library to report a first attempt that fails at once
	pingEvery     = 10 * time.Second       // after two unanswered pings a connection counts as lost
)

// link is the only connection to the server. The first call makes it, and the library restores it whenever it breaks.
// Calls fail at once while it is down.
type link struct {
	options     Options
	now         func() time.Time // this machine's clock
	greetWithin time.Duration    // the constant greetWithin, shorter in tests

	mu     sync.Mutex
	nc     *nats.Conn // nil: not tried yet
	js     jetstream.JetStream
	up     chan struct{} // closed while there is a connection
	down   chan struct{} // closed while there is no connection
	whenUp func()        // called in a new goroutine after each connect
	closed bool

	tried    chan struct{}          // has an element as soon as the first attempt to connect has failed
	why      atomic.Pointer[error]  // why the connection is down; nil: it is up, or the reason is unknown
	refused  refusal                // the last refusal that no refusalWatch waited for
	refusals map[*refusalWatch]bool // watches that wait for a refusal
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

// connect makes the connection at the first call. A missing server is not an error here: the library tries again as
// long as the process runs, and each call reports that the server cannot be reached.
func (l *link) connect() (*nats.Conn, jetstream.JetStream, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, nil, fmt.Errorf("%w: it was closed", queue.ErrUnreachable)
	}
	if l.nc != nil {
		return l.nc, l.js, nil
	}
	options, err := l.dialOptions()
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
	if nc.IsConnected() { // the library may call noteUp after the first call needs it
		l.signalUp()
		return nc, js, nil
	}
	select { // the library reports the cause now and forgets it before the next attempt
	case <-l.tried:
	case <-time.After(toldWithin):
	}
	return nc, js, nil
}

// login returns the connection options for the credentials, and for the authority that must have signed the server's
// certificate.
func login(o Options) (options []nats.Option, err error) {
	if o.Credentials != "" {
		mine, err := credentialsFile(o.Credentials).options()
		if err != nil {
			return nil, err
		}
		options = append(options, mine)
	}
	if o.Authority != "" {
		its, err := trustAuthority(o.Authority)
		if err != nil {
			return nil, err
		}
		options = append(options, its)
	}
	return options, nil
}

// dialOptions returns the options by which the library makes and keeps the connection, and reports its changes.
func (l *link) dialOptions() ([]nats.Option, error) {
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
		nats.ErrorHandler(l.noteRefusal), // without a handler the library writes to the terminal
		nats.CustomInboxPrefix(credentialsFile(l.options.Credentials).inbox()),
	), nil
}

// noteUp records that there is a connection. The library calls it.
func (l *link) noteUp(*nats.Conn) {
	l.mu.Lock()
	l.signalUp()
	l.mu.Unlock()
	go l.whenUp()
}

// signalUp wakes the goroutines that wait for a connection. The caller holds the lock.
func (l *link) signalUp() {
	l.why.Store(nil)
	select {
	case <-l.up:
	default:
		close(l.up)
		l.down = make(chan struct{})
	}
}

// noteDown wakes the goroutines that wait for the end of the connection.
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

// whenLost returns a channel that closes when the present connection is gone.
func (l *link) whenLost() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.down
}

// whenBack returns a channel that closes when there is a connection.
func (l *link) whenBack() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.up
}

// close ends the connection for good. Later calls fail.
func (l *link) close() {
	l.mu.Lock()
	l.closed = true
	nc := l.nc
	l.mu.Unlock()
	if nc != nil {
		nc.Close()
	}
}

// call is one call of the store's methods. It may need several requests to the server. Its context is answerByAnswer.
type call struct {
	context.Context
	cancel context.CancelFunc
	caller context.Context // as the method got it, with the caller's deadline
	conn   *nats.Conn
	js     jetstream.JetStream
	link   *link
	began  time.Time
}

// beginCall starts a call. It fails at once if ctx has ended or if there is no connection.
func (l *link) beginCall(ctx context.Context) (*call, error) {
	if err := callerEnded(ctx); err != nil {
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

// answerByAnswer is a caller's context without a deadline, for a call of several requests. It ends when the caller's
// context ends. Without a deadline the library allows each answer its own time, so that a slow link is not taken for
// a silent server.
type answerByAnswer struct{ context.Context }

func (answerByAnswer) Deadline() (time.Time, bool) { return time.Time{}, false }

// late means that the caller's time was over before the server answered.
type late struct{ cause error }

func (e *late) Error() string {
	return queue.ErrUnreachable.Error() + ": the server did not answer in time"
}
func (e *late) Unwrap() []error { return []error{queue.ErrUnreachable, e.cause} }

// callerEnded returns the error of a caller's context that has ended, else nil.
func callerEnded(caller context.Context) error {
	err := caller.Err()
	if errors.Is(err, context.DeadlineExceeded) {
		return &late{err}
	}
	return err
}

// wasLost reports whether an error means that no answer came.
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

// neverSent reports whether an error means that the server did not receive the request, or rejected it. Then nothing
// was written, and nothing will be.
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
