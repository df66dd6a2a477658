package tmux

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// maxAncestors bounds the walk up from a process.
const maxAncestors = 64

// FindPane returns the pane a process lives in: the one whose first process is among its ancestors. ErrNoPane: none.
func FindPane(ctx context.Context, pid int) (string, error) {
	list, err := run(ctx, "list-panes", "-a", "-F", "#{pane_pid} #{pane_id}")
	if err != nil {
		return "", err
	}
	panes := map[int]string{}
	for line := range strings.Lines(list) {
		first, id, _ := strings.Cut(strings.TrimSpace(line), " ")
		if n, err := strconv.Atoi(first); err == nil && paneID.MatchString(id) {
			panes[n] = id
		}
	}
	for range maxAncestors {
		if id, ok := panes[pid]; ok {
			return id, nil
		}
		if pid = parent(ctx, pid); pid <= 1 {
			break
		}
	}
	return "", ErrNoPane
}

// PaneOf returns the pane an agent is in: the one its process descends from, else the one it was started in if its
// process is on that terminal. The id alone says little: on another tmux server it names another pane. ErrNoPane: none
// here; ErrGone: it does not run.
func PaneOf(ctx context.Context, a Agent) (string, error) {
	if !Inside() {
		return "", ErrOutside
	}
	if !Running(a) {
		return "", ErrGone
	}
	all, err := states(ctx)
	if err != nil {
		return "", err
	}
	table := processes(ctx)
	home, err := homeOf(all, table, a)
	if err != nil {
		return "", err
	}
	line := ancestors(table, a.PID)
	if !slices.ContainsFunc(line, func(p process) bool { return p.pid == home.first }) && (len(line) == 0 || line[0].tty != table[home.first].tty) {
		return "", ErrNoPane
	}
	return home.id, nil
}

// parent is a process's parent; 0: not known.
func parent(ctx context.Context, pid int) int {
	if pid <= 1 {
		return 0
	}
	if stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); err == nil {
		return parentIn(stat)
	}
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	out, err := exec.CommandContext(ctx, "ps", "-o", "ppid=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return 0
	}
	ppid, _ := strconv.Atoi(strings.TrimSpace(string(out)))
	return ppid
}

// parentIn reads /proc/PID/stat: "pid (name) state ppid …", where the name may hold anything, brackets too.
func parentIn(stat []byte) int {
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 2 {
		return 0
	}
	ppid, _ := strconv.Atoi(fields[1])
	return ppid
}
