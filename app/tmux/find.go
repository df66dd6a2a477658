package tmux

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// maxAncestors limits the walk from a process to its ancestors.
const maxAncestors = 64

// Agent describes an agent by the facts in its session.
type Agent struct {
	Pane    string              // the pane in which it was started; empty: not known
	PID     int                 // its process id
	Started string              // when that process began, in kernel ticks; empty: not known
	Cwd     string              // the directory it works in; empty: not known
	Servers queue.SharedServers // the servers of many agents below which it may run
}

// ErrGone says that the agent's process, or that of its pane, has ended.
var ErrGone = errors.New("it is no longer running")

// PaneOf returns the pane of an agent: the pane that its process descends from, else the pane in which it was started
// if its process is on that terminal. The pane's id alone is not enough, because it names another pane on another tmux
// server. For an agent below a server of many agents, PaneOf returns the pane that runs the server's program in the
// agent's directory. It fails with ErrNoPane, with ErrGone if the agent does not run, or with *Shared unless exactly
// one pane fits.
func PaneOf(ctx context.Context, a Agent) (string, error) {
	if !Inside() {
		return "", ErrOutside
	}
	home, table, err := locate(ctx, a)
	if err != nil {
		return "", err
	}
	ancestry := ancestors(table, home.reader) // begins with the reader itself
	sameTerminal := len(ancestry) > 0 && ancestry[0].tty == table[home.first].tty
	if !containsProcess(ancestry, home.first) && !sameTerminal {
		return "", ErrNoPane
	}
	return home.id, nil
}

// paneState is the state of one pane, as tmux reports it.
type paneState struct {
	id       string
	first    int  // the id of its first process
	dead     bool // its first process has ended
	synced   bool // what is typed in it goes to other panes too
	tty, dir string
	reader   int                // the id of the process that draws the agent's screen, once locate has found it
	server   queue.SharedServer // the server of many agents behind it; zero: there is no such server
}

// scene is a snapshot of the panes and of all processes.
type scene struct {
	panes   []paneState
	table   map[int]process
	servers queue.SharedServers
	args    func(pid int) []string // returns a process's command line
	dir     func(p process) string // returns a process's working directory; empty: not known
}

// locate finds the pane of a running agent, and returns it with all processes. It fails with ErrGone, ErrNoPane or
// *Shared.
func locate(ctx context.Context, a Agent) (home paneState, table map[int]process, err error) {
	if !Running(a) {
		return paneState{}, nil, ErrGone
	}
	all, err := readPanes(ctx)
	if err != nil {
		return paneState{}, nil, err
	}
	if a.Cwd != "" {
		a.Cwd = trueDir(a.Cwd)
	}
	s := scene{panes: all, table: processes(ctx), servers: a.Servers,
		args: argumentReader(ctx), dir: directoryReader(all)}
	home, err = s.homeOf(a)
	return home, s.table, err
}

// paneFormat is the format in which readPanes asks for a pane. The directory comes last because it may contain spaces.
const paneFormat = "#{pane_id} #{pane_pid} #{pane_dead} #{?pane_synchronized,1,0} #{pane_tty} #{pane_current_path}"

// readPanes returns the state of all panes of the tmux server.
func readPanes(ctx context.Context) ([]paneState, error) {
	list, err := runTmux(ctx, "list-panes", "-a", "-F", paneFormat)
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

// homeOf returns the agent's pane: the pane whose first process it descends from, else the pane in which it was
// started. If a server of many agents is among its ancestors, neither the process tree nor the environment tells which
// pane belongs to this agent, so screenOf looks for its program.
func (s scene) homeOf(a Agent) (paneState, error) {
	for _, p := range ancestors(s.table, a.PID) {
		if server, ok := s.servers.Of(s.args(p.pid)); ok {
			return s.screenOf(a, p.pid, server)
		}
		for _, pane := range s.panes {
			if pane.first == p.pid {
				pane.reader = a.PID
				return pane, nil
			}
		}
	}
	for _, pane := range s.panes {
		if pane.id == a.Pane {
			pane.reader = a.PID
			return pane, nil
		}
	}
	return paneState{}, ErrNoPane
}

// surePane returns the agent's pane if the running processes prove that it is the agent's. It ignores the pane in which
// the agent says it was started, because that may be another pane by now. Behind a server of many agents the process
// tree does not lead to the pane, so the pane is found by the program that runs in it. That program must also be in
// front.
func surePane(ctx context.Context, a Agent) (string, error) {
	a.Pane = ""
	switch {
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
	case home.server.Kind != "":
		return home.id, checkFront(table, home.first, home.reader, argumentReader(ctx))
	}
	return home.id, nil
}

// windowID matches the id of a window.
var windowID = regexp.MustCompile(`^@[0-9]{1,9}$`)

// PanesIn returns the ids of the panes in a window; nil: the window is not known.
func PanesIn(ctx context.Context, window string) []string {
	if !windowID.MatchString(window) {
		return nil
	}
	list, err := runTmux(ctx, "list-panes", "-t", window, "-F", "#{pane_id}")
	if err != nil {
		return nil
	}
	return strings.Fields(list)
}
