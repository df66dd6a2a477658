package portal

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// entrance is one address at which the portal accepts requests.
type entrance struct {
	scheme string   // http, or https for other machines
	hosts  []string // the accepted Host headers, with the port
	port   string
	remote bool // other machines can reach it, so only paired devices are let in
}

// cookieName returns the name of the cookies of this entrance. It contains the port, because browsers send a cookie to
// every port of a host.
func (e entrance) cookieName() string {
	if e.scheme == "https" {
		return "__Host-choicetui-" + e.port
	}
	return "choicetui-" + e.port
}

// isOurHost reports whether the Host header is one of this entrance. This stops DNS rebinding: a hostile page whose
// name resolves to 127.0.0.1 sends that name, while its Origin looks consistent.
func (e entrance) isOurHost(r *http.Request) bool {
	return slices.ContainsFunc(e.hosts, func(host string) bool { return strings.EqualFold(host, r.Host) })
}

// sameOrigin reports whether a request has no Origin header, or exactly the origin of this entrance. It is checked for
// every method, and before an upgrade to a WebSocket. Sec-Fetch-Site, which browsers send too, must agree, except that
// any page may lead the person here with a link.
func (e entrance) sameOrigin(r *http.Request) bool {
	for _, origin := range r.Header.Values("Origin") {
		if !strings.EqualFold(origin, e.scheme+"://"+r.Host) {
			return false
		}
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return true
	}
	return r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document" &&
		r.Method == http.MethodGet
}

// cookieValues returns the values of our cookies in a request: that of the page, and those of links for one question.
func (e entrance) cookieValues(r *http.Request) (values []string) {
	name := e.cookieName()
	for _, c := range r.Cookies() {
		if c.Name == name || strings.HasPrefix(c.Name, name+"-") && c.Name != name+visitEnding {
			values = append(values, c.Value)
		}
	}
	return values
}

// visitEnding is the suffix of the cookie of a browser that opened a link and has not exchanged its token yet.
const visitEnding = "-visit"

// visitOf returns the value of the cookie with visitEnding; empty: it is not set.
func (e entrance) visitOf(r *http.Request) string {
	c, err := r.Cookie(e.cookieName() + visitEnding)
	if err != nil {
		return ""
	}
	return c.Value
}

// setVisit sets the cookie with which a browser that opened a link may load the files of the page, so that it can
// exchange the token.
func (e entrance) setVisit(w http.ResponseWriter, visitor string) {
	e.setCookie(w, visitEnding, visitor, int(visitFor.Seconds()))
}

// setCookie sets a cookie for this entrance. age is in seconds; 0: until the browser is closed.
func (e entrance) setCookie(w http.ResponseWriter, ending, value string, age int) {
	http.SetCookie(w, &http.Cookie{Name: e.cookieName() + ending, Value: value, Path: "/", MaxAge: age, HttpOnly: true,
		SameSite: http.SameSiteStrictMode, Secure: e.scheme == "https"})
}

// setHeaders sets the security headers of a response. Some browsers do not apply 'self' to WebSockets, so the
// WebSocket's address is added.
func (e entrance) setHeaders(h http.Header, r *http.Request) {
	connect := "'self'"
	if e.isOurHost(r) {
		connect += " " + strings.Replace(e.scheme, "http", "ws", 1) + "://" + r.Host
	}
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src "+connect+
		"; img-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

const tooMany = "too many requests: try again in a minute"

// refuse answers with one sentence as JSON, which no browser shows as a page.
func refuse(w http.ResponseWriter, status int, sentence string) {
	reply(w, status, map[string]string{"error": sentence})
}

// reply answers with a status and a value as JSON.
func reply(w http.ResponseWriter, status int, what any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(what) // after an error the client is gone
}

// refuseStranger answers 401: to a person with a page that says how to get a link, to a program with a sentence.
func refuseStranger(w http.ResponseWriter, r *http.Request) {
	if !strings.Contains(r.Header.Get("Accept"), "text/html") && !isPage(r.URL.Path) {
		refuse(w, http.StatusUnauthorized, linkWanted)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(http.StatusUnauthorized)
	if r.Method != http.MethodHead {
		_, _ = w.Write([]byte(strangersPage))
	}
}

const linkHow = "A link works once and expires soon. On the machine where choicetui runs, type"

// strangersPage is the page for browsers that are not let in. It contains no script, no style and nothing from the
// request.
const strangersPage = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>choicetui</title>
<h1>This page needs a new link</h1>
<p>` + linkHow + ` <code>` + linkCommand + `</code>.</p>
</html>
`

// takeSecret removes the page's secret from a request and returns it. A page cannot set headers for a WebSocket, so it
// sends the secret as the first subprotocol. The handlers behind the door see only the other subprotocols.
func takeSecret(h http.Header) string {
	const name = "Sec-Websocket-Protocol"
	first, others, _ := strings.Cut(strings.Join(h.Values(name), ","), ",")
	secret, ok := strings.CutPrefix(strings.TrimSpace(first), "secret.")
	if !ok {
		return ""
	}
	h.Set(name, strings.TrimSpace(others))
	return secret
}

// closableResponse is a response whose connection another goroutine can close, even after it became a WebSocket.
type closableResponse struct {
	http.ResponseWriter
	end context.CancelFunc

	mu   sync.Mutex
	conn net.Conn
	over bool
}

// Hijack lets another handler take over the connection, and remembers it for hangUp.
func (l *closableResponse) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(l.ResponseWriter).Hijack()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.conn = conn
	if err == nil && l.over {
		return nil, nil, errors.Join(net.ErrClosed, conn.Close())
	}
	return conn, rw, err
}

// hangUp cancels the request's context and closes its connection at once.
func (l *closableResponse) hangUp() {
	l.end()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
	switch conn := l.conn.(type) {
	case nil:
	case *tls.Conn: // its own Close would wait to send a last message
		_ = conn.NetConn().Close()
	default:
		_ = conn.Close()
	}
}
