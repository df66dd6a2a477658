package portal

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"time"

	"golang.org/x/time/rate"
)

// Other users of the machine can reach the port of this entrance too, and could have seen a link among the arguments of
// the program that opens the browser, or listened on the port while no portal ran. So a connection is let in only if
// the kernel says, at the moment it is accepted, that the socket at its other end belongs to this user or to root and
// is connected. A socket that was closed meanwhile has no owner any more, and nobody waits for an answer there.

// errNoOwners says that the system cannot be asked whose socket it is.
var errNoOwners = errors.New("the system does not say whose socket it is")

// ownPort accepts connections of this user and of root, and closes those of others without reading from them.
type ownPort struct {
	net.Listener
	now       func() time.Time
	owner     func(there, here netip.AddrPort) (uid int, connected bool, err error)
	strangers *rate.Limiter // connections of others; more of them wait, so that they cost little
}

// strangersASecond limits the connections of other users that are checked in a second: each costs about 0.06 ms of CPU.
// backlog limits the connections that wait meanwhile, the person's own among them; the kernel turns away any more, and
// a browser tries again.
const (
	strangersASecond = 100
	backlog          = 32
)

func newOwnPort(l net.Listener, now func() time.Time) *ownPort {
	shortenBacklog(l)
	return &ownPort{Listener: l, owner: ownerOf, now: now,
		strangers: rate.NewLimiter(strangersASecond, strangersASecond)}
}

// Accept returns the next connection of this user or of root.
func (p *ownPort) Accept() (net.Conn, error) {
	for {
		conn, err := p.Listener.Accept()
		if err != nil || p.ours(conn) {
			return conn, err
		}
		_ = conn.Close()
		if !p.strangers.AllowN(p.now(), 1) {
			time.Sleep(time.Second / strangersASecond)
		}
	}
}

// ours reports whether a program of this user, or of root, is at the other end. Where the system cannot be asked, as on
// macOS, everybody who reaches the port is let in.
func (p *ownPort) ours(conn net.Conn) bool {
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
