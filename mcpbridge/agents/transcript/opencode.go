package transcript

import (
	"context"
	"encoding/json"
	"strings"
)

// opencode reads the messages of a session as opencode's server returns them to its plugin. opencode keeps them in a
// database, which is not read here. Recorded with 1.17.0 and 1.18.33.
type opencode struct{}

func (opencode) name() string { return "opencode session" }

func (opencode) find(w Where) (sources []source, certain bool) {
	if w.Ask == nil || w.SessionID == "" {
		return nil, false
	}
	return []source{asked{w}}, true
}

// asked holds what an agent says when it is asked.
type asked struct{ w Where }

func (a asked) tail(ctx context.Context) ([]byte, error) {
	raw, err := a.w.Ask(ctx)
	if err != nil || len(raw) > mostBytes {
		return nil, ErrNoSource
	}
	return raw, nil
}

// version is always the same, because nothing happens in a session while its agent waits for an answer.
func (a asked) version() string { return a.w.SessionID }

func (opencode) entries(raw []byte) (all []entry) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	for _, one := range list {
		var m struct {
			Info  struct{ Role string }
			Parts []json.RawMessage
		}
		if json.Unmarshal(one, &m) != nil {
			continue
		}
		if m.Info.Role == "user" {
			all = append(all, entry{sort: prompt})
			continue
		}
		for _, part := range m.Parts {
			all = append(all, opencodePart(part)...)
		}
	}
	return all
}

// opencodePart returns the entries of one part of a message: the agent's words, or a call and, once it is over, its
// result.
func opencodePart(raw []byte) []entry {
	var part struct {
		Type, Text, Tool, CallID string
		Synthetic                bool // opencode's own words
		State                    struct {
			Status   string
			Input    json.RawMessage
			Metadata struct {
				Exit   *int
				Diff   string
				Exists *bool // the file was there before it was written
			}
		}
	}
	if json.Unmarshal(raw, &part) != nil {
		return nil
	}
	if part.Type == "text" && !part.Synthetic {
		return []entry{{sort: words, text: part.Text}}
	}
	if part.Type != "tool" {
		return nil
	}
	var in struct {
		Command, FilePath, Content string
		Todos                      []struct{ Content, Status string }
	}
	_ = json.Unmarshal(part.State.Input, &in)
	call := entry{sort: called, id: part.CallID, act: Act{Text: part.Tool}}
	ended := Act{Exit: part.State.Metadata.Exit, Failed: part.State.Status == "error"}
	switch part.Tool {
	case "bash":
		call.act = Act{Kind: Command, Text: in.Command}
	case "write":
		call.act = Act{Kind: Edit, Text: in.FilePath}
		if there := part.State.Metadata.Exists; there != nil && !*there {
			ended.Diff = addedLines(in.Content)
		}
	case "edit":
		call.act = Act{Kind: Edit, Text: in.FilePath}
	case "read":
		call.act = Act{Kind: ReadFile, Text: in.FilePath}
	case "todowrite":
		call.act = Act{}
		call.plan = func([]Step) (plan []Step) {
			for _, t := range in.Todos {
				plan = append(plan, Step{t.Content, stateOf(t.Status)})
			}
			return plan
		}
	}
	all := []entry{call}
	if part.State.Status == "completed" || part.State.Status == "error" {
		if at := strings.Index(part.State.Metadata.Diff, "@@"); at >= 0 {
			ended.Diff = part.State.Metadata.Diff[at:]
		}
		all = append(all, entry{sort: result, id: part.CallID, act: ended})
	}
	return all
}
