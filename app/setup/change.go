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

// Unfit says why a text is left as it is. Lines and columns count from 1, columns in bytes; 0: no place in the text.
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

// unfitAt is an Unfit at an offset of a text.
func unfitAt(text []byte, offset int, why string) *Unfit {
	before := text[:min(max(offset, 0), len(text))]
	return &Unfit{1 + bytes.Count(before, []byte("\n")), len(before) - bytes.LastIndexByte(before, '\n'), why}
}

// lang is one format: how it is read, and how one value in it is set.
type lang interface {
	// decode reads a text into maps, lists and scalars; an *Unfit where it cannot be read.
	decode(text []byte) (map[string]any, error)
	// set returns the text with a value, JSON, at a path: in place of the one there, or added.
	set(text []byte, path []string, value string) ([]byte, error)
	// offset is where in the text the value at a path begins, as far as the format tells; 0: not known.
	offset(text []byte, path []string) int
}

// langs are the formats.
var langs = map[connect.Format]lang{connect.JSON: jsonText{}, connect.TOML: tomlText{}, connect.YAML: yamlText{}}

// mark is the byte order mark that some editors write; it stays, and no parser has to know it.
var mark = []byte("\xef\xbb\xbf")

// Changed is the text with all that a target wants in it. What is there already stays: the person's own values too, but
// for an old way to start this program. kept are the paths whose value is another than the wanted one. The error is an
// *Unfit where the text cannot be read, has another server of this name, or is written in a way that no edit fits.
func Changed(text []byte, format connect.Format, sets []connect.Setting) (after []byte, kept []string, err error) {
	body, hasMark := bytes.CutPrefix(text, mark)
	l := langs[format]
	before, err := l.decode(body)
	if err != nil {
		return nil, nil, err
	}
	after = body
	for _, s := range sets {
		if s.Former {
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

// verify holds what a parser reads of a text against what it should.
func verify(l lang, text []byte, want map[string]any) error {
	got, err := l.decode(text)
	if err != nil || !reflect.DeepEqual(got, want) {
		return &Unfit{Why: "this is written in a way that cannot be added to safely; add the lines by hand " +
			"(choicetui help connect)"}
	}
	return nil
}

// step is one value to set.
type step struct {
	path  []string // in the text; of a list the numbers count from 0
	raw   string   // JSON
	at    []string // in the document: path, or the list that path leads into
	value any      // what stands there then
}

// starts are the keys that say how a server is started: an old way of ours is replaced, every other value is the
// person's.
var starts = []string{"command", "cmd", "args"}

// missing are the values of a setting that a document does not have yet.
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

// switchOn are the steps that switch an entry on.
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

// isOurs is startsOurs, and true as well of what is started just as it should be, whatever this program is called.
func isOurs(entry, want map[string]any) bool {
	return startsOurs(entry) || slices.Equal(Command(entry), Command(want))
}

// startsOurs is StartsUs, and true as well of a choicetui that is started with the wrong arguments, or none.
func startsOurs(entry map[string]any) bool {
	command := Command(entry)
	return StartsUs(entry) || len(command) > 0 && path.Base(command[0]) == "choicetui"
}

// Serves reports whether a command of choicetui serves the agent that starts it.
func Serves(command []string) bool {
	return len(command) > 1 && slices.Contains(command[1:], "mcp") && !slices.Contains(command, "--http")
}

// Command is how an agent's entry starts its server; empty: it does not say.
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

// lookUp is the value at a path. depth is how much of the path leads to something that is no table; -1: none does.
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

// memberNames are the names of a JSON object's members, in order.
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

// memberOf is the JSON of one member of an object.
func memberOf(object, name string) string {
	var all map[string]json.RawMessage
	if json.Unmarshal([]byte(object), &all) != nil {
		return "null"
	}
	return string(all[name])
}

// newline is how lines end in a text.
func newline(text []byte) string {
	if bytes.Contains(text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// inserted is a text with more at an offset.
func inserted(text []byte, at int, more string) []byte {
	return slices.Concat(text[:at], []byte(more), text[at:])
}
