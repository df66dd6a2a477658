package queue

import (
	"context"
	"strings"
)

// A dashboard can also show the questions of other hosts; see package relay. There the id of such a session is
// HOST/ID, and only its own host decides what a command does to it.

// MaxHost limits the characters of a host's name.
const MaxHost = 64

// ValidHost reports whether s can name another host: 1 to MaxHost letters, digits and the characters . - _ @ and :,
// not beginning with -, which ssh would read as an option.
func ValidHost(s string) bool {
	const safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_@:"
	return s != "" && len(s) <= MaxHost && s[0] != '-' && strings.Trim(s, safe) == ""
}

// FarID returns the id by which a session of another host is known here.
func FarID(host, id string) string { return host + "/" + id }

// SplitID returns the host of a session's id, and the id that the session has there. host is empty for a session of
// this machine's own queue.
func SplitID(id string) (host, own string) {
	if host, own, far := strings.Cut(id, "/"); far {
		return host, own
	}
	return "", id
}

// IsFar reports whether an id is that of a session on another host.
func IsFar(id string) bool { return strings.Contains(id, "/") }

// A Decider is a store with sessions that their own host decides about. Queue.Do passes their commands on to it.
type Decider interface {
	Store
	// Decides reports whether another host decides about the session with this id.
	Decides(id string) bool
	// Decide works like Queue.Do, on the session's own host, by that host's clock and rules. ErrUnreachable if the
	// host cannot be reached now; the command may have taken effect all the same, and can be sent again.
	Decide(ctx context.Context, id string, c Command) (Session, error)
}

// HostState says whether another host is connected.
type HostState struct {
	Host      string
	Connected bool
	Lost      bool  // it was connected before
	Err       error // why it is not connected; nil: the first attempt is under way
}
