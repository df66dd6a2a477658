package claude

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
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
	choices, wider, unknown := e.suggestedChoices(prompt.OneCommand(what.Approval.Parts))
	what.Approval.Tool, what.Approval.Dir = e.Tool, e.Dir
	what.Approval.LeftOut = prompt.LeftOut(unknown, wider, inClaude)
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

// suggestedChoices returns the narrowest of the ways to allow more that Claude offers, limited to this session, how
// many of its offers are wider, and how many cannot be described here. command is the command that the approval is
// about; empty: the approval is about more than one command, or about something else.
func (e hook) suggestedChoices(command string) (shown []choice, wider, unknown int) {
	raw, there := e.Value("permission_suggestions", "permissionSuggestions")
	if !there {
		return nil, 0, 0
	}
	list, isList := wire.ReadList(raw)
	if !isList {
		return nil, 0, 1
	}
	var grants []grant
	labels := map[string]bool{}
	for _, one := range list {
		o, _ := wire.Read(one)
		g := e.describeSuggestion(o, command)
		switch label := g.option.Label; {
		case label == "" || len(label) > prompt.MostOffer || len(grants) == prompt.MostOffers:
			unknown++
		case !labels[label]:
			labels[label] = true
			g.option.ID, g.option.Act = fmt.Sprintf("%s-%d", prompt.OptionSession, len(grants)+1), queue.ActSession
			g.updates = json.RawMessage("[" + string(o.With("destination", wire.Encode("session")).JSON()) + "]")
			grants = append(grants, g)
		}
	}
	if len(grants) == 0 {
		return nil, 0, unknown
	}
	return []choice{slices.MinFunc(grants, grant.compare).choice}, len(grants) - 1, unknown
}

// grant is an offer of Claude's to allow more than this one use.
type grant struct {
	choice
	width   int
	pattern string // of matching; a longer one allows less
}

// Widths of grants, the narrowest first.
const (
	thisRequest = iota // exactly this request
	matching           // what matches a pattern
	everyUse           // every use of the tool
	beyond             // more than this tool, or something else than this request
)

// compare returns a negative number if the grant allows less than another one, and 0 if both allow equally much.
func (g grant) compare(other grant) int {
	return cmp.Or(cmp.Compare(g.width, other.width), cmp.Compare(len(other.pattern), len(g.pattern)))
}

// describeSuggestion describes all that a suggestion covers. It has no label if the suggestion is of an unknown kind.
func (e hook) describeSuggestion(o wire.Object, command string) (g grant) {
	kind, _ := o.Text("type")
	switch kind {
	case "addRules":
		rules, ok := o.List("rules")
		if behavior, _ := o.Text("behavior"); !ok || len(rules) == 0 || behavior != "allow" {
			return g
		}
		if isExactRule(o, e.Tool, command) {
			g.option.Label, g.option.Exact = "Allow exactly this command"+prompt.UntilSessionEnds, true
			return g
		}
		var all []string
		for _, raw := range rules {
			words, pattern := describeRule(raw)
			if words == "" {
				return g
			}
			all, g.pattern, g.width = append(all, words), g.pattern+pattern, max(g.width, matching)
			if prompt.CoversAll(pattern) {
				g.width = everyUse
			}
		}
		g.option.Label = "Allow " + strings.Join(all, ", and ") + prompt.UntilSessionEnds
	case "setMode":
		mode, _ := o.Text("mode")
		if g.option.Label, g.width = modes[mode], beyond; mode == acceptEdits {
			g.width = everyUse
		}
	case "addDirectories":
		if dirs, ok := o.Texts("directories"); ok && len(dirs) > 0 {
			g.width = beyond
			g.option.Label = "Let claude also work in " + strings.Join(dirs, ", ") + prompt.UntilSessionEnds
		}
	}
	return g
}

// describeRule words what a rule covers: `every command that begins with “npm test”`. words is empty if the rule cannot
// be read.
func describeRule(raw []byte) (words, pattern string) {
	o, ok := wire.Read(raw)
	tool, isTool := o.Text("toolName")
	pattern, isText := o.Text("ruleContent")
	if !ok || !isTool || !isText || queue.Blank(tool) {
		return "", ""
	}
	if tool == "Bash" {
		return prompt.Commands(pattern), pattern
	}
	return prompt.Uses(tool, pattern), pattern
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
		Description: "claude will edit files without asking until this session ends.", Act: queue.ActSession},
		json.RawMessage(`[{"type":"setMode","mode":"acceptEdits","destination":"session"}]`)}
	return e.askApproval(what, []choice{edits}, "Go ahead", "Keep planning",
		append(prompt.Allowance(), wire.Named("updatedInput", given))), true
}

// acceptEdits is the permission mode in which Claude Code edits files without asking.
const acceptEdits = "acceptEdits"

// modes words the permission modes of Claude Code that it may offer.
var modes = map[string]string{
	acceptEdits:         "Allow all edits" + prompt.UntilSessionEnds,
	"bypassPermissions": "Allow everything, commands, files and addresses" + prompt.UntilSessionEnds,
	"dontAsk":           "Do only what is allowed already, and stop asking" + prompt.UntilSessionEnds,
	"default":           "Have claude ask before it does something for the first time",
	"plan":              "Have claude only plan: it changes no file and runs no command",
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
