package portal

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"

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
		uid, ok := ownerOf(c.list, netip.MustParseAddrPort(c.from), netip.MustParseAddrPort(c.to))
		require.True(t, ok, name)
		require.Equal(t, c.want, uid, name)
	}
	_, ok := ownerOf(four, netip.MustParseAddrPort("127.0.0.1:1"), netip.MustParseAddrPort("127.0.0.1:41541"))
	require.False(t, ok)
}

func binaryOrder() string {
	if end(netip.MustParseAddrPort("127.0.0.1:1"), false) == "0100007F:0001" {
		return "little"
	}
	return "big"
}

func TestAConnectionOfAnotherUserIsRefusedBeforeAnythingElseOfIt(t *testing.T) {
	r := newRig(t)
	d := newDoor(r.here, r.access, &pages{}, nil)
	from, to := netip.MustParseAddrPort("127.0.0.1:54321"), netip.MustParseAddrPort("127.0.0.1:"+r.here.port)
	for uid, want := range map[int]int{os.Geteuid(): http.StatusOK, 0: http.StatusOK, 4242: http.StatusForbidden} {
		d.sockets = func() []string {
			return []string{"", ends(from, to, false) + fmt.Sprintf("01 0:0 00:0 0  %d 0 1 1\n", uid)}
		}
		ask := httptest.NewRequest(http.MethodGet, "/?t="+tokenIn(r.Link("")), nil)
		ask.Host, ask.RemoteAddr = to.String(), from.String()
		ask = ask.WithContext(context.WithValue(t.Context(), http.LocalAddrContextKey, net.TCPAddrFromAddrPort(to)))
		w := httptest.NewRecorder()
		d.ServeHTTP(w, ask)
		require.Equal(t, want, w.Code, uid)
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
		out, err := cmd.Output()
		require.NoError(t, err)
		return string(out)
	}
	require.Equal(t, fmt.Sprint(http.StatusForbidden), as(65534))
	require.Equal(t, fmt.Sprint(http.StatusOK), as(0))
}
