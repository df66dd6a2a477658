package native

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/choicetui/choicetui/queue"
)

// Some agents ask through hooks: each question or permission prompt starts a process, gives it one JSON object and
// reads one back. If the hook prints nothing, the agent continues as if there were no hook.
const (
	eventTool       = "PreToolUse"
	eventPermission = "PermissionRequest"
)

// hookAgent is an agent that runs hooks.
type hookAgent struct {
	client string // as its questions are shown
	where  string // the place where they may be answered instead
	source string // what the names of its questions begin with
	// subagents: their permission prompts are shown to the person too. Else what they ask is for the agent above them.
	subagents bool
}

// mostRole limits the characters of a subagent's role that are kept.
const mostRole = 40

// hookEvent holds the input of a hook, as far as all events share it.
type hookEvent struct {
	object
	name, tool, session, dir string
	subagent, role           string // who asks on behalf of the agent: a name of its own, and what it is; empty: nobody
	agent                    hookAgent
	words                    Words
	token                    func() string // names what the agent itself gives no name
}

// readHook reads what a hook was given; false where that is not as it should be, or comes from a subagent whose agent
// answers for it.
func readHook(raw []byte, a hookAgent, w Words, token func() string) (e hookEvent, ok bool) {
	e = hookEvent{agent: a, words: w, token: token}
	if !isReadable(raw) {
		return e, false
	}
	if e.object, ok = readObject(raw); !ok {
		return e, false
	}
	return e, e.readCommon() && (e.subagent == "" || a.subagents)
}

// readCommon reads what every event has. Other programs run the same hooks and spell the names their way.
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

// promptsPerson reports whether the agent is in one of the modes in which it asks its person. An unknown mode does not
// count: in it the agent may ask nobody, or a program.
func (e hookEvent) promptsPerson(modes ...string) bool {
	mode, ok := e.text("permission_mode", "permissionMode")
	return ok && slices.Contains(modes, mode)
}

// newAsked returns an ask with its origin.
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

// turnPrefix begins the names of all that one agent, or one subagent of it, asks one after the other.
func (e hookEvent) turnPrefix() string {
	turn := e.agent.source + ":" + e.session + "/"
	if e.subagent != "" {
		turn += e.subagent + "/"
	}
	return turn
}

// hookQuestions reads the questions in the input of an agent's ask tool, and by what the agent calls them.
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

// askByRefusing asks what an agent asks with its ask tool, whose hook can only refuse the call. refuse writes the
// refusal; its reason holds the answers in the form that the tool would have given them.
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

// textForAgent returns the text for the agent in place of its tool's result: the answers, or why there is no answer. If
// it is empty, nothing is said and the agent's own prompt continues.
func (e hookEvent) textForAgent(
	s queue.Session, qs questions, result func(qs questions, given [][]string) object,
) string {
	if s.Outcome == nil || !s.Outcome.Answered() {
		return e.words.refusalText(s)
	}
	given, ok := qs.answersOf(s.Outcome.Answer)
	if !ok {
		return ""
	}
	return e.words.Answered(e.tool, string(result(qs, given).json()))
}

// askAllowance asks whether a tool may be used: this once, or not. render writes the decision for the agent.
func (e hookEvent) askAllowance(readers toolReaders, render func(allowed bool, words string) []byte) (Asked, bool) {
	input, isObject := e.object.object("tool_input", "toolInput")
	if !isObject || queue.Blank(e.tool) {
		return Asked{}, false
	}
	what, ok := readers.readTool(e.tool, input, e.words)
	if !ok {
		return Asked{}, false
	}
	what.approval.Tool, what.approval.Dir = e.tool, e.dir
	a := what.newAsk(e.words, []queue.Option{{ID: optionOnce, Label: e.words.Once, Act: queue.ActOnce},
		{ID: optionRefuse, Label: e.words.Refuse, Act: queue.ActRefuse}})
	return e.newAsked(a, "", func(s queue.Session) []byte {
		if words := e.words.refusalText(s); words != "" {
			return render(false, words)
		}
		r, answered := answeredFirst(s)
		switch {
		case !answered || len(r.Selected) != 1:
			return nil
		case r.Selected[0] == optionOnce:
			return render(true, "")
		case r.Selected[0] == optionRefuse:
			return render(false, refusalReason(s.Outcome.Answer, e.words))
		}
		return nil
	})
}

// verdict returns the response to a permission prompt for agents that take no more than this.
func verdict(allowed bool, words string) object {
	if allowed {
		return object{{"behavior", encode("allow")}}
	}
	return object{{"behavior", encode("deny")}, {"message", encode(words)}}
}

// denyToolCall tells an agent that a tool is not run, and why.
func denyToolCall(words string) []byte {
	return hookOutput(object{{"hookEventName", encode(eventTool)}, {"permissionDecision", encode("deny")},
		{"permissionDecisionReason", encode(words)}})
}

func decisionOutput(decision object) []byte {
	return hookOutput(object{{"hookEventName", encode(eventPermission)}, {"decision", decision.json()}})
}

// hookOutput wraps an event's output in the one object that a hook prints.
func hookOutput(specific object) []byte {
	return hookLine(object{{"hookSpecificOutput", json.RawMessage(specific.json())}})
}

func hookLine(o object) []byte { return append(o.json(), '\n') }
