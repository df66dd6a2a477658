package prompt

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"unicode/utf8"

	"github.com/choicetui/choicetui/mcpbridge/wire"
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
	wire.Object
	name, tool, session, dir string
	subagent, role           string // the id and the role of the subagent that asks; empty: the agent itself asks
	agent                    hookAgent
	token                    func() string // returns a new name for a prompt that has no id
	unfit                    queue.Unfit   // why no prompt of this event can be asked; empty: it can
}

// readHook reads the input of a hook. ok is false if it is not JSON, if it names no event, or if it comes from a
// subagent whose prompts the agent above answers itself. Input that is not clear or too large is read as far as it
// goes, and unfit says so.
func readHook(raw []byte, a hookAgent, token func() string) (e hookEvent, ok bool) {
	e = hookEvent{agent: a, token: token}
	if !utf8.Valid(raw) {
		raw, e.unfit = bytes.ToValidUTF8(raw, []byte("\ufffd")), queue.UnfitShown
	}
	o, again, err := wire.ReadMembers(raw)
	e.Object = o
	switch {
	case errors.Is(err, wire.ErrBehind) && len(again) == 0: // the first object counts
	case err != nil && len(raw) >= MaxWhole:
		e.unfit = queue.UnfitLarge
	case err != nil && !wire.IsTooDeep(err):
		return e, false
	case err != nil, len(again) > 0:
		e.unfit = queue.UnfitShown
	}
	e.readCommon()
	return e, e.name != "" && (e.subagent == "" || a.subagents)
}

// readCommon reads the fields that every event has. Other programs run the same hooks and spell the names differently.
func (e *hookEvent) readCommon() {
	e.name = e.Words("hook_event_name", "hookEventName", "hookName")
	e.tool = e.Words("tool_name", "toolName")
	e.session = e.Words("session_id", "sessionId")
	e.dir = e.Words("cwd")
	e.subagent = e.Words("agent_id", "agentId")
	e.role = e.Words("agent_type", "agentType")
}

// permissionMode returns the agent's permission mode; the mode in which it asks its person is the default.
func (e hookEvent) permissionMode() string {
	return cmp.Or(e.Words("permission_mode", "permissionMode"), "default")
}

// toolInput returns what the tool is called with, as it was received.
func (e hookEvent) toolInput() json.RawMessage {
	raw, _ := e.Get("tool_input", "toolInput", "toolArgs")
	return raw
}

// finish completes what was read of an event. A prompt that cannot be asked here has a title that says what it is
// about, and everything that tells where it is.
func (e hookEvent) finish(a Asked, ok bool) (Asked, bool) {
	if !ok {
		return a, false
	}
	if e.unfit != "" { // what was read of it may say something else
		a.Unfit, a.Ask.Title = e.unfit, firstLine(e.tool)
	}
	if a.Unfit == "" {
		a = a.fit()
	}
	if a.Unfit == "" {
		return a, true
	}
	left := e.newAsked(queue.Ask{Title: cmp.Or(a.Ask.Title, firstLine(e.tool), "a prompt")}, "", renderNothing)
	left.Unfit, left.Dialog = a.Unfit, a.Dialog
	return left, true
}

// newAsked returns an Asked with its origin. id is the agent's own id of the call; empty: a new name is made.
func (e hookEvent) newAsked(a queue.Ask, id string, render func(queue.Session) []byte) Asked {
	if id == "" {
		id = e.token()
	}
	o := queue.Origin{Client: e.agent.client, Cwd: e.dir, Thread: e.session, CallID: id,
		Source: e.turnPrefix() + shortName(id)}
	if e.subagent != "" {
		o.Subagent = queue.Shorten(cmp.Or(e.role, "subagent"), mostRole, "…")
	}
	return Asked{Ask: a, Origin: o, Where: e.agent.where, Render: render}
}

// turnPrefix returns the common beginning of the sources of everything that one agent, or one subagent of it, asks.
func (e hookEvent) turnPrefix() string {
	turn := e.agent.source + ":" + shortName(e.session) + "/"
	if e.subagent != "" {
		turn += shortName(e.subagent) + "/"
	}
	return turn
}

// longID is the length from which an agent's id is replaced by its hash in a source; see queue.MaxSource.
const longID = 100

// shortName returns an agent's id as a piece of a source.
func shortName(id string) string {
	if utf8.RuneCountInString(id) <= longID {
		return id
	}
	return hashOf([]byte(id))
}

// hookQuestions reads the questions in the input of an agent's ask tool, and the id of the call.
func (e hookEvent) hookQuestions(read questionReader) (qs questions, id string, why queue.Unfit) {
	id = e.Words("tool_use_id", "toolUseId")
	input, isObject := wire.Read(e.toolInput())
	list, isList := wire.ReadList(e.toolInput())
	if isObject {
		list, isList = questionList(input)
	}
	if !isList {
		return qs, id, queue.UnfitShown
	}
	qs, why = readQuestions(list, read)
	return qs, id, why
}

// asksNothing reports whether an ask tool was called without a question.
func (e hookEvent) asksNothing() bool {
	raw := e.toolInput()
	if len(raw) == 0 || string(raw) == "null" {
		return true
	}
	input, isObject := wire.Read(raw)
	_, one := input.Value("question")
	several, there := input.Value("questions")
	list, isList := wire.ReadList(several)
	return isObject && !one && (!there || isList && len(list) == 0)
}

// askForWords asks for words where the agent asks without a question. They are the reason of a refusal, since the
// tool's result has no place for them.
func (e hookEvent) askForWords(refuse func(words string) []byte) Asked {
	return e.newAsked(noQuestion().ask, e.Words("tool_use_id", "toolUseId"), func(s queue.Session) []byte {
		if words := wordsInstead(s); words != "" {
			return refuse(words)
		}
		return nil
	})
}

// questionList returns the questions of an ask tool: a list, or what a model writes instead of one, a single question.
func questionList(input wire.Object) ([]json.RawMessage, bool) {
	raw, there := input.Value("questions")
	if !there {
		_, there = input.Value("question")
		return []json.RawMessage{input.JSON()}, there
	}
	if list, isList := wire.ReadList(raw); isList {
		return list, true
	}
	_, isObject := wire.Read(raw)
	_, isText := wire.ReadText(raw)
	return []json.RawMessage{raw}, isObject || isText
}

// askByRefusing asks the questions of an ask tool whose hook can only refuse the call. result writes the answers as the
// tool itself would. refuse writes the refusal with them as its reason.
func (e hookEvent) askByRefusing(
	read questionReader, result func(qs questions, given [][]string) wire.Object, refuse func(words string) []byte,
) (Asked, bool) {
	if e.asksNothing() {
		return e.askForWords(refuse), true
	}
	qs, id, why := e.hookQuestions(read)
	if why != "" {
		return unfitQuestion(why)
	}
	return e.newAsked(qs.ask, id, func(s queue.Session) []byte {
		if words := e.textForAgent(s, qs, result); words != "" {
			return refuse(words)
		}
		return nil
	}), true
}

// textForAgent returns the text that takes the place of the tool's result: the answers, or why there are none. If it is
// empty, the hook prints nothing and the agent's own prompt continues.
func (e hookEvent) textForAgent(
	s queue.Session, qs questions, result func(qs questions, given [][]string) wire.Object,
) string {
	if s.Outcome == nil || !s.Outcome.Answered() {
		return refusalText(s)
	}
	given, ok := qs.answersOf(s.Outcome.Answer)
	if !ok {
		return ""
	}
	return "The person answered in choicetui. Treat this " + e.tool + " call as successful with response JSON: " +
		string(result(qs, given).JSON()) + ". Do not ask again."
}

// askAllowance asks whether a tool may be used, once or not at all. output returns a decision as the hook prints it.
func (e hookEvent) askAllowance(readers toolReaders, output func(decision wire.Object) []byte) (Asked, bool) {
	what, ok := readers.readTool(e.toolName(), e.toolInput())
	if !ok {
		return unfit(queue.UnfitShown)
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
	}), true
}

// toolName returns the name of the tool for the person.
func (e hookEvent) toolName() string {
	if queue.Blank(e.tool) {
		return "a tool without a name"
	}
	return e.tool
}

// allowance returns the decision to allow what a permission prompt asks for.
func allowance() wire.Object { return wire.Object{wire.Named("behavior", "allow")} }

// denial returns the decision to deny what a permission prompt asks for, with words for the agent.
func denial(words string) wire.Object {
	return wire.Object{wire.Named("behavior", "deny"), wire.Named("message", words)}
}

// denyToolCall returns the output of a PreToolUse hook that refuses the call, with words for the agent.
func denyToolCall(words string) []byte {
	return hookOutput(wire.Object{wire.Named("hookEventName", eventTool), wire.Named("permissionDecision", "deny"),
		wire.Named("permissionDecisionReason", words)})
}

// decisionOutput wraps a decision in the output of a PermissionRequest hook.
func decisionOutput(decision wire.Object) []byte {
	return hookOutput(wire.Object{wire.Named("hookEventName", eventPermission), wire.Named("decision", decision)})
}

// hookOutput wraps an event's output in the object that a hook prints.
func hookOutput(specific wire.Object) []byte {
	return hookLine(wire.Object{wire.Named("hookSpecificOutput", specific)})
}

// hookLine returns an object as the one line that a hook prints.
func hookLine(o wire.Object) []byte { return append(o.JSON(), '\n') }

// The ids of an approval's options. Claude may offer several for the session, so these are numbered: session-1.
const (
	optionOnce    = "once"
	optionSession = "session"
	optionAlways  = "always"
	optionRefuse  = "refuse"
)
