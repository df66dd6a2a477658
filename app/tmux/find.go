package tmux

import (
	"context"
	"errors"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// maxAncestors bounds the walk up from a process.
const maxAncestors = 64

// Agent describes the agent that a line is for, by its session.
type Agent struct {
	Pane    string // it was started in; empty: not known
	PID     int    // its process
	Started string // when that process began, in kernel ticks; empty: not known
	Cwd     string // the directory it works in; empty: not known
}

// ErrGone says that the agent's process, or its pane's, does not run any more.
var ErrGone = errors.New("it does not run any more")

// PaneOf returns the pane of an agent: the pane that its process descends from, else the pane that it was started in if
// its process is on that terminal. The id alone says little: on another tmux server it names another pane. For an agent
// below a server of many agents, PaneOf returns the pane that runs the server's program in the agent's directory. It
// fails with ErrNoPane, ErrGone if the agent does not run, or *Shared if not exactly one pane fits.
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

// paneState holds what tmux says of one pane.
type paneState struct {
	id           string
	first        int // its first process
	dead, synced bool
	tty, dir     string
	reader       int    // the process that draws the agent's screen there, once locate has found it
	server       string // the kind of the server of many agents that it belongs to; empty: to no such server
}

// scene holds the panes and all processes at one moment.
type scene struct {
	panes []paneState
	table map[int]process
	args  func(pid int) []string
	dir   func(p process) string
}

// locate finds the pane of a running agent, and all processes. It fails with ErrGone, ErrNoPane or *Shared.
func locate(ctx context.Context, a Agent) (home paneState, table map[int]process, err error) {
	if !Running(a) {
		return paneState{}, nil, ErrGone
	}
	all, err := states(ctx)
	if err != nil {
		return paneState{}, nil, err
	}
	if a.Cwd != "" {
		a.Cwd = trueDir(a.Cwd)
	}
	l := scene{panes: all, table: processes(ctx), args: arguments(ctx), dir: directories(all)}
	home, err = l.homeOf(a)
	return home, l.table, err
}

// paneFormat lists what states asks of a pane. A directory may have spaces in its name, so it comes last.
const paneFormat = "#{pane_id} #{pane_pid} #{pane_dead} #{?pane_synchronized,1,0} #{pane_tty} #{pane_current_path}"

func states(ctx context.Context) ([]paneState, error) {
	list, err := run(ctx, "list-panes", "-a", "-F", paneFormat)
	if err != nil {
		return nil, err
	}
	var all []paneState
	for line := range strings.Lines(list) {
		f := strings.SplitN(strings.TrimSuffix(line, "\n"), " ", 6)
		if len(f) == 6 && paneID.MatchString(f[0]) {
			all = append(all, paneState{id: f[0], first: number(f[1]), dead: f[2] == "1", synced: f[3] == "1",
				tty: f[4], dir: f[5]})
		}
	}
	return all, nil
}

// homeOf returns the agent's pane: the pane whose first process it descends from, else the pane it was started in. A
// pane's id alone says little: on another tmux server it names another pane. A server of many agents on the way up
// belongs to one agent's pane at most, and nobody can say to which: then neither its place nor its environment is
// believed.
func (l scene) homeOf(a Agent) (paneState, error) {
	for _, p := range ancestors(l.table, a.PID) {
		if by := queue.SharedServer(l.args(p.pid)); by != "" {
			return l.screenOf(a, p.pid, by)
		}
		for _, s := range l.panes {
			if s.first == p.pid {
				s.reader = a.PID
				return s, nil
			}
		}
	}
	for _, s := range l.panes {
		if s.id == a.Pane {
			s.reader = a.PID
			return s, nil
		}
	}
	return paneState{}, ErrNoPane
}

// surePane returns the agent's own pane, as far as its processes tell.
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
