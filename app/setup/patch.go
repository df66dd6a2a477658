package setup

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
)

// patchText applies steps to the text of a JSON file, and keeps its comments and layout.
func patchText(text []byte, steps []step) ([]byte, error) {
	return patched(text, func(v *hujson.Value, body []byte, doc any) (want any) {
		want = doc
		for _, s := range steps {
			s.set(v, body)
			want = withValue(want, s.path, s.value())
		}
		return want
	})
}

// patched changes the parsed text of a JSON file. It keeps a byte order mark and the line ends of Windows. change
// returns the document that is wanted: patched compares it with the result, and fails with an *Unfit if they differ in
// anything.
func patched(text []byte, change func(v *hujson.Value, body []byte, doc any) (want any)) ([]byte, error) {
	body, hasMark := bytes.CutPrefix(text, byteOrderMark)
	ends := lineEndsOf(body)
	body = bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n"))
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
	want := change(&v, body, doc)
	after := v.Pack()
	if got, failed := decodeObject(after); failed != nil || !reflect.DeepEqual(any(got), want) {
		return nil, &Unfit{Why: "this is written in a way that cannot be changed safely; change the lines by hand " +
			"(choicetui help connect)"}
	}
	if after = ends.restore(body, after); hasMark {
		after = slices.Concat(byteOrderMark, after)
	}
	return after, nil
}

// lineEnds tells how the lines of a text end: whether each one ends as in Windows, and whether most of them do.
type lineEnds struct {
	windows []bool
	most    bool
}

// lineEndsOf returns the line ends of a text.
func lineEndsOf(text []byte) (ends lineEnds) {
	windows := 0
	for line := range bytes.Lines(text) {
		isWindows := bytes.HasSuffix(line, []byte("\r\n"))
		if ends.windows = append(ends.windows, isWindows); isWindows {
			windows++
		}
	}
	ends.most = windows*2 > len(ends.windows)
	return ends
}

// restore gives the lines of a changed text their ends back. before is the text before the change; both have
// the line ends of Unix. Lines that stayed at the beginning and at the end have the end that they had, and the others
// that of most lines.
func (ends lineEnds) restore(before, after []byte) (text []byte) {
	was, now := bytes.SplitAfter(before, []byte("\n")), bytes.SplitAfter(after, []byte("\n"))
	same := 0 // the lines that stayed at the beginning
	for same < min(len(was), len(now)) && bytes.Equal(was[same], now[same]) {
		same++
	}
	tail := 0 // the lines that stayed at the end
	for tail < min(len(was), len(now))-same && bytes.Equal(was[len(was)-1-tail], now[len(now)-1-tail]) {
		tail++
	}
	for i, line := range now {
		isWindows := ends.most
		switch {
		case i < same && i < len(ends.windows):
			isWindows = ends.windows[i]
		case i >= len(now)-tail && i-len(now)+len(was) < len(ends.windows):
			isWindows = ends.windows[i-len(now)+len(was)]
		}
		if body, ended := bytes.CutSuffix(line, []byte("\n")); ended && isWindows {
			line = slices.Concat(body, []byte("\r\n"))
		}
		text = append(text, line...)
	}
	return text
}

// set sets the value of the step in a parsed file. text is the file's text, whose layout it follows.
func (s step) set(v *hujson.Value, text []byte) {
	depth := 0 // the number of keys that lead to an existing object or list
	for depth < len(s.path)-1 && isTable(v.Find(jsonPointer(s.path[:depth+1]))) {
		depth++
	}
	value := s.raw
	for _, key := range slices.Backward(s.path[depth+1:]) {
		value = "{" + agent.Quoted(key) + ": " + value + "}"
	}
	above, there := v.Find(jsonPointer(s.path[:depth])), v.Find(jsonPointer(s.path[:depth+1]))
	l := layoutOf(text, above, depth)
	made, err := hujson.Parse([]byte(l.render(value)))
	switch {
	case err != nil || above == nil: // the comparison of the documents reports it
	case there != nil:
		there.Value = made.Value
	default:
		l.add(above, s.path[depth], made.Value)
	}
}

// add adds an item behind the others of an object or a list. It keeps the comment behind the item before it in place,
// and ends with a comma if that item does.
func (l layout) add(v *hujson.Value, name string, value hujson.ValueTrimmed) {
	items, closing := itemsOf(v)
	var comma, head hujson.Extra // head belongs to the item before
	tail := *closing
	switch n := lineEnd(tail); {
	case len(items) == 0:
		if head, tail = bytes.TrimRight(tail, blanks), hujson.Extra(l.closing); hasComment(head) {
			tail = (*closing)[len(head):]
		}
	case hasComment(tail[:n]):
		if head = tail[:n]; !bytes.Contains(head, []byte("//")) {
			head = bytes.TrimRight(head, blanks)
		}
		tail = tail[len(head):]
	}
	if len(items) > 0 && *items[len(items)-1].after != nil {
		comma = hujson.Extra{}
	}
	lead := l.lead
	if bytes.Contains(head, []byte("//")) && !strings.Contains(lead, "\n") {
		lead = "\n"
	}
	before := slices.Concat(head, hujson.Extra(lead))
	switch c := v.Value.(type) {
	case *hujson.Object:
		c.Members = append(c.Members, hujson.ObjectMember{
			Name:  hujson.Value{BeforeExtra: before, Value: hujson.String(name)},
			Value: hujson.Value{BeforeExtra: hujson.Extra(" "), Value: value, AfterExtra: comma}})
	case *hujson.Array:
		c.Elements = append(c.Elements, hujson.Value{BeforeExtra: before, Value: value, AfterExtra: comma})
	}
	*closing = tail
}

// blanks are the characters of white space in JSON.
const blanks = " \t\r\n"

// remove removes the item at an index of an object or a list. It is the inverse of add, and keeps the comments around
// the item.
func remove(v *hujson.Value, at int) {
	items, closing := itemsOf(v)
	before, own := *items[at].before, *items[at].after
	head := bytes.TrimRight(before, blanks)
	if n := bytes.LastIndexByte(before, '\n'); n >= len(head) {
		head = before[:n] // blanks at the end of a comment stay
	}
	rest := closing
	if at+1 < len(items) {
		rest = items[at+1].before
	}
	switch after := slices.Concat(head, own, *rest); {
	case len(items) == 1 && !hasComment(after):
		*rest = nil
	case at == 0 && at+1 < len(items) && !hasComment(slices.Concat(own, *rest)):
		*rest = before
	case at > 0 && at+1 == len(items) && own == nil: // the item before ends without a comma too
		last := items[at-1].after
		*rest, *last = slices.Concat(*last, after), nil
	default:
		*rest = after
	}
	switch c := v.Value.(type) {
	case *hujson.Object:
		c.Members = slices.Delete(c.Members, at, at+1)
	case *hujson.Array:
		c.Elements = slices.Delete(c.Elements, at, at+1)
	}
	if at > 0 && at+1 == len(items) && own != nil && *items[at-1].after == nil {
		*items[at-1].after = hujson.Extra{}
	}
}

// item points to the white space and comments around an item of an object or a list. after is nil if no comma follows
// the last item.
type item struct{ before, after *hujson.Extra }

// itemsOf returns the items of an object or a list, and the white space and comments before its closing bracket.
func itemsOf(v *hujson.Value) (items []item, closing *hujson.Extra) {
	switch c := v.Value.(type) {
	case *hujson.Object:
		for i := range c.Members {
			items = append(items, item{&c.Members[i].Name.BeforeExtra, &c.Members[i].Value.AfterExtra})
		}
		return items, &c.AfterExtra
	case *hujson.Array:
		for i := range c.Elements {
			items = append(items, item{&c.Elements[i].BeforeExtra, &c.Elements[i].AfterExtra})
		}
		return items, &c.AfterExtra
	}
	return nil, new(hujson.Extra)
}

// hasComment reports whether there is more than white space.
func hasComment(e []byte) bool { return len(bytes.TrimSpace(e)) > 0 }

// lineEnd returns the offset of the first line break outside a comment of several lines; without one, the length.
func lineEnd(e hujson.Extra) int {
	for i := 0; i < len(e); i++ {
		if e[i] == '\n' {
			return i
		}
		if bytes.HasPrefix(e[i:], []byte("/*")) {
			i += 2 + bytes.Index(e[i+2:], []byte("*/"))
		} else if bytes.HasPrefix(e[i:], []byte("//")) {
			i += bytes.IndexByte(e[i:], '\n') - 1 // hujson wants a line break behind it
		}
	}
	return len(e)
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
	items, _ := itemsOf(v)
	whole := bytes.TrimSpace(text)
	switch {
	case len(items) > 0 && bytes.Contains(*items[0].before, []byte("\n")):
		line := (*items[0].before)[bytes.LastIndexByte(*items[0].before, '\n')+1:]
		l.lead = "\n" + string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
	case len(items) > 0:
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

// withoutOurs returns the text of a JSON file without our values of some settings. was is the document from before
// set-up, or nil: its values, tables and lists stay. Other tables and lists go if they become empty.
func withoutOurs(text []byte, sets []agent.Setting, was map[string]any) ([]byte, error) {
	if doc, err := decodeObject(bytes.TrimPrefix(text, byteOrderMark)); err != nil {
		return nil, err
	} else if _, found := ourPath(doc, sets, was); !found {
		return text, nil
	}
	return patched(text, func(v *hujson.Value, _ []byte, rest any) any {
		for {
			doc, _ := rest.(map[string]any)
			path, found := ourPath(doc, sets, was)
			if !found {
				return rest
			}
			for len(path) > 1 && isAlone(v, path) && !has(was, path[:len(path)-1]) {
				path = path[:len(path)-1]
			}
			removePath(v, path)
			rest = withValue(rest, path, absent{})
		}
	})
}

// removePath removes the value at a path of a parsed file.
func removePath(v *hujson.Value, path []string) {
	above := v.Find(jsonPointer(path[:len(path)-1]))
	switch c := above.Value.(type) {
	case *hujson.Object:
		remove(above, slices.IndexFunc(c.Members, func(m hujson.ObjectMember) bool {
			return m.Name.Value.(hujson.Literal).String() == path[len(path)-1]
		}))
	case *hujson.Array:
		at, _ := strconv.Atoi(path[len(path)-1])
		remove(above, at)
	}
}

// isAlone reports whether the value at a path is the only thing in its table or list, where a comment is a thing too.
func isAlone(v *hujson.Value, path []string) bool {
	items, closing := itemsOf(v.Find(jsonPointer(path[:len(path)-1])))
	return len(items) == 1 && !hasComment(slices.Concat(*items[0].before, *items[0].after, *closing))
}

// has reports whether a document has a value at a path of keys.
func has(doc map[string]any, path []string) bool {
	_, found, _ := lookUp(doc, path)
	return found
}

// ourPath returns the path of the first value of ours in a document: of an entry or a hook that starts choicetui, or of
// a setting that has our value and that was does not have.
func ourPath(doc map[string]any, sets []agent.Setting, was map[string]any) (path []string, found bool) {
	for _, s := range sets {
		there, found, _ := lookUp(doc, s.Path)
		entry, isEntry := there.(map[string]any)
		want := step{s.Path, s.Value}.value()
		members, _ := want.(map[string]any)
		switch {
		case s.Shared:
		case s.Listed:
			if path, found = hookPath(there, s); found {
				return path, true
			}
		case isEntry && isOurs(entry, members), found && !isEntry && there == want && !has(was, s.Path):
			return s.Path, true
		}
	}
	return nil, false
}

// withOtherEvents returns settings, and those hooks for the other events of a document: an older build may have had a
// hook there.
func withOtherEvents(sets []agent.Setting, doc map[string]any) []agent.Setting {
	events, _ := doc["hooks"].(map[string]any)
	at := slices.IndexFunc(sets, func(s agent.Setting) bool { return s.Listed && s.Path[0] == "hooks" })
	all := slices.Clone(sets)
	for _, event := range slices.Sorted(maps.Keys(events)) {
		if at >= 0 {
			all = append(all, agent.Setting{Path: []string{"hooks", event}, Listed: true, Value: sets[at].Value})
		}
	}
	return all
}
