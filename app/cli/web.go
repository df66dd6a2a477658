package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"
	"rsc.io/qr"

	"github.com/choicetui/choicetui/app/portal"
	"github.com/choicetui/choicetui/app/portal/client"
	"github.com/choicetui/choicetui/app/portal/door"
	"github.com/choicetui/choicetui/app/term"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// webRun is one run of `choicetui web` with its flags.
type webRun struct {
	sh        *shell
	transient bool
	listen    string
	cert, key string
	pair      bool
	list      bool
	asJSON    bool
	revoke    string
}

func webCommand(sh *shell) *cobra.Command {
	r := webRun{sh: sh}
	cmd := &cobra.Command{
		Use:   "web",
		Short: "Answer in a browser",
		Long: `web serves the questions to a browser on this machine and prints a single-use
link, valid for one minute. Run web again for another link. Ctrl-C stops it; the
questions stay.

--pair pairs a phone, which can then answer and cancel for 30 days. Other
machines need --listen and a certificate; docs/security.md explains safer ways.`,
		Example: `  choicetui web
  choicetui web --pair
  choicetui web --devices
  choicetui web --revoke all`,
		Args: nothingElse,
		RunE: func(cmd *cobra.Command, _ []string) error { return r.run(cmd.Context()) },
	}
	f := cmd.Flags()
	f.BoolVar(&r.transient, "transient", false, "stop when nothing is pending and no page is open")
	f.StringVar(&r.listen, "listen", "", "listen on `ADDR`, such as 192.168.1.5:8443, with TLS")
	f.StringVar(&r.cert, "tls-cert", "", "with --listen: read the certificate from `FILE` (PEM)")
	f.StringVar(&r.key, "tls-key", "", "with --listen: read its key from `FILE` (PEM)")
	f.BoolVar(&r.pair, "pair", false, "show a link and QR code that pair one device")
	f.BoolVar(&r.list, "devices", false, "list the paired devices")
	f.BoolVar(&r.asJSON, "json", false, "with --devices: print a JSON array")
	f.StringVar(&r.revoke, "revoke", "", "remove the paired device `ID`, or all")
	cmd.MarkFlagsMutuallyExclusive("devices", "revoke", "pair", "transient")
	cmd.MarkFlagsRequiredTogether("tls-cert", "tls-key")
	return cmd
}

// run lists or revokes devices, or serves the page. If a portal runs already, it prints a link to that portal.
func (r *webRun) run(ctx context.Context) error {
	dir, err := r.sh.queuePlace()
	switch {
	case err != nil:
		return err
	case r.list:
		return r.printDevices(ctx, dir)
	case r.revoke != "":
		return r.revokeDevice(ctx, dir)
	case r.pair && !isTerminal(r.sh.out):
		return &failure{say: "the pairing link is shown only in a terminal",
			hint: "run choicetui web --pair in one"}
	}
	o, err := r.options()
	if err != nil {
		return err
	}
	if o.Queue, err = r.sh.openQueueAt(dir); err != nil {
		return err
	}
	o.Dir = dir
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer endOnSignals(cancel)()
	p, err := r.openPortal(ctx, o)
	var runs *door.Runs
	switch {
	case errors.As(err, &runs):
		return r.useRunning(ctx, runs)
	case errors.Is(err, door.ErrPortTaken):
		return &failure{say: "port " + strconv.Itoa(o.Port) + " of the setting web.port is not available", cause: err,
			hint: "stop the program that uses it, or choose another: choicetui config set web.port 0 takes any"}
	case err != nil:
		return err
	}
	defer p.Close()
	return r.serve(ctx, p, o.Queue)
}

// options turns the flags into the portal's options, and checks where it may listen.
func (r *webRun) options() (o door.Options, err error) {
	o.Transient, o.Port = r.transient, r.sh.currentSettings().Web.Port
	switch {
	case r.listen == "" && r.cert != "":
		return o, &failure{say: "a certificate is for --listen", hint: "choicetui web --help shows how it is used"}
	case r.listen == "":
		return o, nil
	case !isAddress(r.listen):
		return o, &failure{say: "--listen needs a host and a port, not " + quoted(r.listen),
			hint: "for example: choicetui web --listen 127.0.0.1:8443"}
	case r.cert == "" && !onlyHere(r.listen):
		return o, &failure{say: "for other machines the page needs TLS",
			hint: "give --tls-cert and --tls-key too, or use a tunnel: docs/security.md says how"}
	case r.cert == "":
		o.Listen = r.listen
		return o, nil
	}
	o.Remote, err = door.NewRemote(r.listen, r.cert, r.key)
	if errors.Is(err, door.ErrNoNames) {
		return o, &failure{say: r.cert + " names no host by its full name", cause: err,
			hint: "the page is served under the names in the certificate, and * is not a name"}
	}
	return o, err
}

// isAddress reports whether an address has the form HOST:PORT.
func isAddress(address string) bool {
	_, port, err := net.SplitHostPort(address)
	return err == nil && port != ""
}

// onlyHere reports whether an address can be reached from this machine only. Of host names only localhost counts,
// because any other name may come to mean another address.
func onlyHere(address string) bool {
	host, _, err := net.SplitHostPort(address)
	ip := net.ParseIP(host)
	return err == nil && (host == "localhost" || ip != nil && ip.IsLoopback())
}

// openPortal makes this process the portal. A portal that another command started in the background ends to make room.
func (r *webRun) openPortal(ctx context.Context, o door.Options) (*door.Portal, error) {
	p, err := door.Open(o)
	var runs *door.Runs
	if !errors.As(err, &runs) || r.transient {
		return p, err
	}
	if runs.Ask(ctx, "yield", struct{}{}, nil) != nil {
		return nil, err
	}
	for end := time.Now().Add(yieldWithin); ; time.Sleep(20 * time.Millisecond) {
		if p, err = door.Open(o); !errors.As(err, &runs) || time.Now().After(end) {
			return p, err
		}
	}
}

// yieldWithin limits how long a portal may take to make room.
const yieldWithin = 5 * time.Second

// useRunning carries out the flags with the portal that runs already.
func (r *webRun) useRunning(ctx context.Context, runs *door.Runs) error {
	switch {
	case r.transient:
		return nil
	case r.listen != "":
		return &failure{say: runs.Error() + ", and listens at another address",
			hint: "stop that one first", cause: runs}
	}
	var made struct {
		URL    string `json:"url"`
		Remote bool   `json:"remote"`
	}
	if r.pair {
		err := runs.Ask(ctx, "pair", struct{}{}, &made)
		var no *client.Refused
		if errors.As(err, &no) && no.Status == http.StatusTooManyRequests {
			return &failure{say: no.Why, hint: "wait, and run choicetui web --pair again", cause: err}
		} else if err != nil {
			return err
		}
		return r.showPairing(made.URL, made.Remote)
	}
	return r.showLink(runs.Origin, func() (string, error) {
		reply, err := runs.Link(ctx, client.Request{})
		return reply.URL, err
	})
}

// serve runs the portal until the person ends it or nobody needs it. One goroutine here owns the desk.
func (r *webRun) serve(ctx context.Context, p *door.Portal, q *queue.Queue) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	with := r.sh.services(q, r.sh.settings())
	rules := portal.NewRules(with.Rules)
	with.Rules = rules
	d := desk.New(desk.Options{Services: with})
	if _, err := d.Open(ctx, queue.RolePortal); err != nil {
		return webEnd(cmp.Or(context.Cause(ctx), err))
	}
	pages := portal.NewPages(d, d.Do, r.pagesOptions(with))
	rules.Follow(pages)
	d.Start(ctx)
	go d.Upkeep(ctx, func() {})
	owned, attended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(attended)
		pages.Attend(ctx)
	}()
	go func() {
		defer close(owned)
		d.Run(ctx)
		d.Close()
	}()
	if err := r.printLinks(p); err != nil {
		return err
	}
	err := p.Serve(ctx, pages, func() int { return waitingAt(ctx, d) })
	cancel(err)
	<-owned
	<-attended
	return webEnd(err)
}

// webEnd returns the error with which the command ends. Leaving, and making room for another process, are no errors.
func webEnd(err error) error {
	if errors.Is(err, door.ErrYielded) || errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return screenEnd(err)
}

// pagesOptions wires the parts of the pages besides the desk. Only a portal that the person keeps in the foreground
// runs the person's notify command, because the person does not see when a background portal starts and ends.
func (r *webRun) pagesOptions(s desk.Services) portal.PagesOptions {
	o := portal.PagesOptions{Before: beforeReader{s.Settings.Settings}.now,
		Announce: func(ctx context.Context) (func() error, error) {
			return s.Queue.Store.Announce(ctx, queue.Presence{Instance: desk.PagesInstance(s.Instance),
				Role: queue.RoleDashboard})
		},
		Failed: func(err error) { r.sh.note("%s", say.OneLine(err.Error())) }}
	if !r.transient {
		o.Alerts = s.Alerts(desk.AlertWays{
			Failed: func(err error) { r.sh.note("%s", say.OneLine(say.NotifyFailed(err))) }})
	}
	return o
}

// printLinks prints the link that lets the browser in, or with --pair a device.
func (r *webRun) printLinks(p *door.Portal) error {
	switch {
	case r.transient:
		return nil
	case r.pair:
		url, err := p.Pair()
		if err != nil {
			return err
		}
		return r.showPairing(url, r.cert != "")
	}
	return r.showLink(p.Origin(), func() (string, error) { return p.Link(""), nil })
}

// showLink opens the page in the person's browser, if there is one. It always prints a link that was not used yet,
// because each link works only once. origin is the page's address for other machines; empty: they cannot reach it.
func (r *webRun) showLink(origin string, link func() (string, error)) error {
	url, err := link()
	if err != nil {
		return err
	}
	if client.Here().Open(url) == nil {
		r.sh.note("the page opens in the browser")
		if url, err = link(); err != nil {
			return err
		}
	}
	var out page
	out.line("%s", url)
	if err := out.send(r.sh.out); err != nil {
		return err
	}
	r.sh.note("the link is valid once, for one minute; choicetui web prints a new one")
	if origin != "" {
		r.sh.note("other machines reach it at %s/ once you have paired them: choicetui web --pair", origin)
	}
	return nil
}

// waitingAt returns the number of pending questions at a desk that another goroutine owns.
func waitingAt(ctx context.Context, d *desk.Desk) int {
	n := make(chan int, 1)
	d.Do(func() { n <- len(d.Waiting()) })
	select {
	case waiting := <-n:
		return waiting
	case <-ctx.Done():
		return 0
	}
}

// endOnSignals cancels with a cause when a signal arrives. Ctrl-C is the person's way to leave, so its cause counts as
// no error. The caller calls stop at the end.
func endOnSignals(cancel context.CancelCauseFunc) (stop func()) {
	signals := make(chan os.Signal, 1)
	for _, sig := range []os.Signal{unix.SIGINT, unix.SIGTERM, unix.SIGHUP} {
		if !signal.Ignored(sig) {
			signal.Notify(signals, sig)
		}
	}
	go func() {
		for sig := range signals {
			if sig == unix.SIGINT {
				cancel(http.ErrServerClosed)
			} else {
				cancel(term.Signal{Sig: sig.(unix.Signal)})
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(signals)
	}
}

// printDevices lists the paired devices. It works without a running portal too.
func (r *webRun) printDevices(ctx context.Context, dir string) error {
	list, err := door.Devices(dir, r.sh.now)
	var runs *door.Runs
	if errors.As(err, &runs) {
		err = runs.Ask(ctx, "devices", nil, &list)
	}
	if err != nil {
		return err
	}
	if r.asJSON {
		return printJSON(r.sh.out, list, "  ")
	}
	var out page
	for _, d := range list {
		out.line("%s  %s", d.ID, pairedDevice(say.OneLine(d.Name), d.Since, d.Used, d.Until, r.sh.now()))
	}
	if len(list) == 0 {
		r.sh.note("no device is paired; choicetui web --pair lets one in")
	}
	return out.send(r.sh.out)
}

// pairedDevice returns the line about a paired device. The caller has made name visible.
func pairedDevice(name string, since, used, until, now time.Time) string {
	return name + ", paired " + say.Stamp(since, now) + ", last used " + say.Stamp(used, now) +
		", ends " + say.Stamp(until, now)
}

// revokeDevice ends the pairing of a device at once, its open pages included.
func (r *webRun) revokeDevice(ctx context.Context, dir string) error {
	n, err := door.Revoke(dir, r.revoke, r.sh.now)
	var runs *door.Runs
	var no *client.Refused
	if errors.As(err, &runs) {
		var done struct {
			Revoked int `json:"revoked"`
		}
		err = runs.Ask(ctx, "revoke", map[string]string{"device": r.revoke}, &done)
		n = done.Revoked
	}
	if errors.Is(err, door.ErrNoDevice) || errors.As(err, &no) && no.Status == http.StatusNotFound {
		return &failure{say: "there is no paired device " + quoted(r.revoke), code: exitMissing, cause: err,
			hint: "choicetui web --devices lists them"}
	} else if err != nil {
		return err
	}
	r.sh.note("%s", say.Count(n, "device")+" ended")
	return nil
}

// showPairing prints a link that lets one device in, with its QR code for the device's camera. remote reports whether
// other machines reach the portal; if not, the device needs a tunnel.
func (r *webRun) showPairing(url string, remote bool) error {
	var out page
	if utf8Locale() {
		if code, err := qr.Encode(url, qr.L); err == nil {
			out.line("%s", drawQR(code.Size, code.Black))
		}
	}
	out.line("%s", url)
	if err := out.send(r.sh.out); err != nil {
		return err
	}
	r.sh.note("the link lets in one device, within a minute")
	if !remote {
		r.sh.note("other machines cannot reach this page: the device needs a tunnel; docs/security.md says how")
	}
	return nil
}

const (
	quietModules = 2 // the light border around a code, in modules, that scanners need

	black, light = "16", "231" // of the 256 colours, two that no theme changes
)

// drawQR draws a code with two modules in a cell. Its colours do not depend on the terminal's theme, because not every
// camera reads a code that is light on dark.
func drawQR(size int, set func(x, y int) bool) string {
	var b strings.Builder
	dark := func(x, y int) bool {
		return x >= 0 && y >= 0 && x < size && y < size && set(x, y)
	}
	for y := -quietModules; y < size+quietModules; y += 2 {
		last := ""
		for x := -quietModules; x < size+quietModules; x++ {
			upper, lower := light, light
			if dark(x, y) {
				upper = black
			}
			if dark(x, y+1) {
				lower = black
			}
			if colours := "\x1b[38;5;" + upper + ";48;5;" + lower + "m"; colours != last {
				b.WriteString(colours)
				last = colours
			}
			b.WriteString("▀")
		}
		b.WriteString("\x1b[0m\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// pages gives commands access to the queue's pages in the browser. It starts the portal when the first page is needed;
// the portal ends when nobody needs it.
type pages struct {
	portal  client.Portal
	browser client.Browser
}

// pagesOf returns the pages of this command's queue.
func pagesOf(sh *shell) (pages, error) {
	dir, err := sh.queuePlace()
	if err != nil {
		return pages{}, err
	}
	state, err := config.StateDir()
	if err != nil {
		return pages{}, fmt.Errorf("failed to find the web page's place: %w", err)
	}
	self, err := os.Executable()
	if err != nil {
		return pages{}, fmt.Errorf("failed to find choicetui's own program: %w", err)
	}
	return pages{browser: client.Here(), portal: client.Portal{Path: client.Path(dir, state),
		Start: []string{self, "web", "--transient", "--queue", dir}}}, nil
}

// link makes a link to the page of a session or, without a session, to the list of questions.
func (p pages) link(ctx context.Context, r client.Request) (client.Reply, error) {
	place, err := p.portal.Ensure(ctx)
	if err != nil {
		return client.Reply{}, err
	}
	return place.Link(ctx, r)
}

// open shows a session in the person's browser, or the list of questions if id is empty. If no browser can be opened,
// link lets the person in once; else link is the bare address.
func (p pages) open(ctx context.Context, id string) (link string, opened bool, err error) {
	reply, err := p.link(ctx, client.Request{Session: id})
	if err != nil {
		return "", false, err
	}
	if p.browser.Open(reply.URL) != nil { // no browser starts here: the person opens the link
		return reply.URL, false, nil
	}
	return reply.Bare, true, nil
}

// openForAgent opens the page of a session for the person who runs the agent that asked. If no browser starts, it
// returns a link for the agent, as linkForAgent does.
func (p pages) openForAgent(ctx context.Context, s queue.Session) (call.Page, error) {
	link, opened, err := p.open(ctx, s.ID)
	if err != nil || opened {
		return call.Page{Bare: link, Opened: opened}, err
	}
	return p.linkForAgent(ctx, s)
}

// linkForAgent returns a link to the page of a session for the agent that asked to show.
func (p pages) linkForAgent(ctx context.Context, s queue.Session) (call.Page, error) {
	// Given is never empty, not even for an agent without a name, so the link opens this question alone.
	reply, err := p.link(ctx, client.Request{Session: s.ID, Given: say.Who(s.Origin)})
	return call.Page{Link: reply.URL, Bare: reply.Bare}, err
}
