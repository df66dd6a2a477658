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

// How long a request may take, and how large it may be. A WebSocket has limits of its own once it is one.
const (
	headersWithin  = 5 * time.Second
	requestWithin  = 10 * time.Second
	answerWithin   = 10 * time.Second
	idleConnection = time.Minute
	mostHeader     = 16 << 10 // bytes
	closeWithin    = time.Second
)

// Options say what a portal serves, and where.
type Options struct {
	Queue     *queue.Queue
	Dir       string  // the queue's absolute path
	Listen    string  // on this machine alone; empty: at Port
	Port      int     // on this machine alone; 0: the port of last time, or any that is free
	Remote    *Remote // the entrance for other machines; nil: closed to them
	Transient bool    // it ends when nobody needs it, see Life
}

// Portal serves one queue of one person. It answers from Serve on.
type Portal struct {
	o       Options
	files   files
	place   client.Place
	access  *access
	here    entrance
	there   *entrance // nil: other machines do not reach it
	open    []opened
	release func()
	yield   context.CancelCauseFunc // ends Serve
}

// opened is a port and what it is the entrance of.
type opened struct {
	net.Listener
	entrance
}

// ErrYielded says that a portal ended because another process asked for its place.
var ErrYielded = errors.New("another process is the portal now")

// Open makes this process the portal of the queue: it listens, and others find it. The error is *Runs if it runs
// already.
func Open(o Options) (*Portal, error) {
	f, err := filesOf(o.Dir)
	if err != nil {
		return nil, err
	}
	release, err := f.claim()
	if err != nil {
		return nil, err
	}
	p := &Portal{o: o, files: f, release: release}
	if err := p.listen(); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// listen opens the ports, and says where that is. Where another program has the port of last time by now, an open page
// may have shown it its cookie and secret: nobody is let in by those any more.
func (p *Portal) listen() error {
	file := &keptFile{path: p.files.kept}
	last, err := file.read()
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
		away, e, err := p.o.Remote.listen()
		if err != nil {
			return err
		}
		p.open, p.there = append(p.open, opened{away, e}), &e
	}
	p.access = newAccess(p.o.Queue.Now, p.o.Queue.Store.Get, last, file)
	if err := p.access.save(); err != nil {
		return err
	}
	p.place = placeOf(p.o.Dir, last.Port)
	if p.there != nil {
		p.place.Origin = p.there.scheme + "://" + p.there.hosts[0]
	}
	return p.files.write(p.place)
}

// entranceHere returns the entrance for this machine.
func entranceHere(port int) entrance {
	e := entrance{scheme: "http", port: strconv.Itoa(port)}
	for _, name := range []string{"127.0.0.1", "localhost", "::1"} {
		e.hosts = append(e.hosts, hostsOf(name, e.port, "80")...)
	}
	return e
}

// hostsOf returns the forms in which browsers write a name and a port: the usual port may be left out.
func hostsOf(name, port, usual string) []string {
	full := net.JoinHostPort(name, port)
	if port == usual {
		return []string{full, full[:len(full)-len(port)-1]}
	}
	return []string{full}
}

// Serve answers until ctx ends (its cause), the portal has nothing to do any more (nil) or a port fails.
func (p *Portal) Serve(ctx context.Context, behind Behind, waiting func() int) error {
	ctx, p.yield = context.WithCancelCause(ctx)
	defer p.yield(nil)
	failed := make(chan error, len(p.open))
	servers := make([]*http.Server, len(p.open))
	for i, at := range p.open {
		var control http.Handler
		if !at.remote {
			control = p.control(behind)
		}
		servers[i] = serverOf(ctx, newDoor(at.entrance, p.access, behind, control))
		go func() { failed <- servers[i].Serve(at.Listener) }()
	}
	idle := make(chan struct{})
	if p.o.Transient {
		go func() {
			defer close(idle)
			life{dir: p.o.Dir, waiting: waiting, looking: behind.Looking}.last(ctx)
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
	p.shut(servers)
	return err
}

// serverOf has a door's requests served within its limits. Nothing is logged: a request may hold a token.
func serverOf(ctx context.Context, d *door) *http.Server {
	return &http.Server{
		Handler: d, ReadHeaderTimeout: headersWithin, ReadTimeout: requestWithin, WriteTimeout: answerWithin,
		IdleTimeout: idleConnection, MaxHeaderBytes: mostHeader, ErrorLog: log.New(io.Discard, "", 0),
		BaseContext:  func(net.Listener) context.Context { return ctx },
		TLSNextProto: map[string]func(*http.Server, *tls.Conn, http.Handler){}, // a WebSocket needs HTTP/1.1
	}
}

// shut ends what is open, pages too, and not for long.
func (p *Portal) shut(servers []*http.Server) {
	p.access.hangUpAll()
	ctx, cancel := context.WithTimeout(context.Background(), closeWithin)
	defer cancel()
	for _, s := range servers {
		if s.Shutdown(ctx) != nil {
			_ = s.Close()
		}
	}
	_ = p.access.save() // when pages were used last
}

// Close ends a portal: it listens no more, and nobody finds it.
func (p *Portal) Close() {
	for _, l := range p.open {
		_ = l.Close()
	}
	if p.place.PID != 0 {
		p.files.remove(p.place)
	}
	p.release()
}

// Port returns the port on which it listens on this machine.
func (p *Portal) Port() int { return p.place.Port }

// Origin returns the address for other machines, by the first name of the certificate; empty: they do not reach it.
func (p *Portal) Origin() string { return p.place.Origin }

// Link returns a one-time link for the person at this machine, to a question or, without one, to the list.
func (p *Portal) Link(session string) string {
	return p.link(p.here, ticket{Path: pathOf(session), Until: p.access.now().Add(linkFor)})
}

func pathOf(session string) string {
	if session == "" {
		return "/"
	}
	return "/choice/" + session
}

// link mints a token, and writes it into an address at an entrance.
func (p *Portal) link(e entrance, t ticket) string {
	return e.scheme + "://" + e.hosts[0] + t.Path + "?t=" + p.access.mint(t)
}
