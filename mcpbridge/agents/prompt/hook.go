package prompt

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"path/filepath"
	"unicode/utf8"

	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
)

// Some agents run a hook: for each question or permission prompt they start a process, write one JSON object to it and
// read one back. If the hook prints nothing, the agent continues as if there were no hook.
const (
	EventTool       = "PreToolUse"
	EventPermission = "PermissionRequest"
)

// Hooks describes an agent that runs hooks.
type Hooks struct {
	Client string // its name beside its questions
	Where  string // the place of its own prompts: `in claude`
	Source string // the beginning of the sources of its questions
	// subagents means that the prompts of its subagents are for the person too. Else they are for the agent above them.
	Subagents bool
	// OneSession is set for an agent whose process has one session at a time; see queue.Origin.
	OneSession bool
}

// MostRole limits the characters that are stored of a subagent's role.
const MostRole = 40

// Event holds the fields of a hook's input that all events have.
type Event struct {
	wire.Object
	Name, Tool, session, Dir string
	Subagent, role           string // the id and the role of the subagent that asks; empty: the agent itself asks
	agent                    Hooks
	token                    func() string // returns a new name for a prompt that has no id
	unfit                    queue.Unfit   // why no prompt of this event can be asked; empty: it can
}

// ReadHook reads the input of a hook. ok is false if it is not JSON, if it names no event, or if it comes from a
// subagent whose prompts the agent above answers itself. Input that is not clear or too large is read as far as it
// goes, and unfit says so.
func ReadHook(raw []byte, a Hooks, token func() string) (e Event, ok bool) {
	e = Event{agent: a, token: token}
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
	return e, e.Name != "" && (e.Subagent == "" || a.Subagents)
}

// readCommon reads the fields that every event has. Other programs run the same hooks and spell the names differently.
func (e *Event) readCommon() {
	e.Name = e.Words("hook_event_name", "hookEventName", "hookName")
	e.Tool = e.Words("tool_name", "toolName")
	e.session = e.Words("session_id", "sessionId")
	e.Dir = e.Words("cwd")
	e.Subagent = e.Words("agent_id", "agentId")
	e.role = e.Words("agent_type", "agentType")
}

// PermissionMode returns the agent's permission mode; the mode in which it asks its person is the default.
func (e Event) PermissionMode() string {
	return cmp.Or(e.Words("permission_mode", "permissionMode"), "default")
}

// ToolInput returns what the tool is called with, as it was received.
func (e Event) ToolInput() json.RawMessage {
	raw, _ := e.Get("tool_input", "toolInput", "toolArgs")
	return raw
}

// Finish completes what was read of an event. A prompt that cannot be asked here has a title that says what it is
// about, and everything that tells where it is.
func (e Event) Finish(a Asked, ok bool) (Asked, bool) {
	if !ok {
		return a, false
	}
	if e.unfit != "" { // what was read of it may say something else
		a.Unfit, a.Ask.Title = e.unfit, FirstLine(e.Tool)
	}
	if a.Unfit == "" {
		a = a.fit()
	}
	if a.Unfit == "" {
		return a, true
	}
	left := e.NewAsked(queue.Ask{Title: cmp.Or(a.Ask.Title, FirstLine(e.Tool), "a prompt")}, "", RenderNothing)
	left.Unfit, left.Dialog = a.Unfit, a.Dialog
	return left, true
}

// NewAsked returns an Asked with its origin. id is the agent's own id of the call; empty: a new name is made.
func (e Event) NewAsked(a queue.Ask, id string, render func(queue.Session) []byte) Asked {
	if id == "" {
		id = e.token()
	}
	o := queue.Origin{Client: e.agent.Client, Cwd: e.Dir, Thread: e.session, OneSession: e.agent.OneSession,
		CallID: id, Source: e.turnPrefix() + ShortName(id)}
	if e.Subagent != "" {
		o.Subagent = queue.Shorten(cmp.Or(e.role, "subagent"), MostRole, "…")
	}
	return Asked{Ask: a, Origin: o, Where: e.agent.Where, Render: render, Transcript: e.transcript()}
}

// transcript returns the path of the agent's transcript; empty: the event has none.
func (e Event) transcript() string {
	if path := e.Words("transcript_path", "transcriptPath"); filepath.IsAbs(path) {
		return path
	}
	return ""
}

// turnPrefix returns the common beginning of the sources of everything that one agent, or one subagent of it, asks.
func (e Event) turnPrefix() string {
	turn := e.agent.Source + ":" + ShortName(e.session) + "/"
	if e.Subagent != "" {
		turn += ShortName(e.Subagent) + "/"
	}
	return turn
}

// longID is the length from which an agent's id is replaced by its hash in a source; see queue.MaxSource.
const longID = 100

// ShortName returns an agent's id as a piece of a source.
func ShortName(id string) string {
	if utf8.RuneCountInString(id) <= longID {
		return id
	}
	return Hash([]byte(id))
}

// HookQuestions reads the questions in the input of an agent's ask tool, and the id of the call.
func (e Event) HookQuestions(read questionReader) (qs Questions, id string, why queue.Unfit) {
	id = e.Words("tool_use_id", "toolUseId")
	input, isObject := wire.Read(e.ToolInput())
	list, isList := wire.ReadList(e.ToolInput())
	if isObject {
		list, isList = QuestionList(input)
	}
	if !isList {
		return qs, id, queue.UnfitShown
	}
	qs, why = ReadQuestions(list, read)
	return qs, id, why
}

// AsksNothing reports whether an ask tool was called without a question.
func (e Event) AsksNothing() bool {
	raw := e.ToolInput()
	if len(raw) == 0 || string(raw) == "null" {
		return true
	}
	input, isObject := wire.Read(raw)
	_, one := input.Value("question")
	several, there := input.Value("questions")
	list, isList := wire.ReadList(several)
	return isObject && !one && (!there || isList && len(list) == 0)
}

// AskForWords asks for words where the agent asks without a question. They are the reason of a refusal, since the
// tool's result has no place for them.
func (e Event) AskForWords(refuse func(words string) []byte) Asked {
	return e.NewAsked(noQuestion().Ask, e.Words("tool_use_id", "toolUseId"), func(s queue.Session) []byte {
		if words := wordsInstead(s); words != "" {
			return refuse(words)
		}
		return nil
	})
}

// QuestionList returns the questions of an ask tool: a list, or what a model writes instead of one, a single question.
func QuestionList(input wire.Object) ([]json.RawMessage, bool) {
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

// AskByRefusing asks the questions of an ask tool whose hook can only refuse the call. result writes the answers as the
// tool itself would. refuse writes the refusal with them as its reason.
func (e Event) AskByRefusing(
	read questionReader, result func(qs Questions, given [][]string) wire.Object, refuse func(words string) []byte,
) (Asked, bool) {
	if e.AsksNothing() {
		return e.AskForWords(refuse), true
	}
	qs, id, why := e.HookQuestions(read)
	if why != "" {
		return UnfitQuestion(why)
	}
	return e.NewAsked(qs.Ask, id, func(s queue.Session) []byte {
		if words := e.textForAgent(s, qs, result); words != "" {
			return refuse(words)
		}
		return nil
	}), true
}

// textForAgent returns the text that takes the place of the tool's result: the answers, or why there are none. If it is
// empty, the hook prints nothing and the agent's own prompt continues.
func (e Event) textForAgent(
	s queue.Session, qs Questions, result func(qs Questions, given [][]string) wire.Object,
) string {
	if s.Outcome == nil || !s.Outcome.Answered() {
		return RefusalText(s)
	}
	given, ok := qs.AnswersOf(s.Outcome.Answer)
	if !ok {
		return ""
	}
	return "The person answered in choicetui. Treat this " + e.Tool + " call as successful with response JSON: " +
		string(result(qs, given).JSON()) + ". Do not ask again."
}

// AskAllowance asks whether a tool may be used, once or not at all. output returns a decision as the hook prints it.
func (e Event) AskAllowance(readers Tools, output func(decision wire.Object) []byte) (Asked, bool) {
	what, ok := readers.Read(e.ToolName(), e.ToolInput())
	if !ok {
		return Unfit(queue.UnfitShown)
	}
	what.Approval.Tool, what.Approval.Dir = e.Tool, e.Dir
	a := what.NewAsk([]queue.Option{{ID: OptionOnce, Label: AllowOnce, Act: queue.ActOnce},
		{ID: OptionRefuse, Label: Refuse, Act: queue.ActRefuse}})
	return e.NewAsked(a, "", func(s queue.Session) []byte {
		if words := RefusalText(s); words != "" {
			return output(Denial(words))
		}
		r, answered := AnsweredFirst(s)
		switch {
		case !answered || len(r.Selected) != 1:
			return nil
		case r.Selected[0] == OptionOnce:
			return output(Allowance())
		case r.Selected[0] == OptionRefuse:
			return output(Denial(RefusalReason(s.Outcome.Answer)))
		}
		return nil
	}), true
}

// ToolName returns the name of the tool for the person.
func (e Event) ToolName() string {
	if queue.Blank(e.Tool) {
		return "a tool without a name"
	}
	return e.Tool
}

// Allowance returns the decision to allow what a permission prompt asks for.
func Allowance() wire.Object { return wire.Object{wire.Named("behavior", "allow")} }

// Denial returns the decision to deny what a permission prompt asks for, with words for the agent.
func Denial(words string) wire.Object {
	return wire.Object{wire.Named("behavior", "deny"), wire.Named("message", words)}
}

// DenyToolCall returns the output of a PreToolUse hook that refuses the call, with words for the agent.
func DenyToolCall(words string) []byte {
	return HookOutput(wire.Object{wire.Named("hookEventName", EventTool), wire.Named("permissionDecision", "deny"),
		wire.Named("permissionDecisionReason", words)})
}

// DecisionOutput wraps a decision in the output of a PermissionRequest hook.
func DecisionOutput(decision wire.Object) []byte {
	return HookOutput(wire.Object{wire.Named("hookEventName", EventPermission), wire.Named("decision", decision)})
}

// HookOutput wraps an event's output in the object that a hook prints.
func HookOutput(specific wire.Object) []byte {
	return HookLine(wire.Object{wire.Named("hookSpecificOutput", specific)})
}

// HookLine returns an object as the one line that a hook prints.
func HookLine(o wire.Object) []byte { return append(o.JSON(), '\n') }

// The ids of an approval's options. Claude may offer several for the session, so these are numbered: session-1.
const (
	OptionOnce    = "once"
	OptionSession = "session"
	OptionAlways  = "always"
	OptionRefuse  = "refuse"
)
