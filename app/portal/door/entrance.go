package door

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
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
		if c.Name == name || strings.HasPrefix(c.Name, name+"-") {
			values = append(values, c.Value)
		}
	}
	return values
}

// setCookie sets a cookie for this entrance. It is kept for this long; 0: until the browser is closed.
func (e entrance) setCookie(w http.ResponseWriter, ending, value string, keep time.Duration) {
	http.SetCookie(w, &http.Cookie{Name: e.cookieName() + ending, Value: value, Path: "/", MaxAge: int(keep.Seconds()),
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: e.scheme == "https"})
}

// setHeaders sets the security headers of a response. Some browsers do not apply 'self' to WebSockets, so the
// WebSocket's address is added.
func (e entrance) setHeaders(h http.Header, r *http.Request, page Shell) {
	connect := "'self'"
	if e.isOurHost(r) {
		connect += " " + strings.Replace(e.scheme, "http", "ws", 1) + "://" + r.Host
	}
	h.Set("Content-Security-Policy", "default-src 'none'; script-src "+page.Script+"; style-src "+page.Style+
		"; connect-src "+connect+"; img-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// entranceHere returns the entrance for browsers on this machine.
func entranceHere(port int) entrance {
	e := entrance{scheme: "http", port: strconv.Itoa(port)}
	for _, name := range []string{"127.0.0.1", "localhost", "::1"} {
		e.hosts = append(e.hosts, hostsOf(name, e.port, "80")...)
	}
	return e
}

// hostsOf returns the Host headers that browsers send for a name and a port; they leave out the scheme's default port.
func hostsOf(name, port, usual string) []string {
	full := net.JoinHostPort(name, port)
	if port == usual {
		return []string{full, full[:len(full)-len(port)-1]}
	}
	return []string{full}
}

// Remote configures the entrance for other machines. It always uses TLS.
type Remote struct {
	Address     string // host and port to listen on
	Certificate tls.Certificate
}

// ErrNoNames says that a certificate contains no complete host name.
var ErrNoNames = errors.New("the certificate has no full host name")

// NewRemote reads the certificate and key for the entrance for other machines. Requests to a host name that is not in
// the certificate are refused.
func NewRemote(address, certificate, key string) (*Remote, error) {
	pair, err := tls.LoadX509KeyPair(certificate, key)
	if err != nil {
		return nil, fmt.Errorf("failed to read the certificate: %w", err)
	}
	if pair.Leaf == nil {
		if pair.Leaf, err = x509.ParseCertificate(pair.Certificate[0]); err != nil {
			return nil, fmt.Errorf("failed to read the certificate: %w", err)
		}
	}
	if len(namesOf(pair.Leaf)) == 0 {
		return nil, ErrNoNames
	}
	return &Remote{Address: address, Certificate: pair}, nil
}

// namesOf returns the host names and addresses in a certificate, without wildcards.
func namesOf(leaf *x509.Certificate) []string {
	names := slices.DeleteFunc(slices.Clone(leaf.DNSNames), func(n string) bool { return strings.Contains(n, "*") })
	for _, ip := range leaf.IPAddresses {
		names = append(names, ip.String())
	}
	return names
}

// listenAway opens the port for other machines, and returns it with its entrance.
func (r *Remote) listenAway() (net.Listener, entrance, error) {
	l, err := net.Listen("tcp", r.Address)
	if err != nil {
		return nil, entrance{}, fmt.Errorf("failed to listen: %w", err)
	}
	e := entrance{scheme: "https", port: strconv.Itoa(portOf(l)), remote: true}
	for _, name := range namesOf(r.Certificate.Leaf) {
		e.hosts = append(e.hosts, hostsOf(name, e.port, "443")...)
	}
	return tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{r.Certificate},
		MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}), e, nil
}

func loopback(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

func portOf(l net.Listener) int { return l.Addr().(*net.TCPAddr).Port }
