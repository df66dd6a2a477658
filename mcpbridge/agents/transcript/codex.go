package transcript

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// codex reads the rollouts of Codex: ~/.codex/sessions/YYYY/MM/DD/rollout-TIME-THREAD.jsonl. Codex names the thread in
// every call and the file in its hooks, so a rollout is never looked for by its directory. Recorded with 0.156.0 and
// 0.169.0.
type codex struct{}

func (codex) name() string { return "codex session" }

// threadID matches the names of threads, which are parts of file names.
var threadID = regexp.MustCompile(`^[0-9a-fA-F-]{36}$`)

func (codex) find(w Where) (files []source, certain bool) {
	if !threadID.MatchString(w.SessionID) {
		return nil, false
	}
	files, _ = recent(w.roots(".codex", "sessions"), "*/*/*/rollout-*-"+w.SessionID+".jsonl")
	return files, len(files) == 1
}

// codexExit matches the exit status in the result of a command.
var codexExit = regexp.MustCompile(`(?m)^Process exited with code (\d+)$`)

// entries reads a rollout, which has an event or a part of the conversation on each line.
func (codex) entries(raw []byte) (all []entry) {
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
			all = append(all, entry{sort: prompt})
		case "event_msg/user_message":
			all = append(all, entry{sort: prompt})
		case "response_item/message":
			for _, c := range p.Content {
				if p.Role == "assistant" && c.Type == "output_text" {
					all = append(all, entry{sort: words, text: c.Text})
				}
			}
		case "response_item/function_call", "response_item/custom_tool_call":
			all = append(all, codexCall(p.CallID, p.Name, p.Arguments, p.Input))
		case "response_item/function_call_output", "response_item/custom_tool_call_output":
			e := entry{sort: result, id: p.CallID}
			var text string
			_ = json.Unmarshal(p.Output, &text)
			head, _, _ := strings.Cut(text, "\nOutput:\n") // what follows is from the command itself
			if found := codexExit.FindStringSubmatch(head); found != nil {
				if n, err := strconv.Atoi(found[1]); err == nil {
					e.act.Exit = &n
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
func codexCall(id, tool, arguments, input string) entry {
	e := entry{sort: called, id: id, act: Act{Text: tool}}
	var in struct {
		Cmd  string
		Plan []struct{ Step, Status string }
	}
	_ = json.Unmarshal([]byte(arguments), &in)
	switch tool {
	case "exec_command":
		e.act = Act{Kind: Command, Text: in.Cmd}
	case "apply_patch":
		e.act = Act{Kind: Edit, Text: patchedFile(input)}
		e.act.setDiff(input)
	case "update_plan":
		e.act = Act{}
		e.plan = func([]Step) (plan []Step) {
			for _, s := range in.Plan {
				plan = append(plan, Step{s.Step, stateOf(s.Status)})
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
func (i codexItem) entries() (all []entry) {
	failed := i.Status == "failed" || i.Status == "declined"
	switch i.Type {
	case "CommandExecution":
		all = append(all, entry{sort: result, id: i.ID, act: Act{Exit: i.Exit, Failed: failed}})
	case "FileChange":
		for n, path := range slices.Sorted(maps.Keys(i.Changes)) {
			c := i.Changes[path]
			act := Act{Kind: Edit, Text: path, Failed: failed}
			if act.setDiff(c.Diff); c.Type == "add" {
				act.setDiff(addedLines(c.Content))
			}
			id := i.ID // the first file takes the place of the call, a command or a patch
			if n > 0 {
				id += "/" + path
			}
			all = append(all, entry{sort: called, id: id, act: act}, entry{sort: result, id: id})
		}
	}
	return all
}
