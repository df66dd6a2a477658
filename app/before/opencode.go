package before

import (
	"encoding/json"
	"strings"
)

// readOpencode reads the messages of a session as opencode's server returns them to its plugin. opencode keeps them in
// a database, which is not read here. The parts were recorded with 1.18.33.
func readOpencode(w Where) (Turn, error) {
	if w.CallID == "" || len(w.Messages) > mostBytes {
		return Turn{}, ErrNoSource
	}
	all := opencodeEntries(w.Messages, w.SessionID)
	at, byID := findCall(all, w)
	if !byID {
		return Turn{}, ErrNoSource
	}
	return turnOf(all[:at], "opencode session"), nil
}

// opencodeEntries reads the messages of one session, and no others.
func opencodeEntries(raw []byte, session string) (all []entry) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	for _, one := range list {
		var m struct {
			Info  struct{ Role, SessionID string }
			Parts []json.RawMessage
		}
		if json.Unmarshal(one, &m) != nil || session != "" && m.Info.SessionID != session {
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

func opencodePart(raw []byte) []entry {
	var p struct {
		Type, Text, Tool, CallID string
		State                    struct {
			Status   string
			Input    json.RawMessage
			Metadata struct {
				Exit *int
				Diff string
			}
		}
	}
	if json.Unmarshal(raw, &p) != nil {
		return nil
	}
	if p.Type == "text" {
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
	e := entry{sort: called, id: p.CallID, tool: p.Tool, input: p.State.Input, deed: Deed{Text: p.Tool}}
	switch p.Tool {
	case "bash":
		e.deed = Deed{Kind: Command, Text: in.Command}
	case "write", "edit":
		e.deed = Deed{Kind: Edit, Text: in.FilePath}
	case "read":
		e.deed = Deed{Kind: ReadFile, Text: in.FilePath}
	case "todowrite":
		e.deed = Deed{}
		e.plan = func([]Step) (plan []Step) {
			for _, t := range in.Todos {
				plan = append(plan, Step{t.Content, stateOf(t.Status)})
			}
			return plan
		}
	}
	all := []entry{e}
	if p.State.Status == "completed" || p.State.Status == "error" {
		r := Deed{Exit: p.State.Metadata.Exit, Failed: p.State.Status == "error"}
		if at := strings.Index(p.State.Metadata.Diff, "@@"); at >= 0 {
			r.Diff = p.State.Metadata.Diff[at:]
		}
		all = append(all, entry{sort: result, id: p.CallID, deed: r})
	}
	return all
}
