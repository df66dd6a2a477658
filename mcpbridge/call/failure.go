package call

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/dialect"
	"github.com/choicetui/choicetui/queue"
)

// unavailable returns the failure for a queue that cannot be used now. id names the session that continues without the
// call; empty: nobody was asked.
func unavailable(err error, id string) dialect.Failure {
	f := dialect.Failure{Code: dialect.CodeUnavailable, ID: id}
	why := err.Error()
	why = why[max(strings.Index(why, queue.ErrUnreachable.Error()), 0):] // an agent need not know what was tried
	switch {
	case !errors.Is(err, queue.ErrUnreachable):
		f.Message = fmt.Sprintf("The queue cannot be used: %v. Tell the person, and do not choose for them.", err)
	case id == "":
		f.Message = fmt.Sprintf("The person cannot be reached just now: %s. Nothing was decided: call again in a "+
			"minute with the same arguments, and do not choose for them.", why)
	default:
		f.Message = fmt.Sprintf("The person cannot be reached just now: %s. The question is kept and nothing was "+
			"decided: call again in a minute, with the session_id %q or with the same arguments, and do not choose "+
			"for them.", why, id)
	}
	return f
}

// notFound returns the failure for an id that names no session. remedy is a sentence for the caller.
func notFound(id, remedy string) dialect.Failure {
	return dialect.Failure{Code: dialect.CodeNotFound, ID: id,
		Message: fmt.Sprintf("There is no session %q. %s", visibleID(id), remedy)}
}

// visibleID returns the start of an id that a caller gave, safe to repeat.
func visibleID(id string) string {
	v, _ := queue.VisibleLine(queue.Shorten(id, shownID, ""))
	return v
}

// shownID limits the characters of an unknown session_id that a failure repeats.
const shownID = 40

// usedError reports that a session's one result was fetched, lapsed, or belongs to another call now. It wraps
// queue.ErrUsed.
type usedError struct {
	session queue.Session
	inUse   bool // another call waits for it now
}

func (e *usedError) Error() string { return "session " + e.session.ID + " is used" }

func (e *usedError) Unwrap() error { return queue.ErrUsed }

// failure returns the error for a caller that gave this id.
func (e *usedError) failure(id string) dialect.Failure {
	f := dialect.Failure{Code: dialect.CodeUsed, ID: id, Session: &e.session,
		Message: fmt.Sprintf("The result of session %q was fetched before; it can be fetched once.", id)}
	if e.inUse {
		f.Code = dialect.CodeInUse
		f.Message = fmt.Sprintf("Another call already waits for session %q; only one can. Wait for that one.", id)
	} else if _, lapsed := e.session.Last(queue.EventLapsed); lapsed {
		f.Message = fmt.Sprintf("The result of session %q was not fetched within 24 hours and is closed.", id)
	}
	return f
}

// outage records since when a waiting call cannot see its session in the store.
type outage struct {
	unreachable time.Time // since when the store's server does not answer; zero: it answers
	missing     time.Time // since when the store has no such session; zero: it has
	cause       error     // of the last look
}

// How long an outage may last before the call ends.
const (
	unreachableFor = 20 * time.Second // a server that restarts is back sooner
	missingFor     = 5 * time.Second
)

// noteLook records the result of a look into the store.
func (o *outage) noteLook(err error, now time.Time) {
	o.cause = err
	record := func(since *time.Time, fails bool) {
		if !fails {
			*since = time.Time{}
		} else if since.IsZero() {
			*since = now
		}
	}
	record(&o.unreachable, errors.Is(err, queue.ErrUnreachable))
	record(&o.missing, errors.Is(err, queue.ErrNotFound))
}

// ongoing reports whether the last look did not show the session.
func (o *outage) ongoing() bool { return !o.unreachable.IsZero() || !o.missing.IsZero() }

// tooLong reports whether the call has to end without an outcome.
func (o *outage) tooLong(now time.Time) bool {
	return !o.unreachable.IsZero() && now.Sub(o.unreachable) >= unreachableFor ||
		!o.missing.IsZero() && now.Sub(o.missing) >= missingFor
}

// failure returns the error that the caller receives in place of the session's state.
func (o *outage) failure(id string) dialect.Failure {
	if o.missing.IsZero() {
		return unavailable(o.cause, id)
	}
	return dialect.Failure{Code: dialect.CodeNotFound, ID: id,
		Message: fmt.Sprintf("The queue does not have session %q any more, so nobody will answer it. Nothing was "+
			"decided: ask anew, and do not choose for the person.", id)}
}
