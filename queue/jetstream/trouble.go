package jetstream

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"regexp"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/choicetui/choicetui/queue"
)

// Trouble is an error about the queue's server that a person can act on.
type Trouble struct {
	problem string
	Remedy  string // what the person can do
	kind    error  // queue.ErrUnreachable or queue.ErrRefused; nil: neither
	full    bool   // the server has no room left
	absent  bool   // there is no connection, and neither side has refused one
}

func (e *Trouble) Error() string {
	if errors.Is(e.kind, queue.ErrUnreachable) {
		return e.kind.Error() + ": " + e.problem
	}
	return e.problem
}

func (e *Trouble) Unwrap() error { return e.kind }

// Advice returns what the person can do.
func (e *Trouble) Advice() string { return e.Remedy }

// unreachable returns a Trouble of a server that cannot be used now.
func unreachable(problem, remedy string) *Trouble {
	return &Trouble{problem: problem, Remedy: remedy, kind: queue.ErrUnreachable}
}

// refusedSubject returns the Trouble of credentials that may not use a subject.
func refusedSubject(subject string) *Trouble {
	return &Trouble{problem: fmt.Sprintf("the queue's server does not let these credentials use %q", subject),
		Remedy: "docs/team.md lists what a person, an agent and an auditor need; whoever runs the server can allow it",
		kind:   queue.ErrRefused}
}

// noRoom returns the Trouble of a server that is full.
func noRoom(said string) *Trouble {
	return &Trouble{problem: "the queue's server has no room left (" + said + "), nothing was stored", full: true,
		Remedy: "whoever runs the server: free some space on its disk, or raise the limits of its JetStream"}
}

// isFull reports whether an error says that the server has no room left.
func isFull(err error) bool {
	var t *Trouble
	return errors.As(err, &t) && t.full
}

// errStoresNothing means that the server answers, but not to a write. After a failed write to its disk a server
// stores nothing until it is restarted.
var errStoresNothing = &Trouble{problem: "the queue's server answers, but stores nothing: its disk may be full",
	Remedy: "whoever runs the server: look at its log; where its disk is full make room, then start it again"}

// errCrowded means that the server accepts no further consumers.
var errCrowded = &Trouble{problem: "the queue's server allows no more watchers",
	Remedy: "whoever runs the server: raise its limit max consumers"}

// errNoJetStream means that no server answers requests for buckets and streams.
var errNoJetStream = unreachable("JetStream does not answer on the server, or is switched off there",
	"whoever runs the server: switch JetStream on in its configuration, for the account of these credentials")

// Dial opens a connection for the library and records the error, which the library would not report.
func (l *link) Dial(network, address string) (net.Conn, error) {
	conn, err := net.DialTimeout(network, address, connectWithin)
	l.noteWhy(err)
	return conn, err
}

// noteWhy records why there is no connection. The library itself forgets the cause at its next attempt.
func (l *link) noteWhy(err error) {
	if endsTry(err) {
		l.why.Store(&err)
	}
}

// endsTry reports whether an error ended an attempt to connect. The library stores other errors in the same place,
// such as one about a connection that continued.
func endsTry(err error) bool {
	return err != nil && !errors.Is(err, nats.ErrNoServers) && !errors.Is(err, nats.ErrPermissionViolation) &&
		!errors.Is(err, nats.ErrSlowConsumer)
}

// whyDown explains why there is no connection. It prefers the library's last error to the recorded one, since an
// earlier attempt may have failed for another reason.
func (l *link) whyDown(nc *nats.Conn) *Trouble {
	why := nc.LastError()
	if stored := l.why.Load(); !endsTry(why) && stored != nil {
		why = *stored
	}
	return connectionTrouble(why)
}

// whyBarred explains why the server or this side refuses the connection. It returns nil if neither does, or if a
// connection was never tried.
func (l *link) whyBarred() error {
	l.mu.Lock()
	nc := l.nc
	l.mu.Unlock()
	if nc == nil {
		return nil
	}
	if t := l.whyDown(nc); !t.absent {
		return t
	}
	return nil
}

// connectionTrouble explains how an attempt to connect ended. It does not repeat the server's words.
func connectionTrouble(err error) *Trouble {
	for _, barred := range []error{nats.ErrAuthorization, nats.ErrAuthExpired, nats.ErrAuthRevoked,
		nats.ErrAccountAuthExpired} {
		if errors.Is(err, barred) {
			return unreachable("the server does not take these credentials ("+barred.Error()+")",
				"look at the file that the setting queue_credentials names, or ask whoever runs the server")
		}
	}
	var cert *tls.CertificateVerificationError
	switch {
	case errors.As(err, &cert):
		return unreachable("the server's certificate is not trusted: "+cert.Err.Error(),
			"set queue_ca to the file with the certificate of the authority that issued it; the setting queue must "+
				"name the server as the certificate does")
	case errors.Is(err, nats.ErrSecureConnWanted):
		return unreachable("the server does not speak TLS, which tls:// in its address asks for",
			"switch TLS on at the server, or use nats:// in the setting queue")
	}
	problem := "there is no connection to the server"
	if endsTry(err) {
		problem += ": " + err.Error()
	}
	t := unreachable(problem, "check that the server runs, and that the setting queue has its name and port")
	t.absent = true
	return t
}

// explain translates an error of the library into an error of the store.
func (c *call) explain(err error) error {
	var api *jetstream.APIError
	switch {
	case err == nil:
		return nil
	case c.caller.Err() != nil:
		return callerEnded(c.caller)
	case errors.As(err, &api):
		return serverTrouble(api, err)
	case errors.Is(err, nats.ErrMaxPayload):
		return tooLarge(c.conn.MaxPayload())
	case !wasLost(err):
		return err
	}
	if refused := c.link.refusedSince(c.began); refused != nil {
		return refused
	}
	switch {
	case !c.conn.IsConnected() || errors.Is(err, nats.ErrReconnectBufExceeded):
		return c.link.whyDown(c.conn)
	case errors.Is(err, nats.ErrNoResponders), errors.Is(err, jetstream.ErrNoStreamResponse):
		return errNoJetStream
	}
	return unreachable(fmt.Sprintf("the server did not answer within %v", answerWithin),
		"try again; whoever runs the server: look at its log and its disk")
}

// Error codes of a server for which the library has no constants.
const (
	noCluster      = 10008 // most servers of the cluster are away
	noResources    = 10023
	tooManyReaders = 10026
	noMemory       = 10028
	noStorage      = 10047
	noStream       = 10049 // the server cannot create a stream now, for example while it removes another one
	oneServer      = 10074 // the server is not in a cluster, and keeps one copy
	streamFailed   = 10077 // the cause is only in the description
)

// serverTrouble explains an error that the server itself reported.
func serverTrouble(api *jetstream.APIError, err error) error {
	said := api.Description
	switch api.ErrorCode {
	case noResources, noStorage, noMemory:
		return noRoom(said)
	case streamFailed:
		if strings.Contains(said, "maximum") || strings.Contains(said, "no space left") {
			return noRoom(said)
		}
	case tooManyReaders:
		return errCrowded
	case jetstream.JSErrCodeJetStreamNotEnabledForAccount:
		return errNoJetStream
	case noCluster:
		return unreachable("too few servers of the cluster are running, or they are still starting", "start the others")
	case noStream:
		return fmt.Errorf("%w: %w", queue.ErrUnreachable, err)
	default:
	}
	return err
}

// Version returns the version of a store's server.
func Version(ctx context.Context, s *Store) (string, error) {
	c, err := s.link.beginCall(ctx)
	if err != nil {
		return "", err
	}
	defer c.cancel()
	return c.conn.ConnectedServerVersion(), nil
}

const (
	roomPrefix = "room-"     // not the beginning of any session id
	roomKept   = time.Second // the shortest time that a server accepts
)

// TryRoom fails if the server has no room left, or if it answers but stores nothing. It writes a few bytes and
// removes them; the server also removes them later on its own. If writing is not allowed, or nothing was ever stored,
// TryRoom returns nil, because the answer is unknown.
func TryRoom(ctx context.Context, s *Store) error {
	c, err := s.link.beginCall(ctx)
	if err != nil {
		return err
	}
	defer c.cancel()
	key := roomPrefix + queue.NewToken()
	err = tryWriting(c, s.storage, presentStream, func(until context.Context, kv jetstream.KeyValue) error {
		revision, err := kv.Create(until, key, nil, jetstream.KeyTTL(roomKept))
		if err == nil { // if this fails, the server removes the key later
			_ = kv.Purge(c, key, jetstream.LastRevision(revision), jetstream.PurgeTTL(roomKept))
		}
		return err
	})
	if err != nil {
		return err
	}
	// Each bucket has its own file, and each file may be full. In the bucket of sessions the write is the removal
	// of a key that does not exist. It leaves a marker for a second, which watchers ignore.
	return tryWriting(c, s.storage, pendingStream, func(until context.Context, kv jetstream.KeyValue) error {
		return kv.Purge(until, key, jetstream.PurgeTTL(roomKept))
	})
}

// tryWriting writes to a bucket. A missing bucket, and a write that is not allowed, are no errors.
func tryWriting(c *call, p *storage, name string, write func(context.Context, jetstream.KeyValue) error) error {
	kv, err := p.bucket(c, name, ifThere)
	if errors.Is(err, errAbsent) {
		return nil
	}
	if err != nil {
		return err
	}
	err = p.link.askServer(c, "$KV."+kv.Bucket()+"."+roomPrefix, func(until context.Context) error {
		return write(until, kv)
	})
	if errors.Is(err, queue.ErrRefused) {
		return nil
	}
	if wasLost(err) && c.caller.Err() == nil && c.conn.FlushTimeout(stillThereWithin) == nil {
		return errStoresNothing
	}
	return c.explain(err)
}

// refusal records the subject and the time of a request that the server refused.
type refusal struct {
	subject string
	at      time.Time
}

// refusalPattern finds the subject in the server's message, which is the only place that names it.
var refusalPattern = regexp.MustCompile(`(?i)permissions violation for \w+ to "([^"]+)"`)

// noteRefusal handles the library's asynchronous errors. The server does not answer a request that it refuses; it
// only reports an error of the connection. Without noteRefusal the caller would wait for its timeout.
func (l *link) noteRefusal(_ *nats.Conn, _ *nats.Subscription, err error) {
	if !errors.Is(err, nats.ErrPermissionViolation) {
		return
	}
	found := refusalPattern.FindStringSubmatch(err.Error())
	if found == nil {
		return
	}
	subject := found[1]
	l.mu.Lock()
	defer l.mu.Unlock()
	awaited := false
	for w := range l.refusals {
		if strings.HasPrefix(subject, w.prefix) {
			w.end(refusedSubject(subject))
			awaited = true
		}
	}
	if !awaited { // an awaited refusal must not explain another call that times out
		l.refused = refusal{subject: subject, at: time.Now()}
	}
}

// refusedSince returns the last refusal that no refusalWatch waited for, if it came after t.
func (l *link) refusedSince(t time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.refused.at.Before(t) {
		return nil
	}
	return refusedSubject(l.refused.subject)
}

// refusalWatch ends a request when the server refuses its subject.
type refusalWatch struct {
	prefix string // beginning of the subject
	end    context.CancelCauseFunc
}

// untilRefused returns a context that ends when the server refuses a subject with this prefix. The caller must call
// done, which returns the refusal, if there was one.
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
		if errors.Is(cause, queue.ErrRefused) {
			return cause
		}
		return nil
	}
}

// askServer calls do, which sends a request to a subject with this prefix. If the server refuses the subject, askServer
// returns that at once, because the request itself would get no answer.
func (l *link) askServer(ctx context.Context, prefix string, do func(context.Context) error) error {
	until, done := l.untilRefused(ctx, prefix)
	err := do(until)
	return cmp.Or(done(), err)
}

// liveSubject returns the subject to which a write to a live session is published.
func liveSubject(kv jetstream.KeyValue, id string) string { return "$KV." + kv.Bucket() + "." + id }
