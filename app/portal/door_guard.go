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

// entrance is one address at which the portal answers.
type entrance struct {
	scheme string   // http, or https for other machines
	hosts  []string // as they stand in Host, port included; nothing else is served
	port   string
	remote bool // other machines reach it: only paired devices are let in
}

// cookie returns the name of the cookies here. Browsers do not tell ports apart, so the name does.
func (e entrance) cookie() string {
	if e.scheme == "https" {
		return "__Host-choicetui-" + e.port
	}
	return "choicetui-" + e.port
}

// ours holds Host against the exact list. A page of a name that was made to mean 127.0.0.1 sends that name: no check
// of the Origin sees it (DNS rebinding).
func (e entrance) ours(r *http.Request) bool {
	return slices.ContainsFunc(e.hosts, func(host string) bool { return strings.EqualFold(host, r.Host) })
}

// sameOrigin accepts a request without Origin or with exactly our own, for every method and before an upgrade. Browsers
// also send Sec-Fetch-Site, which must agree; but any page may lead the person here by a link.
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

// cookies returns the values of ours in a request: the page's, and those of links that open one question.
func (e entrance) cookies(r *http.Request) (values []string) {
	for _, c := range r.Cookies() {
		if c.Name == e.cookie() || strings.HasPrefix(c.Name, e.cookie()+"-") && c.Name != e.cookie()+visitEnding {
			values = append(values, c.Value)
		}
	}
	return values
}

// visitEnding ends the name of the cookie of somebody who opened a link and has not exchanged its token yet.
const visitEnding = "-visit"

// visit returns the value of that cookie; empty: it is not set.
func (e entrance) visit(r *http.Request) string {
	c, err := r.Cookie(e.cookie() + visitEnding)
	if err != nil {
		return ""
	}
	return c.Value
}

// letLook lets the browser that opened a link load what the page is made of, so that it can exchange the token.
func (e entrance) letLook(w http.ResponseWriter, visitor string) {
	e.setCookie(w, visitEnding, visitor, int(visitFor.Seconds()))
}

// setCookie sets a cookie for this entrance; no age: until the browser is closed.
func (e entrance) setCookie(w http.ResponseWriter, ending, value string, age int) {
	http.SetCookie(w, &http.Cookie{Name: e.cookie() + ending, Value: value, Path: "/", MaxAge: age, HttpOnly: true,
		SameSite: http.SameSiteStrictMode, Secure: e.scheme == "https"})
}

// secure sets the headers of every response. Not every browser takes 'self' for WebSockets too, so their address is
// added, for a Host that is ours.
func (e entrance) secure(h http.Header, r *http.Request) {
	connect := "'self'"
	if e.ours(r) {
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

// refuse answers with one sentence: as JSON, which no browser shows as a page.
func refuse(w http.ResponseWriter, status int, sentence string) {
	reply(w, status, map[string]string{"error": sentence})
}

func reply(w http.ResponseWriter, status int, what any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(what) // who asked is gone: there is nobody to tell
}

// unknown answers 401: a page for people that names the way in, and a sentence for programs.
func unknown(w http.ResponseWriter, r *http.Request) {
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

const linkHow = "A link works once, and not for long. On the machine where choicetui runs, type"

// strangersPage holds no script, no style and nothing of the request.
const strangersPage = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>choicetui</title>
<h1>This page needs a new link</h1>
<p>` + linkHow + ` <code>` + linkCommand + `</code>.</p>
</html>
`

// takeSecret takes the page's secret out of a request: it travels as the first WebSocket subprotocol, since a page can
// send no header of its own there. What is behind the door sees the other subprotocols only.
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

// lineOut is a response that can be cut off, also after it became a WebSocket.
type lineOut struct {
	http.ResponseWriter
	end context.CancelFunc

	mu   sync.Mutex
	conn net.Conn
	over bool
}

// Hijack lets another handler take over the connection, but keeps hold of it.
func (l *lineOut) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(l.ResponseWriter).Hijack()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.conn = conn
	if err == nil && l.over {
		return nil, nil, errors.Join(net.ErrClosed, conn.Close())
	}
	return conn, rw, err
}

// hangUp ends the page's context and its connection at once.
func (l *lineOut) hangUp() {
	l.end()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
	switch conn := l.conn.(type) {
	case nil:
	case *tls.Conn: // its own Close would wait for the other side to take a last word
		_ = conn.NetConn().Close()
	default:
		_ = conn.Close()
	}
}
