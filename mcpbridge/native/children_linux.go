package native

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// childrenOf are the processes that a process has started and that run.
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

// commandOf is what a process was started with.
func commandOf(pid int) string {
	raw, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return strings.ReplaceAll(string(raw), "\x00", " ")
}
