package call

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/dialect"
	"github.com/choicetui/choicetui/queue"
)

// unavailable returns the failure for a queue that cannot be used now. id is the session that continues without the
// call; empty: nobody was asked.
func unavailable(err error, id string) dialect.Failure {
	f := dialect.Failure{Code: dialect.CodeUnavailable, ID: id}
	why := err.Error()
	why = why[max(strings.Index(why, queue.ErrUnreachable.Error()), 0):] // the steps that led to the error are left out
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

// visibleID returns the beginning of an id that a caller gave, cleaned for a sentence.
func visibleID(id string) string {
	v, _ := queue.VisibleLine(queue.Shorten(id, shownID, ""))
	return v
}

// shownID limits the characters of a caller's id in a sentence.
const shownID = 40

// usedError reports that a session's one result was fetched or has expired, or that another call waits for it. It wraps
// queue.ErrUsed.
type usedError struct {
	session queue.Session
	inUse   bool // another call waits for it now
}

func (e *usedError) Error() string { return "session " + e.session.ID + " is used" }

func (e *usedError) Unwrap() error { return queue.ErrUsed }

// failure returns the failure for a caller that gave this id.
func (e *usedError) failure(id string) dialect.Failure {
	f := dialect.Failure{Code: dialect.CodeUsed, ID: id, Session: &e.session,
		Message: fmt.Sprintf("The result of session %q was fetched before; it can be fetched once.", id)}
	if e.inUse {
		f.Code = dialect.CodeInUse
		f.Message = fmt.Sprintf("Another call already waits for session %q; only one can. Wait for that one.", id)
	} else if _, expired := e.session.Last(queue.EventExpired); expired {
		f.Message = fmt.Sprintf("The result of session %q was not fetched within 24 hours and is closed.", id)
	}
	return f
}

// outage records for how long a waiting call has not been able to read its session.
type outage struct {
	unreachable time.Time // since when the store's server has not answered; zero: it answers
	missing     time.Time // since when the store has not had the session; zero: it has it
	cause       error     // the error of the last look
}

// An outage that lasts longer than this ends the call.
const (
	unreachableFor = 20 * time.Second // a server that restarts is back sooner
	missingFor     = 5 * time.Second
)

// noteLook records the result of reading the store.
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

// ongoing reports whether the last look failed.
func (o *outage) ongoing() bool { return !o.unreachable.IsZero() || !o.missing.IsZero() }

// tooLong reports whether the outage ends the call.
func (o *outage) tooLong(now time.Time) bool {
	return !o.unreachable.IsZero() && now.Sub(o.unreachable) >= unreachableFor ||
		!o.missing.IsZero() && now.Sub(o.missing) >= missingFor
}

// failure returns the failure for a call that an outage has ended.
func (o *outage) failure(id string) dialect.Failure {
	if o.missing.IsZero() {
		return unavailable(o.cause, id)
	}
	return dialect.Failure{Code: dialect.CodeNotFound, ID: id,
		Message: fmt.Sprintf("The queue does not have session %q any more, so nobody will answer it. Nothing was "+
			"decided: ask again, and do not choose for the person.", id)}
}
