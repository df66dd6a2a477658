package tmux

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// For an agent behind a server of many agents, neither the process tree nor the environment shows where it is
// displayed. If the server's own program runs in a terminal in the agent's directory, and only there on the whole
// machine, that terminal is the agent's screen. A program whose directory is unknown counts as a second one.

// Shared says that the agent's process, or one it descends from, serves many agents, and that the one terminal of this
// agent was not found.
type Shared struct {
	By      string // the kind of the server, such as app-server
	Program string // the program whose terminals were examined; empty: none was
	Fit     int    // the number of terminals that may be the agent's
}

func (s *Shared) Error() string { return noPaneIsSure(s.By, s.Program, s.Fit) }

// noPaneIsSure returns a sentence that says why it is not certain which pane belongs to an agent whose server serves
// several. program is the program that was looked for in the agent's directory; empty: none was. fit is the number of
// terminals that may run it there.
func noPaneIsSure(server, program string, fit int) string {
	const unsure = "its pane is not certain: "
	switch {
	case program == "":
		return unsure + "its " + server + " may serve several agents"
	case fit == 0:
		return unsure + "no terminal here runs " + say.OneLine(program) + " in its directory"
	case fit == 1:
		return unsure + say.OneLine(program) + " runs in one terminal, but perhaps not in its directory"
	}
	return unsure + fmt.Sprintf("%s may run in its directory in %d terminals", say.OneLine(program), fit)
}

// Server names a process that serves many agents at once; see queue.SharedServer.
type Server struct {
	PID  int
	Kind string // such as app-server
}

// ServerOf returns the server of many agents that is the agent's process or one of its ancestors; ok is false if there
// is none. It needs no tmux.
func ServerOf(ctx context.Context, a Agent) (server Server, ok bool) {
	args := argumentReader(ctx)
	for _, p := range lineage(ctx, a.PID) {
		if is, ok := a.Servers.Of(args(p.pid)); ok {
			return Server{p.pid, is.Kind}, true
		}
	}
	return Server{}, false
}

// lineage returns a process and its ancestors. It reads only these if /proc exists.
func lineage(ctx context.Context, pid int) []process {
	if _, ok := readProcess(pid); !ok {
		return ancestors(processes(ctx), pid)
	}
	table := map[int]process{}
	for at := pid; at > 1 && len(table) < maxAncestors; {
		p, ok := readProcess(at)
		if !ok {
			break
		}
		table[at], at = p, p.parent
	}
	return ancestors(table, pid)
}

// candidate is a process group in a terminal that runs a server's program and may be an agent's screen.
type candidate struct {
	tty   string
	group int
	pid   int // the process in the agent's directory; zero: no process is known to be there
}

// screenOf returns the pane in which a server's program shows the agent. It fails with *Shared unless exactly one
// terminal fits, and with ErrNoPane if that one is not in a pane.
func (s scene) screenOf(a Agent, pid int, server queue.SharedServer) (paneState, error) {
	program := programOf(s.args(pid))
	if a.Cwd == "" || program == "" || server.Anywhere {
		return paneState{}, &Shared{By: server.Kind}
	}
	found := s.candidates(program, a.Cwd)
	if len(found) != 1 || found[0].pid == 0 {
		return paneState{}, &Shared{By: server.Kind, Program: path.Base(program), Fit: len(found)}
	}
	for _, p := range ancestors(s.table, found[0].pid) {
		for _, pane := range s.panes {
			if pane.first == p.pid && p.tty == found[0].tty {
				pane.reader, pane.server = found[0].pid, server
				return pane, nil
			}
		}
	}
	return paneState{}, ErrNoPane
}

// candidates returns the terminals in which a program works in a directory, or may do so.
func (s scene) candidates(program, dir string) []candidate {
	var found []candidate
	for _, p := range s.table {
		if !slices.Contains([]string{"", "0", "?", "??", "-"}, p.tty) {
			if c, ok := s.candidateOf(p, program, dir); ok {
				found = append(found, c)
			}
		}
	}
	slices.SortFunc(found, func(a, b candidate) int { // a process in the directory comes first and represents its group
		return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(b.pid, a.pid))
	})
	return slices.CompactFunc(found, func(a, b candidate) bool { return a.group == b.group })
}

// candidateOf returns a process as a candidate for a program in a directory; ok is false if it cannot be the agent's
// screen.
func (s scene) candidateOf(p process, program, dir string) (c candidate, ok bool) {
	args := s.args(p.pid)
	if _, serves := s.servers.Of(args); serves || programOf(args) != program {
		return candidate{}, false
	}
	c = candidate{tty: p.tty, group: p.group}
	switch where := s.dir(p); {
	case where == "" || worksElsewhere(args): // it may be in the directory, which is not certain
	case where == dir:
		c.pid = p.pid
	default:
		return candidate{}, false
	}
	return c, true
}

// interpreters lists programs that run a script; the script counts as the program.
var interpreters = []string{"node", "nodejs", "bun", "deno", "python", "python3", "ruby"}

// unspecific lists script names that many programs share; such a program is identified by the whole path.
var unspecific = []string{"cli", "index", "main", "start", "run", "bin"}

// programOf returns the program that a command line runs: its name, or its path if the name is unspecific; empty: not
// known.
func programOf(args []string) string {
	if len(args) == 1 {
		args = strings.Fields(args[0]) // a process may write a title over its arguments
	}
	if len(args) > 0 && slices.Contains(interpreters, path.Base(args[0])) {
		if args = args[1:]; len(args) > 0 && strings.HasPrefix(args[0], "-") {
			return "" // only the interpreter knows which argument is the script
		}
	}
	if len(args) == 0 || args[0] == "" {
		return ""
	}
	name := path.Base(args[0])
	name = strings.TrimSuffix(name, path.Ext(name))
	if slices.Contains(unspecific, name) {
		return args[0]
	}
	return name
}

// worksElsewhere reports whether the command line may name another directory, or another server, than the process
// itself shows.
func worksElsewhere(args []string) bool {
	for i, arg := range args {
		name, _, _ := strings.Cut(arg, "=")
		switch {
		case i == 0:
		case strings.HasPrefix(arg, "-C"), slices.Contains(elsewhere, name):
			return true
		case arg == "-c" && i+1 < len(args) && !strings.Contains(args[i+1], "="): // with k=v it takes a setting
			return true
		}
	}
	return false
}

// elsewhere lists flags that make an agent work in another directory or with another server.
var elsewhere = []string{"--cd", "--cwd", "--dir", "--remote", "--no-daemon"}

// directoryReader returns a function that finds the working directory of a process; empty: not known. Without /proc it
// uses the directory that tmux reports for a pane.
func directoryReader(panes []paneState) func(p process) string {
	_, err := os.Stat("/proc/self/cwd")
	return func(p process) string {
		if err == nil {
			dir, _ := os.Readlink("/proc/" + strconv.Itoa(p.pid) + "/cwd")
			return dir
		}
		for _, s := range panes {
			if s.dir != "" && path.Base(s.tty) == path.Base(p.tty) {
				return trueDir(s.dir)
			}
		}
		return ""
	}
}

// trueDir returns a directory's path without symbolic links.
func trueDir(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return path.Clean(dir)
}
