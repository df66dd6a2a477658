package native

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/mcpbridge/call"
)

// children watches what a process starts. Where there is no /proc it sees nothing.
type children struct {
	pid    int
	looked bool
	old    []int // those at the first look
}

// run reports whether the process has started a command since the first look, and it still runs.
func (c *children) run(command string) bool {
	now := childrenOf(c.pid)
	if !c.looked {
		c.looked, c.old = true, now
	}
	return slices.ContainsFunc(now, func(pid int) bool {
		return !slices.Contains(c.old, pid) && runsCommand(pid, command)
	})
}

// childrenOf returns the processes that a process has started and that still run; an empty list without /proc.
func childrenOf(pid int) (children []int) {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, file := range files {
		raw, _ := os.ReadFile(file)
		for _, field := range strings.Fields(string(raw)) {
			if child, err := strconv.Atoi(field); err == nil {
				children = append(children, child)
			}
		}
	}
	return children
}

// runsCommand reports whether a process was started with a command among its arguments, however it is quoted there.
func runsCommand(pid int, command string) bool {
	return strings.Contains(bare(strings.Join(call.ArgsOf(pid), " ")), bare(command))
}

// bare returns a command without what a shell quotes it with. Claude runs a quoted command as eval '…' < /dev/null.
// Other children of Claude, such as a status line, may hold a short command by chance.
func bare(command string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("'\"\\ \t\n\r", r) {
			return -1
		}
		return r
	}, command)
}
