package qwen

import (
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
)

// The tools with which Qwen Code asks questions and shows plans.
const (
	toolAsk  = "ask_user_question"
	toolPlan = "exit_plan_mode"
)

// Read reads the input of a hook of Qwen Code. ok is false if there is nothing to ask here. The hook runs when a prompt
// is about to be shown, in every permission mode. It can decide about a permission. It refuses a question, and the
// reason contains the answers: Qwen would still show an allowed question itself. A plan, which Qwen would also still
// show, can be answered only there.
func Read(raw []byte, token func() string) (prompt.Asked, bool) {
	e, ok := prompt.ReadHook(raw, prompt.Hooks{Client: "qwen-code", Where: "in qwen", Source: "qwen",
		OneSession: true}, token)
	switch {
	case !ok || e.Name != prompt.EventPermission:
		return prompt.Asked{}, false
	case e.Tool == toolPlan:
		asked, _ := prompt.Unfit(queue.UnfitAnswer)
		asked.Ask.Title = "a plan"
		return e.Finish(asked, true)
	case e.Tool == toolAsk:
		return e.Finish(e.AskByRefusing(readQuestion, prompt.AnswersByNumber,
			func(words string) []byte { return prompt.DecisionOutput(prompt.Denial(words)) }))
	}
	return e.Finish(e.AskAllowance(tools, prompt.DecisionOutput))
}

// readQuestion reads one question. Qwen tells the answers apart by their numbers, so the questions need no keys.
func readQuestion(o wire.Object) (q queue.Question, key string, labels []string, why queue.Unfit) {
	q, labels, why = prompt.ReadQuestion(o, "multiSelect")
	return q, "", labels, why
}

// tools has the readers for the tools of Qwen Code.
var tools = prompt.Tools{
	"run_shell_command": prompt.ReadBash,
	"edit":              prompt.ReadEdit(prompt.PlainEdit),
	"write_file":        prompt.ReadWriteOf("file_path", "content"),
	"notebook_edit":     prompt.ReadCell,
	"read_file":         prompt.ReadFile(0, "file_path", "absolute_path"),
	"glob":              prompt.SearchFiles("list files below it", "path", "pattern"),
	"grep_search":       prompt.SearchFiles("search the files below it", "path", "pattern"),
	"list_directory":    prompt.SearchFiles("list it", "path", "path"),
	"web_fetch":         prompt.ReadFetch,
}
