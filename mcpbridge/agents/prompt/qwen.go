package prompt

import (
	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
)

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
