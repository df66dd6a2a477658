package prompt

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
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

// answersByNumber returns the answers as the ask tools of Gemini CLI and Qwen Code have them in their results: under
// the numbers of their questions, from 0.
func answersByNumber(_ questions, given [][]string) wire.Object {
	var answers wire.Object
	for i, one := range given {
		answers = append(answers, wire.Named(strconv.Itoa(i), strings.Join(one, ", ")))
	}
	return wire.Object{wire.Named("answers", answers)}
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

// The tools with which Qwen Code asks questions and shows plans.
const (
	toolQwenAsk  = "ask_user_question"
	toolQwenPlan = "exit_plan_mode"
)

// Qwen reads the input of a hook of Qwen Code. ok is false if there is nothing to ask here. The hook runs when a prompt
// is about to be shown, in every permission mode. It can decide about a permission. It refuses a question, and the
// reason contains the answers: Qwen would still show an allowed question itself. A plan, which Qwen would also still
// show, can be answered only there.
func Qwen(raw []byte, token func() string) (Asked, bool) {
	e, ok := readHook(raw, hookAgent{client: "qwen-code", where: "in qwen", source: "qwen"}, token)
	switch {
	case !ok || e.name != eventPermission:
		return Asked{}, false
	case e.tool == toolQwenPlan:
		asked, _ := unfit(queue.UnfitAnswer)
		asked.Ask.Title = "a plan"
		return e.finish(asked, true)
	case e.tool == toolQwenAsk:
		return e.finish(e.askByRefusing(readQwenQuestion, answersByNumber,
			func(words string) []byte { return decisionOutput(denial(words)) }))
	}
	return e.finish(e.askAllowance(qwenTools, decisionOutput))
}

// readQwenQuestion reads one question. Qwen tells the answers apart by their numbers, so the questions need no keys.
func readQwenQuestion(o wire.Object) (q queue.Question, key string, labels []string, why queue.Unfit) {
	q, labels, why = readQuestion(o, "multiSelect")
	return q, "", labels, why
}

// qwenTools has the readers for the tools of Qwen Code.
var qwenTools = toolReaders{
	"run_shell_command": readBash,
	"edit":              readEdit(claudeEdit),
	"write_file":        readWriteOf("file_path", "content"),
	"notebook_edit":     readCell,
	"read_file":         readFile(0, "file_path", "absolute_path"),
	"glob":              searchFiles("list files below it", "path", "pattern"),
	"grep_search":       searchFiles("search the files below it", "path", "pattern"),
	"list_directory":    searchFiles("list it", "path", "path"),
	"web_fetch":         readFetch,
}
