package native

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// Dialog finds out what became of the dialog that Claude Code shows beside an approval. Claude ends the hook where the
// person refuses there, and leaves it running where they allow. These signs tell that the dialog is over:
//
//	transcript ─► tool_use with our tool and input, without a result ─► its tool_result ─► answered or interrupted
//	/proc      ─► a new child of Claude that runs our command                           ─► answered
//	the queue  ─► of several identical calls: Claude asks about the next one            ─► answered
//	sessions   ─► Claude says that it waited for its person, and no longer does         ─► answered
//	tmux       ─► else: the dialog was in Claude's pane, and is no longer               ─► perhaps answered
//	transcript ─► of several identical calls: one has its result                        ─► perhaps answered
type Dialog struct {
	session    string // the path of the session's transcript
	transcript tail   // the transcript of the agent that asks, which may be a subagent
	tool       string
	input      any      // as encoding/json reads it
	command    string   // the shell command that is asked about; empty: another tool
	started    children // the processes that Claude has started
	status     status
	pane       pane

	calls   []string // the ids of the calls with our tool and input, in the order of the transcript
	results map[string]Sign
	byHook  map[string]bool // the calls for which Claude took a hook's decision
	tellsBy bool            // this version of Claude writes down who decided about a call
	ours    []string        // the calls that the approval may be about; empty: none was found yet
}

// Sign tells the state of a dialog, as far as one look can see it.
type Sign int

// Values of Sign. A look that finds no sign returns DialogOpen.
const (
	DialogOpen     Sign = iota // the dialog is open, or there is no sign
	DialogPerhaps              // the person probably answered there
	DialogAnswered             // the person answered there
	DialogEnded                // the person refused there, or pressed Esc: to Claude that is the same
)

// oneAtATime lists the tools that Claude uses one after the other. At most one of their dialogs is open at a time.
var oneAtATime = []string{"Bash", "Edit", "MultiEdit", "NotebookEdit", "Write", toolPlan}

// dialog returns the Dialog beside an approval; nil if the event names no transcript to follow.
func (e claudeHook) dialog(input object) *Dialog {
	path, _ := e.text("transcript_path", "transcriptPath")
	if !filepath.IsAbs(path) {
		return nil
	}
	session := path
	if e.subagent != "" {
		if filepath.Base(e.subagent) != e.subagent {
			return nil
		}
		path = filepath.Join(strings.TrimSuffix(path, ".jsonl"), "subagents", "agent-"+e.subagent+".jsonl")
	}
	d := &Dialog{session: session, transcript: tail{path: path, first: mostTranscript}, tool: e.tool,
		results: map[string]Sign{}, byHook: map[string]bool{}}
	if json.Unmarshal(input.json(), &d.input) != nil {
		return nil
	}
	if e.tool == "Bash" {
		d.command, _ = input.text("command")
	}
	return d
}

// Watch makes Look also watch the process of Claude: its state file and, where there is a /proc, whether it runs the
// command. pid 0 means that the process is not known.
func (d *Dialog) Watch(pid int) {
	if d.started.pid = pid; pid != 0 {
		d.status.file = claudeStateFile(d.session, pid)
	}
}

// Look reads the new lines of the transcript and returns the state of the dialog. The first look that finds calls which
// are not over takes them for those that the approval may be about.
func (d *Dialog) Look() Sign {
	d.readTranscript()
	if len(d.ours) == 0 {
		for _, id := range d.calls {
			if _, over := d.results[id]; !over && !d.byHook[id] {
				d.ours = append(d.ours, id)
			}
		}
	}
	if d.commandRuns() || d.status.stoppedWaiting() {
		return DialogAnswered
	}
	sign, open := DialogOpen, 0
	for _, id := range d.ours {
		if d.results[id] == DialogOpen {
			open++
		} else {
			sign = d.results[id]
		}
	}
	switch {
	case len(d.ours) > 0 && open == 0:
		return sign
	case open < len(d.ours) && !slices.Contains(oneAtATime, d.tool):
		// One of several identical calls was answered, and the transcript does not say which; see mayBePassed.
		return DialogPerhaps
	case !d.status.seen && d.pane.dialogGone(): // Claude does not say whether it waits
		return DialogPerhaps
	}
	return DialogOpen
}

// mayBePassed reports whether a later prompt in the same turn means that the dialog was answered. That sign is needed
// if there are several identical calls, because the transcript does not say which of them this dialog is about. It also
// covers a call before this one whose result is written down only after the hook has started.
func (d *Dialog) mayBePassed() bool {
	return d != nil && len(d.ours) > 1 && slices.Contains(oneAtATime, d.tool)
}

// Calls returns the ids of the calls that the dialog may be about, for Resume. The list is empty if the transcript does
// not name them.
func (d *Dialog) Calls() []string {
	if len(d.ours) == 0 { // a rule may have answered before the first look
		_ = d.Look()
	}
	return d.ours
}

// Resume sets the calls that another process found with Calls.
func (d *Dialog) Resume(calls []string) { d.ours = calls }

// Took reports whether Claude took the hook's answer, which it printed while the dialog was open. known is false as
// long as the transcript does not say so, and with versions of Claude that never write down who decided.
func (d *Dialog) Took() (took, known bool) {
	d.readTranscript()
	if slices.ContainsFunc(d.ours, func(id string) bool { return d.byHook[id] }) {
		return true, true
	}
	return false, len(d.ours) > 0 && d.Over() && d.tellsBy
}

// Over reports whether the transcript has a result of each of the calls.
func (d *Dialog) Over() bool {
	return !slices.ContainsFunc(d.ours, func(id string) bool { _, has := d.results[id]; return !has })
}

// endsWait returns the error with which this sign ends a wait; nil: the wait continues.
func (s Sign) endsWait() error {
	switch s {
	case DialogAnswered:
		return ErrThere
	case DialogEnded:
		return ErrInterrupted
	case DialogOpen, DialogPerhaps:
	}
	return nil
}

// allAnswered reports whether the transcript has a result of each call and the person refused none of them. It is false
// for a nil Dialog.
func (d *Dialog) allAnswered() bool {
	if d == nil {
		return false
	}
	d.readTranscript()
	otherwise := func(id string) bool { return d.results[id] != DialogAnswered }
	return len(d.ours) > 0 && !slices.ContainsFunc(d.ours, otherwise)
}

// readTranscript reads the lines that were added to the transcript since the last call.
func (d *Dialog) readTranscript() {
	lines, _ := d.transcript.lines() // without a transcript there are no signs
	for _, line := range lines {
		d.takeTranscriptLine(line)
	}
}

// refusedThere begins the result of a call that the person refused in Claude, or interrupted.
const refusedThere = "The user doesn't want to proceed with this tool use."

// tookDecision is the type of the line that Claude 2.1.330 writes as soon as it has taken a hook's decision on a
// permission.
const tookDecision = "hook_permission_decision"

// transcriptPart holds a call in a transcript, or the result of one.
type transcriptPart struct {
	Type    string          `json:"type"`
	ID      string          `json:"id"`
	Name    string          `json:"name"`
	Input   any             `json:"input"`
	CallID  string          `json:"tool_use_id"` // of a result: the id of its call
	Content json.RawMessage `json:"content"`
}

// takeTranscriptLine records a call with our tool and input, the result of such a call, or a decision. Other lines are
// ignored.
func (d *Dialog) takeTranscriptLine(line []byte) {
	var said struct {
		Type       string
		Message    struct{ Content json.RawMessage }
		Attachment struct{ Type, ToolUseID string }
		Decision   struct{ Source string } `json:"permissionDecision"`
	}
	if json.Unmarshal(line, &said) != nil {
		return
	}
	if said.Type == "attachment" && said.Attachment.Type == tookDecision {
		d.byHook[said.Attachment.ToolUseID] = true
		return
	}
	fromAgent, toAgent := said.Type == "assistant", said.Type == "user"
	if !fromAgent && !toAgent {
		return
	}
	var parts []transcriptPart
	if json.Unmarshal(said.Message.Content, &parts) != nil {
		return // the content is a text, so it has no calls
	}
	for _, p := range parts {
		switch {
		case fromAgent && p.Type == "tool_use" && p.Name == d.tool && reflect.DeepEqual(p.Input, d.input):
			d.calls = append(d.calls, p.ID)
		case toAgent && p.Type == "tool_result" && slices.Contains(d.calls, p.CallID):
			d.results[p.CallID] = DialogAnswered
			if text, _ := readText(p.Content); strings.HasPrefix(text, refusedThere) {
				d.results[p.CallID] = DialogEnded
			}
			d.byHook[p.CallID] = d.byHook[p.CallID] || said.Decision.Source == "hook"
			d.tellsBy = d.tellsBy || said.Decision.Source != ""
		}
	}
}

// commandRuns reports whether Claude has begun to run the command since the first look.
func (d *Dialog) commandRuns() bool {
	return d.command != "" && d.started.pid != 0 && d.started.startedCommand("eval "+d.command+" < /dev/null")
}
