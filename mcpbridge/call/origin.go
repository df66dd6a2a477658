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
	"sync"
	"syscall"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/choicetui/choicetui/queue"
)

// ProcessOrigin describes a stdio server's agent by its own process: the agent is its parent and works in its
// directory. Whatever cannot be found out stays empty. The pane stays empty below a server of many agents, because its
// environment came from whoever started it first. If such a server is the direct parent, only this process tells one of
// its agents from the next.
func ProcessOrigin() queue.Origin {
	o := queue.Origin{PID: os.Getppid()}
	o.Host, _ = os.Hostname()
	o.Cwd, _ = os.Getwd()
	if o.Cwd != "" {
		o.Branch = Branch(o.Cwd)
	}
	agent, shared := o.PID, sharedAbove(o.PID)
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

// sharedAbove returns the nearest process from pid upward that serves many agents; 0 if no process does, or if there is
// no /proc.
func sharedAbove(pid int) int {
	for range maxAncestors {
		args := ArgsOf(pid)
		if args == nil || pid <= 1 {
			return 0
		}
		if queue.SharedServer(args) != "" {
			return pid
		}
		pid, _ = strconv.Atoi(statField(pid, parentField))
	}
	return 0
}

// ArgsOf returns the command line of a process; nil if it has ended, or if there is no /proc.
func ArgsOf(pid int) []string {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(raw), "\x00"), "\x00")
}

// threadIn returns the agent's own name for its session, which Codex sends with every call; "" for other agents.
func threadIn(meta *mcp.Meta) string {
	if name, _ := meta.AdditionalFields["threadId"].(string); threadName().MatchString(name) {
		return name
	}
	return ""
}

const (
	// Fields of /proc/PID/stat, counted from the end of the name.
	parentField, startField = 1, 19
	// maxAncestors bounds the walk up from a process.
	maxAncestors = 64
)

var (
	tmuxPane   = regexp.MustCompile(`^%\d+$`)
	commitHash = regexp.MustCompile(`^[0-9a-f]{40,64}$`)
)

// threadName matches names of sessions. It is compiled at its first use: that takes long, and most processes never need
// it.
var threadName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z_.:-]{0,127}$`)
})

// AgentRuns reports whether the process of an agent on this machine runs. Without /proc another process with the same
// number counts as well.
func AgentRuns(o queue.Origin) bool {
	if _, began, known := strings.Cut(o.Agent, "-"); known {
		return startTime(o.PID) == began
	}
	return syscall.Kill(o.PID, 0) == nil
}

// startTime returns the start of a process in the kernel's ticks since boot; "" if /proc does not have it.
func startTime(pid int) string { return statField(pid, startField) }

// statField returns one field of a process's /proc/PID/stat; "" where it cannot be read.
func statField(pid, field int) string {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	// The name in parentheses may hold anything, so fields are counted from behind it.
	fields := strings.Fields(string(raw[strings.LastIndexByte(string(raw), ')')+1:]))
	if len(fields) <= field {
		return ""
	}
	return fields[field]
}

// Branch returns the git branch checked out at dir, or the short commit of a detached head; empty outside git.
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

// gitHead reads HEAD of a .git directory, or of the directory that a .git file (worktree, submodule) points to.
func gitHead(git string) (head string, ok bool) {
	info, err := os.Stat(git)
	if err != nil {
		return "", false
	}
	if !info.IsDir() {
		to, found := strings.CutPrefix(firstLine(git), "gitdir: ")
		if !found {
			return "", false
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(git), to)
		}
		git = to
	}
	head = firstLine(filepath.Join(git, "HEAD"))
	return head, head != ""
}

func headName(head string) string {
	if ref, ok := strings.CutPrefix(head, "ref: "); ok {
		name, _ := strings.CutPrefix(strings.TrimSpace(ref), "refs/heads/")
		if name == ".invalid" { // a reftable repository does not say it here
			return ""
		}
		return name
	}
	if commitHash.MatchString(head) {
		return head[:8]
	}
	return ""
}

// firstLine reads the start of a small file; anything unreadable is empty.
func firstLine(path string) string {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return "" // never block on a pipe somebody put there
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

// origin identifies the agent that asks in this call. It reads the branch again each time: agents switch it while they
// run.
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

func callID(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}
