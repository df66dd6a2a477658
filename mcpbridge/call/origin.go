package call

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// ProcessOrigin describes the agent of a stdio server by this process: the agent is its parent, and has its working
// directory. Fields that cannot be found out stay empty. Below one of the servers of many agents the pane stays empty,
// because the environment came from the agent that started the server first. If such a server is the parent, its agents
// are told apart by this process instead.
func ProcessOrigin(servers queue.SharedServers) queue.Origin {
	o := queue.Origin{PID: os.Getppid()}
	o.Host, _ = os.Hostname()
	o.Cwd, _ = os.Getwd()
	if o.Cwd != "" {
		o.Branch = Branch(o.Cwd)
	}
	agent, shared := o.PID, sharedAbove(o.PID, servers)
	if shared == o.PID {
		agent = os.Getpid()
	}
	if pane := os.Getenv("TMUX_PANE"); shared == 0 && tmuxPane.MatchString(pane) {
		o.Pane = pane
	}
	if started := startTime(agent); started != "" {
		o.Agent = fmt.Sprintf("%d-%s", agent, started)
	}
	return o
}

// sharedAbove returns the nearest process, from pid upward, that serves many agents; 0 if there is none, or no /proc.
func sharedAbove(pid int, servers queue.SharedServers) int {
	for range maxAncestors {
		args := ArgsOf(pid)
		if args == nil || pid <= 1 {
			return 0
		}
		if _, shared := servers.Of(args); shared {
			return pid
		}
		pid, _ = strconv.Atoi(statField(pid, parentField))
	}
	return 0
}

// ArgsOf returns the command line of a process; nil if the process has ended, or if there is no /proc.
func ArgsOf(pid int) []string {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(raw), "\x00"), "\x00")
}

const (
	// The indices of fields in /proc/PID/stat, counted after the process name.
	parentField, startField = 1, 19
	// maxAncestors limits the number of parents that are looked at.
	maxAncestors = 64
)

var (
	// tmuxPane matches the id of a tmux pane.
	tmuxPane = regexp.MustCompile(`^%\d+$`)
	// commitHash matches the HEAD of a repository without a branch.
	commitHash = regexp.MustCompile(`^[0-9a-f]{40,64}$`)
)

// AgentRuns reports whether the process of an agent on this machine runs. A name by ProcessOrigin has the start time of
// the process, by which AgentRuns notices another process with the same id. Without /proc the name has none.
func AgentRuns(o queue.Origin) bool {
	if _, began, known := strings.Cut(o.Agent, "-"); known {
		return startTime(o.PID) == began
	}
	return syscall.Kill(o.PID, 0) == nil
}

// startTime returns the start of a process in the kernel's ticks since boot; "" if it cannot be read.
func startTime(pid int) string { return statField(pid, startField) }

// ticks is the number of the kernel's ticks in a second, which is the same on every Linux that Go runs on.
const ticks = 100

// StartedAt returns when a process was started, to about 10 ms. ok is false without /proc.
func StartedAt(pid int) (at time.Time, ok bool) {
	began, err := strconv.ParseInt(startTime(pid), 10, 64)
	if err != nil {
		return at, false
	}
	raw, err := os.ReadFile("/proc/uptime")
	if err != nil {
		return at, false
	}
	up, _, _ := strings.Cut(string(raw), " ")
	seconds, err := strconv.ParseFloat(up, 64)
	if err != nil {
		return at, false
	}
	return time.Now().Add(time.Duration(began)*time.Second/ticks - time.Duration(seconds*float64(time.Second))), true
}

// statField returns one field of /proc/PID/stat; "" if it cannot be read.
func statField(pid, field int) string {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	// The process name is in parentheses and may contain any character, so fields are counted after it.
	fields := strings.Fields(string(raw[strings.LastIndexByte(string(raw), ')')+1:]))
	if len(fields) <= field {
		return ""
	}
	return fields[field]
}

// Branch returns the git branch that is checked out in dir, or the short commit of a detached head; "" outside git.
func Branch(dir string) string {
	for {
		if head, ok := gitHead(filepath.Join(dir, ".git")); ok {
			return headName(head)
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// gitHead reads HEAD of a .git directory, or of the directory that a .git file (worktree, submodule) names.
func gitHead(git string) (head string, ok bool) {
	info, err := os.Stat(git)
	if err != nil {
		return "", false
	}
	if !info.IsDir() {
		to, found := strings.CutPrefix(FirstLine(git), "gitdir: ")
		if !found {
			return "", false
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(git), to)
		}
		git = to
	}
	head = FirstLine(filepath.Join(git, "HEAD"))
	return head, head != ""
}

// headName returns the branch or short commit in a HEAD file.
func headName(head string) string {
	if ref, ok := strings.CutPrefix(head, "ref: "); ok {
		name, _ := strings.CutPrefix(strings.TrimSpace(ref), "refs/heads/")
		if name == ".invalid" { // a repository with reftables has its branch elsewhere
			return ""
		}
		return name
	}
	if commitHash.MatchString(head) {
		return head[:8]
	}
	return ""
}

// FirstLine returns the first line of a file, without white space around it; "" if the file cannot be read.
func FirstLine(path string) string {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return "" // reading from a pipe could block
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	raw, _ := io.ReadAll(io.LimitReader(f, 4096))
	line, _, _ := strings.Cut(string(raw), "\n")
	return strings.TrimSpace(line)
}

// origin returns the origin of the agent that calls a tool. It reads the branch again each time, because agents change
// it while they run.
func (b *Bridge) origin(tool string, r *Reply) queue.Origin {
	o := b.o.Origin
	o.Dialect, o.Instance, o.CallID = tool, b.instance, callID(r.ID)
	if o.Cwd != "" {
		o.Branch = Branch(o.Cwd)
	}
	if r.Agent != "" {
		o.Agent = r.Agent
	}
	if r.Instance != "" {
		o.Instance = r.Instance
	}
	if r.Client != nil {
		o.Client, o.Version = r.Client.Name, r.Client.Version
	}
	return o
}

// callID returns the id of a request as text.
func callID(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}
