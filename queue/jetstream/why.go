package jetstream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/choicetui/choicetui/queue"
)

// ErrNoConnection says that the server was not reached at all: it does not run, its name is unknown, or nothing leads
// there.
var ErrNoConnection = errors.New("there is no connection to the server")

// Dial makes a connection for the library, and notes why one was not made: the library keeps quiet about a refused one.
func (l *link) Dial(network, address string) (net.Conn, error) {
	conn, err := net.DialTimeout(network, address, connectWithin)
	l.noteWhy(err)
	return conn, err
}

// noteWhy keeps why there is no connection. The library does so until it tries again.
func (l *link) noteWhy(err error) {
	if why := l.reason(err); why != nil {
		l.why.Store(&why)
	}
}

// whyDown returns the last that is known of why there is no connection; nil: nothing is.
func (l *link) whyDown(nc *nats.Conn) error {
	if why := l.knownWhy(nc); why != nil {
		return why
	}
	return nc.LastError()
}

// knownWhy explains how the last attempt to connect ended, in words for people. The library's last error counts before
// the stored one: an earlier attempt may have ended for another reason.
func (l *link) knownWhy(nc *nats.Conn) error {
	last := nc.LastError()
	if why := l.reason(last); why != nil {
		return why
	}
	if endsTry(last) {
		return nil
	}
	if why := l.why.Load(); why != nil {
		return *why
	}
	return nil
}

// endsTry reports whether an error says how a try to connect ended. The library keeps others in the same place: what a
// connection was told that went on, and that no server is left to try.
func endsTry(err error) bool {
	for _, other := range []error{nats.ErrNoServers, nats.ErrPermissionViolation, nats.ErrSlowConsumer} {
		if errors.Is(err, other) {
			return false
		}
	}
	return err != nil
}

// whyBarred explains to a caller who is cut off why one side does not let the other in; nil: that is not the reason.
func (l *link) whyBarred() error {
	l.mu.Lock()
	nc := l.nc
	l.mu.Unlock()
	if nc == nil {
		return nil
	}
	if why := l.knownWhy(nc); why != nil && !errors.Is(why, ErrNoConnection) {
		return unreachable(why, nil)
	}
	return nil
}

// reason explains why there is no connection, if an error of the library says it in words for people; nil: it does not.
func (l *link) reason(err error) error {
	if why := ofCredentials(err); why != nil {
		return why
	}
	if errors.Is(err, nats.ErrSecureConnWanted) {
		return errNoTLS
	}
	if why := authorityFile(l.options.Authority).ofCertificate(err); why != nil {
		return why
	}
	return ofNetwork(err)
}

// errNoTLS says that the server would speak to us in the clear only.
var errNoTLS = errors.New("the server does not speak TLS, which tls:// in its address or the setting queue_ca asks for")

// ofNetwork explains why nothing came through; nil: the error says something else.
func ofNetwork(err error) error {
	var unknown *net.DNSError
	var failed *net.OpError
	switch {
	case errors.Is(err, io.EOF):
		return fmt.Errorf("%w: it was closed at the other end", ErrNoConnection)
	case errors.As(err, &unknown) && unknown.IsNotFound:
		return fmt.Errorf("%w: no such host: %q", ErrNoConnection, unknown.Name)
	case errors.As(err, &unknown):
		return fmt.Errorf("%w: the name %q cannot be looked up: %s", ErrNoConnection, unknown.Name, unknown.Err)
	case !errors.As(err, &failed):
		return nil
	}
	at := "the server"
	if failed.Addr != nil {
		at = failed.Addr.String()
	}
	var number syscall.Errno
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("%w: connection refused: nobody listens at %s", ErrNoConnection, at)
	case errors.Is(err, os.ErrDeadlineExceeded) || failed.Timeout():
		return fmt.Errorf("%w: timeout: %s does not answer", ErrNoConnection, at)
	case errors.As(err, &number):
		return fmt.Errorf("%w: %s: %s", ErrNoConnection, number.Error(), at)
	}
	return nil
}

// ofCredentials explains why the server rejected the credentials, in the library's words and not the server's; nil: it
// did not.
func ofCredentials(err error) error {
	for _, barred := range []error{nats.ErrAuthorization, nats.ErrAuthExpired, nats.ErrAuthRevoked,
		nats.ErrAccountAuthExpired} {
		if errors.Is(err, barred) {
			return barred
		}
	}
	return nil
}

// unreachable says that the server does not answer, and why as far as last, the last that is known of the connection,
// says. It is not the caller's time that ended, so the library's own time-out does not show.
func unreachable(last, err error) error {
	switch {
	case ofCredentials(last) != nil:
		return fmt.Errorf("%w: the server does not take these credentials (%w)", queue.ErrUnreachable,
			ofCredentials(last))
	case last != nil && !errors.Is(last, nats.ErrNoServers) && !errors.Is(last, nats.ErrPermissionViolation):
		return fmt.Errorf("%w: %w", queue.ErrUnreachable, last)
	case err == nil || errors.Is(err, nats.ErrReconnectBufExceeded):
		return fmt.Errorf("%w: %w", queue.ErrUnreachable, ErrNoConnection)
	case errors.Is(err, nats.ErrNoResponders), errors.Is(err, jetstream.ErrNoStreamResponse):
		return fmt.Errorf("%w: JetStream does not answer on the server, or is switched off there", queue.ErrUnreachable)
	}
	return fmt.Errorf("%w: the server did not answer within %v", queue.ErrUnreachable, answerWithin)
}

// Refused says that the server knows these credentials and does not let them do something.
type Refused struct{ Subject string } // what was asked for, as the server's permissions name it

func (e *Refused) Error() string {
	return fmt.Sprintf("the queue's server does not let these credentials use %q", e.Subject)
}

// Is reports whether target is queue.ErrRefused.
func (e *Refused) Is(target error) bool { return target == queue.ErrRefused }

// refusal records that, and when, the server refused a subject.
type refusal struct {
	subject string
	at      time.Time
}

// refusedSubject finds what was refused in what the server says. It has no other form.
var refusedSubject = regexp.MustCompile(`(?i)permissions violation for \w+ to "([^"]+)"`)

// noteRefusal takes over what the library says of a connection. The server does not answer what it refuses, it only
// says so here: whoever asked would wait for nothing.
func (l *link) noteRefusal(_ *nats.Conn, _ *nats.Subscription, err error) {
	if !errors.Is(err, nats.ErrPermissionViolation) {
		return
	}
	found := refusedSubject.FindStringSubmatch(err.Error())
	if found == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	awaited := false
	for w := range l.refusals {
		if strings.HasPrefix(found[1], w.prefix) {
			w.end(&Refused{found[1]})
			awaited = true
		}
	}
	if !awaited { // else another call that ends without an answer would be told this reason
		l.refused = refusal{subject: found[1], at: time.Now()}
	}
}

// refusedSince returns the server's last refusal that nobody waited for, if it came since a time.
func (l *link) refusedSince(t time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.refused.at.Before(t) {
		return nil
	}
	return &Refused{l.refused.subject}
}

// refusalWatch is somebody who waits for what may be refused.
type refusalWatch struct {
	prefix string // how the subject begins
	end    context.CancelCauseFunc
}

// untilRefused returns a context that ends once the server refuses a subject with this beginning. done says whether it
// did, as a *Refused, and has to be called.
func (l *link) untilRefused(ctx context.Context, prefix string) (until context.Context, done func() error) {
	until, end := context.WithCancelCause(ctx)
	w := &refusalWatch{prefix: prefix, end: end}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.refusals[w] = true
	return until, func() error {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.refusals, w)
		cause := context.Cause(until)
		end(nil)
		if isRefused(cause) {
			return cause
		}
		return nil
	}
}

func isRefused(err error) bool {
	var refused *Refused
	return errors.As(err, &refused)
}

// liveSubject returns the subject to which a write to a live session is published.
func liveSubject(bucket, id string) string { return "$KV." + bucket + pendingStream + "." + id }

// writeLive writes to a live session, and learns at once where the server refuses that.
func (l *link) writeLive(c *call, id string, write func(context.Context) (uint64, error)) (uint64, error) {
	until, done := l.untilRefused(c, liveSubject(l.options.Bucket, id))
	sequence, err := write(until)
	if refused := done(); refused != nil {
		return 0, refused
	}
	return sequence, err
}
