package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/choicetui/choicetui/app/connect"
	"github.com/choicetui/choicetui/app/screen"
	"github.com/choicetui/choicetui/app/term"
	"github.com/choicetui/choicetui/app/tmux"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
)

// runDashboard opens the dashboard on the queue.
func runDashboard(ctx context.Context, sh *shell) error {
	q, err := sh.open()
	if err != nil {
		return err
	}
	defer watchingCodex(ctx, sh)()
	_, err = screen.Run(ctx, dashboardOptions(sh, q, sh.settings()))
	return screenEnd(err)
}

// dashboardOptions wires what a dashboard has beside that: set-up, the demo, the number in tmux's status line, and what
// lies aside.
func dashboardOptions(sh *shell, q *queue.Queue, settings *config.File) screen.Options {
	o := screenOptions(q, settings)
	o.Aside = sh.aside()
	o.Browse, o.Alerts = browse(sh), newAlerts(pageURL(sh))
	o.Team = newDeskTeam(sh, q, settings)
	o.Rules = deskRules()
	o.SetUp = func(ctx context.Context) { runBelow(ctx, "setup") }
	o.Demo = func(ctx context.Context) { runBelow(ctx, "demo") }
	if tmux.Inside() {
		o.Count = &queueCount{q: q}
	}
	return o
}

// browse shows a session's page in the browser.
func browse(sh *shell) func(ctx context.Context, id string) (link string, opened bool, err error) {
	return func(ctx context.Context, id string) (string, bool, error) {
		p, err := pagesOf(sh)
		if err != nil {
			return "", false, err
		}
		return p.open(ctx, id)
	}
}

// screenOptions wires what every full screen needs: settings, tmux, the editor.
func screenOptions(q *queue.Queue, settings *config.File) screen.Options {
	o := screen.Options{
		Queue: q, Settings: settings, Instance: queue.NewToken(), Pane: os.Getenv("TMUX_PANE"), Home: config.Home(),
		Edit: edit, EditFile: editFile, NoColor: os.Getenv("NO_COLOR") != "", Chat: newAgentWays(q),
		Alerts: newAlerts(nil), Elsewhere: otherHost,
	}
	o.Connect = offered(connect.Here())
	if tmux.Inside() {
		o.GoToPane, o.Locate, o.Copy = newAgentWays(q).goToPane, tmux.PaneLocation, tmux.Copy
		o.Peek = newAgentWays(q).peek
	}
	return o
}

// screenEnd turns the end of a full screen into an exit: a signal ends it as the shell expects, a closed pane quietly.
func screenEnd(err error) error {
	var sig term.Signal
	switch {
	case errors.As(err, &sig):
		return &failure{say: err.Error(), code: sig.ExitCode(), cause: err}
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
	written := text
	if written != "" {
		written += "\n" // as editors expect; it is taken off again
	}
	if err := os.WriteFile(file, []byte(written), 0o600); err != nil {
		return "", fmt.Errorf("failed to write the editor's file: %w", err)
	}
	if err := runEditor(ctx, file); err != nil {
		return text, fmt.Errorf("%w, the text stays as it was", err)
	}
	saved, err := os.ReadFile(file)
	if err != nil {
		return text, fmt.Errorf("failed to read back the editor's file: %w", err)
	}
	return string(trimFinalNewline(saved)), nil
}

// editFile opens the settings file in the person's editor; a missing file is created empty, for this person alone to
// read.
func editFile(ctx context.Context, path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("failed to create the settings' directory: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		_, err = f.WriteString("{\n}\n")
		err = errors.Join(err, f.Close())
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("failed to begin the settings file: %w", err)
	}
	return runEditor(ctx, path)
}

// errNoEditor means that the usual editor has no terminal to be used on.
var errNoEditor = errors.New("no editor is set in $VISUAL or $EDITOR, and vi needs a terminal")

// runEditor runs $VISUAL, else $EDITOR, else vi on a file.
func runEditor(ctx context.Context, file string) error {
	editor := ""
	for _, name := range []string{"EDITOR", "VISUAL"} {
		if v := os.Getenv(name); v != "" {
			editor = v
		}
	}
	if editor == "" {
		if editor = "vi"; !isTerminal(os.Stdin) {
			return errNoEditor
		}
	}
	// The person's own setting may hold flags and quotes, so a shell reads it; the file's name is ours.
	cmd := exec.CommandContext(ctx, "sh", "-c", editor+` "$1"`, "sh", file)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s ended with %w", editor, err)
	}
	return nil
}

func trimFinalNewline(b []byte) []byte {
	if n := len(b); n > 0 && b[n-1] == '\n' {
		return bytes.TrimSuffix(b[:n-1], []byte("\r"))
	}
	return b
}
