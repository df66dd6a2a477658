package dialect

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Detect returns the format of a JSON request that came by pipe instead of through a tool. The name is a tool's or
// ModelText; empty: the format is unknown.
func Detect(raw []byte) string {
	var shape struct {
		Type      json.RawMessage   `json:"type"`
		Mode      json.RawMessage   `json:"selection_mode"`
		Title     json.RawMessage   `json:"title"`
		Prompt    json.RawMessage   `json:"prompt"`
		Question  json.RawMessage   `json:"question"`
		Questions json.RawMessage   `json:"questions"`
		Choices   json.RawMessage   `json:"choices"`
		Options   []json.RawMessage `json:"options"`
	}
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] != '{' {
		return ""
	}
	if json.Unmarshal(raw, &shape) != nil {
		shape.Options = nil // options of another shape say nothing; the rest still may
	}
	kind, _ := text(shape.Type)
	switch {
	case strings.HasPrefix(kind, ModelText):
		return ModelText
	case len(shape.Mode) > 0 || len(shape.Prompt) > 0 && len(shape.Title) > 0:
		return nameProvideChoice
	case len(shape.Questions) > 0:
		return nameQuestions
	case len(shape.Question) > 0 && len(shape.Choices) > 0:
		return ModelText
	case len(shape.Question) > 0 && len(shape.Options) > 0:
		if bytes.Contains(shape.Options[0], []byte(`"title"`)) {
			return nameUserChoice
		}
		return nameHITL
	}
	return ""
}
