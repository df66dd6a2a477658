package tmux

import (
	"context"
	"strings"
)

// Settings are what of tmux's settings matters here.
type Settings struct {
	Version     string
	FocusEvents string // on: the terminal's focus is told to programs
	Passthrough string // on or all: sequences reach the terminal around it
	Clipboard   string // on or external: what is copied reaches the terminal's clipboard
}

// ReadSettings asks the tmux that this process runs in. What an old tmux does not know is empty.
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
