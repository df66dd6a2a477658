package mcpbridge

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// ProcessOrigin is what a stdio server knows of its agent from its own process: the agent is its parent and works
// in its directory. What cannot be found out stays empty.
func ProcessOrigin() queue.Origin {
	o := queue.Origin{PID: os.Getppid()}
	o.Host, _ = os.Hostname()
	o.Cwd, _ = os.Getwd()
	if o.Cwd != "" {
		o.Branch = branch(o.Cwd)
	}
	if pane := os.Getenv("TMUX_PANE"); paneID.MatchString(pane) {
		o.Pane = pane
	}
	if started := startTime(o.PID); started != "" {
		o.Agent = fmt.Sprintf("%d-%s", o.PID, started)
	}
	return o
}

var (
	paneID = regexp.MustCompile(`^%\d+$`)
	commit = regexp.MustCompile(`^[0-9a-f]{40,64}$`)
)

// startTime is when a process began, in the kernel's ticks since boot; empty where /proc does not say.
func startTime(pid int) string {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	// The name in parentheses may hold anything; field 22 is the 20th after it.
	fields := strings.Fields(string(raw[strings.LastIndexByte(string(raw), ')')+1:]))
	if len(fields) < 20 {
		return ""
	}
	return fields[19]
}

// branch is the git branch checked out at dir, or the short commit of a detached head; empty outside git.
func branch(dir string) string {
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

// gitHead reads HEAD of a .git directory, or of the one a .git file (worktree, submodule) points to.
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
	if commit.MatchString(head) {
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
