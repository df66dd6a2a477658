package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/app/connect"
)

// Unfit says why a text is not changed. Lines and columns count from 1, columns in bytes; 0: it names no place in the
// text.
type Unfit struct {
	Line, Column int
	Why          string
}

func (u *Unfit) Error() string {
	if u.Line == 0 {
		return u.Why
	}
	return fmt.Sprintf("line %d, column %d: %s", u.Line, u.Column, u.Why)
}

// unfitAt returns an Unfit at an offset of a text.
func unfitAt(text []byte, offset int, why string) *Unfit {
	before := text[:min(max(offset, 0), len(text))]
	return &Unfit{1 + bytes.Count(before, []byte("\n")), len(before) - bytes.LastIndexByte(before, '\n'), why}
}

// lang reads and edits the text of one format.
type lang interface {
	// decode reads a text into maps, lists and scalars. It fails with an *Unfit.
	decode(text []byte) (map[string]any, error)
	// set returns the text with a value, given as JSON, at a path. The value is added, or replaces the one that is
	// there.
	set(text []byte, path []string, value string) ([]byte, error)
	// offset returns where in the text the value at a path begins, as far as the format tells; 0: not known.
	offset(text []byte, path []string) int
}

// langs has the editor of each format.
var langs = map[connect.Format]lang{connect.JSON: jsonText{}, connect.TOML: tomlText{}, connect.YAML: yamlText{}}

// mark is the byte order mark that some editors write; it stays, and no parser has to know it.
var mark = []byte("\xef\xbb\xbf")

// decodeText reads a text, which may begin with a byte order mark. It fails as decode does.
func decodeText(format connect.Format, text []byte) (map[string]any, error) {
	return langs[format].decode(bytes.TrimPrefix(text, mark))
}

// Changed returns the text with everything that a target needs in it. Values that are there already stay, the person's
// own too, but an old way to start this program is replaced, and our entry for another version of the agent removed.
// kept lists the paths whose value differs from the wanted one. It fails with an *Unfit if the text cannot be read,
// has another server of this name, or is written in a way that no edit fits.
func Changed(text []byte, format connect.Format, sets []connect.Setting) (after []byte, kept []string, err error) {
	body, hasMark := bytes.CutPrefix(text, mark)
	l := langs[format]
	before, err := l.decode(body)
	if err != nil {
		return nil, nil, err
	}
	after = body
	for _, s := range sets {
		if path, found := stillOurs(before, s); s.Before && found {
			after = withoutMembers(after, before, connect.Target{Sets: []connect.Setting{s}})
			remove(before, path)
		}
	}
	for _, s := range sets {
		if s.Former || s.Before {
			continue
		}
		steps, differ, err := missing(l, body, before, s)
		if err != nil {
			return nil, nil, err
		}
		kept = append(kept, differ...)
		for _, step := range steps {
			if after, err = l.set(after, step.path, step.raw); err != nil {
				return nil, nil, err
			}
			put(before, step.at, step.value)
		}
	}
	if err := verify(l, after, before); err != nil {
		return nil, nil, err
	}
	if hasMark {
		after = append(slices.Clone(mark), after...)
	}
	return after, kept, nil
}

// verify compares the document that a parser reads from a text with the wanted one.
func verify(l lang, text []byte, want map[string]any) error {
	got, err := l.decode(text)
	if err != nil || !reflect.DeepEqual(got, want) {
		return &Unfit{Why: "this is written in a way that cannot be added to safely; add the lines by hand " +
			"(choicetui help connect)"}
	}
	return nil
}

// step sets one value.
type step struct {
	path  []string // in the text; of a list the numbers count from 0
	raw   string   // JSON
	at    []string // in the document: path, or the list that path leads into
	value any      // the new value at that place
}

// starts lists the keys that say how a server is started. An old way of ours is replaced, every other value is the
// person's.
var starts = []string{"command", "cmd", "args"}

// missing returns the steps for the values of a setting that a document does not have yet.
func missing(l lang, text []byte, doc map[string]any, s connect.Setting) (steps []step, kept []string, err error) {
	want, err := decodeJSON([]byte(s.Value))
	if err != nil {
		return nil, nil, fmt.Errorf("failed to read our own value of %v: %w", s.Path, err)
	}
	there, found, depth := lookUp(doc, s.Path)
	if depth >= 0 {
		at := s.Path[:depth]
		return nil, nil, unfitAt(text, l.offset(text, at),
			strings.Join(at, ".")+" is no table of values here, so nothing can be added to it")
	}
	if s.Listed {
		return missingInList(l, text, there, want, s)
	}
	members, isObject := want.(map[string]any)
	entry, isEntry := there.(map[string]any)
	switch {
	case !found || there == nil && isObject:
		return []step{{s.Path, s.Value, s.Path, want}}, nil, nil
	case !isObject && !reflect.DeepEqual(there, want):
		return nil, []string{strings.Join(s.Path, ".")}, nil
	case !isObject:
		return nil, nil, nil
	case !isEntry || !isOurs(entry, members):
		return nil, nil, unfitAt(text, l.offset(text, s.Path),
			strings.Join(s.Path, ".")+" is another server here; rename or remove it first")
	}
	for _, name := range memberNames(s.Value) {
		at := append(slices.Clone(s.Path), name)
		old, has := entry[name]
		switch {
		case !has, slices.Contains(starts, name) && !reflect.DeepEqual(old, members[name]):
			steps = append(steps, step{at, memberOf(s.Value, name), at, members[name]})
		case slices.Contains(switchedOff(entry), name): // switched on below
		case !reflect.DeepEqual(old, members[name]):
			kept = append(kept, strings.Join(at, "."))
		}
	}
	return append(steps, switchOn(s.Path, entry)...), kept, nil
}

// switchOn returns the steps that switch an entry on.
func switchOn(path []string, entry map[string]any) (steps []step) {
	for _, key := range switchedOff(entry) {
		at := append(slices.Clone(path), key)
		steps = append(steps, step{at, fmt.Sprint(switches[key]), at, switches[key]})
	}
	return steps
}

// StartsUs reports whether an agent's entry for a server starts a choicetui, this one or another, as its server.
func StartsUs(entry map[string]any) bool {
	command := Command(entry)
	return Serves(command) && strings.HasPrefix(path.Base(command[0]), "choicetui")
}

// isOurs reports whether startsOurs is true, or the entry starts exactly the wanted command, whatever this program is
// called.
func isOurs(entry, want map[string]any) bool {
	return startsOurs(entry) || slices.Equal(Command(entry), Command(want))
}

// startsOurs reports whether an entry starts a choicetui, even one with the wrong arguments or without arguments.
func startsOurs(entry map[string]any) bool {
	command := Command(entry)
	return StartsUs(entry) || len(command) > 0 && path.Base(command[0]) == "choicetui"
}

// Serves reports whether a command of choicetui serves the agent that starts it.
func Serves(command []string) bool {
	return len(command) > 1 && slices.Contains(command[1:], "mcp") && !slices.Contains(command, "--http")
}

// Command returns how an agent's entry starts its server; empty: it does not say.
func Command(entry map[string]any) (words []string) {
	for _, key := range starts {
		switch v := entry[key].(type) {
		case string:
			words = append(words, v)
		case []any:
			for _, word := range v {
				words = append(words, fmt.Sprint(word))
			}
		}
	}
	return words
}

// lookUp returns the value at a path. depth is the number of keys that lead to something that is no table; -1: all lead
// to tables.
func lookUp(doc map[string]any, path []string) (value any, found bool, depth int) {
	for i, key := range path {
		if value, found = doc[key]; !found || i == len(path)-1 {
			return value, found, -1
		}
		if value == nil { // `servers:` with nothing behind it
			return nil, false, -1
		}
		below, ok := value.(map[string]any)
		if !ok {
			return nil, false, i + 1
		}
		doc = below
	}
	return nil, false, -1
}

// put sets a value in a document, and makes the tables on the way.
func put(doc map[string]any, path []string, value any) {
	for _, key := range path[:len(path)-1] {
		below, ok := doc[key].(map[string]any)
		if !ok {
			below = map[string]any{}
			doc[key] = below
		}
		doc = below
	}
	doc[path[len(path)-1]] = value
}

// decodeJSON reads JSON as the other formats are read: whole numbers as int64.
func decodeJSON(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if d.More() {
		return nil, errors.New("more than one value")
	}
	return alike(v), nil
}

// alike makes the values of different parsers comparable.
func alike(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		return v.String()
	case int:
		return int64(v)
	case map[string]any:
		for key := range v {
			v[key] = alike(v[key])
		}
	case []any:
		for i := range v {
			v[i] = alike(v[i])
		}
	}
	return v
}

// memberNames returns the names of a JSON object's members, in order.
func memberNames(object string) (names []string) {
	d := json.NewDecoder(strings.NewReader(object))
	if _, err := d.Token(); err != nil {
		return nil
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return names
		}
		names = append(names, name.(string))
		var skip json.RawMessage
		if d.Decode(&skip) != nil {
			return names
		}
	}
	return names
}

// memberOf returns the JSON of one member of an object.
func memberOf(object, name string) string {
	var all map[string]json.RawMessage
	if json.Unmarshal([]byte(object), &all) != nil {
		return "null"
	}
	return string(all[name])
}

// newline returns the line ending of a text.
func newline(text []byte) string {
	if bytes.Contains(text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// inserted returns a text with more at an offset.
func inserted(text []byte, at int, more string) []byte {
	return slices.Concat(text[:at], []byte(more), text[at:])
}
