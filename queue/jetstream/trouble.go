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

// Trouble is an error about the queue's server that a person can do something about.
type Trouble struct {
	problem string
	Remedy  string // says what to do
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

// unreachable returns the trouble of a server that cannot be used now.
func unreachable(problem, remedy string) *Trouble {
	return &Trouble{problem: problem, Remedy: remedy, kind: queue.ErrUnreachable}
}

// refused returns the trouble of credentials that the server knows, and does not let use a subject.
func refused(subject string) *Trouble {
	return &Trouble{problem: fmt.Sprintf("the queue's server does not let these credentials use %q", subject),
		Remedy: "docs/team.md lists what a person, an agent and an auditor need; whoever runs the server can allow it",
		kind:   queue.ErrRefused}
}

// noRoom returns the trouble of a server that is full.
func noRoom(said string) *Trouble {
	return &Trouble{problem: "the queue's server has no room left (" + said + "), nothing was stored", full: true,
		Remedy: "whoever runs the server: free some space on its disk, or raise the limits of its JetStream"}
}

func isFull(err error) bool {
	var t *Trouble
	return errors.As(err, &t) && t.full
}

// errStoresNothing says that the server answers, but not to a write. After a write to its disk has failed, it stores
// nothing until it is started again.
var errStoresNothing = &Trouble{problem: "the queue's server answers, but stores nothing: its disk may be full",
	Remedy: "whoever runs the server: look at its log; where its disk is full make room, then start it again"}

// errCrowded says that the server lets nobody else follow what happens.
var errCrowded = &Trouble{problem: "as many follow the queue as its server allows",
	Remedy: "whoever runs the server: raise its limit max consumers"}

// errNoJetStream says that nobody on the server answers for buckets and streams.
var errNoJetStream = unreachable("JetStream does not answer on the server, or is switched off there",
	"whoever runs the server: switch JetStream on in its configuration, for the account of these credentials")

// Dial makes a connection for the library, and notes why one was not made: the library keeps quiet about a refused one.
func (l *link) Dial(network, address string) (net.Conn, error) {
	conn, err := net.DialTimeout(network, address, connectWithin)
	l.noteWhy(err)
	return conn, err
}

// noteWhy keeps why there is no connection. The library does so until it tries again.
func (l *link) noteWhy(err error) {
	if endsTry(err) {
		l.why.Store(&err)
	}
}

// endsTry reports whether an error says how an attempt to connect ended. The library keeps others in the same place:
// about a connection that continued, and that no server is left to try.
func endsTry(err error) bool {
	return err != nil && !errors.Is(err, nats.ErrNoServers) && !errors.Is(err, nats.ErrPermissionViolation) &&
		!errors.Is(err, nats.ErrSlowConsumer)
}

// whyDown explains why there is no connection. The library's last error counts before the stored one: an earlier
// attempt may have ended for another reason.
func (l *link) whyDown(nc *nats.Conn) *Trouble {
	why := nc.LastError()
	if stored := l.why.Load(); !endsTry(why) && stored != nil {
		why = *stored
	}
	return ofConnection(why)
}

// whyBarred explains to a caller who is cut off why one side does not let the other in; nil: that is not the reason.
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

// ofConnection explains how an attempt to connect ended. What the server itself said is not repeated.
func ofConnection(err error) *Trouble {
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
	t := unreachable(problem, "see that the server runs, and that the setting queue has its name and port")
	t.absent = true
	return t
}

// explain puts an error of the library into the store's words.
func (c *call) explain(err error) error {
	var api *jetstream.APIError
	switch {
	case err == nil:
		return nil
	case c.caller.Err() != nil:
		return ended(c.caller)
	case errors.As(err, &api):
		return ofServer(api, err)
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

// Error codes of a server, which the library has no names for.
const (
	noCluster      = 10008 // most of its cluster is away
	noResources    = 10023
	tooManyReaders = 10026
	noMemory       = 10028
	noStorage      = 10047
	noStream       = 10049 // it could not make a stream just now, as while it still removes another one
	oneServer      = 10074 // it is alone, and keeps one copy
	streamFailed   = 10077 // for any reason, which only its words tell
)

// ofServer explains an error that the server itself reported.
func ofServer(api *jetstream.APIError, err error) error {
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
		return unreachable("too few servers of the cluster run, or they just begin to", "start the others")
	case noStream:
		return fmt.Errorf("%w: %w", queue.ErrUnreachable, err)
	default:
	}
	return err
}

// Version returns the version of a store's server.
func Version(ctx context.Context, s *Store) (string, error) {
	c, err := s.link.begin(ctx)
	if err != nil {
		return "", err
	}
	defer c.cancel()
	return c.conn.ConnectedServerVersion(), nil
}

const (
	roomPrefix = "room-"     // no session's id begins so, or has so many characters
	roomKept   = time.Second // the least that a server can be told
)

// TryRoom reports as an error that the server has no room left, or that it answers and stores nothing. It
// writes a few bytes that nobody reads, and takes them back; if this process dies in between, the server forgets them
// later. If nothing may be written, or nothing was ever kept, the answer is unknown, which is no error.
func TryRoom(ctx context.Context, s *Store) error {
	c, err := s.link.begin(ctx)
	if err != nil {
		return err
	}
	defer c.cancel()
	key := roomPrefix + queue.NewToken()
	err = tryWriting(c, s.storage, presentStream, func(until context.Context, kv jetstream.KeyValue) error {
		revision, err := kv.Create(until, key, nil, jetstream.KeyTTL(roomKept))
		if err == nil { // if this fails, the server forgets it later
			_ = kv.Purge(c, key, jetstream.LastRevision(revision), jetstream.PurgeTTL(roomKept))
		}
		return err
	})
	if err != nil {
		return err
	}
	// Each bucket has a file of its own that may not be written any more. Here only the mark of something that was
	// removed is left for that second: who follows the questions takes no notice of it.
	return tryWriting(c, s.storage, pendingStream, func(until context.Context, kv jetstream.KeyValue) error {
		return kv.Purge(until, key, jetstream.PurgeTTL(roomKept))
	})
}

// tryWriting writes something to a bucket. It is no error if the bucket is missing, or writing is not allowed.
func tryWriting(c *call, p *storage, name string, write func(context.Context, jetstream.KeyValue) error) error {
	kv, err := p.bucket(c, name, false)
	if errors.Is(err, errAbsent) {
		return nil
	}
	if err != nil {
		return err
	}
	err = p.link.ask(c, "$KV."+kv.Bucket()+"."+roomPrefix, func(ctx context.Context) error { return write(ctx, kv) })
	if errors.Is(err, queue.ErrRefused) {
		return nil
	}
	if wasLost(err) && c.caller.Err() == nil && c.conn.FlushTimeout(stillThereWithin) == nil {
		return errStoresNothing
	}
	return c.explain(err)
}

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
			w.end(refused(found[1]))
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
	return refused(l.refused.subject)
}

// refusalWatch is somebody who waits for what may be refused.
type refusalWatch struct {
	prefix string // how the subject begins
	end    context.CancelCauseFunc
}

// untilRefused returns a context that ends once the server refuses a subject with this beginning. done says whether it
// did, and has to be called.
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

// ask does something that the server may refuse, by a subject with this beginning, and learns at once if it does.
func (l *link) ask(ctx context.Context, prefix string, do func(context.Context) error) error {
	until, done := l.untilRefused(ctx, prefix)
	err := do(until)
	return cmp.Or(done(), err)
}

// liveSubject returns the subject to which a write to a live session is published.
func liveSubject(kv jetstream.KeyValue, id string) string { return "$KV." + kv.Bucket() + "." + id }
