package say

import (
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// RunsOn names the other machine on which an agent runs.
func RunsOn(host string) string { return "it runs on " + OneLine(host) }

// On returns an agent's name or place with its machine behind it; either may be empty, and host is visible.
func On(name, host string) string {
	if host == "" {
		return name
	}
	return strings.TrimSpace(name + " on " + host)
}

// RunsIn says where an agent works, as far as that is known; where is its place in tmux, home is shown as ~.
func RunsIn(o queue.Origin, home, where string) string {
	var parts []string
	if dir := Tilde(OneLine(o.Cwd), home); dir != "" {
		if o.Branch != "" {
			dir += " (" + OneLine(o.Branch) + ")"
		}
		parts = append(parts, dir)
	}
	switch {
	case where != "":
		parts = append(parts, "tmux "+where)
	case o.Pane != "":
		parts = append(parts, "tmux "+OneLine(o.Pane))
	}
	if o.Host != "" {
		parts = append(parts, "on "+OneLine(o.Host))
	}
	if len(parts) == 0 {
		return "a place it does not say"
	}
	return strings.Join(parts, ", ")
}
