//go:build !linux

package door

import (
	"net"
	"net/netip"
)

// shortenBacklog does nothing, because on this system every connection is accepted.
func shortenBacklog(net.Listener) {}

// ownerOf returns errNoOwners: this system does not report the owner of a socket.
func ownerOf(netip.AddrPort, netip.AddrPort) (uid int, connected bool, err error) {
	return 0, false, errNoOwners
}
