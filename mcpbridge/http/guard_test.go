package http

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// raw sends a request byte for byte, because HTTP clients refuse some requests.
func (w *web) raw(method, path string, headers ...string) *http.Response {
	w.t.Helper()
	conn, err := net.Dial("tcp", w.addr)
	require.NoError(w.t, err)
	defer conn.Close()
	require.NoError(w.t, conn.SetDeadline(time.Now().Add(10*time.Second)))
	body := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	if method != http.MethodPost {
		body = ""
	}
	fmt.Fprintf(conn, "%s %s HTTP/1.1\r\n%s\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: %d\r\n\r\n%s",
		method, path, strings.Join(headers, "\r\n"), len(body), body)
	res, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	require.NoError(w.t, err)
	res.Body.Close()
	return res
}

func TestHTTPLetsInOnlyWhoKnowsHostOriginAndToken(t *testing.T) {
	w := newWeb(t)
	_, port, _ := net.SplitHostPort(w.addr)
	host, auth := "Host: 127.0.0.1:"+port, "Authorization: Bearer "+webToken
	for _, c := range []struct {
		name    string
		headers []string
		want    int
	}{
		{"all right", []string{host, auth}, 200},
		{"localhost", []string{"Host: localhost:" + port, auth}, 200},
		{"LOCALHOST", []string{"Host: LOCALHOST:" + port, auth}, 200},
		{"IPv6", []string{"Host: [::1]:" + port, auth}, 200},
		{"scheme in lower case", []string{host, "Authorization: bearer " + webToken}, 200},
		{"our own origin", []string{host, auth, "Origin: http://127.0.0.1:" + port}, 200},
		{"a rebound name", []string{"Host: evil.example:" + port, auth}, 403},
		{"a rebound name that begins well", []string{"Host: 127.0.0.1.evil.example:" + port, auth}, 403},
		{"a rebound name and its origin", []string{"Host: evil.example:" + port, auth, "Origin: http://evil.example:" + port}, 403},
		{"localhost below another name", []string{"Host: localhost.evil.example:" + port, auth}, 403},
		{"another port", []string{"Host: 127.0.0.1:1", auth}, 403},
		{"no port", []string{"Host: 127.0.0.1", auth}, 403},
		{"another address of this machine", []string{"Host: 127.0.0.2:" + port, auth}, 403},
		{"no host", []string{"Host:", auth}, 403},
		{"evil origin", []string{host, auth, "Origin: http://evil.example"}, 403},
		{"null origin", []string{host, auth, "Origin: null"}, 403},
		{"empty origin", []string{host, auth, "Origin:"}, 403},
		{"another port's origin", []string{host, auth, "Origin: http://127.0.0.1:1"}, 403},
		{"origin with another scheme", []string{host, auth, "Origin: https://127.0.0.1:" + port}, 403},
		{"two origins", []string{host, auth, "Origin: http://127.0.0.1:" + port, "Origin: http://evil.example"}, 403},
		{"a page of another site without origin", []string{host, auth, "Sec-Fetch-Site: cross-site"}, 403},
		{"host is judged before the token", []string{"Host: evil.example"}, 403},
		{"no token", []string{host}, 401},
		{"another token", []string{host, "Authorization: Bearer " + webToken + "x"}, 401},
		{"part of the token", []string{host, "Authorization: Bearer " + webToken[:8]}, 401},
		{"empty token", []string{host, "Authorization: Bearer "}, 401},
		{"another scheme", []string{host, "Authorization: Basic " + webToken}, 401},
		{"two tokens", []string{host, auth, "Authorization: Bearer x"}, 401},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, w.raw(http.MethodPost, Path, c.headers...).StatusCode)
			if c.want == 200 {
				return
			}
			for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodOptions, http.MethodHead} {
				if c.name == "a page of another site without origin" && method != http.MethodDelete {
					continue // a GET changes nothing, and needs the token anyway
				}
				assert.Equal(t, c.want, w.raw(method, Path, c.headers...).StatusCode, method)
			}
		})
	}
}

func TestHTTPSaysHowToAuthenticate(t *testing.T) {
	w := newWeb(t)
	assert.Equal(t, `Bearer realm="choicetui"`, w.raw(http.MethodPost, Path, "Host: "+w.addr).Header.Get("WWW-Authenticate"))
	wrong := w.raw(http.MethodPost, Path, "Host: "+w.addr, "Authorization: Bearer no")
	assert.Equal(t, `Bearer realm="choicetui", error="invalid_token"`, wrong.Header.Get("WWW-Authenticate"))
	assert.Empty(t, wrong.Header.Get("Access-Control-Allow-Origin"))
}

func TestHTTPServesOnePath(t *testing.T) {
	w := newWeb(t)
	for _, path := range []string{"/", "/mcp/", "/mcp/x", "/.well-known/oauth-protected-resource", "//mcp"} {
		assert.Equal(t, http.StatusNotFound, w.raw(http.MethodPost, path, "Host: "+w.addr, "Authorization: Bearer "+webToken).StatusCode, path)
	}
	assert.Equal(t, http.StatusMethodNotAllowed, w.raw(http.MethodPut, Path, "Host: "+w.addr, "Authorization: Bearer "+webToken).StatusCode)
	assert.Equal(t, http.StatusMethodNotAllowed, w.raw(http.MethodGet, Path, "Host: "+w.addr, "Authorization: Bearer "+webToken).StatusCode)
}

func TestHTTPAllowsTheNameAndTheAddressItWasGiven(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	g := newGuard(Options{Listener: l, Token: webToken, Host: "box.example"}, nil)
	for host, want := range map[string]bool{
		"box.example:" + port: true, "box.example": false, "192.0.2.7:" + port: false, "other.example:" + port: false,
	} {
		assert.Equal(t, want, g.allowsHost(&http.Request{Host: host}), host)
	}
	assert.Equal(t, []string{"localhost:80", "localhost"}, hostsOf("localhost", "80"))
	assert.Equal(t, []string{"[::1]:4711"}, hostsOf("::1", "4711"))
}

func TestHTTPNeedsAToken(t *testing.T) {
	assert.Error(t, Serve(t.Context(), nil, Options{}))
}
