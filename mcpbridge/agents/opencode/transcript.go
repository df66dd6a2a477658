package opencode

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/choicetui/choicetui/mcpbridge/agents/transcript"
)

// Transcripts reads the messages of a session as opencode's server returns them to its plugin. opencode keeps them in a
// database, which is not read here. Recorded with 1.17.0 and 1.18.33.
type Transcripts struct{}

func (Transcripts) Name() string { return "opencode session" }

func (Transcripts) Sessions(transcript.Where) (roots []string, pattern string) { return nil, "" }

func (Transcripts) Find(w transcript.Where) (sources []transcript.Source, certain bool) {
	if w.Ask == nil || w.SessionID == "" {
		return nil, false
	}
	return []transcript.Source{asked{w}}, true
}

// asked holds what an agent says when it is asked.
type asked struct{ w transcript.Where }

func (a asked) Tail(ctx context.Context) ([]byte, error) {
	raw, err := a.w.Ask(ctx)
	if err != nil || len(raw) > transcript.MostBytes {
		return nil, transcript.ErrNoSource
	}
	return raw, nil
}

// Version is always the same, because nothing happens in a session while its agent waits for an answer.
func (a asked) Version() string { return a.w.SessionID }

func (Transcripts) Entries(raw []byte) (all []transcript.Entry) {
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
			all = append(all, transcript.Entry{Sort: transcript.Prompted})
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
func opencodePart(raw []byte) []transcript.Entry {
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
		return []transcript.Entry{{Sort: transcript.Said, Text: part.Text}}
	}
	if part.Type != "tool" {
		return nil
	}
	var in struct {
		Command, FilePath, Content string
		Todos                      []struct{ Content, Status string }
	}
	_ = json.Unmarshal(part.State.Input, &in)
	call := transcript.Entry{Sort: transcript.Called, ID: part.CallID, Act: transcript.Act{Text: part.Tool}}
	ended := transcript.Act{Exit: part.State.Metadata.Exit, Failed: part.State.Status == "error"}
	switch part.Tool {
	case "bash":
		call.Act = transcript.Act{Kind: transcript.Command, Text: in.Command}
	case "write":
		call.Act = transcript.Act{Kind: transcript.Edit, Text: in.FilePath}
		if there := part.State.Metadata.Exists; there != nil && !*there {
			ended.Diff = transcript.AddedLines(in.Content)
		}
	case "edit":
		call.Act = transcript.Act{Kind: transcript.Edit, Text: in.FilePath}
	case "read":
		call.Act = transcript.Act{Kind: transcript.ReadFile, Text: in.FilePath}
	case "todowrite":
		call.Act = transcript.Act{}
		call.Plan = func([]transcript.Step) (plan []transcript.Step) {
			for _, t := range in.Todos {
				plan = append(plan, transcript.Step{Text: t.Content, State: transcript.StateOf(t.Status)})
			}
			return plan
		}
	}
	all := []transcript.Entry{call}
	if part.State.Status == "completed" || part.State.Status == "error" {
		if at := strings.Index(part.State.Metadata.Diff, "@@"); at >= 0 {
			ended.Diff = part.State.Metadata.Diff[at:]
		}
		all = append(all, transcript.Entry{Sort: transcript.Ended, ID: part.CallID, Act: ended})
	}
	return all
}
