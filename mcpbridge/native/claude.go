package native

import (
	"strings"

	"github.com/choicetui/choicetui/queue"
)

const (
	eventForm = "Elicitation" // another MCP server of Claude's shows a form

	inClaude = "in claude"

	toolQuestion = "AskUserQuestion"
	toolPlan     = "ExitPlanMode"
)

// claudeHook reads the events of Claude Code.
type claudeHook struct{ hookEvent }

// Claude reads the input of a Claude Code hook. ok is false if there is nothing to ask here: another event or tool, a
// subagent's question, or malformed input. token returns a new name at each call, for prompts that Claude does not
// name.
func Claude(raw []byte, token func() string) (Asked, bool) {
	event, ok := readHook(raw, hookAgent{client: "claude-code", where: inClaude, source: "claude",
		subagents: true}, token)
	e := claudeHook{event}
	switch {
	case !ok:
	case e.name == eventTool && e.tool == toolQuestion && e.subagent == "":
		return e.askQuestion()
	case e.name == eventPermission && e.tool == toolQuestion: // already asked at its PreToolUse event
		return Asked{}, false
	case e.name == eventPermission && e.tool == toolPlan:
		return e.askPlan()
	case e.name == eventPermission && e.tool != "":
		return e.askPermission()
	case e.name == eventForm:
		return e.askForm()
	}
	return Asked{}, false
}

// ClaudeStarts reports whether the input is that of a SessionStart hook in a new process of Claude Code.
func ClaudeStarts(raw []byte) bool {
	e, ok := readHook(raw, hookAgent{}, nil)
	source, _ := e.text("source")
	return ok && e.name == "SessionStart" && (source == "startup" || source == "resume")
}

// askQuestion asks the questions of an AskUserQuestion call. Their answers are added to the tool's input, whose other
// members stay unchanged.
func (e claudeHook) askQuestion() (Asked, bool) {
	qs, id, ok := e.hookQuestions(keyedByText("multiSelect"))
	input, _ := e.object.object("tool_input", "toolInput")
	if _, answered := input.get("answers"); !ok || answered {
		return Asked{}, false
	}
	return e.newAsked(qs.ask, id, func(s queue.Session) []byte {
		if o := s.Outcome; o != nil && o.Answered() {
			return claudeAnswers(input, qs, o.Answer)
		}
		if words := refusalText(s); words != "" {
			return denyToolCall(words)
		}
		return nil
	})
}

// claudeAnswers returns the tool's input with the answers, each under the text of its question. If one answer is
// missing, it returns nil and the hook prints nothing: the tool would take a missing answer for an answer.
func claudeAnswers(input object, qs questions, a queue.Answer) []byte {
	given, ok := qs.answersOf(a)
	if !ok {
		return nil
	}
	var answers object
	for i, text := range qs.keys {
		answers = append(answers, member{text, encode(strings.Join(given[i], ", "))})
	}
	return hookOutput(object{{"hookEventName", encode(eventTool)}, {"permissionDecision", encode("allow")},
		{"updatedInput", input.with("answers", answers.json()).json()}})
}
