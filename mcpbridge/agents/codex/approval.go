package codex

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt/marks"
	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
)

// MethodFiles is the method of the request to change files. The diffs come in other messages; see CodexRequest.Changes.
const MethodFiles = "item/fileChange/requestApproval"

const (
	methodCommand = "item/commandExecution/requestApproval"

	toolCommand = "command"
	toolFiles   = "edit"

	codexAccept  = "accept"
	codexSession = "acceptForSession"
	codexDecline = "decline"
	codexCancel  = "cancel"
	codexSimilar = "acceptWithExecpolicyAmendment"
	codexNetwork = "applyNetworkPolicyAmendment"
)

// codexContextFields lists the fields of an approval that are not shown as part of the request: they say where the
// request belongs, or are shown in another form.
var codexContextFields = []string{"threadId", "turnId", "itemId", "approvalId", "startedAtMs", "reason", "cwd", "kind"}

// decision holds a choice that Codex offers: the option, and the JSON that goes back unchanged.
type decision struct {
	option queue.Option
	raw    json.RawMessage
}

// readCommand reads a request to run a command, or to let a command connect to another machine.
func (c codexAsk) readCommand(asked prompt.Asked) (prompt.Asked, bool) {
	kind, isKind := c.Text("kind")
	command, isText := c.Text("command")
	dir, isDir := c.Text("cwd")
	host, isHost := c.requestedHost()
	if kind != "" && kind != "command" { // input for a running command, and kinds that are new
		return prompt.Unfit(queue.UnfitAnswer)
	}
	if !isKind || !isText || !isDir || !isHost {
		return prompt.Asked{}, false
	}
	offered, _ := c.List("availableDecisions")
	if len(offered) == 0 { // what Codex offers where it names nothing
		offered = []json.RawMessage{wire.Encode(codexAccept), wire.Encode(codexDecline), wire.Encode(codexCancel)}
	}
	var x prompt.Draft
	x.Approval.Dir = dir
	if host != "" {
		x.Approval.Parts = append(x.Approval.Parts, queue.Part{Kind: queue.PartAddress, Text: host})
	}
	if !queue.Blank(command) {
		x.Approval.Parts = append(x.Approval.Parts, queue.Part{Kind: queue.PartCommand, Text: command})
	}
	rest := c.Without("command", "availableDecisions", "networkApprovalContext", "proposedExecpolicyAmendment",
		"proposedNetworkPolicyAmendments")
	if len(x.Approval.Parts) > 0 {
		x.Title = prompt.ApprovalTitle(toolCommand, prompt.FirstLine(shellLine(x.Approval.Parts[0].Text)))
		rest = rest.Without("commandActions") // they say in other words what the command does
	} else {
		x.Title, x.Odd = "Allow a command that is not named?", true
		x.Approval.Parts = []queue.Part{{Kind: queue.PartText, Text: "no command is named"}}
	}
	x.Approval.Tool = toolCommand
	if place, ok := c.Text("environmentId"); ok && (place == "" || place == "local") {
		rest = rest.Without("environmentId")
	}
	known := c.knownDecisions(offered, "Allow exactly this command"+prompt.UntilSessionEnds)
	shown := narrowest(known)
	x.Approval.LeftOut = prompt.LeftOut(len(offered)-len(known), len(known)-len(shown), where)
	return c.askApproval(asked, x, rest, shown)
}

// requestedHost returns the protocol and name of the machine that a command wants to reach; empty: the request names no
// machine. ok is false if the field cannot be read in full.
func (c codexAsk) requestedHost() (address string, ok bool) {
	raw, there := c.Value("networkApprovalContext")
	if !there {
		return "", true
	}
	o, isObject := wire.Read(raw)
	host, isHost := o.Text("host")
	protocol, isText := o.Text("protocol")
	return protocol + "://" + host, isObject && isHost && isText && !queue.Blank(host) &&
		len(o.Without("host", "protocol")) == 0
}

// readFileChange reads a request to change files. The request does not contain the change: the thread announced it
// before. Without that announcement ok is false, because nobody can decide about a change that is not shown.
func (c codexAsk) readFileChange(asked prompt.Asked) (prompt.Asked, bool) {
	list, isList := wire.ReadList(c.Changes)
	if !isList || len(list) == 0 {
		return prompt.Asked{}, false
	}
	x := prompt.Draft{Approval: queue.Approval{Tool: toolFiles, Dir: c.Cwd, Request: prompt.Hash(c.Changes)}}
	var paths []string
	for _, raw := range list {
		parts, ok := readCodexChange(raw)
		if !ok {
			return prompt.Asked{}, false
		}
		x.Approval.Parts = append(x.Approval.Parts, parts...)
		path, _ := queue.ShownName(parts[0].Label)
		paths = append(paths, path)
	}
	x.Title = prompt.ApprovalTitle(toolFiles, prompt.FirstLine(strings.Join(paths, ", ")))
	offered := []json.RawMessage{wire.Encode(codexAccept), wire.Encode(codexSession), wire.Encode(codexDecline),
		wire.Encode(codexCancel)}
	known := c.knownDecisions(offered, "Allow changes of these files"+prompt.UntilSessionEnds)
	return c.askApproval(asked, x, c.Object, known)
}

// readCodexChange returns the change of one file as parts of an approval.
func readCodexChange(raw json.RawMessage) (parts []queue.Part, ok bool) {
	o, isObject := wire.Read(raw)
	path, isPath := o.Text("path")
	diff, isText := o.Text("diff")
	kind, isKind := o.Child("kind")
	does, isType := kind.Text("type")
	to, isMove := kind.Text("move_path", "movePath")
	if !isObject || !isPath || !isText || !isKind || !isType || !isMove || queue.Blank(path) {
		return nil, false
	}
	switch does {
	case "add":
		diff = prompt.DiffText("", diff)
	case "delete":
		diff = prompt.DiffText(diff, "") + "\n" + strings.TrimSuffix(prompt.RemovedFile, "\n")
	case "update": // diff is a diff already
	default:
		return nil, false
	}
	if queue.Blank(diff) { // a part of an approval must have text
		diff = prompt.NoLineDiffers
	}
	parts = []queue.Part{{Kind: queue.PartDiff, Label: path, Text: diff}}
	if to != "" && to != path {
		parts = append(parts, prompt.MovedHere(to, path))
	}
	return parts, true
}

// knownDecisions returns the choices of Codex that are known here, in the order of Codex, but with the refusals last.
// session is the label for acceptForSession.
func (c codexAsk) knownDecisions(offered []json.RawMessage, session string) (list []decision) {
	for i, raw := range offered {
		if name, ok := wire.ReadText(raw); ok {
			if option, known := c.wordDecision(name, session); known {
				list = append(list, decision{option, raw})
			}
			continue
		}
		o, _ := wire.Read(raw)
		if option, known := c.ruleDecision(o); known && len(o) == 1 {
			option.ID = fmt.Sprintf("%s-%d", o[0].Key, i+1)
			list = append(list, decision{option, raw})
		}
	}
	slices.SortStableFunc(list, func(a, b decision) int { return stopRank(a) - stopRank(b) })
	return list
}

// everySession says how long a rule holds that Codex keeps.
const everySession = ", in every session"

// narrowest leaves out the offers to allow more than this one use, but for the one that allows least: the one for this
// session, which covers only the same command again, or else the first.
func narrowest(known []decision) []decision {
	least, found := "", false
	for _, d := range known {
		if d.option.Act == queue.ActSession || d.option.Act == queue.ActAlways && !found {
			least, found = d.option.ID, true
		}
	}
	return slices.DeleteFunc(slices.Clone(known), func(d decision) bool {
		return (d.option.Act == queue.ActSession || d.option.Act == queue.ActAlways) && d.option.ID != least
	})
}

// stopRank returns 0 for decline, 1 for cancel and -1 for all other decisions, to sort by.
func stopRank(d decision) int { return slices.Index([]string{codexDecline, codexCancel}, d.option.ID) }

// wordDecision returns the option of a decision that is a single word.
func (c codexAsk) wordDecision(name, session string) (o queue.Option, known bool) {
	switch name {
	case codexAccept:
		o = queue.Option{Label: prompt.AllowOnce, Act: queue.ActOnce}
	case codexSession:
		o = queue.Option{Label: session, Act: queue.ActSession}
	case codexDecline:
		o = queue.Option{Label: prompt.Refuse, Act: queue.ActRefuse}
	case codexCancel:
		o = queue.Option{Label: "Refuse, and stop this turn", Act: queue.ActRefuse,
			Description: "Codex ends what it is doing and waits for you."}
	default:
		return o, false
	}
	o.ID = name
	return o, true
}

// ruleDecision returns the option of a decision that adds a rule to Codex's own rules.
func (c codexAsk) ruleDecision(o wire.Object) (option queue.Option, known bool) {
	if rule, ok := o.Child(codexSimilar); ok {
		words, isList := rule.Texts("execpolicy_amendment")
		return queue.Option{Label: "Allow every command that begins with “" + quoteWords(words) + "”" + everySession,
			Act: queue.ActAlways}, isList && len(words) > 0
	}
	rule, ok := o.Child(codexNetwork)
	host, isHost := rule.Child("network_policy_amendment")
	name, isName := host.Text("host")
	action, isAction := host.Text("action")
	if !ok || !isHost || !isName || !isAction || queue.Blank(name) {
		return option, false
	}
	switch action {
	case "allow":
		return queue.Option{Label: "Allow every command to reach " + name + everySession, Act: queue.ActAlways}, true
	case "deny":
		return queue.Option{Label: "Refuse always: " + name,
			Description: "Codex keeps a rule, and no command reaches " + name + " any more."}, true
	}
	return option, false
}

// quoteWords joins the words of a command. It quotes words with other than plain characters, so that a reader sees
// where each one ends.
func quoteWords(words []string) string {
	var out []string
	for _, word := range words {
		if !plainWord.MatchString(word) {
			word = strconv.Quote(word)
		}
		out = append(out, word)
	}
	return strings.Join(out, " ")
}

// plainWord matches a word that needs no quotes.
var plainWord = regexp.MustCompile(`^[\w./:=@%+,~-]+$`)

// shellLine returns a command without the shell that Codex runs it in and without the quotes around it. It is used for
// titles.
func shellLine(command string) string {
	line := marks.WithoutShell(command)
	if line == command || len(line) < 2 || line[0] != line[len(line)-1] {
		return line
	}
	inner := line[1 : len(line)-1]
	switch line[0] {
	case '\'':
		if plain := strings.ReplaceAll(inner, `'\''`, ""); !strings.Contains(plain, "'") {
			return strings.ReplaceAll(inner, `'\''`, "'")
		}
	case '"':
		if plain := escapedChar.ReplaceAllString(inner, ""); !strings.ContainsAny(plain, `"\`) {
			return escapedChar.ReplaceAllString(inner, "$1")
		}
	}
	return line
}

// escapedChar matches an escaped character between double quotes.
var escapedChar = regexp.MustCompile("\\\\([\\\\\"$`])")

// askApproval asks whether Codex may do something, with the choices that Codex offers and no others. rest holds fields
// that are shown as they are. ok is false unless one choice allows it once.
func (c codexAsk) askApproval(
	asked prompt.Asked, x prompt.Draft, rest wire.Object, offered []decision,
) (prompt.Asked, bool) {
	var ok bool
	if x.Reason, ok = c.Text("reason"); !ok {
		return prompt.Asked{}, false
	}
	more, ok := prompt.RemainingInput(prompt.NonNullMembers(rest.Without(codexContextFields...)))
	x.Approval.Parts = append(x.Approval.Parts, more...)
	var options []queue.Option
	allows := false
	for _, d := range offered {
		// The rules that Codex keeps beyond the session cover all commands with the same beginning, so they are not
		// exact.
		d.option.Exact = d.option.ID == codexSession && prompt.OneCommand(x.Approval.Parts) != ""
		options = append(options, d.option)
		allows = allows || d.option.Act == queue.ActOnce
	}
	if !ok || !allows {
		return prompt.Asked{}, false
	}
	asked.Ask = x.NewAsk(options)
	asked.Render = func(s queue.Session) []byte { return c.renderDecision(s, offered) }
	asked.Beside = func(s queue.Session) string { return c.refusalBeside(s, offered) }
	return asked, true
}

// renderDecision returns Codex's response to an approval; nil if the person took no decision. If the person declined
// with words, it refuses.
func (c codexAsk) renderDecision(s queue.Session, offered []decision) []byte {
	if d, ok := c.chosenDecision(s, offered); ok {
		return c.response(wire.Object{wire.Named("decision", d.raw)})
	}
	return nil
}

// chosenDecision returns the decision that the person took. ok is false if they took none.
func (c codexAsk) chosenDecision(s queue.Session, offered []decision) (d decision, ok bool) {
	var isChosen func(decision) bool
	switch r, answered := prompt.AnsweredFirst(s); {
	case answered && len(r.Selected) == 1:
		isChosen = func(d decision) bool { return d.option.ID == r.Selected[0] }
	case prompt.RefusalText(s) != "": // the person declined the question with words, which counts as the refusal
		isChosen = func(d decision) bool { return d.option.Act == queue.ActRefuse }
	default:
		return d, false
	}
	if at := slices.IndexFunc(offered, isChosen); at >= 0 {
		return offered[at], true
	}
	return d, false
}

// refusalBeside returns the person's words beside a refusal; empty: there are none. They are sent as a line of their
// own, because Codex's decisions carry no words.
func (c codexAsk) refusalBeside(s queue.Session, offered []decision) string {
	if words := prompt.RefusalText(s); words != "" {
		return words
	}
	if d, ok := c.chosenDecision(s, offered); ok && d.option.Act == queue.ActRefuse {
		return prompt.OwnWords(s.Outcome.Answer, d.option.ID)
	}
	return ""
}
