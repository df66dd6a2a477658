package prompt

import (
	"cmp"
	"slices"
	"strings"

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

// CodexHook reads the input of a hook of a Codex that has no app-server. ok is false if there is nothing to ask here. A
// hook can decide about a permission, but it cannot answer a question: it refuses the call, and its reason contains the
// answers.
func CodexHook(raw []byte, token func() string) (Asked, bool) {
	e, ok := readHook(raw, hookAgent{client: clientCodex, where: inCodex, source: "codex-hook"}, token)
	isQuestion, isPermission := e.name == eventTool && e.tool == toolAsk, e.name == eventPermission
	switch mode := e.permissionMode(); {
	case ok && e.name == eventAfterTool && e.tool == toolAskLater:
		return e.finish(Asked{Unfit: queue.UnfitAnswer, Ask: queue.Ask{Title: e.laterTitle()}}, true)
	case !ok || !isQuestion && !isPermission || slices.Contains(codexSilentIn, mode):
		return Asked{}, false
	case !slices.Contains(codexAsksIn, mode):
		return e.finish(unfit(queue.UnfitAnswer))
	case isQuestion:
		return e.finish(codexQuestion(e))
	}
	return e.finish(e.askAllowance(codexTools, decisionOutput))
}

// laterTitle returns the titles of questions that do not stop Codex.
func (e hookEvent) laterTitle() string {
	input, _ := wire.Read(e.toolInput())
	list, _ := questionList(input)
	var titles []string
	for _, raw := range list {
		o, _ := wire.Read(raw)
		if title := firstLine(o.Words("title", "question")); title != "" {
			titles = append(titles, title)
		}
	}
	return cmp.Or(strings.Join(titles, " "), "a question")
}

// codexQuestion asks a question of the model. Codex always accepts own words beside the options.
func codexQuestion(e hookEvent) (Asked, bool) {
	read := func(o wire.Object) (queue.Question, string, []string, queue.Unfit) {
		return readCodexQuestion(o.With("isOther", wire.Encode(true)))
	}
	return e.askByRefusing(distinct(read), answersByID, denyToolCall)
}

// answersByID returns the answers as the tool's own result has them: under the ids of their questions.
func answersByID(qs questions, given [][]string) wire.Object {
	var answers wire.Object
	for i, id := range qs.keys {
		answers = append(answers, wire.Named(id, wire.Object{wire.Named("answers", given[i])}))
	}
	return wire.Object{wire.Named("answers", answers)}
}

// codexTools has the readers for the tools that Codex's hooks name.
var codexTools = toolReaders{"Bash": readCommand, "apply_patch": readPatch}
