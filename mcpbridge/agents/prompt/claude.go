package prompt

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
)

const (
	eventForm = "Elicitation" // another MCP server of Claude's shows a form

	clientClaude = "claude-code"
	inClaude     = "in claude"

	toolQuestion = "AskUserQuestion"
	toolPlan     = "ExitPlanMode"
)

// claudeHook reads the events of Claude Code.
type claudeHook struct{ hookEvent }

// Claude reads the input of a Claude Code hook. ok is false if there is nothing to ask here: another event or tool, or
// input that is not JSON. token returns a new name at each call, for prompts that Claude does not name.
func Claude(raw []byte, token func() string) (Asked, bool) {
	event, ok := readHook(raw, hookAgent{client: clientClaude, where: inClaude, source: "claude",
		subagents: true}, token)
	e := claudeHook{event}
	switch {
	case !ok:
	case e.name == eventTool && e.tool == toolQuestion:
		return e.finish(e.askQuestion())
	case e.name == eventPermission && e.tool == toolQuestion: // already asked at its PreToolUse event
		return Asked{}, false
	case e.name == eventPermission && e.tool == toolPlan:
		return e.finish(e.askPlan())
	case e.name == eventPermission:
		return e.finish(e.askPermission())
	case e.name == eventForm:
		asked, ok := e.askForm()
		asked.Dialog = e.formDialog(e.Words("mcp_server_name"))
		return e.finish(asked, ok)
	}
	return Asked{}, false
}

// finish adds Claude's own dialog to a prompt that stays there.
func (e claudeHook) finish(a Asked, ok bool) (Asked, bool) {
	a, ok = e.hookEvent.finish(a, ok)
	if ok && a.Unfit != "" && a.Dialog == nil && e.tool != "" {
		input, _ := wire.Read(e.toolInput())
		a.Dialog = e.dialog(input)
	}
	return a, ok
}

// ClaudeStarts reports whether the input is that of a SessionStart hook in a new process of Claude Code.
func ClaudeStarts(raw []byte) bool {
	e, ok := readHook(raw, hookAgent{}, nil)
	source, _ := e.Text("source")
	return ok && e.name == "SessionStart" && (source == "startup" || source == "resume")
}

// askQuestion asks the questions of an AskUserQuestion call. Their answers are added to the tool's input, whose other
// members stay unchanged.
func (e claudeHook) askQuestion() (Asked, bool) {
	input, _ := wire.Read(e.toolInput())
	if _, answered := input.Value("answers"); answered { // by another hook
		return Asked{}, false
	}
	if e.asksNothing() {
		return e.askForWords(denyToolCall), true
	}
	qs, id, why := e.hookQuestions(distinct(keyedByText("multiSelect")))
	if why != "" {
		return unfitQuestion(why)
	}
	return e.newAsked(qs.ask, id, func(s queue.Session) []byte {
		if o := s.Outcome; o != nil && o.Answered() {
			return claudeAnswers(input, qs, o.Answer)
		}
		if words := refusalText(s); words != "" {
			return denyToolCall(words)
		}
		return nil
	}), true
}

// claudeAnswers returns the tool's input with the answers, each under the text of its question. If one answer is
// missing, it returns nil and the hook prints nothing: the tool would take a missing answer for an answer.
func claudeAnswers(input wire.Object, qs questions, a queue.Answer) []byte {
	given, ok := qs.answersOf(a)
	if !ok {
		return nil
	}
	var answers wire.Object
	for i, text := range qs.keys {
		answers = append(answers, wire.Named(text, strings.Join(given[i], ", ")))
	}
	return hookOutput(wire.Object{wire.Named("hookEventName", eventTool), wire.Named("permissionDecision", "allow"),
		wire.Named("updatedInput", input.With("answers", answers.JSON()))})
}

// askPermission asks whether Claude may use a tool.
func (e claudeHook) askPermission() (Asked, bool) {
	what, ok := claudeTools.readTool(e.toolName(), e.toolInput())
	if !ok {
		return unfit(queue.UnfitShown)
	}
	choices, left := e.suggestedChoices(oneCommand(what.approval.Parts))
	what.approval.Tool, what.approval.Dir, what.approval.LeftOut = e.tool, e.dir, leftOut(left, inClaude)
	return e.askApproval(what, choices, allowOnce, refuse, allowance()), true
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
	what permissionDraft, choices []choice, once, refuse string, allow wire.Object,
) Asked {
	options := []queue.Option{{ID: optionOnce, Label: once, Act: queue.ActOnce}}
	for _, c := range choices {
		options = append(options, c.option)
	}
	options = append(options, queue.Option{ID: optionRefuse, Label: refuse, Act: queue.ActRefuse})
	asked := e.newAsked(what.newAsk(options), "",
		func(s queue.Session) []byte { return e.renderDecision(s, choices, allow) })
	input, _ := wire.Read(e.toolInput())
	asked.Dialog = e.dialog(input)
	return asked
}

// suggestedChoices returns the ways to allow more that Claude offers, each limited to this session, and how many of its
// offers cannot be described here. command is the command that the approval is about; empty: the approval is about more
// than one command, or about something else.
func (e claudeHook) suggestedChoices(command string) (choices []choice, left int) {
	raw, there := e.Value("permission_suggestions", "permissionSuggestions")
	if !there {
		return nil, 0
	}
	list, isList := wire.ReadList(raw)
	if !isList {
		return nil, 1
	}
	labels := map[string]bool{}
	for _, one := range list {
		o, _ := wire.Read(one)
		label, covers := e.describeSuggestion(o)
		if labels[label] && label != "" {
			continue
		}
		if label == "" || len(covers) > mostOffer || len(choices) == mostOffers {
			left++
			continue
		}
		labels[label] = true
		exact := isExactRule(o, e.tool, command)
		if exact && len(label) > longOffer {
			label = forSession + "exactly this command"
		}
		choices = append(choices, choice{queue.Option{ID: fmt.Sprintf("%s-%d", optionSession, len(choices)+1),
			Label: label, Description: covers, Act: queue.ActSession, Exact: exact},
			json.RawMessage("[" + string(o.With("destination", wire.Encode("session")).JSON()) + "]")})
	}
	return choices, left
}

// longOffer is the length from which an offer does not repeat the command that is shown above it, in bytes.
const longOffer = 200

// describeSuggestion returns the label of a suggestion, and a description of all that it covers. Both are empty if the
// suggestion is of an unknown kind.
func (e claudeHook) describeSuggestion(o wire.Object) (label, covers string) {
	kind, _ := o.Text("type")
	switch kind {
	case "addRules":
		rules, ok := o.List("rules")
		if behavior, _ := o.Text("behavior"); !ok || len(rules) == 0 || behavior != "allow" {
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
		mode, _ := o.Text("mode")
		if words := claudeModes[mode]; words != "" {
			return forSession + mode, words
		}
	case "addDirectories":
		if dirs, ok := o.Texts("directories"); ok && len(dirs) > 0 {
			all := strings.Join(dirs, ", ")
			return forSession + all, "claude may also work in " + all + " until this session ends."
		}
	}
	return "", ""
}

// ruleName returns a rule in Claude Code's own spelling: Bash(npm test:*), or only the tool for all of its uses. It is
// empty if the rule cannot be read.
func ruleName(raw []byte) string {
	o, ok := wire.Read(raw)
	if !ok {
		return ""
	}
	tool, isTool := o.Text("toolName")
	content, isText := o.Text("ruleContent")
	if !isTool || !isText || queue.Blank(tool) {
		return ""
	}
	if content == "" {
		return tool
	}
	return tool + "(" + content + ")"
}

// renderDecision returns the hook's output for an approval; nil if the person decided nothing.
func (e claudeHook) renderDecision(s queue.Session, choices []choice, allow wire.Object) []byte {
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
				return decisionOutput(append(allow, wire.Named("updatedPermissions", c.updates)))
			}
		}
	}
	return nil
}

// denyOutput returns the hook's output that refuses a permission. Claude continues its turn and reads the words.
func denyOutput(words string) []byte {
	return decisionOutput(append(denial(words), wire.Named("interrupt", false)))
}

// noPlan is shown where the agent wants to leave plan mode without a plan.
const noPlan = "There is no plan text."

// askPlan asks whether Claude may carry out a plan. Claude 2.1.330 ignores an ExitPlanMode decision to allow unless it
// contains the tool's input unchanged.
func (e claudeHook) askPlan() (Asked, bool) {
	input, isObject := wire.Read(e.toolInput())
	given := json.RawMessage(input.JSON())
	text := input.Words("plan")
	rest, ok := remainingInput(input.Without("plan", "planFilePath"))
	if raw := e.toolInput(); !isObject && len(raw) > 0 && string(raw) != "null" {
		shown, isJSON := wire.Indent(raw)
		given, ok = raw, isJSON
		rest = []queue.Part{{Kind: queue.PartText, Text: shown}}
	}
	if !ok || wire.HasHalves(e.toolInput()) {
		return unfit(queue.UnfitShown)
	}
	what := permissionDraft{title: "Plan: " + strings.TrimSpace(strings.TrimLeft(firstLine(text), "#")),
		approval: queue.Approval{Tool: e.tool, Dir: e.dir,
			Parts: append([]queue.Part{{Kind: queue.PartPlan, Text: text}}, rest...)}}
	if queue.Blank(text) {
		what.title, what.approval.Parts[0].Text = "Leave plan mode?", noPlan
	}
	edits := choice{queue.Option{ID: optionSession + "-1", Label: "Go ahead, and edit without asking",
		Description: claudeModes["acceptEdits"], Act: queue.ActSession},
		json.RawMessage(`[{"type":"setMode","mode":"acceptEdits","destination":"session"}]`)}
	return e.askApproval(what, []choice{edits}, "Go ahead", "Keep planning",
		append(allowance(), wire.Named("updatedInput", given))), true
}

// claudeModes describes the permission modes of Claude Code that a person can choose here.
var claudeModes = map[string]string{
	"acceptEdits":       "claude will edit files without asking until this session ends.",
	"bypassPermissions": "claude stops asking until this session ends: about commands, files or addresses.",
	"dontAsk":           "claude does only what is allowed already, and stops asking until this session ends.",
	"default":           "claude asks before it does something for the first time.",
	"plan":              "claude only plans: it changes no file and runs no command.",
}
