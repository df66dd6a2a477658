package prompt

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
)

// The fields of a tool's input that no reader knows are shown as `name: value`, one a line. A text of several lines and
// a value with values of its own are parts of their own. Two different inputs never give the same parts: a text that
// reads like another value is in quotes.

const (
	// LabelWith names the part with the fields that are given beside what is shown already.
	LabelWith = "with"
	// mostNested limits the characters of a value with values of its own that is shown in one line.
	mostNested = 60
)

// plainField matches the name of a field that needs no quotes.
var plainField = regexp.MustCompile(`^[\w-]+$`)

// RemainingInput returns the fields of a tool's input that are not shown yet as parts of the approval. All of them are
// shown, because nothing may be hidden from the person who allows it.
func RemainingInput(rest wire.Object) ([]queue.Part, bool) { return FieldParts(LabelWith, nil, rest) }

// FieldParts returns sentences about a request and fields of its input as parts of the approval: one with the label for
// all that takes one line, and one for each other field. ok is false if a value is no JSON.
func FieldParts(label string, sentences []string, fields wire.Object) (parts []queue.Part, ok bool) {
	lines := sentences
	for _, m := range fields {
		if !json.Valid(m.Raw) {
			return nil, false
		}
		name := m.Key
		if !plainField.MatchString(name) {
			name = string(wire.Encode(name))
		}
		if value, isLine := lineOf(m.Raw); isLine {
			lines = append(lines, name+": "+value)
			continue
		}
		parts = append(parts, ownPart(name, m.Raw))
	}
	if len(lines) > 0 {
		first := queue.Part{Kind: queue.PartText, Label: label, Text: strings.Join(lines, "\n")}
		parts = append([]queue.Part{first}, parts...)
	}
	return parts, true
}

// ownPart returns a value that needs several lines as a part of its own.
func ownPart(name string, raw json.RawMessage) queue.Part {
	part := queue.Part{Kind: queue.PartText, Label: LabelWith + " " + name}
	if text, ok := wire.ReadText(raw); ok {
		part.Text = text
		return part
	}
	if list, ok := (wire.Object{wire.Named("", raw)}).Texts(""); ok && len(list) > 0 {
		part.Label, part.Text = part.Label+" (list)", ListLines(list)
		return part
	}
	text, _ := wire.Indent(raw) // it is valid
	part.Label, part.Text = part.Label+" (JSON)", text
	return part
}

// ListLines returns a list of texts, one a line. A text that does not fit one line is in quotes.
func ListLines(list []string) string {
	var lines []string
	for _, text := range list {
		if queue.Blank(text) || strings.TrimSpace(text) != text || strings.ContainsAny(text, "\n\"") {
			text = string(wire.Encode(text))
		}
		lines = append(lines, text)
	}
	return strings.Join(lines, "\n")
}

// NameIn returns a name for use within a text of ours that becomes a part of an approval. It is in quotes if it has
// characters that would be written out where it is shown on its own (queue.ShownName).
func NameIn(name string) string {
	if shown, _ := queue.ShownName(name); shown != name || strings.Contains(name, `"`) {
		return string(wire.Encode(name))
	}
	return name
}

// lineOf returns a value as it is shown in one line. isLine is false if it needs several.
func lineOf(raw json.RawMessage) (line string, isLine bool) {
	text, isText := wire.ReadText(raw)
	if !isText {
		var b bytes.Buffer
		_ = json.Compact(&b, raw)
		switch line = b.String(); {
		case !strings.ContainsAny(line[:1], "{["):
			return line, true
		case line[0] == '[' && strings.Contains(line, `"`):
			return "", false
		}
		return line, len(line) <= mostNested
	}
	switch {
	case queue.Blank(text), strings.TrimSpace(text) != text && !strings.Contains(text, "\n"), json.Valid([]byte(text)):
		return string(wire.Encode(text)), true
	}
	return text, !strings.Contains(text, "\n")
}

// Fields that have words of their own in the tools that readers know. The same name may mean something else in another
// tool.
const (
	fieldTimeout    = "timeout" // in milliseconds
	fieldBehind     = "run_in_background"
	fieldBehindQwen = "is_background"
	fieldSandboxOff = "dangerouslyDisableSandbox"
	fieldEverywhere = "replace_all"
)

// saySo takes the fields of these names out of an input, and adds their words to the sentences about the request. A
// field that only says what holds without it has none. A value that has no words is left for remainingInput.
func (s *Shown) saySo(o wire.Object, names ...string) {
	for _, name := range names {
		raw, there := o.Get(name)
		if words, known := fieldWords(wire.Named(name, raw)); there && known {
			s.Names = append(s.Names, name)
			if words != "" {
				s.sentences = append(s.sentences, words)
			}
		}
	}
}

// fieldWords returns the words for a field of an input. known is false for a field, or a value, that has none.
func fieldWords(m wire.Member) (words string, known bool) {
	switch m.Key {
	case fieldBehind, fieldBehindQwen:
		words = "it runs in the background"
	case fieldSandboxOff:
		words = "it runs outside the sandbox"
	case fieldEverywhere:
		words = "every place where it occurs is changed"
	case fieldTimeout:
		var ms int64
		if json.Unmarshal(m.Raw, &ms) != nil || ms <= 0 || ms > time.Hour.Milliseconds()*1000 {
			return "", false
		}
		return "its time limit is " + timeWords(ms), true
	default:
		return "", false
	}
	switch string(m.Raw) {
	case "true":
		return words, true
	case "false":
		return "", true
	}
	return "", false
}

// timeWords returns a time that is given in milliseconds: `2 minutes`.
func timeWords(ms int64) string {
	n, unit := ms, "millisecond"
	switch {
	case ms%60_000 == 0:
		n, unit = ms/60_000, "minute"
	case ms%1000 == 0:
		n, unit = ms/1000, "second"
	}
	if n != 1 {
		unit += "s"
	}
	return fmt.Sprintf("%d %s", n, unit)
}
