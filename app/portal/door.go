// Package portal serves the dashboard as pages in a browser. The desk (queue/desk) holds the pending questions and
// stores the answers. Each open page has a seat there, as a full screen has one: the seat holds the form of the
// question that the page shows.
//
//	browser ─► door: who is it, and what may it do? ─► Pages.Live ─► page ─ verbs ─► the seat's form, the desk
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
	"context"
	"net/http"
	"strings"

	"golang.org/x/time/rate"

	"github.com/choicetui/choicetui/queue"
)

// Grant describes the rights of a page. The door creates one for every page that it lets in.
type Grant struct {
	Session string // the id of the web session; it is never shown
	Only    string // the one question that this link opens; empty: everything
	Given   string // the agent that was given the link, such as "claude"; empty: the person's own link
	Device  string // the paired device's id; empty: this machine

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
	switch {
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
