package door

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// established is the kernel's number for the state of a connected socket.
const established = 1

// ownerOf asks the kernel who owns the socket at the other end of a connection, and whether it is connected. It asks
// for this one socket (sock_diag(7)). If that is not possible, as in some containers, it searches the list of all
// sockets. The error is errNoOwners if neither works.
func ownerOf(there, here netip.AddrPort) (uid int, connected bool, err error) {
	uid, connected, err = askForSocket(there, here)
	switch {
	case err == nil:
		return uid, connected, nil
	case errors.Is(err, unix.ENOENT) && kernelAnswers():
		return 0, false, nil // closed meanwhile; searching the list would cost ten times as much
	}
	lists, unread := socketLists()
	for _, list := range lists {
		if uid, state, ok := findListed(list, there, here); ok {
			return uid, state == established, nil
		}
	}
	if len(lists) == 0 && unread == nil && !isShort(err) {
		return 0, false, errNoOwners
	}
	return 0, false, errors.Join(err, unread)
}

// isShort reports whether a call failed because something that the kernel gives out is used up: descriptors or memory.
// It says nothing about whether owners are known on this machine.
func isShort(err error) bool {
	return slices.ContainsFunc([]error{unix.EMFILE, unix.ENFILE, unix.ENOMEM, unix.ENOBUFS}, func(e error) bool {
		return errors.Is(err, e)
	})
}

// kernelAnswers reports whether the kernel can be asked for one socket. It asks for a socket that certainly exists,
// because a kernel without the module for such questions answers that no socket exists.
var kernelAnswers = sync.OnceValue(func() bool {
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
	_, connected, err := askForSocket(there.AddrPort(), here.AddrPort())
	return err == nil && connected
})

// shortenBacklog reduces the number of connections that wait to be accepted. listen(2) may be called again for that.
func shortenBacklog(l net.Listener) {
	tcp, ok := l.(*net.TCPListener)
	if !ok {
		return
	}
	if conn, err := tcp.SyscallConn(); err == nil {
		// after an error only the number of connections that may wait is larger
		_ = conn.Control(func(fd uintptr) { _ = unix.Listen(int(fd), backlog) })
	}
}

// askForSocket asks for one socket by its two addresses. An IPv4 address may belong to an IPv6 socket, so it tries both
// families.
func askForSocket(there, here netip.AddrPort) (uid int, connected bool, err error) {
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
		if uid, connected, err = askFamily(fd, family, there, here); err == nil {
			return uid, connected, nil
		}
	}
	return 0, false, err
}

// Sizes of the messages to and from the kernel: nlmsghdr, inet_diag_req_v2 and inet_diag_msg of linux/inet_diag.h.
const (
	sizeOfHeader  = 16
	sizeOfRequest = 56
	sizeOfAnswer  = 72
)

// askFamily asks for a socket of one address family.
func askFamily(fd int, family uint8, there, here netip.AddrPort) (uid int, connected bool, err error) {
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
	copy(r[12:28], addressBytes(there.Addr(), family))
	copy(r[28:44], addressBytes(here.Addr(), family))
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
	return int(order.Uint32(m[64:])), m[1] == established, nil // idiag_uid, idiag_state
}

// addressBytes returns the bytes of an address in a family.
func addressBytes(a netip.Addr, family uint8) []byte {
	if family == unix.AF_INET {
		four := a.Unmap().As4()
		return four[:]
	}
	six := a.As16()
	return six[:]
}

// socketLists returns the kernel's lists of TCP sockets. unread is the error of a list that exists and was not read.
func socketLists() (lists []string, unread error) {
	for _, name := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		switch raw, err := os.ReadFile(name); {
		case err == nil:
			lists = append(lists, string(raw))
		case !errors.Is(err, fs.ErrNotExist):
			unread = err
		}
	}
	return lists, unread
}

// findListed searches a list of sockets for the one between two addresses, and returns its user and state; false: it is
// not there.
func findListed(list string, from, to netip.AddrPort) (uid, state int, ok bool) {
	for _, long := range []bool{false, true} {
		_, found, is := strings.Cut(list, listRow(from, to, long))
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

// listRow returns both addresses of a socket as a row of the list has them. long: IPv4 addresses are written as IPv6.
func listRow(from, to netip.AddrPort, long bool) string {
	return listAddress(from, long) + " " + listAddress(to, long) + " "
}

// listAddress returns an address as the kernel writes it: groups of four bytes in the machine's byte order, then the
// port.
func listAddress(a netip.AddrPort, long bool) string {
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
