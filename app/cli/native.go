package cli

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/native"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

func nativeCommand(sh *shell) *cobra.Command {
	return &cobra.Command{
		Use:   "native AGENT",
		Short: "Stand between an agent's plugin and the dashboard",
		Long: `native is run by an agent's plugin, not by you: choicetui setup installs the
plugin. AGENT is opencode. What opencode asks, its questions and its permission
prompts, stands in the dashboard and on opencode's own screen; whoever answers
first has answered. It reads lines of JSON from the plugin and writes lines of
JSON to it, and says nothing else.`,
		Example: `  choicetui setup opencode`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && args[0] == "opencode" {
				return nil
			}
			return misused(cmd, "the agent whose plugin runs it: opencode")
		},
		ValidArgs: []string{"opencode"},
		RunE:      func(cmd *cobra.Command, _ []string) error { return serveOpencode(cmd.Context(), sh) },
	}
}

// serveOpencode serves opencode's plugin until opencode ends. What goes wrong stays unsaid: opencode's own prompt is on
// its screen.
func serveOpencode(ctx context.Context, sh *shell) error {
	sh.complain.Do(func() {})
	signal.Ignore(os.Interrupt) // Ctrl-C in opencode is opencode's
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	var once sync.Mutex
	var found *queue.Queue
	look := func() (*queue.Queue, error) { // the queue may be made later
		once.Lock()
		defer once.Unlock()
		if found != nil {
			return found, nil
		}
		q, err := sh.look()
		if err == nil {
			found = q
		}
		return q, err
	}
	p := native.Plugin{Words: nativeWords(),
		Open: func(ctx context.Context) (*native.Intake, error) {
			q, err := look()
			if err != nil {
				return nil, err
			}
			return native.Open(ctx, native.Options{Queue: q, Left: say.NativeLeft,
				Settings: func() config.Settings { return sh.settings().Settings() }})
		},
		Dashboard: func(ctx context.Context) bool {
			q, err := look()
			return err == nil && native.Dashboard(ctx, q)
		}}
	p.Serve(ctx, sh.in, sh.out)
	return nil
}
