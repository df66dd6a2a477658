package native

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/choicetui/choicetui/mcpbridge/call"
)

// absence follows whether something that was there is gone.
type absence struct {
	seen bool
	away int // for so many looks in a row it was not there
}

// absentAfter is the number of looks without it after which something is gone: one dialog of Claude's may follow
// another, and Claude redraws its screen at times.
const absentAfter = 2

func (a *absence) noteLook(there bool) {
	switch {
	case there:
		a.seen, a.away = true, 0
	case a.seen:
		a.away++
	}
}

func (a *absence) gone() bool { return a.away >= absentAfter }

// pane follows whether a dialog of Claude's is in its pane.
type pane struct {
	absence
	read  func() (text string, ok bool) // nil: nobody can look
	after int                           // looks are rare: one of so many
}

// paneLooks counts the looks at a dialog for one look into its pane, which calls tmux.
const paneLooks = 4

// firstChoiceInPane finds the first choice of any dialog of Claude Code 2.1.330. It is compiled when it is first
// needed, since most hooks never look.
var firstChoiceInPane = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^[\s│]*❯? *1\. Yes`) })

// WatchPane makes Look also read the rows of Claude's pane. Where read says false, the rows say nothing.
func (d *Dialog) WatchPane(read func() (text string, ok bool)) { d.pane.read = read }

// dialogGone reports whether a dialog was in the pane and is no longer. It may still be open: Claude can show other
// pages.
func (p *pane) dialogGone() bool {
	if p.read == nil {
		return false
	}
	if p.after--; p.after <= 0 {
		p.after = paneLooks
		if text, ok := p.read(); ok {
			p.noteLook(firstChoiceInPane().MatchString(text))
		}
	}
	return p.gone()
}

// status follows whether Claude says that it waits for its person.
type status struct {
	absence
	file string // empty: nobody can look
}

// stoppedWaiting reports whether Claude waited for its person and no longer does: then all of its dialogs are closed.
func (s *status) stoppedWaiting() bool {
	if s.file == "" {
		return false
	}
	if _, now := claudeState(s.file); now != "" {
		s.noteLook(now == claudeWaits)
	}
	return s.gone()
}

// children watches what a process starts. Where there is no /proc it sees nothing.
type children struct {
	pid    int
	looked bool
	old    []int // those at the first look
}

// startedCommand reports whether the process has started a command since the first look, and it still runs.
func (c *children) startedCommand(command string) bool {
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
	return strings.Contains(withoutQuotes(strings.Join(call.ArgsOf(pid), " ")), withoutQuotes(command))
}

// withoutQuotes returns a command without what a shell quotes it with. Claude runs a quoted command as eval '…' <
// /dev/null. Other children of Claude, such as a status line, may hold a short command by chance.
func withoutQuotes(command string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("'\"\\ \t\n\r", r) {
			return -1
		}
		return r
	}, command)
}

// mostTranscript bounds how much of a file is read at once. A line of a transcript holds all that a tool is given.
const mostTranscript = 16 << 20

// tail reads the lines that an agent appends to a file.
type tail struct {
	path  string
	first int64 // how much of the end is read at first, in bytes

	began bool
	from  int64  // the file up to here has been read
	rest  []byte // the beginning of a line
}

// lines returns the whole lines that were written since the last call. The error says why the file cannot be opened.
func (t *tail) lines() ([][]byte, error) {
	f, err := os.Open(t.path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil || !fi.Mode().IsRegular() || fi.Size() <= t.from {
		return nil, nil
	}
	if !t.began {
		if t.from = max(0, fi.Size()-t.first); t.from > 0 { // in the middle of a line
			t.rest = []byte("{")
		}
		t.began = true
	}
	raw, err := io.ReadAll(io.NewSectionReader(f, t.from, min(fi.Size()-t.from, mostTranscript)))
	if err != nil {
		return nil, nil
	}
	t.from += int64(len(raw))
	all := bytes.Split(append(t.rest, raw...), []byte("\n"))
	last := len(all) - 1
	if t.rest = bytes.Clone(all[last]); len(t.rest) > mostTranscript {
		t.rest = []byte("{") // it is of no use, however it ends
	}
	return all[:last], nil
}
