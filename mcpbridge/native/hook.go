package native

import (
	"cmp"
	"slices"

	"github.com/choicetui/choicetui/queue"
)

// Some agents run a hook: for each question or permission prompt they start a process, write one JSON object to it and
// read one back. If the hook prints nothing, the agent continues as if there were no hook.
const (
	eventTool       = "PreToolUse"
	eventPermission = "PermissionRequest"
)

// hookAgent describes an agent that runs hooks.
type hookAgent struct {
	client string // its name beside its questions
	where  string // the place of its own prompts: `in claude`
	source string // the beginning of the sources of its questions
	// subagents means that the prompts of its subagents are for the person too. Else they are for the agent above them.
	subagents bool
}

// mostRole limits the characters that are stored of a subagent's role.
const mostRole = 40

// hookEvent holds the fields of a hook's input that all events have.
type hookEvent struct {
	object
	name, tool, session, dir string
	subagent, role           string // the id and the role of the subagent that asks; empty: the agent itself asks
	agent                    hookAgent
	token                    func() string // returns a new name for a prompt that has no id
}

// readHook reads the input of a hook. ok is false if it is malformed, or if it comes from a subagent whose prompts the
// agent above answers itself.
func readHook(raw []byte, a hookAgent, token func() string) (e hookEvent, ok bool) {
	e = hookEvent{agent: a, token: token}
	if !isReadable(raw) {
		return e, false
	}
	if e.object, ok = readObject(raw); !ok {
		return e, false
	}
	return e, e.readCommon() && (e.subagent == "" || a.subagents)
}

// readCommon reads the fields that every event has. Other programs run the same hooks and spell the names differently.
func (e *hookEvent) readCommon() bool {
	for _, t := range []struct {
		into  *string
		names []string
	}{
		{&e.name, []string{"hook_event_name", "hookEventName", "hookName"}},
		{&e.tool, []string{"tool_name", "toolName"}},
		{&e.session, []string{"session_id", "sessionId"}},
		{&e.dir, []string{"cwd"}},
		{&e.subagent, []string{"agent_id", "agentId"}},
		{&e.role, []string{"agent_type", "agentType"}},
	} {
		s, ok := e.text(t.names...)
		if !ok {
			return false
		}
		*t.into = s
	}
	return true
}

// promptsPerson reports whether the agent is in one of the permission modes in which it asks its person. In an unknown
// mode it may ask nobody, or a program, so that does not count.
func (e hookEvent) promptsPerson(modes ...string) bool {
	mode, ok := e.text("permission_mode", "permissionMode")
	return ok && slices.Contains(modes, mode)
}

// newAsked returns an Asked with its origin. id is the agent's own id of the call; empty: a new name is made.
func (e hookEvent) newAsked(a queue.Ask, id string, render func(queue.Session) []byte) (Asked, bool) {
	if id == "" {
		id = e.token()
	}
	o := queue.Origin{Client: e.agent.client, Cwd: e.dir, Thread: e.session, CallID: id, Source: e.turnPrefix() + id}
	if e.subagent != "" {
		o.Subagent = queue.Shorten(cmp.Or(e.role, "subagent"), mostRole, "…")
	}
	return Asked{Ask: a, Origin: o, Where: e.agent.where, Render: render}, true
}

// turnPrefix returns the common beginning of the sources of everything that one agent, or one subagent of it, asks.
func (e hookEvent) turnPrefix() string {
	turn := e.agent.source + ":" + e.session + "/"
	if e.subagent != "" {
		turn += e.subagent + "/"
	}
	return turn
}

// hookQuestions reads the questions in the input of an agent's ask tool, and the id of the call.
func (e hookEvent) hookQuestions(read questionReader) (qs questions, id string, ok bool) {
	input, isObject := e.object.object("tool_input", "toolInput")
	list, isList := input.list("questions")
	id, isText := e.text("tool_use_id", "toolUseId")
	if !isObject || !isList || !isText {
		return qs, id, false
	}
	qs, ok = readQuestions(list, read)
	return qs, id, ok
}

// askByRefusing asks the questions of an ask tool whose hook can only refuse the call. result writes the answers as the
// tool itself would. refuse writes the refusal with them as its reason.
func (e hookEvent) askByRefusing(
	read questionReader, result func(qs questions, given [][]string) object, refuse func(words string) []byte,
) (Asked, bool) {
	qs, id, ok := e.hookQuestions(read)
	if !ok {
		return Asked{}, false
	}
	return e.newAsked(qs.ask, id, func(s queue.Session) []byte {
		if words := e.textForAgent(s, qs, result); words != "" {
			return refuse(words)
		}
		return nil
	})
}

// textForAgent returns the text that takes the place of the tool's result: the answers, or why there are none. If it is
// empty, the hook prints nothing and the agent's own prompt continues.
func (e hookEvent) textForAgent(
	s queue.Session, qs questions, result func(qs questions, given [][]string) object,
) string {
	if s.Outcome == nil || !s.Outcome.Answered() {
		return refusalText(s)
	}
	given, ok := qs.answersOf(s.Outcome.Answer)
	if !ok {
		return ""
	}
	return "The person answered in choicetui. Treat this " + e.tool + " call as successful with response JSON: " +
		string(result(qs, given).json()) + ". Do not ask again."
}

// askAllowance asks whether a tool may be used, once or not at all. output returns a decision as the hook prints it.
func (e hookEvent) askAllowance(readers toolReaders, output func(decision object) []byte) (Asked, bool) {
	input, isObject := e.object.object("tool_input", "toolInput")
	if !isObject || queue.Blank(e.tool) {
		return Asked{}, false
	}
	what, ok := readers.readTool(e.tool, input)
	if !ok {
		return Asked{}, false
	}
	what.approval.Tool, what.approval.Dir = e.tool, e.dir
	a := what.newAsk([]queue.Option{{ID: optionOnce, Label: allowOnce, Act: queue.ActOnce},
		{ID: optionRefuse, Label: refuse, Act: queue.ActRefuse}})
	return e.newAsked(a, "", func(s queue.Session) []byte {
		if words := refusalText(s); words != "" {
			return output(denial(words))
		}
		r, answered := answeredFirst(s)
		switch {
		case !answered || len(r.Selected) != 1:
			return nil
		case r.Selected[0] == optionOnce:
			return output(allowance())
		case r.Selected[0] == optionRefuse:
			return output(denial(refusalReason(s.Outcome.Answer)))
		}
		return nil
	})
}

// allowance returns the decision to allow what a permission prompt asks for.
func allowance() object { return object{{"behavior", encode("allow")}} }

// denial returns the decision to deny what a permission prompt asks for, with words for the agent.
func denial(words string) object {
	return object{{"behavior", encode("deny")}, {"message", encode(words)}}
}

// denyToolCall returns the output of a PreToolUse hook that refuses the call, with words for the agent.
func denyToolCall(words string) []byte {
	return hookOutput(object{{"hookEventName", encode(eventTool)}, {"permissionDecision", encode("deny")},
		{"permissionDecisionReason", encode(words)}})
}

// decisionOutput wraps a decision in the output of a PermissionRequest hook.
func decisionOutput(decision object) []byte {
	return hookOutput(object{{"hookEventName", encode(eventPermission)}, {"decision", decision.json()}})
}

// hookOutput wraps an event's output in the object that a hook prints.
func hookOutput(specific object) []byte {
	return hookLine(object{{"hookSpecificOutput", specific.json()}})
}

// hookLine returns an object as the one line that a hook prints.
func hookLine(o object) []byte { return append(o.json(), '\n') }
