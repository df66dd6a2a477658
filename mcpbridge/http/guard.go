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

// guard checks every request before anything else sees it. A page in the person's browser can reach this port, under
// its own name too once that resolves to 127.0.0.1; but it cannot send our Host, hide its Origin, or know the token.
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

// hostsOf returns the forms in which clients write a name and a port: the port of http may be left out.
func hostsOf(name, port string) []string {
	full := net.JoinHostPort(name, port)
	if port == "80" {
		return []string{full, strings.TrimSuffix(full, ":80")}
	}
	return []string{full}
}

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

// allowsHost reports whether the request's Host is on the list, or is the address that the connection came in on, which
// is known only now if the server listens on 0.0.0.0. Addresses cannot be rebound, names can.
func (g *guard) allowsHost(r *http.Request) bool {
	return slices.ContainsFunc(g.allowedHosts(r), func(host string) bool { return strings.EqualFold(host, r.Host) })
}

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

// sameOrigin accepts requests without Origin, or with exactly the requested one, for every method. The library alone
// would let every GET through.
func (g *guard) sameOrigin(r *http.Request) bool {
	for _, origin := range r.Header.Values("Origin") {
		if !strings.EqualFold(origin, "http://"+r.Host) {
			return false
		}
	}
	return g.cross.Check(r) == nil
}

// authorized reports whether the request has the token, and whether it has any. It compares in constant time, whatever
// the length.
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

// fingerprint returns a name for a secret that does not reveal it.
func fingerprint(secret string) string {
	sum := sha256.Sum256([]byte("choicetui agent " + secret))
	return "http:" + hex.EncodeToString(sum[:6])
}
