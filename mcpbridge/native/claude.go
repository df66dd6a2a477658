package native

import (
	"strings"

	"github.com/choicetui/choicetui/queue"
)

const (
	eventForm = "Elicitation"

	inClaude = "in claude"

	toolQuestion = "AskUserQuestion"
	toolPlan     = "ExitPlanMode"
)

// claudeHook reads the input of a Claude Code hook.
type claudeHook struct{ hookEvent }

// Claude reads what a hook of Claude Code was given; false where that is nothing to ask here: another event or tool, a
// subagent, or anything that is not as it should be. token makes a new name each time.
func Claude(raw []byte, w Words, token func() string) (Asked, bool) {
	event, ok := readHook(raw, hookAgent{client: "claude-code", where: inClaude, source: "claude",
		subagents: true}, w, token)
	e := claudeHook{event}
	switch {
	case !ok:
	case e.name == eventTool && e.tool == toolQuestion && e.subagent == "":
		return e.askQuestion()
	case e.name == eventPermission && e.tool == toolQuestion: // asked before, as an event of its own
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

// ClaudeStarts reports whether Claude Code starts a session in a new process.
func ClaudeStarts(raw []byte) bool {
	e, ok := readHook(raw, hookAgent{}, Words{}, nil)
	source, _ := e.text("source")
	return ok && e.name == "SessionStart" && (source == "startup" || source == "resume")
}

// askQuestion asks what AskUserQuestion asks: the answers go into the tool's input beside the questions as they came.
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
		if words := e.words.refusalText(s); words != "" {
			return denyToolCall(words)
		}
		return nil
	})
}

// claudeAnswers returns the tool's input with the answers, by the text of their question. Without each of them nothing
// is said: the tool would take none for an answer.
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
