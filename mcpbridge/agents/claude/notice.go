package claude

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/queue"
)

// The states that Claude Code writes into the state file of its process.
const (
	waits = "waiting" // a dialog is open
	idles = "idle"    // it waits for the next prompt
)

// notices maps the types of Claude Code's notifications that need its person to the state of its process at that
// time.
var notices = map[string]string{"permission_prompt": waits, "elicitation_dialog": waits,
	"elicitation_url_dialog": waits, "agent_needs_input": waits, "idle_prompt": idles}

// ReadNotice reads the input of Claude Code's notification hook. ok is false if the notification needs nobody. pid is
// the process of Claude Code.
func ReadNotice(raw []byte, pid int, now time.Time) (n prompt.Notice, ok bool) {
	e, ok := prompt.ReadHook(raw, prompt.Hooks{Client: client, OneSession: true}, nil)
	if !ok {
		return n, false
	}
	n, kind, ok := e.ReadNotice(now)
	if !ok {
		return n, false
	}
	if n.Wants = notices[kind]; n.Wants == "" {
		return n, false
	}
	n.Notice.Idle = n.Wants == idles
	if !n.Notice.Idle {
		n.Origin.Subagent = waitingSubagent(n.Transcript)
	}
	n.Sure = kind != "agent_needs_input" // this type may be about another process
	if n.Transcript != "" {
		n.State = stateFile(n.Transcript, pid)
	}
	return n, true
}

// Following finds out whether Claude Code has continued since a notice.
var Following = prompt.Following{Read: Read, StateFile: stateFile, State: readState, Waits: waits,
	Entries: []string{"user", "assistant"}}

// stateFile returns the path of the state file of a process of Claude Code. transcript is the transcript of its
// session.
func stateFile(transcript string, pid int) string {
	home := filepath.Dir(filepath.Dir(filepath.Dir(transcript))) // the path is HOME/projects/PROJECT/SESSION.jsonl
	return filepath.Join(home, "sessions", strconv.Itoa(pid)+".json")
}

// readState reads a state file of Claude Code.
func readState(file string) prompt.State {
	var said struct {
		SessionID string `json:"sessionId"`
		Status    string `json:"status"`
		Since     int64  `json:"statusUpdatedAt"` // in milliseconds
	}
	for range 5 {
		raw, err := os.ReadFile(file)
		if err != nil {
			return prompt.State{}
		}
		if json.Unmarshal(raw, &said) == nil {
			break
		}
		time.Sleep(prompt.LookEvery / 100) // Claude is writing the file
	}
	if said.Status == "" {
		return prompt.State{}
	}
	s := prompt.State{Session: said.SessionID, Doing: said.Status}
	if said.Since != 0 {
		s.At = time.UnixMilli(said.Since)
	}
	return s
}

// waitingSubagent returns the role of the subagent of Claude Code whose prompt is open, by the transcripts: Claude's
// notification does not name it. It is empty if the agent itself may be asking, or if several subagents are.
func waitingSubagent(transcript string) (role string) {
	// A call that runs a subagent in the foreground is open too, but is no prompt of the agent itself.
	if hasOpenCall(transcript, "Agent", "Task") {
		return ""
	}
	files, _ := filepath.Glob(filepath.Join(strings.TrimSuffix(transcript, ".jsonl"), "subagents", "agent-*.meta.json"))
	for _, file := range files {
		var is struct {
			AgentType string `json:"agentType"`
			Finished  bool   `json:"finished"`
		}
		raw, err := os.ReadFile(file)
		if err != nil || json.Unmarshal(raw, &is) != nil || is.Finished || is.AgentType == "" ||
			!hasOpenCall(strings.TrimSuffix(file, ".meta.json")+".jsonl") {
			continue
		}
		if role != "" {
			return ""
		}
		role = queue.Shorten(is.AgentType, prompt.MostRole, "…")
	}
	return role
}

// hasOpenCall reports whether a transcript has a call without a result. Calls of the ignored tools do not count.
func hasOpenCall(transcript string, ignored ...string) bool {
	file := prompt.Tail{Path: transcript, First: prompt.MostTranscript}
	lines, _ := file.Lines()
	open := map[string]bool{}
	for _, line := range lines {
		for _, p := range partsOf(line) {
			switch {
			case p.Type == "tool_use" && !slices.Contains(ignored, p.Name):
				open[p.ID] = true
			case p.Type == "tool_result":
				delete(open, p.CallID)
			}
		}
	}
	return len(open) > 0
}

// partsOf returns the calls and results in a line of a transcript; nil: the line has none.
func partsOf(line []byte) (parts []transcriptPart) {
	var said struct {
		Type    string
		Message struct{ Content json.RawMessage }
	}
	if json.Unmarshal(line, &said) != nil || said.Type != "assistant" && said.Type != "user" ||
		json.Unmarshal(said.Message.Content, &parts) != nil {
		return nil
	}
	return parts
}
