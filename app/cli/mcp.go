package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"github.com/choicetui/choicetui/app/connect"
	"github.com/choicetui/choicetui/app/tmux"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge"
	"github.com/choicetui/choicetui/mcpbridge/call"
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
		Short: "Serve agents over MCP on stdin and stdout",
		Long: `mcp is what an agent starts by itself, once it is connected
(choicetui help connect). It creates nothing until the agent asks, and ends when
the agent closes its input.

With --http it serves agents that connect by themselves, over streamable HTTP
at http://ADDR/mcp: on this machine only, unless ADDR says otherwise, and always
with a token. It runs until it is stopped; questions outlive it.`,
		Args: nothingElse,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if r.web != (httpFlags{}) {
				return r.serveHTTP(cmd.Context())
			}
			return r.serveStdio(cmd.Context())
		},
	}
	r.web.bind(cmd)
	return cmd
}

// serveStdio runs the bridge until the agent closes stdin or ends the process.
func (r *mcpRun) serveStdio(ctx context.Context) error {
	wire, err := claimStdout()
	if err != nil {
		return err
	}
	defer wire.Close()
	return r.bridge(ctx, func(ctx context.Context, o mcpbridge.Options) error {
		o.In, o.Out, o.Origin = r.sh.in, wire, call.ProcessOrigin()
		return mcpbridge.Serve(ctx, o)
	})
}

// bridge runs a bridge until its agents are done (nil), or the process is told to end (nil too).
func (r *mcpRun) bridge(ctx context.Context, serve func(context.Context, mcpbridge.Options) error) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	settings := r.sh.settings()
	go settings.Watch(ctx, func() { r.sh.warnSettings(settings.Err()) }) // ends with ctx; without it they stay as read
	var used atomic.Pointer[queue.Queue]
	o := mcpbridge.Options{Options: call.Options{
		Open: func() (*queue.Queue, error) {
			q, err := r.sh.open()
			if err == nil {
				used.Store(q)
			}
			return q, err
		},
		Settings: func() config.Settings { return r.settingsNow(settings) }, Version: version(),
		Log: prefixed{r.sh.err}, AttachCommand: r.attachLine, Page: r.page,
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
		return nil // asked to end
	}
	return err
}

// settingsNow reads the file's settings again: its watch tells of a change a little later, and a change made before an
// agent asks must count for its question.
func (r *mcpRun) settingsNow(f *config.File) config.Settings {
	if f.Refresh() {
		r.sh.warnSettings(f.Err())
	}
	return f.Settings()
}

// claimStdout keeps fd 1 for the protocol under a number nobody else knows, and points fd 1 and os.Stdout at stderr:
// one stray line from us, a library or a child would break the client's parser.
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

// attachLine returns the line that opens a session's form, as an agent's or a person's shell has to run it: there
// choicetui may not be in PATH, and --queue, $CHOICETUI_QUEUE and the XDG variables of this process are not known.
func (r *mcpRun) attachLine(id string) string {
	words := []string{connect.Program()}
	here, err := r.sh.place()
	if usual, uerr := r.sh.usualPlace(); err == nil && (uerr != nil || here != usual || !config.AtHome()) {
		words = append(words, "--queue", here)
	}
	words = append(words, "attach", id)
	for i, w := range words {
		words[i] = connect.ShellQuoted(w)
	}
	return strings.Join(words, " ")
}

// page returns a session's page on the web; the bridge calls it only for a question that should open there.
func (r *mcpRun) page(ctx context.Context, s queue.Session, open bool) (call.Page, error) {
	p, err := pagesOf(r.sh)
	if err != nil {
		return call.Page{}, err
	}
	return p.ofAgent(ctx, s, open)
}

// prefixed says on every line of the log who speaks: agents keep one log for all their servers.
type prefixed struct{ w io.Writer }

func (p prefixed) Write(line []byte) (int, error) {
	_, err := p.w.Write(append([]byte("choicetui: "), line...))
	return len(line), err
}
