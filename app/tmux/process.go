package tmux

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// process is one row of the process table, with the columns that tell which process reads a terminal's keys.
type process struct {
	pid, parent int
	group       int    // its process group
	foreground  int    // the group in the foreground of its terminal; below 1: it has no terminal
	tty         string // equal for the same terminal; "0" or "?": no terminal
	name        string
	started     string // kernel ticks since boot; empty: not known
}

// processes returns all processes by their id, from /proc, else from ps.
func processes(ctx context.Context) map[int]process {
	all := map[int]process{}
	entries, err := os.ReadDir("/proc")
	if err == nil {
		for _, e := range entries {
			if pid, err := strconv.Atoi(e.Name()); err == nil {
				if p, ok := readProcess(pid); ok {
					all[pid] = p
				}
			}
		}
	}
	if len(all) > 0 {
		return all
	}
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	out, err := exec.CommandContext(ctx, "ps", "-A", "-o", "pid=,ppid=,pgid=,tpgid=,tty=,comm=").Output()
	if err != nil {
		return all
	}
	for line := range strings.Lines(string(out)) {
		if f := strings.Fields(line); len(f) >= 6 {
			all[number(f[0])] = process{
				pid: number(f[0]), parent: number(f[1]), group: number(f[2]), foreground: number(f[3]),
				tty: f[4], name: path.Base(f[5]),
			}
		}
	}
	return all
}

// readProcess reads /proc/PID/stat: "pid (name) state ppid pgrp session tty tpgid … starttime". The name may contain
// any character, even brackets.
func readProcess(pid int) (process, bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	from, to := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
	if err != nil || from < 0 || to < from {
		return process{}, false
	}
	f := strings.Fields(string(stat[to+1:]))
	if len(f) < 20 {
		return process{}, false
	}
	return process{pid: pid, parent: number(f[1]), group: number(f[2]), tty: f[4], foreground: number(f[5]),
		name: string(stat[from+1 : to]), started: f[19]}, true
}

// number returns the number that a text spells; 0 if it spells none.
func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// Running reports whether the agent's process still runs. If the start time is known, a new process with the same id
// does not count.
func Running(a Agent) bool {
	if a.PID <= 1 {
		return false
	}
	if err := syscall.Kill(a.PID, 0); err != nil && err != syscall.EPERM {
		return false
	}
	p, ok := readProcess(a.PID)
	return !ok || a.Started == "" || p.started == a.Started
}

// ancestors returns a process and its ancestors, nearest first.
func ancestors(table map[int]process, pid int) []process {
	var list []process
	for range maxAncestors {
		p, ok := table[pid]
		if !ok || pid <= 1 {
			break
		}
		list = append(list, p)
		pid = p.parent
	}
	return list
}

// checkFront returns the reason why a line must not be typed into the pane whose first process is first; nil: the agent
// reads its keys.
//
// The agent must be in the foreground group of the pane's terminal. If it has left the terminal (for a session of its
// own), one of its ancestors must be. The group must not contain a shell at its prompt, or an editor that the agent
// opened: those would read the line.
func checkFront(table map[int]process, first int, agent int, args func(pid int) []string) error {
	pane, me := table[first], table[agent]
	if pane.pid == 0 || me.pid == 0 || pane.foreground <= 1 {
		return ErrGone
	}
	var members []process
	for _, p := range table {
		if p.group == pane.foreground && p.tty == pane.tty {
			members = append(members, p)
		}
	}
	slices.SortFunc(members, func(a, b process) int { return a.pid - b.pid })
	ancestry := ancestors(table, agent)
	inFront := func(p process) bool { return containsProcess(members, p.pid) }
	for _, m := range members {
		if isPromptingShell(args(m.pid)) || slices.Contains(takesKeys, m.name) && !containsProcess(ancestry, m.pid) {
			return &Busy{With: m.name}
		}
	}
	leftTerminal := me.tty != pane.tty
	if inFront(me) || leftTerminal && slices.ContainsFunc(ancestry, inFront) {
		return nil
	}
	if len(members) == 0 {
		return &Busy{With: "nothing"}
	}
	return &Busy{With: members[0].name}
}

// containsProcess reports whether a process is among others.
func containsProcess(all []process, pid int) bool {
	return slices.ContainsFunc(all, func(p process) bool { return p.pid == pid })
}

// shells lists programs that run a line typed at their prompt.
var shells = []string{
	"sh", "bash", "zsh", "fish", "dash", "ash", "ksh", "mksh", "ksh93", "yash", "csh", "tcsh", "nu", "pwsh", "elvish",
	"xonsh", "rc", "es",
}

// takesKeys lists programs that an agent may open in front of itself.
var takesKeys = []string{
	"vi", "vim", "nvim", "view", "nano", "pico", "emacs", "hx", "helix", "micro", "joe", "kak", "ed",
	"less", "more", "most", "man", "top", "htop", "btop", "tig", "fzf", "ssh", "sudo",
}

// isPromptingShell reports whether a command line starts a shell with nothing to run, which then reads the terminal.
func isPromptingShell(args []string) bool {
	if len(args) > 1 && path.Base(args[0]) == "busybox" {
		args = args[1:]
	}
	if len(args) == 0 || !slices.Contains(shells, strings.TrimPrefix(path.Base(args[0]), "-")) {
		return false
	}
	for i := 1; i < len(args); i++ {
		switch a := args[i]; {
		case slices.Contains([]string{"--rcfile", "--init-file", "-o", "+o", "-O", "+O"}, a):
			i++ // the next argument is its value
		case a == "" || a == "-" || a == "--":
		case strings.HasPrefix(a, "--"):
			if strings.HasPrefix(a, "--command") {
				return false
			}
		case a[0] == '-' || a[0] == '+':
			if strings.Contains(a, "c") {
				return false
			}
		default:
			return false // a script
		}
	}
	return true
}

// argumentReader returns a function that reads a process's command line.
func argumentReader(ctx context.Context) func(pid int) []string {
	return func(pid int) []string {
		if raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline"); err == nil {
			return strings.Split(strings.TrimSuffix(string(raw), "\x00"), "\x00")
		}
		ctx, cancel := context.WithTimeout(ctx, deadline)
		defer cancel()
		out, err := exec.CommandContext(ctx, "ps", "-o", "args=", "-p", strconv.Itoa(pid)).Output()
		if err != nil {
			return nil
		}
		return strings.Fields(string(out))
	}
}
