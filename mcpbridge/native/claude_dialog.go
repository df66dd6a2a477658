package native

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/call"
)

// Dialog finds out what became of the dialog that Claude Code shows beside an approval. Claude ends the hook where the
// person refuses there, and leaves it running where they allow; then its transcript says so with the tool's result, and
// a command's own process before that.
//
//	transcript ─► tool_use with our tool and input, without a result ─► its tool_result ─► answered or interrupted
//	/proc      ─► a new child of Claude that runs our command                           ─► answered
//	the queue  ─► of calls that are alike: a later prompt of the same turn              ─► answered
type Dialog struct {
	path    string
	tool    string
	input   any // as encoding/json reads it
	command string
	pid     int // Claude's

	from    int64  // the transcript up to here has been read
	rest    []byte // the beginning of a line
	calls   []string
	results map[string]Sign
	ours    []string     // the calls that may be ours; empty: not found yet
	old     map[int]bool // the children that were there at the first look
}

// Sign is the result of a look at a dialog.
type Sign int

// Signs of a dialog.
const (
	DialogOpen     Sign = iota // or nobody can say
	DialogAnswered             // the person answered there
	DialogEnded                // the person refused there, or pressed Esc: to Claude that is the same
)

// mostTranscript limits the part at the end of a transcript that is read at first. A line holds all the input of a
// tool.
const mostTranscript = 16 << 20

// inTurn are the tools that Claude uses one after the other, so that one of their dialogs is open at a time.
var inTurn = []string{"Bash", "Edit", "MultiEdit", "NotebookEdit", "Write", toolPlan}

// dialog returns the dialog that Claude shows beside an approval; nil if the event does not say enough to follow it.
func (e claudeHook) dialog(input object) *Dialog {
	path, _ := e.text("transcript_path", "transcriptPath")
	if !filepath.IsAbs(path) {
		return nil
	}
	if e.subagent != "" {
		if filepath.Base(e.subagent) != e.subagent {
			return nil
		}
		path = filepath.Join(strings.TrimSuffix(path, ".jsonl"), "subagents", "agent-"+e.subagent+".jsonl")
	}
	d := &Dialog{path: path, tool: e.tool, results: map[string]Sign{}}
	if json.Unmarshal(input.json(), &d.input) != nil {
		return nil
	}
	if e.tool == "Bash" {
		d.command, _ = input.text("command")
	}
	return d
}

// WatchChildren makes Look also watch for the command as a child process of Claude, whose process id is pid. Without
// /proc it does nothing.
func (d *Dialog) WatchChildren(pid int) { d.pid = pid }

// Look reads on in the transcript, and says what became of the dialog.
func (d *Dialog) Look() Sign {
	d.read()
	if len(d.ours) == 0 {
		for _, id := range d.calls {
			if _, over := d.results[id]; !over {
				d.ours = append(d.ours, id)
			}
		}
	}
	if d.runs() {
		return DialogAnswered
	}
	sign := DialogOpen
	for _, id := range d.ours {
		if sign = d.results[id]; sign == DialogOpen {
			return DialogOpen // of several calls that are alike nobody knows which one this is; see mayBePassed
		}
	}
	return sign
}

// mayBePassed reports whether the dialog is over once Claude asks for something later in the same turn: of several
// calls that are alike the transcript does not say which one this is. The result of the call before may also be written
// down only after the hook has started.
func (d *Dialog) mayBePassed() bool {
	return d != nil && len(d.ours) > 1 && slices.Contains(inTurn, d.tool)
}

// ended says why a wait ends by what became of the dialog; nil: it does not.
func (d *Dialog) ended() error {
	if d == nil {
		return nil
	}
	switch d.Look() {
	case DialogAnswered:
		return ErrThere
	case DialogEnded:
		return ErrInterrupted
	case DialogOpen:
	}
	return nil
}

// stopped says why the agent ended its hook. It waits a moment for the agent to write down what became of its dialog.
// Without a dialog the person can only have stopped the agent.
func (d *Dialog) stopped() error {
	if d == nil {
		return ErrInterrupted
	}
	for end := time.Now().Add(toldThere); time.Now().Before(end); time.Sleep(toldThere / 10) {
		if why := d.ended(); why != nil {
			return why
		}
	}
	return ErrThere
}

// read takes in the lines that were written since.
func (d *Dialog) read() {
	f, err := os.Open(d.path)
	if err != nil {
		return
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil || !fi.Mode().IsRegular() || fi.Size() <= d.from {
		return
	}
	first := d.from == 0
	if first {
		d.from = max(0, fi.Size()-mostTranscript)
	}
	raw, err := io.ReadAll(io.NewSectionReader(f, d.from, min(fi.Size()-d.from, mostTranscript)))
	if err != nil {
		return
	}
	if first && d.from > 0 { // in the middle of a line
		d.rest = []byte("{")
	}
	d.from += int64(len(raw))
	lines := bytes.Split(append(d.rest, raw...), []byte("\n"))
	d.rest = slices.Clone(lines[len(lines)-1])
	if len(d.rest) > mostTranscript {
		d.rest = []byte("{") // it is of no use, however it ends
	}
	for _, line := range lines[:len(lines)-1] {
		d.take(line)
	}
}

// refusedThere begins the result of a call that the person refused at Claude, or interrupted.
const refusedThere = "The user doesn't want to proceed with this tool use."

// take reads one line of the transcript.
func (d *Dialog) take(line []byte) {
	var said struct {
		Type    string
		Message struct{ Content json.RawMessage }
	}
	if json.Unmarshal(line, &said) != nil || said.Type != "assistant" && said.Type != "user" {
		return
	}
	var parts []struct {
		Type    string          `json:"type"`
		ID      string          `json:"id"`
		Name    string          `json:"name"`
		Input   any             `json:"input"`
		Of      string          `json:"tool_use_id"`
		Content json.RawMessage `json:"content"`
	}
	if json.Unmarshal(said.Message.Content, &parts) != nil {
		return // a text
	}
	for _, p := range parts {
		switch {
		case said.Type == "assistant" && p.Type == "tool_use" && p.Name == d.tool &&
			reflect.DeepEqual(p.Input, d.input):
			d.calls = append(d.calls, p.ID)
		case said.Type == "user" && p.Type == "tool_result" && slices.Contains(d.calls, p.Of):
			d.results[p.Of] = DialogAnswered
			if text, _ := readText(p.Content); strings.HasPrefix(text, refusedThere) {
				d.results[p.Of] = DialogEnded
			}
		}
	}
}

// runs reports whether Claude has begun to run the command since the first look.
func (d *Dialog) runs() bool {
	if d.pid == 0 || d.command == "" {
		return false
	}
	began := d.old == nil
	if began {
		d.old = map[int]bool{}
	}
	for _, pid := range childrenOf(d.pid) {
		if began || d.old[pid] {
			d.old[pid] = true
			continue
		}
		if strings.Contains(bare(strings.Join(call.ArgsOf(pid), " ")), bare("eval "+d.command+" < /dev/null")) {
			return true
		}
	}
	return false
}

// childrenOf returns the processes that a process has started and that still run; none where there is no /proc to say.
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
