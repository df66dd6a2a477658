package tmux

import (
	"context"
	"strings"
)

// Settings holds the settings of tmux that matter here.
type Settings struct {
	Version     string
	FocusEvents string // on: programs learn of the terminal's focus
	Passthrough string // on or all: sequences reach the terminal around it
	Clipboard   string // on or external: what is copied reaches the terminal's clipboard
}

// ReadSettings asks the tmux that this process runs in. A setting that an old tmux does not know is empty.
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
		said, err := run(ctx, one.args...)
		if err != nil {
			return s, err
		}
		*one.to = strings.TrimSpace(said)
	}
	return s, nil
}

// Outer returns the terminal around tmux that shows this process's pane: its TERM, its own name if it gave one, and
// whether tmux passes sequences on to it (allow-passthrough, which tmux has since 3.3 and leaves off).
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
