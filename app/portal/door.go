// Package portal serves the dashboard as pages in a browser. The desk (queue/desk) holds the pending questions and
// stores the answers. Each open page has a view there, as a full screen has one: the view holds the form of the
// question that the page shows.
//
//	browser ─► door: who is it, and what may it do? ─► Pages.Live ─► page ─► the view's form, the desk
//	   ▲                                                              │
//	   └──── parts of the page as HTML, texts, times, keys ◄── view ──┘
//
// The page sends the person's input: a key, a click or a text. The form of queue/form turns it into a new state, from
// which the page is drawn here in the words of panes/say. The page's JavaScript does not decide what a valid answer is.
//
//	request ─► door: Host, Origin ─┬─► POST /enter: a one-time token becomes a cookie and a secret (access)
//	                               ├─► GET / and /choice/<id>: token or cookie ─► the empty page
//	                               ├─► GET /live: cookie and secret ─► Grant ─► the page's WebSocket
//	                               └─► /control/*: requests of this user's other processes, by the 0600 file
//
// Whoever can reach the port is a stranger without a cookie and a secret: pages of other sites, other users of the
// machine, programs that cannot read the person's files. docs/security.md names each way in and its test.
package portal

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"mime"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/time/rate"

	"github.com/choicetui/choicetui/queue"
)

// Grant describes the rights of a page. The door creates one for every page that it lets in.
type Grant struct {
	Only   string // the one question that this link opens; empty: everything
	Given  string // the short name of the agent that was given the link; empty: the person's own link
	Device string // the paired device's id; empty: this machine

	used func()
}

// MaySettings reports whether the page may change settings: neither a paired device nor a link for one question may.
func (g Grant) MaySettings() bool { return g.Only == "" && g.Device == "" }

// MayList reports whether the page may show other pending questions and past answers.
func (g Grant) MayList() bool { return g.Only == "" }

// MayOpen reports whether the page may show a session and act on it. A link for one question opens only that, and no
// approval or question with a confirmation: for those the person must open the page themselves.
func (g Grant) MayOpen(s queue.Session) bool {
	return g.Only == "" || s.ID == g.Only && givable(s)
}

// Used notes that the person did something on the page. A web session ends after twelve hours without use.
func (g Grant) Used() {
	if g.used != nil {
		g.used()
	}
}

// givable reports whether the agent that asks a question may be given a link to it.
func givable(s queue.Session) bool {
	return s.Ask.Kind != queue.KindApproval && !s.Ask.Confirm && !s.IsMessage()
}

// Behind serves the requests that the door has accepted. The door has already checked Host, Origin, cookie and secret.
type Behind interface {
	// Live upgrades the request to a WebSocket. It returns when that is closed or the request's context ends.
	Live(w http.ResponseWriter, r *http.Request, g Grant)
	// Shell serves the page without any question.
	Shell(w http.ResponseWriter, r *http.Request)
	// Asset serves the files of the page, below /assets/.
	Asset(w http.ResponseWriter, r *http.Request)
	// Looking returns the number of connected pages.
	Looking() int
}

// door handles the requests of one entrance.
type door struct {
	entrance
	access  *access
	behind  Behind
	control http.Handler // nil: this entrance serves no requests of other choicetui processes
	cross   *http.CrossOriginProtection
	knocks  *rate.Limiter // limits the requests of browsers and programs that are not let in
}

// newDoor returns the door of an entrance. control is nil if the entrance serves no requests of other processes.
func newDoor(e entrance, a *access, behind Behind, control http.Handler) *door {
	return &door{entrance: e, access: a, behind: behind, control: control, cross: http.NewCrossOriginProtection(),
		knocks: rate.NewLimiter(knocksASecond, mostKnocks)}
}

// ServeHTTP answers a request, after it has checked from where the request comes.
func (d *door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.setHeaders(w.Header(), r)
	r.Body = http.MaxBytesReader(w, r.Body, mostBody)
	switch {
	case !d.isOurHost(r):
		refuse(w, http.StatusForbidden, "this Host is not served here")
	case !d.remote && forwarded(r.Header):
		refuse(w, http.StatusForbidden, "this address is for this machine alone; choicetui web --listen serves others")
	case !d.sameOrigin(r) || d.cross.Check(r) != nil:
		refuse(w, http.StatusForbidden, "pages of another origin are not served")
	case d.control != nil && strings.HasPrefix(r.URL.Path, controlPath):
		d.control.ServeHTTP(w, r)
	case r.URL.Path == "/enter":
		d.serveEnter(w, r)
	case r.URL.Path == "/live":
		d.serveLive(w, r)
	default:
		d.servePage(w, r)
	}
}

// servePage serves the files that contain no question: the empty page and its assets.
func (d *door) servePage(w http.ResponseWriter, r *http.Request) {
	inside, asset := d.access.knowsCookie(d.cookieValues(r), d.remote), strings.HasPrefix(r.URL.Path, "/assets/")
	token := r.URL.Query().Get("t")
	switch { // who may have a file at all
	case inside:
	case asset && d.access.isVisit(d.visitOf(r)):
	case isPage(r.URL.Path) && token != "" && d.access.isValid(r.Context(), token, d.remote):
		d.setVisit(w, d.access.newVisit(token))
	case !d.knocks.AllowN(d.access.now(), 1):
		refuse(w, http.StatusTooManyRequests, tooMany)
		return
	default:
		refuseStranger(w, r)
		return
	}
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, http.StatusMethodNotAllowed, r.Method+" is not served here")
	case asset:
		d.behind.Asset(w, r)
	case isPage(r.URL.Path):
		d.behind.Shell(w, r)
	default:
		refuse(w, http.StatusNotFound, "there is nothing here")
	}
}

// isPage reports whether the path is that of the list or of a question.
func isPage(path string) bool {
	id, isChoice := strings.CutPrefix(path, "/choice/")
	return path == "/" || isChoice && queue.ValidID(id)
}

// serveLive passes a WebSocket to the pages if it has the cookie and secret of a web session. When the web session
// ends, the WebSocket is closed at once.
func (d *door) serveLive(w http.ResponseWriter, r *http.Request) {
	secret := takeSecret(r.Header)
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	line := &closableResponse{ResponseWriter: w, end: cancel}
	grant, leave, err := d.access.admitPage(d.cookieValues(r), secret, d.remote, line.hangUp)
	switch {
	case err != nil && d.knocks.AllowN(d.access.now(), 1):
		refuseStranger(w, r)
		return
	case err != nil:
		refuse(w, http.StatusTooManyRequests, tooMany)
		return
	case leave == nil:
		refuse(w, http.StatusTooManyRequests, "too many pages are open")
		return
	}
	defer leave()
	if r.Method != http.MethodGet {
		refuse(w, http.StatusMethodNotAllowed, r.Method+" is not served here")
		return
	}
	d.behind.Live(line, r.WithContext(ctx), grant)
}

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

// proxied matches the names of headers that a proxy adds and no browser sends to a server of this machine.
var proxied = regexp.MustCompile(`^(Via|Proxy-|Cdn-|Cf-|Fly-|Fastly-|Ngrok-|Tailscale-|True-Client|X-Envoy-|X-Azure-|` +
	`X-Original-|X-Rewrite-|X-Real-|X-Host$|X-Proxy)|Forwarded|Client-?Ip|Cluster-Client`)

// forwarded reports whether a proxy passed a request on. Behind a proxy the page of this machine would be open to
// wherever the proxy listens, with this machine's full rights.
func forwarded(h http.Header) bool {
	for name := range h {
		if proxied.MatchString(http.CanonicalHeaderKey(strings.ReplaceAll(name, "_", "-"))) {
			return true
		}
	}
	return false
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
		r.Method == http.MethodGet && r.URL.Path != "/live"
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

const mostBody = 4 << 10 // bytes of a request's body

// serveEnter exchanges a one-time token: the browser gets a cookie that no script can read, and the page gets a secret
// that no browser sends on its own.
func (d *door) serveEnter(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		d.servePage(w, r) // a stranger gets only 401
		return
	}
	token, status := tokenOf(r)
	if status != http.StatusOK {
		refuse(w, status, "send {\"token\": \"…\"} as application/json")
		return
	}
	in, err := d.access.exchangeToken(r.Context(), token, deviceName(r.UserAgent()), d.remote)
	switch {
	case errors.Is(err, errTooOften):
		refuse(w, http.StatusTooManyRequests, tooMany)
	case errors.Is(err, errUnknown):
		refuse(w, http.StatusUnauthorized, linkWanted)
	default: // an error of the disk does not matter: the page works until the portal ends
		suffix, age := "", 0 // of the cookie's name, and in seconds
		switch {
		case in.Only != "":
			suffix, age = "-"+in.Only, int(sessionFor.Seconds())
		case in.Device != "":
			age = int(deviceFor.Seconds())
		}
		d.setCookie(w, suffix, in.cookie, age)
		d.setCookie(w, visitEnding, "", -1)
		body := map[string]string{"secret": in.secret, "path": in.path}
		if in.Only != "" {
			body["only"] = in.Only
		}
		reply(w, http.StatusOK, body)
	}
}

// tokenOf reads the token from the body of a request. status is the HTTP status of the refusal, or 200.
func tokenOf(r *http.Request) (token string, status int) {
	var body struct {
		Token string `json:"token"`
	}
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind != "application/json" {
		return "", http.StatusUnsupportedMediaType
	}
	var large *http.MaxBytesError
	err := json.NewDecoder(r.Body).Decode(&body)
	switch {
	case errors.As(err, &large):
		return "", http.StatusRequestEntityTooLarge
	case err != nil:
		return "", http.StatusBadRequest
	}
	return body.Token, http.StatusOK
}

// deviceName turns the User-Agent of a browser into a name that tells devices apart in a list: "iPhone, Safari".
func deviceName(agent string) string {
	words := make([]string, 0, 2)
	for _, names := range [][]string{{"iPhone", "iPad", "Android", "Windows", "Macintosh", "Linux"},
		{"Firefox", "FxiOS", "Edg", "CriOS", "Chrome", "Safari"}} {
		for _, name := range names {
			if strings.Contains(agent, name) {
				words = append(words, commonName(name))
				break
			}
		}
	}
	if len(words) == 0 {
		return "unknown"
	}
	return strings.Join(words, ", ")
}

// commonName returns the common name of a browser or system from its name in the User-Agent.
func commonName(name string) string {
	switch name {
	case "FxiOS":
		return "Firefox"
	case "CriOS":
		return "Chrome"
	case "Edg":
		return "Edge"
	case "Macintosh":
		return "Mac"
	}
	return name
}
