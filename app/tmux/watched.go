package tmux

import (
	"context"
	"slices"
	"strings"
)

// Watched reports whether the person has an agent's own pane before them: it is the active pane of a client of this
// tmux whose terminal has the focus, as far as tmux knows. Where the pane is not sure it is not watched.
func Watched(ctx context.Context, a Agent) bool {
	pane, err := surePane(ctx, a)
	if err != nil {
		return false
	}
	clients, err := run(ctx, "list-clients", "-F", "#{pane_id} #{client_flags}")
	if err != nil {
		return false
	}
	for client := range strings.Lines(clients) {
		shown, flags, _ := strings.Cut(strings.TrimSpace(client), " ")
		if shown == pane && (flags == "" || slices.Contains(strings.Split(flags, ","), "focused")) {
			return true
		}
	}
	return false
}
