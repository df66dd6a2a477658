package queue

import (
	"context"
	"strings"
)

// A dashboard can also show the questions in the queues of other hosts; see package relay. In the dashboard the id of
// such a session is HOST/ID, and only its own host carries out the commands that the person gives for it.

// MaxHost limits the characters of a host's name.
const MaxHost = 64

// ValidHost reports whether s can name another host: 1 to MaxHost letters, digits and the characters . - _ @ and :. It
// begins with a letter or digit, since ssh would read - as an option, and .. is no name.
func ValidHost(s string) bool {
	const safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_@:"
	return s != "" && len(s) <= MaxHost && !strings.ContainsAny(s[:1], ".-_@:") && strings.Trim(s, safe) == ""
}

// RemoteID returns the id that a session of another host has in this dashboard.
func RemoteID(host, id string) string { return host + "/" + id }

// SplitID returns the host of a session's id, and the id that the session has there. host is empty for a session of
// this machine's own queue.
func SplitID(id string) (host, own string) {
	if host, own, remote := strings.Cut(id, "/"); remote {
		return host, own
	}
	return "", id
}

// IsRemote reports whether an id is that of a session on another host.
func IsRemote(id string) bool { return strings.Contains(id, "/") }

// Decider is the store of another host. Queue.Do passes commands to Decide, instead of deciding itself with Transition.
type Decider interface {
	Store
	// Decide works like Queue.Do, on the host, by that host's clock and rules. ErrUnreachable if the host cannot be
	// reached now; the command may have taken effect all the same, and can be sent again.
	Decide(ctx context.Context, id string, c Command) (Session, error)
}

// HostState describes the connection to another host.
type HostState struct {
	Host      string
	Connected bool
	Lost      bool  // the host was connected before
	Err       error // why the host is not connected; nil: the first attempt is under way
}
