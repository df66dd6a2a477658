package door

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTheUserBehindAConnectionIsFoundInTheKernelsList(t *testing.T) {
	if binaryOrder() != "little" {
		t.Skip("the lists below are of a little-endian machine")
	}
	const four = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n" +
		"   0: 0100007F:A245 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1\n" +
		"   1: 0100007F:D431 0100007F:A245 01 00000000:00000000 00:00000000 00000000  1001        0 2 1\n" +
		"   2: 0100007F:A245 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 3 1\n"
	const six = "   0: 0000000000000000FFFF00000100007F:D432 0000000000000000FFFF00000100007F:A245 01 " +
		"00000000:00000000 00:00000000 00000000  1002        0 4 1\n" +
		"   1: 00000000000000000000000001000000:D433 00000000000000000000000001000000:A245 01 " +
		"00000000:00000000 00:00000000 00000000  1003        0 5 1\n"
	for name, c := range map[string]struct {
		list, from, to string
		want           int
	}{
		"IPv4":                       {four, "127.0.0.1:54321", "127.0.0.1:41541", 1001},
		"IPv4 from a socket of IPv6": {six, "127.0.0.1:54322", "127.0.0.1:41541", 1002},
		"IPv6":                       {six, "[::1]:54323", "[::1]:41541", 1003},
	} {
		uid, state, ok := findListed(c.list, netip.MustParseAddrPort(c.from), netip.MustParseAddrPort(c.to))
		require.True(t, ok, name)
		require.Equal(t, c.want, uid, name)
		require.Equal(t, established, state, name)
	}
	_, _, ok := findListed(four, netip.MustParseAddrPort("127.0.0.1:1"), netip.MustParseAddrPort("127.0.0.1:41541"))
	require.False(t, ok)
}

func binaryOrder() string {
	if listAddress(netip.MustParseAddrPort("127.0.0.1:1"), false) == "0100007F:0001" {
		return "little"
	}
	return "big"
}

func TestTheKernelSaysWhoseSocketIsAtTheOtherEnd(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	conn, err := net.Dial("tcp", l.Addr().String())
	require.NoError(t, err)
	there, here := addrOf(conn.LocalAddr()), addrOf(conn.RemoteAddr())
	uid, connected, err := ownerOf(there, here)
	require.NoError(t, err)
	require.True(t, connected)
	require.Equal(t, os.Geteuid(), uid)

	require.NoError(t, conn.Close())
	_, connected, _ = ownerOf(there, here)
	require.False(t, connected, "it has no owner any more, and root is none")
	_, connected, _ = ownerOf(netip.MustParseAddrPort("127.0.0.1:1"), here)
	require.False(t, connected, "there is no such socket")
}

func addrOf(a net.Addr) netip.AddrPort { return netip.MustParseAddrPort(a.String()) }

// oneConn is a listener with one connection.
type oneConn struct {
	net.Listener
	conns []net.Conn
}

func (l *oneConn) Accept() (net.Conn, error) {
	if len(l.conns) == 0 {
		return nil, net.ErrClosed
	}
	conn := l.conns[0]
	l.conns = l.conns[1:]
	return conn, nil
}

func TestOnlyConnectedSocketsOfThisUserAndOfRootAreLetIn(t *testing.T) {
	for name, c := range map[string]struct {
		uid       int
		connected bool
		err       error
		in        bool
	}{
		"this user":          {os.Geteuid(), true, nil, true},
		"root":               {0, true, nil, true},
		"another user":       {4242, true, nil, false},
		"closed meanwhile":   {0, false, nil, false}, // the kernel reports uid 0 for it
		"not found":          {0, false, os.ErrNotExist, false},
		"no way to find out": {0, false, errNoOwners, true},
	} {
		here, _ := net.Pipe()
		port := newOwnPort(&oneConn{conns: []net.Conn{tcpPipe{here}}}, time.Now)
		port.owner = func(netip.AddrPort, netip.AddrPort) (int, bool, error) { return c.uid, c.connected, c.err }
		_, err := port.Accept()
		require.Equal(t, c.in, err == nil, name)
	}
}

// tcpPipe is a pipe with the addresses of a TCP connection.
type tcpPipe struct{ net.Conn }

func (tcpPipe) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.MustParseAddrPort("127.0.0.1:54321"))
}
func (tcpPipe) LocalAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.MustParseAddrPort("127.0.0.1:41541"))
}

// asNobody runs a script of bash as another user.
func asNobody(t *testing.T, script string) {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil || runtime.GOOS != "linux" || os.Geteuid() != 0 {
		t.Skip("it takes root, Linux and bash to come as somebody else")
	}
	cmd := exec.Command(bash, "-c", script)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	cmd.Dir = "/"
	if err := cmd.Run(); err != nil { // the portal may have closed the connection before all was sent
		t.Log(err)
	}
}

// Another user who saw a link may send a whole request at once and close. The kernel then does not report the owner of
// the socket.
func TestAnotherUserWhoSendsAndClosesAtOnceUsesNoLinkUp(t *testing.T) {
	r := newRig(t)
	for range 20 {
		link := r.Link("")
		body := fmt.Sprintf(`{"token":"%s"}`, tokenIn(link))
		asNobody(t, fmt.Sprintf("exec 3<>/dev/tcp/127.0.0.1/%s; printf 'POST /enter HTTP/1.1\\r\\nHost: 127.0.0.1:%s\\r\\n"+
			"Content-Type: application/json\\r\\nContent-Length: %d\\r\\nConnection: close\\r\\n\\r\\n%s' >&3; exec 3>&-",
			r.here.port, r.here.port, len(body), body))
		time.Sleep(5 * time.Millisecond)
		require.Equal(t, http.StatusOK, r.browser().enter(link).status, "the person's link still works")
	}
}

func TestAnotherUserOfTheMachineIsServedNothing(t *testing.T) {
	r := newRig(t)
	require.Equal(t, http.StatusUnauthorized, r.browser().get("/").status, "this user is")
	curl, err := exec.LookPath("curl")
	if err != nil || runtime.GOOS != "linux" || os.Geteuid() != 0 {
		t.Skip("it takes root, Linux and curl to come as somebody else")
	}
	link := r.Link("")
	as := func(uid uint32) string {
		cmd := exec.Command(curl, "-s", "-o", "/dev/null", "-w", "%{http_code}", link)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
		cmd.Dir = "/"
		out, _ := cmd.Output() // it fails if the connection is closed
		return string(out)
	}
	require.Equal(t, "000", as(65534), "nothing at all comes back")
	require.Equal(t, fmt.Sprint(http.StatusOK), as(0))
}

// With the last descriptor in use nobody can be asked for the owner, which is not the same as a system without owners.
func TestAShortageOfDescriptorsLetsNobodyIn(t *testing.T) {
	if os.Getenv("PORTAL_SHORT") == "" {
		program := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^"+t.Name()+"$", "-test.v")
		program.Env = append(os.Environ(), "PORTAL_SHORT=1")
		out, err := program.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	conn, err := net.Dial("tcp", l.Addr().String())
	require.NoError(t, err)
	there, here := addrOf(conn.LocalAddr()), addrOf(conn.RemoteAddr())
	uid, connected, err := ownerOf(there, here)
	require.NoError(t, err)
	require.True(t, connected)
	require.Equal(t, os.Geteuid(), uid)

	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: 64, Max: 64}))
	var held []*os.File
	for {
		f, err := os.Open(os.DevNull)
		if err != nil {
			break
		}
		held = append(held, f)
	}
	_, _, err = ownerOf(there, here)
	require.ErrorIs(t, err, syscall.EMFILE)
	require.NotErrorIs(t, err, errNoOwners)
	port := ownPort{owner: ownerOf}
	require.False(t, port.isOurs(conn))
	for _, f := range held {
		require.NoError(t, f.Close())
	}
}
