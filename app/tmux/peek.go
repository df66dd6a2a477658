package tmux

import (
	"context"
	"strconv"
	"strings"
	"time"
)

// Sight is what stood in an agent's pane at one moment. The text is the agent's: it comes without escape sequences, but
// must be made visible before it is shown.
type Sight struct {
	Pane  string // its id; empty: it was not looked for yet
	Where string // as a person counts: "2:1" is window 2, pane 1
	Mark  string // when something was last written there; empty: that may go on within this second
	Text  string // the rows of its screen
}

// Peek returns what stands in an agent's own pane now. last is what it returned before, and comes back as it was if
// nothing was written since; tmux tells that of a window, not of each pane in it. The zero Sight has the pane looked
// for, by the process tree or by directory and foreground program, and never by the id that the asker gave: whoever
// asks could name somebody else's pane. Later ones cost one call of tmux. It fails with ErrOutside, ErrNoPane, ErrGone,
// *Shared or *Busy.
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

// PeekOwn returns what stands in the pane that this process was started in; last is as for Peek.
func PeekOwn(ctx context.Context, last Sight) (Sight, error) {
	if !Inside() {
		return Sight{}, ErrOutside
	}
	last.Pane = Pane()
	return lookInto(ctx, last)
}

// surePane is the agent's own pane, as far as its processes tell.
func surePane(ctx context.Context, a Agent) (string, error) {
	switch a.Pane = ""; {
	case !Inside():
		return "", ErrOutside
	case a.PID <= 1:
		return "", ErrNoPane
	}
	home, table, err := locate(ctx, a)
	switch {
	case err != nil:
		return "", err
	case home.dead:
		return "", ErrGone
	case home.id == Pane():
		return "", ErrNoPane
	case home.server != "": // found by what runs there, so that must be what is seen
		return home.id, front(table, home.first, home.reader, arguments(ctx))
	}
	return home.id, nil
}

// sightFormat is what stands before the rows: nothing at all for a pane that is gone.
const sightFormat = "#{window_activity} #{window_index}:#{pane_index}"

// lookInto reads the pane's rows if something was written there since, all in one call.
func lookInto(ctx context.Context, last Sight) (Sight, error) {
	if !paneID.MatchString(last.Pane) {
		return Sight{}, ErrNoPane
	}
	now := time.Now().Unix()
	out, err := run(ctx, "display-message", "-p", "-t", last.Pane, sightFormat, ";",
		"if-shell", "-F", "-t", last.Pane, "#{!=:#{window_activity},"+last.Mark+"}", "capture-pane -p -t "+last.Pane)
	if err != nil {
		return Sight{}, err
	}
	head, text, changed := strings.Cut(out, "\n")
	mark, where, known := strings.Cut(head, " ")
	at, err := strconv.ParseInt(mark, 10, 64)
	if !known || err != nil {
		return Sight{}, ErrNoPane
	}
	if last.Where = where; !changed {
		return last, nil
	}
	if at >= now { // a second is all that tmux counts
		mark = ""
	}
	return Sight{Pane: last.Pane, Where: where, Mark: mark, Text: text}, nil
}
