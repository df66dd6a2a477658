package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/native"
	"github.com/choicetui/choicetui/queue"
)

// natives lists what `choicetui native` runs, by its argument: processes for agents with prompts of their own, and
// those that outlive a hook.
var natives = map[string]func(context.Context, *shell) error{"opencode": serveOpencode, "codex": serveCodex,
	noticeArg: serveNotice, confirmationArg: serveConfirmation, orphanArg: serveOrphan}

func nativeCommand(sh *shell) *cobra.Command {
	return &cobra.Command{
		Use:   "native AGENT",
		Short: "Stand between an agent and the dashboard",
		Long: `native is not run by you. AGENT is opencode or codex. What the agent asks, its
questions and its permission prompts, stands in the dashboard and on the agent's
own screen; whoever answers first has answered.

opencode: its plugin runs this, and choicetui setup installs that. It reads lines
of JSON from the plugin and writes lines of JSON to it, and says nothing else.

codex: the dashboard runs this where Codex's server runs, and it ends with the
last dashboard. Nothing is set up for it, in Codex or elsewhere. The settings
native.codex and native.codex_homes say whether, and for which homes of Codex.

notice: a hook of Claude Code or Gemini CLI runs this, with what the agent says
that you can answer only in its own pane. It ends once the agent continues.

confirmation: a hook of Claude Code runs this when it has printed an answer. It
ends once Claude Code says whether it took the answer.

orphan: a hook of Copilot CLI runs this while it waits, and it ends with the hook.
If Copilot CLI has killed that, it says why.`,
		Example: `  choicetui setup opencode`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && natives[args[0]] != nil {
				return nil
			}
			return misused(cmd, "the agent: opencode or codex")
		},
		ValidArgs: []string{"opencode", "codex"}, // only hooks run the others
		RunE:      func(cmd *cobra.Command, args []string) error { return natives[args[0]](cmd.Context(), sh) },
	}
}

// nativeProcess returns the command `choicetui native WHAT` for a queue. The process outlives its parent: it gets its
// own session, because agents kill what a hook leaves in its process group. It keeps no directory in use.
func nativeProcess(what, queue string) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("failed to find choicetui's own program: %w", err)
	}
	child := exec.Command(self, "native", what, "--queue", queue)
	child.Dir, child.SysProcAttr = "/", &syscall.SysProcAttr{Setsid: true}
	return child, nil
}

// serveOpencode serves opencode's plugin until opencode ends. It reports no errors, because opencode shows its own
// prompt too.
func serveOpencode(ctx context.Context, sh *shell) error {
	sh.complain.Do(func() {})
	signal.Ignore(os.Interrupt) // Ctrl-C is meant for opencode
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	var once sync.Mutex
	var found *queue.Queue
	look := func() (*queue.Queue, error) { // the queue may not exist yet
		once.Lock()
		defer once.Unlock()
		if found != nil {
			return found, nil
		}
		q, err := sh.openExisting()
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
			return native.Open(ctx, native.Options{Queue: q, Left: nativeLeft, Before: nativeBefore,
				Settings: func() config.Settings { return sh.settings().Settings() }})
		},
		Dashboard: func(ctx context.Context) bool {
			q, err := look()
			return err == nil && native.Dashboard(ctx, q)
		}}
	p.Serve(ctx, sh.in, sh.out)
	return nil
}
