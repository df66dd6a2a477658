package portal

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/choicetui/choicetui/app/portal/client"
	"github.com/choicetui/choicetui/queue"
)

// controlPath is the path for other processes of this user. They prove themselves with the secret in the file of
// client.Place, which no page knows. A request that comes from a browser is refused even with the secret.
const controlPath = "/control/"

// controlHandler returns the handler for requests of other choicetui processes.
func (p *Portal) controlHandler(behind Behind) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /control/alive", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, http.StatusOK, map[string]any{"pid": p.place.PID, "queue": p.place.Queue, "pages": behind.Looking()})
	})
	mux.HandleFunc("POST /control/link", p.controlLink)
	mux.HandleFunc("POST /control/pair", func(w http.ResponseWriter, _ *http.Request) {
		url, err := p.Pair()
		replyResult(w, map[string]any{"url": url, "remote": p.there != nil}, err)
	})
	mux.HandleFunc("GET /control/devices", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, http.StatusOK, p.access.devices())
	})
	mux.HandleFunc("POST /control/revoke", p.controlRevoke)
	mux.HandleFunc("POST /control/yield", p.controlYield)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Header.Get("Origin") != "" || r.Header.Get("Sec-Fetch-Site") != "" || r.Header.Get("Cookie") != "":
			refuse(w, http.StatusForbidden, "this is for programs, not for pages")
		case !p.knowsControl(r):
			refuse(w, http.StatusUnauthorized, "the secret of the portal's file is missing")
		default:
			mux.ServeHTTP(w, r)
		}
	})
}

// knowsControl reports whether a request carries the secret. It compares hashes, in a time that does not depend on the
// content.
func (p *Portal) knowsControl(r *http.Request) bool {
	secret, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return ok && subtle.ConstantTimeCompare([]byte(sumOf(secret)), []byte(sumOf(p.place.Control))) == 1
}

// controlLink answers {"session": id, "given": agent} with {"url": …, "bare": …}. Without an agent the link is the
// person's own: it opens everything, and shows that question first. If the question may not be given to an agent, the
// reply contains only the bare address.
func (p *Portal) controlLink(w http.ResponseWriter, r *http.Request) {
	var ask struct{ Session, Given string }
	if err := json.NewDecoder(r.Body).Decode(&ask); err != nil || ask.Session == "" && ask.Given != "" ||
		ask.Session != "" && !queue.ValidID(ask.Session) {
		refuse(w, http.StatusBadRequest, "send {\"session\": \"…\", \"given\": \"…\"}")
		return
	}
	if ask.Given == "" {
		reply(w, http.StatusOK, p.replyTo(ask.Session, p.Link(ask.Session)))
		return
	}
	url, err := p.GivenLink(r.Context(), ask.Session, ask.Given)
	if errors.Is(err, ErrNotGivable) {
		err = nil // the reply has no link
	}
	replyResult(w, p.replyTo(ask.Session, url), err)
}

// replyTo returns a link, with the address of the same page without a token for a browser that was let in already.
func (p *Portal) replyTo(session, url string) client.Reply {
	return client.Reply{URL: url, Bare: p.here.scheme + "://" + p.here.hosts[0] + pathOf(session)}
}

// ErrNotGivable says that an agent may not get a link to its question: it is an approval, requires a confirmation, or
// is not pending.
var ErrNotGivable = errors.New("no link to this question may be given to an agent")

// GivenLink returns a link for an agent to show: it opens only that question, while it is pending. The error is the
// store's or ErrNotGivable.
func (p *Portal) GivenLink(ctx context.Context, session, agent string) (string, error) {
	s, err := p.access.getSession(ctx, session)
	if err != nil {
		return "", err
	}
	if !givable(s) || !s.At(p.access.now()).Pending() {
		return "", ErrNotGivable
	}
	return p.linkTo(p.here, ticket{Path: pathOf(session), Only: session, Given: agent}), nil
}

// controlRevoke answers {"device": id or "all"} with {"revoked": n}, after the pages of these devices have ended.
func (p *Portal) controlRevoke(w http.ResponseWriter, r *http.Request) {
	var ask struct{ Device string }
	if err := json.NewDecoder(r.Body).Decode(&ask); err != nil || ask.Device == "" {
		refuse(w, http.StatusBadRequest, "send {\"device\": \"…\"}")
		return
	}
	n, err := p.access.revokeDevice(ask.Device)
	replyResult(w, map[string]any{"revoked": n}, err)
}

// controlYield ends a portal that was started on demand, so that another process can become the portal.
func (p *Portal) controlYield(w http.ResponseWriter, _ *http.Request) {
	if !p.o.Transient {
		refuse(w, http.StatusConflict, "this portal runs in the foreground")
		return
	}
	reply(w, http.StatusOK, map[string]any{})
	p.yield(ErrYielded)
}

// replyResult answers with a result, or with the status and sentence of an error.
func replyResult(w http.ResponseWriter, what any, err error) {
	var closed *PairingClosed
	switch {
	case errors.As(err, &closed):
		refuse(w, http.StatusTooManyRequests, err.Error())
	case err == nil:
		reply(w, http.StatusOK, what)
	case errors.Is(err, queue.ErrNotFound), errors.Is(err, ErrNoDevice):
		refuse(w, http.StatusNotFound, err.Error())
	default:
		refuse(w, http.StatusInternalServerError, err.Error())
	}
}
