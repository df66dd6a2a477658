package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/app"
	"github.com/choicetui/choicetui/app/connect"
	"github.com/choicetui/choicetui/app/term"
	"github.com/choicetui/choicetui/app/tmux"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/queue"
)

// runDashboard opens the dashboard on the queue.
func (sh *shell) runDashboard(cmd *cobra.Command) error {
	q, err := sh.open()
	if err != nil {
		return err
	}
	o := sh.screenOptions(q, config.Open(config.Path()))
	o.Demo = playDemo
	_, err = app.Run(cmd.Context(), o)
	return screenEnd(err)
}

// screenOptions wires what every full screen needs: settings, tmux, the editor.
func (sh *shell) screenOptions(q *queue.Queue, settings *config.File) app.Options {
	home, _ := os.UserHomeDir() // without one, directories are shown in full
	o := app.Options{Queue: q, Settings: settings, Instance: queue.NewToken(), Pane: os.Getenv("TMUX_PANE"), Home: home, Edit: edit}
	for _, c := range connect.Clients() {
		if c.Command != "" {
			o.Connect = append(o.Connect, panes.ConnectLine{Name: c.Name, Command: c.Command})
		}
	}
	o.Connect = append(o.Connect, panes.ConnectLine{Name: "others", Command: "choicetui help connect"})
	if tmux.Inside() {
		o.GoToPane, o.Locate = goToPane, tmux.PaneLocation
	}
	return o
}

// goToPane brings an agent's pane up; without its pane id the pane is found through the agent's process.
func goToPane(ctx context.Context, pane string, pid int) error {
	if pane == "" {
		found, err := tmux.FindPane(ctx, pid)
		if err != nil {
			return err
		}
		pane = found
	}
	return tmux.SelectPane(ctx, pane)
}

// screenEnd turns the end of a full screen into an exit: a signal ends it as the shell expects, a closed pane quietly.
func screenEnd(err error) error {
	var sig term.Signal
	switch {
	case errors.As(err, &sig):
		return &failure{say: sig.Error(), code: sig.ExitCode(), cause: err}
	case errors.Is(err, term.ErrGone):
		return &failure{say: err.Error(), code: exitFailed, cause: err}
	}
	return err
}

// edit gives the text to $VISUAL or $EDITOR in a file only this person can read, and returns what was saved.
func edit(ctx context.Context, text string) (string, error) {
	dir, err := os.MkdirTemp("", "choicetui-")
	if err != nil {
		return "", fmt.Errorf("failed to make room for the editor's file: %w", err)
	}
	defer os.RemoveAll(dir)
	file := dir + "/answer.md"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return "", fmt.Errorf("failed to write the editor's file: %w", err)
	}
	editor := "vi"
	for _, name := range []string{"EDITOR", "VISUAL"} {
		if v := os.Getenv(name); v != "" {
			editor = v
		}
	}
	// The person's own setting may hold flags and quotes, so a shell reads it; the file's name is ours.
	cmd := exec.CommandContext(ctx, "sh", "-c", editor+` "$1"`, "sh", file)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return text, fmt.Errorf("%s ended with %w, the text stays as it was", editor, err)
	}
	saved, err := os.ReadFile(file)
	if err != nil {
		return text, fmt.Errorf("failed to read back the editor's file: %w", err)
	}
	return string(trimFinalNewline(saved)), nil
}

func trimFinalNewline(b []byte) []byte {
	if n := len(b); n > 0 && b[n-1] == '\n' {
		return b[:n-1]
	}
	return b
}
