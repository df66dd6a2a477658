package codex

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/mcpbridge/agents/transcript"
)

// Transcripts reads the rollouts of Codex: ~/.codex/sessions/YYYY/MM/DD/rollout-TIME-THREAD.jsonl. Codex names the
// thread in every call and the file in its hooks, so a rollout is never looked for by its directory. Recorded with
// 0.156.0 and 0.169.0.
type Transcripts struct{}

func (Transcripts) Name() string { return "codex session" }

func (Transcripts) Sessions(w transcript.Where) (roots []string, pattern string) {
	return w.Roots(".codex", "sessions"), "*/*/*/rollout-*.jsonl"
}

// threadID matches the names of threads, which are parts of file names.
var threadID = regexp.MustCompile(`^[0-9a-fA-F-]{36}$`)

func (Transcripts) Find(w transcript.Where) (files []transcript.Source, certain bool) {
	if !threadID.MatchString(w.SessionID) {
		return nil, false
	}
	files, _ = transcript.Recent(w.Roots(".codex", "sessions"), "*/*/*/rollout-*-"+w.SessionID+".jsonl")
	return files, len(files) == 1
}

// codexExit matches the exit status in the result of a command.
var codexExit = regexp.MustCompile(`(?m)^Process exited with code (\d+)$`)

// Entries reads a rollout, which has an event or a part of the conversation on each line.
func (Transcripts) Entries(raw []byte) (all []transcript.Entry) {
	for line := range bytes.Lines(raw) {
		var said struct {
			Type    string
			Payload struct {
				Type, Role, Name, Arguments, Input string
				CallID                             string `json:"call_id"`
				Output                             json.RawMessage
				Content                            []struct{ Type, Text string }
				Item                               codexItem
			}
		}
		if json.Unmarshal(line, &said) != nil {
			continue
		}
		p := said.Payload
		switch said.Type + "/" + p.Type {
		case "event_msg/task_started":
			all = append(all, transcript.Entry{Sort: transcript.Prompted})
		case "event_msg/user_message":
			all = append(all, transcript.Entry{Sort: transcript.Prompted})
		case "response_item/message":
			for _, c := range p.Content {
				if p.Role == "assistant" && c.Type == "output_text" {
					all = append(all, transcript.Entry{Sort: transcript.Said, Text: c.Text})
				}
			}
		case "response_item/function_call", "response_item/custom_tool_call":
			all = append(all, codexCall(p.CallID, p.Name, p.Arguments, p.Input))
		case "response_item/function_call_output", "response_item/custom_tool_call_output":
			e := transcript.Entry{Sort: transcript.Ended, ID: p.CallID}
			var text string
			_ = json.Unmarshal(p.Output, &text)
			head, _, _ := strings.Cut(text, "\nOutput:\n") // what follows is from the command itself
			if found := codexExit.FindStringSubmatch(head); found != nil {
				if n, err := strconv.Atoi(found[1]); err == nil {
					e.Act.Exit = &n
				}
			}
			all = append(all, e)
		case "event_msg/item_completed":
			all = append(all, p.Item.entries()...)
		}
	}
	return all
}

// codexCall returns the entry of a call: the act, or the change to the plan. A patch is in input, everything else in
// arguments.
func codexCall(id, tool, arguments, input string) transcript.Entry {
	e := transcript.Entry{Sort: transcript.Called, ID: id, Act: transcript.Act{Text: tool}}
	var in struct {
		Cmd  string
		Plan []struct{ Step, Status string }
	}
	_ = json.Unmarshal([]byte(arguments), &in)
	switch tool {
	case "exec_command":
		e.Act = transcript.Act{Kind: transcript.Command, Text: in.Cmd}
	case "apply_patch":
		e.Act = transcript.Act{Kind: transcript.Edit, Text: patchedFile(input)}
		e.Act.SetDiff(input)
	case "update_plan":
		e.Act = transcript.Act{}
		e.Plan = func([]transcript.Step) (plan []transcript.Step) {
			for _, s := range in.Plan {
				plan = append(plan, transcript.Step{Text: s.Step, State: transcript.StateOf(s.Status)})
			}
			return plan
		}
	}
	return e
}

// patchHead matches a line of a patch that names a file.
var patchHead = regexp.MustCompile(`(?m)^\*\*\* (?:Add|Update|Delete) File: (.+)$`)

// patchedFile returns the first file of a patch.
func patchedFile(patch string) string {
	if found := patchHead.FindStringSubmatch(patch); found != nil {
		return found[1]
	}
	return "apply_patch"
}

// codexItem is something that Codex did, as it says once it is over.
type codexItem struct {
	Type, ID, Status string
	Exit             *int `json:"exit_code"`
	Changes          map[string]struct {
		Type, Content string
		Diff          string `json:"unified_diff"`
	}
}

// entries returns what an item adds to a turn: how a command ended, or an act for each changed file.
func (i codexItem) entries() (all []transcript.Entry) {
	failed := i.Status == "failed" || i.Status == "declined"
	switch i.Type {
	case "CommandExecution":
		ended := transcript.Act{Exit: i.Exit, Failed: failed}
		all = append(all, transcript.Entry{Sort: transcript.Ended, ID: i.ID, Act: ended})
	case "FileChange":
		for n, path := range slices.Sorted(maps.Keys(i.Changes)) {
			c := i.Changes[path]
			act := transcript.Act{Kind: transcript.Edit, Text: path, Failed: failed}
			if act.SetDiff(c.Diff); c.Type == "add" {
				act.SetDiff(transcript.AddedLines(c.Content))
			}
			id := i.ID // the first file takes the place of the call, a command or a patch
			if n > 0 {
				id += "/" + path
			}
			all = append(all, transcript.Entry{Sort: transcript.Called, ID: id, Act: act},
				transcript.Entry{Sort: transcript.Ended, ID: id})
		}
	}
	return all
}
