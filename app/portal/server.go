package portal

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
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
	file := &keptFile{path: p.files.kept}
	last, err := file.readKept()
	if err != nil {
		last = kept{}
	}
	ports, err := p.o.listenHere(last.Port)
	if err != nil {
		return err
	}
	if port := portOf(ports[0]); port != last.Port {
		last.forgetHere()
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
	p.access = newAccess(p.o.Queue.Now, p.o.Queue.Store.Get, last, file)
	if err := p.access.saveKept(); err != nil {
		return err
	}
	p.place = placeOf(p.o.Dir, last.Port)
	if p.there != nil {
		p.place.Origin = p.there.scheme + "://" + p.there.hosts[0]
	}
	return p.files.writePlace(p.place)
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
			control = p.controlHandler(behind)
		}
		servers[i] = serverOf(ctx, newDoor(at.entrance, p.access, behind, control))
		go func() { failed <- servers[i].Serve(at.Listener) }()
	}
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
	p.access.hangUpAll()
	ctx, cancel := context.WithTimeout(context.Background(), closeWithin)
	defer cancel()
	for _, s := range servers {
		if s.Shutdown(ctx) != nil {
			_ = s.Close()
		}
	}
	_ = p.access.saveKept() // stores when the pages were last used
}

// Close closes the ports, deletes the place, and releases the lock.
func (p *Portal) Close() {
	for _, l := range p.open {
		_ = l.Close()
	}
	if p.place.PID != 0 {
		p.files.removePlace(p.place)
	}
	p.release()
}

// Origin returns the origin for other machines, with the first name of the certificate; empty: they cannot reach the
// portal.
func (p *Portal) Origin() string { return p.place.Origin }

// Link returns a one-time link for the person on this machine, to a question or, without one, to the list.
func (p *Portal) Link(session string) string {
	return p.linkTo(p.here, ticket{Path: pathOf(session), Until: p.access.now().Add(linkFor)})
}

// pathOf returns the path of a question's page, or of the list without a question.
func pathOf(session string) string {
	if session == "" {
		return "/"
	}
	return "/choice/" + session
}

// linkTo creates a token for a ticket, and returns the address with it.
func (p *Portal) linkTo(e entrance, t ticket) string {
	return e.scheme + "://" + e.hosts[0] + t.Path + "?t=" + p.access.mintToken(t)
}
