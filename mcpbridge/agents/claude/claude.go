package claude

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
)

const (
	eventForm = "Elicitation" // another MCP server of Claude's shows a form

	client   = "claude-code"
	inClaude = "in claude"

	toolQuestion = "AskUserQuestion"
	toolPlan     = "ExitPlanMode"
)

// hook reads the events of Claude Code.
type hook struct{ prompt.Event }

// Read reads the input of a Claude Code hook. ok is false if there is nothing to ask here: another event or tool, or
// input that is not JSON. token returns a new name at each call, for prompts that Claude does not name.
func Read(raw []byte, token func() string) (prompt.Asked, bool) {
	event, ok := prompt.ReadHook(raw, prompt.Hooks{Client: client, Where: inClaude, Source: "claude",
		Subagents: true, OneSession: true}, token)
	e := hook{event}
	switch {
	case !ok:
	case e.Name == prompt.EventTool && e.Tool == toolQuestion:
		return e.finish(e.askQuestion())
	case e.Name == prompt.EventPermission && e.Tool == toolQuestion: // already asked at its PreToolUse event
		return prompt.Asked{}, false
	case e.Name == prompt.EventPermission && e.Tool == toolPlan:
		return e.finish(e.askPlan())
	case e.Name == prompt.EventPermission:
		return e.finish(e.askPermission())
	case e.Name == eventForm:
		asked, ok := e.askForm()
		asked.Dialog = e.formDialog(e.Words("mcp_server_name"))
		return e.finish(asked, ok)
	}
	return prompt.Asked{}, false
}

// finish adds Claude's own dialog to a prompt that stays there.
func (e hook) finish(a prompt.Asked, ok bool) (prompt.Asked, bool) {
	a, ok = e.Event.Finish(a, ok)
	if ok && a.Unfit != "" && a.Dialog == nil && e.Tool != "" {
		a.Dialog = e.dialog()
	}
	return a, ok
}

// Starts reports whether the input is that of a SessionStart hook in a new process of Claude Code.
func Starts(raw []byte) bool {
	e, ok := prompt.ReadHook(raw, prompt.Hooks{}, nil)
	source, _ := e.Text("source")
	return ok && e.Name == "SessionStart" && (source == "startup" || source == "resume")
}

// askQuestion asks the questions of an AskUserQuestion call. Their answers are added to the tool's input, whose other
// members stay unchanged.
func (e hook) askQuestion() (prompt.Asked, bool) {
	input, _ := wire.Read(e.ToolInput())
	if _, answered := input.Value("answers"); answered { // by another hook
		return prompt.Asked{}, false
	}
	if e.AsksNothing() {
		return e.AskForWords(prompt.DenyToolCall), true
	}
	qs, id, why := e.HookQuestions(prompt.Distinct(prompt.KeyedByText("multiSelect")))
	if why != "" {
		return prompt.UnfitQuestion(why)
	}
	return e.NewAsked(qs.Ask, id, func(s queue.Session) []byte {
		if o := s.Outcome; o != nil && o.Answered() {
			return answersOutput(input, qs, o.Answer)
		}
		if words := prompt.RefusalText(s); words != "" {
			return prompt.DenyToolCall(words)
		}
		return nil
	}), true
}

// answersOutput returns the tool's input with the answers, each under the text of its question. If one answer is
// missing, it returns nil and the hook prints nothing: the tool would take a missing answer for an answer.
func answersOutput(input wire.Object, qs prompt.Questions, a queue.Answer) []byte {
	given, ok := qs.AnswersOf(a)
	if !ok {
		return nil
	}
	var answers wire.Object
	for i, text := range qs.Keys {
		answers = append(answers, wire.Named(text, strings.Join(given[i], ", ")))
	}
	return prompt.HookOutput(wire.Object{wire.Named("hookEventName", prompt.EventTool),
		wire.Named("permissionDecision", "allow"),
		wire.Named("updatedInput", input.With("answers", answers.JSON()))})
}

// askPermission asks whether Claude may use a tool.
func (e hook) askPermission() (prompt.Asked, bool) {
	what, ok := tools.Read(e.ToolName(), e.ToolInput())
	if !ok {
		return prompt.Unfit(queue.UnfitShown)
	}
	choices, left := e.suggestedChoices(prompt.OneCommand(what.Approval.Parts))
	what.Approval.Tool, what.Approval.Dir, what.Approval.LeftOut = e.Tool, e.Dir, prompt.LeftOut(left, inClaude)
	return e.askApproval(what, choices, prompt.AllowOnce, prompt.Refuse, prompt.Allowance()), true
}

// choice holds one of Claude's offers to allow more than this one use: the option, and the permission update that is
// sent back to Claude.
type choice struct {
	option  queue.Option
	updates json.RawMessage
}

// askApproval asks whether Claude may do something: once, in one of the ways that Claude offers, or not at all. allow
// is the decision that is sent to Claude for "once".
func (e hook) askApproval(
	what prompt.Draft, choices []choice, once, refuse string, allow wire.Object,
) prompt.Asked {
	options := []queue.Option{{ID: prompt.OptionOnce, Label: once, Act: queue.ActOnce}}
	for _, c := range choices {
		options = append(options, c.option)
	}
	options = append(options, queue.Option{ID: prompt.OptionRefuse, Label: refuse, Act: queue.ActRefuse})
	asked := e.NewAsked(what.NewAsk(options), "",
		func(s queue.Session) []byte { return e.renderDecision(s, choices, allow) })
	asked.Dialog = e.dialog()
	return asked
}

// suggestedChoices returns the ways to allow more that Claude offers, each limited to this session, and how many of its
// offers cannot be described here. command is the command that the approval is about; empty: the approval is about more
// than one command, or about something else.
func (e hook) suggestedChoices(command string) (choices []choice, left int) {
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
		if label == "" || len(covers) > prompt.MostOffer || len(choices) == prompt.MostOffers {
			left++
			continue
		}
		labels[label] = true
		exact := isExactRule(o, e.Tool, command)
		if exact && len(label) > longOffer {
			label = prompt.ForSession + "exactly this command"
		}
		choices = append(choices, choice{queue.Option{ID: fmt.Sprintf("%s-%d", prompt.OptionSession, len(choices)+1),
			Label: label, Description: covers, Act: queue.ActSession, Exact: exact},
			json.RawMessage("[" + string(o.With("destination", wire.Encode("session")).JSON()) + "]")})
	}
	return choices, left
}

// longOffer is the length from which an offer does not repeat the command that is shown above it, in bytes.
const longOffer = 200

// describeSuggestion returns the label of a suggestion, and a description of all that it covers. Both are empty if the
// suggestion is of an unknown kind.
func (e hook) describeSuggestion(o wire.Object) (label, covers string) {
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
		return prompt.ForSession + all, "claude will not ask again for " + all + " until this session ends."
	case "setMode":
		mode, _ := o.Text("mode")
		if m, known := modes[mode]; known {
			return m.label, m.covers
		}
	case "addDirectories":
		if dirs, ok := o.Texts("directories"); ok && len(dirs) > 0 {
			all := strings.Join(dirs, ", ")
			return prompt.ForSession + all, "claude may also work in " + all + " until this session ends."
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
func (e hook) renderDecision(s queue.Session, choices []choice, allow wire.Object) []byte {
	if words := prompt.RefusalText(s); words != "" {
		return denyOutput(words)
	}
	o := s.Outcome
	if o == nil || !o.Answered() || len(o.Answer.Replies) != 1 || len(o.Answer.Replies[0].Selected) != 1 {
		return nil
	}
	switch id := o.Answer.Replies[0].Selected[0]; id {
	case prompt.OptionOnce:
		return prompt.DecisionOutput(allow)
	case prompt.OptionRefuse:
		return denyOutput(prompt.RefusalReason(o.Answer))
	default:
		for _, c := range choices {
			if c.option.ID == id {
				return prompt.DecisionOutput(append(allow, wire.Named("updatedPermissions", c.updates)))
			}
		}
	}
	return nil
}

// denyOutput returns the hook's output that refuses a permission. Claude continues its turn and reads the words.
func denyOutput(words string) []byte {
	return prompt.DecisionOutput(append(prompt.Denial(words), wire.Named("interrupt", false)))
}

// noPlan is shown where the agent wants to leave plan mode without a plan.
const noPlan = "There is no plan text."

// askPlan asks whether Claude may carry out a plan. Claude 2.1.330 ignores an ExitPlanMode decision to allow unless it
// contains the tool's input unchanged.
func (e hook) askPlan() (prompt.Asked, bool) {
	input, isObject := wire.Read(e.ToolInput())
	given := json.RawMessage(input.JSON())
	text := input.Words("plan")
	rest, ok := prompt.RemainingInput(input.Without("plan", "planFilePath"))
	if raw := e.ToolInput(); !isObject && len(raw) > 0 && string(raw) != "null" {
		shown, isJSON := wire.Indent(raw)
		given, ok = raw, isJSON
		rest = []queue.Part{{Kind: queue.PartText, Text: shown}}
	}
	if !ok || wire.HasHalves(e.ToolInput()) {
		return prompt.Unfit(queue.UnfitShown)
	}
	what := prompt.Draft{Title: planTitle(text),
		Approval: queue.Approval{Tool: e.Tool, Dir: e.Dir,
			Parts: append([]queue.Part{{Kind: queue.PartPlan, Text: text}}, rest...)}}
	if queue.Blank(text) {
		what.Title, what.Approval.Parts[0].Text = "Leave plan mode?", noPlan
	}
	edits := choice{queue.Option{ID: prompt.OptionSession + "-1", Label: "Go ahead, and edit without asking",
		Description: modes["acceptEdits"].covers, Act: queue.ActSession},
		json.RawMessage(`[{"type":"setMode","mode":"acceptEdits","destination":"session"}]`)}
	return e.askApproval(what, []choice{edits}, "Go ahead", "Keep planning",
		append(prompt.Allowance(), wire.Named("updatedInput", given))), true
}

// modes describes the permission modes of Claude Code that a person can choose here. The choice also allows what claude
// asks for.
var modes = map[string]struct{ label, covers string }{
	"acceptEdits": {"Allow all edits until this session ends",
		"claude will edit files without asking until this session ends."},
	"bypassPermissions": {"Allow everything until this session ends",
		"claude stops asking until this session ends: about commands, files or addresses."},
	"dontAsk": {"Allow, and refuse what is not allowed yet, until this session ends",
		"claude does only what is allowed already, and stops asking until this session ends."},
	"default": {"Allow, and ask before what is new", "claude asks before it does something for the first time."},
	"plan":    {"Allow, and only plan from now on", "claude only plans: it changes no file and runs no command."},
}

// planTitle returns the title of a plan, from its first line. Many plans name themselves so already.
func planTitle(text string) string {
	const name = "Plan: "
	title := strings.TrimSpace(strings.TrimLeft(prompt.FirstLine(text), "#"))
	if len(title) > len(name) && strings.EqualFold(title[:len(name)], name) {
		title = strings.TrimSpace(title[len(name):])
	}
	return name + title
}
