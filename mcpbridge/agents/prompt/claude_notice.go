package prompt

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// The states that Claude Code writes into the state file of its process.
const (
	claudeWaits = "waiting" // a dialog is open
	claudeIdles = "idle"    // it waits for the next prompt
)

// claudeNotices maps the types of Claude Code's notifications that need its person to the state of its process at that
// time.
var claudeNotices = map[string]string{"permission_prompt": claudeWaits, "elicitation_dialog": claudeWaits,
	"elicitation_url_dialog": claudeWaits, "agent_needs_input": claudeWaits, "idle_prompt": claudeIdles}

// ClaudeNotice reads the input of Claude Code's notification hook. ok is false if the notification needs nobody. pid is
// the process of Claude Code.
func ClaudeNotice(raw []byte, pid int, now time.Time) (n Notice, ok bool) {
	e, ok := readHook(raw, hookAgent{client: clientClaude}, nil)
	if !ok {
		return n, false
	}
	n, kind, ok := e.readNotice(now)
	if !ok {
		return n, false
	}
	if n.Wants = claudeNotices[kind]; n.Wants == "" {
		return n, false
	}
	n.Notice.Idle = n.Wants == claudeIdles
	if !n.Notice.Idle {
		n.Origin.Subagent = waitingSubagent(n.Transcript)
	}
	n.Sure = kind != "agent_needs_input" // this type may be about another process
	if n.Transcript != "" {
		n.State = claudeStateFile(n.Transcript, pid)
	}
	return n, true
}

// ClaudeFollowing finds out whether Claude Code has continued since a notice.
var ClaudeFollowing = Following{Read: Claude, StateFile: claudeStateFile, State: readClaudeState, Waits: claudeWaits,
	Entries: []string{"user", "assistant"}}

// claudeStateFile returns the path of the state file of a process of Claude Code. transcript is the transcript of its
// session.
func claudeStateFile(transcript string, pid int) string {
	home := filepath.Dir(filepath.Dir(filepath.Dir(transcript))) // the path is HOME/projects/PROJECT/SESSION.jsonl
	return filepath.Join(home, "sessions", strconv.Itoa(pid)+".json")
}

// readClaudeState reads a state file of Claude Code.
func readClaudeState(file string) State {
	var said struct {
		SessionID string `json:"sessionId"`
		Status    string `json:"status"`
		Since     int64  `json:"statusUpdatedAt"` // in milliseconds
	}
	for range 5 {
		raw, err := os.ReadFile(file)
		if err != nil {
			return State{}
		}
		if json.Unmarshal(raw, &said) == nil {
			break
		}
		time.Sleep(lookEvery / 100) // Claude is writing the file
	}
	if said.Status == "" {
		return State{}
	}
	s := State{Session: said.SessionID, Doing: said.Status}
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
		role = queue.Shorten(is.AgentType, mostRole, "…")
	}
	return role
}

// hasOpenCall reports whether a transcript has a call without a result. Calls of the ignored tools do not count.
func hasOpenCall(transcript string, ignored ...string) bool {
	file := tail{path: transcript, first: mostTranscript}
	lines, _ := file.lines()
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
