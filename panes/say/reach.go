package say

import (
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// Why a line cannot be given to the session of Codex that asked.
const (
	CodexNamedNoSession = "Codex did not say which of its sessions asked"
	CodexIsSilent       = "its Codex server does not answer on its socket"
	CodexSessionClosed  = "its Codex session is not open any more"
	CodexSessionMoved   = "its Codex session works in another directory now"
	CodexTakesNoLines   = "its Codex session takes no lines from outside"
)

// Reasons why a line does not reach, through the agent's plugin, a session that showed its own prompt. The agent is
// named beside it.
const (
	LineUnheard = "its plugin does not answer"
	LineUntaken = "its session did not take it: it may be closed"
	LineUnsaid  = "its plugin did not say whether it arrived"
)

// CodexRefused says that Codex itself did not take a line.
func CodexRefused(why string) string { return "Codex did not take it: " + OneLine(why) }

// Why there is no way to an agent's pane.
const (
	InNoPaneHere  = "it is not running in this tmux server"
	MayBeAnywhere = "its process is not known, so it may run in another tmux server"
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
