package native

import (
	"encoding/json"
	"fmt"
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
// question that a subagent asks (its requests for permission are the person's), or malformed input. token returns a new
// name at each call, for prompts that Claude does not name.
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
		asked, ok := e.askForm()
		server, _ := e.text("mcp_server_name")
		asked.Dialog = e.formDialog(server)
		return asked, ok
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

// The ids of an approval's options. Claude may offer several for the session, so these are numbered: session-1.
const (
	optionOnce    = "once"
	optionSession = "session"
	optionAlways  = "always"
	optionRefuse  = "refuse"
)

// askPermission asks whether Claude may use a tool. ok is false for input that cannot be shown in full.
func (e claudeHook) askPermission() (Asked, bool) {
	input, ok := e.object.object("tool_input", "toolInput")
	if !ok {
		return Asked{}, false
	}
	what, ok := claudeTools.readTool(e.tool, input)
	if !ok {
		return Asked{}, false
	}
	choices, ok := e.suggestedChoices(oneCommand(what.approval.Parts))
	if !ok {
		return Asked{}, false
	}
	what.approval.Tool, what.approval.Dir = e.tool, e.dir
	return e.askApproval(what, choices, allowOnce, refuse, allowance())
}

// choice holds one of Claude's offers to allow more than this one use: the option, and the permission update that is
// sent back to Claude.
type choice struct {
	option  queue.Option
	updates json.RawMessage
}

// askApproval asks whether Claude may do something: once, in one of the ways that Claude offers, or not at all. allow
// is the decision that is sent to Claude for "once".
func (e claudeHook) askApproval(
	what permissionDraft, choices []choice, once, refuse string, allow object,
) (Asked, bool) {
	options := []queue.Option{{ID: optionOnce, Label: once, Act: queue.ActOnce}}
	for _, c := range choices {
		options = append(options, c.option)
	}
	options = append(options, queue.Option{ID: optionRefuse, Label: refuse, Act: queue.ActRefuse})
	asked, ok := e.newAsked(what.newAsk(options), "",
		func(s queue.Session) []byte { return e.renderDecision(s, choices, allow) })
	input, _ := e.object.object("tool_input", "toolInput")
	asked.Dialog = e.dialog(input)
	return asked, ok
}

// suggestedChoices returns the ways to allow more that Claude offers, each limited to this session. command is the
// command that the approval is about; empty: the approval is about more than one command, or about something else.
func (e claudeHook) suggestedChoices(command string) (choices []choice, ok bool) {
	raw, there := e.value("permission_suggestions", "permissionSuggestions")
	if !there {
		return nil, true
	}
	list, ok := readList(raw)
	if !ok {
		return nil, false
	}
	labels := map[string]bool{}
	for _, one := range list {
		o, ok := readObject(one)
		if !ok {
			return nil, false
		}
		label, covers := e.describeSuggestion(o)
		if label == "" || labels[label] {
			continue // a suggestion that cannot be described is not offered
		}
		labels[label] = true
		choices = append(choices, choice{queue.Option{ID: fmt.Sprintf("%s-%d", optionSession, len(choices)+1),
			Label: label, Description: covers, Act: queue.ActSession, Exact: isExactRule(o, e.tool, command)},
			json.RawMessage("[" + string(o.with("destination", encode("session")).json()) + "]")})
	}
	return choices, true
}

// describeSuggestion returns the label of a suggestion, and a description of all that it covers. Both are empty if the
// suggestion is of an unknown kind.
func (e claudeHook) describeSuggestion(o object) (label, covers string) {
	kind, _ := o.text("type")
	switch kind {
	case "addRules":
		rules, ok := o.list("rules")
		if behavior, _ := o.text("behavior"); !ok || len(rules) == 0 || behavior != "allow" {
			return "", ""
		}
		var names []string
		for _, raw := range rules {
			name := ruleName(raw)
			if name == "" {
				return "", ""
			}
			names = append(names, name)
		}
		all := strings.Join(names, ", ")
		return forSession + all, "claude will not ask again for " + all + " until this session ends."
	case "setMode":
		mode, _ := o.text("mode")
		if words := claudeModes[mode]; words != "" {
			return forSession + mode, words
		}
	case "addDirectories":
		if dirs, ok := o.texts("directories"); ok && len(dirs) > 0 {
			all := strings.Join(dirs, ", ")
			return forSession + all, "claude may also work in " + all + " until this session ends."
		}
	}
	return "", ""
}

// ruleName returns a rule in Claude Code's own spelling: Bash(npm test:*), or only the tool for all of its uses. It is
// empty if the rule cannot be read.
func ruleName(raw []byte) string {
	o, ok := readObject(raw)
	if !ok {
		return ""
	}
	tool, isTool := o.text("toolName")
	content, isText := o.text("ruleContent")
	if !isTool || !isText || queue.Blank(tool) {
		return ""
	}
	if content == "" {
		return tool
	}
	return tool + "(" + content + ")"
}

// renderDecision returns the hook's output for an approval; nil if the person decided nothing.
func (e claudeHook) renderDecision(s queue.Session, choices []choice, allow object) []byte {
	if words := refusalText(s); words != "" {
		return denyOutput(words)
	}
	o := s.Outcome
	if o == nil || !o.Answered() || len(o.Answer.Replies) != 1 || len(o.Answer.Replies[0].Selected) != 1 {
		return nil
	}
	switch id := o.Answer.Replies[0].Selected[0]; id {
	case optionOnce:
		return decisionOutput(allow)
	case optionRefuse:
		return denyOutput(refusalReason(o.Answer))
	default:
		for _, c := range choices {
			if c.option.ID == id {
				return decisionOutput(append(allow, member{"updatedPermissions", c.updates}))
			}
		}
	}
	return nil
}

// denyOutput returns the hook's output that refuses a permission. Claude continues its turn and reads the words.
func denyOutput(words string) []byte {
	return decisionOutput(append(denial(words), member{"interrupt", encode(false)}))
}

// askPlan asks whether Claude may carry out a plan. Claude 2.1.330 ignores an ExitPlanMode decision to allow unless it
// contains the tool's input unchanged.
func (e claudeHook) askPlan() (Asked, bool) {
	input, isObject := e.object.object("tool_input", "toolInput")
	text, isText := input.text("plan")
	if !isObject || !isText || queue.Blank(text) {
		return Asked{}, false
	}
	rest, ok := remainingInput(input.without("plan", "planFilePath"))
	if !ok {
		return Asked{}, false
	}
	what := permissionDraft{title: "Plan: " + strings.TrimSpace(strings.TrimLeft(firstLine(text), "#")),
		approval: queue.Approval{Tool: e.tool, Dir: e.dir,
			Parts: append([]queue.Part{{Kind: queue.PartPlan, Text: text}}, rest...)}}
	edits := choice{queue.Option{ID: optionSession + "-1", Label: "Go ahead, and edit without asking",
		Description: claudeModes["acceptEdits"], Act: queue.ActSession},
		json.RawMessage(`[{"type":"setMode","mode":"acceptEdits","destination":"session"}]`)}
	return e.askApproval(what, []choice{edits}, "Go ahead", "Keep planning",
		append(allowance(), member{"updatedInput", input.json()}))
}
