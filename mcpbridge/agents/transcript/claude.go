package transcript

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// claude reads the transcripts of Claude Code: ~/.claude/projects/DIR/SESSION.jsonl, and those of subagents in
// SESSION/subagents/agent-ID.jsonl. Recorded with 2.1.305 and 2.1.330.
type claude struct{}

func (claude) name() string { return "claude transcript" }

// notInName matches what Claude replaces in the name of a project's directory.
var notInName = regexp.MustCompile(`[^A-Za-z0-9]`)

// find returns the transcript of the session, or of its subagent. If w names no session, find returns the transcripts
// of all sessions in the directory.
func (claude) find(w Where) (files []source, certain bool) {
	roots := w.roots(".claude", "projects")
	if w.SessionID != "" {
		if !isName(w.SessionID) {
			return nil, false
		}
		pattern := "*/" + globSafe(w.SessionID) + ".jsonl"
		if w.Subagent != "" {
			if !isName(w.Subagent) {
				return nil, false
			}
			pattern = "*/" + globSafe(w.SessionID) + "/subagents/agent-" + globSafe(w.Subagent) + ".jsonl"
		}
		files, _ = recent(roots, pattern)
		return files, len(files) == 1
	}
	if w.Dir == "" {
		return nil, false
	}
	project := notInName.ReplaceAllString(w.Dir, "-")
	files, few := recent(roots, project+"/*.jsonl")
	ofSubagents, alsoFew := recent(roots, project+"/*/subagents/agent-*.jsonl")
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

// entries reads a transcript, which has a message on each line. The user's messages also hold the results of calls, and
// a text of the user begins a turn.
func (claude) entries(raw []byte) (all []entry) {
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
				all = append(all, entry{sort: words, text: p.Text})
			case p.Type == "text":
				all = append(all, entry{sort: prompt})
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
func claudeCall(p claudePart) entry {
	e := entry{sort: called, id: p.ID}
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
		e.act = Act{Kind: Command, Text: in.Command}
	case "Edit", "MultiEdit", "Write", "NotebookEdit":
		e.act = Act{Kind: Edit, Text: in.Path + in.Notebook}
	case "Read":
		e.act = Act{Kind: ReadFile, Text: in.Path}
	case "TodoWrite":
		e.plan = func([]Step) (plan []Step) {
			for _, t := range in.Todos {
				plan = append(plan, Step{t.Content, stateOf(t.Status)})
			}
			return plan
		}
	case "TaskUpdate":
		e.plan = func(plan []Step) []Step { // tasks are numbered from 1
			if n, err := strconv.Atoi(in.Task); err == nil && n >= 1 && n <= len(plan) && in.Status != "" {
				plan[n-1].State = stateOf(in.Status)
			}
			return plan
		}
	case "TaskCreate": // claudeResult adds the step, because only the result has its number
	case "ToolSearch": // not worth showing
	default:
		e.act = Act{Text: p.Name}
	}
	return e
}

// claudeResult returns the entry of a call's result: how the call ended, the diff of a changed file, or the step that
// TaskCreate adds to the plan. detail is what the transcript has beside the result.
func claudeResult(p claudePart, detail json.RawMessage) entry {
	e := entry{sort: result, id: p.Of, act: Act{Failed: p.Failed}}
	var text string
	if json.Unmarshal(p.Content, &text) == nil {
		if found := claudeExit.FindStringSubmatch(text); p.Failed && found != nil {
			if n, err := strconv.Atoi(found[1]); err == nil {
				e.act.Exit = &n
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
		diff.WriteString(addedLines(more.Content))
	}
	e.act.Diff = diff.String()
	if n, err := strconv.Atoi(more.Task.ID); err == nil && more.Task.Subject != "" {
		e.plan = func(plan []Step) []Step {
			if n == len(plan)+1 { // a list whose beginning was not read is not shown
				plan = append(plan, Step{Text: more.Task.Subject})
			}
			return plan
		}
	}
	return e
}

// stateOf returns the state of a step, as all agents word it.
func stateOf(status string) StepState {
	switch status {
	case "completed", "done":
		return Done
	case "in_progress":
		return Current
	}
	return Open
}
