package native

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// wanted is a request for permission, with its reason.
type wanted struct {
	title    string
	reason   string // Markdown, by the agent; empty: it gives no reason
	approval queue.Approval
}

// ask returns the approval as it is put into the queue. A mark only ever adds the confirmation.
func (x wanted) ask(w Words, options []queue.Option) queue.Ask {
	a := queue.Ask{Kind: queue.KindApproval, Title: firstLine(x.title), Prompt: x.reason, Approval: &x.approval,
		OnTimeout: queue.OnTimeoutNone,
		Questions: []queue.Question{{ID: "approval", Text: w.Wants, Mode: queue.ModeSingle, Min: 1, Max: 1,
			Annotate: true, Options: options}}}
	x.approval.Marks = marks(x.approval)
	a.Confirm = len(x.approval.Marks) > 0 // every face says why
	return a
}

// toolReaders are the tools of an agent that are shown in a form of their own.
type toolReaders map[string]func(object) (shown, bool)

// read reads what a tool would do, in full: input that has no form of its own is shown behind it as it was received.
func (readers toolReaders) read(tool string, input object, w Words) (x wanted, ok bool) {
	read := readers[tool]
	if read == nil {
		read = readOther
	}
	shown, ok := read(input)
	if !ok {
		return x, false
	}
	rest, ok := restOf(input.without(shown.names...), w)
	if !ok {
		return x, false
	}
	x.approval.Parts = append(shown.parts, rest...)
	x.approval.Request = hashOf(input.without("description").json()) // a model words that differently each time
	x.reason = shown.reason
	if len(x.approval.Parts) == 0 {
		return x, false
	}
	what := shown.title
	switch {
	case what != "":
	case len(shown.parts) == 0: // the tool is not known, and the part is its input as it was received
		what = input.firstValue()
	default:
		what = cmp.Or(shown.parts[0].Label, shown.parts[0].Text)
	}
	x.title = w.Title(tool, firstLine(what))
	return x, true
}

// shown are the fields of a tool's input that are shown, and how.
type shown struct {
	names  []string
	parts  []queue.Part
	reason string
	title  string // empty: the first of parts says it
}

// claudeTools reads the tools of Claude Code.
var claudeTools = toolReaders{
	"Bash":      readCommand,
	"Edit":      func(o object) (shown, bool) { return readEdits(o, o) },
	"MultiEdit": func(o object) (shown, bool) { return readEdits(o, nil) },
	"Write":     readWrite,
	"WebFetch":  readFetch,
}

func readCommand(o object) (s shown, ok bool) {
	command, isText := o.text("command")
	reason, isReason := o.text("description")
	s.names, s.reason = []string{"command", "description"}, reason
	s.parts = []queue.Part{{Kind: queue.PartCommand, Text: command}}
	return s, isText && isReason && !queue.Blank(command)
}

func readFetch(o object) (s shown, ok bool) {
	address, isText := o.text("url")
	reason, isReason := o.text("prompt")
	s.names, s.reason = []string{"url", "prompt"}, reason
	s.parts = []queue.Part{{Kind: queue.PartAddress, Text: address}}
	return s, isText && isReason && !queue.Blank(address)
}

func readWrite(o object) (s shown, ok bool) {
	path, isPath := o.text("file_path")
	content, isText := o.text("content")
	_, there := o.get("content")
	s.names = []string{"file_path", "content"}
	s.parts = []queue.Part{{Kind: queue.PartDiff, Label: path, Text: changed("", content)}}
	return s, isPath && isText && there && !queue.Blank(path)
}

// readEdits reads the edits of one file: the given one, or a list of several.
func readEdits(o, one object) (s shown, ok bool) {
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
		s.parts = append(s.parts, queue.Part{Kind: queue.PartDiff, Label: path, Text: changed(before, after)})
		if every && one == nil {
			s.parts = append(s.parts, queue.Part{Kind: queue.PartText, Label: path, Text: "replace_all: true"})
		}
	}
	return s, isPath && !queue.Blank(path)
}

// readOther shows nothing in a form of its own.
func readOther(object) (shown, bool) { return shown{}, true }

// hashOf returns what identifies a request: the SHA-256 of its bytes.
func hashOf(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// noNewline says of a side of a change that it ends without a line break, as diff(1) does. No line of a side begins so.
const noNewline = "\\ no newline at the end\n"

// changed returns a change as lines that go and lines that come. Where only one side ends with a line break, the other
// one says that it does not: the next line of the file would be joined to it. A whole new text says so too.
func changed(before, after string) string {
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

// restOf returns the rest of a tool's input as it was received, except for line breaks: nothing of it may be hidden
// from the person who allows it.
func restOf(rest object, w Words) ([]queue.Part, bool) {
	if len(rest) == 0 {
		return nil, true
	}
	var b bytes.Buffer
	if json.Indent(&b, rest.json(), "", "  ") != nil {
		return nil, false
	}
	return []queue.Part{{Kind: queue.PartText, Label: w.Rest, Text: b.String()}}, true
}
