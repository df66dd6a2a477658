package tmux

import (
	"cmp"
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// A server of many agents says nothing of where one of them sits: neither its place among the processes nor its
// environment is this agent's. Where the server's own program stands in a terminal in the agent's directory, and only
// one does, on the whole machine, that is the agent's screen. A program that may work in that directory, for all that
// is known, counts as a second one.

// Shared says that the agent's process, or one it descends from, serves many agents, and that the one terminal of this
// agent was not found.
type Shared struct {
	By      string // what the server is, such as app-server
	Program string // whose terminals were looked at; empty: none were
	Fit     int    // how many of them may be the agent's
}

func (s *Shared) Error() string { return say.NoPaneIsSure(s.By, s.Program, s.Fit) }

// Server is a process that serves many agents at once; see queue.SharedServer.
type Server struct {
	PID  int
	Kind string // such as app-server
}

// ServerOf is the server of many agents that an agent's process is or descends from; ok false: there is none. It needs
// no tmux.
func ServerOf(ctx context.Context, a Agent) (server Server, ok bool) {
	args := arguments(ctx)
	for _, p := range lineOf(ctx, a.PID) {
		if kind := queue.SharedServer(args(p.pid)); kind != "" {
			return Server{p.pid, kind}, true
		}
	}
	return Server{}, false
}

// lineOf is a process and what it descends from, read one by one where /proc allows that.
func lineOf(ctx context.Context, pid int) []process {
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

// stand is a process group in a terminal that runs a server's program and may be an agent's screen.
type stand struct {
	tty   string
	group int
	pid   int // the one that works in the agent's directory; zero: none is known to
}

// standingFor is the pane in which a server's program is the agent's screen. It fails with *Shared where not exactly
// one terminal fits, and with ErrNoPane where that one is in no pane.
func (l scene) standingFor(a Agent, server int, kind string) (state, error) {
	program := programOf(l.args(server))
	if a.Cwd == "" || program == "" || kind == queue.OpencodeServer { // its clients may be browsers
		return state{}, &Shared{By: kind}
	}
	found := l.stands(program, a.Cwd)
	if len(found) != 1 || found[0].pid == 0 {
		return state{}, &Shared{By: kind, Program: path.Base(program), Fit: len(found)}
	}
	for _, p := range ancestors(l.table, found[0].pid) {
		for _, s := range l.panes {
			if s.first == p.pid && p.tty == found[0].tty {
				s.reader, s.server = found[0].pid, kind
				return s, nil
			}
		}
	}
	return state{}, ErrNoPane
}

// stands are the terminals where a program works in a directory, or may.
func (l scene) stands(program, dir string) []stand {
	var found []stand
	for _, p := range l.table {
		if !slices.Contains([]string{"", "0", "?", "??", "-"}, p.tty) {
			if s, ok := l.standOf(p, program, dir); ok {
				found = append(found, s)
			}
		}
	}
	slices.SortFunc(found, func(a, b stand) int { // one that works there stands for its group
		return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(b.pid, a.pid))
	})
	return slices.CompactFunc(found, func(a, b stand) bool { return a.group == b.group })
}

// standOf is a process as the screen of an agent of a program in a directory; ok false: it is none.
func (l scene) standOf(p process, program, dir string) (s stand, ok bool) {
	args := l.args(p.pid)
	if programOf(args) != program || queue.SharedServer(args) != "" {
		return stand{}, false
	}
	s = stand{tty: p.tty, group: p.group}
	switch where := l.dir(p); {
	case where == "" || worksElsewhere(args):
	case where == dir:
		s.pid = p.pid
	default:
		return stand{}, false
	}
	return s, true
}

// interpreters run a script that is the program.
var interpreters = []string{"node", "nodejs", "bun", "deno", "python", "python3", "ruby"}

// unspecific are names of scripts that many programs have: their whole path tells them apart.
var unspecific = []string{"cli", "index", "main", "start", "run", "bin"}

// programOf is the program that a command line runs: its name, or its path where the name says nothing; empty: it is
// not known.
func programOf(args []string) string {
	if len(args) == 1 {
		args = strings.Fields(args[0]) // a process may write a title over its arguments
	}
	if len(args) > 0 && slices.Contains(interpreters, path.Base(args[0])) {
		if args = args[1:]; len(args) > 0 && strings.HasPrefix(args[0], "-") {
			return "" // which of these is the script is the interpreter's affair
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

// worksElsewhere reports whether a command line may name another directory, or another server, than the one a process
// of its own would have.
func worksElsewhere(args []string) bool {
	for i, arg := range args {
		name, _, _ := strings.Cut(arg, "=")
		switch {
		case i == 0:
		case strings.HasPrefix(arg, "-C"), slices.Contains(elsewhere, name):
			return true
		case arg == "-c" && i+1 < len(args) && !strings.Contains(args[i+1], "="): // Codex's is a setting, k=v
			return true
		}
	}
	return false
}

// elsewhere are flags by which an agent works in another directory, or with another server.
var elsewhere = []string{"--cd", "--cwd", "--dir", "--remote", "--no-daemon"}

// directories is where processes work; empty: it is not known. Without /proc tmux knows it of a pane's program.
func directories(panes []state) func(p process) string {
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

// trueDir is a directory without symbolic links.
func trueDir(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return path.Clean(dir)
}
