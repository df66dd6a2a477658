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
	why = why[max(strings.Index(why, queue.ErrUnreachable.Error()), 0):] // what was tried does not matter to an agent
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

// sight holds a waiting call's last look at its session in the store.
type sight struct {
	away  time.Time // since when the store's server has not answered; zero: it does
	lost  time.Time // since when the store has no such session; zero: it has
	cause error     // what the store said last
}

// How long a call that waits takes what the store says for a passing thing.
const (
	awayFor = 20 * time.Second // a server that restarts is back sooner
	lostFor = 5 * time.Second
)

// note takes in what came of looking into the store.
func (v *sight) note(err error, now time.Time) {
	v.cause = err
	mark := func(since *time.Time, is bool) {
		if !is {
			*since = time.Time{}
		} else if since.IsZero() {
			*since = now
		}
	}
	mark(&v.away, errors.Is(err, queue.ErrUnreachable))
	mark(&v.lost, errors.Is(err, queue.ErrNotFound))
}

// dim reports whether the session could not be seen when it was last looked for.
func (v *sight) dim() bool { return !v.away.IsZero() || !v.lost.IsZero() }

// over reports whether the call has to end without an outcome, since the session cannot be seen for too long.
func (v *sight) over(now time.Time) bool {
	return !v.away.IsZero() && now.Sub(v.away) >= awayFor || !v.lost.IsZero() && now.Sub(v.lost) >= lostFor
}

// failure returns the error that the caller receives in place of the session's state.
func (v *sight) failure(id string) dialect.Failure {
	if v.lost.IsZero() {
		return unavailable(v.cause, id)
	}
	return dialect.Failure{Code: dialect.CodeNotFound, ID: id,
		Message: fmt.Sprintf("The queue does not have session %q any more, so nobody will answer it. Nothing was "+
			"decided: ask anew, and do not choose for the person.", id)}
}
