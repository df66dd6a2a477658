package http

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHTTPBodiesInFlightShareOneLimit(t *testing.T) {
	w := newWeb(t)
	a := w.agent("x")
	const each = 15 << 20
	responses := make(chan *http.Response, 8)
	var held []net.Conn
	for range cap(responses) {
		conn, err := net.Dial("tcp", w.addr)
		require.NoError(t, err)
		defer conn.Close()
		held = append(held, conn)
		_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n"+
			"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n", Path, w.addr, webToken, each+1)
		require.NoError(t, err)
		go func() {
			if res, err := http.ReadResponse(bufio.NewReader(conn), nil); err == nil {
				responses <- res
			}
		}()
		go func() { _, _ = conn.Write(make([]byte, each)) }() // the last byte never comes
	}
	select {
	case res := <-responses:
		assert.Equal(t, http.StatusServiceUnavailable, res.StatusCode)
		assert.NotEmpty(t, res.Header.Get("Retry-After"))
		text, err := bufio.NewReader(res.Body).ReadString('}')
		require.NoError(t, err)
		assert.Contains(t, text, "too much is being sent at once")
	case <-time.After(10 * time.Second):
		require.Fail(t, "nothing was refused")
	}
	require.Eventually(t, func() bool { return total(w) >= 4*each }, 10*time.Second, 5*time.Millisecond)
	assert.Less(t, total(w), int64(maxBodies+forSmall))
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	assert.Equal(t, http.StatusOK, a.status(http.MethodPost, ping), "a short one always has room")
	for _, conn := range held {
		conn.Close()
	}
	require.Eventually(t, func() bool { return total(w) == 0 }, 10*time.Second, 5*time.Millisecond)
	res := a.post(context.Background(), ping+strings.Repeat(" ", 2*smallBody))
	res.Body.Close()
	assert.Equal(t, http.StatusOK, res.StatusCode, "there is room again")
}

// total returns how many bytes of bodies are held.
func total(w *web) int64 {
	w.hs.bodies.mu.Lock()
	defer w.hs.bodies.mu.Unlock()
	return w.hs.bodies.held
}
