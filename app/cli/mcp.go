package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"github.com/choicetui/choicetui/app/tmux"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/config/whole"
	"github.com/choicetui/choicetui/mcpbridge"
	"github.com/choicetui/choicetui/mcpbridge/agents"
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/mcpbridge/http"
	"github.com/choicetui/choicetui/queue"
)

// mcpRun is one run of `choicetui mcp`.
type mcpRun struct {
	sh  *shell
	web httpFlags
}

func mcpCommand(sh *shell) *cobra.Command {
	r := mcpRun{sh: sh}
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Run the MCP server",
		Long: `mcp is the server that agents start once they are connected (choicetui setup).
It ends when the agent closes its input.

With --http it serves streamable HTTP at http://ADDR/mcp, always with a token,
until you stop it. Use a loopback address unless others should reach it.`,
		Args: nothingElse,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if r.web != (httpFlags{}) {
				return r.serveHTTP(cmd.Context())
			}
			return r.serveStdio(cmd.Context())
		},
	}
	r.web.addFlags(cmd)
	return cmd
}

// serveStdio runs the bridge until the agent closes stdin or ends this process.
func (r *mcpRun) serveStdio(ctx context.Context) error {
	wire, err := claimStdout()
	if err != nil {
		return err
	}
	defer wire.Close()
	return r.bridge(ctx, func(ctx context.Context, o mcpbridge.Options) error {
		o.In, o.Out, o.Origin = r.sh.in, wire, processOrigin()
		if agents.WaitsForTools() {
			o.Listed = sync.OnceFunc(func() { go r.tellListed(ctx, o.Origin) })
		}
		return mcpbridge.Serve(ctx, o)
	})
}

// tellListed announces in the queue that the agent has our tools. Its start hook waits for that before its first
// request. The announcement is made only in an existing queue in a directory: it is no reason to make a queue or to
// connect to a server. It ends with this process.
func (r *mcpRun) tellListed(ctx context.Context, agent queue.Origin) {
	if q, err := r.sh.openExistingDir(); err == nil {
		_, _ = q.Store.Announce(ctx, queue.Presence{Instance: queue.NewToken(), Role: queue.RoleServer, Origin: &agent})
	}
}

// bridge runs serve until its agents are done or a signal ends this process. It returns nil in both cases.
func (r *mcpRun) bridge(ctx context.Context, serve func(context.Context, mcpbridge.Options) error) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	settings := r.sh.settings()
	go settings.Watch(ctx, func() { r.sh.warnSettings(settings.Err()) }) // ends with ctx
	var used atomic.Pointer[queue.Queue]
	o := mcpbridge.Options{Options: call.Options{
		Open: func() (*queue.Queue, error) {
			q, err := r.sh.openQueue()
			if err == nil {
				used.Store(q)
			}
			return q, err
		},
		Settings: func() config.Settings { return r.settingsNow(settings) },
		Version:  version(), Client: agents.ClientOf,
		Log: prefixed{r.sh.err}, AttachCommand: r.attachLine, Page: r.pageOf,
	}}
	if tmux.Inside() {
		var counter tmux.Counter
		defer func() {
			counter.Wait()
			tellTmux(ctx, used.Load())
		}()
		o.Count = counter.Show
	}
	err := serve(ctx, o)
	if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
		return nil // a signal ended the bridge
	}
	return err
}

// settingsNow reads the settings file again if it has changed. The watch reports a change a little later, and a change
// made before an agent asks must count for its question.
func (r *mcpRun) settingsNow(f *config.File) config.Settings {
	if f.Refresh() {
		r.sh.warnSettings(f.Err())
	}
	return f.Settings()
}

// claimStdout keeps fd 1 for the protocol under another number, and points fd 1 and os.Stdout at stderr. One stray line
// of this program, a library or a child would break the client's parser.
func claimStdout() (*os.File, error) {
	fd, err := unix.FcntlInt(1, unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, fmt.Errorf("failed to keep stdout for the protocol: %w", err)
	}
	if err := unix.Dup2(2, 1); err != nil {
		return nil, fmt.Errorf("failed to keep stdout for the protocol: %w", err)
	}
	os.Stdout = os.Stderr
	return os.NewFile(uintptr(fd), "stdout"), nil
}

// attachLine returns the command line that opens a session's form in a shell of the agent or the person. That shell may
// not have choicetui in its PATH, and does not know the queue's place if a flag or variable of this process names it.
func (r *mcpRun) attachLine(id string) string {
	words := []string{agent.Program()}
	here, err := r.sh.queuePlace()
	if usual, uerr := r.sh.usualPlace(); err == nil && (uerr != nil || here != usual || !config.AtHome()) {
		words = append(words, "--queue", here)
	}
	words = append(words, "attach", id)
	for i, w := range words {
		words[i] = agent.ShellQuoted(w)
	}
	return strings.Join(words, " ")
}

// pageOf returns a session's page in the browser. If open is set, it opens the page for the person first.
func (r *mcpRun) pageOf(ctx context.Context, s queue.Session, open bool) (call.Page, error) {
	p, err := pagesOf(r.sh)
	if err != nil {
		return call.Page{}, err
	}
	if open {
		return p.openForAgent(ctx, s)
	}
	return p.linkForAgent(ctx, s)
}

// prefixed begins each line of the log with this program's name, because agents keep one log for all their servers.
type prefixed struct{ w io.Writer }

func (p prefixed) Write(line []byte) (int, error) {
	_, err := p.w.Write(append([]byte("choicetui: "), line...))
	return len(line), err
}

// leastToken is the least length of the person's own token, in characters.
const leastToken = 20

// httpFlags holds the flags of `choicetui mcp --http`.
type httpFlags struct{ address, tokenFile string }

func (f *httpFlags) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.address, "http", "", "serve streamable HTTP at `ADDR` instead, such as 127.0.0.1:0")
	cmd.Flags().StringVar(&f.tokenFile, "token-file", "",
		"with --http: read the token from `FILE`, created if missing")
}

// serveHTTP runs the bridge for clients that connect over HTTP, until a signal ends it.
func (r *mcpRun) serveHTTP(ctx context.Context) error {
	f := r.web
	if f.address == "" {
		return &failure{say: "--token-file is for --http", hint: "choicetui mcp --http 127.0.0.1:0 --token-file FILE"}
	}
	listener, name, err := listenAt(f.address)
	if err != nil {
		return err
	}
	defer listener.Close()
	token := rand.Text()
	shown := token
	if f.tokenFile != "" {
		if token, err = keptToken(f.tokenFile); err != nil {
			return err
		}
		shown = "$(cat " + agent.ShellQuoted(f.tokenFile) + ")"
	}
	said := prefixed{r.sh.err}
	at := listener.Addr().(*net.TCPAddr)
	fmt.Fprintf(said, "agents connect to http://%s%s\n", reachableAddress(at), http.Path)
	fmt.Fprintf(said, "with the header Authorization: Bearer %s\n", shown)
	if !at.IP.IsLoopback() {
		fmt.Fprintln(said, "other machines can reach this server under this machine's address, and the token "+
			"travels unencrypted: put a tunnel or a proxy with TLS in front of it")
	}
	return r.bridge(ctx, func(ctx context.Context, o mcpbridge.Options) error {
		return mcpbridge.ServeHTTP(ctx, o, http.Options{Listener: listener, Token: token, Host: name})
	})
}

// reachableAddress returns the address under which this machine reaches a listener. In place of the unspecified address
// that is the loopback address.
func reachableAddress(at *net.TCPAddr) string {
	ip := at.IP
	switch {
	case ip.IsUnspecified() && ip.To4() != nil:
		ip = net.IPv4(127, 0, 0, 1)
	case ip.IsUnspecified():
		ip = net.IPv6loopback
	}
	return net.JoinHostPort(ip.String(), strconv.Itoa(at.Port))
}

// listenAt opens the port of an address. Without a host it listens on the loopback address only. name is the host, if
// the address has a name and not an IP address.
func listenAt(address string) (l net.Listener, name string, err error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil && address != "" && strings.Trim(address, "0123456789") == "" {
		port, err = address, nil
	}
	if err != nil {
		return nil, "", &failure{say: quoted(address) + " is not an address",
			hint: "use --http 127.0.0.1:4711, or port 0 for any free port", cause: err}
	}
	if host == "" {
		host = "127.0.0.1"
	}
	if net.ParseIP(host) == nil {
		name = host
	}
	network := "tcp"
	if ip := net.ParseIP(host); ip.To4() != nil { // else 0.0.0.0 would include IPv6
		network = "tcp4"
	}
	l, err = net.Listen(network, net.JoinHostPort(host, port))
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, "", &failure{say: "port " + port + " is taken", hint: "port 0 takes any free port", cause: err}
	}
	if err != nil {
		return nil, "", fmt.Errorf("failed to listen at %s: %w", address, err)
	}
	return l, name, nil
}

// keptToken returns the token in a file, and makes a missing file. It fails if other users can read the file.
func keptToken(path string) (string, error) {
	token, err := readToken(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return token, err
	}
	if err := writeToken(path, rand.Text()+"\n"); err != nil {
		return "", fmt.Errorf("failed to write the token to %s: %w", path, err)
	}
	return readToken(path)
}

// readToken reads a token from a file. It fails if the file could be somebody else's, or if the token is too short.
func readToken(path string) (string, error) {
	raw, err := whole.ReadPrivate(path, 4096)
	switch {
	case errors.Is(err, whole.ErrNoFile):
		return "", &failure{say: path + " is not a file with a token"}
	case errors.Is(err, whole.ErrForeign):
		return "", &failure{say: "the token file " + path + " belongs to somebody else"}
	case errors.Is(err, whole.ErrShared):
		return "", &failure{say: "others can read the token file " + path,
			hint: "to repair it run: chmod 600 " + agent.ShellQuoted(path)}
	case err != nil:
		return "", err
	}
	token := strings.TrimSpace(string(raw))
	if len(token) < leastToken || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		const no = "%s has no token of at least %d printable ASCII characters without spaces"
		return "", &failure{say: fmt.Sprintf(no, path, leastToken), hint: "remove it, and a new one is created"}
	}
	return token, nil
}

// writeToken makes the file with its whole content at once. If the file exists by now, it keeps that file.
func writeToken(path, token string) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".token-*") // 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(token)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Link(f.Name(), path); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}
