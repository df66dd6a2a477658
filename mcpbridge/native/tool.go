package native

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// permissionDraft holds a request for permission before its choices are known.
type permissionDraft struct {
	title    string
	reason   string // the agent's reason, in Markdown; empty: it gives none
	odd      bool   // the tool is known here, but not what it was called with, so nothing can be said about its effect
	approval queue.Approval
}

// newAsk returns the ask for the queue. It sets the approval's marks, which say why it is dangerous (marks.go), and
// does what the marks demand (heedMarks).
func (x permissionDraft) newAsk(options []queue.Option) queue.Ask {
	a := queue.Ask{Kind: queue.KindApproval, Title: firstLine(x.title), Prompt: x.reason, Approval: &x.approval,
		OnTimeout: queue.OnTimeoutNone,
		Questions: []queue.Question{{ID: "approval", Text: queue.AllowThis, Mode: queue.ModeSingle, Min: 1, Max: 1,
			Annotate: true, Options: options}}}
	x.approval.Marks = marksOf(x.approval)
	heedMarks(&a)
	a.Confirm = a.Confirm || x.odd
	return a
}

// heedMarks makes the person confirm an approval that has marks (marks.go). A request that may destroy something offers
// only to allow it once and to refuse it, unless the agent has no way to allow it once. Requests that only use the
// network or reach outside the project keep all options: Codex asks about little else.
func heedMarks(a *queue.Ask) {
	a.Confirm = len(a.Approval.Marks) > 0
	q := &a.Questions[0]
	if !slices.Contains(a.Approval.Marks, queue.MarkDestroys) {
		return
	}
	if slices.ContainsFunc(q.Options, func(o queue.Option) bool { return o.Act == queue.ActOnce }) {
		q.Options = slices.DeleteFunc(slices.Clone(q.Options), func(o queue.Option) bool {
			return o.Act == queue.ActSession || o.Act == queue.ActAlways
		})
	}
}

// toolReaders maps the tools whose input is shown in a form of its own, such as a command or a diff, to the functions
// that read their input. The input of all other tools is shown as JSON.
type toolReaders map[string]func(object) (shownInput, bool)

// readTool reads the input of a tool in full: what its reader knows in a form of its own, and after it the rest as it
// was received. All of it is shown as it was received if there is no reader, or if the reader does not know the input.
// No input at all is shown too.
func (readers toolReaders) readTool(tool string, given json.RawMessage) (x permissionDraft, ok bool) {
	input, isObject := readObject(given)
	if !isObject {
		return readOddInput(tool, given)
	}
	read := readers[tool]
	if read == nil {
		read = readOther
	}
	shown, ok := read(input)
	if !ok {
		shown = shownInput{odd: readers[tool] != nil}
	}
	rest, ok := remainingInput(input.without(shown.names...))
	if !ok {
		return x, false
	}
	x.approval.Parts = append(shown.parts, rest...)
	// The description is left out, because a model words it differently each time.
	x.approval.Request = hashOf(input.without("description").json())
	x.reason, x.odd = shown.reason, shown.odd
	if len(x.approval.Parts) == 0 {
		return withoutInput(tool, x), true
	}
	what := shown.title
	switch {
	case what != "":
	case len(shown.parts) == 0: // only the raw input is shown
		what = input.firstValue()
	default:
		what = cmp.Or(shown.parts[0].Label, shown.parts[0].Text)
	}
	x.title = approvalTitle(tool, firstLine(what))
	return x, true
}

// noInput stands for the input of a tool that is called without any.
const noInput = "no arguments"

// withoutInput completes the request of a tool that is called without arguments.
func withoutInput(tool string, x permissionDraft) permissionDraft {
	x.approval.Parts = []queue.Part{{Kind: queue.PartText, Text: noInput}}
	x.title = "Allow " + tool + " (" + noInput + ")?"
	return x
}

// readOddInput reads input that is no object, or has a name twice. It is shown as it was received.
func readOddInput(tool string, given json.RawMessage) (x permissionDraft, ok bool) {
	x.approval.Request = hashOf(given)
	if len(given) == 0 || string(given) == "null" {
		return withoutInput(tool, x), true
	}
	var b bytes.Buffer
	if json.Indent(&b, given, "", "  ") != nil {
		return x, false
	}
	x.odd = true
	x.approval.Parts = []queue.Part{{Kind: queue.PartText, Text: b.String()}}
	x.title = approvalTitle(tool, "")
	return x, true
}

// shownInput holds the fields of a tool's input that are shown in a form of their own.
type shownInput struct {
	names  []string     // the names of these fields
	parts  []queue.Part // the fields as parts of the approval
	reason string
	title  string // empty: the first of parts is the title
	odd    bool   // the reader does not know the input
}

// claudeTools has the readers for the tools of Claude Code.
var claudeTools = toolReaders{
	"Bash":      readCommand,
	"Edit":      func(o object) (shownInput, bool) { return readEdits(o, o) },
	"MultiEdit": func(o object) (shownInput, bool) { return readEdits(o, nil) },
	"Write":     readWrite,
	"WebFetch":  readFetch,
}

// readCommand reads the input of a tool that runs a shell command.
func readCommand(o object) (shownInput, bool) {
	return readPart(o, queue.PartCommand, "command", "description")
}

// readFetch reads the input of a tool that fetches an address.
func readFetch(o object) (shownInput, bool) { return readPart(o, queue.PartAddress, "url", "prompt") }

// readPart reads the input of a tool that has one text to show, and the agent's reason, under these names.
func readPart(o object, kind, name, why string) (s shownInput, ok bool) {
	text, isText := o.text(name)
	reason, isReason := o.text(why)
	s.names, s.reason = []string{name, why}, reason
	s.parts = []queue.Part{{Kind: kind, Text: text}}
	return s, isText && isReason && !queue.Blank(text)
}

// readWrite reads the input of a tool that writes a whole file.
func readWrite(o object) (s shownInput, ok bool) {
	path, isPath := o.text("file_path")
	content, isText := o.text("content")
	_, there := o.get("content")
	s.names = []string{"file_path", "content"}
	s.parts = []queue.Part{{Kind: queue.PartDiff, Label: path, Text: diffText("", content)}}
	return s, isPath && isText && there && !queue.Blank(path)
}

// readEdits reads the edits of one file: the single edit in one or, if one is nil, the list of edits in o.
func readEdits(o, one object) (s shownInput, ok bool) {
	path, isPath := o.text("file_path")
	edits := []object{one}
	s.names = []string{"file_path", "old_string", "new_string"}
	if one == nil {
		list, isList := o.list("edits")
		if !isList || len(list) == 0 {
			return s, false
		}
		s.names, edits = []string{"file_path", "edits"}, nil
		for _, raw := range list {
			edit, isObject := readObject(raw)
			if !isObject || len(edit.without("old_string", "new_string", "replace_all")) > 0 {
				return s, false
			}
			edits = append(edits, edit)
		}
	}
	for _, edit := range edits {
		before, isBefore := edit.text("old_string")
		after, isAfter := edit.text("new_string")
		every, isFlag := edit.flag("replace_all")
		if !isBefore || !isAfter || !isFlag || before == after {
			return s, false
		}
		s.parts = append(s.parts, queue.Part{Kind: queue.PartDiff, Label: path, Text: diffText(before, after)})
		if every && one == nil {
			s.parts = append(s.parts, queue.Part{Kind: queue.PartText, Label: path, Text: "replace_all: true"})
		}
	}
	return s, isPath && !queue.Blank(path)
}

// readOther shows nothing in a form of its own.
func readOther(object) (shownInput, bool) { return shownInput{}, true }

// hashOf returns the SHA-256 of a request in hexadecimal. It identifies the request.
func hashOf(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// noNewline follows a side of a change whose last line has no line break, as in diff(1). It begins with a backslash, so
// it differs from all lines of a side.
const noNewline = "\\ no newline at the end\n"

// diffText returns a change as removed lines followed by added lines. If only one side ends with a line break, the
// other one is marked with noNewline, because the next line of the file would be joined to it. A new text without a
// final line break is marked too.
func diffText(before, after string) string {
	var b strings.Builder
	ends := func(text string) bool { return text == "" || strings.HasSuffix(text, "\n") }
	for _, side := range []struct{ sign, text, other string }{{"-", before, after}, {"+", after, before}} {
		for l := range strings.Lines(side.text) {
			b.WriteString(side.sign + strings.TrimSuffix(l, "\n") + "\n")
		}
		alone := side.other == "" && side.sign == "+"
		if !ends(side.text) && (alone || side.other != "" && ends(side.other)) {
			b.WriteString(noNewline)
		}
	}
	if b.Len() == 0 {
		return "+\n" // an empty file
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// remainingInput returns the rest of a tool's input as a part of the approval, unchanged but for line breaks. All of it
// is shown, because nothing may be hidden from the person who allows it.
func remainingInput(rest object) ([]queue.Part, bool) {
	if len(rest) == 0 {
		return nil, true
	}
	var b bytes.Buffer
	if json.Indent(&b, rest.json(), "", "  ") != nil {
		return nil, false
	}
	return []queue.Part{{Kind: queue.PartText, Label: "it is also given", Text: b.String()}}, true
}

// If the person allows more than this one use, the agent stores a permission rule. The rule is exact if it covers the
// shown command and nothing more. Where that is not certain, the rule is not called exact: then choicetui stores an
// exact rule of its own instead, and allows the agent this one use.

// wildcards lists the characters with which a rule of an agent becomes a pattern, or a path in it another path.
const wildcards = "*?\\"

// oneCommand returns the command of an approval that is about a single command; empty: it is about more, or about
// something else.
func oneCommand(parts []queue.Part) string {
	if len(parts) != 1 || parts[0].Kind != queue.PartCommand {
		return ""
	}
	return parts[0].Text
}

// isExactly reports whether a rule covers this command and no other.
func isExactly(rule, command string) bool {
	return command != "" && rule == command && strings.TrimSpace(rule) == rule && !strings.ContainsAny(rule, wildcards)
}

// isExactRule reports whether Claude suggests a single rule for exactly this command of this tool. A suggestion with an
// unknown member does not count, because that member may widen the rule.
func isExactRule(suggestion object, tool, command string) bool {
	rules, isList := suggestion.list("rules")
	behavior, _ := suggestion.text("behavior")
	kind, _ := suggestion.text("type")
	if !isList || len(rules) != 1 || kind != "addRules" || behavior != "allow" ||
		len(suggestion.without("type", "rules", "behavior", "destination")) > 0 {
		return false
	}
	rule, isObject := readObject(rules[0])
	name, _ := rule.text("toolName")
	content, _ := rule.text("ruleContent")
	return isObject && name == tool && isExactly(content, command) &&
		len(rule.without("toolName", "ruleContent")) == 0
}
