package codex

import (
	"cmp"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
)

// The tools with which Codex asks its person. The second one returns at once, so its questions come after the call.
const (
	toolAsk      = "request_user_input"
	toolAskLater = "request_user_input_async"

	eventAfterTool = "PostToolUse"
)

// The permission modes in which Codex asks its person, and those in which it asks nobody. In any other mode a program
// may decide first, which a waiting hook would hold up.
var (
	codexAsksIn   = []string{"default", "plan", "acceptEdits"}
	codexSilentIn = []string{"dontAsk", "bypassPermissions"}
)

// ReadHook reads the input of a hook of a Codex that has no app-server. ok is false if there is nothing to ask here. A
// hook can decide about a permission, but it cannot answer a question: it refuses the call, and its reason contains the
// answers.
func ReadHook(raw []byte, token func() string) (prompt.Asked, bool) {
	e, ok := prompt.ReadHook(raw, prompt.Hooks{Client: client, Where: where, Source: "codex-hook"}, token)
	isQuestion, isPermission := e.Name == prompt.EventTool && e.Tool == toolAsk, e.Name == prompt.EventPermission
	switch mode := e.PermissionMode(); {
	case ok && e.Name == eventAfterTool && e.Tool == toolAskLater:
		return e.Finish(prompt.Asked{Unfit: queue.UnfitAnswer, Ask: queue.Ask{Title: laterTitle(e)}}, true)
	case !ok || !isQuestion && !isPermission || slices.Contains(codexSilentIn, mode):
		return prompt.Asked{}, false
	case !slices.Contains(codexAsksIn, mode):
		return e.Finish(prompt.Unfit(queue.UnfitAnswer))
	case isQuestion:
		return e.Finish(codexQuestion(e))
	}
	return e.Finish(e.AskAllowance(tools, prompt.DecisionOutput))
}

// laterTitle returns the titles of questions that do not stop Codex.
func laterTitle(e prompt.Event) string {
	input, _ := wire.Read(e.ToolInput())
	list, _ := prompt.QuestionList(input)
	var titles []string
	for _, raw := range list {
		o, _ := wire.Read(raw)
		if title := prompt.FirstLine(o.Words("title", "question")); title != "" {
			titles = append(titles, title)
		}
	}
	return cmp.Or(strings.Join(titles, " "), "a question")
}

// codexQuestion asks a question of the model. Codex always accepts own words beside the options.
func codexQuestion(e prompt.Event) (prompt.Asked, bool) {
	read := func(o wire.Object) (queue.Question, string, []string, queue.Unfit) {
		return readCodexQuestion(o.With("isOther", wire.Encode(true)))
	}
	return e.AskByRefusing(prompt.Distinct(read), answersByID, prompt.DenyToolCall)
}

// answersByID returns the answers as the tool's own result has them: under the ids of their questions.
func answersByID(qs prompt.Questions, given [][]string) wire.Object {
	var answers wire.Object
	for i, id := range qs.Keys {
		answers = append(answers, wire.Named(id, wire.Object{wire.Named("answers", given[i])}))
	}
	return wire.Object{wire.Named("answers", answers)}
}

// tools has the readers for the tools that Codex's hooks name.
var tools = prompt.Tools{"Bash": prompt.ReadCommand, "apply_patch": prompt.ReadPatch}
