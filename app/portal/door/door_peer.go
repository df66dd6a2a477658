package door

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"time"

	"golang.org/x/time/rate"
)

// Other users of this machine can reach the port too. They may have seen a link among the arguments of the program that
// opens the browser, or have listened on the port while no portal ran. So a connection is accepted only if the kernel
// says, at that moment, that the socket at its other end is connected and belongs to this user or to root. A socket
// that was closed meanwhile has no owner, and no program waits for an answer there.

// errNoOwners says that the system does not report the owner of a socket.
var errNoOwners = errors.New("the system does not say who owns the socket")

// ownPort is a listener that accepts connections of this user and of root, and closes all others without reading from
// them.
type ownPort struct {
	net.Listener
	now       func() time.Time
	owner     func(there, here netip.AddrPort) (uid int, connected bool, err error)
	strangers *rate.Limiter // limits the connections of other users, so that checking them costs little
}

// strangersASecond limits the connections of other users that are checked in a second; each check costs about 0.06 ms
// of CPU. backlog limits the connections that wait in that time, the person's own among them. The kernel rejects any
// more, and a browser tries again.
const (
	strangersASecond = 100
	backlog          = 32
)

// newOwnPort wraps a listener on a port of this machine, so that connections of other users are closed.
func newOwnPort(l net.Listener, now func() time.Time) *ownPort {
	shortenBacklog(l)
	return &ownPort{Listener: l, owner: ownerOf, now: now,
		strangers: rate.NewLimiter(strangersASecond, strangersASecond)}
}

// Accept returns the next connection of this user or of root.
func (p *ownPort) Accept() (net.Conn, error) {
	for {
		conn, err := p.Listener.Accept()
		if err != nil || p.isOurs(conn) {
			return conn, err
		}
		_ = conn.Close()
		if !p.strangers.AllowN(p.now(), 1) {
			time.Sleep(time.Second / strangersASecond)
		}
	}
}

// isOurs reports whether a program of this user or of root is at the other end. On a system that does not report
// owners, such as macOS, every connection counts as ours.
func (p *ownPort) isOurs(conn net.Conn) bool {
	there, err := netip.ParseAddrPort(conn.RemoteAddr().String())
	if err != nil {
		return false
	}
	here, err := netip.ParseAddrPort(conn.LocalAddr().String())
	if err != nil {
		return false
	}
	uid, connected, err := p.owner(there, here)
	if errors.Is(err, errNoOwners) {
		return true
	}
	return err == nil && connected && (uid == 0 || uid == os.Geteuid())
}
