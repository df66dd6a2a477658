package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/agents"
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/queue"
)

// natives lists the processes that outlive a hook, by the argument of `choicetui native`.
var natives = map[string]func(context.Context, *shell) error{
	noticeArg: serveNotice, confirmationArg: serveConfirmation, orphanArg: serveOrphan}

// nativeOf returns what `choicetui native` runs for an argument: a process for an agent with prompts of its own, or one
// that outlives a hook; nil: there is none.
func nativeOf(arg string) func(context.Context, *shell) error {
	switch a := agents.Of(arg); {
	case a.Plugin != nil:
		return func(ctx context.Context, sh *shell) error { return servePlugin(ctx, sh, a) }
	case a.Watch != nil:
		return func(ctx context.Context, sh *shell) error { return serveWatch(ctx, sh, a) }
	}
	return natives[arg]
}

// nativeNames returns the agents that the command serves, but for the processes that only hooks run.
func nativeNames() []string {
	return agents.IDs(func(a agent.Agent) bool { return a.Plugin != nil || a.Watch != nil })
}

// nativeLines says for the help what the command does for each agent.
func nativeLines() string {
	var b strings.Builder
	for _, id := range nativeNames() {
		does := "run by the dashboard if the agent's server runs: takes its prompts"
		if agents.Of(id).Plugin != nil {
			does = "run by the plugin that choicetui setup installs"
		}
		fmt.Fprintf(&b, "%-13s %s\n", id, does)
	}
	return b.String()
}

func nativeCommand(sh *shell) *cobra.Command {
	return &cobra.Command{
		Use:    "native AGENT",
		Hidden: true,
		Short:  "Internal: used by agent plugins",
		Long: `native is run by agent plugins and hooks and by the dashboard, not by you.

` + nativeLines() + `notice        run by hooks, for prompts that you can answer only in the agent's
              pane; ends when the agent continues
confirmation  run by a hook that printed an answer; ends when the agent says
              whether it took the answer
orphan        run by a hook while it waits; records why if the agent kills it`,
		Example: "  choicetui setup " + nativeNames()[len(nativeNames())-1],
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && nativeOf(args[0]) != nil {
				return nil
			}
			return misused(cmd, "the agent: "+strings.Join(nativeNames(), " or "))
		},
		ValidArgs: nativeNames(), // only hooks run the others
		RunE:      func(cmd *cobra.Command, args []string) error { return nativeOf(args[0])(cmd.Context(), sh) },
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

// servePlugin serves an agent's plugin until the agent ends. It reports no errors, because the agent shows its own
// prompt too.
func servePlugin(ctx context.Context, sh *shell, a agent.Agent) error {
	sh.muteSettings()
	signal.Ignore(os.Interrupt) // Ctrl-C is meant for the agent
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
	host := prompt.Host{Dir: config.RunDir(), Unread: func() { noteUnread(a.ID, "", errNotLine, sh.now()) },
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
	a.Plugin(ctx, host, sh.in, sh.out)
	return nil
}
