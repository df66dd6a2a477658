package setup

import (
	"bytes"
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
)

// patchText applies steps to the text of a JSON file, and keeps its comments and layout. It parses the result and
// compares it with the wanted document. If they differ in anything, it fails with an *Unfit.
func patchText(text []byte, steps []step) ([]byte, error) {
	body, hasMark := bytes.CutPrefix(text, byteOrderMark)
	newline := []byte("\n")
	if n := bytes.Count(body, []byte("\r\n")); n > 0 && n == bytes.Count(body, newline) {
		newline = []byte("\r\n")
	}
	body = bytes.ReplaceAll(body, newline, []byte("\n"))
	if len(bytes.TrimSpace(body)) == 0 {
		body = []byte("{\n}\n")
	}
	doc, err := decodeObject(body)
	if err != nil {
		return nil, err
	}
	v, err := hujson.Parse(body)
	if err != nil {
		return nil, parseFailure(agent.JSON, err)
	}
	var want any = doc
	for _, s := range steps {
		if err == nil {
			err = s.patchValue(&v, body)
		}
		want = withValue(want, s.path, s.value())
	}
	after := v.Pack()
	if got, failed := decodeObject(after); err != nil || failed != nil || !reflect.DeepEqual(any(got), want) {
		return nil, &Unfit{Why: "this is written in a way that cannot be changed safely; change the lines by hand " +
			"(choicetui help connect)"}
	}
	if after = bytes.ReplaceAll(after, []byte("\n"), newline); hasMark {
		after = slices.Concat(byteOrderMark, after)
	}
	return after, nil
}

// patchValue applies the step to a parsed file. text is the file's text, whose layout it follows.
func (s step) patchValue(v *hujson.Value, text []byte) error {
	if s.raw == "" {
		return v.Patch([]byte(`[{"op": "remove", "path": ` + agent.Quoted(jsonPointer(s.path)) + `}]`))
	}
	depth := 0 // the number of keys that lead to an existing object or list
	for depth < len(s.path)-1 && isTable(v.Find(jsonPointer(s.path[:depth+1]))) {
		depth++
	}
	at, value := s.path[:depth+1], s.raw
	for _, key := range slices.Backward(s.path[depth+1:]) {
		value = "{" + agent.Quoted(key) + ": " + value + "}"
	}
	above, isNew := v.Find(jsonPointer(s.path[:depth])), v.Find(jsonPointer(at)) == nil
	l := layoutOf(text, above, depth)
	path, value := agent.Quoted(jsonPointer(at)), l.render(value)
	err := v.Patch([]byte(`[{"op": "add", "path": ` + path + `, "value": ` + value + `}]`))
	if err == nil && isNew {
		l.placeLast(above)
	}
	return err
}

// jsonPointer returns a path as a JSON pointer.
func jsonPointer(path []string) (p string) {
	for _, key := range path {
		p += "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
	}
	return p
}

// isTable reports whether a value is an object or a list.
func isTable(v *hujson.Value) bool {
	return v != nil && (v.Value.Kind() == '{' || v.Value.Kind() == '[')
}

// spacesIn returns the white space and comments in an object or a list: before its first item, before its last item,
// and before the closing bracket. first and last are nil if it is empty.
func spacesIn(v *hujson.Value) (first, last, closing *hujson.Extra) {
	switch c := v.Value.(type) {
	case *hujson.Object:
		if n := len(c.Members); n > 0 {
			first, last = &c.Members[0].Name.BeforeExtra, &c.Members[n-1].Name.BeforeExtra
		}
		return first, last, &c.AfterExtra
	case *hujson.Array:
		if n := len(c.Elements); n > 0 {
			first, last = &c.Elements[0].BeforeExtra, &c.Elements[n-1].BeforeExtra
		}
		return first, last, &c.AfterExtra
	}
	return nil, nil, new(hujson.Extra)
}

// layout says how the items of an object or a list are laid out, because the library adds an item without any space.
type layout struct {
	lead    string // the space before an item
	closing string // the space before the closing bracket of an object or list that was empty
	unit    string // the indentation of one level
}

var (
	// indentedLine matches the first line that is indented below an opening bracket.
	indentedLine = regexp.MustCompile(`[{\[][ \t]*\n([ \t]+)\S`)
	// lineBreaks matches line breaks with the indentation after them. Strings in JSON contain none.
	lineBreaks = regexp.MustCompile(`\n\s*`)
	// plainList matches lists of plain values over several lines.
	plainList = regexp.MustCompile(`\[\n[^\[\]{}]*\n\s*\]`)
)

// layoutOf returns the layout of an object or a list at a depth of nesting in a text.
func layoutOf(text []byte, v *hujson.Value, depth int) layout {
	l := layout{unit: "  "}
	if m := indentedLine.FindSubmatch(text); m != nil {
		l.unit = string(m[1])
	}
	first, _, _ := spacesIn(v)
	whole := bytes.TrimSpace(text)
	switch {
	case first != nil && bytes.Contains(*first, []byte("\n")):
		line := (*first)[bytes.LastIndexByte(*first, '\n')+1:]
		l.lead = "\n" + string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
	case first != nil:
		l.lead = " "
	case bytes.Contains(whole, []byte("\n")) || len(whole) == len("{}"):
		l.lead, l.closing = "\n"+strings.Repeat(l.unit, depth+1), "\n"+strings.Repeat(l.unit, depth)
	}
	return l
}

// render returns a value in the layout of its place: in one line, or over several lines with its plain lists in one
// line.
func (l layout) render(value string) string {
	var out bytes.Buffer
	indent, several := strings.CutPrefix(l.lead, "\n")
	if !several || json.Indent(&out, []byte(value), indent, l.unit) != nil {
		return lineBreaks.ReplaceAllString(value, " ")
	}
	return plainList.ReplaceAllStringFunc(out.String(), func(list string) string {
		list = lineBreaks.ReplaceAllString(list, " ")
		return "[" + list[len("[ "):len(list)-len(" ]")] + "]"
	})
}

// placeLast sets the white space around the last item of an object or a list, which was just added.
func (l layout) placeLast(v *hujson.Value) {
	if o, ok := v.Value.(*hujson.Object); ok {
		o.Members[len(o.Members)-1].Value.BeforeExtra = hujson.Extra(" ")
	}
	_, last, closing := spacesIn(v)
	comment := bytes.TrimRight(*last, " \t\r\n") // a comment that follows the item before it
	if *last = append(comment, l.lead...); bytes.Contains(comment, []byte("//")) && !strings.Contains(l.lead, "\n") {
		*last = append(comment, "\n"...)
	}
	if l.closing != "" {
		*closing = append(bytes.TrimRight(*closing, " \t\r\n"), l.closing...)
	}
}

// removingSteps returns the steps that remove the settings which still have our values, and then the tables and lists
// that become empty.
func removingSteps(doc map[string]any, sets []agent.Setting) (steps []step) {
	var rest any = doc
	for _, s := range sets {
		doc, _ := rest.(map[string]any)
		path, found := stillOurs(doc, s)
		if !found {
			continue
		}
		for len(path) > 1 && isAlone(rest, path[:len(path)-1]) {
			path = path[:len(path)-1]
		}
		steps = append(steps, step{path: path})
		rest = withValue(rest, path, absent{})
	}
	return steps
}

// isAlone reports whether the table or list at a path has exactly one item.
func isAlone(v any, path []string) bool {
	for _, key := range path {
		switch c := v.(type) {
		case map[string]any:
			v = c[key]
		case []any:
			i, _ := strconv.Atoi(key)
			v = c[i]
		}
	}
	table, _ := v.(map[string]any)
	list, _ := v.([]any)
	return len(table)+len(list) == 1
}

// stillOurs returns the path of a setting that still has our value.
func stillOurs(doc map[string]any, s agent.Setting) (path []string, found bool) {
	there, found, _ := lookUp(doc, s.Path)
	if s.Listed {
		return hookPath(there, s)
	}
	want := step{s.Path, s.Value}.value()
	if entry, isEntry := there.(map[string]any); isEntry {
		members, _ := want.(map[string]any)
		found = found && isOurs(entry, members)
	} else {
		found = found && there == want
	}
	return s.Path, found && !s.Shared
}
