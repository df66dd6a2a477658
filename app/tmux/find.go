package tmux

import (
	"context"
)

// maxAncestors bounds the walk up from a process.
const maxAncestors = 64

// PaneOf returns the pane an agent is in: the one its process descends from, else the one it was started in if its
// process is on that terminal. The id alone says little: on another tmux server it names another pane. Below a server
// of many agents it is the one that runs the server's program in the agent's directory. ErrNoPane: none here; ErrGone:
// it does not run; *Shared: not exactly one fits.
func PaneOf(ctx context.Context, a Agent) (string, error) {
	if !Inside() {
		return "", ErrOutside
	}
	home, table, err := locate(ctx, a)
	if err != nil {
		return "", err
	}
	line := ancestors(table, home.reader)
	if !holds(line, home.first) && (len(line) == 0 || line[0].tty != table[home.first].tty) {
		return "", ErrNoPane
	}
	return home.id, nil
}
