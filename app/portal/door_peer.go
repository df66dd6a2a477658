package portal

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strconv"
	"strings"
)

// sameUser reports whether a request comes from a program of this user, or of root, as far as the kernel tells. Others
// of the machine can reach the port too, and could have seen a link among the arguments of the program that opens the
// browser, or listened on the port while no portal ran.
func (d *door) sameUser(r *http.Request) bool {
	there, err := netip.ParseAddrPort(r.RemoteAddr)
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if err != nil || local == nil {
		return true
	}
	here, err := netip.ParseAddrPort(local.String())
	if err != nil {
		return true
	}
	for _, list := range d.sockets() {
		if uid, ok := ownerOf(list, there, here); ok {
			return uid == 0 || uid == os.Geteuid()
		}
	}
	return true
}

// socketLists are the lists of TCP sockets on Linux; elsewhere there are none.
func socketLists() (lists []string) {
	for _, name := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		if raw, err := os.ReadFile(name); err == nil {
			lists = append(lists, string(raw))
		}
	}
	return lists
}

// ownerOf is the user of the socket between two ends, in a list of sockets; false: it is not there.
func ownerOf(list string, from, to netip.AddrPort) (uid int, ok bool) {
	for _, ends := range []string{ends(from, to, false), ends(from, to, true)} {
		_, found, is := strings.Cut(list, ends)
		if !is {
			continue
		}
		line, _, _ := strings.Cut(found, "\n")
		if fields := strings.Fields(line); len(fields) > 4 { // state, queues, timer, retransmits, uid
			uid, err := strconv.Atoi(fields[4])
			return uid, err == nil
		}
	}
	return 0, false
}

// ends is how a list names both ends of a socket. An IPv4 address may stand there as one of IPv6.
func ends(from, to netip.AddrPort, long bool) string {
	return end(from, long) + " " + end(to, long) + " "
}

// end is an address as the kernel writes it: words of four bytes in the machine's order, and the port.
func end(a netip.AddrPort, long bool) string {
	ip := a.Addr().Unmap()
	raw := ip.AsSlice()
	if wide := ip.As16(); long {
		raw = wide[:]
	}
	words := make([]byte, len(raw))
	for i := 0; i < len(raw); i += 4 {
		binary.BigEndian.PutUint32(words[i:], binary.NativeEndian.Uint32(raw[i:]))
	}
	return fmt.Sprintf("%s:%04X", strings.ToUpper(hex.EncodeToString(words)), a.Port())
}
