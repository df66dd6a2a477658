package prompt

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/mcpbridge/agents/prompt/marks"
	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
)

// Draft holds a request for permission before its choices are known.
type Draft struct {
	Title    string
	Reason   string // the agent's reason, in Markdown; empty: it gives none
	Approval queue.Approval
	marks    []string // marks that cannot be found in the approval's parts
	Odd      bool     // the tool is known, but not its input, so that nothing can be said about its effect
}

// NewAsk returns the ask for the queue. It sets the approval's marks, and does what they demand (HeedMarks). It looks
// up where the paths of the request lead (leads.go).
func (x Draft) NewAsk(options []queue.Option) queue.Ask {
	a := queue.Ask{Kind: queue.KindApproval, Title: FirstLine(x.Title), Prompt: x.Reason, Approval: &x.Approval,
		OnTimeout: queue.OnTimeoutNone,
		Questions: []queue.Question{{ID: "approval", Text: queue.AllowThis, Mode: queue.ModeSingle, Min: 1, Max: 1,
			Annotate: true, Options: options}}}
	if decidedBytes(a) > queue.MaxDecided { // it is unfit, and to look through it would take long
		return a
	}
	if followLinks(&x.Approval) {
		x.marks = append(x.marks, queue.MarkOutside)
	}
	x.Approval.Marks = marks.Of(x.Approval, x.marks...)
	HeedMarks(&a)
	a.Confirm = a.Confirm || x.Odd
	return a
}

// HeedMarks makes the person confirm an approval with a red mark. It offers only to allow that once and to refuse it,
// unless the agent has no way to allow it once. A request that only reaches outside the project keeps all options:
// Codex asks about little else.
func HeedMarks(a *queue.Ask) {
	q, red := &a.Questions[0], a.Approval.Red()
	a.Confirm = len(red) > 0
	if !slices.ContainsFunc(red, func(m string) bool { return m != queue.MarkOutside }) {
		return
	}
	if slices.ContainsFunc(q.Options, func(o queue.Option) bool { return o.Act == queue.ActOnce }) {
		q.Options = slices.DeleteFunc(slices.Clone(q.Options), func(o queue.Option) bool {
			return o.Act == queue.ActSession || o.Act == queue.ActAlways
		})
	}
}

// unsandboxed matches the input field with which Claude Code runs a command outside its sandbox.
var unsandboxed = regexp.MustCompile(`"` + fieldSandboxOff + `":\s*"?true`)

// Tools maps the tools whose input is shown in a form of its own, such as a command or a diff, to the functions
// that read their input. The input of all other tools is shown field by field.
type Tools map[string]func(wire.Object) (Shown, bool)

// Read reads the input of a tool in full: what its reader knows in a form of its own, and after it the other fields
// with their names. All of it is shown so if there is no reader, or if the reader does not know the input. No input at
// all is shown too.
func (readers Tools) Read(tool string, given json.RawMessage) (x Draft, ok bool) {
	input, isObject := wire.Read(given)
	if !isObject || wire.HasHalves(given) { // as JSON, half a pair differs from the text that stands for it elsewhere
		return readOddInput(tool, given)
	}
	read := readers[tool]
	if read == nil {
		read = ReadOther
	}
	shown, ok := read(input)
	if !ok {
		shown = Shown{odd: readers[tool] != nil}
	}
	label := LabelWith
	if len(shown.Parts) == 0 {
		label = "" // it is given beside nothing else
	}
	rest, ok := FieldParts(label, shown.sentences, input.Without(shown.Names...))
	if !ok {
		return x, false
	}
	x.Approval.Parts = append(shown.Parts, rest...)
	if unsandboxed.Match(input.JSON()) {
		x.marks = []string{queue.MarkRights}
	}
	// The description is left out, because a model words it differently each time.
	x.Approval.Request = Hash(input.Without("description").JSON())
	x.Reason, x.Odd = shown.reason, shown.odd
	if len(x.Approval.Parts) == 0 {
		return withoutInput(tool, x), true
	}
	what := shown.title
	switch {
	case what != "":
	case len(shown.Parts) == 0: // only the raw input is shown
		what = input.FirstValue()
	case shown.Parts[0].Label != "":
		what, _ = queue.ShownName(shown.Parts[0].Label)
	default:
		what = shown.Parts[0].Text
	}
	x.Title = ApprovalTitle(tool, FirstLine(what))
	return x, true
}

// NoInput stands for the input of a tool that is called without any.
const NoInput = "no arguments"

// withoutInput completes the request of a tool that is called without arguments.
func withoutInput(tool string, x Draft) Draft {
	x.Approval.Parts = []queue.Part{{Kind: queue.PartText, Text: NoInput}}
	x.Title = "Allow " + tool + " (" + NoInput + ")?"
	return x
}

// readOddInput reads input that is no object, or has a name twice. It is shown as it was received.
func readOddInput(tool string, given json.RawMessage) (x Draft, ok bool) {
	x.Approval.Request = Hash(given)
	if len(given) == 0 || string(given) == "null" {
		return withoutInput(tool, x), true
	}
	text, ok := wire.Indent(given)
	x.Odd = true
	if unsandboxed.Match(given) {
		x.marks = []string{queue.MarkRights}
	}
	x.Approval.Parts = []queue.Part{{Kind: queue.PartText, Text: text}}
	x.Title = ApprovalTitle(tool, "")
	return x, ok
}

// Shown holds the fields of a tool's input that are shown in a form of their own.
type Shown struct {
	Names     []string     // the names of these fields
	Parts     []queue.Part // the fields as parts of the approval
	sentences []string     // what further fields say, in words
	reason    string
	title     string // empty: the first of parts is the title
	odd       bool   // the reader does not know the input
}

// ReadCommand reads the input of a tool that runs a shell command.
func ReadCommand(o wire.Object) (Shown, bool) {
	return readPart(o, queue.PartCommand, "command", "description")
}

// ReadBash reads the input of Claude Code's shell, and of Qwen Code's: a command and how it is run.
func ReadBash(o wire.Object) (s Shown, ok bool) {
	s, ok = ReadCommand(o)
	s.saySo(o, fieldTimeout, fieldBehind, fieldBehindQwen, fieldSandboxOff)
	return s, ok
}

// ReadFetch reads the input of a tool that fetches an address.
func ReadFetch(o wire.Object) (Shown, bool) {
	return readPart(o, queue.PartAddress, "url", "prompt")
}

// readPart reads the input of a tool that has one text to show, and the agent's reason, under these names.
func readPart(o wire.Object, kind, name, why string) (s Shown, ok bool) {
	text, isText := o.Text(name)
	reason, isReason := o.Text(why)
	s.Names, s.reason = []string{name, why}, reason
	s.Parts = []queue.Part{{Kind: kind, Text: text}}
	return s, isText && isReason && !queue.Blank(text)
}

// ReadOther shows nothing in a form of its own.
func ReadOther(wire.Object) (Shown, bool) { return Shown{}, true }

// Hash returns the SHA-256 of a request in hexadecimal. It identifies the request.
func Hash(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// If the person allows more than this one use, the agent stores a permission rule. The rule is exact if it covers the
// shown command and nothing more. Where that is not certain, the rule is not called exact: then choicetui stores an
// exact rule of its own instead, and allows the agent this one use.

// Wildcards lists the characters with which a rule of an agent becomes a pattern, or a path in it another path.
const Wildcards = "*?\\"

// OneCommand returns the command of an approval that is about a single command; empty: it is about more, or about
// something else.
func OneCommand(parts []queue.Part) string {
	if len(parts) != 1 || parts[0].Kind != queue.PartCommand {
		return ""
	}
	return parts[0].Text
}

// IsExactly reports whether a rule covers this command and no other.
func IsExactly(rule, command string) bool {
	return command != "" && rule == command && strings.TrimSpace(rule) == rule && !strings.ContainsAny(rule, Wildcards)
}
