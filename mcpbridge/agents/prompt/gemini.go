package prompt

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
)

// Gemini reads the input of a hook of Gemini CLI. ok is false if there is nothing to ask here. Its hooks cannot allow
// anything and cannot answer a question: they refuse the call, and the reason contains the answers.
func Gemini(raw []byte, token func() string) (Asked, bool) {
	e, ok := readHook(raw, hookAgent{client: "gemini-cli", where: "in gemini", source: "gemini"}, token)
	if !ok || e.name != "BeforeTool" || e.tool != "ask_user" {
		return Asked{}, false
	}
	asked, ok := e.finish(e.askByRefusing(readGeminiQuestion, answersByNumber, func(words string) []byte {
		return hookLine(wire.Object{wire.Named("decision", "deny"), wire.Named("reason", words)})
	}))
	asked.Stopped = e.geminiStopped()
	return asked, ok
}

// geminiCancelled is the text that Gemini CLI 0.61.0 writes into its session's file when the person presses Esc.
const geminiCancelled = "Request cancelled."

// geminiStopped returns a function that reports whether the person has pressed Esc in Gemini CLI since the event,
// because Gemini does not end its hook then. It is nil if the event names no file or no time.
func (e hookEvent) geminiStopped() func() bool {
	path, _ := e.Text("transcript_path", "transcriptPath")
	at, _ := e.Text("timestamp")
	since, err := time.Parse(time.RFC3339, at)
	if err != nil || !filepath.IsAbs(path) {
		return nil
	}
	transcript := tail{path: path, first: behindNotice}
	return func() bool {
		lines, _ := transcript.lines() // a file that cannot be opened says nothing
		return slices.ContainsFunc(lines, func(line []byte) bool {
			var said struct {
				Type      string
				Content   any
				Timestamp time.Time
			}
			return json.Unmarshal(line, &said) == nil && said.Type == "info" && said.Content == geminiCancelled &&
				said.Timestamp.After(since)
		})
	}
}

// readGeminiQuestion reads one question: with options, for yes or no, or for own words. Gemini tells the answers apart
// by their numbers, so the questions need no keys.
func readGeminiQuestion(o wire.Object) (q queue.Question, key string, labels []string, why queue.Unfit) {
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
	q, labels, why = readQuestion(o, "multiSelect")
	if why == "" {
		q.Placeholder = o.Words("placeholder")
	}
	return q, "", labels, why
}
