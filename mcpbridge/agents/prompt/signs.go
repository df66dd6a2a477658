package prompt

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/mcpbridge/call"
)

// Absence counts how many looks in a row have missed a thing that an earlier look had found.
type Absence struct {
	Seen bool
	away int // the number of looks in a row that did not find it; 0 before it was seen
}

// absentAfter is the number of missed looks after which the thing is gone. One look is not enough: the next dialog may
// follow at once, and Claude redraws its screen at times.
const absentAfter = 2

// NoteLook records whether the thing was there at this look.
func (a *Absence) NoteLook(there bool) {
	switch {
	case there:
		a.Seen, a.away = true, 0
	case a.Seen:
		a.away++
	}
}

// Gone reports whether the thing was found once and then missed by absentAfter looks in a row.
func (a *Absence) Gone() bool { return a.away >= absentAfter }

// Children finds commands that a process has started since a first look. Without /proc it finds none.
type Children struct {
	PID    int
	looked bool
	old    []int // the children at the first look
}

// StartedCommand reports whether the process has started this command since the first look and the command still runs.
func (c *Children) StartedCommand(command string) bool {
	now := childrenOf(c.PID)
	if !c.looked {
		c.looked, c.old = true, now
	}
	return slices.ContainsFunc(now, func(pid int) bool {
		return !slices.Contains(c.old, pid) && runsCommand(pid, command)
	})
}

// childrenOf returns the running children of a process; without /proc the list is empty.
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

// runsCommand reports whether a process has a command among its arguments, however the command is quoted there.
func runsCommand(pid int, command string) bool {
	return strings.Contains(withoutQuotes(strings.Join(call.ArgsOf(pid), " ")), withoutQuotes(command))
}

// withoutQuotes returns a command without quotes, backslashes and white space, because Claude runs a command quoted as
// eval '…' < /dev/null. After that a short command may also match another child of Claude, such as its status line.
func withoutQuotes(command string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("'\"\\ \t\n\r", r) {
			return -1
		}
		return r
	}, command)
}

// MostTranscript limits the bytes of a file that are read at once. One line of a transcript contains the whole input of
// a tool.
const MostTranscript = 16 << 20

// Tail reads the lines that an agent appends to a file.
type Tail struct {
	Path  string
	First int64 // the bytes at the end of the file that the first call of lines reads

	began bool
	from  int64  // the offset up to which the file has been read
	rest  []byte // the beginning of a line whose end was not written yet
}

// Lines returns the complete lines that were written since the last call. It fails only if the file cannot be opened.
func (t *Tail) Lines() ([][]byte, error) {
	f, err := os.Open(t.Path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil || !fi.Mode().IsRegular() || fi.Size() <= t.from {
		return nil, nil
	}
	if !t.began {
		if t.from = max(0, fi.Size()-t.First); t.from > 0 { // probably in the middle of a line: its rest is no JSON
			t.rest = []byte("{")
		}
		t.began = true
	}
	raw, err := io.ReadAll(io.NewSectionReader(f, t.from, min(fi.Size()-t.from, MostTranscript)))
	if err != nil {
		return nil, nil
	}
	t.from += int64(len(raw))
	all := bytes.Split(append(t.rest, raw...), []byte("\n"))
	last := len(all) - 1
	if t.rest = bytes.Clone(all[last]); len(t.rest) > MostTranscript {
		t.rest = []byte("{") // a line this long is dropped: with this start it is no JSON
	}
	return all[:last], nil
}
