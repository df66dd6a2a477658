// Package tmux calls the tmux in which this process runs: it opens, finds and selects panes, types into them and reads
// them. Every call runs the tmux client with a deadline and without a shell. Outside tmux every call fails with
// ErrOutside.
package tmux

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	// deadline limits one call of tmux: a stopped program in a pane can make tmux hang.
	deadline = 3 * time.Second
	// grace is how long to wait for the output of a tmux client that was killed.
	grace = 100 * time.Millisecond
	// splitShare is the share of the pane's width for a form that opens beside it.
	splitShare = "50%"
)

// Errors of a call.
var (
	ErrOutside = errors.New("not inside tmux")
	ErrNoPane  = errors.New("no such tmux pane")
)

// paneID matches the id of a pane. Panes are named only in this form, because tmux reads anything else as a target
// expression or a flag.
var paneID = regexp.MustCompile(`^%[0-9]{1,9}$`)

// Inside reports whether this process runs in tmux.
func Inside() bool { return os.Getenv("TMUX") != "" }

// Pane returns the pane in which this process was started; empty: not known.
func Pane() string {
	if id := os.Getenv("TMUX_PANE"); paneID.MatchString(id) {
		return id
	}
	return ""
}

// runTmux calls tmux and returns its output without the last newline.
func runTmux(ctx context.Context, args ...string) (string, error) {
	return runWithInput(ctx, "", args...)
}

// runWithInput calls tmux with input on its stdin, and returns its output without the last newline.
func runWithInput(ctx context.Context, input string, args ...string) (string, error) {
	if !Inside() {
		return "", ErrOutside
	}
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	cmd := exec.CommandContext(ctx, "tmux", args...)
	cmd.WaitDelay = grace
	if input != "" {
		cmd.Stdin = strings.NewReader(input)
	}
	var out, problem bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problem
	err := cmd.Run()
	said := strings.TrimSpace(problem.String())
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("failed to run tmux %s: %w", args[0], ctx.Err())
	case strings.HasPrefix(said, "can't find pane"):
		return "", ErrNoPane
	case err != nil && said != "":
		return "", fmt.Errorf("failed to run tmux %s: %s", args[0], said)
	case err != nil:
		return "", fmt.Errorf("failed to run tmux %s: %w", args[0], err)
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}

// SplitBeside opens a pane to the right of another and runs argv in it, with env ("NAME=value") added. It returns the
// id of the new pane, which closes when the program ends. The focus does not move. ErrNoPane: the other pane does not
// exist.
func SplitBeside(ctx context.Context, pane string, argv, env []string) (string, error) {
	if !paneID.MatchString(pane) {
		return "", ErrNoPane
	}
	if len(argv) == 0 || argv[0] == "" {
		return "", errors.New("failed to split: no command")
	}
	args := []string{"split-window", "-h", "-d", "-l", splitShare, "-P", "-F", "#{pane_id}", "-t", pane}
	for _, e := range env {
		args = append(args, "-e", escapeSemicolon(e))
	}
	args = append(args, "--")
	for _, a := range withoutShell(argv) {
		args = append(args, escapeSemicolon(a))
	}
	id, err := runTmux(ctx, args...)
	if err == nil && !paneID.MatchString(id) {
		return "", fmt.Errorf("failed to split: tmux said %q", id)
	}
	return id, err
}

// withoutShell makes tmux run argv unchanged: tmux would pass a single argument to a shell.
func withoutShell(argv []string) []string {
	if len(argv) > 1 {
		return argv
	}
	return []string{"env", "--", argv[0]}
}

// escapeSemicolon protects a final semicolon, which tmux would take for the end of its command.
func escapeSemicolon(arg string) string {
	if strings.HasSuffix(arg, ";") {
		return arg[:len(arg)-1] + `\;`
	}
	return arg
}

// PaneExists reports whether the pane exists; an error says that tmux could not be asked.
func PaneExists(ctx context.Context, id string) (bool, error) {
	_, err := expandFormat(ctx, id, "#{pane_id}")
	if errors.Is(err, ErrNoPane) {
		return false, nil
	}
	return err == nil, err
}

// PaneLocation returns the pane's place as a person counts: "2:1" is window 2, pane 1; empty: not known.
func PaneLocation(ctx context.Context, id string) string {
	at, err := expandFormat(ctx, id, "#{window_index}:#{pane_index}")
	if err != nil {
		return ""
	}
	return at
}

// expandFormat expands a format for one pane. It does not use display-message, which prints an empty line and succeeds
// for a pane that is gone.
func expandFormat(ctx context.Context, id, format string) (string, error) {
	if !paneID.MatchString(id) {
		return "", ErrNoPane
	}
	list, err := runTmux(ctx, "list-panes", "-a", "-F", "#{pane_id} "+format)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(list) {
		if pane, value, _ := strings.Cut(strings.TrimSpace(line), " "); pane == id {
			return value, nil
		}
	}
	return "", ErrNoPane
}

// SelectPane shows the pane to the person: it selects its window and the pane, and if that is in another session,
// switches the clients that show this process's session.
func SelectPane(ctx context.Context, id string) error {
	session, err := expandFormat(ctx, id, "#{session_id}")
	if err != nil {
		return err
	}
	if _, err := runTmux(ctx, "select-window", "-t", id); err != nil {
		return err
	}
	if _, err := runTmux(ctx, "select-pane", "-t", id); err != nil {
		return err
	}
	own := Pane()
	if own == "" {
		return nil
	}
	here, err := expandFormat(ctx, own, "#{session_id}")
	if err != nil || here == session {
		return nil // shown already, as far as is known
	}
	return switchClients(ctx, here, id)
}

// switchClients moves every client that shows the session from to the pane.
func switchClients(ctx context.Context, from, id string) error {
	clients, err := runTmux(ctx, "list-clients", "-t", from, "-F", "#{client_name}")
	if err != nil {
		return err
	}
	for _, name := range strings.Fields(clients) {
		if _, err := runTmux(ctx, "switch-client", "-c", name, "-t", id); err != nil {
			return err
		}
	}
	return nil
}

// Settings are the settings of tmux that affect this program.
type Settings struct {
	Version     string
	FocusEvents string // on: tmux reports the terminal's focus to programs
	Passthrough string // on or all: sequences reach the terminal around it
	Clipboard   string // on or external: copied text reaches the terminal's clipboard
}

// ReadSettings reads the settings of the tmux in which this process runs. A setting that is unknown to an old tmux is
// empty.
func ReadSettings(ctx context.Context) (s Settings, err error) {
	for _, one := range []struct {
		to   *string
		args []string
	}{
		{&s.Version, []string{"display-message", "-p", "#{version}"}},
		{&s.FocusEvents, []string{"show-options", "-sqv", "focus-events"}},
		{&s.Passthrough, []string{"show-options", "-gwqv", "allow-passthrough"}},
		{&s.Clipboard, []string{"show-options", "-sqv", "set-clipboard"}},
	} {
		said, err := runTmux(ctx, one.args...)
		if err != nil {
			return s, err
		}
		*one.to = strings.TrimSpace(said)
	}
	return s, nil
}

// Outer returns the terminal around tmux that shows this process's pane: its TERM, its own name if it reported one, and
// whether tmux passes sequences on to it (allow-passthrough, which is off by default and exists since tmux 3.3).
func Outer(ctx context.Context) (term, name string, passes bool, err error) {
	pane := Pane()
	if pane == "" {
		return "", "", false, ErrNoPane
	}
	allowed, err := runTmux(ctx, "show-options", "-pAqv", "-t", pane, "allow-passthrough")
	if err != nil {
		return "", "", false, err
	}
	known, err := runTmux(ctx, "display-message", "-p", "-t", pane, "#{client_termname}\t#{client_termtype}")
	if err != nil {
		return "", "", false, err
	}
	term, name, _ = strings.Cut(known, "\t")
	return term, name, allowed == "on" || allowed == "all", nil
}

// UseDefaultServer makes a process that runs outside tmux, such as one that sshd started, use this user's default tmux
// server, if there is one. It sets TMUX, which the tmux program reads.
func UseDefaultServer() {
	if Inside() {
		return
	}
	dir := os.Getenv("TMUX_TMPDIR")
	if dir == "" {
		dir = "/tmp"
	}
	socket := filepath.Join(dir, "tmux-"+strconv.Itoa(os.Getuid()), "default")
	if info, err := os.Lstat(socket); err == nil && info.Mode()&os.ModeSocket != 0 {
		_ = os.Setenv("TMUX", socket+",0,0")
	}
}

// IsPane reports whether id is the id of a pane, such as %3.
func IsPane(id string) bool { return paneID.MatchString(id) }
