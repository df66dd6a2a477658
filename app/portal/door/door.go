// Package door decides who may open the pages of a queue's portal, and what each may do. It listens, and passes those
// whom it lets in to the pages.
//
//	request ─► door: Host, Origin ─┬─► POST /enter: a one-time token becomes a cookie and a secret (access)
//	                               ├─► GET / and /choice/<id>: token or cookie ─► the page without any question
//	                               ├─► GET /live: cookie and secret ─► Session ─► the page's WebSocket
//	                               └─► /control/*: requests of this user's other processes, by the 0600 file
//
// Whoever can reach the port is a stranger without a cookie and a secret: pages of other sites, other users of the
// machine, programs that cannot read the person's files. docs/security.md names each way in and its test.
package door

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"golang.org/x/time/rate"

	"github.com/choicetui/choicetui/queue"
)

// Behind serves the requests that the door has accepted. The door has already checked Host, Origin, cookie and secret.
type Behind interface {
	// Live upgrades the request to a WebSocket. It returns when that is closed or the request's context ends.
	Live(w http.ResponseWriter, r *http.Request, s Session)
	// Looking returns the number of connected pages.
	Looking() int
	// Shell returns the page without any question.
	Shell() Shell
}

// Shell is the page without any question, the same for every path. Style and Script are the sources in a
// Content-Security-Policy that allow its style and its script, and no other.
type Shell struct{ HTML, Style, Script string }

// Limits of the requests of strangers: so many in one burst, and so many a second after it.
const mostKnocks, knocksASecond = 300, 20

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
	d.setHeaders(w.Header(), r, d.behind.Shell())
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

// servePage serves the page without any question, to a browser that has a cookie or a link.
func (d *door) servePage(w http.ResponseWriter, r *http.Request) {
	switch {
	case !d.access.knowsCookie(d.cookieValues(r), d.remote) && !d.hasLink(r):
		d.refuseStranger(w, r)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, http.StatusMethodNotAllowed, r.Method+" is not served here")
	case !isPage(r.URL.Path):
		refuse(w, http.StatusNotFound, "there is nothing here")
	default:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, d.behind.Shell().HTML) // after an error the client is gone
	}
}

// hasLink reports whether the address of a request has the token of a link that was not used yet.
func (d *door) hasLink(r *http.Request) bool {
	token := r.URL.Query().Get("t")
	if !isPage(r.URL.Path) || token == "" {
		return false
	}
	_, err := d.access.linkOf(r.Context(), token, d.remote)
	return err == nil
}

// isPage reports whether the path is that of the list or of a question.
func isPage(path string) bool {
	id, isChoice := strings.CutPrefix(path, "/choice/")
	return path == "/" || isChoice && queue.ValidID(id)
}

// serveLive passes a WebSocket to the pages if it has the cookie and secret of a web session. When the web session
// ends, the WebSocket is closed at once.
func (d *door) serveLive(w http.ResponseWriter, r *http.Request) {
	ctx, hangUp := context.WithCancel(r.Context())
	defer hangUp()
	s, leave, err := d.access.admit(d.cookieValues(r), takeSecret(r.Header), d.remote, hangUp)
	switch {
	case errors.Is(err, errTooMany):
		refuse(w, http.StatusTooManyRequests, err.Error())
		return
	case err != nil:
		d.refuseStranger(w, r)
		return
	}
	defer leave()
	if r.Method != http.MethodGet {
		refuse(w, http.StatusMethodNotAllowed, r.Method+" is not served here")
		return
	}
	d.behind.Live(w, r.WithContext(ctx), s)
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
func (d *door) refuseStranger(w http.ResponseWriter, r *http.Request) {
	if !d.knocks.AllowN(d.access.now(), 1) {
		refuse(w, http.StatusTooManyRequests, tooMany)
		return
	}
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

const (
	linkCommand = "choicetui web"
	linkWanted  = "this page needs a new link: run " + linkCommand
)

// strangersPage is the page for browsers that are not let in. It contains no script, no style and nothing from the
// request.
const strangersPage = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>choicetui</title>
<h1>This page needs a new link</h1>
<p>A link works once and expires soon. On the machine where choicetui runs, type <code>` + linkCommand + `</code>.</p>
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
	s, cookie, secret, err := d.access.enter(r.Context(), token, deviceName(r.UserAgent()), d.remote)
	switch {
	case errors.Is(err, errTooOften):
		refuse(w, http.StatusTooManyRequests, tooMany)
	case errors.Is(err, errUnknown):
		refuse(w, http.StatusUnauthorized, linkWanted)
	default: // an error of the disk does not matter: the page works until the portal ends
		body := map[string]string{"secret": secret, "path": s.Path}
		switch s.May {
		case RightsQuestion:
			d.setCookie(w, "-"+s.Question, cookie, sessionFor)
			body["only"] = s.Question
		case RightsDevice:
			d.setCookie(w, "", cookie, deviceFor)
		default:
			d.setCookie(w, "", cookie, 0)
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
