package gemini

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
)

// Read reads the input of a hook of Gemini CLI. ok is false if there is nothing to ask here. Its hooks cannot allow
// anything and cannot answer a question: they refuse the call, and the reason contains the answers.
func Read(raw []byte, token func() string) (prompt.Asked, bool) {
	e, ok := prompt.ReadHook(raw, prompt.Hooks{Client: "gemini-cli", Where: "in gemini", Source: "gemini",
		OneSession: true}, token)
	if !ok || e.Name != "BeforeTool" || e.Tool != "ask_user" {
		return prompt.Asked{}, false
	}
	asked, ok := e.Finish(e.AskByRefusing(readQuestion, prompt.AnswersByNumber, func(words string) []byte {
		return prompt.HookLine(wire.Object{wire.Named("decision", "deny"), wire.Named("reason", words)})
	}))
	asked.Stopped = stoppedIn(e)
	return asked, ok
}

// cancelledText is the text that Gemini CLI 0.61.0 writes into its session's file when the person presses Esc.
const cancelledText = "Request cancelled."

// stoppedIn returns a function that reports whether the person has pressed Esc in Gemini CLI since the event,
// because Gemini does not end its hook then. It is nil if the event names no file or no time.
func stoppedIn(e prompt.Event) func() bool {
	path, _ := e.Text("transcript_path", "transcriptPath")
	at, _ := e.Text("timestamp")
	since, err := time.Parse(time.RFC3339, at)
	if err != nil || !filepath.IsAbs(path) {
		return nil
	}
	transcript := prompt.Tail{Path: path, First: prompt.BehindNotice}
	return func() bool {
		lines, _ := transcript.Lines() // a file that cannot be opened says nothing
		return slices.ContainsFunc(lines, func(line []byte) bool {
			var said struct {
				Type      string
				Content   any
				Timestamp time.Time
			}
			return json.Unmarshal(line, &said) == nil && said.Type == "info" && said.Content == cancelledText &&
				said.Timestamp.After(since)
		})
	}
}

// readQuestion reads one question: with options, for yes or no, or for own words. Gemini tells the answers apart
// by their numbers, so the questions need no keys.
func readQuestion(o wire.Object) (q queue.Question, key string, labels []string, why queue.Unfit) {
	kind := o.Words("type")
	switch kind {
	case "", "choice":
	case "yesno":
		o = o.With("options", json.RawMessage(`[{"label": "Yes"}, {"label": "No"}]`)).Without("multiSelect")
	case "text":
		o = o.Without("options")
	default:
		return q, "", nil, queue.UnfitAnswer
	}
	q, labels, why = prompt.ReadQuestion(o, "multiSelect")
	if why == "" {
		q.Placeholder = o.Words("placeholder")
	}
	return q, "", labels, why
}
