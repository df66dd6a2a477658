package native

import (
	"encoding/json"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// Claude Code asks by hooks: each question or permission prompt starts a process, gives it one JSON object and reads
// one back. Nothing printed means that Claude goes on as if there were no hook.
const (
	clientClaude = "claude-code"
	inClaude     = "in claude"

	eventTool       = "PreToolUse"
	eventPermission = "PermissionRequest"
	eventForm       = "Elicitation"

	toolQuestion = "AskUserQuestion"
	toolPlan     = "ExitPlanMode"
)

// hookEvent is what a hook was given, as far as every event has it.
type hookEvent struct {
	object
	name, tool, session, dir string
	words                    Words
	token                    func() string // names what the agent itself gives no name
}

// Claude reads what a hook of Claude Code was given; false where that is nothing to ask here: another event or tool, a
// subagent, or anything that is not as it should be. token makes a new name each time.
func Claude(raw []byte, w Words, token func() string) (Asked, bool) {
	e := hookEvent{words: w, token: token}
	var ok bool
	if !whole(raw) {
		return Asked{}, false
	}
	if e.object, ok = readObject(raw); !ok || !e.readCommon() {
		return Asked{}, false
	}
	switch {
	case e.name == eventTool && e.tool == toolQuestion:
		return e.question()
	case e.name == eventPermission && e.tool == toolQuestion: // asked before, as an event of its own
		return Asked{}, false
	case e.name == eventPermission && e.tool == toolPlan:
		return e.plan()
	case e.name == eventPermission && e.tool != "":
		return e.permission()
	case e.name == eventForm:
		return e.form()
	}
	return Asked{}, false
}

// readCommon reads what every event has. Other programs run the same hooks and spell the names their way.
func (e *hookEvent) readCommon() bool {
	for _, t := range []struct {
		into  *string
		names []string
	}{
		{&e.name, []string{"hook_event_name", "hookEventName"}},
		{&e.tool, []string{"tool_name", "toolName"}},
		{&e.session, []string{"session_id", "sessionId"}},
		{&e.dir, []string{"cwd"}},
	} {
		s, ok := e.text(t.names...)
		if !ok {
			return false
		}
		*t.into = s
	}
	agent, isText := e.text("agent_id", "agentId")
	return isText && agent == "" // a subagent's questions are for the agent above it
}

// asked is what is asked, from whom.
func (e hookEvent) asked(a queue.Ask, id string, render func(queue.Session) []byte) (Asked, bool) {
	if id == "" {
		id = e.token()
	}
	o := queue.Origin{Client: clientClaude, Cwd: e.dir, Thread: e.session, CallID: id,
		Source: "claude:" + e.session + "/" + id}
	return Asked{Ask: a, Origin: o, Where: inClaude, Render: render}, true
}

// question is AskUserQuestion: the answers go into the tool's input beside the questions as they came.
func (e hookEvent) question() (Asked, bool) {
	input, isObject := e.object.object("tool_input", "toolInput")
	list, isList := input.list("questions")
	id, isText := e.text("tool_use_id", "toolUseId")
	if _, answered := input.get("answers"); !isObject || !isList || !isText || answered {
		return Asked{}, false
	}
	qs, ok := readQuestions(list, byText("multiSelect"))
	if !ok {
		return Asked{}, false
	}
	return e.asked(qs.ask, id, func(s queue.Session) []byte {
		if o := s.Outcome; o != nil && o.Answered() {
			return claudeAnswers(input, qs, o.Answer)
		}
		if words := e.words.refusal(s); words != "" {
			return hookOutput(object{{"hookEventName", encode(eventTool)}, {"permissionDecision", encode("deny")},
				{"permissionDecisionReason", encode(words)}})
		}
		return nil
	})
}

// claudeAnswers is the tool's input with the answers, by the text of their question. Without each of them nothing is
// said: the tool would take none for an answer.
func claudeAnswers(input object, qs questions, a queue.Answer) []byte {
	given, ok := qs.replied(a)
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

// refusal is what the agent is told of a question that the person declined, in their words. Without words nothing is
// said, and the agent asks in its own way.
func (w Words) refusal(s queue.Session) string {
	o := s.Outcome
	switch {
	case o == nil || o.Status != queue.StatusCancelled || o.By != queue.ByHuman:
		return ""
	case o.WantsDetail():
		return w.MoreDetail(seen(o.Reason))
	case queue.Blank(o.Reason):
		return ""
	}
	return w.Declined(seen(o.Reason))
}

// seen is a person's text as an agent may read it: what nobody would see is shown.
func seen(text string) string {
	shown, _ := queue.Visible(text)
	return strings.TrimSpace(shown)
}

// hookOutput is the one object that a hook prints.
func hookOutput(specific object) []byte {
	return append(object{{"hookSpecificOutput", json.RawMessage(specific.json())}}.json(), '\n')
}
