package native

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// waitingSubagent returns the role of the subagent of Claude Code whose prompt is open, by the transcripts: Claude does
// not name it in its notification. It is empty where the agent itself may be asking, or more than one of them.
func waitingSubagent(transcript string) (role string) {
	// The agent itself also waits while it runs a subagent in the foreground.
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

// hasOpenCall reports whether a transcript has a call without a result, of another tool than these.
func hasOpenCall(transcript string, but ...string) bool {
	file := tail{path: transcript, first: mostTranscript}
	lines, _ := file.lines()
	open := map[string]bool{}
	for _, line := range lines {
		for _, p := range partsOf(line) {
			switch {
			case p.Type == "tool_use" && !slices.Contains(but, p.Name):
				open[p.ID] = true
			case p.Type == "tool_result":
				delete(open, p.Of)
			}
		}
	}
	return len(open) > 0
}

// partsOf returns the parts of a line of a transcript that have to do with calls.
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
