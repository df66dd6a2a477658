package jetstream

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/choicetui/choicetui/queue"
)

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
func liveSubject(bucket, id string) string { return "$KV." + bucket + pendingShelf + "." + id }

// writeLive writes to a live session, and learns at once where the server refuses that.
func (l *link) writeLive(c *call, id string, write func(context.Context) (uint64, error)) (uint64, error) {
	until, done := l.untilRefused(c, liveSubject(l.options.Bucket, id))
	sequence, err := write(until)
	if refused := done(); refused != nil {
		return 0, refused
	}
	return sequence, err
}
