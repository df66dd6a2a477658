package tmux

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Sight is the content of an agent's pane at one moment. The text is from the agent: it contains no escape sequences,
// but must pass queue.Visible before it is shown.
type Sight struct {
	Pane    string // the pane's id; empty: Peek has not looked for the pane yet
	Where   string // the pane as a person counts: "2:1" is window 2, pane 1
	Changed string // when the window last changed; empty: it may change again within this second
	Text    string // the rows of its screen
}

// Peek returns the present content of an agent's own pane. last is the result of the call before, and is returned
// unchanged if the window has not changed since; tmux records the time of a change only for a whole window. With the
// zero Sight, Peek looks for the pane by the process tree, or by directory and foreground program. It never uses the
// pane id in the agent's request, because that could name somebody else's pane. Later calls cost one call of tmux. It
// fails with ErrOutside, ErrNoPane, ErrGone, *Shared or *Busy.
func Peek(ctx context.Context, a Agent, last Sight) (Sight, error) {
	if last.Pane == "" {
		pane, err := surePane(ctx, a)
		if err != nil {
			return Sight{}, err
		}
		last = Sight{Pane: pane}
	} else if !Running(a) {
		return Sight{}, ErrGone
	}
	return lookInto(ctx, last)
}

// PeekOwn returns the content of the pane that this process was started in; last is as for Peek.
func PeekOwn(ctx context.Context, last Sight) (Sight, error) {
	if !Inside() {
		return Sight{}, ErrOutside
	}
	last.Pane = Pane()
	return lookInto(ctx, last)
}

// sightFormat is the format of the line before the rows. For a pane that does not exist, tmux prints nothing.
const sightFormat = "#{window_activity} #{window_index}:#{pane_index}"

// lookInto reads the pane's rows if the window has changed since, in one call of tmux.
func lookInto(ctx context.Context, last Sight) (Sight, error) {
	if !paneID.MatchString(last.Pane) {
		return Sight{}, ErrNoPane
	}
	now := time.Now().Unix()
	out, err := runTmux(ctx, "display-message", "-p", "-t", last.Pane, sightFormat, ";",
		"if-shell", "-F", "-t", last.Pane, "#{!=:#{window_activity},"+last.Changed+"}", "capture-pane -p -t "+last.Pane)
	if err != nil {
		return Sight{}, err
	}
	head, text, changed := strings.Cut(out, "\n")
	changedAt, where, known := strings.Cut(head, " ")
	at, err := strconv.ParseInt(changedAt, 10, 64)
	if !known || err != nil {
		return Sight{}, ErrNoPane
	}
	if last.Where = where; !changed {
		return last, nil
	}
	if at >= now { // tmux counts in whole seconds, so a further change in this one would not be seen
		changedAt = ""
	}
	return Sight{Pane: last.Pane, Where: where, Changed: changedAt, Text: text}, nil
}

// Watched reports whether the person is looking at an agent's own pane: it is the active pane of a client of this tmux
// whose terminal has the focus, as far as tmux knows. If the pane is not certain, it returns false.
func Watched(ctx context.Context, a Agent) bool {
	pane, err := surePane(ctx, a)
	if err != nil {
		return false
	}
	clients, err := runTmux(ctx, "list-clients", "-F", "#{pane_id} #{client_flags}")
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
