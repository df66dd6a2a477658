package http

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net"
	"net/http"
	"slices"
	"strings"
)

const howToAuthenticate = "send the token that choicetui mcp --http printed, or that its --token-file holds: " +
	"Authorization: Bearer TOKEN"

// guard checks every request before all other handlers. A web page in the person's browser can reach this port, even
// under the page's own host name if that is made to resolve to 127.0.0.1. But it cannot send an allowed Host, hide its
// Origin, or know the token.
type guard struct {
	hosts []string // the allowed values of Host, port included
	token [sha256.Size]byte
	cross *http.CrossOriginProtection
	next  http.Handler
}

func newGuard(o Options, next http.Handler) *guard {
	g := &guard{token: sha256.Sum256([]byte(o.Token)), cross: http.NewCrossOriginProtection(), next: next}
	_, port, _ := net.SplitHostPort(o.Listener.Addr().String())
	for _, name := range []string{"127.0.0.1", "localhost", "::1", o.Host} {
		if name != "" {
			g.hosts = append(g.hosts, hostsOf(name, port)...)
		}
	}
	return g
}

// hostsOf returns the values of Host with which clients may send a name and a port. Port 80 may be left out.
func hostsOf(name, port string) []string {
	full := net.JoinHostPort(name, port)
	if port == "80" {
		return []string{full, strings.TrimSuffix(full, ":80")}
	}
	return []string{full}
}

// ServeHTTP passes a request on, or refuses it.
func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	switch {
	case !g.allowsHost(r):
		http.Error(w, "this Host is not served here", http.StatusForbidden)
	case !g.sameOrigin(r):
		http.Error(w, "pages of another origin are not served", http.StatusForbidden)
	case r.URL.Path != Path:
		http.NotFound(w, r)
	default:
		if ok, given := g.authorized(r); !ok {
			challenge := `Bearer realm="choicetui"`
			if given {
				challenge += `, error="invalid_token"`
			}
			w.Header().Set("WWW-Authenticate", challenge)
			http.Error(w, howToAuthenticate, http.StatusUnauthorized)
			return
		}
		g.next.ServeHTTP(w, r)
	}
}

// allowsHost reports whether the request's Host is allowed. The address on which the connection came in is allowed too;
// it is known only now if the server listens on 0.0.0.0. A page can change what a name resolves to, but not an address.
func (g *guard) allowsHost(r *http.Request) bool {
	return slices.ContainsFunc(g.allowedHosts(r), func(host string) bool { return strings.EqualFold(host, r.Host) })
}

// allowedHosts returns the values of Host that this request may have.
func (g *guard) allowedHosts(r *http.Request) []string {
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if local == nil {
		return g.hosts
	}
	name, port, err := net.SplitHostPort(local.String())
	if err != nil {
		return g.hosts
	}
	return append(slices.Clip(g.hosts), hostsOf(name, port)...)
}

// sameOrigin accepts a request, with any method, that has no Origin or exactly the origin of this server. The library's
// check accepts every GET.
func (g *guard) sameOrigin(r *http.Request) bool {
	for _, origin := range r.Header.Values("Origin") {
		if !strings.EqualFold(origin, "http://"+r.Host) {
			return false
		}
	}
	return g.cross.Check(r) == nil
}

// authorized reports whether the request has the right token. given reports whether it has any. The comparison takes
// the same time for every token.
func (g *guard) authorized(r *http.Request) (ok, given bool) {
	headers := r.Header.Values("Authorization")
	if len(headers) == 0 {
		return false, false
	}
	scheme, token, _ := strings.Cut(headers[0], " ")
	sum := sha256.Sum256([]byte(strings.TrimSpace(token)))
	same := subtle.ConstantTimeCompare(sum[:], g.token[:]) == 1
	return same && len(headers) == 1 && strings.EqualFold(scheme, "Bearer"), true
}

// fingerprint returns a name for a secret that does not reveal the secret.
func fingerprint(secret string) string {
	sum := sha256.Sum256([]byte("choicetui agent " + secret))
	return "http:" + hex.EncodeToString(sum[:6])
}
