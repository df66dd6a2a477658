package tmux

import (
	"context"
	"strings"
)

// Outer says what is known of the terminal around tmux that shows this process's pane: its TERM and its own name, if
// it gave one, and whether tmux hands sequences on to it (allow-passthrough, which tmux has since 3.3 and leaves
// off).
func Outer(ctx context.Context) (term, name string, passes bool, err error) {
	pane := Pane()
	if pane == "" {
		return "", "", false, ErrNoPane
	}
	allowed, err := run(ctx, "show-options", "-pAqv", "-t", pane, "allow-passthrough")
	if err != nil {
		return "", "", false, err
	}
	known, err := run(ctx, "display-message", "-p", "-t", pane, "#{client_termname}\t#{client_termtype}")
	if err != nil {
		return "", "", false, err
	}
	term, name, _ = strings.Cut(known, "\t")
	return term, name, allowed == "on" || allowed == "all", nil
}
