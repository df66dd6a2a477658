package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/app/screen"
	"github.com/choicetui/choicetui/app/term"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/spool"
)

func demoCommand(sh *shell) *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Watch a scripted agent ask four questions",
		Long: `demo opens the dashboard on a queue of its own in a temporary directory. A
scripted agent connects over MCP, as Claude Code or Codex would, and asks four
questions within a minute. After q it shows what the agent received. Nothing is
kept: neither questions nor settings.`,
		Args: nothingElse,
		RunE: func(cmd *cobra.Command, _ []string) error { return demo(cmd.Context(), sh.out) },
	}
}

// demo runs the whole way in one command: a real client, a real `choicetui mcp` and the dashboard, on a scratch queue.
func demo(ctx context.Context, out io.Writer) error {
	if err := term.Available(); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "choicetui-demo-")
	if err != nil {
		return fmt.Errorf("failed to make room for the demo: %w", err)
	}
	defer os.RemoveAll(dir)
	store, err := spool.Open(filepath.Join(dir, "queue"))
	if err != nil {
		return err
	}
	q := queue.New(store)
	agent := newAgent(q, filepath.Join(dir, "queue"), filepath.Join(dir, "config"))
	defer agent.close()
	played := make(chan struct{})
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer close(played)
		agent.play(ctx)
	}()
	o := screenOptions(q, config.Open(filepath.Join(dir, "config", "choicetui", "config.json")))
	o.Scratch = true
	o.Hint = "demo: four questions within a minute · q ends it and shows the answers"
	_, err = screen.Run(ctx, o)
	cancel()
	<-played
	if err := screenEnd(err); err != nil {
		return err
	}
	return agent.transcript(out)
}

// runBelow runs a command of this program from inside the dashboard, which lends it the terminal.
func runBelow(ctx context.Context, command string) {
	self, err := os.Executable()
	if err != nil {
		return
	}
	cmd := exec.CommandContext(ctx, self, command)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt)
	defer signal.Stop(stop)
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		fmt.Fprintln(os.Stderr, "choicetui: "+command+" did not start:", err)
	}
	fmt.Fprint(os.Stdout, "\nEnter goes back to the dashboard. ")
	var line [1]byte
	for n, err := os.Stdin.Read(line[:]); err == nil && n == 1 && line[0] != '\n'; n, err = os.Stdin.Read(line[:]) {
	}
}
