package before

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
	var p struct {
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
	if json.Unmarshal(raw, &p) != nil {
		return nil
	}
	if p.Type == "text" && !p.Synthetic {
		return []entry{{sort: words, text: p.Text}}
	}
	if p.Type != "tool" {
		return nil
	}
	var in struct {
		Command, FilePath, Content string
		Todos                      []struct{ Content, Status string }
	}
	_ = json.Unmarshal(p.State.Input, &in)
	e := entry{sort: called, id: p.CallID, act: Act{Text: p.Tool}}
	r := Act{Exit: p.State.Metadata.Exit, Failed: p.State.Status == "error"}
	switch p.Tool {
	case "bash":
		e.act = Act{Kind: Command, Text: in.Command}
	case "write":
		e.act = Act{Kind: Edit, Text: in.FilePath}
		if there := p.State.Metadata.Exists; there != nil && !*there {
			r.Diff = addedLines(in.Content)
		}
	case "edit":
		e.act = Act{Kind: Edit, Text: in.FilePath}
	case "read":
		e.act = Act{Kind: ReadFile, Text: in.FilePath}
	case "todowrite":
		e.act = Act{}
		e.plan = func([]Step) (plan []Step) {
			for _, t := range in.Todos {
				plan = append(plan, Step{t.Content, stateOf(t.Status)})
			}
			return plan
		}
	}
	all := []entry{e}
	if p.State.Status == "completed" || p.State.Status == "error" {
		if at := strings.Index(p.State.Metadata.Diff, "@@"); at >= 0 {
			r.Diff = p.State.Metadata.Diff[at:]
		}
		all = append(all, entry{sort: result, id: p.CallID, act: r})
	}
	return all
}
