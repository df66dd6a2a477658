package claude

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/mcpbridge/agents/transcript"
	"github.com/choicetui/choicetui/queue"
)

// Transcripts reads the transcripts of Claude Code: ~/.claude/projects/DIR/SESSION.jsonl, and those of subagents in
// SESSION/subagents/agent-ID.jsonl. Recorded with 2.1.305 and 2.1.330.
type Transcripts struct{}

func (Transcripts) Name() string { return "claude transcript" }

func (Transcripts) Sessions(w transcript.Where) (roots []string, pattern string) {
	return w.Roots(".claude", "projects"), "*/*.jsonl"
}

// notInName matches what Claude replaces in the name of a project's directory.
var notInName = regexp.MustCompile(`[^A-Za-z0-9]`)

// Find returns the transcript of the session, or of its subagent. If w names no session, find returns the transcripts
// of all sessions in the directory.
func (Transcripts) Find(w transcript.Where) (files []transcript.Source, certain bool) {
	roots := w.Roots(".claude", "projects")
	if w.SessionID != "" {
		if !transcript.IsName(w.SessionID) {
			return nil, false
		}
		pattern := "*/" + transcript.GlobSafe(w.SessionID) + ".jsonl"
		if w.Subagent != "" {
			if !transcript.IsName(w.Subagent) {
				return nil, false
			}
			pattern = "*/" + transcript.GlobSafe(w.SessionID) + "/subagents/agent-" + transcript.GlobSafe(w.Subagent) +
				".jsonl"
		}
		files, _ = transcript.Recent(roots, pattern)
		return files, len(files) == 1
	}
	if w.Dir == "" {
		return nil, false
	}
	project := notInName.ReplaceAllString(w.Dir, "-")
	files, few := transcript.Recent(roots, project+"/*.jsonl")
	ofSubagents, alsoFew := transcript.Recent(roots, project+"/*/subagents/agent-*.jsonl")
	if !few || !alsoFew {
		return nil, false
	}
	return append(files, ofSubagents...), false
}

// claudePart is a part of a message.
type claudePart struct {
	Type, Text, ID, Name string
	Input                json.RawMessage
	Of                   string `json:"tool_use_id"`
	Failed               bool   `json:"is_error"`
	Content              json.RawMessage
}

// claudeExit matches the beginning of the result of a command that failed.
var claudeExit = regexp.MustCompile(`^Exit code (\d+)`)

// Entries reads a transcript, which has a message on each line. The user's messages also hold the results of calls, and
// a text of the user begins a turn.
func (Transcripts) Entries(raw []byte) (all []transcript.Entry) {
	for line := range bytes.Lines(raw) {
		var said struct {
			Type    string
			IsMeta  bool
			Message struct {
				Content json.RawMessage
			}
			Result json.RawMessage `json:"toolUseResult"`
		}
		if json.Unmarshal(line, &said) != nil || said.IsMeta || said.Type != "assistant" && said.Type != "user" {
			continue
		}
		mine := said.Type == "assistant"
		var text string
		var parts []claudePart
		if json.Unmarshal(said.Message.Content, &text) == nil {
			parts = []claudePart{{Type: "text", Text: text}}
		} else if json.Unmarshal(said.Message.Content, &parts) != nil {
			continue
		}
		for _, p := range parts {
			switch {
			case p.Type == "text" && mine:
				all = append(all, transcript.Entry{Sort: transcript.Said, Text: p.Text})
			case p.Type == "text":
				all = append(all, transcript.Entry{Sort: transcript.Prompted})
			case p.Type == "tool_use" && mine:
				all = append(all, claudeCall(p))
			case p.Type == "tool_result" && !mine:
				all = append(all, claudeResult(p, said.Result))
			}
		}
	}
	return all
}

// claudeCall returns the entry of a call: the act, or for a tool that keeps the plan, the change to the plan. Calls
// that keep the plan or search for tools are not listed as acts.
func claudeCall(p claudePart) transcript.Entry {
	e := transcript.Entry{Sort: transcript.Called, ID: p.ID}
	var in struct {
		Command  string
		Path     string `json:"file_path"`
		Notebook string `json:"notebook_path"`
		Todos    []struct{ Content, Status string }
		Task     string `json:"taskId"`
		Status   string
	}
	_ = json.Unmarshal(p.Input, &in)
	switch p.Name {
	case "Bash":
		e.Act = transcript.Act{Kind: transcript.Command, Text: in.Command}
	case "Edit", "MultiEdit", "Write", "NotebookEdit":
		e.Act = transcript.Act{Kind: transcript.Edit, Text: in.Path + in.Notebook}
	case "Read":
		e.Act = transcript.Act{Kind: transcript.ReadFile, Text: in.Path}
	case "TodoWrite":
		e.Plan = func([]transcript.Step) (plan []transcript.Step) {
			for _, t := range in.Todos {
				plan = append(plan, transcript.Step{Text: t.Content, State: transcript.StateOf(t.Status)})
			}
			return plan
		}
	case "TaskUpdate":
		e.Plan = func(plan []transcript.Step) []transcript.Step { // tasks are numbered from 1
			if n, err := strconv.Atoi(in.Task); err == nil && n >= 1 && n <= len(plan) && in.Status != "" {
				plan[n-1].State = transcript.StateOf(in.Status)
			}
			return plan
		}
	case "TaskCreate": // claudeResult adds the step, because only the result has its number
	case "ToolSearch": // not worth showing
	default:
		e.Act = transcript.Act{Text: p.Name}
	}
	return e
}

// claudeResult returns the entry of a call's result: how the call ended, the diff of a changed file, or the step that
// TaskCreate adds to the plan. detail is what the transcript has beside the result.
func claudeResult(p claudePart, detail json.RawMessage) transcript.Entry {
	e := transcript.Entry{Sort: transcript.Ended, ID: p.Of, Act: transcript.Act{Failed: p.Failed}}
	var text string
	if json.Unmarshal(p.Content, &text) == nil {
		if found := claudeExit.FindStringSubmatch(text); p.Failed && found != nil {
			if n, err := strconv.Atoi(found[1]); err == nil {
				e.Act.Exit = &n
			}
		}
	}
	var more struct {
		Hunks []struct {
			OldStart, OldLines, NewStart, NewLines int
			Lines                                  []string
		} `json:"structuredPatch"`
		Type, Content string
		Task          struct{ ID, Subject string }
	}
	if json.Unmarshal(detail, &more) != nil {
		return e
	}
	var diff strings.Builder
	for _, h := range more.Hunks {
		fmt.Fprintf(&diff, "@@ -%d,%d +%d,%d @@\n", h.OldStart, h.OldLines, h.NewStart, h.NewLines)
		for _, line := range h.Lines {
			diff.WriteString(line + "\n")
		}
	}
	if diff.Len() == 0 && more.Type == "create" {
		diff.WriteString(transcript.AddedLines(more.Content))
	}
	e.Act.Diff = diff.String()
	if n, err := strconv.Atoi(more.Task.ID); err == nil && more.Task.Subject != "" {
		e.Plan = func(plan []transcript.Step) []transcript.Step {
			if n == len(plan)+1 { // a list whose beginning was not read is not shown
				plan = append(plan, transcript.Step{Text: more.Task.Subject})
			}
			return plan
		}
	}
	return e
}

// subagentOf returns Claude Code's own name for the subagent that asks; empty: it is not known.
func subagentOf(o queue.Origin) string {
	rest, ok := strings.CutPrefix(o.Source, "claude:"+o.Thread+"/")
	if id, _, named := strings.Cut(rest, "/"); ok && named {
		return id
	}
	return ""
}
