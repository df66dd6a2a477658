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
	"github.com/choicetui/choicetui/mcpbridge/agents/opencode"
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/queue"
)

// natives lists what `choicetui native` runs, by its argument: processes for agents with prompts of their own, and
// those that outlive a hook.
var natives = map[string]func(context.Context, *shell) error{"opencode": serveOpencode, "codex": serveCodex,
	noticeArg: serveNotice, confirmationArg: serveConfirmation, orphanArg: serveOrphan}

func nativeCommand(sh *shell) *cobra.Command {
	return &cobra.Command{
		Use:    "native AGENT",
		Hidden: true,
		Short:  "Internal: used by agent plugins",
		Long: `native is run by agent plugins and hooks and by the dashboard, not by you.

opencode      run by its plugin, which choicetui setup installs: exchanges lines
              of JSON with the plugin
codex         run by the dashboard if Codex's server runs; needs no setup, see
              the settings native.codex and native.codex_homes
notice        run by hooks of Claude Code and Gemini CLI, for prompts that you
              can answer only in the agent's pane; ends when the agent continues
confirmation  run by a hook of Claude Code that printed an answer; ends when
              Claude Code says whether it took the answer
orphan        run by a hook of Copilot CLI while it waits; records why if
              Copilot CLI kills the hook`,
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
	sh.muteSettings()
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
	p := opencode.Plugin{Dir: config.RunDir(), Unread: func() { noteUnread("opencode", "", errNotLine, sh.now()) },
		Open: func(ctx context.Context) (*prompt.Intake, error) {
			q, err := look()
			if err != nil {
				return nil, err
			}
			return prompt.Open(ctx, processOrigin(), prompt.Options{Queue: q, Settings: sh.currentSettings})
		},
		Dashboard: func(ctx context.Context) bool {
			q, err := look()
			return err == nil && prompt.Dashboard(ctx, q)
		}}
	p.Serve(ctx, sh.in, sh.out)
	return nil
}
