package door

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/app/portal/client"
	"github.com/choicetui/choicetui/queue"
)

// Limits of a request. A WebSocket has limits of its own.
const (
	headersWithin  = 5 * time.Second
	requestWithin  = 10 * time.Second
	answerWithin   = 10 * time.Second
	idleConnection = time.Minute
	mostHeader     = 16 << 10 // bytes
	closeWithin    = time.Second
)

// Options configure a portal.
type Options struct {
	Queue     *queue.Queue
	Dir       string  // the queue's absolute path
	Listen    string  // host and port on this machine's loopback; empty: Port
	Port      int     // the loopback port; 0: the port of last time, or any free one
	Remote    *Remote // the entrance for other machines; nil if there is none
	Transient bool    // the portal was started on demand and ends when nobody needs it; see life
}

// Portal serves one queue to its person. It answers requests while Serve runs.
type Portal struct {
	o       Options
	files   files
	place   client.Place
	access  *access
	here    entrance  // for browsers on this machine
	there   *entrance // for other machines; nil: they cannot reach the portal
	open    []opened
	release func()                  // gives up the lock that makes this process the portal
	yield   context.CancelCauseFunc // ends Serve with a cause
}

// opened is an open port with its entrance.
type opened struct {
	net.Listener
	entrance
}

// ErrYielded says that the portal ended because another process asked to become the portal.
var ErrYielded = errors.New("another process is the portal now")

// Open makes this process the portal of the queue: it listens and writes its place. The error is *Runs if the portal
// already runs in another process.
func Open(o Options) (*Portal, error) {
	f, err := filesOf(o.Dir)
	if err != nil {
		return nil, err
	}
	release, err := f.claimPortal()
	if err != nil {
		return nil, err
	}
	p := &Portal{o: o, files: f, release: release}
	if err := p.openPorts(); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// openPorts opens the ports and writes the place. If the port differs from last time, another program may have that
// port now, and an open page may have sent it its cookie and secret; so openPorts drops all web sessions of this
// machine.
func (p *Portal) openPorts() error {
	last, err := readKept(p.files.kept)
	if err != nil {
		last = kept{} // nobody is let in by it
	}
	ports, err := p.o.listenHere(last.Port)
	if err != nil {
		return err
	}
	if port := portOf(ports[0]); port != last.Port {
		last.Sessions = slices.DeleteFunc(last.Sessions, func(s Session) bool { return !s.isDevice() })
		last.Port = port
	}
	p.here = entranceHere(last.Port)
	for _, l := range ports {
		p.open = append(p.open, opened{newOwnPort(l, p.o.Queue.Now), p.here})
	}
	if p.o.Remote != nil {
		away, e, err := p.o.Remote.listenAway()
		if err != nil {
			return err
		}
		p.open, p.there = append(p.open, opened{away, e}), &e
	}
	p.access = newAccess(p.o.Queue.Now, p.o.Queue.Store.Get, last, p.files.kept)
	if err := p.access.save(); err != nil {
		return err
	}
	p.place = placeOf(p.o.Dir, last.Port)
	if p.there != nil {
		p.place.Origin = p.there.scheme + "://" + p.there.hosts[0]
	}
	return p.place.Write(p.files.place)
}

// Serve answers requests until ctx ends (the error is its cause), a portal that was started on demand is no longer
// needed (nil), or a port fails.
func (p *Portal) Serve(ctx context.Context, behind Behind, waiting func() int) error {
	ctx, p.yield = context.WithCancelCause(ctx)
	defer p.yield(nil)
	failed := make(chan error, len(p.open))
	servers := make([]*http.Server, len(p.open))
	for i, at := range p.open {
		var control http.Handler
		if !at.remote {
			control = p.controlHandler()
		}
		servers[i] = serverOf(ctx, newDoor(at.entrance, p.access, behind, control))
		go func() { failed <- servers[i].Serve(at.Listener) }()
	}
	go p.access.keepSwept(ctx)
	idle := make(chan struct{})
	if p.o.Transient {
		go func() {
			defer close(idle)
			life{dir: p.o.Dir, waiting: waiting, looking: behind.Looking}.waitUntilUnused(ctx)
		}()
	}
	var err error
	select {
	case err = <-failed:
	case <-idle:
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	p.yield(err)
	p.shutServers(servers)
	return err
}

// serverOf returns the HTTP server of a door. It logs nothing, because a request may contain a token.
func serverOf(ctx context.Context, d *door) *http.Server {
	return &http.Server{
		Handler: d, ReadHeaderTimeout: headersWithin, ReadTimeout: requestWithin, WriteTimeout: answerWithin,
		IdleTimeout: idleConnection, MaxHeaderBytes: mostHeader, ErrorLog: log.New(io.Discard, "", 0),
		BaseContext: func(net.Listener) context.Context { return ctx },
		// no HTTP/2, because a WebSocket needs HTTP/1.1
		TLSNextProto: map[string]func(*http.Server, *tls.Conn, http.Handler){},
	}
}

// shutServers closes all pages and connections, within closeWithin.
func (p *Portal) shutServers(servers []*http.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), closeWithin)
	defer cancel()
	for _, s := range servers {
		if s.Shutdown(ctx) != nil {
			_ = s.Close()
		}
	}
	_ = p.access.save() // stores when the pages were last used
}

// Close closes the ports, deletes the place, and releases the lock.
func (p *Portal) Close() {
	for _, l := range p.open {
		_ = l.Close()
	}
	if p.place.PID != 0 {
		_ = p.place.Remove(p.files.place) // a file that stays behind is ignored, because the process is gone
	}
	p.release()
}

// Origin returns the origin for other machines, with the first name of the certificate; empty: they cannot reach the
// portal.
func (p *Portal) Origin() string { return p.place.Origin }

// Link returns a one-time link for the person on this machine, to a question or, without one, to the list.
func (p *Portal) Link(session string) string {
	return p.linkTo(p.here, Session{May: RightsAll, Path: pathOf(session)})
}

// pathOf returns the path of a question's page, or of the list without a question.
func pathOf(session string) string {
	if session == "" {
		return "/"
	}
	return "/choice/" + session
}

// Pair returns a link that pairs one device, once, within a minute. The error is *PairingClosed after too many wrong
// tokens.
func (p *Portal) Pair() (string, error) {
	if left := p.access.pairingClosed(); left > 0 {
		return "", &PairingClosed{left}
	}
	e := p.here
	if p.there != nil {
		e = *p.there
	}
	return p.linkTo(e, Session{May: RightsDevice, Path: "/"}), nil
}

// linkTo begins a web session, and returns its link.
func (p *Portal) linkTo(e entrance, s Session) string {
	return e.scheme + "://" + e.hosts[0] + s.Path + "?t=" + p.access.newLink(s)
}

// controlPath is the path for other processes of this user. They prove themselves with the secret in the file of
// client.Place, which no page knows. A request that comes from a browser is refused even with the secret.
const controlPath = "/control/"

// controlHandler returns the handler for requests of other choicetui processes.
func (p *Portal) controlHandler() http.Handler {
	mux := http.NewServeMux()
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
	return ok && isSecret(secret, sumOf(p.place.Control))
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
	s, err := p.access.question(ctx, session)
	if err != nil {
		return "", err
	}
	if !givable(s) || !s.At(p.access.now()).Pending() {
		return "", ErrNotGivable
	}
	return p.linkTo(p.here, Session{May: RightsQuestion, Question: session, Agent: agent, Path: pathOf(session)}), nil
}

// controlRevoke answers {"device": id or "all"} with {"revoked": n}, after the pages of these devices have ended.
func (p *Portal) controlRevoke(w http.ResponseWriter, r *http.Request) {
	var ask struct{ Device string }
	if err := json.NewDecoder(r.Body).Decode(&ask); err != nil || ask.Device == "" {
		refuse(w, http.StatusBadRequest, "send {\"device\": \"…\"}")
		return
	}
	n, err := p.access.revoke(ask.Device)
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

// ErrPortTaken says that the port in the settings is not available.
var ErrPortTaken = errors.New("its port is not available")

// listenHere opens the ports for this machine alone: the requested one, else the port of last time, so that an open
// page finds the portal again, else any free port. A portal that was started on demand uses any port if it has to. The
// first listener is always on 127.0.0.1, because other processes connect to that. The error is ErrPortTaken if the port
// in the settings is not available.
func (o Options) listenHere(last int) ([]net.Listener, error) {
	l, err := net.Listen("tcp", cmp.Or(o.Listen, loopback(cmp.Or(o.Port, last))))
	if err != nil && o.Listen == "" && (o.Port == 0 || o.Transient) {
		l, err = net.Listen("tcp", loopback(0))
	}
	switch {
	case err != nil && o.Listen == "" && o.Port != 0:
		return nil, fmt.Errorf("%w: %w", ErrPortTaken, err)
	case err != nil:
		return nil, fmt.Errorf("failed to listen: %w", err)
	}
	ip := l.Addr().(*net.TCPAddr).IP
	switch {
	case !ip.IsLoopback(): // the name resolved to an address of another interface
		return nil, errors.Join(fmt.Errorf("%s can be reached from other machines", o.Listen), l.Close())
	case ip.Equal(net.IPv4(127, 0, 0, 1)):
		return []net.Listener{l}, nil
	}
	first, err := net.Listen("tcp", loopback(portOf(l)))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("failed to listen: %w", err), l.Close())
	}
	return []net.Listener{first, l}, nil
}
