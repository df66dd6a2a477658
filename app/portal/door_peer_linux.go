package portal

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// established is the state of a socket that is connected, as the kernel numbers them.
const established = 1

// ownerOf asks the kernel for the socket at the other end of a connection: whose it is, and whether it is connected. It
// asks for this one alone (sock_diag(7)), and where that is not possible, as in some containers, it looks through the
// list of all. The error is errNoOwners where neither can be read.
func ownerOf(there, here netip.AddrPort) (uid int, connected bool, err error) {
	uid, connected, err = askFor(there, here)
	switch {
	case err == nil:
		return uid, connected, nil
	case errors.Is(err, unix.ENOENT) && answersFor():
		return 0, false, nil // it was closed; to look through the list costs ten times as much
	}
	lists := socketLists()
	for _, list := range lists {
		if uid, state, ok := listed(list, there, here); ok {
			return uid, state == established, nil
		}
	}
	if len(lists) == 0 {
		return 0, false, errNoOwners
	}
	return 0, false, err
}

// answersFor reports whether the kernel can be asked for one socket: where its module for that is missing, it answers
// as if the socket were not there.
var answersFor = sync.OnceValue(func() bool {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return false
	}
	defer l.Close()
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		return false
	}
	defer conn.Close()
	there, here := conn.LocalAddr().(*net.TCPAddr), l.Addr().(*net.TCPAddr)
	_, connected, err := askFor(there.AddrPort(), here.AddrPort())
	return err == nil && connected
})

// shortenBacklog has fewer connections wait to be accepted; listen(2) may be called again for that.
func shortenBacklog(l net.Listener) {
	tcp, ok := l.(*net.TCPListener)
	if !ok {
		return
	}
	if conn, err := tcp.SyscallConn(); err == nil {
		_ = conn.Control(func(fd uintptr) { _ = unix.Listen(int(fd), backlog) }) // without it the wait is longer
	}
}

// askFor asks for one socket by both its ends. An IPv4 address may be that of a socket of IPv6.
func askFor(there, here netip.AddrPort) (uid int, connected bool, err error) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_SOCK_DIAG)
	if err != nil {
		return 0, false, err
	}
	defer unix.Close(fd)
	families := []uint8{unix.AF_INET, unix.AF_INET6}
	if there.Addr().Unmap().Is6() {
		families = families[1:]
	}
	for _, family := range families {
		if uid, connected, err = askOf(fd, family, there, here); err == nil {
			return uid, connected, nil
		}
	}
	return 0, false, err
}

// The sizes of what goes to the kernel and comes back: nlmsghdr, inet_diag_req_v2 and inet_diag_msg of
// linux/inet_diag.h.
const (
	sizeOfHeader  = 16
	sizeOfRequest = 56
	sizeOfAnswer  = 72
)

// askOf asks for a socket of one family.
func askOf(fd int, family uint8, there, here netip.AddrPort) (uid int, connected bool, err error) {
	const byFamily = 20 // SOCK_DIAG_BY_FAMILY
	b := make([]byte, sizeOfHeader+sizeOfRequest)
	order := binary.NativeEndian
	order.PutUint32(b[0:], uint32(len(b)))
	order.PutUint16(b[4:], byFamily)
	order.PutUint16(b[6:], unix.NLM_F_REQUEST)
	r := b[sizeOfHeader:]
	r[0], r[1] = family, unix.IPPROTO_TCP
	order.PutUint32(r[4:], ^uint32(0)) // in any state
	binary.BigEndian.PutUint16(r[8:], there.Port())
	binary.BigEndian.PutUint16(r[10:], here.Port())
	copy(r[12:28], raw(there.Addr(), family))
	copy(r[28:44], raw(here.Addr(), family))
	order.PutUint64(r[48:], ^uint64(0)) // no cookie
	if err := unix.Sendto(fd, b, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return 0, false, err
	}
	answer := make([]byte, 4096)
	n, _, err := unix.Recvfrom(fd, answer, 0)
	if err != nil {
		return 0, false, err
	}
	if n < sizeOfHeader {
		return 0, false, errors.New("short answer of the kernel")
	}
	kind, m := order.Uint16(answer[4:]), answer[sizeOfHeader:n]
	switch {
	case kind == unix.NLMSG_ERROR && len(m) >= 4:
		return 0, false, unix.Errno(-int32(order.Uint32(m)))
	case kind != byFamily || len(m) < sizeOfAnswer:
		return 0, false, fmt.Errorf("unknown answer of the kernel: %d", kind)
	}
	return int(order.Uint32(m[64:])), m[1] == established, nil
}

// raw returns an address in the bytes of a family.
func raw(a netip.Addr, family uint8) []byte {
	if family == unix.AF_INET {
		four := a.Unmap().As4()
		return four[:]
	}
	six := a.As16()
	return six[:]
}

// socketLists returns the kernel's lists of TCP sockets.
func socketLists() (lists []string) {
	for _, name := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		if raw, err := os.ReadFile(name); err == nil {
			lists = append(lists, string(raw))
		}
	}
	return lists
}

// listed returns the user and the state of the socket between two ends, in a list of sockets; false: it is not there.
func listed(list string, from, to netip.AddrPort) (uid, state int, ok bool) {
	for _, ends := range []string{ends(from, to, false), ends(from, to, true)} {
		_, found, is := strings.Cut(list, ends)
		if !is {
			continue
		}
		line, _, _ := strings.Cut(found, "\n")
		if fields := strings.Fields(line); len(fields) > 4 { // state, queues, timer, retransmits, uid
			uid, err := strconv.Atoi(fields[4])
			state, bad := strconv.ParseInt(fields[0], 16, 8)
			return uid, int(state), err == nil && bad == nil
		}
	}
	return 0, 0, false
}

// ends returns both ends of a socket in the form of a list's row. An IPv4 address may be written as one of IPv6.
func ends(from, to netip.AddrPort, long bool) string {
	return end(from, long) + " " + end(to, long) + " "
}

// end returns an address as the kernel writes it: words of four bytes in the machine's order, and the port.
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
