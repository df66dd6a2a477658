// Package portal is the web face: a page in the browser is a seat at the desk, as a screen is.
//
//	request ─► door: Host, Origin ─┬─► POST /enter: a one-time token becomes a cookie and a secret (access)
//	                               ├─► GET / and /choice/<id>: token or cookie ─► the empty page
//	                               ├─► GET /live: cookie and secret ─► Grant ─► the page's WebSocket
//	                               └─► /control/*: what other processes of this person ask, by the 0600 file
//
// Whoever can reach the port is a stranger until cookie and secret say otherwise: pages of other sites, other users of
// the machine, programs without a way to the person's files. docs/security.md names each way in and its test.
package portal

import (
	"context"
	"net/http"
	"strings"

	"golang.org/x/time/rate"

	"github.com/choicetui/choicetui/queue"
)

// Grant limits what a page may do. The door hands one to every page that it lets in.
type Grant struct {
	Session string // the web session, for ending it; it is never shown
	Only    string // the one question that this link opens; empty: everything
	Given   string // to which agent the link was given, such as "claude"; empty: the person opened it
	Device  string // the paired device's id; empty: this machine

	used func()
}

// MaySettings reports whether the page may change settings: neither a paired device nor a link for one question may.
func (g Grant) MaySettings() bool { return g.Only == "" && g.Device == "" }

// MayList reports whether the page may see what else waits, and what was answered.
func (g Grant) MayList() bool { return g.Only == "" }

// MayOpen reports whether the page may show a session and act on it. A link for one question opens that one, unless it
// is an approval or wants a confirmation: those are for a page that the person opened.
func (g Grant) MayOpen(s queue.Session) bool {
	return g.Only == "" || s.ID == g.Only && givable(s)
}

// Used says that the person did something on the page: twelve hours without that end the web session.
func (g Grant) Used() {
	if g.used != nil {
		g.used()
	}
}

// givable reports whether the link to a question may be given to the agent that asks it.
func givable(s queue.Session) bool {
	return s.Ask.Kind != queue.KindApproval && !s.Ask.Confirm && !s.IsMessage()
}

// Behind serves the requests that the door has let in: it has checked Host, Origin, cookie and secret before it calls
// these methods.
type Behind interface {
	// Live upgrades to a WebSocket, and returns when that has ended or the request's context has.
	Live(w http.ResponseWriter, r *http.Request, g Grant)
	// Shell is the page without any question.
	Shell(w http.ResponseWriter, r *http.Request)
	// Asset serves the files of the page, below /assets/.
	Asset(w http.ResponseWriter, r *http.Request)
	// Looking returns the number of connected pages.
	Looking() int
}

// door is the handler of one entrance.
type door struct {
	entrance
	access  *access
	behind  Behind
	control http.Handler // nil: none is served here
	cross   *http.CrossOriginProtection
	knocks  *rate.Limiter // requests of strangers
}

func newDoor(e entrance, a *access, behind Behind, control http.Handler) *door {
	return &door{entrance: e, access: a, behind: behind, control: control, cross: http.NewCrossOriginProtection(),
		knocks: rate.NewLimiter(knocksASecond, mostKnocks)}
}

func (d *door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.secure(w.Header(), r)
	r.Body = http.MaxBytesReader(w, r.Body, mostBody)
	switch {
	case !d.ours(r):
		refuse(w, http.StatusForbidden, "this Host is not served here")
	case !d.sameOrigin(r) || d.cross.Check(r) != nil:
		refuse(w, http.StatusForbidden, "pages of another origin are not served")
	case d.control != nil && strings.HasPrefix(r.URL.Path, controlPath):
		d.control.ServeHTTP(w, r)
	case r.URL.Path == "/enter":
		d.enter(w, r)
	case r.URL.Path == "/live":
		d.live(w, r)
	default:
		d.page(w, r)
	}
}

// page serves what holds no question: the empty page and what it is made of.
func (d *door) page(w http.ResponseWriter, r *http.Request) {
	inside, asset := d.access.knowsCookie(d.cookies(r), d.remote), strings.HasPrefix(r.URL.Path, "/assets/")
	token := r.URL.Query().Get("t")
	switch {
	case inside:
	case asset && d.access.visits(d.visit(r)):
	case isPage(r.URL.Path) && token != "" && d.access.peek(r.Context(), token, d.remote):
		d.letLook(w, d.access.visitor(token))
	case !d.knocks.AllowN(d.access.now(), 1):
		refuse(w, http.StatusTooManyRequests, tooMany)
		return
	default:
		unknown(w, r)
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

// isPage reports whether a path is one of the two that show the page.
func isPage(path string) bool {
	id, isChoice := strings.CutPrefix(path, "/choice/")
	return path == "/" || isChoice && queue.ValidID(id)
}

// live hands a WebSocket on to the page that holds cookie and secret. Ending its web session ends it at once.
func (d *door) live(w http.ResponseWriter, r *http.Request) {
	secret := takeSecret(r.Header)
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	line := &lineOut{ResponseWriter: w, end: cancel}
	grant, leave, err := d.access.admit(d.cookies(r), secret, d.remote, line.hangUp)
	switch {
	case err != nil && d.knocks.AllowN(d.access.now(), 1):
		unknown(w, r)
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
