package setup

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/choicetui/choicetui/app/connect"
)

// jsonText edits JSON, with or without comments and commas at the end.
type jsonText struct{}

// placed finds the place that the parser names in its error.
var placed = regexp.MustCompile(`^hujson: line (\d+), column (\d+): (.*)$`)

func (jsonText) parse(text []byte) (hujson.Value, error) {
	v, err := hujson.Parse(text)
	if err == nil {
		return v, nil
	}
	if m := placed.FindStringSubmatch(err.Error()); m != nil {
		line, _ := strconv.Atoi(m[1])
		column, _ := strconv.Atoi(m[2])
		return v, &Unfit{line, column, "this is no JSON: " + m[3]}
	}
	return v, &Unfit{1, 1, "this is no JSON: " + err.Error()}
}

func (j jsonText) decode(text []byte) (map[string]any, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return map[string]any{}, nil
	}
	v, err := j.parse(text)
	if err != nil {
		return nil, err
	}
	if at := doubled(v); at >= 0 {
		return nil, unfitAt(text, at, "this key stands here for the second time; agents differ in which one they take")
	}
	if _, ok := v.Value.(*hujson.Object); !ok {
		return nil, unfitAt(text, v.StartOffset, "the file should hold one object, { … }")
	}
	plain := v.Clone()
	plain.Standardize()
	doc, err := decodeJSON(plain.Pack())
	if err != nil {
		return nil, unfitAt(text, v.StartOffset, "this is no JSON: "+err.Error())
	}
	return doc.(map[string]any), nil
}

// doubled returns the offset of a key that its object has twice; -1: no key is doubled.
func doubled(v hujson.Value) int {
	switch c := v.Value.(type) {
	case *hujson.Object:
		seen := map[string]bool{}
		for _, m := range c.Members {
			name := nameOf(m)
			if seen[name] {
				return m.Name.StartOffset
			}
			seen[name] = true
			if at := doubled(m.Value); at >= 0 {
				return at
			}
		}
	case *hujson.Array:
		for _, e := range c.Elements {
			if at := doubled(e); at >= 0 {
				return at
			}
		}
	}
	return -1
}

func nameOf(m hujson.ObjectMember) (name string) {
	if literal, ok := m.Name.Value.(hujson.Literal); ok {
		name = literal.String()
	}
	return name
}

// member returns the member of an object with a name; nil: there is no such member.
func member(o *hujson.Object, name string) *hujson.ObjectMember {
	for i := range o.Members {
		if nameOf(o.Members[i]) == name {
			return &o.Members[i]
		}
	}
	return nil
}

func (j jsonText) offset(text []byte, path []string) (at int) {
	v, err := j.parse(text)
	if err != nil {
		return 0
	}
	for _, key := range path {
		o, ok := v.Value.(*hujson.Object)
		if !ok {
			return at
		}
		m := member(o, key)
		if m == nil {
			return at
		}
		at, v = m.Name.StartOffset, m.Value
	}
	return at
}

func (j jsonText) set(text []byte, path []string, value string) ([]byte, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{\n}\n")
	}
	v, err := j.parse(text)
	if err != nil {
		return nil, err
	}
	for i, key := range path {
		below, ok := inside(v, key)
		switch _, isList := v.Value.(*hujson.Array); {
		case !ok:
			return nil, unfitAt(text, v.StartOffset, "this should be an object, { … }")
		case below == nil && isList:
			return addItem(text, v, "", nested(path[i+1:], value)), nil
		case below == nil:
			return addItem(text, v, connect.Quoted(key)+": ", nested(path[i+1:], value)), nil
		case i == len(path)-1:
			l := layoutOf(text, v)
			raw := l.render([]byte(value), l.inner)
			return slices.Concat(text[:below.StartOffset], []byte(raw), text[below.EndOffset:]), nil
		}
		v = *below
	}
	return text, nil
}

// inside returns the value that an object has under a name, or a list at a place; nil: there is no such value. ok is
// false if v is neither.
func inside(v hujson.Value, key string) (below *hujson.Value, ok bool) {
	switch c := v.Value.(type) {
	case *hujson.Object:
		if m := member(c, key); m != nil {
			below = &m.Value
		}
		return below, true
	case *hujson.Array:
		if i, err := strconv.Atoi(key); err == nil && i < len(c.Elements) {
			below = &c.Elements[i]
		}
		return below, true
	}
	return nil, false
}

// items returns where the first item of an object or a list begins, and the value of its last one; nil: it is empty.
func items(v hujson.Value) (first int, last *hujson.Value) {
	switch c := v.Value.(type) {
	case *hujson.Object:
		if n := len(c.Members); n > 0 {
			return c.Members[0].Name.StartOffset, &c.Members[n-1].Value
		}
	case *hujson.Array:
		if n := len(c.Elements); n > 0 {
			return c.Elements[0].StartOffset, &c.Elements[n-1]
		}
	}
	return 0, nil
}

// nested returns a value below keys.
func nested(path []string, value string) string {
	for i := len(path) - 1; i >= 0; i-- {
		value = `{` + connect.Quoted(path[i]) + `: ` + value + `}`
	}
	return value
}

// layout says how an object or a list is written.
type layout struct {
	newline string
	outer   string // before the line of its brackets
	inner   string // before a member
	unit    string // what one level adds
	oneLine bool
}

// layoutOf looks at the object or list v, whose offsets are in text.
func layoutOf(text []byte, v hujson.Value) layout {
	l := layout{newline: newline(text), unit: unitOf(text)}
	l.outer = indentAt(text, v.StartOffset)
	l.inner = l.outer + l.unit
	closing := v.EndOffset - 1
	if first, last := items(v); last != nil {
		l.oneLine = !bytes.Contains(text[v.StartOffset:first], []byte("\n")) &&
			!bytes.Contains(text[last.EndOffset:closing], []byte("\n"))
		if bytes.Contains(text[v.StartOffset:first], []byte("\n")) {
			l.inner = indentAt(text, first)
		}
		return l
	}
	whole := bytes.TrimSpace(text)
	l.oneLine = !bytes.Contains(whole, []byte("\n")) && len(whole) > len("{}")
	return l
}

// indentAt returns the white space that begins the line of an offset.
func indentAt(text []byte, at int) string {
	line := text[bytes.LastIndexByte(text[:at], '\n')+1 : at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// indented finds the first line that is indented below an opening bracket.
var indented = regexp.MustCompile(`[{\[][ \t]*\r?\n([ \t]+)\S`)

// unitOf returns the indentation that one level adds to a line.
func unitOf(text []byte) string {
	if m := indented.FindSubmatch(text); m != nil {
		return string(m[1])
	}
	return "  "
}

// addItem adds a member of the object v, or one of the list v, behind the last one. lead comes before its value.
func addItem(text []byte, v hujson.Value, lead, value string) []byte {
	l := layoutOf(text, v)
	closing := v.EndOffset - 1
	end := len(bytes.TrimRight(text[:closing], " \t\r\n")) // behind a last comment too
	line := lead + l.render([]byte(value), l.inner)
	comma, ended, before := "", "", l.newline+l.inner
	if l.oneLine {
		before = " "
	}
	if _, last := items(v); last == nil {
		if l.oneLine {
			before = ""
		} else if !bytes.Contains(text[end:closing], []byte("\n")) {
			ended = l.newline + l.outer
		}
	} else if last.AfterExtra != nil { // this list ends with a comma
		line += ","
	} else {
		comma = ","
		text = inserted(text, last.EndOffset, comma)
		end++
	}
	return inserted(text, end, before+line+ended)
}

// render writes JSON with its objects over several lines, or all in one line.
func (l layout) render(value []byte, indent string) string {
	v, err := hujson.Parse(value)
	if err != nil {
		return string(value)
	}
	return l.renderValue(v, indent)
}

func (l layout) renderValue(v hujson.Value, indent string) string {
	switch c := v.Value.(type) {
	case *hujson.Object:
		return l.renderObject(c, indent)
	case *hujson.Array:
		return l.renderArray(c, indent)
	case hujson.Literal:
		return string(c)
	}
	return "null"
}

// renderArray writes a list of plain values in one line, and one of objects like an object.
func (l layout) renderArray(a *hujson.Array, indent string) string {
	below, objects := indent+l.unit, false
	for _, e := range a.Elements {
		_, isObject := e.Value.(*hujson.Object)
		objects = objects || isObject
	}
	var all []string
	for _, e := range a.Elements {
		all = append(all, l.renderValue(e, below))
	}
	if l.oneLine || !objects {
		return "[" + strings.Join(all, ", ") + "]"
	}
	between := l.newline + below
	return "[" + between + strings.Join(all, ","+between) + l.newline + indent + "]"
}

func (l layout) renderObject(o *hujson.Object, indent string) string {
	var all []string
	below := indent + l.unit
	for _, m := range o.Members {
		all = append(all, connect.Quoted(nameOf(m))+": "+l.renderValue(m.Value, below))
	}
	if l.oneLine || len(all) == 0 {
		return "{" + strings.Join(all, ", ") + "}"
	}
	between := l.newline + below
	return "{" + between + strings.Join(all, ","+between) + l.newline + indent + "}"
}

// withoutMembers returns a text without the settings of a target that still have our values, and without the tables
// that are empty then.
func withoutMembers(text []byte, doc map[string]any, t connect.Target) []byte {
	body, hasMark := bytes.CutPrefix(text, mark)
	v, err := hujson.Parse(body)
	if err != nil {
		return text
	}
	for _, s := range t.Sets {
		path, found := stillOurs(doc, s)
		for ; found && len(path) > 0; path = path[:len(path)-1] {
			if v.Patch([]byte(`[{"op": "remove", "path": `+connect.Quoted(pointer(path))+`}]`)) != nil {
				break
			}
			if !isEmpty(v.Find(pointer(path[:len(path)-1]))) {
				break
			}
		}
	}
	if body = v.Pack(); hasMark {
		body = append(slices.Clone(mark), body...)
	}
	return body
}

// stillOurs returns the path of a setting that still has our value.
func stillOurs(doc map[string]any, s connect.Setting) (path []string, found bool) {
	there, found, _ := lookUp(doc, s.Path)
	if s.Listed {
		return hookPath(there, s)
	}
	want, err := decodeJSON([]byte(s.Value))
	if entry, isEntry := there.(map[string]any); isEntry {
		members, _ := want.(map[string]any)
		found = found && isOurs(entry, members)
	} else {
		found = found && there == want
	}
	return s.Path, found && err == nil && !s.Shared
}

// isEmpty reports whether a value is an object or a list with nothing in it.
func isEmpty(v *hujson.Value) bool {
	switch c := v.Value.(type) {
	case *hujson.Object:
		return len(c.Members) == 0
	case *hujson.Array:
		return len(c.Elements) == 0
	}
	return false
}

// pointer returns a path as a JSON pointer.
func pointer(path []string) (p string) {
	for _, key := range path {
		p += "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
	}
	return p
}
