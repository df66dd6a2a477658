// Package tmux asks the tmux around us for panes: a pane to draw in, to go to, or that a process runs in. Every call
// runs the tmux client with a deadline and without a shell; outside tmux every call fails with ErrOutside.
package tmux

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

const (
	// deadline is for one call: a stopped program in a pane can make tmux hang.
	deadline = 3 * time.Second
	// grace limits the wait for a killed client's output.
	grace = 100 * time.Millisecond
	// splitShare is the part of the pane's width that the form beside it gets.
	splitShare = "50%"
)

// Errors of a call.
var (
	ErrOutside = errors.New("not inside tmux")
	ErrNoPane  = errors.New("no such tmux pane")
)

// paneID matches the only form in which a pane is named: tmux would read anything else as a target expression, or as a
// flag.
var paneID = regexp.MustCompile(`^%[0-9]{1,9}$`)

// Inside reports whether this process runs in tmux.
func Inside() bool { return os.Getenv("TMUX") != "" }

// Pane returns the pane this process was started in; empty: unknown.
func Pane() string {
	if id := os.Getenv("TMUX_PANE"); paneID.MatchString(id) {
		return id
	}
	return ""
}

// run calls tmux and returns its output without the last newline.
func run(ctx context.Context, args ...string) (string, error) { return feed(ctx, "", args...) }

// feed calls tmux as run does, with something on its stdin.
func feed(ctx context.Context, input string, args ...string) (string, error) {
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

// SplitBeside opens a pane to the right of another and runs argv in it, with env ("NAME=value") added; it returns the
// new pane's id. The focus stays where it is. The pane closes when the program ends. ErrNoPane: there is no such pane.
func SplitBeside(ctx context.Context, pane string, argv, env []string) (string, error) {
	if !paneID.MatchString(pane) {
		return "", ErrNoPane
	}
	if len(argv) == 0 || argv[0] == "" {
		return "", errors.New("failed to split: no command")
	}
	args := []string{"split-window", "-h", "-d", "-l", splitShare, "-P", "-F", "#{pane_id}", "-t", pane}
	for _, e := range env {
		args = append(args, "-e", escape(e))
	}
	args = append(args, "--")
	for _, a := range direct(argv) {
		args = append(args, escape(a))
	}
	id, err := run(ctx, args...)
	if err == nil && !paneID.MatchString(id) {
		return "", fmt.Errorf("failed to split: tmux said %q", id)
	}
	return id, err
}

// direct makes sure that tmux runs argv unchanged: one argument alone it would give to a shell.
func direct(argv []string) []string {
	if len(argv) > 1 {
		return argv
	}
	return []string{"env", "--", argv[0]}
}

// escape protects a final semicolon, which tmux would take for the end of its command.
func escape(arg string) string {
	if strings.HasSuffix(arg, ";") {
		return arg[:len(arg)-1] + `\;`
	}
	return arg
}

// PaneExists reports whether the pane is there; an error says that tmux could not be asked.
func PaneExists(ctx context.Context, id string) (bool, error) {
	_, err := display(ctx, id, "#{pane_id}")
	if errors.Is(err, ErrNoPane) {
		return false, nil
	}
	return err == nil, err
}

// PaneLocation returns the pane as a person counts: "2:1" is window 2, pane 1; empty: not known.
func PaneLocation(ctx context.Context, id string) string {
	at, err := display(ctx, id, "#{window_index}:#{pane_index}")
	if err != nil {
		return ""
	}
	return at
}

// display expands a format for one pane. It does not use display-message, which prints an empty line and succeeds for a
// pane that is gone.
func display(ctx context.Context, id, format string) (string, error) {
	if !paneID.MatchString(id) {
		return "", ErrNoPane
	}
	list, err := run(ctx, "list-panes", "-a", "-F", "#{pane_id} "+format)
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

// SelectPane brings the pane in front of the person: its window, then itself, and, when it is in another session, the
// client that looks at the session of this process.
func SelectPane(ctx context.Context, id string) error {
	session, err := display(ctx, id, "#{session_id}")
	if err != nil {
		return err
	}
	if _, err := run(ctx, "select-window", "-t", id); err != nil {
		return err
	}
	if _, err := run(ctx, "select-pane", "-t", id); err != nil {
		return err
	}
	own := Pane()
	if own == "" {
		return nil
	}
	here, err := display(ctx, own, "#{session_id}")
	if err != nil || here == session {
		return nil // shown already, as far as we can tell
	}
	return switchClients(ctx, here, id)
}

// switchClients moves every client that shows the session from to the pane.
func switchClients(ctx context.Context, from, id string) error {
	clients, err := run(ctx, "list-clients", "-t", from, "-F", "#{client_name}")
	if err != nil {
		return err
	}
	for _, name := range strings.Fields(clients) {
		if _, err := run(ctx, "switch-client", "-c", name, "-t", id); err != nil {
			return err
		}
	}
	return nil
}
